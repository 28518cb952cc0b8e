"""Finds the values of rows in a document, and unites the mentions of two readings of it.

A first search folds case, white space, hyphens and quotation marks. If it finds nothing, a second
one removes them and accents, and reads look-alike letters as Latin: "follow-\\nup" is "followup".
Both match whole words only. A value that neither finds is not in the text.

Two rules limit the harm of a prompt injection: the model cannot remove what the rules found
(`beside`), and a longer span of a low-weight type cannot swallow shorter ones of higher weight.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from msgspec.structs import replace

from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.corpus_pass.vocabulary import is_whole_word
from linkmask.detect.prompted.answer_rows import AnswerEntry
from linkmask.detect.resolve import BY_CORPUS, merge
from linkmask.detect.view.readings import Reading, schema_weights
from linkmask.detect.written_masks import outside_earlier_masks
from linkmask.records import CONTENT, Document, Mention, Why
from linkmask.text.fold import fold, folded_value
from linkmask.text.view import TextView, each_character

DETECTOR = "llm"
SURE = 0.8
"""Confidence of a model's finding: above a guess of the lexicon, below what is certain by form."""

RANKED = frozenset({"patterns", BY_CORPUS})
"""Detectors that `merge` tells from others; the spans of all others are whole by now, and equal."""

Span = tuple[str, int, int, str]
"""Field, start, end, type."""


def mentions(
    document: Document,
    readings: Sequence[Reading],
    entries: Iterable[AnswerEntry],
    settings: Settings,
    value_of: Callable[[str, str], str],
    rule: str,
    dropped: Counter[str],
) -> list[Mention]:
    """Return the mentions that a model's entries are, disjoint, by field and start.

    Every place of a value in the document is one. `value_of(type, normalized)` brings values to
    the form that all detectors share; `rule` names prompt and version. What is not in the text is
    counted in `dropped`.
    """
    places = Places(readings)
    weights = schema_weights(settings)
    best: dict[Span, tuple[str, float]] = {}
    found: dict[str, list[Candidate]] = {}
    for entry in sorted(entries, key=lambda e: (-e.relevance, e)):
        hits = places.find(entry.original)
        if not hits:
            dropped["not in the text"] += 1
        for field, start, end in hits:
            span = field, start, end, entry.type
            if span not in best:
                best[span] = value_of(entry.type, entry.normalized), entry.relevance
                one = Candidate(start, end, entry.type, DETECTOR, rule, SURE)
                found.setdefault(field, []).append(one)
    united = []
    for reading in readings:
        own = outside_earlier_masks(reading.value, found.get(reading.field, []), weights)
        for one in merge(own, weights, settings.floor):
            value, relevance = best[reading.field, one.start, one.end, one.type]
            united.append(reading.mention(document.id, one, value, relevance))
    return united


def beside(
    patterns: Sequence[Mention],
    model: Sequence[Mention],
    settings: Settings,
    dropped: Counter[str],
) -> list[Mention]:
    """Unite what patterns and a model found: nothing that patterns saw is lost or weakened.

    A span of the model that overlaps others must be of their type, or contribute (relevance ×
    weight) at least as much as each of them, to compete with them at all; `merge` decides then.
    Where both have a span, the patterns' value stands and the larger relevance.
    """
    weights = schema_weights(settings)
    overlapped = overlaps(patterns)
    fair = []
    for mention in model:
        if all(_yields(other, mention, weights) for other in overlapped(mention)):
            fair.append(_widened(mention, overlapped(mention), settings.floor))
        else:
            dropped["weaker than what patterns saw there"] += 1
    return _joined([*patterns, *fair], settings, max)


def _widened(mention: Mention, over: Iterable[Mention], floor: Collection[str]) -> Mention:
    """Return a span of the floor's types over all of a longer one that it would win against.

    Else what lies beside it in the longer one would be lost.
    """
    for other in over:
        inside = other.start <= mention.start and mention.end <= other.end
        if inside and mention.type in floor and other.type not in floor:
            relevance = max(mention.relevance, other.relevance)
            return replace(other, type=mention.type, relevance=relevance, why=mention.why)
    return mention


def after(first: Sequence[Mention], second: Sequence[Mention], settings: Settings) -> list[Mention]:
    """Unite two stages of a model: where both name an entity, the second's relevance wins.

    Stage 2 scores again, and values that the filter did not show it are kept (formulas.md §3.5).
    """
    afresh: dict[tuple[str, str], float] = {}
    for mention in second:
        key = mention.value, mention.type
        afresh[key] = max(mention.relevance, afresh.get(key, 0.0))
    earlier = [replace(m, relevance=afresh.get((m.value, m.type), m.relevance)) for m in first]
    return _joined([*second, *earlier], settings, lambda one, other: one)


