"""Recognizers that use word lists: names, providers, places, conditions, treatments, facts.

The lists in `data/` are the project's own. A text is read in blocks, and each block is split into
tokens with word features once (`tokens`). The recognizers then read only tokens with the features
they need, the more certain ones first: clinicians and institutions, persons, places, clinical
terms, facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from linkmask.detect.candidates import Candidate, Scope, together
from linkmask.detect.lexicon import (
    clinical,
    names,
    names_by_trigger,
    occupations,
    places,
    providers,
    unique_facts,
    word_features,
)
from linkmask.detect.lexicon.tokens import Text
from linkmask.schema import types_of

SHORTENED = types_of("clinical", "organization", "provider", "place")
SHORT_FORM = re.compile(r"\s?\(([^\W\d_][A-Z0-9-]{1,7})\)")
"""What stands behind a name that is shortened from there on."""

CLINICIAN = "clinician"
"""The rule whose PROVIDER is a person."""

PART = re.compile(r"[^\W\d_][\w'’-]*")
"""A word of a name."""

ShortForms = dict[str, str]
"""Short form → type, of what was read of a text."""

BLOCK = 100_000
"""Characters of a text looked at together. It is cut where a line, a sentence or a word ends."""

AROUND = 2_000
"""Characters on both sides of a block that are read with it. What is found must not hang on where a
block ends: that moves when something far before it is masked."""


def find(text: str, scope: Scope) -> list[Candidate]:
    """Return spans of every type the lexicon knows, by ascending start, in one linear pass."""
    short: list[ShortForms] = [{}]
    spans: list[Candidate] = []
    for start, end in blocks(text):
        first = max(start - AROUND, 0)
        own = start - first, end - first
        [found] = _together([text[first : end + AROUND]], scope.language, short, own)
        spans += [one.moved(first) for one in found]
    return spans


def finds(read: Iterable[tuple[str, Scope]]) -> list[list[Candidate]]:
    """Return the result of `find` for each text; short texts of one language are read together."""
    read = list(read)
    seen: list[list[Candidate]] = [[] for _ in read]
    for language in sorted({scope.language for _, scope in read}):
        numbers = [n for n, (_, scope) in enumerate(read) if scope.language == language]
        for row in map(numbers.__getitem__, together([read[n][0] for n in numbers])):
            if len(row) == 1:
                seen[row[0]] = find(*read[row[0]])
                continue
            found = _together([read[n][0] for n in row], language, [{} for _ in row])
            for n, each in zip(row, found, strict=True):
                seen[n] = each
    return seen


def _together(
    texts: list[str], language: str, short: list[ShortForms], own: tuple[int, int] | None = None
) -> Iterator[list[Candidate]]:
    """Yield what is in each of some short texts, or in one block of a long one.

    `own`: where the block lies in its text, with what is read around it.
    """
    t = Text(*texts)
    found = _in_all(t, language, short, own or (0, len(t.text)))
    found.sort(key=_order)
    at = 0
    for begin, after in zip(t.begins, [*t.begins[1:], len(t.text) + 1], strict=True):
        first = at
        while at < len(found) and found[at].start < after:
            at += 1
        yield [one.moved(-begin) for one in found[first:at]]


def _in_all(
    t: Text, language: str, known: list[ShortForms], own: tuple[int, int]
) -> list[Candidate]:
    """Return what begins in a part of some texts of which this much is known."""
    found = list(providers.find(t, language))
    found += names_by_trigger.find(t, language)
    found += names.find(t)
    found += names.of_words(t)
    found += names.uncapitalised(t)
    found += places.find(t)
    found += clinical.find(t, language)
    found += unique_facts.find(t, language)
    found += occupations.find(t, language)
    found += occupations.groups(t, language)
    found = [f for f in found if own[0] <= f.start < own[1]]
    for f in found:
        if f.type not in SHORTENED or f.rule == CLINICIAN:
            continue
        short = known[t.text_at(f.start)]
        if match := SHORT_FORM.match(t.text, f.end):
            short.setdefault(match[1], f.type)
        elif f.rule == "condition" and len(words := PART.findall(t.text, f.start, f.end)) > 2:
            short.setdefault("".join(word[0] for word in words).upper(), f.type)
    if any(known):
        more = _short_forms(t, known, {f.start for f in found})
        found += [f for f in more if own[0] <= f.start < own[1]]
    return found


def _short_forms(t: Text, forms: list[ShortForms], begins: set[int]) -> Iterator[Candidate]:
    """Yield "PSP" wherever it stands once "progressive supranuclear palsy (PSP)" was read."""
    for number, one in enumerate(forms):
        for i in t.within(word_features.UPPER, number) if one else ():
            if t.taken[i] or t.starts[i] in begins:
                continue
            if entity_type := one.get(t.words[i]):
                yield t.claim(i, i + 1, entity_type, "short form", 0.65)


def _order(f: Candidate) -> tuple[int, int, str]:
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
