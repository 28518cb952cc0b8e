"""Descriptions of software packages as texts without values: they speak of nobody.

    python training/negatives.py [--folds FOLDER] [--mark]

`make negatives` fetches the packages of `requirements/negatives.txt`, which names the licence of
each. None of them is installed for the tests or measured by `benchmarks/domains.py`. Descriptions
also name authors, sponsors and towns, and nobody marked these. Therefore a line is left out if it
speaks of people, or if a recognizer or a gazetteer finds a name, a place or an address in it.
`--mark` decides this with the recognizers of today and keeps the digests of these lines, so that
the same lines are read after a recognizer has changed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes
from functools import cache
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from linkmask.detect import lexicon, patterns
from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.ner import features
from linkmask.detect.ner import model as shipped
from linkmask.schema import types

FOLDER = ROOT / ".venv" / "negatives"
PACKAGES = ROOT / "requirements" / "negatives.txt"
LEFT_OUT = Path(__file__).with_name("left_out.txt")
"""The digest of the list of packages, then those of the lines of their descriptions that are left
out, in order."""
DIGITS = 12
"""Hexadecimal digits of a digest."""
METADATA = re.compile(r"[^/]+\.dist-info/METADATA")
SMALLEST = 5
"""Words of a piece between left-out lines, at least."""
PEOPLE = re.compile(
    r"(?i)copyright|author|maintain|contribut|thank|sponsor|founder|creator|credit|acknowledg"
    r"|\b(?:written|created|made|built|developed|funded|inspired|reported|fixed|patch\w*) by\b"
    r"|\bby [A-Z]|@|\(c\)|©"
)
"""What a line that names people says, mostly."""
ITEM = 4
"""Words of an item of a list, all with capitals, up to which it may be somebody's name."""
_ITEM = re.compile(r"\s*[-*+•]\s+[^\W\d_]")
VALUES = {types.NAME, types.PROVIDER, types.LOCATION, types.ORGANIZATION, types.ADDRESS}
"""Types of values that the family "names" learns to find."""


def read() -> Iterator[tuple[str, str]]:
    """Yield names and texts of the pieces of each package's description that hold no value.

    Raises:
        SystemExit: the packages were not fetched, or others than those whose lines were decided.
    """
    for name, pieces in _searched():
        for number, text in enumerate(pieces):
            yield f"{name}-{number}", text


@cache
def _searched() -> list[tuple[str, list[str]]]:
    """Return the pieces of each package's description."""
    files, left = _files(), left_out()
    return [
        (path.name.split("-")[0].lower(), list(_pieces(description(path), left))) for path in files
    ]


def _files() -> list[Path]:
    files = sorted(FOLDER.glob("*.whl"))
    if not files:
        raise SystemExit("no negatives: run `make negatives`")
    return files


def left_out() -> frozenset[str]:
    """Return the digests of the lines that are left out."""
    packages, *lines = LEFT_OUT.read_text("utf-8").split()
    if packages != digest(PACKAGES.read_text("utf-8")):
        raise SystemExit("other negatives: run `python training/negatives.py --mark`")
    return frozenset(lines)


def mark() -> None:
    """Decide which lines are left out, and keep their digests."""
    lines = {line for path in _files() for line in description(path).splitlines(keepends=True)}
    left = sorted(digest(line) for line in lines if _may_hold_value(line))
    text = "\n".join([digest(PACKAGES.read_text("utf-8")), *left, ""])
    LEFT_OUT.write_text(text, encoding="utf-8")


def digest(text: str) -> str:
    """Return the digest of a line, or of a list of packages."""
    return sha256(text.encode()).hexdigest()[:DIGITS]


def description(path: Path) -> str:
    """Return the description of a package, as its index shows it."""
    with ZipFile(path) as stored:
        name = next(filter(METADATA.fullmatch, stored.namelist()))
        payload = message_from_bytes(stored.read(name)).get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode("utf-8", "replace")


def _pieces(text: str, left: frozenset[str]) -> Iterator[str]:
    """Yield what stands between two lines that are left out, if it is long enough."""
    kept: list[str] = []
    for line in (*text.splitlines(keepends=True), ""):
        if line and digest(line) not in left:
            kept.append(line)
            continue
        piece = "".join(kept)
        if len(features.split(piece)[0]) >= SMALLEST:
            yield piece
        kept = []


def _may_hold_value(line: str) -> bool:
    scope = Scope("en")
    found = (*patterns.find(line, scope), *lexicon.find(line, scope))
    return (
        bool(PEOPLE.search(line))
        or _given_name(line)
        or not VALUES.isdisjoint(one.type for one in found)
    )


def _given_name(line: str) -> bool:
    """Does a line hold a given name that is no word, or nothing but a few capitalised words?"""
    words = [word for word in features.split(line)[0] if word[0].isalpha()]
    given = (
        w.FEATURES[word] & (w.GIVEN | w.WORDY) == w.GIVEN for word in words if word[0].isupper()
    )
    item = _ITEM.match(line) and len(words) <= ITEM and all(word[0].isupper() for word in words)
    return bool(item) or any(given)


def found(folder: Path) -> Counter[str]:
    """Count what models find in packages of the folds that they did not learn from, by label.

    `folder` is that of `folds.py`; "words" is the number of words read.
    """
    from training import clusters, data

    counts = Counter[str]()
    for path in sorted(folder.glob("f?.npz")):
        clusters.use(path.with_name(path.name.replace("f", "c")))
        model, fold = shipped.Model(path), int(path.stem[1:])
        for name, text in read():
            if data.fold_of(name.rpartition("-")[0]) == fold:
                words = features.split(text)[0]
                counts["words"] += sum(word[0].isalnum() for word in words)
                counts.update(label for _, _, label, _ in model.tag(words))
    return counts


def main() -> None:
    """Print how much is read, or what models find in it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--folds", type=Path, help="count what these models find in their folds")
    parser.add_argument("--mark", action="store_true", help="decide anew which lines are left out")
    given = parser.parse_args()
    if given.mark:
        mark()
    whole = sum(len(features.split(description(one))[0]) for one in FOLDER.glob("*.whl"))
    kept = sum(len(features.split(text)[0]) for _, text in read())
    print(f"{len(_searched())} packages: {kept:,} of {whole:,} words and marks are read")
    if given.folds:
        print(", ".join(f"{label} {n}" for label, n in found(given.folds).most_common()))


if __name__ == "__main__":
    main()
