"""Splits a text into tokens with word features once, for all recognizers of the lexicon."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w


class Text:
    """Some texts as words: parallel lists, and what finders have taken so far.

    Several short texts are read as one, which takes less time than one by one. `text` is all of
    them; `starts[i]`, `ends[i]` are offsets of word i in it, `gap[i]` is what stands before it;
    `spans` are the words of each text (first, after the last) and `begins` where it begins in
    `text`; `turns` are where letters say who speaks; `phrases` are (first word, word after the
    last, features); `runs` are rows of capitalised words that may be one name (first, after the
    last, the features of all); `taken[i]` is true for words that belong to a found name or
    institution. Behind each text stand `APART` empty words without features, more than any finder
    looks ahead or back; the gap before each, as before a text's first word, is a line break.
    """

    def __init__(self, *texts: str) -> None:
        parts: list[str] = []
        firsts, lasts = [], []
        self.begins: list[int] = []
        begin = 0
        for text in texts:
            self.begins.append(begin)
            firsts.append(len(parts) // 2)
            parts += w.split(text)
            lasts.append(len(parts) // 2)
            parts += _APART
            begin += len(text) + len(_BETWEEN)
        offsets = list(accumulate(map(len, parts)))
        self.text = _BETWEEN.join(texts)
        self.turns = turns(self.text)
        self.words = parts[1::2]
        self.gap = parts[::2]
        for first, last in zip(firsts, lasts, strict=True):
            self.gap[first] = self.gap[last] = "\n"
        self.spans = list(zip(firsts, lasts, strict=True))
        self.starts = offsets[::2]
        self.ends = offsets[1::2]
        self.features = list(map(w.FEATURES.__getitem__, self.words))
        self._asked = queries = _LATEST[0]
        self._rows = rows = defaultdict[int, list[int]](list)
        for i, answers in enumerate(map(queries.__getitem__, self.features)):
            if answers:
                for place in answers:
                    rows[place].append(i)
        self.taken = bytearray(len(self.words))
        self._late: dict[int, list[int]] = {}
        self.phrases = list(self._phrases())
        self.runs = list(self._runs())

    def words_with(self, bits: int) -> list[int]:
        """Words that have any of these features, in the order of the text."""
        place = self._asked.places.get(bits)
        if place is not None:
            return self._rows.get(place) or []
        if bits not in self._late:
            if bits not in _LATEST[0].places:
                _LATEST[0] = _FeatureQueries((*_LATEST[0].places, bits))
            self._late[bits] = [i for i, m in enumerate(self.features) if m & bits]
        return self._late[bits]

    def text_at(self, offset: int) -> int:
        """Return the number of the text that an offset lies in."""
        return bisect_right(self.begins, offset) - 1

    def within(self, bits: int, number: int) -> list[int]:
        """Words of one text that have any of these features."""
        row, (first, last) = self.words_with(bits), self.spans[number]
        return row[bisect_left(row, first) : bisect_left(row, last)]

    def opens(self, i: int) -> bool:
        """Tell whether word i is the first of a sentence, a line or a field."""
        return "\n" in self.gap[i] or self.gap[i].strip(" ,'’-–(\"“") != ""

    def free(self, i: int, j: int) -> bool:
        """Tell whether no word of [i, j) is taken."""
        return self.taken.find(1, i, j) < 0

    def candidate(self, i: int, j: int, entity_type: str, rule: str, score: float) -> Candidate:
        """Return words [i, j) as found."""
        return Candidate(self.starts[i], self.ends[j - 1], entity_type, "lexicon", rule, score)

    def claim(self, i: int, j: int, entity_type: str, rule: str, score: float) -> Candidate:
        """Return words [i, j) as found, and let no other finder have them."""
        self.taken[i:j] = b"\x01" * (j - i)
        return self.candidate(i, j, entity_type, rule, score)

    def _runs(self) -> Iterator[tuple[int, int, int]]:
        i = j = bits = 0  # the run so far
        features, gap = self.features, self.gap
        for k in self.words_with(w.CAP):
            if k != j or not j or not (gap[k] in BLANK or self.joins(k)):
                if j:
                    yield i, j, bits
                i, bits = k, 0
            j = k + 1
            bits |= features[k]
        if j:
            yield i, j, bits

    def joins(self, j: int) -> bool:
        """Tell whether the words before and at j can be in one name, given what is between them."""
        gap = self.gap[j]
        if gap in BLANK:
            return True
        before = self.words[j - 1]
        if gap in {". ", ".", ".\u00a0", ".-"}:
            named = bool(self.features[j - 1] & _SHORTENED) or before in _SHORT
            return named and self.starts[j - 1] not in self.turns
        if gap in {"'", "’"}:
            whole = len(self.words[j]) == 1 and self.features[j - 1] & w.UPPER  # "CREAC'H"
            return len(before) <= 2 or bool(whole)
        return gap in _INSIDE

    def _phrases(self) -> Iterator[tuple[int, int, int]]:
        phrases = w.lexicon().phrases
        words, gap, keys = self.words, self.gap, w.KEYS
        end = 0
        for i in self.words_with(w.PHRASE):
            if gap[i + 1] not in TIGHT or i < end:
                continue
            options = phrases[keys[words[i]]].get(keys[words[i + 1]])
            if not options:
                continue
            for rest, bits in options:
                j = i + 2 + len(rest)
                if j < len(words) and all(
                    keys[words[k]] == word and gap[k] in TIGHT for k, word in enumerate(rest, i + 2)
                ):
                    yield i, j, bits
                    end = j
                    break


APART = 16
"""Empty words between texts."""
_APART = (["", "\n"] * APART)[:-1]
_BETWEEN = "".join(_APART)


class _FeatureQueries(dict[int, tuple[int, ...]]):
    """What finders ask for (`Text.words_with`), and which of it the features of a word answer.

    So a text is gone through once, however many finders look at it.
    """

    def __init__(self, questions: tuple[int, ...] = ()) -> None:
        self.places = {bits: place for place, bits in enumerate(questions)}

    def __missing__(self, features: int) -> tuple[int, ...]:
        self[features] = found = tuple(
            place for bits, place in self.places.items() if features & bits
        )
        return found


_LATEST = [_FeatureQueries()]
"""The questions that texts read from now on know."""


BLANK = {" ", "\u00a0", "\u202f", "  "}
WRAPPED = BLANK | {"\n"}
ELIDED = BLANK | {"'", "’"}
TIGHT = BLANK | {"\n", ". ", "'", "’", "-"}
_INSIDE = {" & ", "'s ", "’s ", "' ", "’ "}
_SHORTENED = w.INITIAL | w.TITLE | w.CLINICIAN
_SHORT = {"St", "Ste", "Mt", "Ft", "SAINT", "ST"}

_TURN = re.compile(r"(?m)^[ \t>]{0,8}(?:\[[\d:.]{4,12}\][ \t]?)?([QARF])[.:](?=[ \t])")


def turns(text: str) -> frozenset[int]:
    """Return the offsets of the letters that mark speakers: "Q. And then?", "A. I fell."."""
    if not any(asked in text for asked in ("Q. ", "Q: ", "F: ")):
        return frozenset()
    found = {turn.start(1): turn[1] for turn in _TURN.finditer(text)}
    speakers = set(found.values())
    return frozenset(found) if speakers & {"Q", "F"} and speakers & {"A", "R"} else frozenset()
