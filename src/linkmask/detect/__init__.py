"""Documents → Mentions: text view, candidates, resolution, relevance; then the corpus pass.

`first_pass` reads each document alone; `vocabulary` and `run_corpus_pass` use the whole corpus.
Recognizers know nothing of each other: `resolve` makes their spans disjoint, and `relevance`
scores them. docs/detect.md describes the steps in this order. The rooms, in the order of the data:

    view             1  the fields of a document as texts, and what in them is no language
    register            the language of a text, and whether it is about a person
    patterns         2  values with a form, by the rows of `recognizers`
    structured          values that a label, a column or a numbered field names
    lexicon             values by word lists and triggers
    ner                 values by the tagger
    other_detectors     values by detectors of others
    prompted            values by a language model
    names               the names of a document, wherever they stand again
    resolve          3  disjoint spans of all candidates, staff and patients apart
    relevance        4  how much each value helps to identify the person of the document
    corpus_pass      5  values found anywhere, searched for everywhere

`candidates` defines what they pass on, `budget` counts the work, `written_masks` recognizes the
masks of an earlier run, and `candidate_search` runs those of step 2.

Each imports only what stands before it here: `candidates`, `budget`, `written_masks`, `lexicon`,
`resolve`, `recognizers`, `structured`, `names`, `register`, `view`, `patterns`, `ner`, `relevance`,
`other_detectors`, `corpus_pass`, `prompted`, `candidate_search`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from linkmask.choices import DETECTORS
from linkmask.config import Settings
from linkmask.detect.budget import Budget
from linkmask.detect.candidate_search import find_candidates, finders, modules
from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.corpus_pass import run_corpus_pass
from linkmask.detect.corpus_pass.selection import always, no_facts, vocabulary
from linkmask.detect.corpus_pass.statistics import value_statistics
from linkmask.detect.corpus_pass.vocabulary import Vocabulary
from linkmask.detect.names import add_names_of_document, without_constants
from linkmask.detect.names.extent import names_beside_masks, with_whole_names
from linkmask.detect.names.unlisted import (
    has_other_letters,
    names_within_sentences,
    unlisted_names,
)
from linkmask.detect.names.word_or_name import NOUNS
from linkmask.detect.other_detectors import other_detectors
from linkmask.detect.patterns.own import OwnRecognizers, Place, own_recognizers, without_kept
from linkmask.detect.patterns.whole_address import with_parts_beside
from linkmask.detect.register.language import LOCALES, LanguagePassage, passages, scope_at
from linkmask.detect.register.noise import without_noise
from linkmask.detect.relevance import score
from linkmask.detect.relevance.discourse import DocumentContext, document_context
from linkmask.detect.resolve import LEARNED, merge
from linkmask.detect.resolve.birth_dates import beside_names
from linkmask.detect.resolve.bounds import bounded
from linkmask.detect.resolve.rests import KEPT_IN_PART, with_rests
from linkmask.detect.resolve.staff import mark_staff_as_providers
from linkmask.detect.structured.columns import in_columns
from linkmask.detect.structured.messages import cut_at_separators
from linkmask.detect.view.readings import (
    Reading,
    beside_added,
    day_first,
    language_of,
    readings,
    schema_weights,
    scope_of,
    uncovered_language_of,
    written_language_of,
)
from linkmask.detect.view.touching_words import without_breaks
from linkmask.detect.written_masks import outside_earlier_masks
from linkmask.records import Document, Mention
from linkmask.text.layout import unify_blanks

__all__ = [
    "DETECTORS",
    "Vocabulary",
    "always",
    "finders",
    "first_pass",
    "first_passes",
    "language_of",
    "modules",
    "no_facts",
    "run_corpus_pass",
    "uncovered_language_of",
    "value_statistics",
    "vocabulary",
    "written_language_of",
]

Canonical = Callable[..., str]
"""`canonical(entity_type, surface, *, day_first=False)`: the value all spellings share."""


class SearchedField(NamedTuple):
    """A field of a document, by the document's number: its passages, and the candidates in it."""

    document: int
    reading: Reading
    passages: list[LanguagePassage]
    candidates: list[Candidate]


def first_pass(document: Document, settings: Settings, canonical: Canonical) -> list[Mention]:
    """Return the document's mentions, disjoint, sorted by field (as in the record) and start."""
    return first_passes([document], settings, canonical)[0]


def first_passes(
    documents: Sequence[Document], settings: Settings, canonical: Canonical
) -> list[list[Mention]]:
    """Return the mentions of each document, as `first_pass` does.

    Each step processes all documents before the next step begins. What a step needs then stays in
    the processor's cache, and some hundred documents take half the time they take one by one.

    Raises:
        TooMuchWork: one of them takes more work than `max_work` allows.
    """
    budgets = [Budget(document, settings.max_work) for document in documents]
    scopes = [scope_of(document, settings) for document in documents]
    weights = schema_weights(settings)
    fields = _searched_fields(documents, scopes, budgets, settings)
    fields = list(_with_other_detectors(fields, documents, budgets, settings, weights))
    contexts = {
        number: document_context(documents[number], scopes[number], settings.relevance)
        for number in dict.fromkeys(field.document for field in fields)
    }
    mentions: list[list[Mention]] = [[] for _ in documents]
    for field in fields:
        context = contexts[field.document]
        if spans := _resolved(field, context, weights, settings):
            name = documents[field.document].id
            mentions[field.document] += _mentions(name, field, spans, context, canonical)
    return mentions


