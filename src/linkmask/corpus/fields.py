"""Makes documents of records and back: which field is text, id, metadata, or excluded.

A field is named in settings as people spell it, from the record's own keys: "reporter",
"patient.name", "messages[].content". `field_in_settings` brings the field names of documents to
that form.
"""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from linkmask.config import Settings
from linkmask.config.paths import field_in_settings, leads_to
from linkmask.corpus.files import File, Flaw, no_text, set_aside_row
from linkmask.records import (
    Document,
    Masked,
    Origin,
    SetAside,
)
from linkmask.records.paths import LEAF

AS_TEXT = (datetime.date, datetime.time, datetime.timedelta, decimal.Decimal, uuid.UUID)
"""Kinds of values that are read as they are printed."""


NESTED = (dict, list, tuple, Mapping)
OBJECTS = (dict, Mapping)
DEEPEST = 100
"""Largest number of levels of lists and objects in a record, below Python's recursion limit."""
USUAL_TEXT_FIELD = "content"
"""The text field if none is named. A record without this field is read by all of its values."""
FEWEST_BLANKS = 6
"""A value of such a record with this many blanks is running text; others are read by their key."""
TOO_DEEP = f"nested too deeply: more than {DEEPEST} levels of lists and objects"


def nested_too_deeply(value: Any) -> bool:
    """Tell whether a value holds lists and objects on more than `DEEPEST` levels."""
    level = [value] if isinstance(value, NESTED) else []
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for held in level:
            inner += held if isinstance(held, list | tuple) else held.values()
        level = [one for one in inner if type(one) not in LEAF and isinstance(one, NESTED)]
        if not level:
            return False
    return True


class Record(NamedTuple):
    """One record: its values by field, and the part that the writer needs (`Document.record`)."""

    values: Mapping[str, Any]
    kept: Mapping[str, Any]


class Parts(NamedTuple):
    """The values of a record by what they are to a document; `lone`: one field is the text."""

    id: Any
    content: Any
    metadata: Mapping[str, Any]
    others: Mapping[str, Any]
    lone: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """Which fields of a record are its texts, its id and its metadata, and which are excluded.

    `named`: whether settings name the texts. `longest` is the number of characters from which on a
    document is set aside.
    """

    texts: tuple[str, ...]
    named: bool
    id: str
    metadata: str
    exclude: tuple[str, ...]
    longest: int

    def document(self, record: Record, place: str, origin: Origin) -> Document:
        """Make a document of a record; without an id of its own it is named by its place.

        Raises:
            Flaw: its id is no id, it has no text, it is too long or nested too deeply.
        """
        if nested_too_deeply(record.values):
            raise Flaw(TOO_DEEP)
        given, content, metadata, others, lone = self.parts(record.values)
        if isinstance(given, bool) or not isinstance(given, str | int | None):
            raise Flaw(f"the field {self.id!r} is neither text nor a whole number")
        name = place if given is None or given == "" else str(given)
        if not isinstance(content, str):
            raise Flaw(f"the field {self.texts[0]!r} is {kind_of(content)}, not text")
        document = Document(name, content, metadata, origin, record.kept, others)
        if not lone:
            document = replace(document, texts=self._texts(document))
        if sum(len(text) for _, text in document.every_field()) > self.longest:
            raise Flaw("longer than max_characters: raise it, or split the text")
        return self.excluding(document)

    def parts(self, values: Mapping[str, Any]) -> Parts:
        """Return the values of a record by what they are to a document, unchecked."""
        others = dict(values)
        given, metadata = others.pop(self.id, None), {}
        if isinstance(others.get(self.metadata), OBJECTS):
            metadata = others.pop(self.metadata)
        lone = len(self.texts) == 1 and self.texts[0] in others
        return Parts(given, others.pop(self.texts[0]) if lone else "", metadata, others, lone)

    def _texts(self, document: Document) -> tuple[str, ...]:
        """Return the names of the fields that hold a text by one of the paths.

        Where nothing was named and the usual field is missing, they are all that are long enough
        and not excluded.
        """
        texts = {name: value for name, value in document.leaves() if isinstance(value, str)}
        named = tuple(n for n in texts if field_in_settings(n, self.metadata) in self.texts)
        if named:
            return named
        if self.named:
            raise Flaw(no_text("field", self.texts))
        long = (name for name, value in texts.items() if value.count(" ") >= FEWEST_BLANKS)
        return tuple(name for name in long if not self._excludes(name))

    def excluding(self, document: Document) -> Document:
        """Return the document with the fields marked that settings exclude.

        A name excludes every field whose path contains its keys, one after another.
        """
        if not self.exclude:
            return document
        excluded = frozenset(
            name
            for name, _ in document.leaves()
            if name not in document.texts and self._excludes(name)
        )
        return replace(document, excluded=excluded) if excluded else document

    def _excludes(self, name: str) -> bool:
        path = field_in_settings(name, self.metadata)
        return any(leads_to(one, path) for one in self.exclude)


