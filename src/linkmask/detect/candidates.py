"""What a finder is: a function from a text and its setting to spans, each with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Scope:
    """What a finder may know beside the text: its language and the countries looked for.

    `regulated`: values are looked for that only regulations name.
    """

    language: str = "en"
    countries: tuple[str, ...] = ("us", "gb", "fr", "de", "ch")
    regulated: bool = False


class Found(NamedTuple):
    """A span `[start, end)` that a finder takes for a value of `type`.

    `score` in [0, 1] is the finder's confidence (1: a checksum held, or nothing else it could be);
    `rule` names the table row or rule that found it.
    """

    start: int
    end: int
    type: str
    detector: str
    rule: str
    score: float


Finder = Callable[[str, Scope], Iterable[Found]]
