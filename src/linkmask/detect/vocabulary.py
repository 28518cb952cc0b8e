"""Selects the values of the first pass that are searched for everywhere, and their spellings.

`vocabulary` gathers values over the corpus, keeps those that are strong enough (formulas.md §3.2)
and lists their spellings; `Vocabulary.search` finds them in a text with one overlapping
Aho–Corasick search and then keeps whole words only. (A leftmost-longest search would let a longer
match that is not a whole word hide a whole word inside it.) Spellings that are too common to stand
alone need a trigger or are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.entry_table import EntryTable, VocabularyEntry
from linkmask.detect.resolve import BY_CORPUS
from linkmask.detect.spelling_triggers import DIGITS, LONG, NEVER, TRIGGERS, trigger_for
from linkmask.detect.touching_words import apart_from_words
from linkmask.detect.value_statistics import (
    ValueStatistics,
    majority_types,
    strong_values,
)
from linkmask.schema import types_of
from linkmask.text.fold import fold, folded_value

Forms = Callable[[str, str], Iterable[str]]
"""`forms(entity_type, value)`: other ways the value is written."""
Facts = Callable[[str, str], str]
"""`facts(entity_type, value)`: the facts in the corpus on which a value's forms depend."""
Affected = Callable[[str, str], bool]
"""`affected(entity_type, value)`: whether the facts of a value may have changed."""
NUMBERS = types_of("one_per_number")
PERSONS = types_of("person")
GROUPED = types_of("id", "birth")
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
"""Factor of the score of a value that was found elsewhere."""


class SpelledValue(msgspec.Struct, array_like=True, gc=False):
    """A value with all its spellings: those that were seen, and other `ways` to write it.

    `ways`: folded → as it is written; `facts`: what they depend on beside type and value.
    """

    known: ValueStatistics
    facts: str
    ways: dict[str, str]


Spelled = Mapping[tuple[str, str], SpelledValue]
"""Value and type → the value with its spellings."""


@dataclass(frozen=True)
class Vocabulary:
    """Folded spellings and what each stands for: `entries` alone is handed to workers.

    `spelled`, `weak`: the values that are looked for everywhere, and the others; it can grow by
    them. `changed`: where it grew, the spellings that may stand for something else than before.
    """

    entries: Mapping[str, VocabularyEntry]
    spelled: Spelled = field(default_factory=dict, repr=False)
    weak: Sequence[ValueStatistics] = ()
    changed: Collection[str] | None = None

    @property
    def statistics(self) -> Iterator[ValueStatistics]:
        """Statistics of each value over the first pass, in no order."""
        yield from (row.known for row in self.spelled.values())
        yield from self.weak

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
            whole = is_whole_word(folded_text.text, start, end)
            if not (whole or self._distinctive[index]):
                continue
            entry = self._entry(index)
            if whole or not (is_file and entry.type in PERSONS):
                first, last = folded_text.original(start, end)
                if not whole and not apart_from_words(text, first, last):
                    continue
                if not entry.trigger or TRIGGERS[entry.trigger](text, first, last):
                    sure = FADING * entry.score
                    yield Candidate(first, last, entry.type, BY_CORPUS, entry.rule, sure)

    def _in_file(self, name: str) -> Iterator[Candidate]:
        """Yield known names in a file's: "rs_finch_20240415.wav", "NoteFinch.docx"."""
        for part in PART_OF_FILE.finditer(name, 0, name.rindex(".")):
            entry = self.entries.get(folded_value(part[0])) if len(part[0]) > 2 else None
            if entry and entry.type in PERSONS:
                sure = FADING * entry.score
                yield Candidate(part.start(), part.end(), entry.type, BY_CORPUS, "file", sure)

    @property
    def _automaton(self) -> Any:
        if "_built" not in self.__dict__:
            from ahocorasick_rs import AhoCorasick, Implementation

            # Of few patterns it would make a table, in the square of their length.
            linear = Implementation.ContiguousNFA
            self.__dict__["_built"] = AhoCorasick(list(self.entries), implementation=linear)
        return self.__dict__["_built"]

    @property
    def _entry(self) -> Callable[[int], VocabularyEntry]:
        """Returns the entry of the spelling with a number."""
        if "_numbered" not in self.__dict__:
            held = self.entries
            listed = held.at if isinstance(held, EntryTable) else [*held.values()].__getitem__
            self.__dict__["_numbered"] = listed
        return self.__dict__["_numbered"]  # type: ignore[no-any-return]

    @property
    def _distinctive(self) -> Sequence[int]:
        """Whether each spelling is, by its number."""
        if "_touching" not in self.__dict__:
            held = self.entries
            self.__dict__["_touching"] = (
                held.distinctive
                if isinstance(held, EntryTable)
                else bytes(one.distinctive for one in held.values())
            )
        return self.__dict__["_touching"]  # type: ignore[no-any-return]

    def packed(self) -> Vocabulary:
        """Return what searching needs of it, in little memory; it can't grow."""
        return Vocabulary(EntryTable(self.entries))


# ── which values ────────────────────────────────────────────────────────────────────────────────


def no_facts(entity_type: str, value: str) -> str:
    """Return no facts, so that the forms of a value depend on itself alone."""
    return ""


def always(entity_type: str, value: str) -> bool:
    """Return that the facts of every value may have changed."""
    return True


