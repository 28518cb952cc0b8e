"""Corrects where the tagger's spans end: at a tab, before a label, a speaker or a clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from linkmask import schema
from linkmask.choices import LANGUAGES
from linkmask.detect.lexicon import word_features
from linkmask.detect.ner.code_owner import is_calendar_year
from linkmask.schema import expression, types, types_of

CUT = re.compile(
    r"\t[ \t]*| {5,}| {2,}(?=(?:Née?|NÉE?|[Gg]eb(?:oren)?|DOB|[Bb]orn)(?!\w))"
    r"|(?:\n| {2,})(?=[^\W\d_](?:[^\W\d_]| (?! )|[./'’()-]){0,20} ?:)"
)
"""What stands between two cells or columns, and before a label."""

_LABEL = 26
"""Characters of a label and what stands around it, at most."""

CLAUSE = re.compile(
    expression("boundaries_clause"),
    re.DOTALL,
)
"""What begins with who does something: "myasthenia gravis I cannot simply"."""

CLAUSELESS = types_of("clinical")
"""Labels whose finds are cut before a clause."""

NUMBERS = frozenset({types.NON_PERSONAL_ID, types.PATIENT_ID})
"""Types whose values hold a digit."""

PLACED = types_of("person", "place", "organization", "provider", "address")
"""Types for which the tagger takes words of a form: "Kostenträger:", "Name: TBD"."""

HEADING = 0.6
"""How sure it must be that words of forms are one of them."""

BODIES = frozenset({types.LOCATION, types.ORGANIZATION})
"""Types of which one character is no value."""

_LONG = 24
_HALF = re.compile(rf"-(?:\r?\n)?([^\W\d_]{{2,{_LONG}}}+)(?!\w)")
_HALF_BEFORE = re.compile(rf"(?<![\w-])([^\W\d_]{{2,{_LONG - 1}}})-\Z")
_DECIMALS = re.compile(r"(?<=\d)[.,]\d{1,3}\b")
_LAST = re.compile(rf"[^\W\d_]{{2,{_LONG}}}\Z")

SMALL, SENTENCE = 0.4, 100
"""How sure a body's name in small letters must be where capitals stand so near (characters)."""

LEAST_CODE = 0.02
"""A code less sure than this is none: "BP 148/92"."""

UNSURE, LESS_SURE = 0.1, 0.2
"""A name less sure than the first is believed only if a list knows a word of it; less sure than the
second, a letter or some capitals alone are none."""

_OF_ADDRESSES = frozenset(
    word.lower().rstrip(".")
    for words in (
        *(schema.words("addresses")[kind] for kind in ("streets_before", "parts")),
        *(schema.words("streets")[language] for language in LANGUAGES),
    )
    for word in words
)

_LISTED = word_features.GIVEN | word_features.SURNAME
_BEFORE_NAME = word_features.KIN | word_features.CALLED
_ACRONYM = 4
_KIN = re.compile(r"([^\W\d_]+)[ \t]+(?=\w)")
_DECIMAL = re.compile(r"0[.,]\d+|\d+[.,]\d{3}|\d{3,}[.,]\d+|\d+(?:\.\d+){3,}")


def split_at_boundaries(text: str, start: int, end: int, label: str) -> Iterable[tuple[int, int]]:
    """Return the parts of a span within its boundaries; a form's label gives none."""
    if label in CLAUSELESS:
        start, end = _clinical(text, start, end, label)
    elif label == types.NAME and (kin := _KIN.match(text, start, end)):
        start = kin.end() if word_features.MARKS[kin[1]] & _BEFORE_NAME else start
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


