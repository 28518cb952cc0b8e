"""Recognizes places coarser than an address: listed ones, and towns before their state."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import Text
from linkmask.schema import types, words

_BEFORE = frozenset(words("context")["before_place"])
_STATE = w.STATE | w.COUNTRY


def sure(t: Text) -> Iterator[Candidate]:
    """Yield LOCATION spans that cannot be confused with a person's name."""
    yield from _before_state(t)
    if spans := [(i, j) for i, j, bits in t.phrases if bits & w.PLACE]:
        yield from _listed(t, spans)


def find(t: Text) -> Iterator[Candidate]:
    """Yield the other LOCATION spans, once persons have been found."""
    if places := t.words_with(w.PLACE):
        yield from _listed(t, [(i, i + 1) for i in places])


def _before_state(t: Text) -> Iterator[Candidate]:
    """Find the town in "Brandon, Manitoba" and "Paris, France", which may be somebody's name."""
    spans = {i for i, _, bits in t.phrases if bits & _STATE} | set(t.words_with(_STATE))
    for state in sorted(spans):
        first = state
        while first and state - first < 3 and t.gap[first] == (", " if first == state else " "):
            m = t.marks[first - 1]
            if not m & w.CAP or m & (w.STOP | w.FUNCTION | w.INITIAL) or t.taken[first - 1]:
                break
            first -= 1
        named = any(m & w.GIVEN for m in t.marks[first : state - 1])  # "Elena Vargas, Texas"
        if first < state and t.marks[state] & w.CAP and not named:
            yield t.claim(first, state, types.LOCATION, "before state", 0.85)


def _listed(t: Text, spans: list[tuple[int, int]]) -> Iterator[Candidate]:
    for first, after in spans:
        i, j, m = first, after, t.marks[first]
        if not m & w.CAP or not t.free(i, j) or (m & w.UPPER and len(t.words[i]) < 4):
            continue
        if j - i == 1 and m & (w.FUNCTION | w.STOP):
            continue
        if j - i == 1 and m & w.WORDY_PLACE and t.words[i - 1].lower() not in _BEFORE:
            continue
        if i > 0 and t.marks[i - 1] & w.DIRECTION and t.gap[i] == " " and t.marks[i - 1] & w.CAP:
            i -= 1
        while t.marks[j] & w.PLACE_HEAD and t.marks[j] & w.CAP and t.gap[j] == " ":
            j += 1
        if t.gap[j] == " " and t.words[j].lower() == "cedex":
            j += 1 + bool(t.marks[j + 1] & w.NUMBER and t.gap[j + 1] == " ")
        score = 0.55 if m & w.GIVEN and j - i == 1 else 0.7
        yield t.claim(i, j, types.LOCATION, "listed", score)
