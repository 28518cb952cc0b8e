"""Figures on what was not learned from: five models, each measured on the fold it never saw.

    python training/folds.py FOLDER [SET…] [--alone] [--earned] [--types] [--bias …] [--least P]
                                           [--worse WAY] [--only …] [--errors TYPE] [--false]
                                           [--pages]

FOLDER holds `f0.npz` … (`train.py --fold K --out FOLDER/fK.npz`) and, if the word clusters are to
know nothing of the fold either, `c0.npz` … (`clusters.py --fold K --out FOLDER/cK.npz`, before
`train.py` with option `clusters`); folds without a model are left out. Sets that nothing is learned
from are measured with all of them, by their documents' folds.
`--alone`: the model without the rules. `--earned`: a second row for each set, read without the
rules that did not earn their place on the other four folds (`earned.py`). `--worse`: texts as a
hasty writer or a scanner leaves them (`perturb.py`). `--errors`: what of a type is missed (-) or
false (+). `--false`: how many of the false characters are of a text that is marked in another
place. `--pages`: the tables of docs/model.md and docs/results/detection.md that are held-out.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks import annotated, span_scores
from benchmarks import detect as bench
from linkmask.choices import DETECTORS, DetectorParts
from linkmask.detect import ner
from linkmask.detect.ner import model as shipped
from training import clusters, data, earned, perturb

OURS = ("en-", "fr-", "de-")
"""What the ids of our own texts begin with in the languages of the pages' tables."""
LANGUAGES = {"English": "en-", "French": "fr-", "German": "de-"}
ARTICLE = re.compile(r"^(?:the|an?|his|her|of) ")
NOT_ON_PAGES = frozenset({"bc5cdr_train"})
WAYS = {
    "unchanged": "", "accents lost": "bare", "scanned": "scanned", "lines broken": "broken",
    "all capitals": "capitals", "most capitals lost": "careless", "no capitals": "small",
}  # fmt: skip
"""Name of a change on the page → its function in `perturb`."""


class Found(NamedTuple):
    """Documents of a set, each with what the model finds in it that did not learn from it."""

    name: str
    truths: Sequence[annotated.Truth]
    finds: Sequence[Sequence[annotated.Span]]
    seconds: float

    def figures(self, only: str | tuple[str, ...] = "") -> dict[str, Any]:
        """Return the figures of the documents whose ids begin so."""
        both = zip(self.truths, self.finds, strict=True)
        kept = [one for one in both if one[0].id.startswith(only)]
        merge = set(annotated.labels_of(self.name).get("_merge", ()))
        score = span_scores.measure([t for t, _ in kept], [f for _, f in kept], merge)
        score.seconds = self.seconds
        return span_scores.figures(score)


class Models:
    """The models of a folder, by the fold that each did not learn from."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        files = {k: folder / f"f{k}.npz" for k in range(data.FOLDS)}
        self._models = {k: shipped.Model(path) for k, path in files.items() if path.is_file()}
        self.counts: dict[int, Any] = {}
        """True finds of the rules by fold (`earned.true_finds`), if any rule is to be left out."""

    def set_bias(self, by: str) -> None:
        """Set what is taken off "nothing" in a family, or added to a label: names=0.5,DEM=-1."""
        for part in filter(None, by.split(",")):
            family, _, value = part.partition("=")
            for one in self._models.values():
                if family in data.FAMILIES:
                    first = one.families[list(data.FAMILIES).index(family), 0]
                    one.bias[:, first] = -round(float(value) / one.unit)
                else:
                    one.bias[:, one.labels.index(family)] = round(float(value) / one.unit)

    def set_least(self, chance: float) -> None:
        """Set the least chance of a name's words in usual texts."""
        for one in self._models.values():
            one.least[0, slice(*one.families[0])] = chance

    def read(
        self,
        name: str,
        only: str | tuple[str, ...] = "",
        worse: str = "",
        detector: str = "embedded",
    ) -> tuple[Found, Found | None]:
        """Return what is found in a set; with `counts`, also what earned rules alone find."""
        truths = [one for one in annotated.read(name) if one.id.startswith(only)]
        if worse:
            way = getattr(perturb, worse)
            truths = [replace(one, text=way(one.text, Random(one.id))) for one in truths]
        folds = earned.folds_of(name, truths)
        find = bench.embedded(detector)
        used: list[annotated.Truth] = []
        found: list[list[annotated.Span]] = []
        without: list[list[annotated.Span]] = []
        seconds = 0.0
        for k, one in self._models.items():
            ner.shipped = lambda one=one: one  # type: ignore[assignment]
            if (self._folder / f"c{k}.npz").is_file():
                clusters.use(self._folder / f"c{k}.npz")
            part = [truth for truth in truths if folds[truth.id] == k]
            used += part
            with earned.remembered() if self.counts else nullcontext() as candidates:
                more, taken = find(part)
                found, seconds = [*found, *more], seconds + taken
                if candidates:
                    candidates.allowed = earned.earned_without(k, self.counts)
                    without += find(part)[0]
        folded = Found(name, used, without, seconds) if self.counts else None
        return Found(name, used, found, seconds), folded


def rows(models: Models, names: Iterable[str], given: argparse.Namespace) -> Iterator[str]:
    """Yield the rows of the usual table, a set each."""
    yield f"{'set':26} " + " ".join(f"{head:>8}" for _, head in bench.COLUMNS)
    for name in names:
        detector = "ner" if given.alone else "embedded"
        whole, folded = models.read(name, tuple(given.only.split(",")), given.worse, detector)
        for found, label in ((whole, ""), (folded, " folded")):
            if found and given.false:
                yield f"{name}{label}: {dict(false_characters(found))}"
            elif found and given.errors:
                bench.show(name + label, bench.errors(found.truths, found.finds, given.errors))
            elif found:
                figures = found.figures()
                yield bench.line(name + label, figures)
                if given.types:
                    yield bench.by_type(figures["types"])


