"""Finders that know words: names, providers, places, conditions, treatments, telling facts.

The lists in `data/` are the project's own. A text is read in blocks, each split into marked words
once (`words`); the finders then look at marked words only, in an order in which the surer take
theirs first: clinicians and institutions, persons, places, clinical terms, facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from linkmask.detect.found import Found, Scope
from linkmask.detect.lexicon import clinical, facts, marks, names, places, providers
from linkmask.detect.lexicon.words import Text

SHORTENED = {"MEDICAL_CONDITION", "TREATMENT", "ORGANIZATION", "PROVIDER", "LOCATION"}
SHORT_FORM = re.compile(r"\s?\(([^\W\d_][A-Z0-9-]{1,7})\)")
"""What stands behind a name that is shortened from there on."""

BLOCK = 100_000
"""Characters looked at together. Texts are cut where a line, a sentence or a word ends."""


def find(text: str, scope: Scope) -> Iterable[Found]:
    """Return spans of every type the lexicon knows, by ascending start, in one linear pass."""
    return list(_find(text, scope))


def _find(text: str, scope: Scope) -> Iterator[Found]:
    surnames: dict[str, str] = {}
    short: dict[str, str] = {}
    for start, end in blocks(text):
        found = sorted(_in_block(text[start:end], scope, surnames, short), key=_order)
        for f in found:
            yield replace(f, start=f.start + start, end=f.end + start) if start else f


def _in_block(
    text: str, scope: Scope, surnames: dict[str, str], short: dict[str, str]
) -> Iterator[Found]:
    """Yield what is in one block; `surnames` and `short` carry over what blocks before brought."""
    t = Text(text)
    persons = [*providers.find(t), *places.sure(t), *names.find(t, scope.language)]
    for f in persons:
        surname = text[f.start : f.end].split()[-1]
        person = f.type == "NAME" or f.rule in {"clinician", "letters", "role"}
        if person and f.score >= 0.7 and len(surname) > 2:
            surnames.setdefault(surname, f.type)
    found = [*persons, *names.again(t, surnames), *places.find(t, scope.language)]
    found += [*clinical.find(t), *facts.find(t, scope.language)]
    yield from found
    for f in found:
        if f.type in SHORTENED and (match := SHORT_FORM.match(text, f.end)):
            short.setdefault(match[1], f.type)
    if short:
        yield from _short_forms(t, short, {f.start for f in found})


def _short_forms(t: Text, short: dict[str, str], known: set[int]) -> Iterator[Found]:
    """Yield "PSP" wherever it stands once "progressive supranuclear palsy (PSP)" was read."""
    for i in t.at(marks.UPPER):
        if t.taken[i] or t.starts[i] in known:
            continue
        if entity_type := short.get(t.words[i]):
            yield t.take(i, i + 1, entity_type, "short form", 0.65)


def _order(f: Found) -> tuple[int, int, str]:
    return f.start, -f.end, f.type


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield [start, end) that cover the text, of at most `BLOCK` characters."""
    start = 0
    while len(text) - start > BLOCK:
        half, most = start + BLOCK // 2, start + BLOCK
        cuts = (text.rfind(mark, half, most) + len(mark) for mark in ("\n", ". ", " "))
        end = next((cut for cut in cuts if cut > half), most)
        yield start, end
        start = end
    yield start, len(text)
