"""Selects the values of the first pass that are searched for everywhere, and their spellings.

`vocabulary` gathers values over the corpus, keeps those that are strong enough (formulas.md §3.2)
and lists their spellings; `Vocabulary.search` finds them in a text with one overlapping
Aho–Corasick search and then keeps whole words only. (A leftmost-longest search would let a longer
match that is not a whole word hide a whole word inside it.) Spellings that are too common to stand
alone need a trigger or are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
import numpy as np

from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.resolve import ELSEWHERE
from linkmask.detect.touching_words import apart_from_words
from linkmask.formulas import reaches, uniqueness
from linkmask.records import Mention
from linkmask.schema import expression, types_of
from linkmask.schema import words as read_words
from linkmask.text.fold import fold, folded

Forms = Callable[[str, str], Iterable[str]]
"""`forms(entity_type, value)`: other ways the value is written."""
NUMBERS = types_of("one_per_number")
PERSONS = types_of("person")
AGES = types_of("age")
"""Types of which one number, however it is spelled, has one in the corpus."""
GROUPED = types_of("id")
LEAST = 7
"""Digits from which on a number in groups is the same number in other groups of marks."""
GROUP_MARK = re.compile(r"[ ./-]")
GROUPS = re.compile(r"[0-9]+(?:[ ./-][0-9]+){1,6}")
"""A folded spelling of a number in groups: "219-09-9999"."""
FILE = re.compile(r"[^\W_][\w.() -]{3,120}\.[A-Za-z]\w{1,3}")
"""A value that is the name of a file."""
PART_OF_FILE = re.compile(r"[^\W\d_](?:[a-zà-öø-ÿß]+|[A-ZÀ-ÖØ-Þ]*(?![a-zà-öø-ÿß]))")
"""Words in it, parted at "_", "-" and where capitals begin."""
FADING = 0.9
"""A value seen elsewhere is a little less sure here than where it was found."""


@dataclass(slots=True)
class ValueStatistics:
    """What the first pass says of one value: `last` is the ordinal of its latest document."""

    value: str
    type: str
    relevance: float = 0.0
    documents: int = 0
    last: int = -1
    score: float = 0.0
    surfaces: dict[str, bool] = field(default_factory=dict)
    """Folded spellings, with whether each was always written with a capital."""

    def add(self, mention: Mention, ordinal: int) -> None:
        """Count one mention in the document with this ordinal (documents come in order)."""
        self.relevance = max(self.relevance, mention.relevance)
        self.documents += ordinal != self.last
        self.last = ordinal
        self.score = max(self.score, mention.why.score)
        surface = folded(mention.original)
        capital = mention.original[:1].isupper()
        self.surfaces[surface] = self.surfaces.get(surface, True) and capital


class VocabularyEntry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a spelling stands for, and how sure that is in [0, 1]; `cue`: see `trigger_for`.

    `distinctive`: it is looked for where words touch it, too (`touching_words`).
    """

    value: str
    type: str
    score: float
    rule: str
    cue: str
    distinctive: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """Folded spellings and what each stands for. Plain data: handed to workers as it is."""

    entries: Mapping[str, VocabularyEntry]

    def __len__(self) -> int:
        return len(self.entries)

    def __getstate__(self) -> dict[str, Any]:
        return {"entries": self.entries}

    def search(self, text: str) -> Iterator[Candidate]:
        """Yield every whole-word occurrence in a text, overlapping ones too."""
        if not self.entries:
            return
        is_file = FILE.fullmatch(text) is not None
        if is_file:
            yield from self._in_file(text)
            text = text.replace("_", " ")
        folded_text = fold(text)
        for index, start, end in self._automaton.find_matches_as_indexes(
            folded_text.text, overlapping=True
        ):
            entry = self._listed[index]
            whole = is_whole_word(folded_text.text, start, end)
            if whole or (entry.distinctive and not (is_file and entry.type in PERSONS)):
                first, last = folded_text.original(start, end)
                if not whole and not apart_from_words(text, first, last):
                    continue
                if not entry.cue or TRIGGERS[entry.cue](text, first, last):
                    sure = FADING * entry.score
                    yield Candidate(first, last, entry.type, ELSEWHERE, entry.rule, sure)

    def _in_file(self, name: str) -> Iterator[Candidate]:
        """Yield known names in a file's: "rs_finch_20240415.wav", "NoteFinch.docx"."""
        for part in PART_OF_FILE.finditer(name, 0, name.rindex(".")):
            entry = self.entries.get(folded(part[0])) if len(part[0]) > 2 else None
            if entry and entry.type in PERSONS:
                sure = FADING * entry.score
                yield Candidate(part.start(), part.end(), entry.type, ELSEWHERE, "file", sure)

    @property
    def _automaton(self) -> Any:
        if "_built" not in self.__dict__:
            from ahocorasick_rs import AhoCorasick, Implementation

            # Of few patterns it would make a table, in the square of their length.
            linear = Implementation.ContiguousNFA
            self.__dict__["_built"] = AhoCorasick(list(self.entries), implementation=linear)
        return self.__dict__["_built"]

    @property
    def _listed(self) -> list[VocabularyEntry]:
        if "_list" not in self.__dict__:
            self.__dict__["_list"] = list(self.entries.values())
        return self.__dict__["_list"]  # type: ignore[no-any-return]


