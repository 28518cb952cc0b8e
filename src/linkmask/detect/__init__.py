"""Documents → Mentions: find, merge, score; then look for what was found anywhere everywhere.

`first_pass` reads each document alone; `context` holds the second pass over the corpus. Finders
know nothing of each other: `merge` makes their spans disjoint, `relevance` scores them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from linkmask.config import Settings
from linkmask.detect.found import Finder, Found, Scope
from linkmask.detect.merge import merge
from linkmask.detect.relevance import score
from linkmask.errors import SettingsError
from linkmask.records import CONTENT, Document, Mention, Why
from linkmask.schema import load as load_schema

Canonical = Callable[..., str]
"""`canonical(entity_type, surface, *, day_first=False)`: the value all spellings share."""

DETECTORS: dict[str, tuple[str, ...]] = {
    "embedded": ("patterns", "lexicon"),
    "patterns": ("patterns",),
}
"""Detector by name: the modules of this folder whose `find` is asked."""

SAMPLE = 2000
"""Characters of a document that its language is told from."""


@cache
def finders(detector: str) -> tuple[Finder, ...]:
    """Return the finders of a detector.

    Raises:
        SettingsError: there is no such detector.
    """
    if detector not in DETECTORS:
        raise SettingsError(f"no detector {detector!r}; there are: {', '.join(sorted(DETECTORS))}")
    modules = (import_module(f"linkmask.detect.{name}") for name in DETECTORS[detector])
    return tuple(module.find for module in modules)


def first_pass(document: Document, settings: Settings, canonical: Canonical) -> list[Mention]:
    """Return the document's mentions, disjoint, sorted by field (as in the record) and start."""
    scope = Scope(language(document.content, settings.languages), settings.countries)
    weights = load_schema(settings.schema).with_weights(settings.weights).weights
    mentions: list[Mention] = []
    for name, text in document.fields(settings.exclude_fields):
        label = "" if name == CONTENT else f"{label_of(name)}: "
        spans = merge(_find(label + text, settings.detector, scope, weights), weights)
        inside = [moved for one in spans if (moved := _shift(one, len(label)))]
        relevances = score(text, inside)
        mentions += _mentions(document.id, name, text, inside, relevances, scope, canonical)
    return mentions


def _find(text: str, detector: str, scope: Scope, weights: Mapping[str, float]) -> Iterator[Found]:
    """Yield what all finders of the detector see, of the types that the schema knows."""
    for find in finders(detector):
        yield from (one for one in find(text, scope) if one.type in weights)


def _shift(one: Found, by: int) -> Found | None:
    """Move a span from "label: value" into the value; None if it lies in the label."""
    start, end = max(one.start - by, 0), one.end - by
    return Found(start, end, one.type, one.detector, one.rule, one.score) if end > start else None


def _mentions(
    document: str,
    name: str,
    text: str,
    spans: list[Found],
    relevances: list[float],
    scope: Scope,
    canonical: Canonical,
) -> Iterator[Mention]:
    day_first = dates_day_first(scope)
    for one, relevance in zip(spans, relevances, strict=True):
        original = text[one.start : one.end]
        value = canonical(one.type, original, day_first=day_first)
        why = Why(one.detector, one.rule, one.score)
        yield Mention(document, name, one.start, one.end, one.type, original, value, relevance, why)


def dates_day_first(scope: Scope) -> bool:
    """Tell whether 03/04 is the third of April here: not in English where US dates are expected."""
    return scope.language != "en" or "us" not in scope.countries


def label_of(field: str) -> str:
    """Return the last key of a metadata path as words: `metadata/patient/birthDate` → birth date.

    Positions in lists are skipped: `metadata/notes/0` → notes.
    """
    keys = [key for key in field.split("/")[1:] if not key.isdecimal()] or [""]
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", keys[-1])
    return " ".join(re.split(r"[\W_]+", spaced)).strip().lower()


@cache
def _identifier(languages: tuple[str, ...]) -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(list(languages))
    return identifier


def language(text: str, languages: tuple[str, ...]) -> str:
    """Return the likeliest of `languages` (ISO 639-1) for a text; the first one if it is empty."""
    if len(languages) == 1 or not text.strip():
        return languages[0] if languages else "en"
    return str(_identifier(languages).classify(text[:SAMPLE])[0])
