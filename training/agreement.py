"""Say how far two annotations of the same documents agree.

    python training/agreement.py [--first FOLDER] [--second FOLDER] [--lang en|fr|de]
        [--list [marks|forms]]

The first annotation is `training/texts`, the second, blind to it, `training/second`, a sample.
Documents are matched by id; their texts must be the same. Two marks are exact if they have the
same start and end, touching if they share a character. Types and owners are compared on pairs:
each mark of the first with the mark of the second it shares most characters with, each used once.
Kappa is Cohen's: (observed - expected) / (1 - expected), expected from each annotator's own shares.
Normalized forms are compared on pairs of the same span and type: as they are written, and as values
(`linkmask.graph.entities.canonical`, by which 3 May 2024 and 2024-05-03 are one). Forms that were
made apart from the marks stand in the folder's `forms.tsv`: document, start, end, form.
`--lang` takes the documents of one language alone. `--list` names every disagreement on marks,
`--list forms` those on forms. Cost: linear in characters and marks.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.texts import LANGUAGES, Annotated, Mark, read

from linkmask.graph.entities import canonical

HERE = Path(__file__).parent
Both = tuple[Annotated, Annotated]
Pair = tuple[Mark, Mark]
Place = tuple[str, int, int]
"""A document's id, and where in it a mark starts and ends."""


def load(first: Path, second: Path) -> list[Both]:
    """Return the documents of `second`, each with that of `first` of the same id.

    Raises:
        ValueError: a document of the second annotation is missing in the first, its text differs,
            or `forms.tsv` has a form where no mark is; names its id.
    """
    known = {d.id: d for d in annotated(first)}
    both = []
    for document in annotated(second):
        if document.id not in known or known[document.id].text != document.text:
            raise ValueError(f"{document.id} is not the same text in both annotations")
        both.append((known[document.id], document))
    return both


def of_language(both: Sequence[Both], lang: str | None) -> list[Both]:
    """Return the pairs of documents in `lang`; all of them for None."""
    return [(one, two) for one, two in both if lang in (None, one.lang)]


def annotated(folder: Path) -> list[Annotated]:
    """Return the folder's documents, their marks with the forms of its `forms.tsv`, if any."""
    documents = [d for path in sorted(folder.glob("*.txt")) for d in read(path)]
    apart = folder / "forms.tsv"
    forms = dict(_forms(apart)) if apart.exists() else {}
    documents = [_with(document, forms) for document in documents]
    marked = {(d.id, m.start, m.end) for d in documents for m in d.marks}
    if stray := sorted(forms.keys() - marked):
        raise ValueError(f"{stray[0][0]} has a form where no mark is")
    return documents


def _forms(path: Path) -> Iterator[tuple[Place, str]]:
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        document, start, end, form = line.split("\t")
        yield (document, int(start), int(end)), form


def _with(document: Annotated, forms: Mapping[Place, str]) -> Annotated:
    marks = (
        replace(m, normalized=forms.get((document.id, m.start, m.end), m.normalized))
        for m in document.marks
    )
    return replace(document, marks=tuple(marks))


def pairs(first: Sequence[Mark], second: Sequence[Mark]) -> list[Pair]:
    """Return the touching marks, most shared characters first, each mark in one pair at most."""
    found, begin = [], 0
    for a in first:
        while begin < len(second) and second[begin].end <= a.start:
            begin += 1
        at = begin
        while at < len(second) and second[at].start < a.end:
            b = second[at]
            found.append((max(a.start, b.start) - min(a.end, b.end), a, b))
            at += 1
    used_a, used_b, kept = set(), set(), []
    for _, a, b in sorted(found, key=lambda f: (f[0], f[1].start, f[2].start)):
        if a.start not in used_a and b.start not in used_b:
            used_a.add(a.start)
            used_b.add(b.start)
            kept.append((a, b))
    return sorted(kept, key=lambda pair: pair[0].start)


def kappa(values: Iterable[tuple[Hashable, Hashable]]) -> float:
    """Return Cohen's kappa of paired values; 1 where both have only one and the same value."""
    table = Counter(values)
    total = sum(table.values())
    rows, columns = Counter[Hashable](), Counter[Hashable]()
    for (a, b), count in table.items():
        rows[a] += count
        columns[b] += count
    same = sum(n for (a, b), n in table.items() if a == b) / total if total else 1.0
    chance = sum(rows[v] * columns[v] for v in rows) / total**2 if total else 0.0
    return (same - chance) / (1 - chance) if chance < 1 else 1.0


def f1(shared: float, first: int, second: int) -> float:
    """Return the F1 of `shared` finds among so many marks of each side; 1 where both have none."""
    return 2 * shared / (first + second) if first + second else 1.0


def masked(document: Annotated) -> list[bool]:
    """Return for each character whether a mark covers it."""
    cover = [False] * len(document.text)
    for m in document.marks:
        cover[m.start : m.end] = [True] * (m.end - m.start)
    return cover


