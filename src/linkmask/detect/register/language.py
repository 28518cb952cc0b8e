"""Determines the language of a document, and of its passages where they differ.

It is one of those that the settings name; `unknown_language` recognizes texts in other languages.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import groupby
from string import punctuation
from typing import NamedTuple

from linkmask import choices, schema
from linkmask.choices import COVERED, LANGUAGES
from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon.everyday import common_words
from linkmask.detect.register.language_model import identifier
from linkmask.text.characters import APOSTROPHES, DASHES, HYPHENS, QUOTES
from linkmask.text.fold import word_bytes

SAMPLE = 400
"""Characters of a document that decide its language."""
CLEAR = 3
"""Function words that decide a passage's language, and how many times those of any other."""
FEWEST = 2
"""Function words that decide a document's language, where no other language has any."""
AMONG = 2
"""Different function words that decide a sentence's language, where a passage has those of two."""

KNOWN = frozenset(LANGUAGES)
"""Languages of the tagger and of the lists."""
KNOWN_SAMPLE = 4_000
"""Characters from which it is told whether a text is in one of these."""
TOLD, DIFFERENT, SHARE = 4, 3, 0.08
"""Words that tell another language: how many function words, how many different ones (of any kind)
and their share in all words of the sample."""
LETTERS = 3
"""Letters in a row from which they spell something."""
COMMON, SMALL, SURE = 0.4, 10, 8.0
"""The language model is asked where less than this share of the words is common in a covered
language and so many words are in small letters. It tells a language where its score exceeds that of
each covered one by so much for each square root of the sample's bytes; of the annotated sets and
`benchmarks/`, no text in a covered language has more than 2.3."""
NO_LANGUAGE = "zxx"
"""What the language model calls a text of codes."""

_WORDS = schema.words("languages")
FUNCTION_WORDS: Mapping[str, str] = _WORDS["function_words"]
"""The most frequent words of languages, by ISO 639-1 code."""


def _languages_by_word(table: Mapping[str, str]) -> dict[bytes, tuple[str, ...]]:
    found: dict[bytes, tuple[str, ...]] = {}
    for one, listed in table.items():
        for word in dict.fromkeys(map(word_bytes, listed.split())):
            found[word] = (*found.get(word, ()), one)
    return found


_LANGUAGES_OF = _languages_by_word(FUNCTION_WORDS)
_LANGUAGE_OF = {
    word: known[0]
    for word, languages in _LANGUAGES_OF.items()
    if len(known := [one for one in languages if one in KNOWN]) == 1
    and word not in word_bytes(_WORDS["elsewhere"]["any"]).split()
}
"""Function words that tell one known language from the others."""
_OF_LOCALES = frozenset(w for w, of in _LANGUAGES_OF.items() if not KNOWN.issuperset(of))
_OF_KNOWN = [frozenset(w for w, of in _LANGUAGES_OF.items() if one in of) for one in LANGUAGES]
_LABEL_LANGUAGE = {word: of[0] for word, of in _languages_by_word(_WORDS["labels"]).items()}
"""Words of forms and letters that show a language where function words are few."""
_IN_NAMES = frozenset(word_bytes(_WORDS["in_names"]["any"]).split())
LOCALES = frozenset(choices.LOCALES)
"""In these languages a trigger counts, and a name that the tagger is sure of."""
_AROUND = punctuation + QUOTES + APOSTROPHES + DASHES + "…"
_JOINING = dict.fromkeys(map(ord, f"'-{APOSTROPHES}{HYPHENS}"))
_LETTER = re.compile(r"[^\W\d_]")
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
"""A letter that is not Latin."""
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_SENTENCE = schema.compiled("language_sentence")
"""What parts two sentences: no point behind "Dr"."""


class LanguagePassage(NamedTuple):
    """Where a stretch of one language begins, up to the next one, and what finders know of it."""

    start: int
    scope: Scope


