"""Read the annotated texts of `training/texts` and say what is wrong with their marks.

    python training/check.py [FILE …] [--counts]

A file holds documents, each behind a line `=== id lang=… kind=… layout=…`; marks in them are
`{{surface|TYPE|W}}` or `{{surface|TYPE|W|normalized}}` (see `texts/README.md`). Exit status 1 when
something is wrong.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from linkmask.schema import load

TEXTS = Path(__file__).parent / "texts"
KINDS = set("claim record memo report survey research policy audit news email chat".split())
WHOSE = {"P", "O", "N"}
HEADER = re.compile(r"=== (\S+) lang=([a-z]{2}) kind=([a-z]+) layout=([a-z]+)")
MARK = re.compile(r"\{\{([^{}|]*)\|([^{}|]*)\|([^{}|]*)(?:\|([^{}|]*))?\}\}")
SHORTEST = 3
"""A surface of fewer characters ("F", "61") means something else elsewhere in its document."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A span `[start, end)` of a text, its type, whose it is (P, O, N) and its normal form."""

    start: int
    end: int
    type: str
    whose: str
    normalized: str


@dataclass(frozen=True, slots=True)
class Text:
    """A document without its marks, and the marks as spans of it, by ascending start."""

    id: str
    lang: str
    kind: str
    layout: str
    text: str
    marks: tuple[Marked, ...]


def read(path: Path) -> Iterator[Text]:
    """Yield the documents of a file.

    Raises:
        ValueError: the file does not begin with a header, or a header is not of the form.
    """
    parts = re.split(r"^(?====)", path.read_text("utf-8"), flags=re.MULTILINE)
    if parts[0].strip():
        raise ValueError(f"{path.name} does not begin with a header line")
    for part in parts[1:]:
        head, _, body = part.partition("\n")
        match = HEADER.fullmatch(head)
        if not match:
            raise ValueError(f"{path.name}: no header line: {head}")
        number, lang, kind, layout = match.groups()
        yield Text(number, lang, kind, layout, *unmarked(body.strip("\n")))


def unmarked(body: str) -> tuple[str, tuple[Marked, ...]]:
    """Return the text without its marks, and the marks."""
    pieces, marks, at, length = [], [], 0, 0
    for match in MARK.finditer(body):
        surface, entity_type, whose, normalized = match.groups()
        pieces += [body[at : match.start()], surface]
        start = length + match.start() - at
        length, at = start + len(surface), match.end()
        marks.append(Marked(start, length, entity_type, whose, normalized or surface))
    return "".join([*pieces, body[at:]]), tuple(marks)


def faults(document: Text, types: set[str]) -> Iterator[str]:
    """Yield what is wrong with a document, a line each."""
    if document.kind not in KINDS:
        yield f"unknown kind {document.kind}"
    if any(mark in document.text for mark in ("{{", "}}", "|")):
        yield "a mark is not closed, or a bar stands in the text"
    for m in document.marks:
        surface = document.text[m.start : m.end]
        if m.type not in types:
            yield f"unknown type {m.type} of {surface!r}"
        if m.whose not in WHOSE:
            yield f"{m.whose!r} of {surface!r} is none of P, O, N"
        if surface != surface.strip() or not surface:
            yield f"{surface!r} is empty, or begins or ends with a blank"
    yield from _forgotten(document)


def _forgotten(document: Text) -> Iterator[str]:
    """Yield the surfaces that are marked at one place of a document and not at another."""
    outside = list(document.text)
    for m in document.marks:
        outside[m.start : m.end] = "\0" * (m.end - m.start)
    rest = "".join(outside)
    for surface in sorted({document.text[m.start : m.end] for m in document.marks}):
        if len(surface) < SHORTEST:
            continue
        if re.search(rf"(?<!\w){re.escape(surface)}(?!\w)", rest):
            yield f"{surface!r} is marked once and not another time"


def main(arguments: list[str]) -> int:
    """Check the files named, or all; return the exit status."""
    files = [Path(a) for a in arguments if not a.startswith("--")] or sorted(TEXTS.glob("*.txt"))
    types = set(load("insurance").types)
    documents = [(path, document) for path in files for document in read(path)]
    wrong = [f"{p.name} {d.id}: {fault}" for p, d in documents for fault in faults(d, types)]
    for number, count in Counter(d.id for _, d in documents).items():
        wrong += [f"{number} stands {count} times"] if count > 1 else []
    sys.stdout.writelines(line + "\n" for line in wrong)
    if "--counts" in arguments:
        sys.stdout.writelines(line + "\n" for line in counts([d for _, d in documents]))
    return 1 if wrong else 0


def counts(documents: list[Text]) -> Iterator[str]:
    """Yield how many documents, words and marks there are, by kind, layout, type and W."""
    marks = [m for d in documents for m in d.marks]
    words = sum(len(d.text.split()) for d in documents)
    yield f"documents {len(documents)}, words {words}, marks {len(marks)}"
    for name, values in (
        ("language", [d.lang for d in documents]),
        ("kind", [d.kind for d in documents]),
        ("layout", [d.layout for d in documents]),
        ("whose", [m.whose for m in marks]),
        ("type", [m.type for m in marks]),
    ):
        yield f"{name}: " + ", ".join(f"{v} {n}" for v, n in Counter(values).most_common())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
