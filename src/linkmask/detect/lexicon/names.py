"""Recognizes personal names: after a title or label, inverted, by list and by shape."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import BLANK, Text
from linkmask.schema import types, words

NOT_A_NAME = w.STOP | w.FUNCTION | w.NUMBER | w.LABEL
_TIES = BLANK | {"'", "’", ". "}
HEADS = w.PRACTICE | w.EITHER | w.INSTITUTION | w.ORGANIZATION | w.PLACE_HEAD
_CLINICAL = w.ILL_OR_CURE | w.MODIFIER
UNLIKE = HEADS | w.PLACE | w.UPPER | w.GENERIC | w.HEALTH | w.THING | _CLINICAL
"""A head word, a place, or capitals (a heading, a form field, a code): what no name looks like."""
_NAME = w.GIVEN | w.SURNAME
NOT_BEHIND = w.TITLE | w.CLINICIAN | w.LETTERS_BEHIND
_UNSURE = w.WORDY | w.PLACE | w.UPPER | w.SURNAME | w.STOP
_NO_FIRST = w.PLACE | w.STOP | w.UPPER
_NO_UNLISTED = w.PLACE | w.GENERIC | w.UPPER
_NOT_CAPITALS = UNLIKE & ~w.UPPER
_NO_INITIALS = UNLIKE & ~(w.UPPER | w.PLACE)
_NO_FAMILY = w.WORDY | w.INITIAL | w.PLACE
_WORDY_PLACE = w.WORDY | w.PLACE
_CAPITALS = w.UPPER | w.INITIAL
_FAMILY = _CAPITALS | w.SURNAME
_LOOKED_AT = NOT_A_NAME | NOT_BEHIND | w.UPPER
"""Words that do not stand in every name: `_in_name` tells in which."""
_BARE = reduce(or_, w.AGENT.values(), w.CAP | w.GAZETTEER)
"""What a word is that only the gazetteer of names lists."""
_LONGEST = 5
_NO_WORDS = w.CALENDAR | w.UPPER | HEADS | w.STATE
"""What two everyday words that are a name are not: "May Day", "GRANT PARK", "Christian Church"."""
_IS, _ARTICLES = {"is", "was", "est", "ist", "war"}, {"a", "an", "the", "un", "une"}
_BEFORE_BIRTH = {" (", ", ", " "}
_BORN = {"DOB", "born", "né", "née", "geb", "geboren"}
DEEDS = frozenset(words("context")["deeds"])


def person_end(t: Text, i: int, *, announced: bool = False) -> int:
    """Return the word after the person's name that begins at word i (i itself: no name there).

    `announced`: something before word i says that a name follows, be it one like "Allen" or "Will",
    which are words elsewhere.
    """
    j, features, gap = i, t.features, t.gap
    while j - i < _LONGEST and (j == i or gap[j] in BLANK or _continues(t, j)):
        m = features[j]
        plain = not m & _LOOKED_AT and gap[j + 1] in BLANK
        if m & w.CAP and (plain or _in_name(t, i, j, announced)):
            j += 1
        elif m & w.PARTICLE and (after := _surname_end(t, j)):
            j = after
        else:
            break
    while j > i + 1 and features[j - 1] & HEADS and not features[j - 1] & _NAME:
        j -= 1
    return j


def _surname_end(t: Text, j: int) -> int:
    """Return the word after "de la Cruz" when such a surname begins at word j, else 0."""
    for k in range(j + 1, min(j + 4, len(t.words))):
        m = t.features[k]
        if t.gap[k] not in _TIES or not m & (w.CAP | w.PARTICLE):
            return 0
        if m & w.CAP and not m & NOT_A_NAME:
            return k + 1
        if not m & w.PARTICLE:
            return 0
    return 0


def _in_name(t: Text, i: int, j: int, announced: bool) -> bool:
    """May the capitalised word j stand in the name that begins at word i?"""
    m, behind = t.features[j], t.gap[j + 1]
    if behind not in BLANK:
        label = len(t.words[j]) < 4 and j > i and behind.lstrip()[:1] == ":"
        if label or behind[:1] in {"°", "º"}:
            return False  # "Finch N° 4", "Finch MI: T"
    name = m & _NAME
    if j > i and not name and (m & NOT_BEHIND or (m & w.UPPER and t.words[j].lower() in DEEDS)):
        return False  # "VALENTINA ASKED"
    if not m & NOT_A_NAME or (m & w.INITIAL and behind[:1] == "."):
        return True
    if j == i and not announced:
        after = t.features[j + 1]
        announced = bool(m & w.GIVEN and after & w.SURNAME and after & w.CAP and behind == " ")
    return bool(name and (j > i or announced) and not (m & w.FUNCTION and m & w.UPPER))


def _continues(t: Text, j: int) -> bool:
    """May a name go on with word j, before which no mere blank stands?"""
    gap = t.gap[j]
    return t.joins(j) and "s " not in gap and "&" not in gap


def claim_name(t: Text, i: int, j: int, rule: str, score: float) -> Candidate:
    """Return words [i, j) as found, with the point of a last initial: "Marguerite V."."""
    found = t.claim(i, j, types.NAME, rule, score)
    if t.features[j - 1] & w.INITIAL and j - i > 1 and t.text[found.end : found.end + 1] == ".":
        return Candidate(found.start, found.end + 1, types.NAME, "lexicon", rule, score)
    return found


def find(t: Text) -> Iterator[Candidate]:
    """Yield NAME spans known by their shape or from the lists."""
    features, taken = t.features, t.taken
    for i, j, bits in t.runs:
        if j - i == 1 and not bits & (_NAME | w.UNMET_GIVEN) and not features[j] & w.PARTICLE:
            continue  # one word, in no list and with nothing behind it: no name
        k = i
        while k < j:
            end = k + 1
            if not taken[k] and (not features[k] & NOT_A_NAME or _may_begin(t, k, j)):
                last = person_end(t, k)
                if last < end:
                    last = end
                inside = k > i and not taken[k - 1] and not features[k - 1] & NOT_A_NAME
                score = _score(t, k, last)
                if last < j and score < 0.5 and features[last - 1] & _CLINICAL:
                    score = 0.0  # "Spilled Acetone Burns Two"
                if score and not (inside and _part_of_more(t, k, last)):
                    yield claim_name(t, k, last, "listed", score)
                    end = last
            k = end


def of_words(t: Text) -> Iterator[Candidate]:
    """Yield names of two everyday words if a deed, an age or work is told: "Bill Page rang"."""
    for i in t.words_with(w.COMMON_GIVEN):
        first, last = t.features[i], t.features[i + 1]
        named = first & w.CAP and last & w.CAP and last & (w.LISTED_SURNAME | w.USUAL_SURNAME)
        if not named or t.gap[i + 1] != " " or (first | last) & _NO_WORDS:
            continue
        if t.words[i - 1].lower() in _ARTICLES:
            continue
        if t.free(i, i + 2) and _said_of_a_person(t, i + 2):
            yield claim_name(t, i, i + 2, "words of a name", 0.7)


def _said_of_a_person(t: Text, k: int) -> bool:
    """Do the words from k on say what somebody does, how old they are, or what their work is?"""
    word, gap = t.words[k], t.gap[k]
    if gap in {", ", " ("}:
        return _is_age(word) and t.gap[k + 1][:1] in {",", ")"}
    if gap != " " or not word.islower():
        return False
    if word in _IS:
        behind = k + 1 + (t.words[k + 1] in _ARTICLES)
        return bool(_is_age(t.words[k + 1]) or t.features[behind] & w.OCCUPATION)
    return word in DEEDS


def _is_age(word: str) -> bool:
    return word.isdecimal() and 1 <= len(word) <= 2


def _before_state(t: Text, j: int) -> bool:
    """Does a state follow word j - 1 behind a comma, as in "Brandon, Manitoba"?"""
    m = t.features[j]
    return t.gap[j] == ", " and bool(m & w.STATE) and bool(m & w.CAP) and not m & w.GIVEN


def _may_begin(t: Text, k: int, j: int) -> bool:
    """May word k of a run that ends at j begin a name? "May Finch" does, "May 3" does not."""
    m = t.features[k]
    return bool((m & w.GIVEN and k + 1 < j) or (m & w.INITIAL and t.gap[k + 1][:1] == "."))


def _score(t: Text, i: int, j: int) -> float:
    """Return how surely words [i, j) are a person's name, 0 if they are not; word i is free."""
    features = t.features
    first, size = features[i], j - i
    if size == 1:
        people = first & w.NATIONALITY and t.words[i].isascii()  # "German", but not "Germán"
        given = first & w.GIVEN and not (people or first & _UNSURE)
        given = given or (_is_unmet(t, i, j) and not first & w.RATHER_WORD)
        return 0.5 if given and not _before_state(t, j) else 0.0
    behind = 0
    for m in features[i + 1 : j]:
        if m & HEADS and not m & _NAME:
            return 0.0
        behind |= m
    if (first & HEADS and not first & _NAME) or features[j - 1] & w.THING or not t.free(i, j):
        return 0.0
    if not (first | behind) & _NOT_CAPITALS:
        if first & _FAMILY and not first & _NO_FAMILY and _family_first(t, i, j):
            return 0.6
        if t.gap[j] in _BEFORE_BIRTH and t.words[j] in _BORN:
            return 0.6  # "Le Lay J, née le 4 mai"
    if _is_unmet(t, i, j) and all(map(_may_follow, features[i + 1 : j])):
        return 0.6
    surname = behind & w.SURNAME
    if first & w.WORDY and not surname:
        return 0.0 if first & _NO_FIRST or t.opens(i) else 0.45
    if first & w.GIVEN or (first & w.INITIAL and size > 2 and features[i + 1] & w.GIVEN):
        return 0.8 if surname else 0.7
    if first & w.INITIAL:
        own = features[i:j]
        likely = not t.opens(i) and not (first | behind) & _NO_INITIALS
        named = own[1] & w.CAP and t.gap[i + 1][:1] == "."  # not "M. le Directeur"
        likely = likely and not all(m & w.INITIAL for m in own)  # not "N. V"
        return 0.65 if named and (surname or likely) else 0.0
    if surname and not t.opens(i) and not first & _NO_UNLISTED and not features[i - 1] & w.NUMBER:
        return 0.45
    return 0.0


