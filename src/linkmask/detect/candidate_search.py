"""Searches texts for candidates by all finders of a detector, many texts at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import starmap

from linkmask.choices import DETECTORS
from linkmask.detect import patterns
from linkmask.detect.budget import Budget
from linkmask.detect.candidates import Candidate, Finder, Scope
from linkmask.detect.lexicon.everyday import is_everyday
from linkmask.detect.lexicon.word_features import FEATURES, PLACE
from linkmask.detect.register.language import LanguagePassage
from linkmask.detect.resolve import LEARNED
from linkmask.detect.view.non_language import SHAPED, stretches
from linkmask.detect.view.readings import WHOLE, Reading
from linkmask.detect.view.touching_words import (
    across_break,
    beside_word,
    join_broken_words,
    part_touching_words,
)
from linkmask.errors import SettingsError, unknown_name
from linkmask.schema import types_of
from linkmask.text.layout import unify_blanks


def modules(detector: str) -> tuple[str, ...]:
    """Return the names of a detector's modules without importing them, because importing is slow.

    Raises:
        SettingsError: there is no such detector.
    """
    if detector not in DETECTORS:
        raise SettingsError(unknown_name("detector", detector, DETECTORS))
    return DETECTORS[detector].modules


CLINICAL, PLACES, UNSURE = types_of("clinical"), types_of("place"), 0.5
"""Types that the tagger finds in single words, and the score below which it is unsure of them."""

UNEXPLAINED = "unexplained"
"""Row for a number of which nothing tells what it counts."""

MODULES = {name: f"structured.{name}" for name in ("fields", "tables", "statements")}
"""Where the finders stand that have another module than their name."""


@cache
def finders(detector: str) -> tuple[Finder, ...]:
    """Return the finders of a detector.

    Raises:
        SettingsError: there is no such detector.
    """
    found = (import_module(f"linkmask.detect.{MODULES.get(n, n)}") for n in modules(detector))
    return tuple(module.find for module in found)


def find_candidates(
    read: Sequence[tuple[Reading, list[LanguagePassage]]],
    budgets: Sequence[Budget],
    finders: tuple[Finder, ...],
) -> list[list[Candidate]]:
    """Return the candidates of label and finders for each text, counted against its budget.

    Passages are searched one by one; the corpus pass gives each the names that others use.
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
            for begin, stop, is_language in stretches(text[start:end]):
                at = start + begin
                if is_language:
                    queries.append((text[at : start + stop], scope))
                    targets.append((found, at, budget))
                else:
                    shaped = patterns.find(text[at : start + stop], scope)
                    found.extend(
                        one.moved(at) for one in budget.found(shaped) if one.type in SHAPED
                    )
    for find in finders:
        for (found, by, its), more in zip(targets, ask(find, queries), strict=True):
            found.extend(one.moved(by) for one in (its.found(more) if its else more))
    again = zip(_over_breaks(queries, finders), _beside_words(queries), strict=True)
    for (found, by, _), (over, beside) in zip(targets, again, strict=True):
        found.extend(one.moved(by) for one in (*over, *beside))
    for found, more, budget in short_fields:
        found.extend(budget.found(more))
    for (reading, _), found in zip(read, seen, strict=True):
        if found and (reading.is_number or reading.is_word):
            found[:] = [one for one in found if not _out_of_context(one, reading)]
    if len(remembered) + len(fields) > REMEMBERED:
        remembered.clear()
    remembered.update(fields)
    return seen


def _out_of_context(one: Candidate, reading: Reading) -> bool:
    """Tell whether a span is a guess at a number or word that stands in no sentence.

    The tagger takes any number for a code, "cluster" for a condition, and "Local" for a place. A
    number that is a field of its own is explained by its key.
    """
    guess = one.detector == LEARNED or one.rule == UNEXPLAINED
    if not guess or reading.is_number:
        return guess
    small = reading.value.lower()
    everyday = is_everyday(small) and not FEATURES[reading.value] & PLACE
    vague = CLINICAL if small == reading.value else PLACES if everyday else ()
    return one.type in vague and one.score < UNSURE


def _over_breaks(
    queries: Sequence[tuple[str, Scope]], finders: tuple[Finder, ...]
) -> list[list[Candidate]]:
    """Return, for each text, the candidates in words that a line end breaks in two."""
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
"""Number of short fields whose candidates are cached."""


@cache
def _remembered(finders: tuple[Finder, ...]) -> dict[tuple[str, Scope], list[Candidate]]:
    """Return cached candidates of short fields: many records have "format: insurance memo"."""
    return {}


def ask(find: Finder, read: Sequence[tuple[str, Scope]]) -> Iterable[Iterable[Candidate]]:
    """Yield a recognizer's candidates for each text; a module's `finds` gets all texts at once."""
    together = getattr(import_module(find.__module__), "finds", None)
    return together(read) if together else starmap(find, read)
