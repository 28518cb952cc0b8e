"""What each rule and each repair of detection is worth: the change of the finds without it.

    python benchmarks/ablation.py FOLDER [--repairs] [--patterns] [--sample N]

FOLDER holds `f0.npz`, a tagger that did not learn from fold 0 (`training/train.py --fold 0 --out
FOLDER/f0.npz`). Read are the documents of fold 0 of all annotated sets, and every second text about
nobody (benchmarks/domains.py). Without `--repairs`, the candidates of one rule after another are
left out before they are resolved (with `--patterns` also those of values with a form); with it, one
function after another that changes finds is switched off (`REPAIRS`). The columns show what the
removal changes:

documents   documents with other finds
true        marked characters that are found
false       characters that are found and not marked, in sets of any type
typed       marked mentions that are found with exactly their span and type
by set      true/false/typed by set, where there is a change
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.annotated import Span

from benchmarks import annotated, domains
from linkmask import detect
from linkmask.config import Settings
from linkmask.detect import ner
from linkmask.detect.candidates import Candidate
from linkmask.detect.ner import model
from linkmask.graph import entities
from linkmask.records import Document

Key = tuple[str, str]
"""Set and id of a document."""
Mark = tuple[int, int, str, bool]
"""Start, end, type ("" for any), whether it is to be ignored."""


class Text(NamedTuple):
    """A document and what is marked in it."""

    content: str
    marks: Sequence[Mark]


class Change(NamedTuple):
    """What a removal changes in a document."""

    true: int
    false: int
    typed: int


REPAIRS: Mapping[str, Callable[..., Any]] = {
    "detect.bounded": lambda text, spans: spans,
    "detect.mark_staff_as_providers": lambda text, spans: spans,
    "detect.without_noise": lambda text, spans, register: spans,
    "detect.candidate_search._over_breaks": lambda texts, finders: [[] for _ in texts],
    "detect.candidate_search._beside_words": lambda texts: iter([[] for _ in texts]),
    "detect.resolve._widened": lambda one, over: None,
    "detect.resolve._without": lambda rules, learned: rules,
    "detect.resolve.staff._is_insured": lambda *given: False,
    "detect.resolve.staff.asks_for_one": lambda *given: False,
    "detect.ner.boundaries.cannot_be": lambda *given: False,
    "detect.ner.boundaries._cut": lambda text, start, end, label: ((start, end),),
    "detect.ner.boundaries._clinical": lambda text, start, end: (start, end),
    "detect.ner.boundaries.with_hyphenated_words": lambda text, start, end: (start, end),
}
"""Function that changes finds → what stands in its place: it changes nothing."""


def place(name: str) -> tuple[Any, str]:
    """Return the module of a repair and the name of its function there."""
    module, _, function = name.rpartition(".")
    return import_module(f"linkmask.{module}"), function


@contextmanager
def switched_off(name: str) -> Iterator[None]:
    """Put what changes nothing in the place of a repair."""
    module, function = place(name)
    before = getattr(module, function)
    setattr(module, function, REPAIRS[name])
    try:
        yield
    finally:
        setattr(module, function, before)


def texts(sample: int, every: bool = False) -> dict[Key, Text]:
    """Return the documents of fold 0 of all sets, or of `every` fold, and texts about nobody."""
    from training.earned import folds_of

    found: dict[Key, Text] = {}
    for name in (*annotated.SETS, "own"):
        if name != "own" and not annotated.place(name).is_file():
            continue
        truths = annotated.read(name)
        folds = folds_of(name, truths)
        read = [one for one in truths if every or folds[one.id] == 0]
        for one in read[: sample or None]:
            marks = [(m.start, m.end, m.type, m.ignore) for m in one.marked]
            found[name, one.id] = Text(one.text, marks)
    for one in domains.documents(planted=True)[::2]:
        marks = [(s.start, s.end, s.type, False) for s in one.spans]
        found["nobody", one.id] = Text(one.text, marks)
    return found


def finds(key: Key, text: Text, settings: Settings) -> list[Span]:
    """Return what the first pass finds in a document."""
    document = Document(key[1], text.content, {})
    found = detect.first_pass(document, settings, entities.canonical)
    return [(one.start, one.end, one.type) for one in found]


def covered(size: int, spans: Collection[Span]) -> bytearray:
    """Return 1 for each character that a span covers."""
    taken = bytearray(size)
    for start, end, _ in spans:
        taken[start:end] = b"\x01" * (end - start)
    return taken


def compare(text: Text, before: Collection[Span], after: Collection[Span]) -> Change:
    """Return what changes from some finds to others."""
    size = len(text.content)
    marked, ignored = bytearray(size), bytearray(size)
    for start, end, _, ignore in text.marks:
        (ignored if ignore else marked)[start:end] = b"\x01" * (end - start)
    true = false = 0
    pairs = zip(covered(size, before), covered(size, after), strict=True)
    for at, (old, new) in enumerate(pairs):
        true += (new - old) * marked[at]
        false += (new - old) * (not marked[at] and not ignored[at])
    exact = {(start, end, kind) for start, end, kind, ignore in text.marks if kind and not ignore}
    return Change(true, false, len(exact & set(after)) - len(exact & set(before)))


class Candidates:
    """What all sources propose in each document, found once; one rule at a time is left out."""

    def __init__(self) -> None:
        self._find = detect.find_candidates
        self.seen: dict[Key, list[list[Candidate]]] = {}
        self.key: Key = ("", "")
        self.without: tuple[str, str] | None = None

    def __call__(self, *given: Any) -> list[list[Candidate]]:
        """Stand in for detection's search for candidates."""
        if self.key not in self.seen:
            self.seen[self.key] = self._find(*given)
        return [
            [one for one in row if (one.detector, one.rule) != self.without]
            for row in self.seen[self.key]
        ]