def shape_of(settings: Settings) -> Shape:
    """Return what settings say about the fields of a record."""
    given = settings.text_field
    return Shape(
        (given,) if isinstance(given, str) else given or (USUAL_TEXT_FIELD,),
        bool(given),
        settings.id_field,
        settings.metadata_field,
        tuple(settings.exclude_fields),
        settings.max_characters,
    )


def documents(
    records: Iterable[tuple[int, Record | Flaw]], file: File, settings: Settings
) -> Iterator[Document | SetAside]:
    """Yield the documents of a file's numbered records, and what can't be one with its reason."""
    shape = shape_of(settings)
    for row, found in records:
        place = place_of(file, row)
        try:
            if isinstance(found, Flaw):
                raise found
            yield shape.document(found, place, Origin(file.name, row))
        except Flaw as flaw:
            yield set_aside_row(file.name, str(flaw), row, place)


def place_of(file: File, row: int) -> str:
    """Name a document that has no id: by its file, or by its number in a file of several."""
    if row < 0:
        return file.name
    if file.kind == "json":  # the objects of a list are counted from 1
        return f"{file.name}:{row}" if row else file.name.rsplit(".", 1)[0]
    return f"{file.name}:{row + 1}"


def changed_fields(masked: Masked, settings: Settings) -> dict[str, Any]:
    """Return the fields of a record that masking changed, by their own name, with new values."""
    old, new = masked.original, masked.written
    if new is old:
        return {}
    found: dict[str, Any] = {}
    if new.others is not old.others:
        both = zip(old.others.items(), new.others.values(), strict=True)
        found = {name: after for (name, before), after in both if after is not before != after}
    if new.metadata is not old.metadata and new.metadata != old.metadata:
        found[settings.metadata_field] = new.metadata
    if new.content != old.content:
        found[shape_of(settings).texts[0]] = new.content
    return found


def kind_of(value: Any) -> str:
    """Say what kind of JSON value it is."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    kinds = {str: "text", Mapping: "an object", list: "a list", tuple: "a list"}
    return next((name for kind, name in kinds.items() if isinstance(value, kind)), "a number")


def as_json_value(value: Any) -> Any:
    """Return a value of Python as one of JSON: dates, decimals and the like as text.

    Raises:
        Flaw: it is of a kind that can't be read, and so can't be masked.
    """
    if isinstance(value, Mapping):
        named = {str(key): as_json_value(inner) for key, inner in value.items()}
        if len(named) < len(value):
            raise Flaw("two of its keys are the same as text, as 5 and '5' are: rename one")
        return named
    if isinstance(value, list | tuple):
        return [as_json_value(inner) for inner in value]
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, AS_TEXT):
        return str(value)
    if hasattr(value, "item") and getattr(value, "shape", None) == ():  # a scalar of NumPy
        return as_json_value(value.item())
    raise Flaw(f"it holds a value of type {type(value).__name__}, which can't be read")
