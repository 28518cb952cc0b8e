"""Strings that an expression matches, written by walking the tree that `re` parses it into."""

import random
import re
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

CHARACTERS = "etaonrsihdlcumgpfwbyvkjxzqETAONRSIHDLCUMGPFWBYVKJXZQ0123456789 -.,'/:éäüß\n@#("
REPEATS = {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}
CLASSES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}


def sample(expression: str, draw: random.Random, more: int) -> str:
    """Write a string that may match: what stands around it is left out, so that it need not.

    `more`: by how much repeats may go beyond their least.
    """
    return _of(_parser.parse(expression), draw, more)


def _of(tree: Any, draw: random.Random, more: int) -> str:
    return "".join(_node(kind, given, draw, more) for kind, given in tree)


def _node(kind: Any, given: Any, draw: random.Random, more: int) -> str:
    if kind is op.LITERAL:
        return chr(given)
    if kind is op.IN:
        return draw.choice(_listed(given))
    if kind in REPEATS:
        least, most, tree = given
        times = draw.randint(least, min(most, least + more))
        return "".join(_of(tree, draw, more) for _ in range(times))
    if kind is op.BRANCH:
        return _of(draw.choice(given[1]), draw, more)
    if kind in (op.SUBPATTERN, op.ATOMIC_GROUP):
        return _of(given[-1] if kind is op.SUBPATTERN else given, draw, more)
    return "a" if kind in (op.ANY, op.NOT_LITERAL) else ""


def _listed(given: Any) -> str:
    """Return characters that a set holds; of those with most letters only small ones."""
    ranges = {op.LITERAL: lambda c: re.escape(chr(c)), op.CATEGORY: CLASSES.__getitem__}
    ranges[op.RANGE] = lambda pair: "-".join(re.escape(chr(code)) for code in pair)
    negated = given[0][0] is op.NEGATE
    body = "".join(ranges[kind](one) for kind, one in given if kind in ranges)
    held = "".join(re.findall(f"[{'^' * negated}{body}]", CHARACTERS))
    small = "".join(filter(str.islower, held))
    first = given[0][1]
    return (small if len(held) > 40 else held) or chr(
        first[0] if isinstance(first, tuple) else first
    )