def _cut(text: str, start: int, end: int, label: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a span between tabs, gaps and line ends before a label."""
    first = True
    for cut in CUT.finditer(text, start, min(end + _LABEL, len(text))):
        if cut.start() >= end:
            break
        if _value(text, start, cut.start(), label):
            yield without_outer_marks(text, start, cut.start())
        first, start = False, cut.end()
    if first or (text[end : end + 1] != ":" and _value(text, start, end, label)):
        yield (start, end) if first else without_outer_marks(text, start, end)


def _clinical(text: str, start: int, end: int, label: str) -> tuple[int, int]:
    """Return the span of a condition or a treatment with all of its words, without a clause."""
    if text[end : end + 1] in {",", "."}:
        decimals = _DECIMALS.match(text, end)  # "glycémie 2" | ",1 g"
        end = decimals.end() if decimals else end
    start, end = with_hyphenated_words(text, start, end)
    if label == types.MEDICAL_CONDITION:
        start, end = with_stage(text, start, end)
    clause = None if text[start:end].isalnum() else CLAUSE.search(text, start, end)
    return without_outer_marks(text, start, clause.start()) if clause else (start, end)


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


def with_other_half(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with the other half of a double name: "syndrome de Guillain" | "-Barré"."""
    half, last = _HALF.match(text, end), _LAST.search(text, start, end)
    if half and last and half[1].istitle() and last[0].istitle():
        end = half.end()
    half = _HALF_BEFORE.search(text, max(start - _LONG, 0), start)
    if half and half[1].istitle() and text[start : start + 1].isupper():
        start = half.start()
    return start, end


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


def with_stage(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with its stage, type, grade or class: "Stage IV" | "pancreatic cancer"."""
    before = None
    if _GRADED.search(text, max(start - _GRADE_LONG, 0), start):
        before = _STAGE_BEFORE.search(text, max(start - _STAGED, 0), start)
    behind = _STAGE_BEHIND.match(text, end)
    if not behind and (number := _NUMBER_BEHIND.match(text, end)):
        behind = number if _STAGE_OPEN.search(text, max(end - _STAGED, start), end) else None
    return before.start() if before else start, behind.end() if behind else end


_STAGED = 32
_GRADE = r"(?:[IVX]{1,4}|\d{1,2})(?:[A-Da-d]|/(?:[IVX]{1,4}|\d))?"
_SCALE = r"(?:NYHA|GOLD|FIGO|Fontaine|Rutherford|Child-Pugh|Rai|Binet|Ann Arbor|ISHLT|WHO|OMS)"
_KIND = expression("boundaries_kind")
_STAGE_BEFORE = re.compile(
    rf"(?<![\w-])(?:{_SCALE} )?(?:{_KIND}|{_SCALE}) {_GRADE}(?:,| \()? ?\Z(?<=[ (])"
)
_STAGE_BEHIND = re.compile(
    rf"(?:, (?=[\w ]{{4,18}}(?:[.;,)\n]|\Z))| \(| )(?:de |im |en |au )?"
    rf"(?:(?:{_SCALE}[ -])?(?:{_KIND} |Rai-Stadium )"
    rf"|{_SCALE} ){_GRADE}(?![\w.,:/-]*\d)(?!\w)"
    r"| (?:I{2,3}|IV)[a-d]?(?![\w-])"
)
_GRADED_NAME = re.compile(rf"(?:{_KIND}|[Tt]ier|[Ll]evel|[Pp]hase|[Pp]alier|[Ss]tufe) {_GRADE}")
"""What is a step of a scale, and no name of a place or a body: "Tier 2"."""
_GRADED = re.compile(r"[IVX\d][A-Da-d]?(?:,| \()? ?\Z")
_GRADE_LONG = 5
_STAGE_OPEN = re.compile(rf" {_KIND}\Z")
_NUMBER_BEHIND = re.compile(rf" {_GRADE}(?!\w)")


_WORD_BEFORE = re.compile(r"(?<![\w-])[^\W\d_][\w-]{0,22}-\Z")
_WORD_BEHIND = re.compile(expression("boundaries_word_behind"))


_NO_CODE = re.compile(r"[\t|][0-9]{1,2}$|[^\w.,/-][0-9]{1,3}(?:[ ,.'’][0-9]{3}){0,3}[.,][0-9]{2}$")
"""What is no number of anybody: an age in a table, an amount."""


def cannot_be(text: str, start: int, end: int, label: str, sure: float) -> bool:
    """Tell whether a span cannot have the tagger's type: "0.71" as a date, "EDD" as a name."""
    if label != "DEM" and _is_one_character_alone(text, start, end):
        return True
    if label == "DATE":
        return _DECIMAL.fullmatch(text, start, end) is not None
    if label == "CODE":
        return sure < LEAST_CODE or _NO_CODE.match(text, start - 1, end) is not None
    if label in PLACED and _is_of_a_form(text, start, end, sure):
        return True
    if label == types.NAME:
        return _no_name(text, start, end, sure)
    if label == types.ORGANIZATION and sure < SMALL and text[start:end].islower():
        return any(map(str.isupper, text[max(start - SENTENCE, 0) : end + SENTENCE]))
    if label in CLAUSELESS:
        words = _WORDS.findall(text, start, end)
        return bool(words) and bool(word_features.MARKS[words[-1]] & word_features.WEAK)
    return label in BODIES and (end - start == 1 or bool(_GRADED_NAME.fullmatch(text, start, end)))


def _is_of_a_form(text: str, start: int, end: int, sure: float) -> bool:
    """Tell whether a span is a form's label, or says that a field is empty: "Name: see above"."""
    span, before = text[start:end], text[max(start - 12, 0) : start].rstrip(" \t*_")
    if before[-1:] in {":", "=", "|"} and word_features.no_value(span):
        return True
    marks = [word_features.MARKS[word] for word in _WORDS.findall(span)]
    field = all(m & word_features.FIELD and not m & _LISTED for m in marks)
    return bool(marks) and field and (text[end : end + 1] == ":" or sure < HEADING)


def is_year_of_no_address(text: str, start: int, end: int) -> bool:
    """Tell whether an address says a calendar year alone: "Springfield | 1998", "Windows 2000".

    It may be one where a place's name follows ("1950 Sion") and behind a word of addresses ("Suite
    2015").
    """
    if not is_calendar_year(text, start, end) or text[end + 1 : end + 2].isupper():
        return False
    return _OF_ADDRESSES.isdisjoint(map(str.lower, _WORDS.findall(text, start, end)))


def _is_one_character_alone(text: str, start: int, end: int) -> bool:
    """Tell whether a span is a small letter, or one character and the text says nothing else."""
    if end - start > 1 or _ONE_WORD.fullmatch(text[start:end]):
        return False
    if text[start].islower():
        return True  # "file name: a"
    words = _WORDS.finditer(text)
    first = next(words, None)
    return first is None or (first.span() == (start, end) and next(words, None) is None)


_ONE_WORD = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]")
"""A character that is a word of its own: an ideogram, a syllable of Korean."""


def _no_name(text: str, start: int, end: int, sure: float) -> bool:
    """Tell whether what is taken for a name is none: a thing's ("Ford Fiesta"), "EDD", "DG"."""
    words = _WORDS.findall(text, start, end)
    if (
        words
        and word_features.MARKS[words[-1]] & (word_features.THING | _LISTED) == word_features.THING
    ):
        return True
    if sure >= LESS_SURE or _listed(text[start:end]):
        return False
    alone = len(words) == 1 and len(words[0]) <= _ACRONYM and words[0].isupper()
    return sure < UNSURE or alone


def _listed(name: str) -> bool:
    """Does a list of names hold a word of it?"""
    return any(word_features.MARKS[word] & _LISTED for word in _WORDS.findall(name))
