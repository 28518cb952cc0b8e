"""Sums up the mentions of each value in the first pass, and selects the strong values."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from functools import partial

import msgspec
import numpy as np
from msgspec.structs import replace

from linkmask.config import Settings
from linkmask.detect.lexicon import word_features
from linkmask.detect.names.users import IN_LINK
from linkmask.detect.resolve import LEARNED
from linkmask.formulas import reaches, uniqueness
from linkmask.records import Mention
from linkmask.schema import types_of
from linkmask.text.fold import folded_value

PERSONS = types_of("person")


class ValueStatistics(msgspec.Struct, array_like=True):
    """Statistics of one value over the mentions of the first pass.

    `relevance`, `score`: the largest of its mentions, both in [0, 1]; `documents`: how many hold
    it; `last`: the number of the latest of these. `surfaces`: folded spellings, with whether each
    was always written with a capital. `total`: the sum of the scores; `ruled`: another detector
    than the tagger found it, too.
    """

    value: str
    type: str
    relevance: float = 0.0
    documents: int = 0
    last: int = -1
    score: float = 0.0
    surfaces: dict[str, bool] = {}
    total: float = 0.0
    ruled: bool = False

    def add(self, mention: Mention, ordinal: int) -> None:
        """Count one mention in the document with this ordinal (documents come in order)."""
        self.documents += ordinal != self.last
        self.last = ordinal
        self.relevance = max(self.relevance, mention.relevance)
        self.score = max(self.score, mention.why.score)
        self.total += mention.why.score
        self.ruled = self.ruled or mention.why.detector != LEARNED
        surface = folded_value(mention.original)
        capital = mention.original[:1].isupper()
        self.surfaces[surface] = self.surfaces.get(surface, True) and capital


def value_statistics(
    mentions: Iterable[Mention], before: Iterable[ValueStatistics] = ()
) -> list[ValueStatistics]:
    """Sum up mentions by value and type, sorted by both; documents come one after another.

    `before`: the sums of other documents, to which these are added; they stay as they are.
    A user name in the query of a link is left out: it is looked for nowhere else.
    """
    by_value = {(one.value, one.type): one for one in before}
    ordinal, document = max((one.last for one in by_value.values()), default=-1), None
    own: set[tuple[str, str]] = set()
    for mention in mentions:
        if mention.document != document:
            ordinal, document = ordinal + 1, mention.document
        if mention.why.rule == IN_LINK:
            continue
        key = mention.value, mention.type
        if key not in own:
            was = by_value.get(key) or ValueStatistics(*key)
            by_value[key] = replace(was, surfaces=dict(was.surfaces))
            own.add(key)
        by_value[key].add(mention, ordinal)
    return [by_value[key] for key in sorted(by_value)]


def strong_values(
    statistics: Iterable[ValueStatistics], documents: int, settings: Settings
) -> list[ValueStatistics]:
    """Return the values strong enough to be looked for elsewhere (formulas.md §3.2)."""
    listed = list(statistics)
    frequency = np.array([one.documents for one in listed], dtype=np.int32)
    return [
        one
        for one, u in zip(listed, uniqueness(frequency, documents), strict=True)
        if reaches(one.relevance * u, settings.filter_strength)
    ]


def majority_types(
    statistics: Iterable[ValueStatistics], by_rule: Collection[str]
) -> dict[str, ValueStatistics]:
    """Return the words that the tagger finds as a person's and as other types, with the likeliest.

    The tagger calls a word that is strange to it a name here and a place there ("Python"); its
    scores, summed over the corpus, say what the word is. A name of several words counts for each of
    them. Words of gazetteers of names, and those that another detector found, keep the type of
    their surest find. The score returned with a value is that of the surest find of the word.

    Args:
        statistics: what the first pass says of each value.
        by_rule: the types that are masked or generalized whatever else the corpus holds. A word
            takes another type only from these: else whoever may add documents could unmask a name.
    """
    held, names = _by_word(statistics)
    found = {}
    for word, rows in held.items():
        contested = len({row.type in PERSONS for row in rows}) > 1
        if not contested or any(row.ruled for row in rows) or _is_name(word):
            continue
        likeliest = max(rows, key=partial(_weight, names=names.get(word, 0.0)))
        if likeliest.type in by_rule:
            found[word] = replace(likeliest, score=max(row.score for row in rows))
    return found


def _by_word(
    statistics: Iterable[ValueStatistics],
) -> tuple[dict[str, list[ValueStatistics]], dict[str, float]]:
    """Return the values that are spelled as one word, by word; and the names that hold a word.

    Of the latter the sum of the scores; infinity if another detector than the tagger found one.
    """
    held = dict[str, list[ValueStatistics]]()
    names = dict[str, float]()
    for one in statistics:
        for surface in one.surfaces:
            if surface.isalpha():
                held.setdefault(surface, []).append(one)
            elif one.type in PERSONS:
                for word in surface.split():
                    names[word] = names.get(word, 0.0) + (math.inf if one.ruled else one.total)
    return held, names


def _weight(row: ValueStatistics, names: float) -> tuple[float, float, str, str]:
    return row.total + (names if row.type in PERSONS else 0.0), row.score, row.type, row.value


def _is_name(word: str) -> bool:
    marks = word_features.MARKS[word.capitalize()]
    return bool(marks & (word_features.GIVEN | word_features.SURNAME))
