"""Recognizes values that a form's label names: "Home address: 9 Mill Lane", "| Member no | 4711 |".

The labels are in schema/words/fields.toml, the same table by which whole metadata fields are read.
In running text only labels of direct identifiers count, and only before a value of the right
shape, because the other recognizers know better where a diagnosis ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.lexicon.word_features import FEATURES, GIVEN, SURNAME, no_value
from linkmask.detect.structured import chat, messages
from linkmask.detect.structured.field_pairs import is_value, label_in, naming
from linkmask.detect.structured.label_types import type_by_words
from linkmask.schema import types, words
from linkmask.text.fold import lower

_LABEL = r"[ *•>-]{0,8}(?P<label>[^\W\d_][^\n:|\t]{1,38}+)\.?[ \t]{0,4}[:|]\*{0,3}[ \t]{0,8}"
_LINE = re.compile(
    rf"[\n|\t:]{_LABEL}(?P<value>[^\n|\t:]{{2}}[^\n|\t:;\r]{{0,118}}+)(?=[|\t\n\r;]|$)"
)
_COLUMN = re.compile(
    rf"[\n|\t: ](?:(?<! )|(?<=  )){_LABEL}"
    r"(?P<value>[^\n|\t:]{2,120}?)(?= {2}|[|\t\n\r;]|$)"
)
"""A label where a line or a cell begins, behind another label ("attributes: first name: Ann") or
behind two blanks (a column), and the value up to where that ends.

They begin with a plain set, which `re` skips to fast; so the text is given a line break before it.
"""

_ASIDE = re.compile(r" \((?=[^\W\d_]{2,12} )")
"""The end of an address: "9 Mill Lane (with his son)"."""
_LIST = re.compile(
    r"\"(?P<key>[^\W\d_][\w .-]{1,38})\" ?: ?\[(?P<row>\s{0,80}\"[^\[\]{}]{1,400})\]"
)
_ITEM = re.compile(r"\"(?P<item>[^\"\\\n]{1,120})\"")
"""A key of JSON with a list of texts, and these: "given": ["Anna", "Maria"]."""
_BESIDE = r"[ \t•*>{-]{0,12}[\"']?(?P<{0}>[^\W\d_][\w -]{1,24})[\"']?[ \t]?[:=][ \t]{0,4}[\"']?"
_NAMED = re.compile(
    rf"[\n:]{_BESIDE.replace('{0}', 'name')}"
    r"(?P<label>(?:https?:|urn:oid:)?[^\n\"':=]{2,60})[\"']?,?[ \t]?\r?"
    rf"(?=\n{_BESIDE.replace('{0}', 'key')}(?P<value>[^\n\"']{{2,120}}))"
)
"""Two lines, of which the first may name what the second holds: "- name: ssn", "value: 5298"."""
PAIRS = 2
"""Number of labels with names of one word from which a row of them counts."""
FORMS = words("field_forms")
KEYS: Mapping[str, Sequence[str]] = FORMS["beside"]
"""Keys that show what they hold only if the text also has another key."""
_RESOURCE = re.compile(
    r"\"resourceType\" ?: ?\"Patient\",\s{0,80}\"id\" ?: ?\"(?P<id>[\w.-]{2,64})\""
    r"|\"(?P<of>Patient/[\w.-]{2,64})\""
)
"""Where a FHIR resource is a patient, or speaks of one, its id is the patient's."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])")
_ONE = re.compile(r"[^\W\d_][^\W\d_'’-]{0,30}(?:[ '’-][^\W\d_]{1,30}){0,3}")
"""A name in a field of its own, which may be one word."""

FITS: Mapping[str, re.Pattern[str]] = {
    entity_type: re.compile(form) for entity_type, form in FORMS["fits"].items()
}
"""The form of a value by type, if a label names it; other recognizers find the other types."""


_TYPES = {label: entity_type for entity_type, labels in words("fields").items() for label in labels}


