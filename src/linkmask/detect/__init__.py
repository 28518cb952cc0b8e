"""Documents → Mentions: text view, candidates, resolution, relevance; then the corpus pass.

`first_pass` reads each document alone; `vocabulary` and `run_corpus_pass` use the whole corpus.
Recognizers know nothing of each other: `resolve` makes their spans disjoint, and `relevance`
scores them. docs/detect.md describes the steps in this order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import groupby, starmap

from linkmask.choices import DETECTORS
from linkmask.config import Settings
from linkmask.detect import joined_names, lexicon, patterns
from linkmask.detect.bounds import bounded
from linkmask.detect.budget import Budget
from linkmask.detect.candidates import Candidate, Finder, Scope
from linkmask.detect.corpus_pass import run_corpus_pass
from linkmask.detect.hyphenation import across_break, join_broken_words, without_breaks
from linkmask.detect.language import LanguagePassage, passages, scope_at
from linkmask.detect.lexicon.staff import mark_staff_as_providers
from linkmask.detect.masks import outside_earlier_masks
from linkmask.detect.noise import without_noise
from linkmask.detect.non_language import SEARCHED, stretches
from linkmask.detect.other_detectors import other_detectors
from linkmask.detect.patterns.whole_address import with_address_parts
from linkmask.detect.recognizers.own import (
    OwnRecognizers,
    Place,
    own_recognizers,
    without_kept,
)
from linkmask.detect.relevance import document_context, score
from linkmask.detect.resolve import LEARNED, Text, resolve_candidates
from linkmask.detect.touching_words import beside_word, part_touching_words
from linkmask.detect.user_names import user_name_stems, user_names
from linkmask.detect.value_statistics import value_statistics
from linkmask.detect.view import (
    WHOLE,
    Reading,
    day_first,
    language_of,
    readings,
    schema_weights,
    scopes_of,
)
from linkmask.detect.vocabulary import Vocabulary, always, no_facts, vocabulary
from linkmask.detect.written_labels import beside_labels
from linkmask.errors import SettingsError, unknown_name
from linkmask.records import Document, Mention
from linkmask.schema import types
from linkmask.text.layout import unify_blanks

__all__ = [
    "DETECTORS",
    "PROMPTED",
    "Vocabulary",
    "always",
    "first_pass",
    "first_passes",
    "language_of",
    "no_facts",
    "run_corpus_pass",
    "value_statistics",
    "vocabulary",
]

Canonical = Callable[..., str]
"""`canonical(entity_type, surface, *, day_first=False)`: the value all spellings share."""

PROMPTED = frozenset(name for name, one in DETECTORS.items() if one.prompted)
"""Detectors that ask a language model."""


def modules(detector: str) -> tuple[str, ...]:
    """Return the names of a detector's modules without importing them, because importing is slow.

    Raises:
        SettingsError: there is no such detector.
    """
    if detector not in DETECTORS:
        raise SettingsError(unknown_name("detector", detector, DETECTORS))
    return DETECTORS[detector].modules


@cache
def finders(detector: str) -> tuple[Finder, ...]:
    """Return the finders of a detector.

    Raises:
        SettingsError: there is no such detector.
    """
    found = (import_module(f"linkmask.detect.{name}") for name in modules(detector))
    return tuple(module.find for module in found)


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
    weights = schema_weights(settings)
    scopes = scopes_of(documents, settings)
    numbered = list(enumerate(readings(document, settings) for document in documents))
    read = [(number, reading) for number, each in numbered for reading in each]
    passages_of = [passages(one.text, scopes[number], settings.languages) for number, one in read]
    texts = [(one, parts) for (_, one), parts in zip(read, passages_of, strict=True)]
    seen = _find_candidates(
        texts, [budgets[number] for number, _ in read], finders(settings.detector)
    )
    for _, same in groupby(zip(read, seen, strict=True), key=lambda each: each[0][0]):
        _add_user_names([(reading.text, found) for (_, reading), found in same])
    mentions: list[list[Mention]] = [[] for _ in documents]
    own, other = own_recognizers(settings), other_detectors(settings)
    due: list[tuple[int, Reading, list[LanguagePassage], list[Candidate]]] = []
    for (number, reading), parts, found in zip(read, passages_of, seen, strict=True):
        if other:
            language = parts[0].scope.language
            found.extend(budgets[number].found(other(unify_blanks(reading.text), language)))
        more = found
        if own:
            place = Place(documents[number].id, reading.field, settings.metadata_field)
            more = _with_own(own, reading, parts, found, place, budgets[number])
        spans = [one for one in more if one.type in weights]
        if spans and (spans := _beside_labels(reading, spans)):
            due.append((number, reading, parts, spans))
    contexts = {
        number: document_context(documents[number], scopes[number], settings.relevance)
        for number in dict.fromkeys(number for number, *_ in due)
    }
    asked: list[Text] = []
    for number, reading, _, candidates in due:
        register = contexts[number].register
        spans = without_noise(reading.text, candidates, register)
        spans = outside_earlier_masks(reading.text, spans, weights)
        asked.append((reading.text, spans, register))
    resolved = resolve_candidates(asked, settings.floor)
    for (number, reading, parts, _), chosen in zip(due, resolved, strict=True):
        first = day_first(parts[0].scope)
        text, name = reading.text, documents[number].id
        spans = mark_staff_as_providers(text, with_address_parts(text, chosen))
        spans = _beside_labels(reading, list(bounded(text, spans)))
        if not reading.reached(spans):
            continue
        for one, relevance in zip(spans, score(text, spans, contexts[number]), strict=True):
            if inside := reading.into(one):
                surface = reading.value[inside.start : inside.end]
                if "\n" in surface:
                    surface = without_breaks(surface)
                if len(parts) > 1:
                    first = day_first(scope_at(parts, one.start))
                value = canonical(one.type, surface, day_first=first)
                mentions[number].append(reading.mention(name, inside, value, relevance))
    return mentions


def _beside_labels(reading: Reading, spans: list[Candidate]) -> list[Candidate]:
    """Return spans of a field's text without what its label and its file's reader wrote."""
    return beside_labels(reading.text, reading.labels, len(reading.label), spans)


def _add_user_names(fields: Sequence[tuple[str, list[Candidate]]]) -> None:
    """Add the user names of the persons whom any field of a document names."""
    names = {
        text[one.start : one.end]
        for text, found in fields
        for one in found
        if one.type == types.NAME
    }
    joined, single = user_name_stems(names)
    if joined or single:
        for text, found in fields:
            found.extend(user_names(text, joined, single))


def _with_own(
    own: OwnRecognizers,
    reading: Reading,
    parts: Sequence[LanguagePassage],
    found: Iterable[Candidate],
    place: Place,
    budget: Budget,
) -> list[Candidate]:
    """Return what was found in a text, with what the user's recognizers say of it."""
    text = unify_blanks(reading.text)
    seen = list(budget.found(own.find(text, parts[0].scope, place)))
    kept = [one for one in seen if not one.type]
    return without_kept([*found, *(one for one in seen if one.type)], kept)


