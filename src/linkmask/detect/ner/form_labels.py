"""Recognizes form labels among the tagger's spans, and several names in one span in capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from linkmask.detect.fields import type_of
from linkmask.detect.lexicon import word_features
from linkmask.detect.lexicon.names import DEEDS
from linkmask.schema import words
from linkmask.text.letters import word_key

LISTED = word_features.GIVEN | word_features.SURNAME
_IN_NAME = LISTED | word_features.PARTICLE | word_features.INITIAL
_LONG_WORD = re.compile(r"[^\W\d_]{2,24}\Z")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_WORDS = re.compile(r"\w+")
_FIELD_END = re.compile(
    r"(?: [a-zß-ÿ]{2,12}){0,2}(?: ?\([^()\n]{1,12}\))?[ \t]{0,4}(?:\.?[:|\t]|(?<=\w)>)"
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


def names_in_capitals(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the names in a span in capitals, separated by verbs and sentence ends.

    "LUZ BE TOLD. VALENTINA ASKED" has two names.
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
    m = word_features.MARKS[word]
    if m & _IN_NAME or len(word) < 2:
        return False
    return bool(m & word_features.FUNCTION) or word.lower() in DEEDS


def is_form_label(text: str, start: int, end: int, unsure: bool) -> bool:
    """Tell whether it is a form's label: "Courriel :", "<nino>", "numéro de sécurité sociale".

    A word that is also a listed name is a label only before a colon or in a tag.
    """
    span = text[start:end]
    label = type_of(span)
    first = span if span.isalnum() else span.partition(" ")[0]
    if not label and end - start > 1 and not word_features.MARKS[first] & word_features.FIELD:
        return False
    words = _WORDS.findall(span)
    if label and len(words) > 1:
        return not any(word_features.MARKS[word] & LISTED for word in words)
    if len(words) == 1 and len(span) == 1 and (letters := _letters(text, start)):
        return bool(type_of(letters))  # "S.S.N"
    if not label and not (
        words and all(word_features.MARKS[word] & word_features.FIELD for word in words)
    ):
        return False
    listed = any(word_features.MARKS[word] & LISTED for word in words)
    if _FIELD_END.match(text, end):
        return not listed or text[start - 1 : start] in {"<", "/"}
    return unsure and not listed


def is_empty_value(text: str, start: int, end: int) -> bool:
    """Tell whether it says that a field is empty or elsewhere: "Patient Name: See attached"."""
    before = text[max(start - _BLANKS, 0) : start].rstrip(" \t*_")
    return before[-1:] in {":", "=", "|"} and word_features.no_value(text[start:end])


def is_organization_label(text: str, start: int, end: int) -> bool:
    """Tell whether it is a label for an organization and not a name: "Insurance Company:"."""
    if text[end : end + 2].strip(" ")[:1] != ":":
        return False
    marks = [word_features.MARKS[word] for word in _WORDS.findall(text, start, end)]
    return len(marks) > 1 and are_body_words(marks)


def are_body_words(marks: list[int]) -> bool:
    """Tell whether all words, by their features, are words for kinds of organizations."""
    return all(m & _KIND and not m & _OWN for m in marks)


def behind_label(text: str, start: int, end: int) -> int:
    """Return where the value begins in a span that holds its label: "Insurance Company: Humana"."""
    colon = text.rfind(": ", start, end)
    return colon + 2 if colon > start and is_organization_label(text, start, colon) else start


@lru_cache(maxsize=1 << 12)
def is_listed_condition(span: str) -> bool:
    """Tell whether the lists have the whole span as a condition or a treatment: "Morbus Crohn"."""
    words = [word_key(word) for word in re.findall(r"[\w-]+", span)]
    if len(words) < 2:
        return False
    known = word_features.lexicon()
    if known.words.get(words[0], 0) & word_features.EPONYMOUS:
        return True
    options = known.phrases.get(words[0], {}).get(words[1], ())
    return any(rest == tuple(words[2:]) and bits & _AILMENT for rest, bits in options)


def is_disease_stage(text: str, start: int, end: int) -> bool:
    """Tell whether it is a disease's stage and not a sports ground: "Brustkrebs Stadium IV"."""
    words = _WORDS.findall(text, start, end)
    numbered = len(words) > 1 and _ROMAN.fullmatch(words[-1]) is not None
    if numbered:
        words.pop()
    if not words or not word_features.MARKS[words[-1]] & word_features.STAGED:
        return False
    ill = any(word_features.MARKS[word] & word_features.CONDITION for word in words[:-1])
    return ill or numbered or _ROMAN.match(text[end : end + 8].lstrip(" ")) is not None


def is_french_without_apostrophes(text: str, start: int, end: int) -> bool:
    """Tell whether it is French typed without apostrophes: "Jai perdu ma carte"."""
    return text[start:end].lower() in SLANG and _FRENCH.match(text, end) is not None


_BLANKS = 12
_KIND = (
    word_features.GENERIC
    | word_features.HEALTH
    | word_features.EITHER
    | word_features.ORGANIZATION
    | word_features.PRACTICE
)
_OWN = LISTED | word_features.PLACE | word_features.KNOWN
_AILMENT = word_features.CONDITION | word_features.TREATMENT
_ROMAN = re.compile(r"(?:[IV]{1,4}|[0-4])[A-Ca-c]?(?!\w)")
SLANG = frozenset(words("context")["without_apostrophe"])
_FRENCH = re.compile(
    r" (?:pas|mal|un|une|le|la|les|des|du|mon|ma|mes|plus|eu|trop|rien|bien|que|déjà|deja|toujours"
    r"|très|tres|besoin|peur|froid|[a-zà-ÿ]{1,14}(?:é|ée|u|is|it|ais))(?!\w)"
)


def _letters(text: str, start: int) -> str:
    """Return the letters with points between them that a letter stands among, else nothing."""
    for letters in _POINTED.finditer(text, max(start - _POINTS, 0), start + _POINTS):
        if letters.start() <= start < letters.end():
            return letters[0].replace(".", "")
    return ""


def is_temperature_of_a_thing(text: str, start: int, end: int) -> bool:
    """Tell whether it is about cold or warmth but not about a body: "food was cold"."""
    if not text.endswith(("cold", "hot", "warm"), start, end):
        return False
    span = text[start:end]
    return _COLD.fullmatch(span) is not None and _BODY.search(span) is None
