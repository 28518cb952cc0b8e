"""The values of a run: entities with all their spellings, and what was computed from these."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from linkmask.records import entity_id


class RunValue(msgspec.Struct, array_like=True, gc=False):
    """One entity of a run.

    `surfaces`: each original spelling, with the number of its mentions. Once it was masked:
    `forms`, the other ways to write it, sorted; `words`, hashes of the words of each spelling, in
    this order (`word_hashes`); and `facts`, what the forms depend on beside type, value and
    surfaces (`Aliases.facts`). `left`: what is left of it by rule; `written`: what a technique
    writes of it; each after all that decides it beside the spellings (`generalization`). `doubted`:
    the corpus may say something else of it by now than `facts`.
    """

    value: str
    type: str
    surfaces: dict[str, int]
    facts: str | None = None
    forms: list[str] = []
    words: bytes = b""
    left: tuple[str, str | None] | None = None
    written: tuple[str, list[str]] | None = None
    doubted: bool = False


RunValues = dict[str, RunValue]
"""Entity id → what is known of it."""

Spelled = tuple[tuple[str, str], str]
"""Value and type, and one way to write it."""


def values_spelled(spelled: Iterable[Spelled], separator: str) -> RunValues:
    """Return the values of which spellings are given, each as often as it is used."""
    values: RunValues = {}
    by_value: dict[tuple[str, str], RunValue] = {}
    for key, original in spelled:
        if key not in by_value:
            by_value[key] = values[entity_id(*key, separator)] = RunValue(*key, {})
        surfaces = by_value[key].surfaces
        surfaces[original] = surfaces.get(original, 0) + 1
    return values