def find(text: str, scope: Scope) -> Iterator[Candidate]:
    """Yield the values in the text that a label or the form of a message names, in linear time."""
    if "\n" in text or ":" in text:
        yield from chat.find(text)
    if "\n" in text:
        yield from chat.writers(text)
        if text.count("\n") >= 2 * STACK:
            yield from _stacked(text)
    if "*" in text and "NM1*" in text:
        yield from messages.x12(text)
    if "+" in text and ("NAD+" in text or "PNA+" in text):
        yield from messages.edifact(text)
    yield from _paired(text)
    if ":" not in text and "|" not in text:
        return
    if "|" in text:
        yield from messages.find(text)
    if "\n" in text:
        yield from _named(text)
    lines = _COLUMN if "  " in text else _LINE
    single: list[Candidate] = []  # names of one word: a row of them is believed
    for line in lines.finditer("\n" + text):
        entity_type = type_of(line["label"])
        start, value = line.start("value") - 1, line["value"].rstrip()
        if entity_type == types.ADDRESS:
            value = _ASIDE.split(value, maxsplit=1)[0]
        if _holds(entity_type, value):
            one = Candidate(start, start + len(value), entity_type, "fields", "label", 0.85)
            if FITS[entity_type].fullmatch(value):
                yield one
            elif not value.islower():
                single.append(one)
    if len({text[one.start : one.end] for one in single}) >= PAIRS:
        yield from single


def _named(text: str) -> Iterator[Candidate]:
    """Yield the values that the line above names."""
    for pair in _NAMED.finditer("\n" + text):
        value = pair["value"].rstrip(" \t,;})]")
        fits = naming(pair["name"]) is not None and is_value(pair["key"])
        if fits and _holds(entity_type := type_of(label_in(pair["label"])), value):
            start = pair.start("value") - 1
            yield _pair((start, start + len(value)), entity_type)


def _no_name(value: str) -> bool:
    """Tell whether the text after a label is no name: it is empty, or the next label of a table.

    "First name | Last name" is the head of two columns. A single word that is a listed name, too,
    is a name: "Last name | Driver".
    """
    if no_value(value):
        return True
    listed = FEATURES[value] & (GIVEN | SURNAME)
    return type_of(value) == types.NAME and (" " in value or not listed)


STACK = 3
"""Labels above values that make a text a form."""
_HINT = r"(?: ?\([^()\n]{0,40}\)|[ *:?]{1,4})"
"""What follows a label in a form: "Date of birth (MM/DD/YYYY) *"."""
_HINTS = re.compile(rf"{_HINT}{{1,4}}$")
_LABEL_LINE = re.compile(
    r"\n[ \t]{0,4}(?P<label>[^\W\d_]"
    r"(?:[^\n\r\t|(*:?]|[(*:](?=(?:e|es|s|r|n|in|innen)(?!\w))){1,60}+)"
    rf"{_HINT}{{0,4}}+(?=\r?\n[ \t]{{0,4}}\S)"
)
"""A line that may be a label. It begins with a line break, which `re` skips to fast."""
_VALUE_LINE = re.compile(r"\r?\n[ \t]{0,4}(?P<value>[^\n\r]{1,120})")


def _stacked(text: str) -> Iterator[Candidate]:
    """Yield the values of a form that was copied as text: each stands below its label."""
    found: list[Candidate] = []
    for line in _LABEL_LINE.finditer("\n" + text):
        entity_type = type_of(line["label"])
        value = _VALUE_LINE.match(text, line.end() - 1) if entity_type in FITS else None
        if not value or type_of(_HINTS.sub("", value["value"])):
            continue
        cell = value["value"].rstrip()
        if _holds(entity_type, cell):
            start = value.start("value")
            found.append(Candidate(start, start + len(cell), entity_type, "fields", "label", 0.85))
    if len(found) >= STACK:
        yield from found


