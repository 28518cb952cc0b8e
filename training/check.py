"""Read the annotated texts of `training/texts` and say what is wrong with their marks.

    python training/check.py [FILE …] [--counts]

What is not in the format (`texts.py`) ends the reading. Exit status 1 when something is wrong.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.texts import Annotated, FormatError, read

TEXTS = Path(__file__).parent / "texts"
KINDS = set("claim record memo report survey research policy audit news email chat".split())
SHORTEST = 3
"""A surface of fewer characters ("F", "61") means something else elsewhere in its document."""


def faults(document: Annotated) -> Iterator[str]:
    """Yield what is wrong with a document, a line each."""
    if document.kind not in KINDS:
        yield f"unknown kind {document.kind}"
    if "|" in document.text:
        yield "a bar stands in the text"
    yield from _forgotten(document)


def _forgotten(document: Annotated) -> Iterator[str]:
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
    try:
        documents = [(path, document) for path in files for document in read(path)]
    except FormatError as error:
        sys.stdout.write(f"{error}\n")
        return 1
    wrong = [f"{p.name} {d.id}: {fault}" for p, d in documents for fault in faults(d)]
    for number, count in Counter(d.id for _, d in documents).items():
        wrong += [f"{number} stands {count} times"] if count > 1 else []
    sys.stdout.writelines(line + "\n" for line in wrong)
    if "--counts" in arguments:
        sys.stdout.writelines(line + "\n" for line in counts([d for _, d in documents]))
    return 1 if wrong else 0


def counts(documents: list[Annotated]) -> Iterator[str]:
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
