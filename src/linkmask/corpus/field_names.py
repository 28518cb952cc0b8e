"""Checks that some record has each field that settings name; otherwise the name is mistyped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.config.paths import field_in_settings, leads_to
from linkmask.corpus.fields import Record, shape_of
from linkmask.corpus.files import File
from linkmask.corpus.formats import FORMATS
from linkmask.corpus.read import Corpus
from linkmask.errors import InputError
from linkmask.records import RECORD, Document, child_path

NO_NAMES = "The fields do not look like names: is the first row a header?"
BESIDE_TEXT = frozenset({"attributes", "names", "scripts"})
"""Fields of pages and of office documents that can be excluded; their others are running text."""
NAME = re.compile(r"[^\W\d][\w .()/\[\]#-]{0,59}")
"""Form of a field's name; a first row without it is data."""


def check_fields(corpus: Corpus) -> None:
    """Check that some record of a corpus has each field that settings name.

    Records are read until each name is found. A default name may be missing.

    Raises:
        InputError: a name was met in no record, or a field that holds the text is excluded.
    """
    settings, files = corpus.settings, corpus.files().values()
    kinds = {file.kind for file in files}
    rows = {kind for kind in kinds if hasattr(FORMATS[kind].reader, "records")}
    tables = [file for file in files if file.kind in rows]
    others = [file for file in files if file.kind not in rows]
    excluded = settings.exclude_fields
    for text in _texts_by_place(others, settings) if excluded else ():
        for one in excluded:
            if leads_to(one, text):
                raise InputError(_excluded_text_message(one, text))
    there = BESIDE_TEXT if kinds - rows - {"text"} else frozenset[str]()
    left = tuple(one for one in excluded if one not in there)
    asked = msgspec.structs.replace(settings, exclude_fields=left)
    check_records(_records(tables, settings), asked)
    if others and left and not tables:
        raise InputError(f"no document has the field {left[0]!r} (--exclude-field)")


def check_records(records: Iterable[Mapping[str, Any]], settings: Settings) -> None:
    """Check that some record has each field that settings name.

    Raises:
        InputError: a name was met in no record, or a field that holds the text is excluded.
    """
    usual, shape = shape_of(Settings()), shape_of(settings)
    missing = dict.fromkeys(shape.texts, "text") if shape.named else {}
    missing |= {shape.id: "id"} if shape.id != usual.id else {}
    missing |= {shape.metadata: "metadata"} if shape.metadata != usual.metadata else {}
    missing |= dict.fromkeys(shape.exclude, "exclude")
    there: dict[str, None] = {}
    for record in records if missing else ():
        names = [*dict.fromkeys(field_in_settings(name, "") for name in _names(record))]
        there |= dict.fromkeys(names)
        for one, text in product(shape.exclude, shape.texts):
            if text in names and leads_to(one, text):
                raise InputError(_excluded_text_message(one, text))
        missing = {
            one: kind
            for one, kind in missing.items()
            if not (one in names or (kind == "exclude" and any(leads_to(one, n) for n in names)))
        }
        if not missing:
            return
    for one, kind in missing.items() if there else ():
        raise InputError(_unknown_field_message(one, kind, there))


def _records(files: Iterable[File], settings: Settings) -> Iterator[Mapping[str, Any]]:
    for file in files:
        with suppress(Exception):  # reading says what is broken
            for _, found in FORMATS[file.kind].reader.records(file, settings):
                if isinstance(found, Record):
                    yield found.values


def _texts_by_place(files: Iterable[File], settings: Settings) -> Iterator[str]:
    """Yield the fields of running text of files that hold no records, such as web pages."""
    for file in files:
        reader = FORMATS[file.kind].reader
        with suppress(Exception):  # reading says what is broken
            for document in reader.documents(file, settings):
                if isinstance(document, Document):
                    yield from (field_in_settings(name, "") or name for name in document.texts)


def _names(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the path of each key of a record, and of what lists hold."""
    yield from (child_path(RECORD, key) for key in record)
    yield from (name for name, _ in Document("", "", others=record).leaves())


def _excluded_text_message(name: str, text: str) -> str:
    return f"the field {text!r} is read as text, so --exclude-field {name} can't leave it out"


def _unknown_field_message(name: str, kind: str, there: Iterable[str]) -> str:
    """Say that no record has a field; the names there are may be values, and are not shown."""
    hint = ": check how it is spelled" if all(map(NAME.fullmatch, there)) else ". " + NO_NAMES
    return f"no record has the field {name!r} (--{kind}-field){hint}"
