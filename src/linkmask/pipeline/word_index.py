"""Indexes the words of each document, to tell where a value may stand without reading texts.

It is the run's, as mentions are, and holds hashes of words only. A word is a run of letters and
digits of a text as the searches fold it, or a part of one that detection tells from the rest
("seenBrandvold"). Whatever the searches find consists of such words, so no document that holds a
value is missed; of those that are named, some do not hold it.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from linkmask.detect.corpus_pass.vocabulary import FILE, PART_OF_FILE
from linkmask.detect.view.touching_words import words_within
from linkmask.records import Document
from linkmask.text.codes import fold_characters
from linkmask.text.fold import fold, folded_value
from linkmask.text.hidden_texts import hidden_texts
from linkmask.text.view import visible_text

_WORD = re.compile(r"[^\W_]+")
_BLANKS = "".join(one if one.isalnum() else " " for one in map(chr, range(128)))
"""Of ASCII, letters and digits, and a blank for each other sign."""
REMEMBERED = 64
"""Characters of a run of letters and digits up to which its words are remembered."""
LAST = np.uint32((1 << 20) - 1)
"""Bits of a hash by which most words are told from the ones that are looked for."""


class WordIndex(msgspec.Struct, frozen=True):
    """The words of documents, by hash (CRC-32).

    `sizes`: how many words each document has, `characters`: the length of its texts, both as
    32-bit integers; `words`: the hashes, document after document, each once in a document.
    """

    documents: list[str] = []
    sizes: bytes = b""
    characters: bytes = b""
    words: bytes = b""

    def restricted_to(self, documents: Collection[str]) -> WordIndex:
        """Return the index of some of the documents."""
        kept = np.array([name in documents for name in self.documents], np.bool_)
        if kept.all():
            return self
        sizes = _numbers(self.sizes)
        return WordIndex(
            [name for name in self.documents if name in documents],
            sizes[kept].tobytes(),
            _numbers(self.characters)[kept].tobytes(),
            _numbers(self.words)[np.repeat(kept, sizes)].tobytes(),
        )

    def merged_with(self, other: WordIndex) -> WordIndex:
        """Return the index of both; they share no document."""
        return WordIndex(
            self.documents + other.documents,
            self.sizes + other.sizes,
            self.characters + other.characters,
            self.words + other.words,
        )

    @property
    def length(self) -> int:
        """The length of all texts, in characters."""
        return int(_numbers(self.characters).sum(dtype=np.int64))

    def documents_with(self, spellings: Iterable[Collection[str]]) -> set[str]:
        """Return the documents that may hold one of some spellings, each given by its words.

        One without a word may stand anywhere.
        """
        hashed = {frozenset(map(_hash, words)) for words in spellings}
        if frozenset() in hashed:
            return set(self.documents)
        wanted = np.array(sorted(frozenset().union(*hashed)), np.uint32)
        if not len(wanted) or not self.words:
            return set()
        words, sizes = _numbers(self.words), _numbers(self.sizes)
        near = np.zeros(int(LAST) + 1, np.bool_)
        near[wanted & LAST] = True
        hits = np.flatnonzero(near[words & LAST])
        at = np.minimum(np.searchsorted(wanted, words[hits]), len(wanted) - 1)
        same = wanted[at] == words[hits]
        hits, word = hits[same], wanted[at[same]]
        of = np.searchsorted(np.cumsum(sizes, dtype=np.int64), hits, side="right")
        unique, counts = np.unique(word, return_counts=True)
        times = dict(zip(unique.tolist(), counts.tolist(), strict=True))
        rarest: dict[int, list[frozenset[int]]] = {}
        for one in hashed:
            rarest.setdefault(min(one, key=lambda w: (times.get(w, 0), w)), []).append(one)
        places = np.unique(of[np.isin(word, np.array(list(rarest), np.uint32))])
        begins = np.searchsorted(of, np.append(places, len(sizes)))
        found = set()
        for number, begin in zip(places.tolist(), begins.tolist(), strict=False):
            end = np.searchsorted(of, number + 1)
            held = set(word[begin:end].tolist())
            if any(one <= held for first in held & rarest.keys() for one in rarest[first]):
                found.add(self.documents[number])
        return found


def words_of(text: str) -> list[str]:
    """Return the words of a spelling that is folded as the search for it has it."""
    return _WORD.findall(text)


class WordIndexer:
    """Indexes documents one by one, as detection and redaction search them."""

    def __init__(self) -> None:
        self._documents, self._words = list[str](), bytearray()
        self._sizes, self._characters = array("I"), array("I")

    def add(self, document: Document) -> None:
        """Index the words of a document that was not added yet."""
        runs, words = _read(document)
        own = {*chain.from_iterable(map(_hashes_of_run, runs)), *map(_hash, words)}
        self._documents.append(document.id)
        self._sizes.append(len(own))
        self._characters.append(sum(len(text) for _, text in document.fields()))
        self._words += array("I", own)

    def index(self) -> WordIndex:
        """Return the index of all documents that were added."""
        columns = (self._sizes.tobytes(), self._characters.tobytes(), bytes(self._words))
        return WordIndex(self._documents, *columns)


def indexed(documents: Iterable[Document]) -> WordIndex:
    """Return the index of documents."""
    indexer = WordIndexer()
    for one in documents:
        indexer.add(one)
    return indexer.index()


def words_read(document: Document) -> Iterator[str]:
    """Yield the words of all texts as they are written, as they are seen, and decoded."""
    runs, words = _read(document)
    yield from chain.from_iterable(map(_words_of_run, runs))
    yield from words


def _read(document: Document) -> tuple[set[str], set[str]]:
    """Return the runs of letters and digits of ASCII texts, and the words of all others.

    Both searches fold ASCII alike. A long run is among the words: it is rarely met again.
    """
    texts = {text for _, text in document.fields()}
    seen = {visible_text(text).text for text in texts}
    hidden = set(chain.from_iterable(map(hidden_texts, texts)))
    plain, runs, words = set[str](), set[str](), set[str]()
    for text in texts | seen | hidden:
        if text.isascii():
            plain.update(text.translate(_BLANKS).split())
        else:
            runs.update(_WORD.findall(text))
            words.update(_WORD.findall(fold_characters(text)), _WORD.findall(fold(text).text))
        if FILE.fullmatch(text):
            for part in PART_OF_FILE.finditer(text, 0, text.rindex(".")):
                words.update(_WORD.findall(folded_value(part[0])))
    if max(map(len, plain), default=0) > REMEMBERED:
        long = {run for run in plain if len(run) > REMEMBERED}
        words.update(map(str.lower, long))
        plain, runs = plain - long, runs | long
    words.update(chain.from_iterable(map(_words_within, runs)))
    return plain, words


def _words_within(run: str) -> set[str]:
    """Return the words that the searches tell from the rest of a run of letters and digits."""
    folded = (one for word in words_within(run) for one in (fold_characters(word), fold(word).text))
    return {word for one in folded for word in _WORD.findall(one)}


@lru_cache(maxsize=1 << 15)
def _words_of_run(run: str) -> tuple[str, ...]:
    """Return the words of a run in ASCII: itself, and those within."""
    return tuple({run.lower(), *_words_within(run)})


@lru_cache(maxsize=1 << 16)
def _hashes_of_run(run: str) -> tuple[int, ...]:
    return tuple(map(_hash, _words_of_run(run)))


def _hash(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass"))


def _numbers(column: bytes) -> NDArray[np.uint32]:
    return np.frombuffer(column, np.uint32)
