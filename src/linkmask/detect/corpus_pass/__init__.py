"""Runs the corpus pass without a model: a value found anywhere is searched for everywhere.

formulas.md §3 states the rules of both passes.

A value that looks harmless in one document gains weight when it recurs: a study names a hospital
and a condition, and another document names a patient there. The matches of the corpus's vocabulary
in a document are merged with the first pass, spellings take the type and value they have in the
corpus, and every mention is scored again.

statistics   what the first pass says of each value, over the corpus
selection    the values that are searched for everywhere, and their spellings
triggers     spellings that are too common to stand alone, and the context that they need
vocabulary   the search for all spellings in a text
entry_rows   the entries of many spellings in little memory, also as they are kept in a run
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from itertools import chain

from msgspec.structs import replace

from linkmask.config import Settings
from linkmask.detect.budget import Budget
from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.corpus_pass.vocabulary import Vocabulary
from linkmask.detect.names.extent import with_whole_names
from linkmask.detect.patterns.own import own_recognizers, without_kept
from linkmask.detect.relevance import score
from linkmask.detect.relevance.discourse import DocumentContext, document_context
from linkmask.detect.resolve import LEARNED, merge
from linkmask.detect.resolve.bounds import bounded
from linkmask.detect.resolve.rests import with_rests
from linkmask.detect.view.readings import (
    Reading,
    beside_added,
    day_first,
    readings,
    schema_weights,
    scope_of,
)
from linkmask.detect.written_masks import outside_earlier_masks
from linkmask.records import Document, Mention
from linkmask.schema import types_of
from linkmask.text.fold import folded_value
from linkmask.text.message_form import outside_counted

Person = tuple[str, str] | None
Resolve = Callable[[str, str], tuple[str, str, Person]]
"""`resolve(entity_type, value)`: type and value that an unambiguous alias stands for, or what was
given; and type and value of the person whom the value also names."""


def run_corpus_pass(
    document: Document,
    found: Iterable[Mention],
    words: Vocabulary,
    settings: Settings,
    canonical: Callable[..., str],
    resolve: Resolve | None = None,
) -> list[Mention]:
    """Return the document's mentions with what the corpus knows, scored afresh.

    `found`: the document's mentions of the first pass, which stay: this pass looks for listed
    values and can find nothing else (formulas.md §3.5). A spelling that the corpus holds for
    another type takes that type. Disjoint, sorted by field and start.

    Raises:
        TooMuchWork: the document takes more than `max_work` allows.
    """
    own = own_recognizers(settings)
    budget = Budget(document, settings.max_work)
    weights, by_rule = schema_weights(settings), settings.masked_by_rule
    first: dict[str, list[Mention]] = {}
    for mention in found:
        first.setdefault(mention.field, []).append(mention)
    person: DocumentContext | None = None
    mentions: list[Mention] = []
    for reading in readings(document, settings):
        given = first.get(reading.field, [])
        budget.listed(given)
        hits = list(budget.found(words.search(reading.value)))
        if not given and not hits:
            continue
        known = [_retyped(mention, words, settings.floor, by_rule) for mention in given]
        standing = [reading.candidate(mention) for mention in known]
        hits = outside_earlier_masks(reading.value, hits, weights)
        hits = outside_counted(reading.value, hits, types_of("exchange"))
        if own and own.keeps:
            hits = without_kept(hits, own.allowed(reading.value, scope_of(document, settings)))
        if known == given and not _news(hits, standing, settings.floor):
            mentions += known  # the same spans in the same text: scored afresh they score the same
            continue
        person = person or document_context(
            document, scope_of(document, settings), settings.relevance
        )
        merged = merge(_with_joined_names(standing, hits), weights, settings.floor)
        direct = (one for one in standing if one.type in settings.direct_types)
        merged = with_rests(reading.value, merged, direct, every=True)
        language, foreign = person.scope.language, person.register.foreign
        merged = with_whole_names(reading.value, merged, language, foreign)
        bound = list(bounded(reading.value, merged))
        only_added = reading._replace(labels=document.labels - document.repeated)
        spans = beside_added(only_added, bound, len(reading.label))
        values = {one[:3]: mention.value for one, mention in zip(standing, known, strict=True)}
        relevances = score(reading.text, list(map(reading.behind_label, spans)), person)
        for one, relevance in zip(spans, relevances, strict=True):
            value = values.get(one[:3])
            if value is None:
                value = _value(one, reading, words, person.scope, canonical)
            mentions.append(reading.mention(document.id, one, value, relevance))
    return resolved(mentions, resolve) if resolve else mentions


def _with_joined_names(found: Sequence[Candidate], hits: Sequence[Candidate]) -> list[Candidate]:
    """Return finds of both passes, with a name that the corpus knows in place of its parts.

    "Varga, Elise MD" is one name where another document has Elise Varga, and not two. The name
    reaches as far as the parts do.
    """
    starts = [one.start for one in found]
    joined: dict[Candidate, Sequence[Candidate]] = {}
    for hit in hits:
        parts = found[bisect_left(starts, hit.start) : bisect_left(starts, hit.end)]
        alike = hit.type in types_of("person") and all(one.type == hit.type for one in parts)
        if alike and len(parts) > 1:
            joined[hit._replace(end=max(hit.end, parts[-1].end))] = parts
    gone = set(chain.from_iterable(joined.values()))
    return [*hits, *joined, *(one for one in found if one not in gone)]


def resolved(mentions: Iterable[Mention], resolve: Resolve) -> list[Mention]:
    """Return mentions with the types and values that their aliases stand for."""
    meant = cache(resolve)  # a long document holds a value many times
    found = ((mention, meant(mention.type, mention.value)) for mention in mentions)
    return [
        one
        if (one.type, one.value, one.person) == (of, value, person)
        else replace(one, type=of, value=value, person=person)
        for one, (of, value, person) in found
    ]


def _news(hits: Iterable[Candidate], known: Sequence[Candidate], floor: Collection[str]) -> bool:
    """Tell whether a hit covers more than the known mentions, which are disjoint and sorted.

    Inside a mention of another type by the model, a value that is always masked counts, too. A
    name does so only if the model is less sure: its mention may be a clinic's whole name.
    """
    starts = [one.start for one in known]
    for hit in hits:
        at = bisect_right(starts, hit.start) - 1
        if at < 0 or known[at].end < hit.end:
            return True
        if known[at].detector != LEARNED or known[at].type == hit.type:
            continue
        if hit.type in types_of("person"):
            if known[at].score < hit.score:
                return True
        elif hit.type in floor and known[at].type not in floor:
            return True
    return False


def _value(
    one: Candidate,
    reading: Reading,
    words: Vocabulary,
    scope: Scope,
    canonical: Callable[..., str],
) -> str:
    """Return the value that a spelling has in the corpus, else its own."""
    original = reading.value[one.start : one.end]
    if entry := words.entries.get(folded_value(original)):
        return entry.value
    return canonical(one.type, original, day_first=day_first(scope))


def _retyped(
    mention: Mention, words: Vocabulary, floor: Collection[str], by_rule: Collection[str]
) -> Mention:
    """Give a mention the type its spelling has in the corpus, if that is at least as sure.

    What is always masked stays so, whatever other documents say of the word.
    """
    entry = words.entries.get(folded_value(mention.original))
    if not entry or entry.type == mention.type or entry.score < mention.why.score:
        return mention
    if mention.type in floor and entry.type not in by_rule:
        return mention
    return replace(mention, type=entry.type, value=entry.value)
