"""Our own case reports: a plain file holds many, each mention marked in place with its label.

    === a-0001
    He took {{aspirin|DRUG}} {{100 mg daily|DOSE}} after {{stenting|PROCEDURE}}.

A line `=== ID` opens a report; labels are those of the family "report" (`data.FAMILIES`). Reading
is strict: whatever is not exactly this raises. `training/reports/README.md` says how they were
made.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from training.texts import FormatError

FOLDER = Path(__file__).with_name("reports")
HEAD = re.compile(r"^=== ([a-z]-\d{4})\n", re.MULTILINE)
MARK = re.compile(r"\{\{([^{}|]*)\|([A-Z]+)\}\}")

Spans = list[tuple[int, int, str]]


def read(path: Path, labels: Collection[str]) -> Iterator[tuple[str, str, Spans]]:
    """Yield id, text and marks of each report of a file.

    Raises:
        FormatError: it is not in the format; names the file and the report.
    """
    before, *parts = HEAD.split(path.read_text(encoding="utf-8"))
    if before.strip():
        raise FormatError(f"{path.name}: text before the first === line")
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        yield name, *parse(body.strip("\n") + "\n", labels, f"{path.name}: {name}")


def parse(body: str, labels: Collection[str], where: str = "text") -> tuple[str, Spans]:
    """Return a text without its marks, and the marks with their offsets in it.

    Raises:
        FormatError: a mark has no surface, blanks at its ends or an unknown label, or braces or a
            bar stand alone.
    """
    text, position = "", 0
    spans: Spans = []
    for match in MARK.finditer(body):
        surface, label = match.groups()
        if not surface or surface != surface.strip():
            raise FormatError(f"{where}: a mark's surface is empty or has blanks at its ends")
        if label not in labels:
            raise FormatError(f"{where}: no label {label!r}")
        text += body[position : match.start()]
        spans.append((len(text), len(text) + len(surface), label))
        text, position = text + surface, match.end()
    text += body[position:]
    if re.search(r"[{}|]|^===", text, re.MULTILINE):
        raise FormatError(f"{where}: braces, a bar or === that are no mark")
    return text, spans
