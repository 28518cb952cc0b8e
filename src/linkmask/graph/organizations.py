"""Finds the organization that a short name means: "Maplewood" or "PVH" for a clinic or a firm."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, pairwise
from string import capwords
from typing import NamedTuple

from linkmask import schema
from linkmask.graph.names import SHORTEST_SURNAME, everyday_words, organizations

ORGANIZATION_TYPES = schema.types_of("provider", "place", "organization")
"""Types whose values are names of organizations, or may be."""

LONGEST = 8
"""Words above which a value is no name."""
LETTERS = range(3, 7)
"""How many letters initials have."""
_WORD = re.compile(r"[^\s()\[\],;:\"]+")

TypedValue = tuple[str, str]
"""Type and value."""


@cache
def _table(name: str) -> frozenset[str]:
    return frozenset(schema.words("organizations")[name])


@cache
def _endings() -> tuple[str, ...]:
    return tuple(schema.words("organizations")["endings"])


@lru_cache(maxsize=1 << 16)
def _is_kind(word: str) -> bool:
    """Tell whether a word names a kind of organization: hospital, insurance, Rehaklinik."""
    return word in organizations() or word.endswith(_endings())


def _is_common(word: str) -> bool:
    return _is_kind(word) or word in _table("qualifiers") or word in _table("small")


class ShortNames(NamedTuple):
    """The short names of an organization.

    `starts`: beginnings of its name that hold a distinctive word, and its name without words that
    only qualify its kind. `own`: names that are searched for elsewhere, its distinctive words alone
    or with one word for its kind. `initials`: "" if they can mean many things.
    """

    starts: list[str]
    own: list[str]
    initials: str


@lru_cache(maxsize=1 << 16)
def short_names(value: str) -> ShortNames | None:
    """Return the short names of a value, None if it names no organization.

    "maplewood rehabilitation center": maplewood, maplewood rehabilitation, mrc. "cedar hill
    regional medical center": also cedar hill medical center. "clinique des tilleuls": tilleuls. Of
    a university, whose parts are other organizations, its initials only.
    """
    words = words_of_name(value)
    if not 2 <= len(words) <= LONGEST or not any(map(_is_kind, words)):
        return None
    common = list(map(_is_common, words))
    if all(common) or words[-1] in _table("parts"):
        return None
    if words[0] in _table("parted"):
        return ShortNames([], [], _initials(words))
    begin = common.index(False)
    end = common.index(True, begin) if True in common[begin:] else len(words)
    own = [" ".join(words[begin:end])]
    if begin == 0 and end + 1 < len(words) and _is_kind(words[end]):
        own.append(" ".join(words[: end + 1]))
    starts = [" ".join(words[:n]) for n in range(begin + 1, len(words))]
    starts += _unqualified(words, end)
    return ShortNames([*starts, *own], own, _initials(words))


def without_middle(value: str) -> str:
    """Return an organization's own words with the last word of its name; "" if that is all of it.

    "rocky mountain imaging network": rocky mountain network. People often leave out the words
    between.
    """
    names, words = short_names(value), words_of_name(value)
    if names is None or not names.own or not _is_kind(words[-1]):
        return ""
    brief = f"{names.own[0]} {words[-1]}"
    return "" if brief in (*names.own, " ".join(words)) else brief


def _unqualified(words: Sequence[str], begin: int) -> list[str]:
    """Return a name without some of its qualifiers ("regional") that stand from `begin` on."""
    at = [n for n in range(begin, len(words)) if words[n] in _table("qualifiers")]
    return [
        " ".join(word for n, word in enumerate(words) if n not in left_out)
        for size in range(1, len(at) + 1)
        for left_out in combinations(at, size)
    ]


def words_of_name(value: str) -> list[str]:
    """Return the words of an organization's name, without the article before it."""
    words = [word.removesuffix("'s") for word in _WORD.findall(value)]
    return words[1:] if words[:1] and words[0] in _table("articles") else words


def _initials(words: list[str]) -> str:
    """Return the first letters of a name, or what follows it in brackets if it is these."""
    first = "".join(word[0] for word in words if word not in _table("small"))
    if first[:-1] == words[-1]:
        return words[-1]
    return first if len(first) in LETTERS and first.isalpha() else ""


