"""Recognizes values that a form's label names: "Home address: 9 Mill Lane", "| Member no | 4711 |".

The labels are in schema/words/fields.toml, the same table by which whole metadata fields are read.
In running text only labels of direct identifiers count, and only before a value of the right
shape, because the other recognizers know better where a diagnosis ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.lexicon.name_words import is_common_word, may_be_in_name
from linkmask.detect.lexicon.word_features import FEATURES, GIVEN, PARTICLE, SURNAME, no_value
from linkmask.detect.structured import chat, messages
from linkmask.detect.structured.field_pairs import is_value, label_in, naming
from linkmask.detect.structured.label_types import is_deed, names_user, type_by_words
from linkmask.detect.structured.user_names import user_in
from linkmask.schema import expanded, expression, types, words
from linkmask.text.fold import lower

_ASIDE = re.compile(r" \((?=[^\W\d_]{2,12} )")
"""The end of an address: "9 Mill Lane (with his son)"."""
_HINTS = re.compile(rf"{expression('fields_hint')}{{1,4}}$")
"""What follows a label in a form: "Date of birth (MM/DD/YYYY) *"."""
FORMS = words("field_forms")
KEYS: Mapping[str, Sequence[str]] = FORMS["beside"]
"""Keys that show what they hold only if the text also has another key."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])")
PERSONS = frozenset(words("columns")["persons"])
"""Heads of columns that hold persons; in a transcript they stand before what these say."""
OF_THINGS = frozenset(words("columns")["of_things"])
"""Heads of columns that things have, too."""
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
    if "*" in text and "NM1*" in text:
        yield from messages.x12(text)
    if "+" in text and ("NAD+" in text or "PNA+" in text):
        yield from messages.edifact(text)
    if "|" in text:
        yield from messages.find(text)
    yield from _labelled(text)


# ── labels and values ─────────────────────────────────────────────────────────────────────────


class LabelForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A way to write a label and its value: a row of `field_forms.toml`, which says what is what.

    The text is given a line break before it, so that its begin is like that of other lines.
    """

    pattern: str
    near: Sequence[str] = ("",)
    without: Sequence[str] = ()
    read: str = "key"
    item: str = ""
    least: int = 1
    alone: int = 1
    keys: Mapping[str, str] = {}


_FORMS = msgspec.convert(FORMS["pair"], list[LabelForm])
PATTERNS = [re.compile(expanded(form.pattern)) for form in _FORMS]
Found = Iterator[tuple[str, int, int]]
"""Type, start and end of values in a text with a line break before it; `USER`: see `user_in`."""
USER = "user"


def _labelled(text: str) -> Iterator[Candidate]:
    """Yield the values that a label names, in each way to write the two."""
    lines = "\n" + text
    for form, pattern in zip(_FORMS, PATTERNS, strict=True):
        near, without = (any(map(text.__contains__, of)) for of in (form.near, form.without))
        if without or not near:
            continue
        read = _READERS[form.read]
        pairs = [(pair, of) for pair in pattern.finditer(lines) if (of := list(read(pair, form)))]
        found = [one for _, of in pairs for one in of]
        if form.alone > 1:
            found = _without_lone(lines, found, form.alone)
        keys = {pair["key"] for pair, _ in pairs} if form.read == "key" else found
        for kind, start, end in found if len(keys) >= form.least else ():
            if kind == USER:
                yield from user_in(text, start - 1, end - 1)
            else:
                yield Candidate(start - 1, end - 1, kind, "fields", "label", 0.85)


def _without_lone(
    lines: str, found: Sequence[tuple[str, int, int]], least: int
) -> list[tuple[str, int, int]]:
    """Return the finds without lone names; if there are `least`, those with capitals stay."""
    lone = {one for one in found if not FITS[one[0]].fullmatch(lines, *one[1:])}
    cased = {one for one in lone if not lines[one[1] : one[2]].islower()}
    row = len({lines[start:end] for _, start, end in cased}) >= least
    return [one for one in found if one not in lone or (row and one in cased)]


def _value(kind: str, pair: re.Match[str], value: str) -> Found:
    """Yield the first characters of a value, if they look like its type."""
    if _holds(kind, value):
        start = pair.start("value")
        yield kind, start, start + len(value)


def _in_line(pair: re.Match[str], form: LabelForm) -> Found:
    kind, value = type_of(pair["label"]), pair["value"].rstrip()
    if not kind and lower(pair["label"]) in PERSONS and _is_name(name := value.rstrip(".")):
        kind, value = types.NAME, name
    if kind == types.ADDRESS:
        value = _ASIDE.split(value, maxsplit=1)[0]
    elif kind == types.NAME:
        value = _without_prose(value)
    return _value(kind, pair, value)


def _without_prose(name: str) -> str:
    """Return a name of two capitals without words of prose behind it: "Ann Roe called"."""
    words = name.split(" ")
    size = max((n for n, word in enumerate(words, 1) if not word.islower()), default=0)
    behind = words[size:]
    prose = size > 1 and all(is_common_word(word.rstrip(".,;")) for word in behind)
    return " ".join(words[:size]).rstrip(",") if prose else name


def _quoted(pair: re.Match[str], form: LabelForm) -> Found:
    """Yield a quoted name behind a word for a person (patient 'Ann Roth'); one word is listed."""
    value = pair["value"]
    named = value.istitle() if " " in value else FEATURES[value] & (GIVEN | SURNAME)
    if named and lower(pair["label"]) in PERSONS - OF_THINGS:
        yield from _value(types.NAME, pair, value)


def _is_name(value: str) -> bool:
    """Tell whether a whole value may be a name: not "Great news", and no two sentences.

    Of three words and more, some may be words of prose: "jose ribamar da conceicao neto".
    """
    words = value.split()
    if any(len(word) > 2 and word[-1] in ".!?;:" for word in words):
        return False
    named = [may_be_in_name(word) for word in words if not FEATURES[word] & PARTICLE]
    return all(named) or (len(named) > 2 and named[0] and sum(named) >= len(named) / 2)


def _below(pair: re.Match[str], form: LabelForm) -> Found:
    """Yield what stands below a label, if it is no label itself."""
    if not type_of(_HINTS.sub("", pair["value"])):
        yield from _value(type_of(pair["label"]), pair, pair["value"].rstrip())


def _named(pair: re.Match[str], form: LabelForm) -> Found:
    """Yield the value that the line above names."""
    if naming(pair["name"]) is not None and is_value(pair["key"]):
        value = pair["value"].rstrip(" \t,;})]")
        yield from _value(type_of(label_in(pair["label"])), pair, value)


def _behind_key(pair: re.Match[str], form: LabelForm) -> Found:
    kind = _keyed(pair["key"], pair.string) or form.keys.get(lower(pair["key"]), "")
    return _value(kind, pair, pair["value"])


def _items(pair: re.Match[str], form: LabelForm) -> Found:
    """Yield the texts of a JSON list; lines of an address all if one looks like one."""
    kind = _keyed(pair["key"], pair.string) or form.keys.get(lower(pair["key"]), "")
    spans = _spans_of_items(pair, form, "value") if kind in FITS else []
    fits = [_holds(kind, pair.string[start:end]) for start, end in spans]
    for span, fit in zip(spans, fits, strict=True):
        if fit or (kind == types.ADDRESS and any(fits)):
            yield kind, *span


def _spans_of_items(pair: re.Match[str], form: LabelForm, group: str) -> list[tuple[int, int]]:
    items = re.compile(form.item).finditer(pair.string, *pair.span(group))
    return [item.span("value") for item in items]


def _if(says: Callable[[re.Match[str]], bool], kind: str) -> Callable[..., Found]:
    """Return what yields the value as of a type if its label or what stands before it says so."""
    return lambda pair, form: iter([(kind, *pair.span("value"))] if says(pair) else [])


def _of_users(pair: re.Match[str], form: LabelForm) -> Found:
    if names_user(pair["label"], many=True):
        group = "value" if pair["value"] else "lines"
        yield from ((USER, *span) for span in _spans_of_items(pair, form, group))


def _is_handle(pair: re.Match[str]) -> bool:
    return names_user(pair["label"]) and chat.is_self_chosen(pair["value"])


_READERS: Mapping[str, Callable[[re.Match[str], LabelForm], Found]] = {
    "line": _in_line,
    "quoted": _quoted,
    "below": _below,
    "named": _named,
    "key": _behind_key,
    "items": _items,
    "user": _if(lambda pair: names_user(pair["label"] or pair["key"]), USER),
    "users": _of_users,
    "deed": _if(lambda pair: is_deed(pair["deed"]), USER),
    "handle": _if(_is_handle, types.NAME),
}
"""What the label of each form says of the value, by `read`."""


def _no_name(value: str) -> bool:
    """Tell whether the text after a label is no name: it is empty, or the next label of a table.

    "First name | Last name" is the head of two columns. A single word that is a listed name, too,
    is a name: "Last name | Driver".
    """
    if no_value(value):
        return True
    listed = FEATURES[value] & (GIVEN | SURNAME)
    return type_of(value) == types.NAME and (" " in value or not listed)


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
