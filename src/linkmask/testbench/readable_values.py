"""Finds which of a person's values can be read in a text, by type (formulas.md §12.4).

A value is read where it stands as whole words, in any case and spacing. Some types also count in
other forms: dates in any notation, ages only with a trigger, phone numbers by digits, ids without
punctuation, names by the surname after a title.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from linkmask import schema
from linkmask.graph import entities
from linkmask.testbench.type_tables import TABLES

Span = tuple[int, int]
Readings = Mapping[int, tuple[Span, ...]]
"""Where each of a person's values, by its number, is read in one text; those not read left out."""

TITLES = "mr|mrs|ms|miss|mx|dr|prof|mme|mlle|mr\\.|mrs\\.|ms\\.|dr\\.|prof\\.|m\\.|herr|frau"
GAP = r"[-\s./()]{0,3}"
"""What may stand between the digits of a number or the letters of an id."""


@dataclass(frozen=True)
class SoughtPerson:
    """The hidden person of a cluster as the testbench looks for them.

    `values[i]`, `types[i]`, `weights[i]`: what would give them away, and how much (0 to 1).
    `documents`: the numbers of their cluster's documents in the corpus.
    """

    id: str
    risk: str
    values: tuple[str, ...]
    types: tuple[str, ...]
    weights: tuple[float, ...]
    documents: tuple[int, ...]
    day_first: bool = False
    _known: dict[str, Readings] = field(default_factory=dict, repr=False, compare=False)
    _patterns: list[re.Pattern[str]] = field(default_factory=list, repr=False, compare=False)
    _clues: list[frozenset[str]] = field(default_factory=list, repr=False, compare=False)

    @property
    def patterns(self) -> Sequence[re.Pattern[str]]:
        """One pattern per value."""
        if not self._patterns:
            for kind, value in zip(self.types, self.values, strict=True):
                some = spellings_of(kind, value, day_first=self.day_first)
                self._patterns.append(_compiled(some))
                self._clues.append(frozenset(way.clue for way in some))
        return self._patterns

    def read(self, text: str) -> Readings:
        """Return where the person's values are read in a text; results are cached."""
        found_spans = self._known.get(text)
        if found_spans is None:
            spans = {n: tuple(m.span() for m in p.finditer(text)) for n, p in self._likely(text)}
            found_spans = self._known[text] = {n: found for n, found in spans.items() if found}
        return found_spans

    def _likely(self, text: str) -> Iterator[tuple[int, re.Pattern[str]]]:
        """Yield those patterns, with their numbers, that have a clue in a text: most have none."""
        patterns, bare = self.patterns, letters_and_digits(text)
        for number, clues in enumerate(self._clues):
            if any(clue in bare for clue in clues):
                yield number, patterns[number]

    def share(self, found: set[int] | frozenset[int]) -> float | None:
        """Return the weighted share of the person's values that is in `found`; None without any."""
        total = sum(self.weights)
        return sum(self.weights[n] for n in sorted(found)) / total if total else None

    def forget(self) -> None:
        """Empty the cache."""
        self._known.clear()


def text_without_values(person: SoughtPerson, text: str, numbers: Iterable[int]) -> str:
    """Return a text with these values of a person taken out, in whatever form they are read."""
    read = person.read(text)
    spans = sorted({span for number in numbers for span in read.get(number, ())})
    parts, last = [], 0
    for start, end in spans:
        if end > last:
            parts += [text[last : max(start, last)], "…"]
            last = end
    return "".join([*parts, text[last:]])


@lru_cache(maxsize=1 << 15)
def letters_and_digits(text: str) -> str:
    """Return the letters and digits of a text, folded: all that a clue is looked for in."""
    return "".join(filter(str.isalnum, text.casefold().replace("ı", "i")))


class Spelling(NamedTuple):
    """A way of writing a value: an expression, and `letters_and_digits` of its matches."""

    expression: str
    clue: str


def pattern(entity_type: str, *values: str, day_first: bool = False) -> re.Pattern[str]:
    """Return a pattern that finds any of some values in the ways their type is written.

    Longer ones are read first: a short form is part of a long one.
    """
    some = sorted(values, key=len, reverse=True)
    return _compiled(
        way for value in some for way in spellings_of(entity_type, value, day_first=day_first)
    )


