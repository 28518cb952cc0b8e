"""Finds every form of every value in a text: whole words, overlapping (formulas.md §10.1)."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkmask.formulas import compiled
from linkmask.formulas.compiling import has_kept_code
from linkmask.records import Longs
from linkmask.redact.form_table import HEAD, enter
from linkmask.redact.kernel import ROW, scan
from linkmask.text.codes import SEPARATOR, WORD, Codes, fold, folded_codes

COMPILE_FROM = 2_000_000
"""Steps from which on compiling the search pays for itself: characters of forms and texts that are
read and compared, and words by which a place advances where a long form may stand."""

KEPT_FROM = 500_000
"""Steps from which on loading compiled loops pays for itself, where they were kept."""

READY_FROM = 150_000
"""The same where numba is imported already: importing it takes three times as long as loading."""

BLOCK = 1024
"""Words hashed at a time."""

FORMS = 1 << 16
"""Forms folded at a time: folding takes several times the memory of what it leaves."""

Hit = tuple[int, int, int]
"""Start, end, and the number that was given with the form."""
Columns = tuple[Longs, Longs, Longs]
"""Hits as three columns."""
ARRAYS = ("forms", "table", "flags", "firsts", "later")
"""Names of a matcher's arrays, in the order in which the kernel takes them."""


