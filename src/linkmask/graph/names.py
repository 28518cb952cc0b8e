"""Normalizes names of persons, and finds which short name can mean which person."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from linkmask import schema
from linkmask.text.letters import plain_letters

NAMES = schema.types_of("person", "provider")
"""Types whose values are names of persons, or can be."""

_INITIALS = schema.words("titles")["initials"]
LOOKALIKES = frozenset(map(str.lower, _INITIALS))
"""Titles that can also be initials: they need their capital and a name after them."""

_TITLED = re.compile(
    rf"\W*(?:{'|'.join(_INITIALS)})\.? (?![A-Z]\. )"
    r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ(]\S*){0,2}$"
)


@cache
def titles() -> Mapping[str, str]:
    """Return the key of each title ("docteur" → "dr"), small and without points."""
    table = schema.words("titles")["titles"]
    return {_without_points(word): key for key, row in table.items() for word in row}


@cache
def title_keys() -> frozenset[str]:
    """Return the keys that titles are written as in values: dr, mr, ms, …"""
    return frozenset(schema.words("titles")["titles"])


@cache
def usual_titles(key: str = "") -> Sequence[str]:
    """Return the common ways of writing a title, with and without a point, or of all titles."""
    usual: list[str] = schema.words("titles")["usual"]
    return [title for title in usual if key in ("", titles()[_without_points(title)])]


@cache
def _suffixes(kind: str) -> frozenset[str]:
    return frozenset(
        plain_letters(word).replace(".", "") for word in schema.words("titles")["suffixes"][kind]
    )


@cache
def particles() -> frozenset[str]:
    """Return the parts of surnames that are not names by themselves: de, van, al, …"""
    return frozenset(schema.words("titles")["particles"]["all"])


@cache
def organizations() -> frozenset[str]:
    """Return the words that make a name an organization's: clinic, group, versicherung, …"""
    return frozenset(schema.words("titles")["organizations"]["words"])


def _without_points(word: str) -> str:
    return re.sub(r"[.\s]+", " ", plain_letters(word)).strip()


def name(surface: str) -> str:
    """Return a name small, first name first, without titles and degrees.

    A lone surname keeps the key of its title, "dr vargas", because a title distinguishes persons,
    and a bare "park" can't be searched for.
    """
    text = plain_letters(surface).strip(" \"'.,;:()")
    parts = [part.strip() for part in text.split(",")]
    parts = [p for p in parts if p.replace(".", "").replace(" ", "") not in _suffixes("degrees")]
    if len(parts) == 2 and len(parts[0].split()) <= 3 and len(parts[1].split()) <= 3:
        given = parts[1].split()
        while len(given) > 1 and given[-1].replace(".", "") in _suffixes("degrees"):
            given.pop()  # VARGAS, Elena MD
        parts = [" ".join(given), parts[0]]  # VARGAS, Elena
    words = re.sub(r"[-_.]", " ", " ".join(parts)).split()
    title, words = _without_title(words, surface)
    while len(words) > 2 and words[-1] in _suffixes("degrees"):
        words.pop()
    if len(words) == 2 and words[1] in _suffixes("generations"):
        words.pop()  # "Mr. Roth Jr." is Mr. Roth
    if title and len([word for word in words if word not in particles()]) == 1:
        words.insert(0, title)
    return " ".join(words)


def person_name(surface: str) -> str:
    """Return `name` of a person, of whom "KEMPF Otto", as forms and registers write, is Otto Kempf.

    A surname in capitals stands first only before a given name that is not in capitals. Names of
    organizations are written so too ("BUPA Global"), so this is for persons alone.
    """
    words = surface.split()
    start = next((n for n, word in enumerate(words) if _without_points(word) not in titles()), 0)
    stop = start
    while stop < len(words) and _is_in_capitals(words[stop]):
        stop += 1
    given = words[stop:]
    if (
        start == stop
        or not 1 <= len(given) <= 3
        or not all(_is_given_name(word) for word in given)
        or particles().issuperset(map(plain_letters, words[start:stop]))
    ):
        return name(surface)
    return name(" ".join([*words[:start], *given, *words[start:stop]]))


def _is_in_capitals(word: str) -> bool:
    letters = sum(map(str.isalpha, word))
    return word.isupper() and (letters >= LEAST_CAPITALS or plain_letters(word) in particles())


def _is_given_name(word: str) -> bool:
    ends = {*_suffixes("degrees"), *_suffixes("generations")}
    return word.istitle() and "," not in word and plain_letters(word).replace(".", "") not in ends


LEAST_CAPITALS = 3
"""Smallest number of letters of a surname in capitals; fewer may be initials ("JP Morgan")."""


