"""Values that have a form: a table of rules per kind, by country, with checksums and context words.

The rows are tried in the order of `TABLES`; the first that takes a stretch of text keeps it, so a
card number is never half a phone number. Time is linear in the text's length.
"""

from __future__ import annotations

import re
from functools import cache

from linkmask.detect.found import Found, Scope
from linkmask.detect.patterns import (
    addresses,
    ages,
    codes,
    contacts,
    dates,
    elsewhere,
    ids,
    numbers,
    phones,
    regulated,
)
from linkmask.detect.patterns.near import Near
from linkmask.detect.patterns.rule import Rule

TABLES: tuple[tuple[Rule, ...], ...] = (
    contacts.NET,
    codes.RULES,
    phones.SPACED,
    numbers.RULES,
    addresses.DATED,
    dates.RULES,
    addresses.RULES,
    elsewhere.RULES,
    addresses.POSTCODES,
    phones.RULES,
    ages.RULES,
    ids.RULES,
    dates.YEARS,
)
"""All rules, strongest form first."""

GUARD = 16
"""A match this close to the end of a stretch may have been cut by it, and is left out."""


def find(text: str, scope: Scope) -> list[Found]:
    """Return the disjoint spans that the rules take for values, sorted by start."""
    rows, near = compiled(scope.countries, scope.language, scope.regulated)
    stretches = near.stretches(text)
    taken = bytearray(len(text))
    found: list[Found] = []
    for rule, expression, number in rows:
        for begin, stop in stretches.get(number, ()):
            safe = stop if stop == len(text) else stop - GUARD
            for match in expression.finditer(text, begin, stop):
                start, end = match.span("v") if expression.groupindex else match.span()
                if match.end() > safe or taken.find(1, start, end) >= 0:
                    continue
                verdict = rule.judge(text, start, end) if rule.judge else (rule.type, rule.score)
                if verdict and rule.widen:
                    wide = rule.widen(text, start, end)
                    if taken.find(1, *wide) < 0:
                        start, end = wide
                if verdict:
                    taken[start:end] = b"\1" * (end - start)
                    found.append(Found(start, end, verdict[0], "patterns", rule.name, verdict[1]))
    return sorted(found, key=lambda one: one.start)


Row = tuple[Rule, re.Pattern[str], int]
"""A rule, its expression, and the number of its `near` among the stretches."""


@cache
def compiled(
    countries: tuple[str, ...], language: str, also_regulated: bool = False
) -> tuple[list[Row], Near]:
    """Return the rules that apply, in order, and the search for where to try them."""
    rules = [
        rule
        for table in ((regulated.RULES, *TABLES) if also_regulated else TABLES)
        for rule in table
        if (not rule.countries or set(rule.countries.split()) & set(countries))
        and (not rule.languages or language in rule.languages.split())
    ]
    near = Near(rules)
    return [(r, re.compile(r.pattern), near.keys.index((r.near, r.reach))) for r in rules], near
