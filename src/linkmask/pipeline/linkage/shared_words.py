"""Chooses in which documents rare words are masked, so that no two that belong together share one.

Words are known by hash, and documents by number, so that this can be done where no text is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkmask.pipeline.linkage.readable_words import Hashes
from linkmask.records import Flags, Floats, Ints, Longs

MANY = 32
"""Number of documents from which those that hold a word are not compared one by one. Only a later
edition has such a word: one that was rare in the first. It is masked in all new documents."""

PARTS = 256
"""Number of parts in which words are kept, by the first byte of their hash."""
TOGETHER = 4096
"""Documents whose words are added to these parts at once."""

BelongTogether = Callable[[Ints, Ints], Flags]
"""Tells of pairs of documents, by number, whether they belong together."""


class HashedWords:
    """The words of documents by hash, with the place of each document: 12 bytes a word.

    They are kept in parts by their first byte, since to sort all at once takes several times their
    memory.
    """

    def __init__(self, words: Iterable[Hashes] = ()) -> None:
        self._parts = [(bytearray(), bytearray()) for _ in range(PARTS)]
        self._last, self._length = list[Hashes](), 0
        for one in words:
            self.add(one)

    def __len__(self) -> int:
        return self._length + len(self._last)

    def add(self, words: Hashes) -> None:
        """Add the words of the next document."""
        self._last.append(words)
        if len(self._last) >= TOGETHER:
            self._sort_in()

    def parts(self) -> Iterator[tuple[Hashes, Ints]]:
        """Yield words and the places of their documents, part by part."""
        self._sort_in()
        for word, place in self._parts:
            yield np.frombuffer(word, np.uint64), np.frombuffer(place, np.int32)

    def _sort_in(self) -> None:
        """Add the last words to their parts."""
        word = np.concatenate([np.empty(0, np.uint64), *self._last])
        places = np.arange(self._length, len(self), dtype=np.int32)
        place = np.repeat(places, [*map(len, self._last)])
        first = (word >> np.uint64(56)).astype(np.uint8)
        order = np.argsort(first, kind="stable")
        ends = np.cumsum(np.bincount(first, minlength=PARTS))[:-1]
        both = np.split(word[order], ends), np.split(place[order], ends)
        for part, more, where in zip(self._parts, *both, strict=True):
            part[0].extend(more.tobytes())
            part[1].extend(where.tobytes())
        self._last, self._length = [], len(self)


class WordHolders(NamedTuple):
    """The documents that hold each word, by number, ascending for each word."""

    word: Hashes
    document: Ints


def holders_of(words: Sequence[Hashes], documents: Iterable[int] | None = None) -> WordHolders:
    """Return which documents hold which word.

    Args:
        words: those of each document.
        documents: the numbers of these documents; by default, their places in `words`.
    """
    numbers = _numbers(len(words), documents)
    every = np.concatenate([np.empty(0, np.uint64), *words])
    return _sorted(every, np.repeat(numbers, [len(one) for one in words]))


def parted_by_rarity(
    words: HashedWords, most: int, documents: Iterable[int] | None = None
) -> tuple[WordHolders, Hashes]:
    """Return which documents hold the words that at most `most` hold, and all other words.

    Args:
        documents: the numbers of these documents; by default, their places in `words`.

    Notes:
        Each part of the words is sorted by itself.
    """
    numbers = _numbers(len(words), documents)
    rare, common = list[WordHolders](), list[Hashes]()
    for word, place in words.parts():
        held = _sorted(word, numbers[place])
        counts = np.unique(held.word, return_counts=True)[1]
        few = np.repeat(counts <= most, counts)
        rare.append(WordHolders(held.word[few], held.document[few]))
        common.append(np.unique(held.word[~few]))
    both = (np.concatenate(column) for column in zip(*rare, strict=True))
    return WordHolders(*both), np.concatenate(common)


def _numbers(size: int, documents: Iterable[int] | None) -> NDArray[np.int32]:
    return np.fromiter(range(size) if documents is None else documents, np.int32, size)


def _sorted(word: Hashes, document: Ints) -> WordHolders:
    order = np.lexsort((document, word))
    return WordHolders(word[order], document[order])


def words_to_mask(
    holders: WordHolders, common: Hashes, belong_together: BelongTogether, about: Floats, may: Flags
) -> dict[int, set[int]]:
    """Return the words to mask in each document, so that no two that belong together share one.

    A word is masked first in the documents that share it with the most others, then in the one that
    reveals most about a person, so that texts about nobody stay whole.

    Args:
        common: the words that are not rare.
        belong_together: tells of pairs of documents whether they do.
        about: how much each document reveals about a person, in [0, 1].
        may: in which documents words may be masked; the others stay as they are.
    """
    masked: defaultdict[int, set[int]] = defaultdict(set)
    rare = ~np.isin(holders.word, common)
    word, document = holders.word[rare], holders.document[rare]
    _, begin, counts = np.unique(word, return_index=True, return_counts=True)
    for at, size in zip(begin[counts > MANY].tolist(), counts[counts > MANY].tolist(), strict=True):
        for one in document[at : at + size].tolist():
            if may[one]:
                masked[one].add(int(word[at]))
    left, right, of = _pairs(document, begin, counts)
    maskable = may[left] | may[right]
    left, right, of = left[maskable], right[maskable], of[maskable]
    pairs = belong_together(left, right)
    shared: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    rows = left[pairs].tolist(), right[pairs].tolist(), word[of[pairs]].tolist()
    for one, other, what in zip(*rows, strict=True):
        shared[what].append((one, other))
    for what in sorted(shared):
        for one in _hiding(shared[what], about, may):
            masked[one].add(what)
    return dict(masked)


def _pairs(document: Ints, begin: Longs, counts: Longs) -> tuple[Ints, Ints, Longs]:
    """Return all pairs of documents that share a word, and where the word begins."""
    left, right = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    of = [np.empty(0, np.int64)]
    for size in range(2, MANY + 1):
        here = begin[counts == size]
        for first in range(size if len(here) else 0):
            for second in range(first + 1, size):
                left.append(document[here + first])
                right.append(document[here + second])
                of.append(here)
    return np.concatenate(left), np.concatenate(right), np.concatenate(of)


def _hiding(pairs: list[tuple[int, int]], about: Floats, may: Flags) -> Iterable[int]:
    """Yield documents until each pair has one of them."""
    while pairs:
        count = Counter(one for pair in pairs for one in pair if may[one])
        first = min(count, key=lambda one: (-count[one], -about[one], one))
        yield first
        pairs = [pair for pair in pairs if first not in pair]
