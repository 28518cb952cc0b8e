"""Many finders, one reading: choose disjoint spans and keep the reasons.

Where spans overlap one wins whole and the others go: a span is never cut. `rank` is the order of
preference. First what is certain by its form (a checksum held, an unmistakable pattern) and what is
masked whatever the risk: a name must not hide in a longer remark that is kept. Then the longer, the
surer, the weightier: an address keeps the town in it.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from linkmask.detect.found import Found

CERTAIN = 0.95
"""A pattern at or above this score is certain by its form: only a longer certain one beats it."""

ELSEWHERE = "context"
"""Detector of what the second pass finds."""

Rank = tuple[int, int, float, float, int, str]


def merge(
    found: Iterable[Found], weights: Mapping[str, float], floor: Collection[str] = ()
) -> list[Found]:
    """Return disjoint spans, sorted by start; overlaps are resolved by `rank`, adjacency is kept.

    A winner's `rule` also names the rules of those it beat that agreed on its type, joined by "+".
    `weights` in [0, 1] by type break ties; `floor` are the types masked whatever the risk. The
    result does not depend on the order of `found`.
    """
    ordered = sorted(found, key=lambda f: rank(f, weights, floor))
    starts: list[int] = []
    kept: dict[int, Found] = {}
    rules: dict[int, set[str]] = {}
    for one in ordered:
        if one.start >= one.end:
            continue
        over = _overlapped(one, starts, kept)
        if over is None:
            insort(starts, one.start)
            kept[one.start] = one
        elif kept[over].type == one.type and one.rule:
            rules.setdefault(over, set()).add(one.rule)
    return [_with_rules(kept[start], rules.get(start, set())) for start in starts]


def rank(found: Found, weights: Mapping[str, float], floor: Collection[str] = ()) -> Rank:
    """Return the key by which spans are preferred: the smallest wins.

    What is only known from elsewhere in the corpus is neither certain nor of the floor's row here:
    a surname must not be cut out of a clinic's name.
    """
    length = found.end - found.start
    certain = found.detector == "patterns" and found.score >= CERTAIN
    row = 0 if certain or (found.type in floor and found.detector != ELSEWHERE) else 1
    name = f"{found.type}/{found.detector}/{found.rule}"
    return row, -length, -found.score, -weights.get(found.type, 0.0), found.start, name


def _overlapped(one: Found, starts: list[int], kept: Mapping[int, Found]) -> int | None:
    """Return the start of a kept span that shares a character with `one`, or None."""
    at = bisect_left(starts, one.end)
    if at and kept[starts[at - 1]].end > one.start:
        return starts[at - 1]
    return None


def _with_rules(winner: Found, others: set[str]) -> Found:
    more = sorted(others - {winner.rule})
    return replace(winner, rule="+".join([winner.rule, *more])) if more else winner
