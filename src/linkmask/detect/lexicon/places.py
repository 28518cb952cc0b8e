"""Recognizes places coarser than an address: city with state, listed places, names after "in"."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import Text
from linkmask.schema import types, words

_BEFORE = frozenset(words("context")["before_place"])
_WHOLE = w.STATE | w.COUNTRY
_STATES = _WHOLE | w.STATE_CODE
_GIVEN = w.GIVEN | w.INITIAL


def sure(t: Text) -> Iterator[Candidate]:
    """Yield LOCATION spans that cannot be confused with a person's name."""
    yield from _with_state(t)
    if spans := [(i, j) for i, j, bits in t.phrases if bits & w.PLACE]:
        yield from _listed(t, spans)


def find(t: Text) -> Iterator[Candidate]:
    """Yield the other LOCATION spans, once persons have been found."""
    if places := t.words_with(w.PLACE):
        yield from _listed(t, [(i, i + 1) for i in places])


def _shouted(t: Text, i: int, s: int) -> bool:
    """Is it no town and state code but words in a text all in capitals: "MANY PEOPLE, IN TOWN"?"""
    if not t.marks[s] & w.STATE_CODE:
        return False
    return all(m & w.UPPER and not m & w.PLACE for m in t.marks[i:s])


def _with_state(t: Text) -> Iterator[Candidate]:
    """Find "Iowa City, IA", "Tucson, Arizona", "Paris, France", with a ZIP code behind."""
    spans = [(i, i + 1) for i in t.words_with(_STATES) if t.marks[i] & w.CAP]  # no "in", "or", "me"
    spans += [(i, j) for i, j, bits in t.phrases if bits & _WHOLE]
    for s, after in sorted(spans, key=lambda span: (span[0], -span[1])):
        m, j = t.marks[s], after
        if not m & w.CAP or t.taken[s] or (m & w.STATE_CODE and not m & w.UPPER):
            continue
        zip_code = t.gap[j] == " " and len(t.words[j]) == 5 and t.words[j].isdigit()
        if t.words[s] == "ID" and t.gap[s] == " ":  # "Anna Field ID 44710" is not from Idaho
            zip_code = zip_code and t.words[j].startswith("83")
        if t.gap[s] != ", " and not (zip_code and m & w.STATE_CODE and t.gap[s] == " "):
            continue
        i = s
        while i > 0 and s - i < 3 and _city_word(t, i - 1) and (i == s or t.gap[i] in {" ", ". "}):
            i -= 1
        named = m & w.LETTERS and any(b & _GIVEN for b in t.marks[i : s - 1])
        if named and not zip_code:
            continue  # "Elena Vargas, MD"
        if i < s and (zip_code or not _shouted(t, i, s)):
            yield t.claim(i, j + zip_code, types.LOCATION, "city and state", 0.85)


def _city_word(t: Text, i: int) -> bool:
    m = t.marks[i]
    stops = m & (w.STOP | w.FUNCTION) and not m & (w.PLACE_HEAD | w.DIRECTION)
    return bool(m & w.CAP and not t.taken[i] and not stops)


def _listed(t: Text, spans: list[tuple[int, int]]) -> Iterator[Candidate]:
    for first, after in spans:
        i, j, m = first, after, t.marks[first]
        if not m & w.CAP or not t.free(i, j) or (m & w.UPPER and len(t.words[i]) < 4):
            continue
        if j - i == 1 and m & (w.FUNCTION | w.STOP):
            continue
        if j - i == 1 and m & w.WORDY_PLACE and t.words[i - 1].lower() not in _BEFORE:
            continue
        if j - i == 1 and m & w.UPPER and len(t.words[i]) < 5 and not _among_capitals(t, i):
            continue  # "LIMA to the LAD"
        if i > 0 and t.marks[i - 1] & w.DIRECTION and t.gap[i] == " " and t.marks[i - 1] & w.CAP:
            i -= 1
        while t.marks[j] & w.PLACE_HEAD and t.marks[j] & w.CAP and t.gap[j] == " ":
            j += 1
        if t.gap[j] == " " and t.words[j].lower() == "cedex":
            j += 1 + bool(t.marks[j + 1] & w.NUMBER and t.gap[j + 1] == " ")
        score = 0.55 if m & w.GIVEN and j - i == 1 else 0.7
        yield t.claim(i, j, types.LOCATION, "listed", score)


def _among_capitals(t: Text, i: int) -> bool:
    """Stands word i beside another in capitals, or a postcode?"""
    sides = t.marks[i - 1] if i else 0, t.marks[i + 1]
    return any(m & (w.UPPER | w.NUMBER) for m in sides) or t.opens(i)
