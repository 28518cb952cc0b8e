"""Finds the values of an answer in the document, tolerant of what models change.

The first search folds case, white space, typographic hyphens and quotation marks. If it finds
nothing, the second one also removes hyphens, quotation marks, white space and accents, and reads
look-alike letters as Latin: "follow-\\nup" is "followup". Both match whole words only. A value that
neither finds is not in the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from linkmask.detect.corpus_pass.vocabulary import is_whole_word
from linkmask.detect.view.readings import Reading
from linkmask.text.fold import fold, folded_value
from linkmask.text.view import TextView, each_character

LEAST = 4
"""Letters and digits that a value needs to be looked for without blanks and hyphens."""

_LATIN = dict(zip("аеорсухіјѕԁһԛԝαοεικνρτυχɑ", "aeopcyxijsdhqwaoeiknptuxa", strict=True))
"""Small letters that look like Latin ones."""
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»‹›″", '"') | {"‚": "'", "‛": "'", "′": "'"})
_AROUND = "\"'.,;:()[]{} \t\n"

Place = tuple[str, int, int]
"""Field, start and end."""


class Places:
    """One document, searched for many values."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._fields = [(one.field, one.value) for one in readings if one.value]
        self._folded: list[TextView] = []
        self._bare: list[TextView] = []

    def find(self, value: str) -> list[Place]:
        """Return every place of a value, by field and start; none if it is not in the document.

        A single word that stands somewhere as it is written is taken there only: somebody called
        Will is not in every "will".
        """
        found = list(self._as_words(value)) or list(self._as_words(value.strip(_AROUND)))
        if not found:
            return list(self._as_letters(value))
        if value.isalpha():
            texts = dict(self._fields)
            same = [(f, start, end) for f, start, end in found if texts[f][start:end] == value]
            return same or found
        return found

    def _as_words(self, value: str) -> Iterator[Place]:
        needle = folded_value(value.translate(_QUOTES))
        if not needle:
            return
        if not self._folded:
            self._folded = [fold(text.translate(_QUOTES)) for _, text in self._fields]
        for (name, _), text in zip(self._fields, self._folded, strict=True):
            for at in _each(text.text, needle):
                if is_whole_word(text.text, at, at + len(needle)):
                    yield (name, *text.original(at, at + len(needle)))

    def _as_letters(self, value: str) -> Iterator[Place]:
        needle = "".join(map(_compared_as, value))
        if len(needle) < LEAST:
            return
        if not self._bare:
            self._bare = [each_character(text, _compared_as) for _, text in self._fields]
        for (name, text), bare in zip(self._fields, self._bare, strict=True):
            for at in _each(bare.text, needle):
                start, end = bare.original(at, at + len(needle))
                if is_whole_word(text, start, end):
                    yield name, start, end


def _each(text: str, needle: str) -> Iterator[int]:
    """Yield where the needle stands; after each place, on from the next word."""
    at = text.find(needle)
    while at >= 0:
        yield at
        blank = text.find(" ", at + 1, at + len(needle))
        at = text.find(needle, blank if blank > 0 else at + len(needle))


@lru_cache(maxsize=1 << 12)
def _compared_as(character: str) -> str:
    """Return what a character reads as: nothing for blanks, hyphens, quotes and accents."""
    apart = unicodedata.normalize("NFKD", character).casefold()
    return "".join(
        _LATIN.get(one, one)
        for one in apart
        if unicodedata.category(one)[0] in "LN" or one in "#@+&/%$€£"
    )