def language(text: str, languages: tuple[str, ...]) -> str:
    """Return the likeliest of `languages` (ISO 639-1) for a text; the first one if it is empty.

    A count of function words, together with form labels if needed, decides clear cases in a tenth
    of the time of the language model.
    """
    if len(languages) == 1 or not text.strip():
        return languages[0] if languages else "en"
    return _language(text[:SAMPLE], languages)


@lru_cache(maxsize=1 << 10)
def _language(sample: str, languages: tuple[str, ...]) -> str:
    """Return the language of a sample: a document is asked about in detection and its check."""
    if KNOWN.issuperset(languages):
        words = word_bytes(sample).split()
        found = _languages(words)
        clear = _clearly(found, languages, FEWEST) or _clearly(
            [*found, *filter(None, map(_LABEL_LANGUAGE.get, words))], languages
        )
        if clear:
            return clear
    return str(identifier(languages).classify(sample)[0])


def unknown_language(text: str, words: Sequence[bytes] | None = None) -> str:
    """Return the language of a text (ISO 639-1) if it is one that is not known, else nothing.

    Args:
        text: the text.
        words: its words, as `word_bytes` has them, where they are at hand.
    """
    if words is None or len(text) > KNOWN_SAMPLE:
        words = word_bytes(text[:KNOWN_SAMPLE]).split()
    found = ""
    if _count(words, common_words()) < COMMON * len(words):
        found = _without_recognizers(text[:KNOWN_SAMPLE])
    return found or _with_recognizers(words)


def _with_recognizers(words: Sequence[bytes]) -> str:
    """Return the language among `LOCALES` that some words are of, or nothing.

    Its function words must outnumber those of every known language by half, and not be one word
    over and over: the letter of codes (A-1107) is a word in many languages. Three letters in a row
    and more spell something, and are no words.
    """
    others = _count(words, _OF_LOCALES)
    if others < TOLD:
        return ""
    words = list(_without_letters(words))
    known = max(_count(words, one) for one in _OF_KNOWN)
    if 2 * others <= 3 * known:
        return ""
    counts, different = Counter[str](), Counter[str]()
    for word, count in Counter(filter(_OF_LOCALES.__contains__, words)).items():
        for language in LOCALES.intersection(_LANGUAGES_OF[word]):
            counts[language] += count
            different[language] += 1
    most, other = max(((count, one) for one, count in counts.items()), default=(0, ""))
    told = most >= max(TOLD, SHARE * len(words)) and 2 * most > 3 * known
    return other if told and different[other] >= DIFFERENT else ""