def false_characters(found: Found) -> Counter[str]:
    """Count the false characters of finds by whether what was found is marked in another place."""
    marked = Counter(
        ARTICLE.sub("", one.text[m.start : m.end].lower())
        for one in found.truths
        for m in one.marked
        if not m.ignore
    )
    counts: Counter[str] = Counter()
    for one, finds in zip(found.truths, found.finds, strict=True):
        marks = bytearray(len(one.text))
        for m in one.marked:
            marks[m.start : m.end] = b"\x01" * (m.end - m.start)
        for start, end, _ in finds:
            part = any(marks[start:end])
            said = ARTICLE.sub("", one.text[start:end].lower())
            kind = "part of a find" if part else "marked elsewhere" if marked[said] else "never"
            places = range(start, end)
            counts[kind] += sum(not marks[at] and not one.text[at].isspace() for at in places)
    return counts


# ── the tables of the pages ─────────────────────────────────────────────────────────────────────


def share(value: float | None, digits: int = 3) -> str:
    """Return a share as the pages have it: .913."""
    return "–" if value is None else f"{value:.{digits}f}".removeprefix("0")


def row(label: str, figures: Mapping[str, Any], names: Iterable[str], *more: str) -> str:
    """Return a row of a table."""
    return "| " + " | ".join([label, *(share(figures[name]) for name in names), *more]) + " |"


def head(*names: str) -> str:
    """Return the head of a table, below an empty line."""
    return f"\n| {' | '.join(names)} |\n|{'---|' * len(names)}"


def pages(models: Models, names: Iterable[str]) -> Iterator[str]:
    """Yield the tables of the pages as Markdown, the rules folded out last in the first."""
    measured = ("char_recall", "char_precision", "mentions")
    folded = ("rules folded out: recall", "precision", "mentions") if models.counts else ()
    yield head("set", "recall", "precision", "mentions", "F1 exact", "F1 touching", *folded)
    own = spia = None
    for name in names:
        if name in NOT_ON_PAGES:
            continue
        whole, without = models.read(name)
        only = OURS if name == "own" else ""
        one = whole.figures(only)
        own, spia = whole if name == "own" else own, one if name == "spia" else spia
        more = [share(without.figures(only)[each]) for each in measured] if without else []
        typed = (share(one["f1"], 2), share(one["f1_touching"], 2))
        yield row(name, one, measured, *typed, *more)
    if spia:
        yield head("entities of spia protected", "DIRECT", "QUASI")
        yield row("held-out", spia, ("direct", "quasi"))
    if own:
        yield from own_texts(own, measured)
        models.counts = {}
        yield from noisy(models)


def own_texts(own: Found, measured: Iterable[str]) -> Iterator[str]:
    """Yield the tables of our own texts by language and by type."""
    yield head("language", "recall", "precision", "mentions", "conditions", "treatments")
    for language, prefix in LANGUAGES.items():
        one = own.figures(prefix)
        clinical = (one["types"][each]["half"] for each in ("MEDICAL_CONDITION", "TREATMENT"))
        yield row(language, one, measured, *(share(each, 2) for each in clinical))
    yield head("type", "annotated", "found", "F1 exact", "F1 touching", "always masked")
    types = own.figures(OURS)["types"]
    for name, one in sorted(types.items(), key=lambda item: -item[1]["mentions"]):
        if name != "CLINICAL":
            cells = (share(one[each], 2) for each in ("half", "f1", "f1_touching", "always"))
            yield row(name, one, (), str(one["mentions"]), *cells)


def noisy(models: Models) -> Iterator[str]:
    """Yield the table of our own texts as hasty writers and scanners leave them."""
    yield head("texts", "recall", "precision", "names found")
    for label, way in WAYS.items():
        one = models.read("own", OURS, way)[0].figures()
        names = share(one["types"]["NAME"]["half"], 2)
        yield row(label, one, ("char_recall", "char_precision"), names)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--earned", action="store_true", help="also with the rules folded out")
    parser.add_argument("--types", action="store_true")
    parser.add_argument(
        "--bias", default="", help="against nothing, or for a label: names=0.5,facts=1,DEM=-1"
    )
    parser.add_argument("--least", type=float, help="least chance of a name's words, usual texts")
    parser.add_argument("--only", default="", help="documents whose ids begin so: fr-,de-")
    parser.add_argument(
        "--worse", default="", choices=["", *(way.__name__ for way in perturb.WAYS)]
    )
    parser.add_argument("--errors", metavar="TYPE", help="list what of a type is missed or false")
    parser.add_argument("--false", action="store_true", help="count false characters by kind")
    parser.add_argument("--pages", action="store_true", help="the tables of the pages")
    given = parser.parse_args()
    models = Models(given.folder)
    models.set_bias(given.bias)
    if given.least is not None:
        models.set_least(given.least)
    if given.earned:
        models.counts = earned.true_finds()
    if given.alone:
        DETECTORS["ner"] = DetectorParts(("ner",))
    names = given.sets or [*annotated.SETS, "own"]
    for line in pages(models, names) if given.pages else rows(models, names, given):
        print(line, flush=True)


if __name__ == "__main__":
    main()
