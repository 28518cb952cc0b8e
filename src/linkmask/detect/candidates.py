"""Defines a candidate span and a recognizer (`Finder`), which maps texts to spans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from linkmask.choices import COUNTRIES


@dataclass(frozen=True, slots=True)
class Scope:
    """What a recognizer may know beside the text: its language and the countries looked for.

    `regulated`: types that only regulations name are searched for, too. `foreign`: the
    language of the text, where it has no rules and word lists, else ""; `language` is then the
    nearest that has them.
    `day_first`: a date of the document shows that the day stands before the month (25/03/2024).
    """

    language: str = "en"
    countries: tuple[str, ...] = COUNTRIES
    regulated: bool = False
    foreign: str = ""
    day_first: bool = False


class Candidate(NamedTuple):
    """A span `[start, end)` that a recognizer takes for a value of `type`.

    `score` in [0, 1] is the recognizer's confidence: 1 where a checksum held, or where the span can
    be nothing else. `rule` names the table row or rule that found it.
    """

    start: int
    end: int
    type: str
    detector: str
    rule: str
    score: float

    def moved(self, by: int) -> Candidate:
        """Return the span so many characters further on."""
        return self._replace(start=self.start + by, end=self.end + by) if by else self


OWN = "recognizers"
"""Detector of the mentions of the user's own recognizers."""

Finder = Callable[[str, Scope], Iterable[Candidate]]

TOGETHER = 25_000
"""Characters of short texts read together: their words stay in the processor's cache."""


def together(texts: Sequence[str]) -> Iterator[slice]:
    """Yield slices of neighbours that are no longer than `TOGETHER` all in all, or one alone."""
    first = size = 0
    for number, text in enumerate(texts):
        if first < number and size + len(text) > TOGETHER:
            yield slice(first, number)
            first, size = number, 0
        size += len(text)
    if texts:
        yield slice(first, len(texts))