def overlaps(mentions: Iterable[Mention]) -> Callable[[Mention], Sequence[Mention]]:
    """Return what tells which of the mentions, disjoint in each field, share text with another."""
    fields: dict[str, list[Mention]] = {}
    for mention in sorted(mentions, key=lambda m: m.start):
        fields.setdefault(mention.field, []).append(mention)

    def shared(mention: Mention) -> Sequence[Mention]:
        own = fields.get(mention.field, [])
        low = bisect_right(own, mention.start, key=lambda m: m.end)
        return own[low : bisect_left(own, mention.end, key=lambda m: m.start)]

    return shared


def _yields(pattern: Mention, mention: Mention, weights: Mapping[str, float]) -> bool:
    """Tell whether a pattern's span may lose to a model's."""
    if pattern.type == mention.type:
        return True
    ours, theirs = (m.relevance * weights.get(m.type, 0.0) for m in (pattern, mention))
    return theirs >= ours


def _joined(
    everything: Sequence[Mention],
    settings: Settings,
    relevance: Callable[[float, float], float],
) -> list[Mention]:
    """Merge mentions; of two on one span the earlier gives the value, both the relevance."""
    by_span: dict[Span, Mention] = {}
    for mention in everything:
        span = mention.field, mention.start, mention.end, mention.type
        if other := by_span.get(span):
            more = relevance(other.relevance, mention.relevance)
            by_span[span] = replace(other, relevance=more)
        else:
            by_span[span] = mention
    fields: dict[str, list[Candidate]] = {}
    for mention in everything:
        why = mention.why
        detector = why.detector if why.detector in RANKED else DETECTOR
        one = Candidate(mention.start, mention.end, mention.type, detector, why.rule, why.score)
        fields.setdefault(mention.field, []).append(one)
    weights = schema_weights(settings)
    united = []
    for field, found in sorted(fields.items(), key=_content_first):
        for one in merge(found, weights, settings.floor):
            mention = by_span[field, one.start, one.end, one.type]
            why = Why(mention.why.detector, one.rule, one.score)
            united.append(replace(mention, why=why))
    return united


def _content_first(item: tuple[str, list[Candidate]]) -> tuple[bool, str]:
    return item[0] != CONTENT, item[0]


# ── places of values ──────────────────────────────────────────────────────────────────────────

LEAST = 4
"""Letters and digits that a value needs to be looked for without blanks and hyphens."""

_LATIN = dict(zip("аеорсухіјѕԁһԛԝαοεικνρτυχɑ", "aeopcyxijsdhqwaoeiknptuxa", strict=True))
"""Small letters that look like Latin ones."""
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»‹›″", '"') | {"‚": "'", "‛": "'", "′": "'"})
_AROUND = "\"'.,;:()[]{} \t\n"

Place = tuple[str, int, int]
"""Field, start and end."""


class Places:
    """One document, searched for many values."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._fields = [(one.field, one.value) for one in readings if one.value]

    @cached_property
    def _folded(self) -> list[TextView]:
        return [fold(text.translate(_QUOTES)) for _, text in self._fields]

    @cached_property
    def _bare(self) -> list[TextView]:
        return [each_character(text, _compared_as) for _, text in self._fields]

    def find(self, value: str) -> list[Place]:
        """Return every place of a value, by field and start; none if it is not in the document.

        A single word that stands somewhere as it is written is taken there only: somebody called
        Will is not in every "will".
        """
        found = list(self._as_words(value)) or list(self._as_words(value.strip(_AROUND)))
        if not found:
            return list(self._as_letters(value))
        if value.isalpha():
            texts = dict(self._fields)
            same = [(f, start, end) for f, start, end in found if texts[f][start:end] == value]
            return same or found
        return found

    def _as_words(self, value: str) -> Iterator[Place]:
        needle = folded_value(value.translate(_QUOTES))
        return self._places(needle, self._folded) if needle else iter(())

    def _as_letters(self, value: str) -> Iterator[Place]:
        needle = "".join(map(_compared_as, value))
        return self._places(needle, self._bare) if len(needle) >= LEAST else iter(())

    def _places(self, needle: str, views: Iterable[TextView]) -> Iterator[Place]:
        for (name, text), view in zip(self._fields, views, strict=True):
            for at in _each(view.text, needle):
                start, end = view.original(at, at + len(needle))
                if is_whole_word(text, start, end):
                    yield name, start, end


def _each(text: str, needle: str) -> Iterator[int]:
    """Yield where the needle stands; after each place, on from the next word."""
    at = text.find(needle)
    while at >= 0:
        yield at
        blank = text.find(" ", at + 1, at + len(needle))
        at = text.find(needle, blank if blank > 0 else at + len(needle))


@lru_cache(maxsize=1 << 12)
def _compared_as(character: str) -> str:
    """Return what a character reads as: nothing for blanks, hyphens, quotes and accents."""
    apart = unicodedata.normalize("NFKD", character).casefold()
    return "".join(
        _LATIN.get(one, one)
        for one in apart
        if unicodedata.category(one)[0] in "LN" or one in "#@+&/%$€£"
    )
