"""Reads web pages: the text that a browser shows, and all that it does not show."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from linkmask.corpus.encodings import HEAD
from linkmask.corpus.readers.attributes import LETTER_OR_DIGIT, REFERENCE, Attributes, value_of
from linkmask.corpus.readers.element_labels import ElementLabels
from linkmask.corpus.readers.markup_tokens import Token, tokens
from linkmask.corpus.readers.source import Inner, Kind, Limits, Source, read_markup
from linkmask.corpus.readers.source_view import (
    ADDED,
    CELL,
    GAP,
    LABEL_END,
    LINE,
    REPEATED,
    ROW,
    Field,
    View,
    with_field_edits,
)

_TEXT = re.compile(rf"[^\S ]\s*| \s+|{REFERENCE.pattern}")
"""Blanks that are read as one, unless one space stands there, and references."""
_ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+|\\/")
_BREAK = re.compile(r"[^\w\[\]]")
"""Separators of the words of a name; each becomes one blank, and a mask stays whole."""
_TYPED = re.compile(r"(?:text/html|application/xhtml\+xml)\s{0,9};\s{0,9}charset\s{0,9}=\s{0,9}")
"""Text before the encoding in the older declaration."""
_BARE = re.compile(r"[\s\"'`=<>]")

NAMING = ("name", "property", "itemprop", "http-equiv", "id")
"""Attributes that name what an element's value is; the first one present counts."""
VALUES = ("content", "value")
"""Attributes whose value another attribute of the element names."""


