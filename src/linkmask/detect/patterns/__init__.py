"""Values that have a form: a table of rules per kind, by country, with checksums and context words.

The rows are tried in the order of `TABLES`; the first that takes a stretch of text keeps it, so a
card number is never half a phone number. Time is linear in the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from operator import attrgetter

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
from linkmask.detect.patterns.near import Near, key_of
from linkmask.detect.patterns.rule import Rule, Verdict

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
    length = len(text)
    taken = bytearray(length)
    first_taken = taken.find
    found: list[Found] = []
    for place in sorted([place for number in stretches for place in near.places[number]]):
        rule, matches, group, number = rows[place]
        judge, widen = rule.judge, rule.widen
        verdict: Verdict = (rule.type, rule.score)
        for begin, stop in stretches[number]:
            safe = stop - GUARD if stop < length else length
            for match in matches(text, begin, stop):
                start, end = match.span(group)
                if first_taken(1, start, end) >= 0 or match.end() > safe:
                    continue
                if judge:
                    verdict = judge(text, start, end)
                if verdict:
                    if widen:
                        wide = widen(text, start, end)
                        if first_taken(1, *wide) < 0:
                            start, end = wide
                    taken[start:end] = b"\1" * (end - start)
                    found.append(Found(start, end, verdict[0], "patterns", rule.name, verdict[1]))
    return sorted(found, key=attrgetter("start"))


Row = tuple[Rule, Callable[[str, int, int], Iterator[re.Match[str]]], int | str, int]
"""A rule, what finds its matches in a stretch, the group of its value, the number of its key."""


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
    return [_row(rule, near) for rule in rules], near


def _row(rule: Rule, near: Near) -> Row:
    expression = re.compile(rule.pattern)
    matches = partial(rule.scan, expression) if rule.scan else expression.finditer
    group = "v" if expression.groupindex else 0
    return rule, matches, group, near.keys.index(key_of(rule))
