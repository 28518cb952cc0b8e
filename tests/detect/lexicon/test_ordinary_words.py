"""In languages without name lists of their own, words of the language are no names."""

from __future__ import annotations

import pytest

from linkmask.detect.candidates import Candidate
from linkmask.detect.register import Register
from linkmask.detect.register.noise import without_noise


def names(text: str, name: str, score: float, language: str) -> list[str]:
    """Return what is left of a name that the tagger found."""
    start = text.index(name)
    found = [Candidate(start, start + len(name), "NAME", "ner", "name", score)]
    kept = without_noise(text, found, Register(foreign=language))
    return [text[one.start : one.end] for one in kept]


@pytest.mark.parametrize(
    ("text", "name", "language"),
    [
        ("Asesora: Claro. ¿En qué le ayudo?", "Claro", "es"),
        ("La visita è finita. Controllo tra un mese.", "Controllo", "it"),
        ("Het is geregeld. Ze komt morgen.", "Ze", "nl"),
        ("Il compenso è di 900 euro lordi mensili.", "lordi mensili", "it"),
    ],
)
def test_words_of_the_language_are_no_names(text: str, name: str, language: str) -> None:
    """Stopwords, small words of a sentence and its unlisted first word are left out."""
    assert names(text, name, 0.8, language) == []


@pytest.mark.parametrize(
    ("text", "name", "language"),
    [
        ("Gent.ma prof. Incoronata, le scrivo.", "Incoronata", "it"),
        ("cliente: con rigoberto chacal", "rigoberto chacal", "es"),
        ("Ieri ho visto Bachisio al mercato.", "Bachisio", "it"),
    ],
)
def test_names_are_left(text: str, name: str, language: str) -> None:
    """A name behind a title, in a line without capitals, or within a sentence stays one."""
    assert names(text, name, 0.8, language) == [name]
