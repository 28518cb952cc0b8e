"""Recognizes values by the tagger: names, bodies, places, conditions, treatments, dates, facts.

`training/train.py` makes the weights (`model.npz`); docs/model.md says from which data. The tagger
proposes its spans with other ends and other types; the resolver chooses (`resolve.py`).
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.fields import is_label
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.masks import MASK, with_stand_ins
from linkmask.detect.ner import code_owner, features
from linkmask.detect.ner.alternatives import (
    MEANT,
    before_touching_word,
    is_no_term,
    span_alternatives,
)
from linkmask.detect.ner.model import Span, shipped
from linkmask.detect.ner.propagation import repeated_mentions
from linkmask.detect.patterns.date_triggers import score
from linkmask.schema import types, types_of

TABLES = tomllib.loads(Path(__file__).with_name("labels.toml").read_text("utf-8"))
TYPES: Mapping[str, tuple[str, float]] = {
    label: (entity_type, most) for label, (entity_type, most) in TABLES["types"].items()
}
"""Label of the model → type, and the most its confidence counts; others are not used.

Of quantities only those with some figures count (`FIGURES`)."""

FIGURES = 3
"""Digits of a quantity that may tell of a person: "EUR 442,573.13", not "three weeks" or "33%"."""

BLOCK = 20_000
"""Words of a long text read together."""

AROUND = 200
"""Words on both sides of a block that are read with it. What is found must not hang on where it
ends: that moves when something far before it is masked."""

TOGETHER = 25_000
"""Characters of short texts read together: their words stay in the processor's cache."""

_APOSTROPHES, _TAILS = frozenset("'’"), frozenset("s t d m ll re ve".split())
"""What stands behind an apostrophe at the end of a word, where no find begins: "don't lift"."""

NUMBERS = frozenset({types.NON_PERSONAL_ID, types.PATIENT_ID})
"""Types of numbers: no part without a digit is one."""

PLACED = types_of("person", "place", "organization", "provider", "address")
"""Types for which the tagger takes words of a form: "Courriel :", "Insurance Company:"."""

_WORD = re.compile(r"\w+")
_FIELD_END = re.compile(
    r"(?: [a-zß-ÿ]{2,12}){0,2}(?: ?\([^()\n]{1,12}\))?[ \t]{0,4}(?:\.?[:|\t]|(?<=\w)>)"
)
REACH_OF_LABEL = 12
"""Characters before a value in which its label ends."""

CLEAR = 0.8
"""How sure the tagger must be of a label to mean no other type."""

IDEOGRAM = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]")
"""A character that is a word of its own: an ideogram, a syllable of Korean."""
FEW = 12
"""Characters of a text that may say nothing."""

LEAST_CODE = 0.02
"""A code less sure than this is none: "BP 148/92"."""

_NO_CODE = re.compile(r"[\t|][0-9]{1,2}$|[^\w.,/-][0-9]{1,3}(?:[ ,.'’][0-9]{3}){0,3}[.,][0-9]{2}$")
"""What is no number of anybody: an age in a table, an amount."""

CLINICAL = types_of("clinical")
"""Types whose values are terms of whole words."""

IDEOGRAM = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]")
"""A character that is a word of its own: an ideogram, a syllable of Korean."""
FEW = 12
"""Characters of a text that may say nothing."""

LEAST_CODE = 0.02
"""A code less sure than this is none: "BP 148/92"."""

_NO_CODE = re.compile(r"[\t|][0-9]{1,2}$|[^\w.,/-][0-9]{1,3}(?:[ ,.'’][0-9]{3}){0,3}[.,][0-9]{2}$")
"""What is no number of anybody: an age in a table, an amount."""

CLINICAL = types_of("clinical")
"""Types whose values are terms of whole words."""

IDEOGRAM = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]")
"""A character that is a word of its own: an ideogram, a syllable of Korean."""

REACH = 3
"""Words to either side of a find of `NEAR_NO_MASK` in which there must be no mask."""

NEAR_NO_MASK = frozenset(TABLES["lists"]["near_no_mask"])
"""Labels that are not believed beside a mask: what they stand on may be what was masked."""


def find(text: str, scope: Scope) -> list[Candidate]:
    """Return the spans that the tagger finds, family by family, in linear time."""
    return finds([(text, scope)])[0]


def finds(read: Iterable[tuple[str, Scope]]) -> list[list[Candidate]]:
    """Return the result of `find` for each text; short texts read together take half the time."""
    seen: list[list[Candidate]] = []
    together: list[str] = []
    size = 0
    for text, _ in read:
        if together and size + len(text) > TOGETHER:
            seen += _together(together)
            together, size = [], 0
        together.append(text)
        size += len(text) + 1
    return [*seen, *_together(together)]


def _together(texts: list[str]) -> Iterator[list[Candidate]]:
    """Yield what is seen in each of some texts: several of no more than a block, or one."""
    masks = [[m.span() for m in MASK.finditer(text)] if "[" in text else [] for text in texts]
    read = list(map(with_stand_ins, texts))
    split, starts, ends = features.split(_BETWEEN.join(["", *read, ""]))
    rows = []
    first, offset = len(_BETWEEN), len(_BETWEEN)
    for text in texts:
        last = bisect_left(starts, offset + len(text), first)
        rows.append((split[first:last], starts[first:last], ends[first:last], offset))
        first, offset = last + len(_BETWEEN), offset + len(text) + len(_BETWEEN)
    if len(texts) == 1:
        tagged = [_in_blocks(rows[0][0])]
    else:
        tagged = shipped().read(split, [len(row[0]) for row in rows])
    for text, found, row, spans in zip(texts, masks, rows, tagged, strict=True):
        yield list(_of_text(text, found, *row, spans))


