"""Keeps the originals of masks during a call in memory, for a limited time."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import NamedTuple

MOST = 10_000
"""Calls that are remembered; of more, the oldest are forgotten."""
SECONDS = 3600.0
"""How long a call is remembered."""
_WORD = re.compile(r"\w")


class CallMask(NamedTuple):
    """A mask, the entity that it stands for, and how that was spelled."""

    mask: str
    entity: str
    original: str


class CallMemory:
    """Masks and originals by call."""

    def __init__(
        self, most: int = MOST, seconds: float = SECONDS, clock: Callable[[], float] = monotonic
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._calls: OrderedDict[str, tuple[float, dict[str, CallMask]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._calls)

    def keep(self, call: str, masks: Iterable[CallMask]) -> None:
        """Remember masks of a call with what they stand for, beside those that are known of it.

        Of several spellings of an entity the first counts. A mask of two entities is not restored.
        """
        self._forget()
        _, known = self._calls.pop(call, (0.0, {}))
        for one in masks:
            if one.mask and known.setdefault(one.mask, one).entity != one.entity:
                known[one.mask] = CallMask(one.mask, "", one.mask)
        self._calls[call] = self._clock(), known
        while len(self._calls) > self._most:
            self._calls.popitem(last=False)

    def of(self, call: str) -> Mapping[str, str]:
        """Return the originals of a call by mask."""
        self._forget()
        known = self._calls.get(call, (0.0, {}))[1]
        return {mask: one.original for mask, one in known.items()}

    def _forget(self) -> None:
        before = self._clock() - self._seconds
        while self._calls:
            call, (when, _) = next(iter(self._calls.items()))
            if when > before:
                return
            del self._calls[call]


def put_back(text: str, originals: Mapping[str, str]) -> str:
    """Return a text with originals in place of masks; a mask within a word is none."""
    if not originals:
        return text
    longest_first = sorted(originals, key=len, reverse=True)
    found = re.compile("|".join(_whole(mask) for mask in longest_first))
    return found.sub(lambda match: originals[match[0]], text)


def _whole(mask: str) -> str:
    before = r"(?<!\w)" if _WORD.match(mask) else ""
    behind = r"(?!\w)" if _WORD.match(mask[-1]) else ""
    return f"{before}{re.escape(mask)}{behind}"


def unfinished(text: str, masks: Iterable[str]) -> int:
    """Return how many characters at the end of a text may be the beginning of a mask.

    A whole mask counts as one that ends in a letter or digit: another may follow.
    """
    most = 0
    for mask in masks:
        last = len(mask) if _WORD.match(mask[-1]) else len(mask) - 1
        for size in range(min(last, len(text)), most, -1):
            if text.endswith(mask[:size]):
                most = size
                break
    return most