# ── which values ────────────────────────────────────────────────────────────────────────────────


def vocabulary(
    values: Iterable[ValueStatistics], documents: int, settings: Settings, forms: Forms
) -> Vocabulary:
    """Gather the values worth looking for everywhere, with all their spellings.

    `values`: what the first pass says of each; `documents`: how many the corpus has.
    Where a spelling stands for several values, the one with the strongest evidence has it: seen
    before derived, then the surest, the most relevant, the one in most documents; a derived
    spelling that two values share is nobody's.
    """
    strong = strong_values(values, documents, settings)
    seen: dict[str, ValueStatistics] = {}
    derived: dict[str, ValueStatistics | None] = {}
    written: dict[str, str] = {}
    numbers: dict[str, ValueStatistics] = {}
    for one in sorted(strong, key=_evidence):
        first = numbers.setdefault(one.value, one) if one.type in NUMBERS else one
        for surface in one.surfaces:
            seen.setdefault(surface, first)
    for one in strong:
        ways = {folded(form): form for form in forms(one.type, one.value)}
        ways |= {way: way for surface in one.surfaces for way in regrouped(one.type, surface)}
        for form in ways:
            if form not in seen:  # a difference of keys would go through all that was seen
                derived[form] = one if derived.get(form, one) is one else None
        written |= ways
    entries = [(s, _entry(s, one, "seen")) for s, one in sorted(seen.items())]
    entries += [
        (s, _entry(s, one, "form", written[s])) for s, one in sorted(derived.items()) if one
    ]
    return Vocabulary({surface: entry for surface, entry in entries if entry})


def regrouped(entity_type: str, surface: str) -> Iterator[str]:
    """Yield a number's groups of digits with each usual mark between them, and with none."""
    if entity_type not in GROUPED or not GROUPS.fullmatch(surface):
        return
    digits = GROUP_MARK.split(surface)
    if sum(map(len, digits)) >= LEAST:
        yield from (mark.join(digits) for mark in (" ", "-", ".", "/", ""))


def value_statistics(mentions: Iterable[Mention]) -> list[ValueStatistics]:
    """Sum up mentions by value and type, sorted by both."""
    by_value: dict[tuple[str, str], ValueStatistics] = {}
    ordinal, document = -1, None
    for mention in mentions:
        if mention.document != document:
            ordinal, document = ordinal + 1, mention.document
        key = mention.value, mention.type
        if key not in by_value:
            by_value[key] = ValueStatistics(*key)
        by_value[key].add(mention, ordinal)
    return [by_value[key] for key in sorted(by_value)]


def strong_values(
    statistics: Iterable[ValueStatistics], documents: int, settings: Settings
) -> list[ValueStatistics]:
    """Return the values strong enough to be looked for elsewhere (formulas.md §3.2)."""
    listed = list(statistics)
    frequency = np.array([one.documents for one in listed], dtype=np.int32)
    return [
        one
        for one, u in zip(listed, uniqueness(frequency, documents), strict=True)
        if reaches(one.relevance * u, settings.filter_strength)
    ]


def _evidence(one: ValueStatistics) -> tuple[float, float, int, str, str]:
    return -one.score, -one.relevance, -one.documents, one.type, one.value


def _entry(surface: str, one: ValueStatistics, rule: str, form: str = "") -> VocabularyEntry | None:
    trigger = trigger_for(surface, one)
    if form.isupper() and form.isalpha():
        trigger = "initials" if len(form) > 3 else "placed"
    elif not trigger and all(word[:1].isupper() for word in form.split()) and form:
        trigger = "capital"
    if trigger == NEVER:
        return None
    digits = sum(map(str.isdigit, surface))
    name = one.type in PERSONS and len(surface) > LONG
    distinctive = digits >= DIGITS or (name and not digits)
    return VocabularyEntry(one.value, one.type, one.score, rule, trigger, distinctive)


