"""Tries rows of recognizers on their own examples and near-misses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from linkmask.detect.candidates import Scope
from linkmask.detect.patterns.own import OwnRecognizers
from linkmask.schema.recognizer_rows import RecognizerRow


class Tried(NamedTuple):
    """A text of a row's, what the row finds in it, and whether it should find something."""

    row: str
    text: str
    found: tuple[str, ...]
    wanted: bool

    @property
    def right(self) -> bool:
        """Whether an example was found, or a near-miss was not."""
        return bool(self.found) == self.wanted


def tried(row: RecognizerRow) -> Iterator[Tried]:
    """Yield what a row finds in its examples and its near-misses.

    An example in which no trigger stands is tried behind the first of the row's triggers.

    Raises:
        RowError: the row can't be used.
    """
    own = OwnRecognizers([row])
    scope = Scope(row.languages[0]) if row.languages else Scope()
    if row.countries:
        scope = Scope(scope.language, row.countries)
    for texts, wanted in ((row.examples, True), (row.near_misses, False)):
        for text in texts:
            held = [text]
            if (
                wanted
                and row.triggers
                and not any(one.lower() in text.lower() for one in row.triggers)
            ):
                held.append(f"{row.triggers[0]}: {text}")
            spans = {(one.start, one.end, each) for each in held for one in own.find(each, scope)}
            found = tuple(dict.fromkeys(each[start:end] for start, end, each in sorted(spans)))
            yield Tried(row.id, text, found, wanted)
