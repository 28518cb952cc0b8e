"""Reads XML: the text of elements, comments, attributes and names, each with its place.

Which elements begin lines and cells is told by an `ElementLayout`. An element that is in none of
its lists, and holds nothing but text, is a line of its own after its name (`first name: Jane`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from xml.parsers import expat

from linkmask.corpus.encodings import HEAD
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers import html
from linkmask.corpus.readers.attributes import LETTER_OR_DIGIT, Attributes
from linkmask.corpus.readers.markup_tokens import Attribute, Token, tokens
from linkmask.corpus.readers.source import Inner, Kind, Limits, Source, read_markup
from linkmask.corpus.readers.source_view import (
    ADDED,
    LINE,
    NONE,
    REPEATED,
    Field,
    Mark,
    View,
    with_field_edits,
)
from linkmask.schema import words

_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})[\"']")
_DECLARATION = re.compile(r"\?xml(\s+(version|encoding|standalone)=[\"'][\w.-]{1,20}[\"'])*\s*\?")
_TARGET = re.compile(r"\?(xml-stylesheet|xml-model|mso-application|mso-contentType)(?=\s)")
"""Begins an instruction to programs: a word of the format; a mask there would break the file."""
_HUMP = re.compile(r"(\[[^\[\]]{1,80}\])|(?<=[a-z0-9])(?=[A-Z])|[^\w\[]+|[_\[]")
"""What stands between the words of a name; a mask is a word."""
LONGEST = 80
"""Characters of a name of what an element holds, at most."""
PANOSE = re.compile(r"[0-9A-F]{20}")
"""Digits that classify the shapes of a font."""
_NO_LETTER = re.compile(r"[\W\d_]+")
_SAME_AS_NAME = frozenset({"value", "val", "content"})
NAMESPACE = (
    r"(http://(schemas\.|www\.w3\.|purl\.)|urn:(oasis|schemas-microsoft-com|schemas):)[\w./:#-]*"
)
"""Names of vocabularies, which are no addresses."""


@dataclass(frozen=True, slots=True)
class ElementLayout:
    """How elements are read, by their names without prefix.

    `marks`: the separator around each element, `NONE` within a line; `other`: that of all other
    elements. `characters`: what elements that stand for a character are read as. `apart`: the field
    of an element's text, if it is not read in its line. `skip`: values of attributes that hold no
    text. `names`: whether names of elements and attributes are chosen by authors. `labels`: what
    is read before the values of elements and attributes, None for the names of all. `entered`: the
    elements and attributes whose values authors enter, also those in `skip`. `styles`: the elements
    whose attributes name styles and fonts; `builtin`: the names of those that programs ship
    (`style_key`).
    """

    marks: Mapping[str, Mark] = field(default_factory=dict)
    apart: Mapping[str, str] = field(default_factory=dict)
    other: Mark = LINE
    names: bool = True
    skip: re.Pattern[str] = re.compile(NAMESPACE)
    labels: Mapping[str, str] | None = None
    entered: frozenset[str] = frozenset()
    characters: Mapping[str, str] = field(default_factory=dict)
    styles: frozenset[str] = frozenset()
    builtin: frozenset[str] = frozenset()

    def label(self, name: str) -> str:
        """Return what is read before the value of an element or attribute, "" if nothing is."""
        return _words(name) if self.labels is None else self.labels.get(name, "")

    def tells(self, element: str, attribute: str, value: str) -> bool:
        """Tell whether a value of an element's attribute can identify somebody."""
        if not LETTER_OR_DIGIT.search(value):
            return False
        if element in self.styles:
            shipped = PANOSE.fullmatch(value) or style_key(value) in self.builtin
            return not (shipped or self.skip.fullmatch(value))
        return not self.entered.isdisjoint((element, attribute)) or not self.skip.fullmatch(value)


def style_key(name: str) -> str:
    """Return what the name and id of a style share: "Heading 2 Char" and "Heading2Char".

    Blanks, digits and other marks are left out, and what makes one of a style for paragraphs.
    """
    return _NO_LETTER.sub("", name).casefold().removesuffix("char")


