"""Analyses regular expressions, by the tree into which `re` parses them: how long a match can be,
and how much work it can take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

LONGEST = 200
"""Characters of a match, at most: a repetition without a bound goes no further."""
MOST = 100_000
"""Steps that a match may take from one place, at most; an expression that could take more is
refused."""
EVERY = (1 << 257) - 1
"""A set of characters as bits: one for each of Latin-1, the last for all others."""
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
SINGLE = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
Items = Iterable[tuple[Any, Any]]


class MatchWork(NamedTuple):
    """What it takes to match an expression from one place: an upper bound.

    `first`: the characters with which a match can begin; `steps`: looks at a character, over all
    ways that backtracking can go; `fails`: whether it can fail at all, as nothing is tried again
    before what can't.
    """

    first: int
    steps: int
    fails: bool = True


END = MatchWork(EVERY, 0, False)
TOO_MUCH = MatchWork(EVERY, MOST + 1)


def work(expression: re.Pattern[str]) -> MatchWork:
    """Return an upper bound on the work of one match; `steps` above `MOST` means too much.

    Two alternatives, or one more repetition and what comes behind it, multiply the steps only if
    both can begin with the same character.
    """
    tree = _parser.parse(expression.pattern, expression.flags)
    return _Analysis().row(tree, END, tree.state.flags)


class _Analysis:
    """Goes over a tree from its end to its begin; gives up where this takes too long itself."""

    def __init__(self) -> None:
        self.left = 200_000

    def row(self, items: Items, then: MatchWork, flags: int) -> MatchWork:
        for code, value in reversed(list(items)):
            self.left -= 1
            if self.left < 0 or then.steps > MOST:
                return TOO_MUCH
            then = self.item(code, value, then, flags)
        return then

    def item(self, code: Any, value: Any, then: MatchWork, flags: int) -> MatchWork:
        if code in SINGLE:
            return MatchWork(characters(code, value, flags), 1 + then.steps)
        if code is op.SUBPATTERN:
            _, more, less, items = value
            return self.row(items, then, (flags | more) & ~less)
        if code is op.ATOMIC_GROUP:
            alone = self.row(value, END, flags)
            return MatchWork(alone.first, alone.steps + then.steps, alone.fails or then.fails)
        if code is op.BRANCH:
            return _either([self.row(items, then, flags) for items in value[1]])
        if code in REPEATS:
            return self.repeat(code, value, then, flags)
        if code in (op.ASSERT, op.ASSERT_NOT):
            return MatchWork(then.first, self.row(value[1], END, flags).steps + 1 + then.steps)
        if code is op.AT:
            return MatchWork(then.first, 1 + then.steps)
        if code is op.GROUPREF:
            return MatchWork(EVERY, LONGEST + then.steps)
        return TOO_MUCH

    def repeat(self, code: Any, value: Any, then: MatchWork, flags: int) -> MatchWork:
        least, most, items = value[0], min(value[1], LONGEST), list(value[2])
        if code is op.POSSESSIVE_REPEAT:
            alone = self.row(items, END, flags)
            first = alone.first | (0 if least else then.first)
            return MatchWork(first, most * alone.steps + then.steps, least > 0 or then.fails)
        if len(items) == 1 and items[0][0] in SINGLE:
            inner = characters(items[0][0], items[0][1], flags)
            ways = most - least + 1 if inner & then.first and then.fails else 1
            steps = 2 * most + ways * then.steps if ways == 1 else most + ways * then.steps
            return MatchWork(inner | (0 if least else then.first), steps, least > 0 or then.fails)
        state = then
        for _ in range(most - least):
            state = _either([self.row(items, state, flags), then])
            if state.steps > MOST:
                return TOO_MUCH
        for _ in range(least):
            state = self.row(items, state, flags)
        return state


def _either(ways: Sequence[MatchWork]) -> MatchWork:
    """Return the work of alternatives; of those that begin differently only one goes on."""
    first, apart, fails = 0, True, True
    steps: list[int] = []
    for way in ways:
        apart = apart and first & way.first == 0
        first |= way.first
        if fails:
            steps.append(way.steps)
        fails = fails and way.fails
    return MatchWork(first, len(ways) + (max(steps) if apart else sum(steps)), fails)


@cache
def _matching(code: Any, value: Any, flags: int) -> int:
    """Return the characters that a category or a single character stands for."""
    if code is op.CATEGORY:
        expression = re.compile(_CATEGORIES[value])
    else:
        expression = re.compile(re.escape(chr(value)), flags & re.IGNORECASE)
    found = sum(1 << n for n in range(256) if expression.fullmatch(chr(n)))
    return found | (1 << 256 if code is op.CATEGORY or value > 255 or flags & re.I else 0)


_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def characters(code: Any, value: Any, flags: int) -> int:
    """Return the set of characters that one node of a tree matches."""
    if code is op.LITERAL:
        return _matching(op.LITERAL, value, flags)
    if code is op.NOT_LITERAL:
        return EVERY if value > 255 else EVERY & ~(1 << value)
    if code is op.ANY:
        return EVERY
    held, negated = 0, False
    for kind, one in value:
        if kind is op.NEGATE:
            negated = True
        elif kind is op.RANGE:
            low, high = one
            held |= sum(1 << n for n in range(low, min(high, 255) + 1))
            held |= 1 << 256 if high > 255 or flags & re.I else 0
            if flags & re.I:
                held |= sum(
                    _matching(op.LITERAL, n, flags)
                    for n in range(low, min(high, 255) + 1)
                    if chr(n).isalpha()
                )
        else:
            held |= _matching(kind, one, flags)
    return EVERY & ~(held & ~(1 << 256)) if negated else held


def length(pattern: str, flags: int = 0, most: int = LONGEST) -> int:
    """Return the most characters that a match has, `most` where there is no lower bound."""
    widest: int = _parser.parse(pattern, flags).getwidth()[1]
    return min(widest, most)
