"""Selects the values of stage 1 that stage 2 shows, without relevance (formulas.md §3.2–3.4).

The filters choose over the whole corpus (`select`). A list of thousands makes models skip values
and costs as much again for each document, so by default a document is shown the chosen values that
share enough words with it (`llm_existing = "near"`); the thesis shows all ("corpus").
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from linkmask.choices import LANGUAGES
from linkmask.config import Settings
from linkmask.detect.corpus_pass.statistics import ValueStatistics, strong_values, value_statistics
from linkmask.detect.prompted.prompts import ValueRows
from linkmask.llm.token_estimate import estimated_tokens
from linkmask.records import Mention, entity_id
from linkmask.schema import words
from linkmask.text.fold import lower

SHARE = 0.5
"""Share of a value's words that a document must hold to be shown the value."""
COMMON = 1000
"""A word in more values than this says nothing."""

_WORD = re.compile(r"\w+")
_SMALL = frozenset(
    word
    for language in LANGUAGES
    for word in words("languages")["function_words"][language].split()
)


@dataclass(frozen=True)
class Existing:
    """The chosen values, the most relevant first, and which of them hold a word."""

    rows: ValueRows
    words: list[frozenset[str]]
    holding: dict[str, list[int]] = field(default_factory=dict)

    def near(self, text: str, settings: Settings, most: int) -> tuple[ValueRows, int]:
        """Return the values to show with a text, within `most` tokens, and how many are left out.

        The least relevant values are left out first.
        """
        numbers: Sequence[int] = range(len(self.rows))
        if settings.llm_existing == "near":
            shared = Counter(n for word in words_of(text) for n in self.holding.get(word, ()))
            numbers = sorted(n for n in shared if shared[n] >= SHARE * len(self.words[n]))
        costs = (estimated_tokens(json.dumps(self.rows[n], ensure_ascii=False)) for n in numbers)
        shown = bisect_right(list(accumulate(costs)), most)
        return [self.rows[n] for n in numbers[:shown]], len(numbers) - shown


def existing(mentions: Iterable[Mention], documents: int, settings: Settings) -> Existing:
    """Choose among the values of stage 1 (documents one after another) what stage 2 is shown."""
    chosen = sorted(select(value_statistics(mentions), documents, settings), key=_weightiest)
    rows = [(one.value, one.type) for one in chosen]
    words = [words_of(value) for value, _ in rows]
    holding: dict[str, list[int]] = defaultdict(list)
    for number, own in enumerate(words):
        for word in own:
            holding[word].append(number)
    distinctive = {word: numbers for word, numbers in holding.items() if len(numbers) <= COMMON}
    return Existing(rows, words, distinctive)


def select(
    statistics: Iterable[ValueStatistics], documents: int, settings: Settings
) -> list[ValueStatistics]:
    """Apply strength, type filter and top-k, in this order (formulas.md §3.2–3.4).

    Type and number bound a list that a model reads beside the text; what only looks for values
    needs neither.
    """
    hidden = settings.direct_types if settings.type_filter else frozenset()
    kept = [one for one in strong_values(statistics, documents, settings) if one.type not in hidden]
    if not settings.top_k:
        return kept
    sign, key = TOP_K[settings.top_k_by]
    ranked = sorted(kept, key=lambda t: (sign * key(t), entity_id(t.value, t.type)))
    return ranked[: settings.top_k]


TOP_K: Mapping[str, tuple[int, Callable[[ValueStatistics], float]]] = {
    "most_relevant": (-1, lambda one: one.relevance),
    "least_relevant": (1, lambda one: one.relevance),
    "most_recent": (-1, lambda one: one.last),
}
"""Strategy → sign and key to sort by; ties by entity id."""


def _weightiest(one: ValueStatistics) -> tuple[float, str]:
    return -one.relevance, entity_id(one.value, one.type)


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that tell something: numbers, and words of three letters on."""
    words = frozenset(_WORD.findall(lower(text)))
    distinctive = frozenset(w for w in words if w[0].isdigit() or len(w) > 2) - _SMALL
    return distinctive or words