class Xml:
    """An XML document as fields.

    Raises:
        Flaw: it is not well-formed, or declares entities.
    """

    def __init__(self, source: str, layout: ElementLayout) -> None:
        self.source, self._layout = source, layout
        body = View(source)
        self._views = {"text": body}
        self._comments, self._names = View(source), View(source)
        self._attributes = Attributes(source)
        self._seen = set[str]()
        self._open = [("", body, "", frozenset({body}))]
        found = list(tokens(source))
        _check(source, found)
        self._mixed = _mixed(source, found)
        self._before = ""
        for number, token in enumerate(found):
            self._read_token(number, token)
            self._before = token.kind
        self.fields: list[Field] = [
            *(one for name, view in self._views.items() for one in view.field(name)),
            *self._comments.field("comments"),
            *self._attributes.field(),
            *self._names.field("names", running=False, fixed=True),
        ]

    def write(self) -> str:
        """Return the source with the edits of its fields made."""
        return with_field_edits(self.source, self.fields, escape, self._attributes.twins)

    def _read_token(self, number: int, token: Token) -> None:
        kind, start, end, name, attributes = token
        if kind == "text":
            local, view, *_ = self._open[-1]
            blank = self.source[start:end].isspace()
            shown = local in self._layout.marks and "\n" not in self.source[start:end]
            if not blank or shown or number in self._mixed.texts:
                self._part_others()
                html.text(view, start, end, preserved=True)
        elif kind == "cdata":
            self._part_others()
            self._open[-1][1].copy(start, end, "cdata")
        elif kind in ("comment", "declaration"):
            if not _DECLARATION.fullmatch(self.source, start, end):
                target = _TARGET.match(self.source, start, end)
                self._comments.part(LINE)
                self._comments.copy(target.end() if target else start, end, "comment")
        elif kind == "empty" and (one := self._layout.characters.get(name.rpartition(":")[2])):
            self._open[-1][1].decode(one, start, end, "text")
        else:
            self._tag(number, kind, name, attributes)

    def _tag(self, number: int, kind: str, name: str, attributes: tuple[Attribute, ...]) -> None:
        local = name.rpartition(":")[2]
        if kind == "close":
            self._part(number, local)
            if len(self._open) > 1:
                self._open.pop()
            return
        naming = self._naming(attributes) if attributes else ""
        carries = bool(naming) and _words(name) in words("field_pairs")["carriers"]
        if kind == "open":
            apart = self._layout.apart.get(local)
            view = self._views.setdefault(apart, View(self.source)) if apart else self._open[-1][1]
            around = self._open[-1][3]
            self._open.append((local, view, naming, around | {view} if apart else around))
        if not self._goes_on(attributes):
            self._part(number, local)
        if kind == "open" and self._before == "close" and self._layout.other is LINE:
            self._open[-1][1].between()
        if kind == "open" and self._labelled(number, local):
            self._label(_words(name), local)
        self._name(name)
        for one in attributes:
            attribute = one.name.rpartition(":")[2]
            self._name(one.name)
            value = self.source[one.start : one.end]
            if self._layout.tells(local, attribute, value):
                named = naming if attribute in _SAME_AS_NAME else ""
                attribute = name.rpartition(":")[2] if attribute in _SAME_AS_NAME else attribute
                label = named or self._layout.label(attribute)
                place = REPEATED if named else ADDED
                self._attributes.add(one, label, place, names=carries and _named(value) == naming)

    def _naming(self, attributes: tuple[Attribute, ...]) -> str:
        """Return what names the value of an element: `<field name="ssn">`, "" if nothing does."""
        given = {one.name.rpartition(":")[2].lower(): one for one in attributes}
        one = next((given[key] for key in words("field_pairs")["naming"] if key in given), None)
        value = self.source[one.start : one.end] if one else ""
        if (
            len(value) > LONGEST
            or not LETTER_OR_DIGIT.search(value)
            or self._layout.skip.fullmatch(value)
        ):
            return ""
        return _named(value)

    def _label(self, name: str, local: str) -> None:
        """Write what an element with text alone is called, or what an attribute says that it is."""
        named = ""
        if name in words("field_pairs")["carriers"]:
            named = self._open[-1][2] or (self._open[-2][2] if len(self._open) > 1 else "")
        if label := named or self._layout.label(local):
            self._open[-1][1].label(f"{label}: ", REPEATED if named else ADDED)

    def _goes_on(self, attributes: tuple[Attribute, ...]) -> bool:
        """Tell whether a word goes on behind an element: `<lb break="no"/>` (TEI P5, 3.11.3)."""
        return any(
            one.name == "break" and self.source[one.start : one.end] == "no" for one in attributes
        )

    def _part(self, number: int, local: str) -> None:
        """Part an element from what is before it, unless it stands within a line."""
        mark = self._layout.marks.get(local)
        if mark is None:
            leaf = number in self._mixed.leaves
            mark = NONE if number in self._mixed.within else LINE if leaf else self._layout.other
        self._open[-1][1].part(mark)
        if mark is not NONE:
            self._part_others()

    def _part_others(self) -> None:
        """End a line of the texts that are read elsewhere and do not go on around this place."""
        around = self._open[-1][3]
        for view in self._views.values():
            if view not in around:
                view.part(LINE)

    def _labelled(self, number: int, local: str) -> bool:
        """Tell whether an element's name says what its text is."""
        is_label = local in self._layout.marks or local in self._layout.apart
        return number in self._mixed.leaves and not is_label

    def _name(self, name: str) -> None:
        if not self._layout.names:
            return
        if name not in self._seen:
            self._seen.add(name)
            self._names.part(LINE)
            self._names.label(name)


