"""Finders that know words: names, providers, places, conditions, treatments, telling facts.

The lists in `data/` are the project's own. A text is read in blocks, each split into marked words
once (`words`); the finders then look at marked words only, in an order in which the surer take
theirs first: clinicians and institutions, persons, places, clinical terms, facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from linkmask.detect.found import Found, Scope
from linkmask.detect.lexicon import clinical, facts, names, places, providers
from linkmask.detect.lexicon.words import Text

PERSONS = {"clinician", "letters", "role", "title", "label", "listed"}
"""Rules whose spans end in a surname."""

BLOCK = 100_000
"""Characters looked at together. Texts are cut where a line, a sentence or a word ends."""


def find(text: str, scope: Scope) -> Iterable[Found]:
    """Return spans of every type the lexicon knows, by ascending start, in one linear pass."""
    return list(_find(text, scope))


def _find(text: str, scope: Scope) -> Iterator[Found]:
    surnames: dict[str, str] = {}
    for start, end in blocks(text):
        found = sorted(_in_block(text[start:end], scope, surnames), key=_order)
        for f in found:
            yield replace(f, start=f.start + start, end=f.end + start) if start else f


def _in_block(text: str, scope: Scope, surnames: dict[str, str]) -> Iterator[Found]:
    """Yield what is in one block; `surnames` carries the persons of the blocks before."""
    t = Text(text)
    persons = [*providers.find(t), *names.find(t)]
    for f in persons:
        if f.rule in PERSONS and len(surname := text[f.start : f.end].split()[-1]) > 2:
            surnames.setdefault(surname, f.type)
    yield from persons
    yield from names.again(t, surnames)
    yield from places.find(t, scope.language)
    yield from clinical.find(t)
    yield from facts.find(t, scope.language)


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