def _searched_fields(
    documents: Sequence[Document],
    scopes: Sequence[Scope],
    budgets: Sequence[Budget],
    settings: Settings,
) -> list[SearchedField]:
    """Return the fields of the documents with the candidates of linkmask's own finders."""
    numbered = list(enumerate(readings(document, settings) for document in documents))
    read = [(number, reading) for number, each in numbered for reading in each]
    parts = [passages(one.text, scopes[number], settings.languages) for number, one in read]
    texts = [(reading, of) for (_, reading), of in zip(read, parts, strict=True)]
    work = [budgets[number] for number, _ in read]
    found = find_candidates(texts, work, finders(settings.detector))
    fields = [
        SearchedField(*one, of, cut_at_separators(text, without_constants(text, seen)))
        for one, of, seen in zip(read, parts, found, strict=True)
        for text in (one[1].text,)
    ]
    for _, same in groupby(fields, key=lambda field: field.document):
        add_names_of_document(
            [(one.reading.text, one.candidates, one.passages[0].scope.language) for one in same]
        )
    return fields


def _with_other_detectors(
    fields: Iterable[SearchedField],
    documents: Sequence[Document],
    budgets: Sequence[Budget],
    settings: Settings,
    weights: Mapping[str, float],
) -> Iterator[SearchedField]:
    """Yield the fields with candidates, also those of other detectors and the user's recognizers.

    Candidates of types that the schema lacks are left out, and so are labels.
    """
    own, other = own_recognizers(settings), other_detectors(settings)
    for number, reading, parts, found in fields:
        if other:
            language = parts[0].scope.language
            found.extend(budgets[number].found(other(unify_blanks(reading.text), language)))
        more = found
        if own:
            place = Place(documents[number].id, reading.field, settings.metadata_field)
            scope = own.scope(documents[number], parts[0].scope)
            more = _with_own(own, reading, scope, found, place, budgets[number])
        spans = [one for one in more if one.type in weights]
        if spans and (spans := beside_added(reading, spans)):
            yield SearchedField(number, reading, parts, spans)


def _with_own(
    own: OwnRecognizers,
    reading: Reading,
    scope: Scope,
    found: Iterable[Candidate],
    place: Place,
    budget: Budget,
) -> list[Candidate]:
    """Return the mentions of a text, with those of the user's recognizers."""
    text = unify_blanks(reading.text)
    seen = list(budget.found(own.find(text, scope, place)))
    kept = [one for one in seen if not one.type]
    return without_kept([*found, *(one for one in seen if one.type)], kept)


def _resolved(
    field: SearchedField,
    context: DocumentContext,
    weights: Mapping[str, float],
    settings: Settings,
) -> list[Candidate]:
    """Return disjoint spans of a field; none if no mention of it could be masked."""
    reading, text = field.reading, field.reading.text
    spoken = context.register.foreign
    other = spoken not in LOCALES and (spoken or has_other_letters(text))
    unlisted = unlisted_names(text) if other else ()
    nouns = context.scope.language in NOUNS and not (other or spoken)
    within = () if nouns else names_within_sentences(text, bool(other or spoken))
    found = cut_at_separators(text, [*field.candidates, *unlisted, *within])
    beside = names_beside_masks(text, context.scope.language, spoken)
    spans = [*without_noise(text, found, context.register), *beside]
    spans.extend(list(in_columns(text, spans)))
    found = outside_earlier_masks(text, spans, weights)
    spans = merge(found, weights, settings.floor)
    if not spans:
        return []
    learned = (one for one in found if one.detector == LEARNED and one.type in KEPT_IN_PART)
    spans = with_rests(text, spans, learned)
    spans = with_whole_names(text, spans, context.scope.language, context.register.foreign)
    spans = mark_staff_as_providers(text, with_parts_beside(text, spans))
    spans = list(beside_names(text, spans))
    spans = beside_added(reading, list(bounded(text, spans)))
    return spans if reading.reached(spans) else []


def _mentions(
    document: str,
    field: SearchedField,
    spans: Sequence[Candidate],
    context: DocumentContext,
    canonical: Canonical,
) -> Iterator[Mention]:
    """Yield the mentions of a field, each with its relevance and normalized value."""
    _, reading, parts, _ = field
    first = day_first(parts[0].scope)
    for one, relevance in zip(spans, score(reading.text, spans, context), strict=True):
        if inside := reading.into(one):
            surface = reading.value[inside.start : inside.end]
            if "\n" in surface:
                surface = without_breaks(surface)
            if len(parts) > 1:
                first = day_first(scope_at(parts, one.start))
            value = canonical(one.type, surface, day_first=first)
            yield reading.mention(document, inside, value, relevance)
