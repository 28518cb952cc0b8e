"""Writes recognizers as TOML in linkmask's form, whatever form they were read in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from linkmask.errors import SettingsError
from linkmask.schema import Schema
from linkmask.schema.recognizer_rows import OwnType, RecognizerRow, Recognizers

_FRAGMENT = re.compile(r"(?<!\\)((?:\\\\)*)(\\?)\{(?=[a-z][\w-]*\})")
"""A brace that our form would take for the name of a fragment, perhaps behind a backslash."""


def with_own_types(recognizers: Recognizers, types: Schema) -> Recognizers:
    """Add an entity type for each name that the schema does not know.

    Such a type is masked whatever the risk: whoever wrote a recognizer for it wants it gone.

    Raises:
        SettingsError: a name can't be that of a type.
    """
    known = {one.name for one in recognizers.types}
    missing = {row.type for row in recognizers.rows if row.type and types.type_of(row.type) is None}
    for name in sorted(missing - known):
        if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,39}", name):
            raise SettingsError(f"{name!r} can't be a type: write it in capitals (EMPLOYEE_ID)")
    added = [
        OwnType(name=name, weight=1.0, group="direct", floor=True)
        for name in sorted(missing - known)
    ]
    return msgspec.structs.replace(recognizers, types=(*recognizers.types, *added))


def toml_of(recognizers: Recognizers, comments: Iterable[str] = ()) -> str:
    """Return the TOML of types and rows; keys that have their default are left out."""
    blocks = ["\n".join(f"# {line}" for line in comments)]
    blocks += ["\n".join(_block("type", one)) for one in recognizers.types]
    blocks += ["\n".join(_block("recognizer", _escaped(row))) for row in recognizers.rows]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _block(name: str, one: msgspec.Struct) -> Iterator[str]:
    yield f"[[{name}]]"
    for field in msgspec.structs.fields(type(one)):
        value = getattr(one, field.name)
        if value != field.default:
            yield f"{field.name} = {_value(value)}"


def _value(value: Any) -> str:
    """Return a value as TOML writes it; a text without quotes and line ends as it is."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str) and "\\" in value and re.fullmatch(r"[^'\x00-\x1f\x7f]*", value):
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _escaped(row: RecognizerRow) -> RecognizerRow:
    """Return a row whose pattern names no fragment: `{x}` is written with the brace's code."""
    if not row.pattern:
        return row
    return msgspec.structs.replace(row, pattern=_FRAGMENT.sub(r"\1\\x7b", row.pattern))
