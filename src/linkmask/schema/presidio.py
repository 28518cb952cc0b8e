"""Reads recognizers in Presidio's YAML (its no-code recognizers) as rows of linkmask's form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from linkmask.errors import MissingExtra, SettingsError, suggestion
from linkmask.schema.recognizer_rows import YAML, RecognizerRow, compile_error, faults

WEAK = 0.5
"""A pattern with a lower score counts only with one of its context words in the sentence: Presidio
reports it all the same, and leaves it to a threshold."""
FLAGS = 26
"""Presidio's usual flags: DOTALL, MULTILINE and IGNORECASE."""
KEYS = frozenset(
    "name type enabled supported_entity supported_language supported_languages patterns deny_list "
    "deny_list_score context class_name supported_entities country_code".split()
)


def rows_of(path: Path, text: str) -> list[RecognizerRow]:
    """Return the rows of a file.

    Recognizers that Presidio ships (`type: predefined`) are left out: linkmask has its own.

    Raises:
        MissingExtra: PyYAML is not installed.
        SettingsError: the file is no YAML, or a recognizer is wrong; the message names it.
    """
    given, flags = _given(path, text)
    rows: list[RecognizerRow] = []
    for number, one in enumerate(given, 1):
        if isinstance(one, dict) and one.get("enabled", True) and "patterns" not in one:
            if "deny_list" in one:
                rows += _rows(path, number, one, flags)
        elif isinstance(one, dict) and one.get("enabled", True):
            rows += _rows(path, number, one, flags)
    if not rows:
        raise SettingsError(f"{path}: no recognizer of it has patterns or a deny_list")
    return rows


def shipped_names(path: Path) -> list[str]:
    """Return the names of the recognizers in a file that Presidio ships and `rows_of` leaves out.

    A file of another form names none.
    """
    if path.suffix not in YAML:
        return []
    given, _ = _given(path, path.read_text(encoding="utf-8"))
    named = (one if isinstance(one, dict) else {"name": one} for one in given)
    return [
        str(one.get("name"))
        for one in named
        if one.get("enabled", True) and not {"patterns", "deny_list"} & one.keys()
    ]


def _given(path: Path, text: str) -> tuple[list[Any], int]:
    """Return the recognizers of a file as it lists them, and the flags of its patterns."""
    try:
        import yaml
    except ImportError:
        raise MissingExtra(
            f"{path} is YAML: pip install 'linkmask[yaml]', or write the recognizers as TOML"
        ) from None
    try:
        tree = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it can't be read"
        raise SettingsError(f"{path}{where} is not valid YAML: {problem}") from None
    given = tree.get("recognizers") if isinstance(tree, dict) else tree
    if not isinstance(given, list):
        raise SettingsError(f"{path}: must hold a list 'recognizers', as Presidio's files do")
    return given, tree.get("global_regex_flags", FLAGS) if isinstance(tree, dict) else FLAGS


def _rows(path: Path, number: int, one: Mapping[str, Any], flags: int) -> Iterator[RecognizerRow]:
    """Yield the rows of a recognizer.

    Raises:
        SettingsError: one is wrong; the message names the recognizer.
    """
    name = str(one.get("name") or one.get("supported_entity") or number)
    where = f"{path}: recognizer {name!r}"
    for key in sorted(one.keys() - KEYS, key=str):
        raise SettingsError(f"{where}: there is no such key {key!r}{suggestion(str(key), KEYS)}")
    if not isinstance(one.get("supported_entity"), str):
        raise SettingsError(f"{where}: supported_entity must be given")
    for plain in _plain_rows(where, name, one, flags):
        try:
            row = msgspec.convert(plain, RecognizerRow)
        except msgspec.ValidationError as error:
            raise SettingsError(f"{where}: {error}") from None
        for key, problem in faults(row):
            raise SettingsError(f"{where}: {key}: {problem}")
        if problem := compile_error(row.pattern):
            raise SettingsError(f"{where}: regex: {problem}")
        yield row


def _plain_rows(
    where: str, name: str, one: Mapping[str, Any], flags: int
) -> Iterator[dict[str, Any]]:
    """Yield a row for each pattern of a recognizer and language, and one for its deny list."""
    for part, (language, context) in enumerate(_languages(where, one)):
        base: dict[str, Any] = {
            "type": one["supported_entity"],
            "languages": [language] if language else [],
        }
        end = f"-{language}" if part else ""
        for place, pattern in enumerate(_list(where, one, "patterns"), 1):
            if not isinstance(pattern, dict) or not isinstance(pattern.get("regex"), str):
                raise SettingsError(f"{where}: each of its patterns needs a regex")
            score = pattern.get("score", 0)
            if not isinstance(score, int | float):
                raise SettingsError(f"{where}: the score of a pattern must be a number")
            weak = score < WEAK and context
            yield base | {
                "id": _id(f"{name}-{place}{end}"),
                "pattern": f"(?{letters(flags)}:{pattern['regex']})",
                "triggers": context if weak else [],
                "reach": "sentence",
            }
        if listed := _list(where, one, "deny_list"):
            yield base | {
                "id": _id(f"{name}-list{end}"),
                "values": [str(value) for value in listed],
            }


def _languages(where: str, one: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield each language of a recognizer, "" for any, with its context words."""
    context = [str(word) for word in _list(where, one, "context")]
    given = _list(where, one, "supported_languages") or [one.get("supported_language") or ""]
    for language in given:
        if isinstance(language, dict):
            words = [str(word) for word in language.get("context") or context]
            yield str(language.get("language", "")), words
        else:
            yield str(language), context


def _list(where: str, one: Mapping[str, Any], key: str) -> list[Any]:
    value = one.get(key) or []
    if not isinstance(value, list):
        raise SettingsError(f"{where}: {key} must be a list")
    return value


def letters(flags: int) -> str:
    """Return flags of `re` as they are written in an expression."""
    return "".join(letter for bit, letter in ((2, "i"), (8, "m"), (16, "s")) if flags & bit)


def _id(name: str) -> str:
    """Return a name as an id: letters, digits, hyphens and points."""
    return "".join(c if c.isalnum() or c in "_.-" else "-" for c in name).strip("-.")[:80]
