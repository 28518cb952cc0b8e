"""Cuts markup into tokens. Every character of the source is in exactly one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_OPENING = re.compile(r"<(?:(?P<special>[!?])|(?P<end>/?)(?P<name>[^\W\d][^\s/>]*))")
_ATTRIBUTE = re.compile(
    r"[\s/]*(?:(?P<close>>)|(?P<name>[^\s/>][^\s/>=]*)"
    r"(?:\s*=\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\s>\"'][^\s>]*|(?=>)))?)"
)
_SPECIAL = re.compile(
    r"<(?:!--(?P<comment>.*?)--!?>|!\[CDATA\[(?P<cdata>.*?)\]\]>"
    r"|(?i:!DOCTYPE(?:\s+html)?(?:\s+(?:SYSTEM|PUBLIC))?\b)?(?P<other>[^>]*)>)",
    re.DOTALL,
)


class Attribute(NamedTuple):
    """An attribute: its name, and where its value stands, without quotes; `bare`: it had none."""

    name: str
    start: int
    end: int
    bare: bool


class Token(NamedTuple):
    """A piece of markup, `[start, end)` of the source.

    `kind` is one of text, open, close, empty, comment, cdata, declaration. `name` is that of the
    element, as written. For comment, cdata and a document type, start and end are those of what it
    holds.
    """

    kind: str
    start: int
    end: int
    name: str = ""
    attributes: tuple[Attribute, ...] = ()


def tokens(source: str, raw: frozenset[str] = frozenset()) -> Iterator[Token]:
    """Yield the tokens of a source in order.

    `raw` are the names, in lower case, of elements whose content is no markup. What is opened and
    never closed, up to the end of the source, is text.
    """
    at = begin = 0
    size = len(source)
    while opening := _OPENING.search(source, at):
        start = opening.start()
        if opening["special"]:
            found = _SPECIAL.match(source, start)
            if not found:
                break
            if begin < start:
                yield Token("text", begin, start)
            kind = found.lastgroup or "other"
            yield Token("declaration" if kind == "other" else kind, *found.span(kind))
            at = begin = found.end()
            continue
        at, attributes, empty = _attributes(source, opening.end())
        if not at:
            break
        if begin < start:
            yield Token("text", begin, start)
        name = opening["name"]
        kind = "close" if opening["end"] else "empty" if empty else "open"
        yield Token(kind, start, at, name, attributes)
        if kind == "open" and name.lower() in raw:
            close = re.compile(rf"</{re.escape(name)}(?=[\s/>])", re.IGNORECASE)
            end = found.start() if (found := close.search(source, at)) else size
            if at < end:
                yield Token("text", at, end, name.lower())
            at = end
        begin = at
    if begin < size:
        yield Token("text", begin, size)


def _attributes(source: str, at: int) -> tuple[int, tuple[Attribute, ...], bool]:
    """Return where a tag ends, its attributes, and whether it ends in a slash; 0 if it does not."""
    attributes: list[Attribute] = []
    while found := _ATTRIBUTE.match(source, at):
        at = found.end()
        if found["close"]:
            return at, tuple(attributes), source[at - 2] == "/"
        start, end = found.span("value") if found["value"] is not None else (at, at)
        quoted = source[start : start + 1] in ("'", '"') and end - start > 1
        attributes.append(Attribute(found["name"], start + quoted, end - quoted, not quoted))
    return 0, (), False