def _is_unmet(t: Text, i: int, j: int) -> bool:
    """Is word i a given name of the gazetteer alone, and do [i, j) stand beside no number, as the
    name of a street does, before no postcode, state or country, as a town does, and no mask, as
    what is left of a word does?
    """
    alone = t.features[i] & w.UNMET_GIVEN and not t.features[i] & ~_BARE
    number = t.features[i - 1] & w.NUMBER or any(map(str.isdigit, t.words[j]))
    town = t.gap[j].rstrip() == "," and t.features[j] & (w.STATE | w.COUNTRY)
    torn = t.gap[i].endswith("]") or t.gap[j].startswith("[")
    return bool(alone and not number and not town and not torn)


def _may_follow(m: int) -> bool:
    """May a word stand in a name behind a given name of the gazetteer?"""
    return bool(m & (w.LISTED_NAME | _NAME) and not m & (_NOT_CAPITALS | w.STOP | w.FUNCTION))


def _part_of_more(t: Text, k: int, j: int) -> bool:
    """Does what stands before word k, of the same run, make it no person: "M. Giovanni"?"""
    return j - k == 1 or bool(t.features[k - 1] & w.INITIAL)


def _family_first(t: Text, i: int, j: int) -> bool:
    """Is it "FINCH ARLO", "Finch Arlo Tom" or "FINCH A." with the family name first?"""
    first, rest = t.features[i], t.features[i + 1 : j]
    sure = [m & w.GIVEN and not m & _WORDY_PLACE for m in rest]
    if all(m & _CAPITALS for m in t.features[i:j]):
        initial = j - i == 2 and rest[0] & w.INITIAL and len(t.words[i]) > 3
        return any(sure) or bool(initial and (t.gap[j][:1] == "." or t.features[j] & w.NUMBER))
    return all(sure) and bool(first & (w.SURNAME | w.UPPER)) and not first & w.GIVEN


# ── small letters ───────────────────────────────────────────────────────────────────────────────

_OTHER = ~(_NAME | w.WORDY | w.GAZETTEER | w.PHRASE | w.WORK | w.NAMING)
_FEW = 50
"""A text with fewer than one capitalised word in so many has no letter case to go by."""


def uncapitalised(t: Text) -> Iterator[Candidate]:
    """Yield listed names in small letters, if a text has no capitals: "david", "david finch"."""
    for number, (first, last) in enumerate(t.spans):
        if len(t.within(w.CAP, number)) * _FEW > last - first + 1:
            continue
        for k in t.within(w.GIVEN, number):
            if not t.features[k] & (w.WORDY | w.CAP | _OTHER) and not t.taken[k]:
                after = t.features[k + 1]
                whole = t.gap[k + 1] == " " and after & _NAME and not after & (NOT_A_NAME | w.CAP)
                yield claim_name(t, k, k + 1 + bool(whole), "no capitals", 0.7 if whole else 0.5)