def _find_candidates(
    read: Sequence[tuple[Reading, list[LanguagePassage]]],
    budgets: Sequence[Budget],
    finders: tuple[Finder, ...],
) -> list[list[Candidate]]:
    """Return what the label says and all finders see, for each text, at the cost of its budget.

    One passage is asked about after another; the corpus pass tells each which names others use.
    """
    seen = [list(reading.labelled()) for reading, _ in read]
    remembered = _remembered(finders)
    fields: dict[tuple[str, Scope], list[Candidate]] = {}
    short_fields: list[tuple[list[Candidate], list[Candidate], Budget]] = []
    queries: list[tuple[str, Scope]] = []
    targets: list[tuple[list[Candidate], int, Budget | None]] = []
    for (reading, parts), found, budget in zip(read, seen, budgets, strict=True):
        text = unify_blanks(reading.text)
        if reading.label and len(reading.value) <= WHOLE:
            field = text, parts[0].scope
            if field not in fields:
                before = remembered.get(field)
                fields[field] = before or []
                if before is None:
                    queries.append(field)
                    targets.append((fields[field], 0, None))  # each that holds it counts it
            short_fields.append((found, fields[field], budget))
            continue
        ends = [*(part.start for part in parts[1:]), len(text)]
        for (start, scope), end in zip(parts, ends, strict=True):
            for begin, stop, kind in stretches(text[start:end]):
                at = start + begin
                if kind == "language":
                    queries.append((text[at : start + stop], scope))
                    targets.append((found, at, budget))
                else:
                    shaped = patterns.find(text[at : start + stop], scope)
                    found.extend(
                        one._replace(start=one.start + at, end=one.end + at)
                        for one in budget.found(shaped)
                        if one.type in SEARCHED[kind]
                    )
    for find in finders:
        for (found, by, its), more in zip(targets, ask(find, queries), strict=True):
            each = its.found(more) if its else more
            found.extend(
                (f._replace(start=f.start + by, end=f.end + by) for f in each) if by else each
            )
    joined = (joined_names.find(*query) if lexicon.find in finders else () for query in queries)
    again = zip(_over_breaks(queries, finders), _beside_words(queries), joined, strict=True)
    for (found, by, _), (over, beside, named) in zip(targets, again, strict=True):
        more = (*over, *beside, *named)
        found.extend(f._replace(start=f.start + by, end=f.end + by) for f in more)
    for found, more, budget in short_fields:
        found.extend(budget.found(more))
    for (reading, _), found in zip(read, seen, strict=True):
        if found and reading.is_number:  # the model reads sentences: it takes any number for a code
            found[:] = [one for one in found if one.detector != LEARNED]
    if len(remembered) + len(fields) > REMEMBERED:
        remembered.clear()
    remembered.update(fields)
    return seen


def _over_breaks(
    queries: Sequence[tuple[str, Scope]], finders: tuple[Finder, ...]
) -> list[list[Candidate]]:
    """Return, for each text, what is found in words of it that a line end breaks in two."""
    over: list[list[Candidate]] = [[] for _ in queries]
    mended = [(n, one) for n, (text, _) in enumerate(queries) if (one := join_broken_words(text))]
    mended_texts = [(one.text, queries[number][1]) for number, one in mended]
    for find in finders if mended else ():
        for (number, one), more in zip(mended, ask(find, mended_texts), strict=True):
            over[number].extend(filter(None, (across_break(one, span) for span in more)))
    return over


def _beside_words(queries: Sequence[tuple[str, Scope]]) -> Iterator[list[Candidate]]:
    """Yield, for each text, the numbers with a form of their own that a word touches."""
    for text, scope in queries:
        view = part_touching_words(text)
        seen = patterns.find(view.text, scope) if view else ()
        yield [one for each in seen if view and (one := beside_word(view, each))]


REMEMBERED = 1 << 12
"""Short fields of which it is remembered what is seen in them."""


@cache
def _remembered(finders: tuple[Finder, ...]) -> dict[tuple[str, Scope], list[Candidate]]:
    """Return what was seen in short fields: "format: insurance memo" stands in many records."""
    return {}


def ask(find: Finder, read: Sequence[tuple[str, Scope]]) -> Iterable[Iterable[Candidate]]:
    """Yield a recognizer's candidates for each text; a module's `finds` gets all texts at once."""
    together = getattr(import_module(find.__module__), "finds", None)
    return together(read) if together else starmap(find, read)
