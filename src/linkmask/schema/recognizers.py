"""Reads files of recognizers and checks their form; an error names the line and the key.

A file is a TOML table whose rows say which values are found, and of what type (`recognizer_rows`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from linkmask.errors import SettingsError, suggestion, unknown_name
from linkmask.schema import Schema
from linkmask.schema.converted import with_own_types
from linkmask.schema.recognizer_rows import (
    YAML,
    OwnType,
    RecognizerRow,
    Recognizers,
    compile_error,
    faults,
)

TABLES = frozenset({"recognizer", "type", "fragments"})
"""Tables of a file that are no settings."""
EXPRESSIONS = ("pattern", "gap", "before", "not_before", "not_in", "hint", "anchor", "head")
"""Keys of a row that may hold fragments."""

R = TypeVar("R", bound=RecognizerRow)
SAVED = ".json"
"""How the file of a run ends that holds all rows and types."""


def load(paths: Iterable[str], known: Schema, beside: Collection[str] | None = None) -> Recognizers:
    """Return the rows and types of some files, in order.

    `beside`: the other keys that a file may have, those of a settings file; None: any.

    Presidio's YAML can't describe a type: one that the schema lacks is added (`with_own_types`).

    Raises:
        SettingsError: a file can't be read, or a row is wrong; the message names file, line and
            key, and says what would be right. Or a table is no table of recognizers.
    """
    rows: list[RecognizerRow] = []
    types: list[OwnType] = []
    for path in paths:
        held = read(Path(path), beside)
        if Path(path).suffix in YAML:
            try:
                held = with_own_types(held, known)
            except SettingsError as error:
                raise SettingsError(f"{path}: {error}") from None
        for row in held.rows:
            if any(one.id == row.id for one in rows):
                raise SettingsError(f"{path}: two recognizers have the id {row.id!r}: rename one")
            rows.append(row)
        types += (one for one in held.types if one not in types)
    return Recognizers(rows=tuple(rows), types=tuple(types))


def read(path: Path, beside: Collection[str] | None = None) -> Recognizers:
    """Read one file: TOML in linkmask's form, or YAML in Presidio's.

    Raises:
        SettingsError: as `load` says.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        flaw = getattr(error, "strerror", None) or "it is not UTF-8"
        raise SettingsError(f"can't read the recognizers of {path}: {flaw}") from None
    if path.suffix == SAVED:
        return msgspec.json.decode(text, type=Recognizers)
    if path.suffix in YAML:
        from linkmask.schema.presidio import rows_of

        return Recognizers(rows=tuple(rows_of(path, text)))
    file = _File(path, text, RecognizerRow)
    if beside is not None:
        file.check_tables(beside)
    return file.recognizers()


def rows(path: Path, kind: type[R], fragments: Mapping[str, str] | None = None) -> tuple[R, ...]:
    """Read the rows of a TOML file, as rows of a kind that may have more keys.

    `fragments` replace those of the file, if given. The rows are linkmask's own: their expressions
    are compiled when they are first used, which takes most of the time that reading them would.

    Raises:
        SettingsError: as `load` says.
    """
    file = _File(path, path.read_text(encoding="utf-8"), kind)
    file.fragments = file.fragments if fragments is None else fragments
    file.compiles = False
    return file.rows()


@lru_cache(maxsize=3)
def parsed(text: str) -> dict[str, Any]:
    """Return the tables of a TOML file by its text, which nobody changes.

    Raises:
        TOMLDecodeError: it is not valid TOML.
    """
    return tomllib.loads(text)


def wrong(paths: Collection[str], row: str, key: str, flaw: str) -> SettingsError:
    """Return an error about a key of a row, given by its id, that names file and line."""
    for path in map(Path, paths):
        if path.suffix == ".toml":
            text = path.read_text(encoding="utf-8")
            for number, block in enumerate(tomllib.loads(text).get("recognizer", [])):
                if block.get("id") == row:
                    return _File(path, text, RecognizerRow).wrong("recognizer", number, key, flaw)
    others = ", ".join(path for path in paths if not path.endswith(".toml"))
    return SettingsError(f"{others}: recognizer {row}: {key}: {flaw}")


