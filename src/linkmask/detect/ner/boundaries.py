"""Corrects where the tagger's spans end: at a tab, before a label, at the end of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from linkmask.detect.lexicon import word_features
from linkmask.detect.lexicon.name_words import is_common_word, is_no_prose
from linkmask.detect.patterns.id_triggers import WORD, fold_same_length, last_trigger
from linkmask.schema import compiled, expression, types, types_of, words
from linkmask.text.sentences import begins_sentence
from linkmask.text.spelled_words import spelled_parts

CUT = compiled("boundaries_cut")
"""What stands between two cells or columns, and before a label or a calendar's property."""
_LABELLED = re.compile(":|;[A-Z-]{2,24}=")

_LABEL = 26
"""Characters of a label and what stands around it, at most."""

CLINICAL = types_of("clinical")

NUMBERS = frozenset({types.NON_PERSONAL_ID, types.PATIENT_ID})
"""Types whose values hold a digit."""

PLACED = types_of("person", "place", "organization", "provider", "address")
"""Types for which the tagger takes words of a form: "Kostenträger:", "Name: TBD"."""

BODIES = frozenset({types.LOCATION, types.ORGANIZATION})
"""Types of which one character is no value."""

_LONG = 24
_DECIMALS = re.compile(r"(?<=\d)[.,]\d{1,3}\b")

SMALL, SMALL_NAME, SENTENCE = 0.4, 0.7, 100
"""How sure a body's name in small letters must be where capitals stand so near (characters), and a
person's that is a word of prose."""

UNSURE = 0.1
"""An address less sure than this is none; a name, only if a list knows a word of it."""
LISTED = word_features.GIVEN | word_features.SURNAME

SHORT = 8
"""Characters below which a text may be one letter and marks, which say nothing; ideograms do."""

LEAST_CODE = 0.02
"""A code less sure than this is none: "BP 148/92"."""

GREETINGS = words("greetings")
OPENINGS = frozenset(chain(*GREETINGS["covered"].values())) - {*GREETINGS["names"]["openings"]}
"""Words of salutations that are no names: "Hola Piedad"."""
_BEFORE_NAME = word_features.KIN | word_features.CALLED
_APART = re.compile(r"(?<![^\W_])[^\W\d_](?![^\W_])")
SPELLED = 80
"""Characters around a span in which a spelled word is looked for."""
_STOP = re.compile(r"\. +|\.?\n")
_KIN = re.compile(r"([^\W\d_]+)[ \t]+(?=\w)")
_DECIMAL = compiled("boundaries_decimal")
_GENERATION = compiled("boundaries_generation")
"""What tells namesakes of a family apart, and is no part of the name: "Roth jun."."""


def split_at_boundaries(text: str, start: int, end: int, label: str) -> Iterable[tuple[int, int]]:
    """Return the parts of a span within its boundaries; a form's label gives none."""
    if label in PLACED and (start, end) != (spelled := _with_spelled_words(text, start, end)):
        return (spelled,)
    if label in CLINICAL:
        start, end = _clinical(text, start, end)
    elif label == types.NAME:
        if ahead := _KIN.match(text, start, end):
            opens = ahead[1].lower() in OPENINGS or word_features.FEATURES[ahead[1]] & _BEFORE_NAME
            start = ahead.end() if opens else start
        if generation := _GENERATION.search(text, max(start, end - 4), end):
            end = generation.start()
        if _STOP.search(text, start, end):
            parts = _cut(text, start, end, label)
            return (name for at, to in parts for name in _names(text, at, to))
    elif label == types.ORGANIZATION and text[end : end + 1] == ")":
        bracket = text.rfind("(", start + 1, end)
        if bracket > 0 and ")" not in text[bracket:end]:  # "Administrative Court (Regeringsrätten)"
            return (
                without_outer_marks(text, start, bracket),
                without_outer_marks(text, bracket, end),
            )
    span = text[start:end]
    if span.isalnum() or not ("\n" in span or "  " in span or "\t" in span):
        return ((start, end),)
    return _cut(text, start, end, label)


def _with_spelled_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with all letters of the words that are spelled there: "B-r-a-n-d".

    The tagger reads letters, and may take a part of them: "B-r-a".
    """
    if not (_APART.match(text, start) or _APART.match(text, end - 1)):
        return start, end
    for first, last in spelled_parts(text, max(start - SPELLED, 0), end + SPELLED):
        if first < end and start < last:
            start, end = min(start, first), max(end, last)
    return start, end


def _names(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a span in one sentence each, and those that have a line of their own.

    "By Dr. Frith. Jane Roe" has two persons; so has a list with a name a line.
    """
    for stop in _STOP.finditer(text, start, end):
        own_line = text.find("\n", stop.end(), end + 1) >= 0 or end == len(text)
        if (own_line and "\n" in stop[0]) or begins_sentence(text, stop.end()):
            yield start, stop.start()
            start = stop.end()
    yield start, end


