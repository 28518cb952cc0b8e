"""Finders that know words: names, providers, places, conditions, treatments, telling facts.

The lists in `data/` are the project's own. A text is read in blocks, each split into marked words
once (`words`); the finders then look at marked words only, in an order in which the surer take
theirs first: clinicians and institutions, persons, places, clinical terms, facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from linkmask.detect.found import Found, Scope
from linkmask.detect.lexicon import clinical, facts, names, places, providers
from linkmask.detect.lexicon.words import Text

BLOCK = 100_000
"""Characters looked at together. Texts are cut where a line, a sentence or a word ends."""


def find(text: str, scope: Scope) -> Iterable[Found]:
    """Return spans of every type the lexicon knows, by ascending start, in one linear pass."""
    return list(_find(text, scope))


def _find(text: str, scope: Scope) -> Iterator[Found]:
    for start, end in blocks(text):
        t = Text(text[start:end])
        found = [*providers.find(t), *names.find(t), *places.find(t, scope.language)]
        found += [*clinical.find(t), *facts.find(t)]
        found.sort(key=lambda f: (f.start, -f.end, f.type))
        if not start:
            yield from found
        else:
            for f in found:
                yield Found(f.start + start, f.end + start, f.type, f.detector, f.rule, f.score)


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
