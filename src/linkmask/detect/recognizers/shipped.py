"""Reads the recognizers that linkmask ships, and hands them to `patterns` as rules, by stage."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Literal

import msgspec

from linkmask.choices import LANGUAGES
from linkmask.detect.patterns.rule import NO_DIGIT, Judge, Rule
from linkmask.detect.recognizers.fragments import expanded, fragments
from linkmask.detect.recognizers.rules import literals_near, trigger_judge
from linkmask.detect.recognizers.scans import anchored, hinted
from linkmask.detect.recognizers.triggers import Beside, beside, right_before
from linkmask.detect.recognizers.validators import Validator, validator
from linkmask.schema.recognizer_rows import RecognizerRow
from linkmask.schema.recognizers import rows as rows_of

FOLDER = Path(__file__).parent
JUDGES = "linkmask.detect.patterns.judges"
"""Module of the judges that rows name, and of what finds and widens their matches."""
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
    """Name of a function in `patterns.judges` that decides on a match."""
    widen: str = ""
    """Name of a function in `patterns.judges` that extends a match to what it is part of."""
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


@cache
def stage(name: str) -> tuple[Rule, ...]:
    """Return the rules of a stage, in the order in which they are tried."""
    return tuple(_rule(row) for row in rows() if row.stage == name)


def _rule(row: ShippedRow) -> Rule:
    if any("{" in one for one in row.literals):
        row = msgspec.structs.replace(row, literals=tuple(expanded(row.literals)))
    near, reach = literals_near(row, row.window)
    return Rule(
        row.id,
        row.type,
        f"(?i:{row.pattern})" if row.ignore_case else row.pattern,
        row.score,
        judge=_judge(row),
        widen=import_module(JUDGES).WIDENINGS[row.widen] if row.widen else None,
        scan=anchored(row.anchor, row.head) if row.anchor else hinted(row.hint),
        near=near,
        reach=row.window or reach,
        digit=row.digit,
        whole=row.whole,
        countries=" ".join(row.countries),
        languages=" ".join(row.languages),
    )


def _near_trigger(row: ShippedRow, judge: Judge, context: Beside | None) -> Judge:
    """Return a judge that asks another one near a trigger of a row, or in its context."""
    near = context or beside(row.triggers, row.reach, row.gap)
    return lambda text, start, end: judge(text, start, end) if near(text, start, end) else None


def _late_check(name: str) -> Validator | None:
    """Return the validator of a name; its module is imported when a value is first checked."""

    def valid(value: str) -> bool:
        return validator(name)(value)

    return valid if name else None


def _judge(row: ShippedRow) -> Judge | None:
    context = right_before(row.before) if row.before else None
    judge: Judge | None = None
    if row.judge:
        judge = import_module(JUDGES).JUDGES[row.judge]
        if row.triggers or context:
            judge = _near_trigger(row, judge, context)
    elif row.validate or row.triggers or row.before or row.not_before or row.not_in:
        judge = trigger_judge(row, _late_check(row.validate), context)
    if not judge or not (row.not_before or row.not_in):
        return judge
    decide, lead = judge, right_before(row.not_before) if row.not_before else None
    held = re.compile(row.not_in) if row.not_in else None
    return lambda text, start, end: (
        None
        if (lead and lead(text, start, end)) or (held and held.search(text[start:end]))
        else decide(text, start, end)
    )
