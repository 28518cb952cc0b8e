"""Makes parts of expressions from the word lists of `schema/words`, for the shipped rows.

In the table `[fragments]` a text is a part of an expression. A table stands for an `expression` of
expressions.toml, or for the words of a list, given as `file.key` or `file.table.key`: `words`
matches each as a word in any letter case; `any` does so in the list's order; `ends` tests whether
the characters before end with one of them. `least` and `most` limit the number of letters of the
words that are used; with `open`, another letter may follow a match.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from linkmask import schema
from linkmask.detect.recognizers.rule import NO_LETTER, pieces, words

LIST = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)+)\}")
"""A list of words within a literal: " {streets.en}"."""


def fragments(*paths: Path) -> dict[str, str]:
    """Return name → part of an expression, of the tables `[fragments]` of some files."""
    made: dict[str, str] = {}
    for path in paths:
        table = tomllib.loads(path.read_text("utf-8")).get("fragments", {})
        made |= {
            name: one if isinstance(one, str) else _expression(one) for name, one in table.items()
        }
    return made


def expanded(literals: Iterable[str]) -> Iterator[str]:
    """Yield literals; one with the name of a list is one for each word of it."""
    for literal in literals:
        named = LIST.search(literal)
        if named:
            words = pieces(_listed(named[1]))
            yield from expanded(literal.replace(named[0], word, 1) for word in words)
        else:
            yield literal


def _expression(table: Mapping[str, Any]) -> str:
    """Return the expression of a table of `[fragments]`."""
    if "expression" in table:
        held = schema.expression(table["expression"])
        return f"(?i:{held.removeprefix('(?i)')})" if held.startswith("(?i)") else held
    form = next(name for name in ("words", "any", "ends") if name in table)
    names = [table[form]] if isinstance(table[form], str) else table[form]
    every = [word for name in names for word in _listed(name)]
    some = every[table.get("from", 0) : table.get("to")]
    listed = [w for w in some if table.get("least", 0) <= len(w) <= table.get("most", 99)]
    if form == "words":
        whole = words([*listed, *table.get("more", ())], point=table.get("point", False))
        return whole.removesuffix(NO_LETTER) if table.get("open") else whole
    if form == "any":
        table_of_in = _table(table["in"]) if "in" in table else None
        kept = [word for word in listed if table_of_in is None or word.lower() in table_of_in]
        return "|".join(sorted(kept, key=_longest_first) if table.get("longest") else kept)
    forms = [form for word in listed for form in dict.fromkeys((word, word.capitalize()))]
    ends = forms if table.get("capitals") else listed
    return "|".join(f"(?<={re.escape(end)}{table.get('then', '')})" for end in ends)


def _longest_first(word: str) -> tuple[int, str]:
    return -len(word), word


def _listed(name: str) -> list[str]:
    """Return the words of a list or a table of `schema/words`, given as `file.key`."""
    return list(_flat(_table(name)))


def _table(name: str) -> Any:
    file, *keys = name.split(".")
    table: Any = schema.words(file)
    for key in keys:
        table = table[key]
    return table


def _flat(given: Any) -> Iterator[str]:
    """Yield the words of a text, or of a list or a table of words, lists and tables."""
    if isinstance(given, str):
        yield given
    else:
        for one in given.values() if isinstance(given, Mapping) else given:
            yield from _flat(one)