class _File:
    """A file while it is checked: knows at which line a key stands."""

    def __init__(self, path: Path, text: str, kind: type[RecognizerRow]) -> None:
        self.path, self.lines, self.kind = path, text.splitlines(), kind
        try:
            self.tree = parsed(text)
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"{path} is not valid TOML: {error}") from None
        self.fragments: Any = self.tree.get("fragments", {})
        self.compiles = True

    def check_tables(self, beside: Collection[str]) -> None:
        """Refuse a table that would do nothing, such as `[[recogniser]]`."""
        for name in self.tree.keys() - TABLES - set(beside):
            flaw = f"there is no such table{suggestion(name, TABLES)}"
            raise self.wrong(name, 0, "", flaw)

    def recognizers(self) -> Recognizers:
        """Check all rows and types and return them."""
        if not isinstance(self.fragments, dict):
            raise self.wrong("fragments", 0, "", "must be a table of texts: [fragments]")
        for name, part in self.fragments.items():
            if not isinstance(part, str):
                raise self.wrong("fragments", 0, name, "must be a text, a part of an expression")
        types = tuple(
            self._made(OwnType, "type", number, block)
            for number, block in enumerate(self._blocks("type"))
        )
        for number, one in enumerate(types):
            if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,39}", one.name):
                raise self.wrong("type", number, "name", "is written in capitals: EMPLOYEE_ID")
        return Recognizers(rows=self.rows(), types=types)

    def rows(self) -> tuple[Any, ...]:
        """Check all rows and return them."""
        blocks = enumerate(self._blocks("recognizer"))
        return tuple(self._row(number, block) for number, block in blocks)

    def _blocks(self, name: str) -> list[Any]:
        blocks = self.tree.get(name, [])
        if not isinstance(blocks, list):
            raise self.wrong(name, 0, "", f"write each as a block [[{name}]]")
        return blocks

    def _made(self, kind: Any, name: str, number: int, block: Any) -> Any:
        if not isinstance(block, dict):
            raise self.wrong(name, number, "", f"write each as a block [[{name}]]")
        known = kind.__struct_fields__
        for key in block:
            if key not in known:
                raise self.wrong(name, number, key, f"there is no such key{suggestion(key, known)}")
        try:
            return msgspec.convert(block, kind)
        except msgspec.ValidationError as error:
            flaw, _, at = str(error).replace("`", "'").partition(" - at '$.")
            missing = re.search(r"missing required field '(\w+)'", flaw)
            key = missing[1] if missing else re.split(r"[\[.']", at)[0]
            if missing:
                flaw = "must be given"
            elif isinstance(block.get(key), str) and "nvalid enum value" in flaw:
                flaw = unknown_name(key, block[key], _choices(kind, key))
            raise self.wrong(name, number, key, flaw[0].lower() + flaw[1:]) from None

    def _row(self, number: int, block: Any) -> RecognizerRow:
        row: RecognizerRow = self._made(self.kind, "recognizer", number, block)

        def wrong(key: str, flaw: str) -> SettingsError:
            return self.wrong("recognizer", number, key, flaw)

        if fault := next(faults(row), None):
            raise wrong(*fault)
        if row.values_file:
            row = msgspec.structs.replace(row, values=self._values(number, row), values_file="")
        if row.pattern:
            held = (key for key in EXPRESSIONS if hasattr(row, key))
            parts = {key: self._whole(number, getattr(row, key)) for key in held}
            row = msgspec.structs.replace(row, **parts)
        if self.compiles and (flaw := compile_error(row.pattern)):
            raise wrong("pattern", flaw)
        return row

    def _values(self, number: int, row: RecognizerRow) -> tuple[str, ...]:
        path = self.path.parent / row.values_file
        try:
            lines = path.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            flaw = getattr(error, "strerror", None) or "it is not UTF-8"
            raise self.wrong(
                "recognizer", number, "values_file", f"can't read {path}: {flaw}"
            ) from None
        values = tuple(line.strip() for line in lines if re.search(r"\w", line))
        if not values:
            raise self.wrong("recognizer", number, "values_file", f"{path} holds no value")
        return values

    def _whole(self, number: int, pattern: str) -> str:
        """Put fragments in a pattern: `<name>` stands for the fragment of this name."""

        def part(match: re.Match[str]) -> str:
            name = match[1]
            if name not in self.fragments:
                raise self.wrong(
                    "recognizer", number, "pattern", unknown_name("fragment", name, self.fragments)
                )
            return f"(?:{self.fragments[name]})"

        for _ in range(8):  # fragments may hold fragments
            pattern, changed = re.subn(r"\{([a-z][\w-]*)\}", part, pattern)
            if not changed:
                return pattern
        raise self.wrong("recognizer", number, "pattern", "its fragments hold one another")

    def wrong(self, name: str, number: int, key: str, flaw: str) -> SettingsError:
        """Return an error that names the line of a key, or of the block that it belongs to."""
        where = f"{name}.{key}" if key else name
        return SettingsError(f"{self.path}, line {self._line(name, number, key)}: {where}: {flaw}")

    def _line(self, name: str, number: int, key: str) -> int:
        head = re.compile(rf"\s*\[\[?\s*{re.escape(name)}\s*\]")
        heads = [n for n, line in enumerate(self.lines) if head.match(line)]
        if number >= len(heads):
            return 1
        begin = heads[number]
        for n in range(begin + 1, len(self.lines) if key else 0):
            if re.match(r"\s*\[\[?\w", self.lines[n]):
                break
            if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", self.lines[n]):
                return n + 1
        return begin + 1


def _choices(kind: Any, key: str) -> list[str]:
    from msgspec import inspect

    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]
    field = next(one for one in fields if one.encode_name == key)
    return [str(value) for value in getattr(field.type, "values", ())]
