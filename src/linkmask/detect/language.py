"""Which language a document is written in, and which of its passages are in another one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from linkmask.detect.fold import plain
from linkmask.detect.found import Scope

SAMPLE = 400
"""Characters of a document that its language is told from."""
CLEAR = 3
"""Small words of a language in a passage that tell it, and how many times those of any other."""

SMALL_WORDS = {
    "en": "the and of to for with was is by from at after this that are were has",
    "fr": "le la les et est une du dans pour par sur un au aux avec que qui à son sa",
    "de": "der die das und ist den von mit dem eine für im zu auf wurde nicht ein bei wird",
}
"""Frequent words that are words of one language only."""
_LANGUAGES = frozenset(SMALL_WORDS)
_LANGUAGE_OF = {plain(word): one for one, listed in SMALL_WORDS.items() for word in listed.split()}
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


class Passage(NamedTuple):
    """Where a stretch of one language begins, up to the next one, and what finders know of it."""

    start: int
    scope: Scope


@cache
def _identifier(languages: tuple[str, ...]) -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(list(languages))
    return identifier


def language(text: str, languages: tuple[str, ...]) -> str:
    """Return the likeliest of `languages` (ISO 639-1) for a text; the first one if it is empty.

    A count of small words decides where it is clear, in a tenth of the model's time.
    """
    if len(languages) == 1 or not text.strip():
        return languages[0] if languages else "en"
    sample = text[:SAMPLE]
    if _LANGUAGES.issuperset(languages):
        heard = _heard(sample)
        (second, _), (most, first) = sorted([(heard.count(one), one) for one in languages])[-2:]
        if most >= 2 and most >= CLEAR * second:
            return first
    return str(_identifier(languages).classify(sample)[0])


def passages(text: str, scope: Scope, languages: tuple[str, ...]) -> list[Passage]:
    """Return the passages of a text, in order: neighbours differ in language, the first is at 0.

    `scope` is the document's. What lies between blank lines (between line ends, where there are
    none) is of another language only if its small words say so clearly.
    """
    one, main = [Passage(0, scope)], scope.language
    if "\n" not in text or len(languages) == 1 or not _LANGUAGES.issuperset(languages):
        return one
    heard = _heard(text)
    if max((heard.count(other) for other in languages if other != main), default=0) < CLEAR:
        return one
    starts = [0, *(blank.end() for blank in _BLANK_LINE.finditer(text))]
    if len(starts) == 1:
        starts += [end.end() for end in re.finditer("\n", text)]
    found: list[Passage] = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        told = _clearly(text[start:end], languages) or main
        if not found or told != found[-1].scope.language:
            found.append(Passage(start, replace(scope, language=told)))
    return found


def scope_at(passages: Sequence[Passage], offset: int) -> Scope:
    """Return the scope of the passage that an offset lies in."""
    return passages[bisect_right(passages, offset, key=lambda one: one.start) - 1].scope


def _heard(text: str) -> list[str]:
    """Return the languages of the small words of a text, in order."""
    return list(filter(None, map(_LANGUAGE_OF.get, plain(text).split())))


def _clearly(text: str, languages: tuple[str, ...]) -> str:
    """Return the language that the small words of a text tell, or nothing."""
    heard = _heard(text)
    (second, _), (most, first) = sorted([(heard.count(one), one) for one in languages])[-2:]
    return first if most >= CLEAR and most >= CLEAR * second else ""
