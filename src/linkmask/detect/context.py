"""The second pass (SPEC §4.4) without a model: a value found anywhere is looked for everywhere.

A value that looked harmless alone gains weight when it recurs: a study names a hospital and a
condition, another document names a patient there. What the search of the corpus's vocabulary finds
in a document is merged with the first pass, spellings take the type and value they have in the
corpus, and every mention is scored afresh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from linkmask.config import Settings
from linkmask.detect.fold import folded
from linkmask.detect.found import Found
from linkmask.detect.merge import merge
from linkmask.detect.reading import day_first, readings, scope_of, unmasked
from linkmask.detect.relevance import about, score
from linkmask.detect.vocabulary import Vocabulary
from linkmask.records import Document, Mention, Why
from linkmask.schema import load as load_schema

Resolve = Callable[[str, str], str]
"""`resolve(entity_type, value)`: the value that an unambiguous alias stands for, else itself."""


def second_pass(
    document: Document,
    found: Iterable[Mention],
    words: Vocabulary,
    settings: Settings,
    canonical: Callable[..., str],
    resolve: Resolve | None = None,
) -> list[Mention]:
    """Return the document's mentions with what the corpus knows, scored afresh.

    `found`: the document's mentions of the first pass. With `settings.merge` "union" they stay
    (SPEC §4.4 [R]), with "stage2_only" only what the vocabulary holds does. A spelling that the
    corpus holds for another type takes that type. Disjoint, sorted by field and start.
    """
    scope = scope_of(document, settings)
    weights = load_schema(settings.schema).with_weights(settings.weights).weights
    person = about(document, scope.language)
    first: dict[str, list[Mention]] = {}
    for mention in found:
        first.setdefault(mention.field, []).append(mention)
    mentions: list[Mention] = []
    for reading in readings(document, settings):
        known = [_retyped(mention, words) for mention in first.get(reading.field, [])]
        values = {(m.start, m.end, m.type): m.value for m in known}
        spans = [*unmasked(reading.value, words.search(reading.value), weights)]
        if settings.merge == "union":
            spans += [_found(mention) for mention in known]
        chosen = merge(spans, weights)
        placed = [reading.out_of(one) for one in chosen]
        relevances = score(reading.text, placed, person)
        for one, relevance in zip(chosen, relevances, strict=True):
            original = reading.value[one.start : one.end]
            value = values.get((one.start, one.end, one.type))
            if value is None:
                entry = words.entries.get(folded(original))
                value = (
                    entry.value
                    if entry
                    else canonical(one.type, original, day_first=day_first(scope))
                )
            mentions.append(
                Mention(
                    document.id,
                    reading.field,
                    one.start,
                    one.end,
                    one.type,
                    original,
                    resolve(one.type, value) if resolve else value,
                    relevance,
                    Why(one.detector, one.rule, one.score),
                )
            )
    return mentions


def _retyped(mention: Mention, words: Vocabulary) -> Mention:
    """Give a mention the type its spelling has in the corpus, if that is at least as sure."""
    entry = words.entries.get(folded(mention.original))
    if not entry or entry.type == mention.type or entry.score < mention.why.score:
        return mention
    return replace(mention, type=entry.type, value=entry.value)


def _found(mention: Mention) -> Found:
    why = mention.why
    return Found(mention.start, mention.end, mention.type, why.detector, why.rule, why.score)
