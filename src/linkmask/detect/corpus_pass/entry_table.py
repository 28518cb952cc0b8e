"""Stores the entries of many spellings as arrays; an entry is made when it is read.

A corpus has ten spellings a document. As objects each takes some four hundred bytes, and forked
processes copy them when they read one.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np


class VocabularyEntry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a spelling stands for, and how sure that is in [0, 1]; `trigger`: see `trigger_for`.

    `distinctive`: it is looked for where words touch it, too (`touching_words`).
    """

    value: str
    type: str
    score: float
    rule: str
    trigger: str
    distinctive: bool = False


class EntryTable(Mapping[str, VocabularyEntry]):
    """Entries by spelling, in the order of the mapping that they are taken from."""

    def __init__(self, entries: Mapping[str, VocabularyEntry]) -> None:
        held = entries.values()
        parts = [_bytes(spelling) for spelling in entries]
        self._text, self._begins = b"".join(parts), array("q", [0])
        self._begins.frombytes(np.cumsum([*map(len, parts)], dtype=np.int64).tobytes())
        del parts
        self._values = _Column(one.value for one in held)
        self._types = _Column(one.type for one in held)
        self._scores = array("d", (one.score for one in held))
        self._rules = _Column(one.rule for one in held)
        self._triggers = _Column(one.trigger for one in held)
        self.distinctive = bytes(one.distinctive for one in held)
        """Whether each is looked for where words touch it, too, by number."""
        self._by_hash: tuple[Any, Any] | None = self._hashed()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_by_hash": None}

    def _hashed(self) -> tuple[Any, Any]:
        """Return the hashes of all spellings, ascending, and whose each is."""
        hashes = np.fromiter(map(hash, self), np.int64, len(self))
        order = np.argsort(hashes).astype(np.int32)
        return array("q", hashes[order].tobytes()), array("i", order.tobytes())

    def at(self, number: int) -> VocabularyEntry:
        """Return the entry of the spelling with this number."""
        values, types, rules, triggers = self._values, self._types, self._rules, self._triggers
        return VocabularyEntry(
            values.texts[values.codes[number]],
            types.texts[types.codes[number]],
            self._scores[number],
            rules.texts[rules.codes[number]],
            triggers.texts[triggers.codes[number]],
            self.distinctive[number] != 0,
        )

    def get(self, spelling: str, default: Any = None, /) -> Any:
        """Return the entry of a spelling, or the default."""
        if self._by_hash is None:  # another process hashes otherwise
            self._by_hash = self._hashed()
        hashes, numbers = self._by_hash
        wanted = hash(spelling)
        at = bisect_left(hashes, wanted)
        while at < len(hashes) and hashes[at] == wanted:
            number = numbers[at]
            if self._text[self._begins[number] : self._begins[number + 1]] == _bytes(spelling):
                return self.at(number)
            at += 1
        return default

    def __getitem__(self, spelling: str) -> VocabularyEntry:
        found: VocabularyEntry | None = self.get(spelling)
        if found is None:
            raise KeyError(spelling)
        return found

    def __contains__(self, spelling: object) -> bool:
        return isinstance(spelling, str) and self.get(spelling) is not None

    def __iter__(self) -> Iterator[str]:
        begin = 0
        for end in self._begins[1:]:
            yield self._text[begin:end].decode("utf-8", "surrogatepass")
            begin = end

    def __len__(self) -> int:
        return len(self._begins) - 1


class _Column:
    """Texts that repeat, each kept once: text `n` is `texts[codes[n]]`."""

    def __init__(self, texts: Iterable[str]) -> None:
        number: dict[str, int] = {}
        self.codes = array("i", (number.setdefault(text, len(number)) for text in texts))
        self.texts = list(number)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