_STOPS = frozenset(".?!;")
"""Words that end a sentence, or nearly do."""

_BETWEEN = 2 * features.BORDER
"""What the model sees between two texts and around them."""


def _in_blocks(split: list[str]) -> list[Span]:
    spans = []
    for start, end in _blocks(split):
        first = max(start - AROUND, 0)
        tagged = shipped().tag(split[first : end + AROUND])
        moved = ((first + i, first + j, label, sure) for i, j, label, sure in tagged)
        spans += [one for one in moved if start <= one[0] < end]
    return spans


def _blocks(split: list[str]) -> Iterator[tuple[int, int]]:
    """Yield [start, end) of blocks that cover a text; each ends with a sentence where it can."""
    start = 0
    while len(split) - start > BLOCK:
        most = start + BLOCK
        ends = (end for end in range(most, start + BLOCK // 2, -1) if split[end - 1] in _STOPS)
        end = next(ends, most)
        yield start, end
        start = end
    yield start, len(split)


def _of_text(
    text: str,
    masks: list[tuple[int, int]],
    split: list[str],
    starts: list[int],
    ends: list[int],
    offset: int,
    spans: list[Span],
) -> Iterator[Candidate]:
    """Yield the tagger's spans as candidates.

    `starts`, `ends`: offsets of the words in the joined texts, in which this text begins at
    `offset`.
    """
    for first, after, label, sure in (*spans, *repeated_mentions(split, spans)):
        if label not in TYPES:
            continue
        i, (kind, most) = first, TYPES[label]
        while i < after and split[i] in _TAILS and i and split[i - 1] in _APOSTROPHES:
            i += 1
        if i == after:
            continue
        start, end = starts[i] - offset, ends[after - 1] - offset
        if masks and label in NEAR_NO_MASK:
            around = starts[max(i - REACH, 0)], ends[min(after + REACH, len(ends)) - 1]
            if _beside(masks, around[0] - offset, around[1] - offset):
                continue
        if label == "QUANTITY" and sum(map(str.isdigit, text[start:end])) < FIGURES:
            continue
        if kind == types.EVENT_DATE:
            end = before_touching_word(text, start, end)
            if "/" in text[start:end] and score(text, start, end):
                continue  # "6/10"
        believed = round(min(sure, most), 3)
        for at, to in span_alternatives(text, start, end, kind in CLINICAL):
            if kind in NUMBERS and to - at < end - start and not any(map(str.isdigit, text[at:to])):
                continue
            for meant in _meant(text, at, to, label, kind, sure):
                yield Candidate(at, to, meant, "ner", label.lower(), believed)


def _meant(text: str, start: int, end: int, label: str, kind: str, sure: float) -> Sequence[str]:
    """Return the types that a span of a label may have; none where it cannot be a value."""
    value = text[start:end]
    if is_label(value) or (len(value) == 1 and _says_nothing(text, start)):
        return ()
    if kind in NUMBERS:
        weak = label == "CODE" and sure < LEAST_CODE
        if weak or _NO_CODE.match(text, start - 1, end) or code_owner.is_nobodys(text, start, end):
            return ()
        kind = code_owner.code_type(text, start, end) if kind == code_owner.THING else kind
        return (kind,) if kind else ()
    if label in CLINICAL and is_no_term(text, start, end):
        return ()
    if kind == types.ADDRESS and code_owner.is_year_of_no_address(text, start, end):
        return ()
    if kind in PLACED and _is_of_form(text, start, end):
        return ()
    return MEANT.get(label, (kind,)) if sure < CLEAR else (kind,)


def _is_of_form(text: str, start: int, end: int) -> bool:
    """Is a span a form's label ("Courriel :", "<nino>"), or does it say "none" behind one?

    A word that is also a listed name is a label only in a tag.
    """
    before = text[max(start - REACH_OF_LABEL, 0) : start].rstrip(" \t*_")
    if before[-1:] in {":", "=", "|"} and w.no_value(text[start:end]):
        return True
    marks = [w.MARKS[word] for word in _WORD.findall(text, start, end)]
    if not all(m & w.FIELD for m in marks) or not _FIELD_END.match(text, end):
        return False
    return before[-1:] in {"<", "/"} or not any(m & (w.GIVEN | w.SURNAME) for m in marks)


def _beside(masks: list[tuple[int, int]], start: int, end: int) -> bool:
    """Does a mask lie in [start, end)? `masks` are sorted and disjoint."""
    at = bisect_left(masks, (end, 0))
    return bool(at and masks[at - 1][1] > start)


def _says_nothing(text: str, at: int) -> bool:
    """Is one character a small letter, or all that a text says: "file name: a", "7"?"""
    few = len(text) < FEW and sum(map(str.isalnum, text)) == 1
    return text[at].islower() or (few and not IDEOGRAM.match(text[at]))