def line(name: str, changes: Mapping[Key, Change]) -> str:
    """Return the row of one removal."""
    total = Change(*map(sum, zip(*changes.values(), strict=True))) if changes else Change(0, 0, 0)
    by_set: dict[str, list[Change]] = defaultdict(list)
    for (of, _), change in changes.items():
        by_set[of].append(change)
    sums = {of: Change(*map(sum, zip(*rows, strict=True))) for of, rows in by_set.items()}
    shown = ", ".join(f"{of} {t:+}/{f:+}/{x:+}" for of, (t, f, x) in sums.items() if t or f or x)
    cells = (name, len(changes), *(f"{n:+}" for n in total), shown or "–")
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    """Print a row for each rule, the rarest first, or for each repair."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repairs", action="store_true")
    parser.add_argument("--patterns", action="store_true")
    parser.add_argument("--sample", type=int, default=0, help="documents of a set, at most")
    given = parser.parse_args()
    tagger = model.Model(given.folder / "f0.npz")
    ner.shipped = lambda: tagger
    settings, read = Settings(), texts(given.sample)
    candidates = Candidates()
    if not given.repairs:
        detect.find_candidates = candidates
    before: dict[Key, list[Span]] = {}
    for candidates.key, text in read.items():
        before[candidates.key] = finds(candidates.key, text, settings)

    def changes(keys: Collection[Key]) -> dict[Key, Change]:
        """Compare what is found now in some documents with what was found before."""
        found = {}
        for candidates.key in keys:
            after = finds(candidates.key, read[candidates.key], settings)
            if after != before[candidates.key]:
                text = read[candidates.key]
                found[candidates.key] = compare(text, before[candidates.key], after)
        return found

    marked = sum(end - start for one in read.values() for start, end, *_ in one.marks)
    print(f"{len(read)} documents, {marked:,} marked characters\n")
    print("| without | documents | true | false | typed | by set |\n|---|---|---|---|---|---|")
    if given.repairs:
        for name in REPAIRS:
            with switched_off(name):
                print(line(name.removeprefix("detect."), changes(read)), flush=True)
        return
    documents: dict[tuple[str, str], set[Key]] = defaultdict(set)
    hits: Counter[tuple[str, str]] = Counter()
    for key, rows in candidates.seen.items():
        for one in (one for row in rows for one in row):
            if one.detector != "ner" and (given.patterns or one.detector != "patterns"):
                documents[one.detector, one.rule].add(key)
                hits[one.detector, one.rule] += 1
    for rule, _ in sorted(hits.items(), key=lambda item: (item[1], item[0])):
        candidates.without = rule
        print(line("/".join(rule), changes(sorted(documents[rule]))), flush=True)


if __name__ == "__main__":
    main()
