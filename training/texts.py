"""Our own annotated texts: a plain file holds many documents, each mention marked in place.

    === claim-0017 lang=en kind=letter layout=prose
    Dear Ms {{Dana Ruiz|NAME|P}}, your stay on {{2 May|EVENT_DATE|P|2 May 2023}} is covered.

A line `=== ID lang=LANGUAGE kind=FORMAT layout=LAYOUT` opens a document. A mention is written
`{{surface|TYPE|W}}` or `{{surface|TYPE|W|normalized}}`, where W says whose it is: P the person the
document is about, O another person, N nobody. What stands around and inside the marks is the text.
Reading is strict: whatever is not exactly this raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from linkmask import schema

LANGUAGES = ("en", "fr", "de", "es", "it", "nl", "pt")
WHOSE = ("P", "O", "N")
HEAD = re.compile(
    r"=== (?P<id>[\w.-]+) lang=(?P<lang>\w+) kind=(?P<kind>\S+) layout=(?P<layout>\S+)"
)
MARK = re.compile(r"\{\{([^{}]*)\}\}")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked mention: `text[start:end]` is of `type`, belongs to `whose`, means `normalized`."""

    start: int
    end: int
    type: str
    whose: str
    normalized: str


@dataclass(frozen=True, slots=True)
class Annotated:
    """A document of our own with its marks, sorted by start and disjoint."""

    id: str
    lang: str
    kind: str
    layout: str
    text: str
    marks: tuple[Mark, ...]


class FormatError(ValueError):
    """A file is not as this page says; names file, line and what is wrong, no text of it."""


def read(path: Path) -> list[Annotated]:
    """Read one file.

    Raises:
        FormatError: it is not in the format; names the file and the line.
    """
    documents: list[Annotated] = []
    seen: set[str] = set()
    for number, head, body in _documents(path):
        where = f"{path.name}:{number}"
        if head["id"] in seen:
            raise FormatError(f"{where}: a second document with this id")
        if head["lang"] not in LANGUAGES:
            raise FormatError(f"{where}: lang must be one of {', '.join(LANGUAGES)}")
        seen.add(head["id"])
        text, marks = parse(body, where)
        documents.append(
            Annotated(head["id"], head["lang"], head["kind"], head["layout"], text, marks)
        )
    return documents


def _documents(path: Path) -> Iterator[tuple[int, re.Match[str], str]]:
    """Yield each document's line, its matched head and the text below, without outer newlines."""
    head, start, lines = None, 0, []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.startswith("==="):
            if head is None and line.strip():
                raise FormatError(f"{path.name}:{number}: text before the first === line")
            lines.append(line)
            continue
        if head:
            yield start, head, "\n".join(lines).strip("\n")
        head, start, lines = HEAD.fullmatch(line.rstrip()), number, []
        if not head:
            raise FormatError(f"{path.name}:{number}: not '=== ID lang=… kind=… layout=…'")
    if head:
        yield start, head, "\n".join(lines).strip("\n")


def parse(body: str, where: str = "text") -> tuple[str, tuple[Mark, ...]]:
    """Return a text without its marks, and the marks with their offsets in it.

    Raises:
        FormatError: a mark has not three or four parts, an unknown type or owner, no surface or
            blanks at its ends, or braces stand alone.
    """
    types = schema.load("insurance").weights
    parts: list[str] = []
    marks: list[Mark] = []
    length = position = 0
    for match in MARK.finditer(body):
        line = f"{where} (line {body.count(chr(10), 0, match.start()) + 1} of it)"
        fields = match[1].split("|")
        if len(fields) not in (3, 4):
            raise FormatError(f"{line}: a mark is {{{{surface|TYPE|P}}}}, with or without a form")
        surface, entity_type, whose = fields[:3]
        if not surface or surface != surface.strip():
            raise FormatError(f"{line}: a mark's surface is empty or has blanks at its ends")
        if entity_type not in types:
            raise FormatError(f"{line}: no type {entity_type!r} in the schema")
        if whose not in WHOSE:
            raise FormatError(f"{line}: the third part must be one of {', '.join(WHOSE)}")
        parts += body[position : match.start()], surface
        start = length + match.start() - position
        length, position = start + len(surface), match.end()
        normalized = fields[3] if len(fields) == 4 else surface
        marks.append(Mark(start, length, entity_type, whose, normalized))
    text = "".join([*parts, body[position:]])
    if "{{" in text or "}}" in text:
        raise FormatError(f"{where}: braces that are no mark")
    return text, tuple(marks)
