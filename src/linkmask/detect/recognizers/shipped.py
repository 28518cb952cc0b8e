"""Reads the recognizers that linkmask ships, a table of rows for each file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from linkmask.choices import LANGUAGES
from linkmask.detect.recognizers.fragments import fragments
from linkmask.detect.recognizers.rule import NO_DIGIT
from linkmask.schema.recognizer_rows import RecognizerRow
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
    """Which rows are tried together: `patterns.TABLES` has their order."""
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
