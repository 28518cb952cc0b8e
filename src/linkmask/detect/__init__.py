"""Documents → Mentions: find, merge, score; then look for what was found anywhere everywhere.

`first_pass` reads each document alone; `vocabulary` and `second_pass` look at the corpus. Finders
know nothing of each other: `merge` makes their spans disjoint, `relevance` scores them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from importlib import import_module

from linkmask.config import Settings
from linkmask.detect.context import second_pass
from linkmask.detect.found import Finder, Found, Scope
from linkmask.detect.merge import merge
from linkmask.detect.reading import (
    WHOLE,
    Reading,
    day_first,
    readings,
    schema_weights,
    scope_of,
    unmasked,
)
from linkmask.detect.relevance import about, score
from linkmask.detect.vocabulary import Vocabulary, vocabulary
from linkmask.errors import SettingsError
from linkmask.records import Document, Mention

__all__ = ["DETECTORS", "PROMPTED", "Vocabulary", "first_pass", "second_pass", "vocabulary"]

Canonical = Callable[..., str]
"""`canonical(entity_type, surface, *, day_first=False)`: the value all spellings share."""

DETECTORS: dict[str, tuple[str, ...]] = {
    "embedded": ("patterns", "fields", "tables", "lexicon"),
    "patterns": ("patterns", "fields", "tables"),
    "llm": ("patterns", "fields", "tables", "lexicon"),
    "embedded+llm": ("patterns", "fields", "tables", "lexicon"),
}
"""Detector by name: the modules of this folder whose `find` is asked.

Those of `llm` find nothing for it: they only tell how much a model should have found (`prompted`).
"""

PROMPTED = frozenset({"llm", "embedded+llm"})
"""Detectors that ask a language model."""


def modules(detector: str) -> tuple[str, ...]:
    """Return the names of a detector's modules, not imported: that takes a while.

    Raises:
        SettingsError: there is no such detector.
    """
    if detector not in DETECTORS:
        raise SettingsError(f"no detector {detector!r}; there are: {', '.join(sorted(DETECTORS))}")
    return DETECTORS[detector]


@cache
def finders(detector: str) -> tuple[Finder, ...]:
    """Return the finders of a detector.

    Raises:
        SettingsError: there is no such detector.
    """
    found = (import_module(f"linkmask.detect.{name}") for name in modules(detector))
    return tuple(module.find for module in found)


def language_of(document: Document, settings: Settings) -> str:
    """Return the likeliest of the settings' languages for a document (ISO 639-1)."""
    return scope_of(document, settings).language


def first_pass(document: Document, settings: Settings, canonical: Canonical) -> list[Mention]:
    """Return the document's mentions, disjoint, sorted by field (as in the record) and start."""
    scope = scope_of(document, settings)
    weights = schema_weights(settings)
    person = about(document, scope)
    of_type = partial(canonical, day_first=day_first(scope))
    mentions: list[Mention] = []
    for reading in readings(document, settings):
        found = _find(reading, settings.detector, scope, weights)
        spans = merge(found, weights, settings.floor) if found else []
        for one, relevance in zip(spans, score(reading.text, spans, person), strict=True):
            if inside := reading.into(one):
                value = of_type(one.type, reading.value[inside.start : inside.end])
                mentions.append(reading.mention(document.id, inside, value, relevance))
    return mentions


def _find(
    reading: Reading, detector: str, scope: Scope, weights: Mapping[str, float]
) -> list[Found]:
    """Return what the label says and all finders of the detector see, of the schema's types."""
    short = reading.label and len(reading.value) <= WHOLE
    seen = (_remembered if short else _seen)(reading.text, scope, finders(detector))
    spans = [one for one in (*reading.labelled(), *seen) if one.type in weights]
    return unmasked(reading.text, spans, weights) if spans else spans


def _seen(text: str, scope: Scope, finders: tuple[Finder, ...]) -> list[Found]:
    return [one for find in finders for one in find(text, scope)]


# The same short field stands in many records: "format: insurance memo", "state: Vermont".
_remembered = lru_cache(maxsize=1 << 12)(_seen)