class Organizations:
    """The organizations of a corpus by their short names.

    `listed` tells whether words in small letters are a place's name, or no name by themselves.
    """

    def __init__(
        self,
        known: Iterable[TypedValue],
        corpus: Mapping[str, Iterable[str]],
        listed: Callable[[str], bool],
    ) -> None:
        """Take the types and values that may be organizations, sorted, and all values by type."""
        self._listed = listed
        self._full: dict[str, list[TypedValue]] = {}
        self._short: dict[str, ShortNames | None] = {}
        for one in known:
            if one[1] not in self._short:
                self._short[one[1]] = short_names(one[1])
            if names := self._short[one[1]]:
                for name in {*names.starts, names.initials} - {""}:
                    self._full.setdefault(name, []).append(one)
        self._taken = set[str]()
        for kind, values in corpus.items():
            if kind not in ORGANIZATION_TYPES and schema.forms().get(kind) not in PARTED:
                self._taken.update(self._full.keys() & values)  # what `ambiguous_names` returns
                continue
            names_elsewhere = (name for value in values for name in ambiguous_names(kind, value))
            self._taken.update(name for name in names_elsewhere if name in self._full)

    def resolve(self, one: TypedValue, in_document: Collection[str]) -> TypedValue:
        """Return the organization that a short name means, or the name itself if that is unclear.

        A short name has distinctive words of the name, perhaps with others, or the initials; a
        department means its organization. It is resolved in the document, then in the corpus, if it
        is nobody else's.
        """
        name, *wholes = names_to_resolve(one[1])
        if wholes:
            whole = next((name for name in wholes if name in self._full), "")
            means = self.resolve((one[0], whole), in_document)
            return means if means[1] != whole else one
        if name not in self._full or not self._free(name):
            return one
        full = [other for other in self._full[name] if other[1] != one[1]]
        here = [other for other in full if other[1] in in_document]
        values = _fullest({value for _, value in here or full})
        if len(values) != 1 or (not here and _vague(name)):
            return one
        types = [entity_type for entity_type, value in full if value == values[0]]
        return self.resolve((one[0] if one[0] in types else types[0], values[0]), in_document)

    def forms(self, value: str) -> list[str]:
        """Return the short names of this organization alone, with the capitals they must have."""
        names = self._short[value] if value in self._short else short_names(value)
        if names is None:
            return []
        ways = [capwords(way) for way in names.own if not _vague(way, SHORTEST_SURNAME)]
        ways += [names.initials.upper()] if len(names.initials) in LETTERS else []
        return [way for way in ways if self._alone(way.lower(), value)]

    def _alone(self, name: str, value: str) -> bool:
        bearers = self._full.get(name, ())
        if not bearers or not all(f"{value} ".startswith(f"{other} ") for _, other in bearers):
            return False  # another organization has it, too
        if not any(other == value for _, other in bearers) or not self._free(name):
            return False
        return " " not in name or not self._listed(name.split()[0])

    def _free(self, name: str) -> bool:
        """Tell whether a name is nothing else's that is known."""
        common = name in _table("abbreviations") or _is_area(name.split()[-1])
        return name not in self._taken and not common and not self._listed(name)


def names_to_resolve(value: str) -> list[str]:
    """Return a name without its article, and of a department those that its organization may have.

    The longest of these comes first.
    """
    words = words_of_name(value)
    sizes = range(len(words) - 1, 0, -1) if words and words[-1] in _table("parts") else ()
    return [" ".join(words[:size]) for size in (len(words), *sizes)]


PARTED = ("address", "place", "provider", "person")
"""Forms of types whose values hold names for something else; of others, the whole value is one."""


def ambiguous_names(entity_type: str, value: str) -> Iterable[str]:
    """Return the names that a value has for something else: a surname, a town."""
    first, _, last = value.rpartition(" ")
    form = schema.forms().get(entity_type)
    if form == "address":
        words = value.split()[2:]
        return [*words, *map(" ".join, pairwise(words))]
    if form == "place":
        town, comma, _ = value.partition(",")
        return [town] if comma else [first] if _is_area(last) else []
    if form == "provider":
        return [] if not first or any(map(_is_kind, value.split())) else [last]
    if form == "person":
        return [last] if first else []
    return [] if entity_type in ORGANIZATION_TYPES else [value]


def _is_area(word: str) -> bool:
    return word in _table("areas")


def _fullest(values: Iterable[str]) -> list[str]:
    """Return the values that are the beginning of no other."""
    listed = sorted(values)
    following = [*listed[1:], ""]
    return [a for a, b in zip(listed, following, strict=True) if not b.startswith(f"{a} ")]


def _vague(name: str, least: int = LETTERS[0]) -> bool:
    """Tell whether a name has only everyday words or is short, so that it may mean anything."""
    return len(name) < least or everyday_words().issuperset(name.split())