class Matcher:
    """Searches texts for all forms of all masked values.

    Args:
        forms: what to search for. A form without a letter or digit is never found.
        numbers: what a match of each form is reported as; by default, the form's own index.

    Forms are compared folded (see `fold`). Building is linear in the forms, searching in the text
    and nearly independent of the number of forms.
    """

    def __init__(self, forms: Sequence[str], numbers: Sequence[int] | Longs | None = None) -> None:
        codes, heads = _flatten(forms, numbers)
        self._size = len(heads)
        table = np.full(2 * _power(3 * len(heads) // 2), -1, np.int32)
        flags = np.zeros(min(1 << 20, _power(2 * _words(codes))), np.uint8)
        firsts, later = np.zeros((2, min(1 << 18, _power(2 * len(heads)))), np.uint8)
        self._arrays: Any = codes, table, flags, firsts, later
        self._lists: Any = ()
        self._work = len(codes)
        if self._work >= _compile_from(has_kept_code(enter) and has_kept_code(scan)):
            self._most = compiled(enter)(heads, *self._arrays)
        else:
            self._lists = tuple(array.tolist() for array in self._arrays)
            self._most = enter(heads.tolist(), *self._lists)

    @classmethod
    def stored(cls, columns: Mapping[str, Any]) -> Matcher:
        """Return a matcher over the arrays that `columns` gave of another, perhaps from a file."""
        matcher = cls.__new__(cls)
        matcher._arrays = tuple(columns[name] for name in ARRAYS)
        matcher._lists = tuple(map(memoryview, matcher._arrays))
        matcher._size, matcher._most = columns["sizes"].tolist()
        matcher._work = 0
        return matcher

    def columns(self) -> dict[str, Any]:
        """Return all that a matcher is as arrays by name."""
        arrays = self._arrays
        if self._lists:
            both = zip(self._lists, self._arrays, strict=True)
            arrays = tuple(np.asarray(values, array.dtype) for values, array in both)
        sizes = np.array([self._size, self._most], np.int64)
        return {**dict(zip(ARRAYS, arrays, strict=True)), "sizes": sizes}

    def __len__(self) -> int:
        return self._size

    @property
    def compiled(self) -> bool:
        """Whether so much was searched that compiled loops pay for themselves."""
        return not self._lists

    def find(self, texts: Sequence[str]) -> list[list[Hit]]:
        """Return per text its hits, sorted by start and end; overlapping ones too.

        Searching many texts in one call costs less than many calls.
        """
        if not len(self):
            return [[] for _ in texts]
        joined, begins = join(texts)
        starts, ends, numbers = self.search(joined)
        base = begins[text_of(starts, begins)]
        columns = (starts - base).tolist(), (ends - base).tolist(), numbers.tolist()
        hits = list(zip(*columns, strict=True))
        return [hits[low:high] for low, high in pairwise(np.searchsorted(starts, begins).tolist())]

    def search(self, text: str) -> Columns:
        """Return starts, ends and numbers of the hits in one text, sorted, each once."""
        characters, codes, offsets = fold(text)
        found = self._scan(characters, codes)
        starts, ends, numbers = found[:, 0], found[:, 1], found[:, 2]
        if offsets is not None and len(found):
            # No match may begin or end within a character that folds to several, such as ß.
            whole = (starts == 0) | (offsets[starts] != offsets[starts - 1])
            whole &= offsets[ends] != offsets[ends - 1]
            starts, ends, numbers = offsets[starts[whole]], offsets[ends[whole]], numbers[whole]
        order = np.argsort(starts, kind="stable")
        if (np.diff(starts[order]) == 0).any():
            order = np.lexsort((numbers, ends, starts))
            rows = np.stack((starts[order], ends[order], numbers[order]))
            order = order[np.append(True, (np.diff(rows) != 0).any(axis=0))]
        return starts[order], ends[order], numbers[order]

    def _scan(self, characters: NDArray[Any], codes: Codes) -> Longs:
        """Return starts, ends and numbers of the hits, one row each."""
        block = min(BLOCK + self._most, 1 + len(characters) // 2)
        room = 256 + len(characters) // 32
        while True:
            sizes = ROW * block, 2 * block + 2, 6 * block + 3, 3 * room
            scratch: Any = [np.zeros(size, np.int64) for size in sizes]
            count = self._blocks(characters, codes, scratch)
            if count <= room:
                hits: Longs = scratch[-1].reshape(-1, 3)[:count]
                return hits
            room = count

    def _blocks(self, characters: NDArray[Any], codes: Codes, scratch: Any) -> int:
        """Scan block after block, compiled from where that pays; return the number of hits."""
        at = count = 0
        most = _compile_from(has_kept_code(scan))
        lists = self._lists  # another thread may let go of them
        if lists and self._work + len(characters) < most:
            read = codes[characters].tolist()
            words, begun, ends, found = (array.tolist() for array in scratch)
            arguments = range(2 * WORD), lists, self._most
            while at < len(characters) and self._work < most:
                at, count, steps = scan(read, *arguments, words, begun, ends, found, at, count)
                self._work += steps
            scratch[-1][:] = found
        if at < len(characters):
            self._compile()
            tables = codes, self._arrays, self._most, *scratch
            while at < len(characters):
                at, count, _ = compiled(scan)(characters, *tables, at, count)
        return count

    def _compile(self) -> None:
        """Keep the tables as compiled loops read them."""
        lists = self._lists
        if lists:
            both = zip(lists, self._arrays, strict=True)
            self._arrays = tuple(np.asarray(values, array.dtype) for values, array in both)
            self._lists = ()


def _compile_from(kept: bool) -> int:
    """Return the steps from which on compiled loops are used, where their code was kept or not."""
    if not kept:
        return COMPILE_FROM
    return min(COMPILE_FROM, READY_FROM if "numba" in sys.modules else KEPT_FROM)


def join(texts: Sequence[str]) -> tuple[str, Longs]:
    """Return the texts as one, a separator behind each, and where each begins, and one more."""
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    return SEPARATOR.join([*texts, ""]), np.append(0, np.cumsum(sizes + 1))


def text_of(places: Longs, begins: Longs) -> Longs:
    """Return in which of the joined texts each place lies."""
    return np.searchsorted(begins, places, side="right") - 1


def _flatten(forms: Sequence[str], numbers: Sequence[int] | Longs | None) -> tuple[Codes, Longs]:
    """Fold all forms at once, each behind its head; return them and the heads' places.

    Only forms that hold a word have one.
    """
    parts = [_folded(forms[at : at + FORMS]) for at in range(0, len(forms), FORMS)]
    codes = np.concatenate([*parts, folded_codes(SEPARATOR)])
    del parts
    cuts = np.flatnonzero(codes == ord(SEPARATOR))
    heads = cuts[:-1:HEAD][: len(forms)]
    ends = np.append(heads[1:], cuts[-1])
    kept = np.flatnonzero(np.maximum.reduceat(codes, heads) >= WORD) if len(heads) else heads
    heads, sizes = heads[kept], (ends - heads)[kept] - HEAD
    codes[heads] = sizes
    codes[heads + 3] = kept if numbers is None else np.asarray(numbers, np.int32)[kept]
    return codes, heads


def _folded(forms: Sequence[str]) -> Codes:
    """Return the folded characters of forms, each behind the separators where its head will be."""
    joined = SEPARATOR.join(forms)
    if joined.count(SEPARATOR) >= len(forms):
        joined = SEPARATOR.join("" if SEPARATOR in form else form for form in forms)
    clean = " ".join(joined.replace("_", " ").split())  # all at once: there are millions of forms
    clean = clean.replace(" " + SEPARATOR, SEPARATOR).replace(SEPARATOR + " ", SEPARATOR)
    return _trimmed(folded_codes(HEAD * SEPARATOR + clean.replace(SEPARATOR, HEAD * SEPARATOR)))


def _trimmed(codes: Codes) -> Codes:
    """Return forms without the blanks that a dropped character beside them kept."""
    blank, end = codes == ord(" "), codes == ord(SEPARATOR)
    codes = codes[~(blank & np.append(True, (blank | end)[:-1]))]
    blank, end = codes == ord(" "), codes == ord(SEPARATOR)
    trimmed: Codes = codes[~(blank & np.append(end[1:], True))]
    return trimmed


def _words(codes: Codes) -> int:
    """Return the number of words in folded text."""
    word = codes >= WORD  # a copy of the codes themselves would be the largest array of a run
    return int(np.count_nonzero(word[:-1] & ~word[1:]) + word[-1:].sum())


def _power(size: int) -> int:
    """Return the power of 2 at or above `size`, at least 16."""
    return 1 << max(4, (size - 1).bit_length())
