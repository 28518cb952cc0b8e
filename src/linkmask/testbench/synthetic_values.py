"""Makes values of people who do not exist, in English and French.

Tables are in `vocabulary/`. A value depends on the random generator handed in and nothing else.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from linkmask.testbench.type_tables import TABLES

FOLDER = Path(__file__).parent / "vocabulary"
LANGUAGES = ("en", "fr")


@cache
def vocabulary(language: str) -> Mapping[str, Any]:
    """Return a language's table; shared by all callers, nobody changes it."""
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


SHADOW: list[str] = vocabulary("en")["shadow"] + vocabulary("fr")["shadow"][:20]
"""Words by which an attacker asks who knows the line of business and nothing of the corpus."""


def unrelated_value(kind: str, rng: random.Random, language: str = "en") -> str:
    """Draw a value of a type that belongs to no person of a corpus; by default a code."""
    words, how = vocabulary(language), TABLES["synthetic_values"].get(kind, "code")
    if how in _MAKERS:
        return _MAKERS[how](words, rng, language)
    return str(rng.choice(words[how]))


def date(words: Mapping[str, Any], rng: random.Random, first: int, last: int) -> str:
    """Return a day of the years `first` to `last`, written out."""
    month = words["months"][rng.randrange(12)]
    return str(
        words["date"].format(month=month, day=rng.randint(1, 28), year=rng.randint(first, last))
    )


Words = Mapping[str, Any]


def _surname(words: Words, rng: random.Random) -> str:
    return str(rng.choice(words["stems"]) + rng.choice(words["surname_ends"]))


def _town(words: Words, rng: random.Random, language: str = "") -> str:
    stem, end = rng.choice(words["stems"]), str(rng.choice(words["town_ends"]))
    return f"{stem}-{end}" if end.startswith("sur-") else f"{stem}{end}"


def _name(words: Words, rng: random.Random, language: str) -> str:
    initial = f"{rng.choice('ABCDEFGHJKLMNPRSTVW')}. " if language == "en" else ""
    return f"{rng.choice(words['first'])} {initial}{_surname(words, rng)}"


def _code(words: Words, rng: random.Random, language: str) -> str:
    return f"{''.join(rng.choices('BCDFGHJKLMNPQRSTVWXZ', k=2))}-{rng.randrange(10**6):06}"


def _claim(words: Words, rng: random.Random, language: str) -> str:
    return f"CL{rng.randrange(10**7):07}"


def _phone(words: Words, rng: random.Random, language: str) -> str:
    if language == "fr":  # the numbers kept free for fiction in France
        return f"06 39 98 {rng.randrange(100):02} {rng.randrange(100):02}"
    return f"({rng.randint(201, 989)}) 555-01{rng.randrange(100):02}"


def _email(words: Words, rng: random.Random, language: str) -> str:
    host = rng.choice(("org", "net", "com"))
    return f"{_surname(words, rng).casefold()}{rng.randrange(1000)}@example.{host}"


def _address(words: Words, rng: random.Random, language: str) -> str:
    end, name = rng.choice(words["street_ends"]), _surname(words, rng)
    number = rng.randint(2, 989)
    return f"{number} {end} {name}" if language == "fr" else f"{number} {name} {end}"


def _provider(words: Words, rng: random.Random, language: str) -> str:
    end, name = rng.choice(words["provider_ends"]), _surname(words, rng)
    return f"{end} {name}" if language == "fr" else f"{name} {end}"


def _age(words: Words, rng: random.Random, language: str) -> str:
    return str(words["age"].format(rng.randint(19, 93)))


_MAKERS: Mapping[str, Callable[[Words, random.Random, str], str]] = {
    "name": _name,
    "code": _code,
    "claim": _claim,
    "phone": _phone,
    "email": _email,
    "address": _address,
    "town": _town,
    "provider": _provider,
    "age": _age,
    "birth date": lambda words, rng, language: date(words, rng, 1931, 2004),
    "date of an event": lambda words, rng, language: date(words, rng, 2019, 2025),
}
"""How a value is made that no list of `vocabulary` holds, by its name in `type_tables.toml`."""