def report(both: Sequence[Both]) -> Iterator[str]:
    """Yield the figures of all documents, a line each."""
    matched = [pair for a, b in both for pair in pairs(a.marks, b.marks)]
    exact = [(a, b) for a, b in matched if (a.start, a.end) == (b.start, b.end)]
    first = Counter(m.type for a, _ in both for m in a.marks)
    second = Counter(m.type for _, b in both for m in b.marks)
    sizes = first.total(), second.total()
    characters = ((x, y) for a, b in both for x, y in zip(masked(a), masked(b), strict=True))
    yield f"documents {len(both)}, marks {sizes[0]} and {sizes[1]}"
    yield f"spans exact F1 {f1(len(exact), *sizes):.3f}, touching F1 {f1(len(matched), *sizes):.3f}"
    yield f"characters masked or not, kappa {kappa(characters):.3f}"
    yield _agreed("type", [(a.type, b.type) for a, b in matched])
    yield _agreed("whose", [(a.whose, b.whose) for a, b in matched])
    yield f"{'type':20} {'first':>6} {'second':>6} {'exact':>6} {'touch':>6} {'whose':>6}"
    for name in sorted(first | second):
        same = [(a, b) for a, b in matched if a.type == b.type == name]
        good = sum((a.start, a.end) == (b.start, b.end) for a, b in same)
        whose = sum(a.whose == b.whose for a, b in same) / len(same) if same else 1.0
        counts = first[name], second[name]
        scores = f"{f1(good, *counts):6.3f} {f1(len(same), *counts):6.3f} {whose:6.3f}"
        yield f"{name:20} {counts[0]:6} {counts[1]:6} {scores}"


def _agreed(what: str, values: list[tuple[str, str]]) -> str:
    same = sum(a == b for a, b in values) / len(values) if values else 1.0
    return f"{what} on {len(values)} touching pairs: agreed {same:.3f}, kappa {kappa(values):.3f}"


def report_forms(both: Sequence[Both]) -> Iterator[str]:
    """Yield how far the forms agree: of all pairs, and of those where a side gave one, by type."""
    found = list(alike(both))
    heads = ("pairs", "same", "value", "given", "same", "value")
    yield f"{'forms':20} {' '.join(f'{head:>6}' for head in heads)}"
    for name in ["all", *sorted({a.type for _, a, _ in found})]:
        rows = [
            (given(one, a) or given(one, b), a.normalized == b.normalized, one_value(one, a, b))
            for one, a, b in found
            if name in ("all", a.type)
        ]
        shares = (_shares(rows), _shares([row for row in rows if row[0]]))
        yield f"{name:20} {shares[0]} {shares[1]}"


def _shares(rows: Sequence[tuple[bool, bool, bool]]) -> str:
    same, value = (sum(row[k] for row in rows) / len(rows) if rows else 1.0 for k in (1, 2))
    return f"{len(rows):6} {same:6.3f} {value:6.3f}"


def alike(both: Sequence[Both]) -> Iterator[tuple[Annotated, Mark, Mark]]:
    """Yield the pairs of the same span and type, with their document."""
    for one, two in both:
        for a, b in pairs(one.marks, two.marks):
            if (a.start, a.end, a.type) == (b.start, b.end, b.type):
                yield one, a, b


def given(document: Annotated, mark: Mark) -> bool:
    """Tell whether the mark has a form that is not its surface."""
    return mark.normalized != document.text[mark.start : mark.end]


def one_value(document: Annotated, a: Mark, b: Mark) -> bool:
    """Tell whether linkmask takes both forms for one value; 03/04 is in March in English only."""
    first, second = (
        canonical(m.type, m.normalized, day_first=document.lang != "en") for m in (a, b)
    )
    return first == second


def disagreements_on_forms(both: Sequence[Both]) -> Iterator[str]:
    """Yield each pair of the same span and type whose forms differ; `!` where the values do."""
    for one, a, b in alike(both):
        if a.normalized != b.normalized:
            sign = "~" if one_value(one, a, b) else "!"
            surface = one.text[a.start : a.end]
            yield f"{one.id} {sign} {a.type} {surface!r} - {a.normalized!r} + {b.normalized!r}"


def disagreements(both: Sequence[Both]) -> Iterator[str]:
    """Yield each mark of one side alone, and each pair that differs: `-` first, `+` second."""
    for one, two in both:
        matched = pairs(one.marks, two.marks)
        differ = [(a, b) for a, b in matched if _key(a) != _key(b)]
        lines = [(a.start, _said("-", one, a) + _said(" +", two, b)) for a, b in differ]
        in_pairs = {a.start for a, _ in matched}, {b.start for _, b in matched}
        lines += [(m.start, _said("-", one, m)) for m in one.marks if m.start not in in_pairs[0]]
        lines += [(m.start, _said("+", two, m)) for m in two.marks if m.start not in in_pairs[1]]
        for _, line in sorted(lines):
            yield f"{one.id} {line}"


def _key(mark: Mark) -> tuple[int, int, str, str]:
    return mark.start, mark.end, mark.type, mark.whose


def _said(sign: str, document: Annotated, mark: Mark) -> str:
    return f"{sign} {document.text[mark.start : mark.end]!r} {mark.type} {mark.whose}"


def main() -> int:
    """Print the figures, and the disagreements if asked."""
    parser = argparse.ArgumentParser(description="How far two annotations agree.")
    parser.add_argument("--first", type=Path, default=HERE / "texts")
    parser.add_argument("--second", type=Path, default=HERE / "second")
    parser.add_argument("--lang", choices=LANGUAGES, help="documents of one language alone")
    parser.add_argument(
        "--list", nargs="?", const="marks", choices=["marks", "forms"], help="name disagreements"
    )
    options = parser.parse_args()
    both = of_language(load(options.first, options.second), options.lang)
    if options.list:
        print(
            *(disagreements_on_forms if options.list == "forms" else disagreements)(both), sep="\n"
        )
        return 0
    print(*report(both), "", *report_forms(both), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