@dataclass(frozen=True, slots=True)
class _Mixed:
    """Numbers of tags that open and close an element of nothing but text, and of those that stand
    within a text; numbers of the texts beside these.
    """

    leaves: frozenset[int]
    within: frozenset[int]
    texts: frozenset[int]


def _mixed(source: str, found: list[Token]) -> _Mixed:
    """Tell which elements hold nothing but text, and which stand between texts."""
    leaves, within, texts = set[int](), set[int](), set[int]()
    stack: list[tuple[list[int], list[int], bool]] = [([], [], False)]
    for number, token in enumerate(found):
        inner, beside, says = stack[-1]
        if token.kind in ("text", "cdata"):
            beside.append(number)
            blank = source[token.start : token.end].isspace()
            stack[-1] = inner, beside, says or not blank
        elif token.kind in ("empty", "open"):
            inner.append(number)
            if token.kind == "open":
                stack.append(([number], [], False))
        elif token.kind == "close" and len(stack) > 1:
            (opened, *inner), beside, says = stack.pop()
            stack[-1][0].append(number)
            if says and not inner:
                leaves.update((opened, number))
            elif says:
                within.update(set(inner).difference(_in_a_row(inner, found)))
                texts.update(beside)
    return _Mixed(frozenset(leaves - within), frozenset(within), frozenset(texts))


def _in_a_row(tags: list[int], found: list[Token]) -> Iterator[int]:
    """Yield the tags between adjacent elements of one name, which are lines of their own.

    Otherwise they would run together: `<line>Roth</line><line>Claim</line>`.
    """
    for close, after in pairwise(tags):
        touch = after == close + 1 and found[close].kind == "close"
        if touch and found[after].kind != "close" and found[close].name == found[after].name:
            yield from (close, after)


def _words(name: str) -> str:
    """Return a name as words: `w:firstName` → first name; masks in it stay as they are."""
    pieces = filter(None, _HUMP.split(name.rpartition(":")[2]))
    return " ".join(one if one.startswith("[") else one.lower() for one in pieces)


def _named(value: str) -> str:
    """Return what a value of an attribute says that another value is; an address stays whole."""
    return value if "@" in value else _words(value)


def _check(source: str, found: list[Token]) -> None:
    """Check that XML is well-formed, declares no entities, and holds exactly the text that was
    read.

    Raises:
        Flaw: it is not so.
    """
    parser = expat.ParserCreate("utf-8")
    texts: list[str] = []

    def refuse(*_: object) -> None:
        raise Flaw("its XML declares entities: remove the declarations")

    parser.CharacterDataHandler = texts.append
    parser.EntityDeclHandler = refuse
    parser.buffer_text = True
    try:
        parser.Parse(source.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        raise Flaw(f"broken XML at line {error.lineno}, column {error.offset + 1}") from None
    view = View(source)
    for token in found:
        if token.kind == "text":
            html.text(view, token.start, token.end, preserved=True)
        elif token.kind == "cdata":
            view.copy(token.start, token.end, "cdata")
    if "".join(view.text.split()) != "".join("".join(texts).split()):
        raise Flaw("its XML can be read in two ways: it can't be written back")


def escape(text: str, kind: str) -> str:
    """Return a text as it is written in XML."""
    if kind == "cdata":
        return text.replace("]]>", "]] >")
    return html.escape(text, kind)


def read_xml(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Source:
    """Read an XML document of an unknown vocabulary."""
    charset = kind.charset or declared_encoding(data[:HEAD])
    layout = ElementLayout(dict.fromkeys(html.vocabulary("breaks"), LINE))
    return read_markup(data, charset, partial(Xml, layout=layout), limits)


def declared_encoding(head: bytes) -> str:
    """Return the encoding that an XML declaration names, "" if it names none."""
    found = _DECLARED.search(head)
    return found[1].decode() if found else ""