def _without_title(words: list[str], surface: str) -> tuple[str, list[str]]:
    """Return the key of the titles before a name ("" if none) and the words after them."""
    title = ""
    while len(words) > 1:
        size = next((n for n in (4, 3, 2) if n < len(words) and " ".join(words[:n]) in titles()), 1)
        key = titles().get(" ".join(words[:size]))
        if key is None or (words[0] in LOOKALIKES and not _TITLED.match(surface)):
            break
        title = "dr" if "dr" in (title, key) else key
        words = words[size:]
    return title, words


ONE_WORD = 10
"""A full name of up to so many characters is not searched for as one word: "rosebush" is a
plant."""


def name_forms(value: str) -> list[str]:
    """Return a full name in both orders, and with its words joined as in addresses on the web.

    A lone surname has a form only with its title.
    """
    who = person(value)
    if who is None or " " not in value:
        return []
    if value.split()[0] in title_keys():
        return [f"{title} {who.family}" for title in usual_titles(value.split()[0])]
    given = " ".join(who.given)
    joined = [value.replace(" ", mark) for mark in ".-+_"]
    joined.append(f"{who.family}.{given}".replace(" ", "."))
    if len(value) > ONE_WORD:
        joined.append(value.replace(" ", ""))
    return [value, f"{who.family}, {given}", f"{who.family} {given}", *joined]


SHORTEST_SURNAME = 4
"""Smallest number of letters of a bare surname that is searched for."""

ARTICLES = frozenset({"du", "des", "de", "la", "le", "les"})
"""Articles that begin surnames and other nouns: du Moulin, le Moine."""


@cache
def everyday_words() -> frozenset[str]:
    """Return everyday words, some of which are also names."""
    tables = schema.words("common").values()
    return frozenset(plain_letters(word) for words in tables for word in words.split())


def lone_surname(family: str) -> bool:
    """Return whether a bare surname can mean a person: it is no everyday word, and not short."""
    first, own = family.split()[0], family.split()[-1]
    if first != own and first in ARTICLES:
        return False
    return sum(map(str.isalpha, own)) >= SHORTEST_SURNAME and own not in everyday_words()


class Person(NamedTuple):
    """The words before a surname, and the surname with its particles."""

    given: list[str]
    family: str


@lru_cache(maxsize=65536)
def person(value: str) -> Person | None:
    """Split a value given by `name`; None where it can't be a person's name."""
    words = value.split()
    if not words or len(words) > 6 or any(map(str.isdigit, value)):
        return None
    if not organizations().isdisjoint(words):
        return None
    if words[0] in title_keys() and len(words) > 1:
        return Person([], " ".join(words[1:]))
    cut = len(words) - 1
    while cut > 1 and words[cut] in _suffixes("generations"):
        cut -= 1
    while cut > 1 and words[cut - 1] in particles():
        cut -= 1
    return Person(words[:cut], " ".join(words[cut:]))


def _same(a: str, b: str) -> bool:
    """Tell whether two given names can be one: equal, or one the other's initial."""
    return a == b or (1 in (len(a), len(b)) and a[0] == b[0])


def given_names_fit(short: list[str], full: list[str]) -> bool:
    """Tell whether given names, perhaps initials, some left out, can be those of a full name."""
    if not short:
        return True
    if not full or not _same(short[0], full[0]):
        return False
    rest = iter(full[1:])
    return all(any(_same(word, other) for other in rest) for word in short[1:])


def given_names(value: str) -> list[str]:
    """Return the given names in a value, perhaps initials."""
    who = person(value)
    return who.given if who else []


MANY = 16
"""Largest number of names that can be those of one person."""


def only_candidate(candidates: list[str], in_document: Collection[str], value: str) -> str:
    """Return the only candidate of the document, else of the corpus, else the value.

    Candidates that can be one person count as the fullest of their names.
    """
    for choice in ([c for c in candidates if c in in_document], candidates[: MANY + 1]):
        if len(choice) > MANY:
            return value
        fullest = _fullest(choice)
        if choice:
            return fullest[0] if len(fullest) == 1 else value
    return value


def only_person(candidates: Collection[str]) -> str | None:
    """Return the fullest of some full names if they can be one person's, else None."""
    families = {who.family for who in map(person, candidates) if who}
    fullest = _fullest(sorted(candidates)) if len(families) == 1 else []
    return fullest[0] if len(fullest) == 1 else None


def _fullest(values: list[str]) -> list[str]:
    """Return the fullest names: Elena M. Vargas, not Elena Vargas."""
    given = [given_names(value) for value in values]
    if len(set(map(len, given))) < 2:  # so it is of most names: none says more than another
        return values
    return [
        value
        for value, own in zip(values, given, strict=True)
        if not any(given_names_fit(own, other) for other in given if len(other) > len(own))
    ]