def vocabulary(
    values: Iterable[ValueStatistics],
    documents: int,
    settings: Settings,
    forms: Forms,
    facts: Facts = no_facts,
    last: Vocabulary | None = None,
    affected: Affected = always,
) -> Vocabulary:
    """Gather the values worth looking for everywhere, with all their spellings.

    `values`: what the first pass says of each, sorted; `documents`: how many the corpus has.
    Where a spelling stands for several values, the one with the strongest evidence has it: seen
    before derived, then the surest, the most relevant, the one in most documents. A derived
    spelling that two values share is nobody's, but a name that persons share is a value by itself.

    `last` is the vocabulary of an earlier state of the corpus. Spellings are decided anew only if
    one of their values came, went or changed; the result is the same without it. `facts` says on
    what forms depend beside type and value; it is not asked of values in `last` that are not
    `affected` by what changed since.
    """
    before = Vocabulary({}) if last is None else last
    listed = list(values)
    strong = strong_values(listed, documents, settings)
    spelled = {
        (one.value, one.type): _spelled(one, before, forms, facts, affected) for one in strong
    }
    due = _due(spelled, before.spelled)
    majority, earlier = majority_types(listed), majority_types(before.statistics)
    due |= {word for word in majority.keys() | earlier if majority.get(word) != earlier.get(word)}
    entries = {s: e for s, e in _decided(_owners(spelled, due)).items() if s in due}
    contested = sorted(majority.keys() & due)
    entries |= {word: _of_majority(word, majority[word], spelled) for word in contested}
    if before.entries:
        stay = dict(before.entries)
        for spelling in due:
            stay.pop(spelling, None)
        entries = stay | entries
    weak = [one for one in listed if (one.value, one.type) not in spelled]
    return Vocabulary(entries, spelled, weak, None if last is None else due)


def _spelled(
    one: ValueStatistics, before: Vocabulary, forms: Forms, facts: Facts, affected: Affected
) -> SpelledValue:
    """Return a value with its spellings, as they were where nothing they depend on differs."""
    was = before.spelled.get((one.value, one.type))
    if was and was.known.surfaces == one.surfaces:
        said = facts(one.type, one.value) if affected(one.type, one.value) else was.facts
        if was.facts == said:
            return was if was.known is one else SpelledValue(one, said, was.ways)
    else:
        said = facts(one.type, one.value)
    ways = {folded_value(form): form for form in forms(one.type, one.value)}
    ways |= {way: way for surface in one.surfaces for way in regrouped(one.type, surface)}
    return SpelledValue(one, said, ways)


def _due(now: Spelled, then: Spelled) -> set[str]:
    """Return the spellings of all values that came, went or changed.

    And of numbers that are written as one of these, since one value stands for all of them.
    """
    changed = then.keys() - now.keys()
    changed |= {k for k, row in now.items() if (was := then.get(k)) is not row and was != row}
    numbers = {value for value, kind in changed if kind in NUMBERS}
    if numbers:
        changed |= {key for key in now if key[1] in NUMBERS and key[0] in numbers}
    rows = (spelled[key] for key in changed for spelled in (now, then) if key in spelled)
    return {spelling for row in rows for spelling in (*row.known.surfaces, *row.ways)}


def _owners(spelled: Spelled, due: set[str]) -> list[SpelledValue]:
    """Return the values with one of some spellings, and the numbers that are written alike."""
    near = {
        key
        for key, row in spelled.items()
        if not (due.isdisjoint(row.known.surfaces) and due.isdisjoint(row.ways))
    }
    numbers = {value for value, kind in near if kind in NUMBERS}
    return [
        row
        for key, row in spelled.items()
        if key in near or (key[1] in NUMBERS and key[0] in numbers)
    ]


def _decided(rows: Sequence[SpelledValue]) -> dict[str, VocabularyEntry]:
    """Return what each spelling of some values stands for."""
    seen: dict[str, ValueStatistics] = {}
    derived: dict[str, ValueStatistics | None] = {}
    written: dict[str, str] = {}
    numbers: dict[str, ValueStatistics] = {}
    for one in sorted((row.known for row in rows), key=_evidence):
        first = numbers.setdefault(one.value, one) if one.type in NUMBERS else one
        for surface in one.surfaces:
            seen.setdefault(surface, first)
    for row in rows:
        for form in row.ways:
            if form not in seen:  # a difference of keys would go through all that was seen
                holder = derived.get(form, row.known)
                same = holder is row.known
                derived[form] = row.known if same else _shared(form, holder, row.known)
        written |= row.ways
    entries = [(s, _entry(s, one, "seen")) for s, one in sorted(seen.items())]
    entries += [
        (s, _entry(s, one, "form", written[s])) for s, one in sorted(derived.items()) if one
    ]
    return {surface: entry for surface, entry in entries if entry}


def _of_majority(word: str, one: ValueStatistics, spelled: Spelled) -> VocabularyEntry:
    """Return what a word that the tagger finds as several types stands for.

    Its value may be too weak to be looked for elsewhere; then the word takes its type where it was
    found.
    """
    entry = _entry(word, one, "seen") if (one.value, one.type) in spelled else None
    return entry or VocabularyEntry(one.value, one.type, one.score, "majority", NEVER)


def _shared(
    form: str, one: ValueStatistics | None, other: ValueStatistics
) -> ValueStatistics | None:
    """Return what a spelling of two values stands for: the surname of two persons for itself."""
    if one is None or one.type not in PERSONS or other.type != one.type:
        return None
    return ValueStatistics(form, one.type, score=max(one.score, other.score))


def regrouped(entity_type: str, surface: str) -> Iterator[str]:
    """Yield a number's groups of digits with each usual mark between them, and with none.

    So is a birth date: what order its day and month have is the writer's, whatever the mark.
    """
    if entity_type not in GROUPED or not GROUPS.fullmatch(surface):
        return
    digits = GROUP_MARK.split(surface)
    if sum(map(len, digits)) >= LEAST:
        yield from (mark.join(digits) for mark in (" ", "-", ".", "/", ""))


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
