"""Replaces found values by random ones of public lists: local differential privacy.

Each distinct value of a document is answered by k-ary randomized response over a list of its
type that is fixed and public (ours, not of the corpus). Two values of one type are told apart by
the output at most by a factor of e^ε_i, whatever they are; so ε_i adds up, over the values of a
document to `EPSILON`, over a person's documents to `EPSILON` for each of them.

What this does not hide: where values stand, how many there are, of which type, and all other
words. The lists must not depend on the secret: values outside the list are projected on it first
(by a hash), so that none passes unchanged; neither holds for the released code of LPRAG.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Mapping, Sequence
from functools import cache

from linkmask.records import CONTENT, Mention
from linkmask.testbench.synthetic_values import unrelated_value

EPSILON = 3.0
"""Budget of a document."""
DOMAIN = 64
"""Values in a type's list, at most."""


@cache
def domain(kind: str, language: str = "en") -> tuple[str, ...]:
    """Return the public list of a type: the same in every run and for every corpus."""
    rng = random.Random(f"domain/{kind}/{language}")
    return tuple(dict.fromkeys(unrelated_value(kind, rng, language) for _ in range(DOMAIN)))


def keep_probability(epsilon: float, size: int) -> float:
    """Return how likely randomized response over `size` values gives the value itself."""
    return math.exp(epsilon) / (math.exp(epsilon) + size - 1)


def budgets(kinds: Sequence[str], weights: Mapping[str, float]) -> list[float]:
    """Split `EPSILON` over values by their types alone: the heavier, the less each gets."""
    shares = [1.0 / (0.1 + weights[kind]) for kind in kinds]
    return [EPSILON * share / sum(shares) for share in shares]


def draw(value: str, listed: Sequence[str], epsilon: float, rng: random.Random) -> str:
    """Return a value of the list by randomized response."""
    if value in listed:
        place = listed.index(value)
    else:
        place = int.from_bytes(hashlib.sha256(value.encode()).digest()[:8], "big") % len(listed)
    if rng.random() < keep_probability(epsilon, len(listed)):
        return listed[place]
    other = rng.randrange(len(listed) - 1)
    return listed[other + (other >= place)]


def perturb(
    text: str,
    mentions: Sequence[Mention],
    weights: Mapping[str, float],
    rng: random.Random,
    language: str = "en",
) -> tuple[str, int]:
    """Return a text with its values drawn anew, and the characters written over."""
    here = sorted((m for m in mentions if m.field == CONTENT), key=lambda m: m.start)
    entities = list(dict.fromkeys((m.type, m.value) for m in here))
    spent = budgets([kind for kind, _ in entities], weights)
    replacements = {
        (kind, value): draw(value, domain(kind, language), epsilon, rng)
        for (kind, value), epsilon in zip(entities, spent, strict=True)
    }
    parts, last = [], 0
    for m in here:
        parts += [text[last : m.start], replacements[m.type, m.value]]
        last = m.end
    return "".join([*parts, text[last:]]), sum(m.end - m.start for m in here)