# ── which spellings are too common to stand alone ───────────────────────────────────────────────

NEVER = "never"
DIGITS = 5
"""Digits from which on a number is looked for by itself, also where a word touches it."""
LONG = 5
"""Letters up to which a lone word (Will, Grant, pain) is too common to be trusted."""
_AGE_TRIGGER = re.compile(
    r"(?:\baged?(?: of)?|\bage:|\bâgée? de|\bim Alter von)\s{0,3}$", re.IGNORECASE
)
_YEARS_TRIGGER = re.compile(r"[\s-]{0,3}(?:years?\b|y/?o\b|ans\b|jährig|jahre\b)", re.IGNORECASE)


@cache
def _months() -> frozenset[str]:
    """Return all spellings of months, folded."""
    by_language = read_words("calendar")["months"].values()
    return frozenset(folded(name) for months in by_language for month in months for name in month)


@cache
def _common() -> frozenset[str]:
    """Return words of every day: NO may be a gas in one document, in others it is a no."""
    return frozenset(word for words in read_words("common").values() for word in words.split())


def trigger_for(surface: str, one: ValueStatistics) -> str:
    """Return the context a spelling needs: "" for none, a name in `CUES`, or `NEVER`."""
    phrase = " " in surface and surface[0].isalpha() and surface[-1].isalpha()
    letters = surface if phrase else re.sub(r"[\W_]+", "", surface)  # that takes ten times as long
    if len(letters) < 2 or surface in _months():
        return NEVER
    if letters.isdecimal() and len(letters) < DIGITS:
        return "age" if one.type in AGES else NEVER
    if one.type in SINGLE_WORDS and surface in _common():
        return NEVER
    if letters.isalpha() and " " not in surface:
        if one.surfaces.get(surface, all(one.surfaces.values())):
            return "capital" if one.type in PERSONS and len(letters) > LONG else "inside"
        distinctive = one.type in SINGLE_WORDS and one.score >= SURE and len(letters) > LONG
        return "" if distinctive else NEVER
    return ""


SINGLE_WORDS = types_of("clinical")
"""Types of which one long lower-case word ("glioblastoma") says enough to be looked for."""
SURE = 0.7
"""A lone word less sure than this where it was found is not looked for elsewhere."""


def _stands_as_age(text: str, start: int, end: int) -> bool:
    before, after = text[max(start - 20, 0) : start], text[end : end + 12]
    return bool(_AGE_TRIGGER.search(before) or _YEARS_TRIGGER.match(after))


def _opens_sentence(text: str, start: int) -> bool:
    """Tell whether a sentence begins at `start`, where any word has a capital."""
    before = text[max(start - 3, 0) : start].rstrip()
    return not before or before[-1] in ".!?:"


_PLACED = re.compile(r"(?i)(?:\b(?:at|through|via|chez|au|im|am|bei|beim)|\ban der)\s{1,3}$")
_PART = re.compile(expression("vocabulary_part"))


def _stands_as_clinic(text: str, start: int, end: int) -> bool:
    """Tell whether capitals stand where a clinic's name does: "at PVH", "PVH eye department"."""
    before, after = text[max(start - 12, 0) : start], text[end : end + 60]
    return text[start:end].isupper() and bool(_PLACED.search(before) or _PART.match(after))


TRIGGERS: Mapping[str, Callable[[str, int, int], bool]] = {
    "age": _stands_as_age,
    "capital": lambda text, start, end: all(w[0].isupper() for w in text[start:end].split()),
    "initials": lambda text, start, end: text[start:end].isupper(),
    "placed": _stands_as_clinic,
    "inside": lambda text, start, end: text[start].isupper() and not _opens_sentence(text, start),
}
"""Cue → does it hold for the span `[start, end)` of the text?"""


def is_whole_word(text: str, start: int, end: int) -> bool:
    """Tell whole words, and whole numbers: 52 is not in 52.5 (formulas.md §10.1)."""
    first, last = text[start], text[end - 1]
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    if (_word(before) and _word(first)) or (_word(after) and _word(last)):
        return False
    if first.isdigit() and before in ".," and start > 1 and text[start - 2].isdigit():
        return False
    return not (last.isdigit() and after in ".," and text[end + 1 : end + 2].isdigit())


def _word(character: str) -> bool:
    return character.isalnum() or character == "_"
