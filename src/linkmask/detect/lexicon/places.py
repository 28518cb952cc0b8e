"""Recognizes listed places that are coarser than an address."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import Text
from linkmask.schema import types, words

_BEFORE = frozenset(words("context")["before_place"])


def find(t: Text) -> Iterator[Candidate]:
    """Yield LOCATION spans, once persons have been found."""
    phrases = [(i, j) for i, j, bits in t.phrases if bits & w.PLACE]
    yield from _listed(t, phrases)
    yield from _listed(t, [(i, i + 1) for i in t.words_with(w.PLACE)])


def _listed(t: Text, spans: list[tuple[int, int]]) -> Iterator[Candidate]:
    for first, after in spans:
        i, j, m = first, after, t.features[first]
        if not m & w.CAP or not t.free(i, j) or (m & w.UPPER and len(t.words[i]) < 4):
            continue
        if j - i == 1 and m & (w.FUNCTION | w.STOP):
            continue
        if j - i == 1 and m & w.WORDY_PLACE and t.words[i - 1].lower() not in _BEFORE:
            continue
        if (
            i > 0
            and t.features[i - 1] & w.DIRECTION
            and t.gap[i] == " "
            and t.features[i - 1] & w.CAP
        ):
            i -= 1
        while t.features[j] & w.PLACE_HEAD and t.features[j] & w.CAP and t.gap[j] == " ":
            j += 1
        score = 0.55 if m & w.GIVEN and j - i == 1 else 0.7
        yield t.claim(i, j, types.LOCATION, "listed", score)
