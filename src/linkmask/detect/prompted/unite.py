"""Turns rows into mentions, and unites the mentions of two readings of a document.

Two rules limit the harm of a prompt injection: the model cannot remove what the rules found
(`beside`), and a longer span of a low-weight type cannot swallow shorter ones of higher weight.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.prompted.answer_rows import AnswerEntry
from linkmask.detect.prompted.value_places import Places
from linkmask.detect.resolve import BY_CORPUS, merge
from linkmask.detect.view.readings import Reading, schema_weights
from linkmask.detect.written_masks import outside_earlier_masks
from linkmask.records import CONTENT, Document, Mention, Why

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
