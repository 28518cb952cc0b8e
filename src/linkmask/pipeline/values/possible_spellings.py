"""Finds the spellings that can stand in some texts: every word of them is a word of these texts.

Most masked values stand only in documents that an update does not read. A search for the spellings
that can stand in the others finds the same as one for all, and is built in a fraction of the time.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from zlib import crc32

import numpy as np

from linkmask.records import Document, Mention
from linkmask.redact import Target
from linkmask.text.codes import fold_characters
from linkmask.text.escapes import may_hold
from linkmask.text.hidden_texts import hidden_texts
from linkmask.verify import fold_for_comparison, texts_of

_WORD = re.compile(r"[^\W_]+")
_WAY, _SPELLING = 1, 2
"""Bits of a hash that say that a way to write a spelling, or the spelling, ends with its word."""
_SLOT = 12
"""Bits of a hash that are not compared, so that a table of all hashes is small."""
CUTS = 16
"""Largest number of places at which mentions cut a word, for which all pairs are considered."""


class PossibleSpellings:
    """All spellings of masked entities, each with hashes of its words."""

    def __init__(
        self, targets: Mapping[str, Target], words: Mapping[str, bytes] | None = None
    ) -> None:
        """Take the targets, and `word_hashes` of the spellings of each where it is known."""
        self._targets = targets
        self._words = words or {}

    @cached_property
    def _hashes(self) -> _WordHashes:
        """The hashes of all spellings, of one entity after the other."""
        every = list(self._targets.values())
        known = [self._words.get(entity, b"") for entity in self._targets]
        hashes = _WordHashes(known)
        sizes = [len(one.surfaces) + len(one.forms) for one in every]
        if len(others := np.flatnonzero(hashes.sizes != np.array(sizes, np.int64))):
            for number in others.tolist():
                known[number] = word_hashes((*every[number].surfaces, *every[number].forms))
            hashes = _WordHashes(known)
        return hashes

    def among(self, words: set[str]) -> dict[str, Target]:
        """Return the targets with only those spellings whose words are all among the given ones.

        A target without such a spelling is left out.

        Args:
            words: what `words_in`, `words_checked` or `words_read` return of texts.
        """
        near, ids = {}, list(self._targets)
        for number, places in self._hashes.among(words):
            one = self._targets[ids[number]]
            every = (*one.surfaces, *one.forms)
            if found := {every[at] for at in places if _stands(every[at], words)}:
                near[ids[number]] = _only(one, found)
        return dict(sorted(near.items()))


class _WordHashes:
    """The hashes of the words of many spellings, of one entity after the other.

    `sizes`: how many spellings each entity has.

    Args:
        entities: `word_hashes` of each.
    """

    def __init__(self, entities: Sequence[bytes]) -> None:
        hashes = np.frombuffer(b"".join(entities), "<u4")
        lengths = np.fromiter(map(len, entities), np.int64, len(entities)) // hashes.itemsize
        self._slots = hashes >> _SLOT
        way_ends = np.flatnonzero(hashes & _WAY)
        spelling_ends = np.flatnonzero(hashes[way_ends] & _SPELLING)
        self._ways = np.append(0, way_ends[:-1] + 1)
        self._spellings = np.append(0, spelling_ends[:-1] + 1)
        self._ends = np.searchsorted(way_ends[spelling_ends], np.cumsum(lengths))
        self.sizes = np.diff(self._ends, prepend=0)

    def among(self, words: Iterable[str]) -> Iterator[tuple[int, list[int]]]:
        """Yield the number of each entity of which spellings may have only these words.

        Then the places of these spellings among its own. A few more may be yielded, as two words
        may have one hash.
        """
        if not len(self._slots):
            return
        here = np.zeros(1 << (32 - _SLOT), np.bool_)
        here[np.fromiter(map(_hash, chain(words, [""])), np.uint32) >> _SLOT] = True
        ways = np.logical_and.reduceat(here[self._slots], self._ways)
        found = np.flatnonzero(np.logical_or.reduceat(ways, self._spellings))
        of = np.searchsorted(self._ends, found, "right")
        first, ends = np.append(0, self._ends), np.append(np.flatnonzero(np.diff(of)) + 1, len(of))
        begin = 0
        for end in ends.tolist() if len(of) else ():
            number = int(of[begin])
            yield number, (found[begin:end] - first[number]).tolist()
            begin = end


def word_hashes(spellings: Iterable[str]) -> bytes:
    """Return the hashes of the words of spellings, four bytes each.

    A spelling has a row of words as it is written, and others as it is compared, where these
    differ. `_WAY` is set in the last hash of a row, `_SPELLING` too in the last of a spelling. A
    row without a word has the hash of an empty one.
    """
    hashes = array("I")
    for one in spellings:
        ways = [list(map(_hash, words or [""])) for words in _spelled(one)]
        for way in ways:
            way[-1] |= _WAY
        ways[-1][-1] |= _SPELLING
        hashes.extend(chain.from_iterable(ways))
    if sys.byteorder == "big":
        hashes.byteswap()
    return hashes.tobytes()


def _hash(word: str) -> int:
    """Return a hash of 32 bits, the lowest two of which are unused."""
    return crc32(word.encode("utf-8", "surrogatepass")) & ~(_WAY | _SPELLING)


def _only(one: Target, spellings: set[str]) -> Target:
    """Return a target with some of its spellings."""
    surfaces, forms = (
        [spelling for spelling in every if spelling in spellings]
        for every in (one.surfaces, one.forms)
    )
    return one._replace(surfaces=surfaces, forms=forms)


def _stands(spelling: str, words: set[str]) -> bool:
    written = _WORD.findall(spelling.lower())
    return words.issuperset(written) or any(map(words.issuperset, _compared(spelling)))


def _spelled(text: str) -> Sequence[list[str]]:
    """Return the words of a text as written; as the check, and as redaction compares them."""
    return _WORD.findall(text.lower()), *_compared(text)


def _compared(text: str) -> Sequence[list[str]]:
    """Return the words of a text as check and redaction compare them, where these are others."""
    if _is_plain(text):
        return ()
    return [_WORD.findall(fold(text)) for fold in (fold_for_comparison, fold_characters)]


def _is_plain(text: str) -> bool:
    """Return whether the words of a text as written are those that are compared."""
    return text.isascii() and not may_hold(text)


def words_in(texts: Iterable[str]) -> set[str]:
    """Return the words of texts, in small letters, as they are written and as they are compared."""
    plain, others = list[str](), list[str]()
    for text in texts:
        (plain if _is_plain(text) else others).append(text)
    words = set(_WORD.findall("\n".join(plain).lower()))
    return words.union(word for text in others for words in _spelled(text) for word in words)


def words_checked(document: Document) -> set[str]:
    """Return the words of all that the check of a masked document looks at."""
    texts = [text for _, text, _ in texts_of(document)]
    return words_in(chain(texts, *map(hidden_texts, texts)))


def words_cut(document: Document, mentions: Iterable[Mention]) -> set[str]:
    """Return what mentions leave of words in which they begin or end.

    The rest is a word beside a mask: "ford", if "Hart" is masked in "Hartford". Of a word with more
    than `CUTS` such places only some parts are returned; the check finds what is missed there.
    """
    cuts: dict[str, set[int]] = {}
    for one in mentions:
        cuts.setdefault(one.field, set()).update((one.start, one.end))
    cut: set[str] = set()
    for name, text in document.fields():
        places = sorted(
            at
            for at in cuts.get(name, ())
            if text[at - 1 : at].isalnum() and text[at : at + 1].isalnum()
        )
        for word in _WORD.finditer(text) if places else ():
            low, high = bisect_right(places, word.start()), bisect_left(places, word.end())
            if low < high:
                ends = [word.start(), *places[low : min(high, low + CUTS)], word.end()]
                cut |= {text[a:b] for a in ends for b in ends if a < b}
    return words_in(cut)