def _cut(text: str, start: int, end: int, label: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a span between tabs, gaps and line ends before a label."""
    first = True
    for cut in CUT.finditer(text, start, min(end + _LABEL, len(text))):
        if cut.start() >= end:
            break
        if _value(text, start, cut.start(), label):
            yield without_outer_marks(text, start, cut.start())
        first, start = False, cut.end()
    if first or (not _LABELLED.match(text, end) and _value(text, start, end, label)):
        yield (start, end) if first else without_outer_marks(text, start, end)


def _clinical(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of a condition or a treatment with all of its words."""
    if text[end : end + 1] in {",", "."}:
        decimals = _DECIMALS.match(text, end)  # "glycémie 2" | ",1 g"
        end = decimals.end() if decimals else end
    return with_hyphenated_words(text, start, end)


def _value(text: str, start: int, end: int, label: str) -> bool:
    """May a part of a span be a value: not "F", nor "Tel" of a number?"""
    return end - start > 1 and (label not in NUMBERS or any(map(str.isdigit, text[start:end])))


def without_outer_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without marks at its ends; one of marks alone is empty."""
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end


_TOUCHED = re.compile(r"[0-9]{4}([^\W\d_]{3,})\Z")


def before_touching_word(text: str, start: int, end: int) -> int:
    """Return where a date ends before a word that touches its year: "12.03.1980geboren"."""
    word = _TOUCHED.search(text, max(start, end - 40), end)
    return word.start(1) if word else end


def with_hyphenated_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with all of the hyphenated words it begins or ends in: "GM" of "anti-GM-CSF".

    Numbers and slashes part words: "-20 kg".
    """
    if text[start - 1 : start] == "-":
        before = _WORD_BEFORE.search(text, max(start - _LONG, 0), start)
        start = before.start() if before else start
    behind = _WORD_BEHIND.match(text, end, end + _LONG) if text[end : end + 1] == "-" else None
    return start, behind.end() if behind else end


_WORDS = re.compile(r"\w+")
_OF_THINGS = re.compile(rf"(?i)(?<!\w)(?:{'|'.join(words('columns')['of_things'])})[:=|]\Z")
_JOINED = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
"""How programs and their parts are called (the label of RFC 1123), all in small letters."""


_KIND = expression("boundaries_kind")
_GRADED_NAME = compiled("boundaries_graded")
"""What is a step of a scale, and no name of a place or a body: "Tier 2"."""
_WORD_BEFORE = re.compile(r"(?<![\w-])[^\W\d_][\w-]{0,22}-\Z")
_WORD_BEHIND = re.compile(expression("boundaries_word_behind"))


_LAW = compiled("boundaries_law")
_NO_ADDRESS = compiled("boundaries_no_address")
_FIGURE = re.compile("[0-9]")
_MONEY = compiled("boundaries_money")
"""A currency beside an amount, which is no abbreviation: "CHF 300" is no heart failure."""
_NO_CODE = compiled("boundaries_no_code")
"""What is no number of anybody: an age in a table, an amount of which it may be a part."""


def cannot_be(text: str, start: int, end: int, label: str, sure: float) -> bool:
    """Tell whether a span cannot have the tagger's type: "0.71" as a date."""
    if end - start == 1 and label != "DEM":
        alone = len(text) < SHORT and sum(map(str.isalnum, text)) == 1
        if text[start].islower() or (alone and text[start] < "\u3400"):
            return True  # "file name: a"
    if label == "DATE":
        return _DECIMAL.fullmatch(text, start, end) is not None
    if label == "CODE" and sure < LEAST_CODE:
        return True
    if label in NUMBERS or label == "CODE":
        figure = _FIGURE.search(text, start, end)
        other = _NO_CODE.match(text, (figure.start() if figure else start) - 1)
        return other is not None and other.end() >= end
    if label == types.NAME and sure < UNSURE:
        words = _WORDS.findall(text, start, end)
        return not any(word_features.FEATURES[word] & LISTED for word in words)
    if label in PLACED and (_says_nothing(text, start, end) or _is_law(text, start, end)):
        return True
    if label == types.ADDRESS and (sure < UNSURE or _NO_ADDRESS.fullmatch(text, start, end)):
        return True
    if label == types.ORGANIZATION and sure < SMALL:
        return _is_small_among_capitals(text, start, end)
    if label == types.NAME and sure < SMALL_NAME and is_common_word(text[start:end]):
        return _is_small_among_capitals(text, start, end)
    if label in CLINICAL:
        if (money := _MONEY.match(text, start)) and money.end() == end:
            return True
        words = _WORDS.findall(text, start, end)
        return bool(words) and bool(word_features.FEATURES[words[-1]] & word_features.WEAK)
    value = text[start:end]
    graded = len(value) == 1 or value.isdecimal() or _GRADED_NAME.fullmatch(value)
    return label in BODIES and bool(graded)


def _is_small_among_capitals(text: str, start: int, end: int) -> bool:
    """Tell whether a span has small letters alone, and a capital stands near."""
    near = text[max(start - SENTENCE, 0) : end + SENTENCE]
    return text[start:end].islower() and any(map(str.isupper, near))


def _is_law(text: str, start: int, end: int) -> bool:
    """Tell whether a span is the word before the number of a law: "Ley 39/2015"."""
    if not _LAW.match(text, end):
        return False
    small = fold_same_length(text[start:end])
    trigger = last_trigger(small, WORD.findall(small))
    return bool(trigger and trigger.kind == "code" and trigger.near and trigger.at == 0)


def _says_nothing(text: str, start: int, end: int) -> bool:
    """Tell whether a span says that a field is empty, or names a program: "name: dune-router"."""
    before = text[max(start - 12, 0) : start].rstrip(" \t*_")
    if before[-1:] not in {":", "=", "|"}:
        return False
    if _OF_THINGS.search(before) and _JOINED.fullmatch(text, start, end):
        last = text[start:end].rpartition("-")[2]
        return not is_no_prose(last) and not word_features.FEATURES[last.capitalize()] & LISTED
    return word_features.no_value(text[start:end])
