"""Extends names over the other half of their word, and over a given name or a surname beside them.

A mask must not touch a readable part of the same name: "[NAME]-won" for "Jae-won", "Cornelius
[NAME]" where the corpus knows the surname alone. So words beside a mask are treated as words
beside a name, when a masked text is checked and when a text was masked before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.name_words import (
    OTHER_WORDS,
    is_given_name,
    is_listed_alone,
    may_be_in_name,
)
from linkmask.schema import MASK, compiled, types, types_of, words

REACH = 64
"""Characters on each side of a name that are looked at."""
SHORT = 10
"""Letters of an unlisted word before a name, at most, where nouns have capitals, too."""
_BEFORE = compiled("extent_half_before")
_BEHIND = compiled("extent_half_behind")
_APOSTROPHE = compiled("extent_apostrophe")
_WORD_BEFORE = compiled("extent_word_before")
_WITHIN = re.compile(r"[^\W\d_],? \Z")
"""What stands before a word that does not begin a sentence."""
_WORD_BEHIND = compiled("extent_word_behind")
_LISTED_BEFORE = compiled("extent_listed_before")
"""A surname before a given name, as lists of persons have it."""
_SURNAME_FIRST = compiled("extent_surname_first")
"""A surname in capitals that begins a line or an item, before the given name: "ROTH, Ada"."""
_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|[ .'’-])*")
_PERSONS = types_of("person")
_TAILS = frozenset(words("titles")["tails"]["any"].split())


def with_whole_names(
    text: str, spans: Sequence[Candidate], language: str, foreign: str = ""
) -> list[Candidate]:
    """Return disjoint, sorted spans; those of names reach over what else is part of the name.

    Args:
        text: the text of the spans.
        spans: all spans that were found in it.
        language: the known language that the text is most like.
        foreign: its language, if that is not a known one.
    """
    nouns = language == "de" and not foreign
    whole: list[Candidate] = []
    for number, one in enumerate(spans):
        name = one.type in _PERSONS and _NAME.fullmatch(text, one.start, one.end)
        first = whole[-1].end if whole else 0
        last = spans[number + 1].start if number + 1 < len(spans) else len(text)
        whole.append(_whole(text, one, first, last, nouns, bool(foreign)) if name else one)
    return whole


def names_beside_masks(text: str, language: str, foreign: str = "") -> Iterator[Candidate]:
    """Yield the given names and surnames that stand right beside the mask of a name, or in a row.

    The arguments are those of `with_whole_names`.
    """
    if "[" not in text:
        return
    nouns = language == "de" and not foreign
    for mask in MASK.finditer(text):
        if mask[1] not in _PERSONS:
            continue
        start, end = mask.span()
        while before := _name_before(text, start, nouns):
            start -= len(before[0])
            yield _beside(start, before["word"])
        while behind := _WORD_BEHIND.match(text, end):
            if not (_is_listed(behind["word"]) or _is_unlisted(behind["word"], nouns)):
                break
            yield _beside(end + 1, behind["word"])
            end = behind.end()


def _name_before(text: str, start: int, nouns: bool) -> re.Match[str] | None:
    """Return a given name or an unlisted word right before a mask, or before another such word."""
    lead = text[max(start - REACH, 0) : start]
    before = _WORD_BEFORE.search(lead) or _LISTED_BEFORE.search(lead)
    named = before and (_is_given(before["word"]) or _is_unlisted(before["word"], nouns))
    return before if named else None


def _beside(start: int, word: str) -> Candidate:
    return Candidate(start, start + len(word), types.NAME, "lexicon", "beside mask", 0.85)


def _is_listed(word: str) -> bool:
    """Is a word with a capital a surname of the gazetteers, and nothing else?"""
    features = w.FEATURES[word]
    proper = word[0].isupper() and not word.isupper()
    return bool(proper and features & w.SURNAME and not features & (OTHER_WORDS | w.WORDY))


def _whole(
    text: str, one: Candidate, first: int, last: int, nouns: bool, foreign: bool
) -> Candidate:
    start, end = one.start, one.end
    lead = text[max(first, start - REACH) : start]
    behind = text[end : min(last, end + REACH)]
    if half := _APOSTROPHE.search(lead):
        start -= len(half[0])
    elif half := _BEFORE.search(lead):
        if half["half"][0].isupper() and _is_half(half["half"].strip("-‐‑"), nouns):
            start -= len(half["half"])
    elif (word := _WORD_BEFORE.search(lead)) and not is_given_name(text[start:end]):
        within = _WITHIN.search(lead, 0, word.start()) and " " not in text[start:end]
        if _is_given(word["word"]) or (within and _is_unlisted(word["word"], nouns)):
            start -= len(word[0])
    elif (word := _SURNAME_FIRST.search(lead)) and _is_in_capitals(word["word"], text[start:end]):
        start -= len(word["word"]) + 2
    if half := _BEHIND.match(behind):
        if _is_half(half["half"].strip("-‐‑"), nouns):
            end += len(half["half"])
    elif (word := _WORD_BEHIND.match(behind)) and (
        _is_surname(text[start:end], word["word"], foreign)
    ):
        end += len(word[0])
    return one if (start, end) == (one.start, one.end) else one._replace(start=start, end=end)


def _is_in_capitals(word: str, given: str) -> bool:
    """Is a word in capitals a surname before a given name that is not in capitals?"""
    if not word.isupper() or given.isupper() or not is_given_name(re.split("[- ]", given)[0]):
        return False
    return not any(w.FEATURES[part.capitalize()] & OTHER_WORDS for part in word.split("-"))


def _is_half(half: str, nouns: bool) -> bool:
    """Is what a hyphen joins to a name more of it, and no word such as "led" or "style"?

    `nouns`: the language writes all nouns with a capital, so that one may be any word.
    """
    parts = re.split("[-‐‑]", half)
    if parts[-1].lower() in _TAILS:
        return False
    if half[0].isupper():
        return not nouns or all(map(may_be_in_name, parts)) or is_given_name(parts[0])
    return all(part.islower() and not w.FEATURES[part] & w.FUNCTION for part in parts)


def _is_given(word: str) -> bool:
    """Is a word before a name a given name, and nothing else?"""
    if not word[0].isupper() or word.isupper():
        return False
    return is_given_name(word) and not w.FEATURES[word] & (OTHER_WORDS | w.WORDY)


def _is_unlisted(word: str, nouns: bool) -> bool:
    """Is a word with a capital in no list and no vocabulary, and not as long as compound nouns?"""
    return word[0].isupper() and may_be_in_name(word) and not (nouns and len(word) > SHORT)


def _is_surname(name: str, word: str, foreign: bool) -> bool:
    """Is a word behind a name of one word, which is a given name, a surname?

    That is one of the gazetteers; in a language without lists, also a word that is in no list. In
    small letters, the gazetteer must have the word, and as nothing else.
    """
    if name.islower() and word.islower() and " " not in name:
        return is_listed_alone(word)
    if not word[0].isupper() or word.isupper() or " " in name:
        return False
    features = w.FEATURES[word]
    if foreign:
        return may_be_in_name(word)
    listed = features & w.SURNAME and not features & OTHER_WORDS
    return bool(listed) and is_given_name(name)