def spellings_of(entity_type: str, value: str, *, day_first: bool = False) -> list[Spelling]:
    """Return the ways a value of a type is written."""
    read = _WAYS.get(TABLES["readable"].get(entity_type), _none)
    bare = read is _ages and value.strip().isdigit()
    return [*([] if bare else [_words(value)]), *read(entity_type, value, day_first)]


def _compiled(some: Iterable[Spelling]) -> re.Pattern[str]:
    return re.compile("|".join(dict.fromkeys(way.expression for way in some)), re.IGNORECASE)


def _none(entity_type: str, value: str, day_first: bool) -> list[Spelling]:
    return []


def _words(value: str) -> Spelling:
    body = r"\s+".join(map(re.escape, value.split()))
    return Spelling(_bounded(body, value.split()[0], value), letters_and_digits(value))


def _bounded(body: str, first: str, last: str) -> str:
    """Return an expression that matches whole words and no part of a longer number."""
    before = r"(?<!\w)(?<!\d[.,])" if first[:1].isdigit() else r"(?<!\w)"
    after = r"(?!\w)(?![.,]\d)" if last.rstrip()[-1:].isdigit() else r"(?!\w)"
    return f"{before}(?:{body}){after}"


def _dates(entity_type: str, value: str, day_first: bool) -> list[Spelling]:
    canonical = entities.canonical(entity_type, value, day_first=day_first)
    return [_words(way) for way in entities.forms(entity_type, canonical, day_first=day_first)]


def _ages(entity_type: str, value: str, day_first: bool) -> list[Spelling]:
    number = entities.canonical(entity_type, value)
    if not number.isdigit():
        return []
    cues = r"years?|yrs?|y\.?/?o\b|ans\b|jahre"
    who = "man|woman|male|female|homme|femme|patiente?"
    with_cue = (
        rf"(?<![\w.,]){number}\s?-?(?:{cues})",
        rf"(?<!\w)(?:aged?|âgée?)\s?(?:of|de|:)?\s{{0,2}}{number}(?!\w)(?![.,]\d)",
        rf"(?<!\w)(?:{who}),?\s\(?{number}(?!\w)(?![.,]\d)",
        rf"(?<![\w.,]){number}\s?-?\s?(?:m|f|male|female|{who})(?!\w)",
        rf"(?<=[^\W\d],\s){number}(?=,\s)",  # "the engraver, 46, had"
    )
    written = [_words(way) for way in entities.forms(entity_type, number)]
    return [*(Spelling(one, number) for one in with_cue), *written]


def _phones(entity_type: str, value: str, day_first: bool) -> list[Spelling]:
    digits = re.sub(r"\D", "", value)
    if len(digits) < 7:
        return []
    tail = digits[-10:] if len(digits) > 10 else digits
    return [Spelling(r"(?<!\d)(?:\+?\d{1,3}" + GAP + ")?" + GAP.join(tail) + r"(?!\d)", tail)]


def _ids(entity_type: str, value: str, day_first: bool) -> list[Spelling]:
    letters = re.findall(r"[^\W_]", value)
    if len(letters) < 4 or not any(letter.isdigit() for letter in letters):
        return []
    body = r"[-\s./_]?".join(map(re.escape, letters))
    return [Spelling(_bounded(body, letters[0], letters[-1]), letters_and_digits("".join(letters)))]


def _names(entity_type: str, value: str, day_first: bool) -> list[Spelling]:
    words = [word for word in value.split() if not re.fullmatch(TITLES, word.casefold())]
    if len(words) < 2:
        return []
    surname = words[-1].strip(",.")
    return [
        Spelling(rf"(?<!\w)(?:{TITLES})\s{re.escape(surname)}(?!\w)", letters_and_digits(surname))
    ]


_WAYS = {"dates": _dates, "ages": _ages, "phones": _phones, "ids": _ids, "names": _names}
"""Other ways of writing a value, by the name that `type_tables.toml` gives them."""


def weights_of(types: Sequence[str]) -> tuple[float, ...]:
    """Return the weight of each type in schema `insurance`."""
    weights = schema.load("insurance").weights
    return tuple(weights[name] for name in types)
