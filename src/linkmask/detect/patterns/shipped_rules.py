"""Makes the rules of each stage from the rows of `recognizers` and the judges that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import msgspec

from linkmask.detect.names import name_judges
from linkmask.detect.patterns import date_triggers, ids, labelled_numbers, phones, whole_address
from linkmask.detect.recognizers.expression import length
from linkmask.detect.recognizers.row_rules import (
    FARTHEST,
    literals_near,
    right_before,
    trigger_judge,
)
from linkmask.detect.recognizers.rule import Judge, Rule, Scan, Searched, Widen
from linkmask.detect.recognizers.shipped import ShippedRow, expanded, rows
from linkmask.detect.recognizers.validators import Validator, validator

JUDGES: Mapping[str, Judge] = {
    **date_triggers.JUDGES,
    **ids.JUDGES,
    **labelled_numbers.JUDGES,
    **name_judges.JUDGES,
    **phones.JUDGES,
}
"""Judges by the names that rows use."""
WIDENINGS: Mapping[str, Widen] = {
    **whole_address.WIDENINGS,
    **ids.WIDENINGS,
    **date_triggers.WIDENINGS,
    **name_judges.WIDENINGS,
}
"""What extends a match to what it is part of, by the names that rows use."""


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
        widen=WIDENINGS[row.widen] if row.widen else None,
        scan=anchored(row.anchor, row.head) if row.anchor else hinted(row.hint),
        near=near,
        reach=row.window or reach,
        digit=row.digit,
        whole=row.whole,
        countries=" ".join(row.countries),
        languages=" ".join(row.languages),
    )


def _late_check(name: str) -> Validator | None:
    """Return the validator of a name; its module is imported when a value is first checked."""

    def valid(value: str) -> bool:
        return validator(name)(value)

    return valid if name else None


def _judge(row: ShippedRow) -> Judge | None:
    """Return what decides on a match of a row, None if every match counts."""
    context = right_before(row.before) if row.before else None
    judge = JUDGES[row.judge] if row.judge else None
    if row.validate or row.triggers or context or (not judge and (row.not_before or row.not_in)):
        judge = trigger_judge(row, _late_check(row.validate), context, judge)
    if not judge or not (row.not_before or row.not_in):
        return judge
    decide, lead = judge, right_before(row.not_before) if row.not_before else None
    held = re.compile(row.not_in) if row.not_in else None
    return lambda text, start, end: (
        None
        if (lead and lead(text, start, end)) or (held and held.search(text[start:end]))
        else decide(text, start, end)
    )


# ── scans ─────────────────────────────────────────────────────────────────────────────────────


def hinted(hint: str) -> Scan | None:
    """Return a search that reads only stretches with a hint in them; None if no hint is given."""
    if not hint:
        return None
    shown = re.compile(hint)

    def scan(
        expression: re.Pattern[str], seen: Searched, begin: int, stop: int
    ) -> Iterator[re.Match[str]]:
        if shown.search(seen.text, max(begin, 0), stop):
            yield from expression.finditer(seen.text, begin, stop)

    return scan


def anchored(anchor: str, head: str) -> Scan:
    """Return a search around each anchor: what stands before it first, then the whole.

    `anchor` is looked for in the text's shape, where each digit is a 0, because `re` skips to a
    plain character ten times as fast as to a set of them. `head` matches from a match's begin to
    the anchor's first character, and no more characters than its width are looked at.
    """
    anchors, heads = re.compile(anchor), re.compile(f"(?:{head})$")
    widest = length(head, most=FARTHEST)

    def scan(
        expression: re.Pattern[str], seen: Searched, begin: int, stop: int
    ) -> Iterator[re.Match[str]]:
        end = max(begin, 0)
        while at := anchors.search(seen.outline, end, stop):
            first = at.start() + 1
            if seen.taken[at.start()]:  # what holds a character of another value is not taken
                end = at.end()
                continue
            opens = heads.search(seen.text, max(end, first - widest), first)
            match = expression.match(seen.text, opens.start(), stop) if opens else None
            if match:
                yield match
            end = max(match.end(), at.end()) if match else at.end()

    return scan
