"""Find every form of every value in a text: whole words, overlapping, one pass (SPEC §9.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from linkmask.redact import kernel
from linkmask.redact.fold import SEPARATOR, WORD, Codes, fold

COMPILE_FROM = 2_000_000
"""Characters searched from where on compiling pays for itself."""

Hit = tuple[int, int, int]
Loop = Callable[..., Any]


class Matcher:
    """All forms of all masked values, ready to be looked for.

    Args:
        forms: what to look for. A form without a letter or digit is never found.

    Forms are compared folded (see `fold`). Building costs about 2 µs per form, searching is linear
    in the text and nearly independent of the number of forms.
    """

    def __init__(self, forms: Sequence[str]) -> None:
        codes, start, end, number = _flatten(forms)
        self.number = number
        self.longest = int((end - start).max(initial=0))
        words = int(((codes >= WORD) & (np.append(codes[1:], 0) < WORD)).sum())
        key_bits = max(4, (2 * len(start)).bit_length())
        flag_bits = min(22, max(4, (8 * words).bit_length()))
        self._shifts = kernel.BITS - key_bits, kernel.BITS - flag_bits
        self._seen = len(codes) * 4
        arrays = [
            codes,
            start,
            end,
            np.zeros(len(start), np.int64),
            np.full(1 << key_bits, -1, np.int64),
            np.full(1 << key_bits, -1, np.int32),
            np.full(len(start), -1, np.int32),
            np.zeros(1 << flag_bits, np.uint8),
        ]
        self._compiled = self._seen >= COMPILE_FROM
        self._tables: list[Any] = arrays if self._compiled else [a.tolist() for a in arrays]
        enter: Loop = kernel.compiled()[0] if self._compiled else kernel.enter
        enter(*self._tables, *self._shifts)

    def __len__(self) -> int:
        return len(self.number)

    def find(self, texts: Sequence[str]) -> list[list[Hit]]:
        """Return per text its hits (start, end, index of the form), sorted, overlapping ones too.

        Searching many texts in one call costs less than many calls.
        """
        hits: list[list[Hit]] = [[] for _ in texts]
        if not len(self):
            return hits
        joined = SEPARATOR.join(texts)
        starts, ends, forms = self._search(joined)
        begins = np.cumsum([0] + [len(text) + 1 for text in texts])
        which = np.searchsorted(begins, starts, side="right") - 1
        base = begins[which]
        rows = zip((starts - base).tolist(), (ends - base).tolist(), forms.tolist(), strict=True)
        for index, group in groupby(zip(which.tolist(), rows, strict=True), key=lambda r: r[0]):
            hits[index] = sorted(row for _, row in group)
        return hits

    def _search(self, text: str) -> tuple[Any, Any, Any]:
        """Search one text; offsets are those of the text as it was given."""
        codes, offsets = fold(text)
        starts, ends, forms = self._scan(codes)
        if offsets is not None and len(starts):
            # No match may begin or end within a character that folds to several, such as ß.
            whole = (starts == 0) | (offsets[starts] != offsets[starts - 1])
            whole &= offsets[ends] != offsets[ends - 1]
            starts, ends, forms = offsets[starts[whole]], offsets[ends[whole]], forms[whole]
        return starts, ends, self.number[forms]

    def _scan(self, codes: Codes) -> tuple[Any, Any, Any]:
        self._seen += len(codes)
        if not self._compiled and self._seen >= COMPILE_FROM:
            kinds = (np.int32, np.int64, np.int64, np.int64, np.int64, np.int32, np.int32, np.uint8)
            self._tables = [np.array(t, k) for t, k in zip(self._tables, kinds, strict=True)]
            self._compiled = True
        scan: Loop = kernel.compiled()[1] if self._compiled else kernel.scan
        text = codes if self._compiled else codes.tolist()
        room = 256 + len(codes) // 32
        while True:
            found: list[Any] = [np.zeros(room, np.int64) for _ in range(3)]
            if not self._compiled:
                found = [f.tolist() for f in found]
            count = scan(text, *self._tables, *self._shifts, self.longest, *found)
            if count <= room:
                starts, ends, forms = (np.asarray(f[:count], np.int64) for f in found)
                return starts, ends, forms
            room = count


def _flatten(forms: Sequence[str]) -> tuple[Codes, Any, Any, Any]:
    """Fold all forms at once; return their codes, where each starts and ends, and its number."""
    clean = [form.strip() for form in forms]
    codes, _ = fold(SEPARATOR.join("" if SEPARATOR in form else form for form in clean))
    cuts = np.flatnonzero(codes == ord(SEPARATOR))
    start = np.append(0, cuts + 1).astype(np.int64)
    end = np.append(cuts, len(codes)).astype(np.int64)
    words = np.append(0, np.cumsum(codes >= WORD))
    number = np.flatnonzero(words[end] > words[start]) if forms else np.zeros(0, np.int64)
    return codes, start[number], end[number], number