@cache
def vocabulary(kind: str) -> frozenset[str]:
    """Return the names of one kind in markup.toml."""
    text = files(__package__).joinpath("markup.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)[kind].split())


@cache
def _known_names() -> frozenset[str]:
    kinds = ("blocks", "rows", "cells", "preserved", "inline", "attributes")
    return frozenset().union(*map(vocabulary, kinds))


class Page:
    """A page of HTML as fields: what is shown, title, comments, scripts, attributes, names."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._body, self._title, self._comments, self._scripts, self._names = (
            View(source) for _ in range(5)
        )
        self._attributes = Attributes(source)
        self._known = set[str]()
        self._preserved = 0
        self._labelled = self._before = ""
        self._labels = ElementLabels(source, vocabulary("captions"))
        found = list(tokens(source, vocabulary("raw")))
        for number, token in enumerate(found):
            self._read_token(token, found[number + 1 : number + 3])
        self.fields: list[Field] = [
            *self._body.field("text"),
            *self._title.field("title"),
            *self._comments.field("comments"),
            *self._scripts.field("scripts", running=False),
            *self._attributes.field(),
            *self._names.field("names", running=False, fixed=True),
        ]

    def write(self) -> str:
        """Return the source with the edits of its fields made."""
        return with_field_edits(self.source, self.fields, escape, self._attributes.twins)

    def _read_token(self, token: Token, after: Sequence[Token]) -> None:
        kind, start, end, name, _ = token
        if kind == "text":
            self._text(start, end, name)
        elif kind in ("comment", "cdata", "declaration"):
            self._comments.part(LINE)
            self._comments.copy(start, end, "comment")
        else:
            self._name(name)
            if self._labelled:
                self._body.part(LINE)
            self._tag(token)
            if {kind, self._before} == {"open", "close"} or name.lower() == "img":
                self._body.between()
            self._labelled = self._labels.of_text(token, after)
            self._label(self._labelled)
        self._before = kind

    def _text(self, start: int, end: int, within: str) -> None:
        if within in ("script", "style"):
            self._scripts.part(LINE)
            script(self._scripts, start, end)
        elif within == "title":
            self._title.part(LINE)
            text(self._title, start, end)
        else:
            text(self._body, start, end, preserved=bool(self._preserved) or within == "textarea")

    def _label(self, label: str) -> None:
        """Write what is known of the next text, at the beginning of a line or cell."""
        if label:
            self._body.part(LINE)
            self._body.label(f"{label}{LABEL_END}")

    def _tag(self, token: Token) -> None:
        kind, name, attributes = token.kind, token.name.lower(), token.attributes
        if name in vocabulary("cells"):
            self._body.part(CELL)
        elif name in vocabulary("rows"):
            self._body.part(ROW)
        elif name in vocabulary("blocks"):
            self._body.part(LINE)
        elif "-" in name:  # a page's own element, such as `<mat-cell>`
            self._body.part(GAP)
        if name in vocabulary("preserved"):
            self._preserved = max(0, self._preserved + (1 if kind == "open" else -1))
        given = {one.name.lower(): self.source[one.start : one.end] for one in attributes}
        shown = name == "input" and given.get("type", "").lower() not in vocabulary("unseen")
        naming = next((given[key] for key in NAMING if given.get(key)), "")
        for one in attributes:
            attribute = one.name.lower()
            self._name(one.name)
            if name == "meta" and _is_encoding(attribute, given[attribute]):
                continue
            if one.start < one.end and LETTER_OR_DIGIT.search(self.source, one.start, one.end):
                if shown and attribute == "value":
                    label = self._labels.of(token)
                    self._body.part(GAP)
                    self._label(label)
                    value_of(self._body, one)
                    self._body.part(LINE if label else GAP)
                else:
                    named = attribute in VALUES and naming
                    label = naming if named else "" if attribute in _known_names() else attribute
                    label = name_as_words(label.removeprefix("data-"))
                    place = REPEATED if named else ADDED
                    self._attributes.add(one, label, place, names=attribute in NAMING[:-1])

    def _name(self, name: str) -> None:
        if name not in self._known and name.lower() not in _known_names():
            self._known.add(name)
            self._names.part(LINE)
            self._names.label(name)


def name_as_words(name: str) -> str:
    """Return a name with blanks between its words."""
    return _BREAK.sub(" ", name)


def _is_encoding(attribute: str, value: str) -> bool:
    """Tell whether an attribute of a `meta` only declares the encoding of the page."""
    encoding = value.strip().lower()
    if attribute == "content" and (typed := _TYPED.match(encoding)):
        encoding = encoding[typed.end() :]
    elif attribute != "charset":
        return False
    return encoding in vocabulary("charsets")


def text(view: View, start: int, end: int, *, preserved: bool = False, kind: str = "text") -> None:
    """Add a stretch of text: references decoded, runs of blanks as one unless preserved."""
    source, at = view.source, start
    decoded = REFERENCE if preserved else _TEXT
    for found in decoded.finditer(source, start, end):
        begin, stop = found.span()
        if source[begin] != "&":
            view.copy(at, begin, kind)
            view.blank(begin, stop, kind)
        else:
            view.copy(at, begin, kind)
            view.decode(html.unescape(found[0]), begin, stop, kind)
        at = stop
    view.copy(at, end, kind)


def script(view: View, start: int, end: int) -> None:
    """Add a script: characters that are written by their number are read."""
    at = start
    for found in _ESCAPED.finditer(view.source, start, end):
        literal = found[0].replace("\\/", "/").encode().decode("unicode-escape")
        if "u" in found[0]:
            literal = literal.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        view.copy(at, found.start(), "script")
        view.decode(literal, *found.span(), "script")
        at = found.end()
    view.copy(at, end, "script")


def escape(text: str, kind: str) -> str:
    """Return a text as it is written in a page."""
    if kind == "comment":
        return text.replace("--", "- -").replace(">", " ")
    if kind == "script":
        return "".join(_in_script(c) for c in text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if kind == "attribute":
        text = text.replace('"', "&quot;").replace("'", "&#39;")
    if kind == "bare":
        text = _BARE.sub(lambda found: f"&#{ord(found[0])};", text)
    return text


def _in_script(character: str) -> str:
    if character in "\"'\\<>&\n\r`" or ord(character) > 0xFFFF:
        codes = character.encode("utf-16-be").hex()
        return "".join(f"\\u{codes[at : at + 4]}" for at in range(0, len(codes), 4))
    return character


def declared_encoding(head: bytes) -> str:
    """Return the encoding that a page names in its first bytes, "" if it names none."""
    found = re.search(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", head, re.I)
    return found[1].decode() if found else ""


def read_html(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Source:
    """Read a web page, in the encoding that a mail or the page itself declares."""
    return read_markup(data, kind.charset or declared_encoding(data[:HEAD]), Page, limits)


def read_escaped(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Source:
    """Read a text in which characters may be written by their number, as in JSON."""
    return read_markup(data, kind.charset, Script, limits, "strict")


class Script:
    """A text in which characters may be written by their number: one field."""

    def __init__(self, source: str) -> None:
        self.source = source
        view = View(source)
        script(view, 0, len(source))
        self.fields = list(view.field("text"))

    def write(self) -> str:
        """Return the text with the edits of its field made."""
        return with_field_edits(self.source, self.fields, escape)
