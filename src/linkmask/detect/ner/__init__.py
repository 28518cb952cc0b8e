"""Recognizes values by the tagger: names, bodies, places, conditions, treatments, dates, facts.

`training/train.py` makes the weights (`model.npz`); docs/model.md says from which data. The tagger
fills what rules and lists leave open: see `resolve.rank`.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from linkmask.detect.candidates import Candidate, Scope, together
from linkmask.detect.lexicon.listed_names import listed
from linkmask.detect.lexicon.name_words import is_verb_or_function_word
from linkmask.detect.lexicon.word_features import FEATURES, GIVEN, PLACE
from linkmask.detect.ner import boundaries, code_owner, features
from linkmask.detect.ner.model import Span, shipped
from linkmask.detect.patterns.date_triggers import score
from linkmask.detect.structured.fields import is_label
from linkmask.detect.written_masks import with_stand_ins
from linkmask.schema import MASK, types
from linkmask.text.letters import word_key

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

_APOSTROPHES, _TAILS = frozenset("'’"), frozenset("s t d m ll re ve".split())
"""What stands behind an apostrophe at the end of a word, where no find begins: "don't lift"."""

TITLE = 3
"""Letters of a word up to which it may be a title: "Mrs dupont" ends where it ends."""

WORDS = 100
"""Words of a find, at most: a longer one is read as several, so that no repair of its edges goes
over all of a text that says one thing over and over."""

REACH = 3
"""Words to either side of a find of `NEAR_NO_MASK` in which there must be no mask."""

NEAR_NO_MASK = frozenset(TABLES["lists"]["near_no_mask"])
"""Labels that are not believed beside a mask: what they stand on may be what was masked."""


def find(text: str, scope: Scope) -> list[Candidate]:
    """Return the spans that the tagger finds, family by family, in linear time."""
    return finds([(text, scope)])[0]


def finds(read: Iterable[tuple[str, Scope]]) -> list[list[Candidate]]:
    """Return the result of `find` for each text; short texts read together take half the time."""
    texts = [text for text, _ in read]
    return [found for row in together(texts) for found in _together(texts[row])]


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
        moved = ((first + i, first + j, label, sure) for i, j, label, sure in _bounded(tagged))
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


def _bounded(spans: Iterable[Span]) -> Iterator[Span]:
    for first, last, label, sure in spans:
        for at in range(first, last, WORDS):
            yield at, min(at + WORDS, last), label, sure


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
    for first, j, label, sure in _bounded(spans):
        i = first
        if label not in TYPES:
            continue
        entity_type, most = TYPES[label]
        last = j - 1
        while i < j and split[i] in _TAILS and i and split[i - 1] in _APOSTROPHES:
            i += 1
        if i == j:
            continue
        if label == types.NAME:
            if split[last].islower():
                last = i + words_of_name(split[i:j]) - 1
            while last > i and not split[last][-1].isalnum():
                last -= 1  # what stood before a word that was left out
        start, end = starts[i] - offset, ends[last] - offset
        if masks and label in NEAR_NO_MASK:
            around = starts[max(i - REACH, 0)], ends[min(j + REACH, len(ends)) - 1]
            if _beside(masks, around[0] - offset, around[1] - offset):
                continue
        if label == "QUANTITY" and sum(map(str.isdigit, text[start:end])) < FIGURES:
            continue
        if masks:
            start, end = boundaries.without_outer_marks(text, start, end)
        bracket = text.rfind("(", start + 1, end)
        if bracket > 0 and ")" not in text[bracket : end + text[bracket + 1].isalpha()]:
            start, end = boundaries.without_outer_marks(
                text, start, bracket
            )  # "Lakeside Oncology (18mi radius"
        if entity_type == types.EVENT_DATE:
            end = boundaries.before_touching_word(text, start, end)
        if entity_type == types.EVENT_DATE and "/" in text[start:end] and score(text, start, end):
            continue  # "6/10"
        if entity_type in boundaries.NUMBERS and code_owner.is_of_catalogue(text, start, end):
            continue
        if entity_type == code_owner.THING:
            entity_type = code_owner.code_type(text, start, end)
            if not entity_type:
                continue
        believed = round(min(sure, most), 3)
        for at, to in boundaries.split_at_boundaries(text, start, end, entity_type):
            if at >= to or boundaries.cannot_be(text, at, to, label, sure):
                continue
            if is_label(text[at:to]):
                continue
            yield Candidate(at, to, entity_type, "ner", label.lower(), believed)


def _beside(masks: list[tuple[int, int]], start: int, end: int) -> bool:
    """Does a mask lie in [start, end)? `masks` are sorted and disjoint."""
    at = bisect_left(masks, (end, 0))
    return bool(at and masks[at - 1][1] > start)


def words_of_name(name: list[str]) -> int:
    """Return how many words a name has without small ones behind: "Maëlle Kerbrat viendra".

    Behind a single word with a capital they are none of it if this is a surname alone, and no list
    has them as names: "Achterberg belde". Elsewhere, verbs and function words are none of it.
    """
    at = max((n for n, word in enumerate(name) if not word.islower()), default=0)
    capital = [word for word in name[: at + 1] if word.istitle() and len(word) > TITLE]
    if len(capital) == 1 and _is_surname_alone(capital[0]):
        return max(n for n, word in enumerate(name) if n <= at or _is_name(word)) + 1
    if len(capital) > 1:
        return at + 1
    end = len(name)
    while end > at + 1 and is_verb_or_function_word(name[end - 1]):
        end -= 1  # "frost rang", "kaur had"
    return end


def _is_name(word: str) -> bool:
    one = listed(word_key(word))
    return one.given + one.surname > 0


def _is_surname_alone(word: str) -> bool:
    """Tell whether the gazetteer has a word as a surname, and nothing has it as another name."""
    one = listed(word_key(word))
    return one.surname > 0 == one.given and not FEATURES[word] & (GIVEN | PLACE)
