"""Chooses in which documents rare words are masked, so that no two that belong together share one.

Words are known by hash, and documents by number, so that this can be done where no text is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from linkmask.pipeline.linkage.readable_words import Hashes
from linkmask.records import Flags, Floats, Ints, Longs

MANY = 32
"""Number of documents from which those that hold a word are not compared one by one. Only a later
edition has such a word: one that was rare in the first. It is masked in all new documents."""

Together = Callable[[Ints, Ints], Flags]
"""Tells of pairs of documents, by number, whether they must share no rare word."""


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
    numbers = np.arange(len(words)) if documents is None else np.fromiter(documents, np.int64)
    every = np.concatenate([np.empty(0, np.uint64), *words])
    document = np.repeat(numbers, [len(one) for one in words]).astype(np.int32)
    order = np.lexsort((document, every))
    return WordHolders(every[order], document[order])


def held_by_more(holders: WordHolders, most: int) -> Hashes:
    """Return the words that more than `most` documents hold, ascending."""
    words, counts = np.unique(holders.word, return_counts=True)
    return words[counts > most]


def words_to_mask(
    holders: WordHolders, common: Hashes, together: Together, about: Floats, may: Flags
) -> dict[int, set[int]]:
    """Return the words to mask in each document, so that no two that belong together share one.

    A word is masked first in the documents that share it with the most others, then in the one that
    reveals most about a person, so that texts about nobody stay whole.

    Args:
        common: the words that are not rare.
        together: of which pairs it must be so.
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
    due = may[left] | may[right]
    left, right, of = left[due], right[due], of[due]
    due = together(left, right)
    shared: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    rows = left[due].tolist(), right[due].tolist(), word[of[due]].tolist()
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