def _without_recognizers(text: str) -> str:
    """Return the language of a text without recognizers (ISO 639-1), or nothing.

    Words in small letters decide it, since names are of any language. What has few of them, such as
    a roster or a row of numbered files, and what has a passage in a covered language, is in no such
    language.
    """
    small = list(_in_small_letters(text))
    if len(small) < SMALL or len(set(small)) < DIFFERENT or _is_common(small):
        return ""
    rows = [small[at : at + SMALL] for at in range(0, len(small) - SMALL + 1, SMALL // 2)]
    if any(_is_common(row) and _by_model(" ".join(row))[0] in COVERED for row in rows):
        return ""
    language, ahead = _by_model(" ".join(small)[:SAMPLE])
    return language if ahead >= SURE and language != NO_LANGUAGE else ""


def _is_common(words: Sequence[str]) -> bool:
    """Tell whether a share of `COMMON` of some words is common in covered languages."""
    folded = word_bytes(" ".join(words)).split()
    return _count(folded, common_words()) >= COMMON * len(folded)


def _in_small_letters(text: str) -> Iterator[str]:
    """Yield the words of a text in Latin script and small letters; e-mail addresses are none."""
    for each in text.split():
        word = each.strip(_AROUND)
        if word.islower() and word.translate(_JOINING).isalpha() and not _OTHER_SCRIPT.search(word):
            yield word


@lru_cache(maxsize=1 << 10)
def _by_model(sample: str) -> tuple[str, float]:
    """Return the likeliest language of a sample, and how far it is ahead of each covered one."""
    ranked = identifier(()).rank(sample)
    language, most = ranked[0]
    ahead = most - max(score for one, score in ranked if one in COVERED)
    return str(language), ahead / math.sqrt(len(sample.encode()))


def _count(words: Iterable[bytes], listed: frozenset[bytes]) -> int:
    """Return how many of some words are listed."""
    return sum(map(listed.__contains__, words))


def uncovered_language(text: str) -> str:
    """Return the language of a text (ISO 639-1) where detection has no words of it, else nothing.

    That is a language that is not known, or one in another script than the Latin one.
    """
    if found := unknown_language(text):
        return "" if found in LOCALES else found
    if text.isascii() or 2 * len(_OTHER_SCRIPT.findall(text)) <= len(_LETTER.findall(text)):
        return ""
    return str(identifier(()).classify(text[:SAMPLE])[0])


def _without_letters(folded: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the words of a text without rows of letters: "B-R-A-N-D", single letters stay."""
    if [*map(len, folded)].count(1) < LETTERS:
        yield from folded
        return
    for alone, words in groupby(folded, key=lambda word: len(word) == 1):
        row = list(words)
        if not alone or len(row) < LETTERS:
            yield from row


def passages(text: str, scope: Scope, languages: tuple[str, ...]) -> list[LanguagePassage]:
    """Return the passages of a text, in order: neighbours differ in language, the first is at 0.

    `scope` is the document's. The text between blank lines (between line ends, if there are none)
    has another language only if its function words show that clearly. A sentence is decided by
    itself if its passage has function words of two languages.
    """
    one, main = [LanguagePassage(0, scope)], scope.language
    if len(languages) == 1 or not KNOWN.issuperset(languages):
        return one
    words = word_bytes(text).split()
    if _of_others(main, languages).isdisjoint(words):
        return one
    shown = _languages(words)
    if max((shown.count(other) for other in languages if other != main), default=0) < AMONG:
        return one
    found: list[LanguagePassage] = []
    for start, end in _stretches(text):
        for at, language in _language_changes(text[start:end], main, languages):
            if not found or language != found[-1].scope.language:
                found.append(LanguagePassage(start + at, replace(scope, language=language)))
    return found


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield what lies between blank lines, or line ends where there are none."""
    starts = [0, *(blank.end() for blank in _BLANK_LINE.finditer(text))]
    if len(starts) == 1:
        starts += [end.end() for end in re.finditer("\n", text)]
    yield from zip(starts, [*starts[1:], len(text)], strict=True)


def _language_changes(
    text: str, main: str, languages: tuple[str, ...]
) -> Iterator[tuple[int, str]]:
    """Yield where a language begins in a stretch of text, and which one: `main` by default."""
    languages_of = _languages(word_bytes(text).split())
    language = _clearly(languages_of, languages) or main
    if sum(languages_of.count(one) >= AMONG for one in languages) < 2:
        yield 0, language
        return
    starts = [0, *(end.end() for end in _SENTENCE.finditer(text))]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        words = _LANGUAGE_OF.keys() & word_bytes(text[start:end]).split()
        least = CLEAR if words <= _IN_NAMES else AMONG
        shown = [_LANGUAGE_OF[word] for word in sorted(words)]
        yield start, _clearly(shown, languages, least) or language


def scope_at(passages: Sequence[LanguagePassage], offset: int) -> Scope:
    """Return the scope of the passage that an offset lies in."""
    return passages[bisect_right(passages, offset, key=lambda one: one.start) - 1].scope


def _languages(words: Iterable[bytes]) -> list[str]:
    """Return the languages of the function words among some words, in order."""
    return list(filter(None, map(_LANGUAGE_OF.get, words)))


@cache
def _of_others(main: str, languages: tuple[str, ...]) -> frozenset[bytes]:
    """Return the function words of other languages than a document's."""
    others = {*languages} - {main}
    return frozenset(word for word, one in _LANGUAGE_OF.items() if one in others)


def _clearly(found: list[str], languages: tuple[str, ...], least: int = CLEAR) -> str:
    """Return the language that function words show, or nothing."""
    (second, _), (most, first) = sorted([(found.count(one), one) for one in languages])[-2:]
    return first if most >= least and most >= CLEAR * second else ""