class _PairForm(NamedTuple):
    """A way to write a key and its value: a row of `field_forms.toml`."""

    near: Sequence[str]
    pattern: re.Pattern[str]
    keys: Mapping[str, str]
    least: int


_PAIRS = [
    _PairForm(one["near"], re.compile(one["pattern"]), one.get("keys", {}), one.get("least", 1))
    for one in FORMS["pair"]
]


def _paired(text: str) -> Iterator[Candidate]:
    """Yield the values that a key of JSON, a tag of XML or a key in a log names."""
    for form in _PAIRS:
        if any(piece in text for piece in form.near):
            found = [
                _pair(pair.span("value"), entity_type)
                for pair in form.pattern.finditer(text)
                if (entity_type := _keyed(pair["key"], text) or form.keys.get(lower(pair["key"])))
                and _holds(entity_type, pair["value"])
            ]
            yield from found if len(found) >= form.least else ()
    if '"' in text and "[" in text:
        yield from _listed(text)
    for resource in _RESOURCE.finditer(text) if "Patient" in text else ():
        span = resource.span("id" if resource["id"] else "of")
        yield Candidate(*span, types.PATIENT_ID, "fields", "resource", 0.95)


def _pair(span: tuple[int, int], entity_type: str) -> Candidate:
    return Candidate(*span, entity_type, "fields", "pair", 0.85)


def _listed(text: str) -> Iterator[Candidate]:
    """Yield the texts of a JSON list; lines of an address as one if one looks like one."""
    for row in _LIST.finditer(text):
        entity_type = _keyed(row["key"], text)
        items = list(_ITEM.finditer(text, *row.span("row"))) if entity_type in FITS else []
        fit = [_holds(entity_type, item["item"]) for item in items]
        for item, fits in zip(items, fit, strict=True):
            if fits or (entity_type == types.ADDRESS and any(fit)):
                yield _pair(item.span("item"), entity_type)


def _keyed(key: str, text: str) -> str:
    """Return the type that a key of JSON or XML names: "lastName", "family" beside "given"."""
    label = _HUMP.sub(" ", key)
    if known := type_of(label):
        return known
    entity_type, beside = KEYS.get(lower(label), ("", ""))
    return entity_type if entity_type and (f'"{beside}"' in text or f"<{beside}" in text) else ""


def _holds(entity_type: str, value: str) -> bool:
    """Does a value behind such a key look like its type?"""
    fits = FITS.get(entity_type)
    if not fits or (entity_type == types.NAME and _no_name(value)):
        return False
    return bool(fits.fullmatch(value) or (entity_type == types.NAME and _ONE.fullmatch(value)))


_ENDINGS = re.compile(r"(?<=\w)(?:\((?:e|es|s|r|n|in|innen)\)|[*:·.](?:e|es|in|innen)(?!\w))")
"""Endings for women, men or many: Né(e), Assuré·e, Versicherte(r)."""


@lru_cache(maxsize=1 << 12)
def type_of(label: str) -> str:
    """Return the entity type that a label or one side of its slash names, "" if it names none."""
    return listed_type(label) or type_by_words(_ENDINGS.sub("", lower(label)))


def listed_type(label: str) -> str:
    """Return the type of a label of the table, or of one side of its slash."""
    whole = _ENDINGS.sub("", lower(label))
    for part in (whole, *whole.split("/")):
        if entity_type := _TYPES.get(" ".join(re.split(r"[\W_]+", part)).strip()):
            return entity_type
    return ""


def fits_label(label: str, value: str) -> bool:
    """Tell whether the whole value of a field can be of the type that its label names.

    A label that stands in the table is trusted; what its words name together must look like it.
    """
    entity_type = type_of(label)
    if not entity_type or listed_type(label):
        return bool(entity_type)
    return _holds(entity_type, value)


def is_label(text: str) -> bool:
    """Tell whether a text is a label and nobody's name: "SSN", "Member ID"."""
    return bool(type_of(text)) and not FEATURES[text] & (GIVEN | SURNAME)
