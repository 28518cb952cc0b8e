"""Computes the chances that a value is the document's person's, another's, or nobody's.

The features are the rules of relevance and those of `AttributionRules.around`. Their weights
(`attribution.toml`, made by training/relevance.py) give two logits, one for the person and one for
another; nobody's is 0.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from linkmask.detect.candidates import Candidate
from linkmask.detect.relevance.discourse import DocumentContext
from linkmask.detect.relevance.rules import rules_by_span

FILE = Path(__file__).with_name("attribution.toml")

Table = Mapping[str, Sequence[float]]


class Attribution(NamedTuple):
    """The chances, in [0, 1], that a value is the person's, another's or nobody's; in all 1."""

    person: float
    other: float
    nobody: float

    def __str__(self) -> str:
        return (
            f"the person's {self.person:.2f}, another's {self.other:.2f}, "
            f"nobody's {self.nobody:.2f}"
        )


@cache
def tables() -> Mapping[str, Table]:
    """Return, for all types and for each, rule → what it adds to the two sums."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def attributions(
    text: str, found: Sequence[Candidate], context: DocumentContext
) -> list[Attribution]:
    """Return the chances (`Attribution`) of each span of one text, sorted by start."""
    known = tables()
    rules_of = rules_by_span(text, found, replace(context, relevance="whose"))
    chances = []
    for one, (common, own) in zip(found, rules_of, strict=True):
        added = known.get(one.type, {})
        rows = [
            table[rule]
            for rule in (*common, *own)
            for table in (known["all"], added)
            if rule in table
        ]
        chances.append(softmax(sum(row[0] for row in rows), sum(row[1] for row in rows)))
    return chances


def softmax(person: float, other: float) -> Attribution:
    """Return the chances of two sums and of nobody's, 0."""
    top = max(person, other, 0.0)
    shares = [math.exp(one - top) for one in (person, other, 0.0)]
    return Attribution(*(share / sum(shares) for share in shares))
