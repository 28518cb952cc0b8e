"""Analyses regular expressions: the work that a match can take, and literals that each match holds.

Both are derived from the tree into which `re` parses an expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from linkmask.detect.recognizers.prefilter import LONGEST as LONGEST_RUN
from linkmask.detect.recognizers.prefilter import shape

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


# ── literals ────────────────────────────────────────────────────────────────────────────────────


class Literals(NamedTuple):
    """Pieces of a text's shape of which each match holds one, and how far a match reaches before
    and beyond the piece, in characters."""

    pieces: tuple[str, ...]
    before: int
    beyond: int

    @property
    def worth(self) -> float:
        """How seldom the commonest piece is: digits are common, other characters are not."""
        return min(sum(1 if c == "0" else 0.5 if c == " " else 2 for c in p) for p in self.pieces)


Part = tuple[str, int, int, tuple["list[Part]", ...]]
"""A character of a shape ("" if it is not certain), least and most characters, alternatives."""

LONGEST_PIECE = 24


def literals(pattern: str, flags: int = 0) -> Literals | None:
    """Return the literals that tell best where an expression can match, None if there are none."""
    tree = _parser.parse(pattern, flags | re.UNICODE)
    return _best(list(_parts(tree, tree.state.flags)))


def length(pattern: str, flags: int = 0, most: int = LONGEST) -> int:
    """Return the most characters that a match has, `most` where there is no lower bound."""
    widest: int = _parser.parse(pattern, flags).getwidth()[1]
    return min(widest, most)


def _parts(items: Items, flags: int) -> Iterator[Part]:
    """Yield what a match consists of, in order."""
    for code, value in items:
        if code in SINGLE:
            yield _character(characters(code, value, flags)), 1, 1, ()
        elif code is op.SUBPATTERN:
            yield from _parts(value[3], (flags | value[1]) & ~value[2])
        elif code is op.ATOMIC_GROUP:
            yield from _parts(value, flags)
        elif code is op.BRANCH:
            ways = tuple(list(_parts(one, flags)) for one in value[1])
            sizes = [_size(way) for way in ways]
            yield "", min(s[0] for s in sizes), max(s[1] for s in sizes), ways
        elif code in REPEATS:
            least, most = value[0], min(value[1], LONGEST)
            inner = list(_parts(value[2], flags))
            longest = _size(inner)[1]
            for _ in range(min(least, LONGEST_PIECE)):
                yield from inner
            if (beyond := most - min(least, LONGEST_PIECE)) > 0:
                yield "", 0, min(beyond * longest, LONGEST), ()
        elif code is op.GROUPREF:
            yield "", 0, LONGEST, ()


def _size(parts: Iterable[Part]) -> tuple[int, int]:
    parts = list(parts)
    return sum(part[1] for part in parts), min(sum(part[2] for part in parts), LONGEST)


_DIGITS = sum(1 << n for n in range(48, 58))


@cache
def _character(held: int) -> str:
    """Return the one character of a shape that stands for all of a set, "" if there are more.

    Only ASCII counts: letters beyond it have spellings whose shapes differ.
    """
    if held & ~(1 << 256) == 0:
        return ""
    if held & _DIGITS == held or held == _matching(op.CATEGORY, op.CATEGORY_DIGIT, 0):
        return "0"
    ascii_only = [n for n in range(128) if held >> n & 1]
    if not ascii_only or (held >> 128) & ((1 << 128) - 1):
        return ""
    shapes = {shape(chr(n)) for n in ascii_only}
    letters = all(chr(n).isalpha() for n in ascii_only)
    if len(shapes) == 1 and (letters or not held >> 256):
        return shapes.pop()
    return ""


def _best(parts: list[Part]) -> Literals | None:
    """Return the pieces that are the least common: one of the row, or one of each alternative."""
    found: list[Literals] = []
    before, total = 0, sum(part[2] for part in parts)
    run, run_at = "", 0
    for letter, _, most, ways in [*parts, ("", 0, 0, ())]:
        if letter:
            run_at = run_at if run else before
            run += letter
        else:
            if run:
                found.append(_piece(run, run_at, total))
                run = ""
            if ways:
                found += _of_ways(ways, before, total)
        before += most
    found = [one for one in found if one.worth >= 1]
    return max(found, key=lambda one: (one.worth, -one.before), default=None)


def _piece(run: str, at: int, total: int) -> Literals:
    """Return a run of certain characters as a piece; of a long one its begin."""
    size = LONGEST_RUN if run[:LONGEST_PIECE].strip("0") == "" else LONGEST_PIECE
    cut = run[:size]
    beyond = total - at - len(cut)
    return Literals((cut,), min(at, LONGEST), max(0, min(beyond, LONGEST)))


def _of_ways(ways: Sequence[list[Part]], before: int, total: int) -> list[Literals]:
    """Return the best pieces of all alternatives together, if each has one."""
    each = [_best(way) for way in ways]
    if not all(each):
        return []
    pieces = tuple(sorted({piece for one in each if one for piece in one.pieces}))
    reach = max(one.before for one in each if one)
    return [Literals(pieces, min(before + reach, LONGEST), min(max(total - before, 0), LONGEST))]
