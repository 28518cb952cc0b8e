"""What a form calls its fields, and several names in one span all in capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask.detect.fields import type_of
from linkmask.detect.lexicon import marks
from linkmask.detect.lexicon.names import DEEDS

FIELDLESS = frozenset(
    "NAME LOCATION ORGANIZATION PROVIDER MEDICAL_CONDITION TREATMENT ADDRESS".split()
)
"""Labels that no field's label is a value of."""

LISTED = marks.GIVEN | marks.SURNAME
_IN_NAME = LISTED | marks.PARTICLE | marks.INITIAL
_LONG_WORD = re.compile(r"[^\W\d_]{2,24}\Z")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_FIELD_END = re.compile(
    r"(?: [a-zß-ÿ]{2,12}){0,2}(?: ?\([^()\n]{1,12}\))?[ \t]{0,4}(?:[:|\t]|(?<=\w)>)"
)
_POINTS = 8
_POINTED = re.compile(r"(?:[A-Z]\.){1,5}[A-Z]?")
_COLD = re.compile(r"[^\n.;]{2,40} (?:was|were|is|are) (?:cold|hot|warm)")
_BODY = re.compile(
    r"\b(?:hands?|f(?:oo|ee)t|fingers?|toes?|skin|limbs?|legs?|arms?|nose|ears?|extremit\w+"
    r"|he|she|I)\b"
)
STATISTIC = re.compile(
    r" (?:curves?|estimates?|plots?|estimators?|equation|formula|algorithm|coefficients?)\b"
)


def persons(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the names in a span all in capitals, parted by what is done and where sentences end.

    "LUZ BE TOLD. VALENTINA ASKED" holds two names.
    """
    if not text[start:end].isupper() or " " not in text[start:end]:
        yield start, end
        return
    begin = after = start
    for word in _WORD.finditer(text, start, end):
        sentence = ". " in text[after : word.start()] and _LONG_WORD.search(text, begin, after)
        done = _done(word[0])
        if (done or sentence) and after > begin:
            yield begin, after
            begin = word.start()
        elif after == begin > start:
            begin = word.start()
        begin, after = (word.end(), word.end()) if done else (begin, word.end())
    if end > begin:
        yield begin, end


def _done(word: str) -> bool:
    """Does a word in capitals say what is done: "BE", "ASKED"?"""
    m = marks.MARKS[word]
    if m & _IN_NAME or len(word) < 2:
        return False
    return bool(m & marks.FUNCTION) or word.lower() in DEEDS


def field(text: str, start: int, end: int, unsure: bool) -> bool:
    """Is it what a form calls a field: "Courriel :", "<nino>", "numéro de sécurité sociale"?

    What a list of names knows, too, is one only where a colon or a tag says so.
    """
    span = text[start:end]
    label = type_of(span)
    first = span if span.isalnum() else span.partition(" ")[0]
    if not label and end - start > 1 and not marks.MARKS[first] & marks.FIELD:
        return False
    words = re.findall(r"\w+", span)
    if label and len(words) > 1:
        return not any(marks.MARKS[word] & LISTED for word in words)
    if len(words) == 1 and len(span) == 1 and (letters := _letters(text, start)):
        return bool(type_of(letters))  # "S.S.N"
    if not label and not (words and all(marks.MARKS[word] & marks.FIELD for word in words)):
        return False
    listed = any(marks.MARKS[word] & LISTED for word in words)
    if _FIELD_END.match(text, end):
        return not listed or text[start - 1 : start] in {"<", "/"}
    return unsure and not listed


def _letters(text: str, start: int) -> str:
    """Return the letters with points between them that a letter stands among, else nothing."""
    for letters in _POINTED.finditer(text, max(start - _POINTS, 0), start + _POINTS):
        if letters.start() <= start < letters.end():
            return letters[0].replace(".", "")
    return ""


def weather(text: str, start: int, end: int) -> bool:
    """Is it cold or warm, but nothing of a body: "food was cold"?"""
    if not text.endswith(("cold", "hot", "warm"), start, end):
        return False
    span = text[start:end]
    return _COLD.fullmatch(span) is not None and _BODY.search(span) is None
