"""Reads the recognizers that linkmask ships, a table of rows for each file.

In the table `[fragments]` of a file, a text is a part of an expression. A table stands for an
`expression` of expressions.toml, or for the words of a list of `schema/words`, given as `file.key`
or `file.table.key`: `words` matches each as a word in any letter case; `any` does so in the list's
order; `ends` tests whether the characters before end with one of them. `least` and `most` limit the
number of letters of the words that are used; with `open`, another letter may follow a match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from linkmask import schema
from linkmask.choices import LANGUAGES
from linkmask.detect.recognizers.rule import NO_DIGIT, NO_LETTER, pieces, words
from linkmask.schema.recognizer_rows import RecognizerRow
from linkmask.schema.recognizers import parsed
from linkmask.schema.recognizers import rows as rows_of

FOLDER = Path(__file__).parent
ADDRESSES = FOLDER / "addresses"
PARTS = ADDRESSES / "parts.toml"
"""Fragments that the files of several languages share."""
BESIDE = ADDRESSES / "beside.toml"
"""Pieces of an address that stand beside its street."""


class ShippedRow(RecognizerRow, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of linkmask's own: it says when it is tried, and may name a judge in Python.

    Its pattern tests itself what stands around a match, so that it is fast (`rule.py`).
    """

    stage: str
    """Which rows are tried together: `patterns/stages.toml` has their order."""
    judge: str = ""
    """Name of a function in `patterns.shipped_rules` that decides on a match."""
    widen: str = ""
    """Name of a function in `patterns.shipped_rules` that extends a match to what it is part of."""
    before: str = ""
    """Expression that must match what stands right before a value, in place of triggers."""
    not_before: str = ""
    """Expression: a value does not count where it matches what stands right before it."""
    not_in: str = ""
    """Expression: a value in which it is found does not count."""
    hint: str = ""
    """Expression without which a stretch of text is not searched, to save time."""
    anchor: str = ""
    """Expression for a piece of every match, found fast; `head` finds where the match begins."""
    head: str = ""
    """Expression for a match's begin up to the first character of its anchor."""
    window: tuple[int, int] | None = None
    """Characters before and beyond a literal in which a match lies; derived if not given."""
    digit: tuple[int, int] = NO_DIGIT
    """A literal counts with a digit at most so many characters before or behind it."""
    whole: bool = False
    """A literal counts as a whole word."""


class AddressPiece(RecognizerRow, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row for what stands beside an address and is a part of it."""

    side: Literal["before", "behind", "apart"]
    """Where it stands; "apart": behind it, with other words of the address between."""


@cache
def address_pieces() -> tuple[AddressPiece, ...]:
    """Return the pieces of addresses, in the order in which they are tried."""
    return rows_of(BESIDE, AddressPiece, fragments(PARTS, BESIDE))


@cache
def rows() -> tuple[ShippedRow, ...]:
    """Return all rows in the order of their files: countries first, then common ones.

    Those of addresses come last, by language.
    """
    files = [*sorted((FOLDER / "country").glob("*.toml")), *sorted(FOLDER.glob("*.toml"))]
    addresses = [ADDRESSES / f"{name}.toml" for name in (*LANGUAGES, "other")]
    return (
        *(row for path in files for row in rows_of(path, ShippedRow, fragments(path))),
        *(row for path in addresses for row in rows_of(path, ShippedRow, fragments(PARTS, path))),
    )


# ── fragments ─────────────────────────────────────────────────────────────────────────────────

LIST = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)+)\}")
"""A list of words within a literal: " {streets.en}"."""


def fragments(*paths: Path) -> dict[str, str]:
    """Return name → part of an expression, of the tables `[fragments]` of some files."""
    made: dict[str, str] = {}
    for path in paths:
        table = parsed(path.read_text("utf-8")).get("fragments", {})
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
