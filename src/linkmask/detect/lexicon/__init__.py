"""Finders that know words: names, providers, places, conditions, treatments, telling facts.

The lists in `data/` are the project's own. A text is read in blocks, each split into marked words
once (`words`); the finders then look at marked words only, in an order in which the surer take
theirs first: clinicians and institutions, persons, places, clinical terms, facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from linkmask.detect.found import Found, Scope
from linkmask.detect.lexicon import (
    clinical,
    cued,
    employers,
    facts,
    happenings,
    marks,
    names,
    places,
    providers,
    remarks,
    told,
)
from linkmask.detect.lexicon.words import Text

SHORTENED = {"MEDICAL_CONDITION", "TREATMENT", "ORGANIZATION", "PROVIDER", "LOCATION"}
SHORT_FORM = re.compile(r"\s?\(([^\W\d_][A-Z0-9-]{1,7})\)")
"""What stands behind a name that is shortened from there on."""

CLINICIANS = {"clinician", "letters", "role"}
"""Rules whose PROVIDER is a person."""

PART = re.compile(r"[^\W\d_][\w'’-]*")
"""A word of a name."""

SURE = 0.7
"""A name at least so sure is looked for again, word by word."""

NEVER_ALONE = marks.WORDY | marks.THING | marks.TITLE | marks.STOP | marks.FUNCTION | marks.PLACE
"""What a word of a name must not be to be looked for alone."""

_HEADERS = ((marks.HEADER, cued.headers),)
_EMPLOYERS = ((marks.EMPLOYED, employers.find),)
_HAPPENINGS = ((marks.HAPPENING, happenings.find),)
"""Rules that one kind of word wakes."""

BLOCK = 100_000
"""Characters looked at together. Texts are cut where a line, a sentence or a word ends."""


def find(text: str, scope: Scope) -> Iterable[Found]:
    """Return spans of every type the lexicon knows, by ascending start, in one linear pass."""
    parts: dict[str, str] = {}
    short: dict[str, str] = {}
    spans: list[Found] = []
    for start, end in blocks(text):
        found = _in_block(text[start:end], scope, parts, short)
        found.sort(key=_order)
        if start:
            found = [f._replace(start=f.start + start, end=f.end + start) for f in found]
        spans += found
    return spans


def _in_block(text: str, scope: Scope, parts: dict[str, str], short: dict[str, str]) -> list[Found]:
    """Return what is in one block; `parts` of names and `short` forms come from blocks before."""
    t = Text(text)
    language = scope.language
    persons = [*t.each(_HEADERS), *providers.find(t, language), *places.sure(t)]
    persons += told.find(t, language)
    persons += cued.find(t)
    persons += names.find(t)
    persons += cued.uncapitalised(t)
    for f in persons:
        if f.score >= SURE and (f.type == "NAME" or f.rule in CLINICIANS):
            for part in parts_of(text[f.start : f.end], f.type):
                parts.setdefault(part, f.type)
    found = [*persons, *names.again(t, parts), *t.each(_EMPLOYERS), *places.find(t, language)]
    found += clinical.find(t)
    found += remarks.find(t, language)
    found += t.each(_HAPPENINGS)
    found += facts.find(t, language)
    for f in found if "(" in text else ():
        shortened = f.type in SHORTENED and f.rule not in CLINICIANS
        if shortened and (match := SHORT_FORM.match(text, f.end)):
            short.setdefault(match[1], f.type)
    if short:
        found += _short_forms(t, short, {f.start for f in found})
    return found


def parts_of(name: str, entity_type: str) -> list[str]:
    """Return the words by which a person is called again: of a clinician the last only."""
    words = [word for word in PART.findall(name) if word[0].isupper()]
    words = words[-1:] if entity_type != "NAME" else words
    words = [word for word in words if len(word) > (3 if word.isupper() else 2)]
    return [word for word in words if not marks.MARKS[word] & NEVER_ALONE]


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
