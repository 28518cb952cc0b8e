"""Finds the words of a document that a language uses least, as mentions of type RARE_TERM.

Whoever holds public texts finds a document's person by such words, whether or not they are values
that a detector finds. The words that a language uses least are masked until a stated share of the
document's words is left: first those with a capital letter or a digit that are not of everyday,
then those that are in no list of words, then others from the rarest on.

Each document is treated by itself, so its masks tell nothing about other documents.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from linkmask.config import Settings
from linkmask.detect.lexicon.everyday import frequent_words, occurrences
from linkmask.graph.linkage.terms import WORD
from linkmask.pipeline.linkage.readable_words import (
    EVERYDAY,
    ChosenBy,
    Place,
    Places,
    blank,
    left_by_rules,
    words_of_document,
)
from linkmask.records import Document, Masked, Mention, Why

WHY = Why("linkage", "rare in the language")


def surprising_words(settings: Settings) -> ChosenBy:
    """Return what chooses these words of a document; one in which nothing was found stays whole."""

    def chosen(document: Document, mentions: Sequence[Mention]) -> tuple[Places, set[str]]:
        if not mentions:
            return {}, set()
        own = words_of_document(document, mentions, settings)
        whole = _count(text for _, text in left_by_rules(document, (), settings))
        readable = _count(text for _, text in left_by_rules(document, mentions, settings))
        return own, surprising(own, readable - math.floor(settings.readable_share * whole))

    return chosen


def readable_share(masked: Masked, settings: Settings) -> float:
    """Return the share of the words of a document's texts that stand under no mask, in [0, 1]."""
    hidden: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for one in masked.replacements:
        hidden[one.field].append((one.start, one.end))
    texts = dict(left_by_rules(masked.original, (), settings))
    whole = _count(texts.values())
    readable = _count(blank(text, hidden[field]) for field, text in texts.items())
    return readable / whole if whole else 0.0


def surprising(words: Places, count: int) -> set[str]:
    """Return the words that a language uses least, which stand in `count` places or a few more.

    Args:
        words: those that may be masked, and where they stand.
    """
    chosen = set[str]()
    for word in sorted(words, key=lambda word: _order(word, words[word])):
        if count <= 0:
            break
        chosen.add(word)
        count -= len(words[word])
    return chosen


def _order(word: str, places: list[Place]) -> tuple[bool, float, int, int, str]:
    """Return what words are sorted by, those that are masked first before others.

    Of words that are used as often, those in the fewest places come first: each tells as much, and
    costs fewer masks.
    """
    named = any(spelling[0].isupper() for *_, spelling in places) or any(map(str.isdigit, word))
    ordinary = not named or word in frequent_words(EVERYDAY)
    return ordinary, occurrences().get(word, 0.0), len(places), -len(word), word


def _count(texts: Iterable[str]) -> int:
    return sum(len(WORD.findall(text)) for text in texts)
