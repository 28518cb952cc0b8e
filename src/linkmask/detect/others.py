"""Adds the candidates of a detector of others, which the settings name by its server's address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.llm.spans import Ask, connect_detector
from linkmask.schema import Schema, words

DETECTOR = "http"
SURE = 0.94
"""The most that a score of another's detector counts: a form that is certain beats it."""

Others = Callable[[str, str], Iterator[Candidate]]
"""From a text and its language to the candidates of another's detector."""


def others(settings: Settings) -> Others | None:
    """Return what asks the detector that the settings name, None if they name none.

    Raises:
        SettingsError: its address is wrong.
    """
    if not settings.detector_url:
        return None
    ask, types = _connected(settings.detector_url), settings.entity_types

    def find(text: str, language: str) -> Iterator[Candidate]:
        if not text.strip():
            return
        for start, end, label, score in ask(text, language):
            if entity_type := type_of(label, types):
                rule = label.lower().replace("+", " ")
                yield Candidate(start, end, entity_type, DETECTOR, rule, min(score, SURE))

    return find


_connected: Callable[[str], Ask] = cache(connect_detector)


def type_of(label: str, types: Schema) -> str | None:
    """Return the entity type of another detector's label.

    A label that nobody knows is an indirect identifier, where the schema has these: what another
    detector finds is not dropped for its name. None: the schema has no such type.
    """
    name = label.strip().upper().replace(" ", "_").replace("-", "_")
    table = words("labels_of_others")["types"]
    return types.type_of(name) or types.type_of(table.get(name, table["*"]))
