"""Draws masked passages to read, and computes what they prove about what is left.

Every character of every field stands in exactly one passage. Passages are drawn without repeats,
each with the same chance. From n that were read and k in which somebody found a value that should
have been masked follows an exact upper bound (Clopper and Pearson, one-sided) on the share of such
passages in the whole corpus.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

import msgspec

from linkmask.errors import UsageError
from linkmask.records import Document

PASSAGE = 300
"""Characters from which a passage is full."""
LONG = 600
"""Characters above which a line is cut at the ends of sentences, or else between words."""
CONFIDENCE = 0.95
MOST = 5_000
"""Passages of a sample at most."""

_LINE = re.compile(r"[^\n]*\n?")
_SENTENCE = re.compile(r".{200,590}?[.!?](?=\s)|.{1,590}(?=\s)|.{1,600}", re.DOTALL)

Range = tuple[str, int, int]
"""A field and a half-open range in it."""


class SampledPassage(msgspec.Struct, frozen=True):
    """A passage: its document by number, and the ranges of its fields."""

    document: int
    ranges: tuple[Range, ...]


class PassageRead(msgspec.Struct, frozen=True):
    """What was found in a passage: the types that were missed; under which plan, by whom."""

    missed: tuple[str, ...]
    plan: str
    by: str = ""
    time: str = ""


class Sample(msgspec.Struct):
    """A drawn sample: of how many passages, by which seed, and what was found by now."""

    seed: int
    population: int
    passages: list[SampledPassage]
    read: dict[int, PassageRead] = {}

    def counted(self, plan: str) -> list[PassageRead]:
        """Return the passages read under a plan; those read under another one do not count."""
        return [one for one in self.read.values() if one.plan == plan]

    def next(self, plan: str, after: int = -1) -> int | None:
        """Return the first passage behind `after`, or else the first, that is not read yet."""
        open_ = [
            n for n in range(len(self.passages)) if n not in self.read or self.read[n].plan != plan
        ]
        return next((n for n in open_ if n > after), open_[0] if open_ else None)


class Bound(msgspec.Struct, frozen=True):
    """What a sample proves: `missed` of `read` passages, and at most a share `upper` of all."""

    read: int
    missed: int
    upper: float


def bound(read: int, missed: int, confidence: float = CONFIDENCE) -> Bound:
    """Return the exact one-sided upper bound on a share.

    It is the share p at which `missed` or fewer in `read` draws have the chance 1 − confidence. Of
    draws without repeats, as here, the true confidence is higher.
    """
    from scipy.special import betaincinv

    if missed >= read:
        return Bound(read, missed, 1.0)
    return Bound(read, missed, float(betaincinv(missed + 1, read - missed, confidence)))


def bounds(reads: Iterable[PassageRead]) -> dict[str, Bound]:
    """Return the bound over all types under "", and that of each type that was missed."""
    found = list(reads)
    types = sorted({name for one in found for name in one.missed})
    every = {"": bound(len(found), sum(bool(one.missed) for one in found))}
    return every | {
        name: bound(len(found), sum(name in one.missed for one in found)) for name in types
    }


def draw(documents: Iterable[tuple[int, Document]], size: int, seed: int) -> Sample:
    """Draw a sample of the passages of numbered documents, read once.

    The same documents, size and seed give the same sample.

    Raises:
        UsageError: there is no passage, or the size is none.
    """
    if not 1 <= size <= MOST:
        raise UsageError(f"a sample has 1 to {MOST:,} passages")
    chance = random.Random(seed)  # noqa: S311 - a draw that must come again, nobody's key
    kept: list[tuple[float, int, SampledPassage]] = []
    population = 0
    for number, document in documents:
        for ranges in passages(document):
            kept.append((chance.random(), population, SampledPassage(number, ranges)))
            population += 1
        if len(kept) > 4 * size:
            kept = sorted(kept)[:size]
    if not population:
        raise UsageError("there is no text to read")
    return Sample(seed, population, [passage for *_, passage in sorted(kept)[:size]])


def passages(document: Document) -> Iterator[tuple[Range, ...]]:
    """Yield the passages of a document: lines, and whole short fields, packed until one is full."""
    held: list[Range] = []
    size = 0
    for name, text in document.fields():
        for start, end in _blocks(text):
            held.append((name, start, end))
            size += end - start
            if size >= PASSAGE:
                yield _joined(held)
                held, size = [], 0
    if held:
        yield _joined(held)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines of a text as ranges; long ones in parts."""
    for line in _LINE.finditer(text):
        start, end = line.span()
        if end - start <= LONG:
            if end > start:
                yield start, end
            continue
        while end - start > LONG:
            cut = _SENTENCE.match(text, start, end)
            at = cut.end() if cut else end
            yield start, at
            start = at
        yield start, end


def _joined(held: list[Range]) -> tuple[Range, ...]:
    """Join ranges of one field that touch."""
    joined: list[Range] = []
    for name, start, end in held:
        if joined and joined[-1][0] == name and joined[-1][2] == start:
            joined[-1] = (name, joined[-1][1], end)
        else:
            joined.append((name, start, end))
    return tuple(joined)
