"""Recognizes values with a shape: tables of rules by kind and country, with checksums and triggers.

The rows are tried in the order of `stages.toml`. The first that takes a stretch of text keeps it,
so a card number is never split into a phone number. Time is linear in the text's length.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from operator import attrgetter
from pathlib import Path

from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.patterns.shipped_rules import stage
from linkmask.detect.recognizers.prefilter import Near, Stretches, key_of, shape
from linkmask.detect.recognizers.rule import GUARD, Rule, Searched, Verdict, compile_once

TABLES: tuple[tuple[Rule, ...], ...] = tuple(
    map(stage, tomllib.loads(Path(__file__).with_name("stages.toml").read_text())["stages"])
)
"""All rules, strongest form first."""


def find(text: str, scope: Scope) -> list[Candidate]:
    """Return the disjoint spans that the rules take for values, sorted by start."""
    return finds([(text, scope)])[0]


def finds(read: Iterable[tuple[str, Scope]]) -> list[list[Candidate]]:
    """Return what `find` does for each text: a rule is tried in all of them before the next is."""
    read = list(read)
    found: list[list[Candidate]] = []
    awake: dict[Scope, dict[int, list[Work]]] = {}
    for text, scope in read:
        near = applied(scope.countries, scope.language, scope.regulated)[1]
        by_key = awake.setdefault(scope, {})
        seen = Searched(text, shape(text), bytearray(len(text)), [])
        found.append(seen.found)
        for number, stretches in near.stretches(seen.outline).items():
            by_key.setdefault(number, []).append((seen, stretches))
    for scope, by_key in awake.items():
        rows, _ = applied(scope.countries, scope.language, scope.regulated)
        for one in rows:
            if work := by_key.get(one[1]):
                try_rule(one[0], work)
    for row in found:
        row.sort(key=_START)
    return found


_START = attrgetter("start")
Work = tuple[Searched, Stretches]
"""A text, where to try a rule in it."""


def try_rule(rule: Rule, work: Iterable[Work]) -> None:
    """Add what a rule finds in some texts, where no other has taken it."""
    matches, group = search_of(rule)
    name, judge, widen = rule.name, rule.judge, rule.widen
    verdict: Verdict = (rule.type, rule.score)
    for seen, stretches in work:
        text, _, taken, found = seen
        searched = seen if rule.scan else text
        length, first_taken = len(text), taken.find
        for begin, stop in stretches:
            safe = stop - GUARD if stop < length else length
            for match in matches(searched, begin, stop):
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
                    found.append(Candidate(start, end, verdict[0], "patterns", name, verdict[1]))


@cache
def search_of(rule: Rule) -> tuple[Callable[..., Iterator[re.Match[str]]], int | str]:
    """Return what finds a rule's matches in a stretch, and the group of its value.

    An expression is compiled when its rule is first tried: in few texts most rules are not.
    """
    expression = compile_once(rule.pattern, 0)
    matches = partial(rule.scan, expression) if rule.scan else expression.finditer
    return matches, "v" if expression.groupindex else 0


@cache
def applied(
    countries: tuple[str, ...], language: str, also_regulated: bool = False
) -> tuple[list[tuple[Rule, int]], Near]:
    """Return the rules that apply, in order, and the search for where to try them.

    With each rule comes the number of its key in this search.
    """
    rules = [
        rule
        for table in ((stage("regulated"), *TABLES) if also_regulated else TABLES)
        for rule in table
        if (not rule.countries or set(rule.countries.split()) & set(countries))
        and (not rule.languages or language in rule.languages.split())
    ]
    near = Near(rules)
    number = {key: n for n, key in enumerate(near.keys)}
    return [(rule, number[key_of(rule)]) for rule in rules], near
