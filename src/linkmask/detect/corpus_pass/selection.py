"""Selects the values of the first pass that are searched for everywhere, and their spellings.

`vocabulary` gathers values over the corpus, keeps those that are strong enough (formulas.md §3.2)
and lists their spellings. Spellings that are too common to stand alone need a trigger or are left
out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from linkmask.config import Settings
from linkmask.detect.corpus_pass.entry_rows import EntryRows, GrownEntries, VocabularyEntry
from linkmask.detect.corpus_pass.statistics import ValueStatistics, strong_values
from linkmask.detect.corpus_pass.triggers import DIGITS, LONG, NEVER, trigger_for
from linkmask.detect.corpus_pass.vocabulary import PERSONS, Spelled, SpelledValue, Vocabulary
from linkmask.schema import types_of
from linkmask.text.fold import folded_value

Forms = Callable[[str, str], Iterable[str]]
"""`forms(entity_type, value)`: other ways the value is written."""
Facts = Callable[[str, str], str]
"""`facts(entity_type, value)`: the facts in the corpus on which a value's forms depend."""
Affected = Callable[[str, str], bool]
"""`affected(entity_type, value)`: whether the facts of a value may have changed."""
NUMBERS = types_of("one_per_number")
GROUPED = types_of("id", "birth")
LEAST = 7
"""Digits from which on a number in groups is the same number in other groups of marks."""
GROUP_MARK = re.compile(r"[ ./-]")
GROUPS = re.compile(r"[0-9]+(?:[ ./-][0-9]+){1,6}")
"""A folded spelling of a number in groups: "219-09-9999"."""


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
    weak = [one for one in listed if (one.value, one.type) not in spelled]
    if last is None:
        return Vocabulary(_decided([*spelled.values()]), spelled, weak)
    changed = _changed_spellings(spelled, before.spelled)
    entries = {s: e for s, e in _decided(_owners(spelled, changed)).items() if s in changed}
    return Vocabulary(_grown(before.entries, changed, entries), spelled, weak, changed)


def _grown(
    before: Mapping[str, VocabularyEntry], changed: set[str], new: dict[str, VocabularyEntry]
) -> Mapping[str, VocabularyEntry]:
    """Return earlier entries without those of the changed spellings, and the new ones."""
    if isinstance(before, EntryRows):
        return GrownEntries(before, changed, new)
    return {spelling: one for spelling, one in before.items() if spelling not in changed} | new


def _spelled(
    one: ValueStatistics, before: Vocabulary, forms: Forms, facts: Facts, affected: Affected
) -> SpelledValue:
    """Return a value with its spellings, as they were where nothing they depend on differs."""
    was = before.spelled.get((one.value, one.type))
    if was and was.known.surfaces == one.surfaces:
        current = facts(one.type, one.value) if affected(one.type, one.value) else was.facts
        if was.facts == current:
            return was if was.known is one else SpelledValue(one, current, was.ways)
    else:
        current = facts(one.type, one.value)
    pairs = ((folded_value(form), form) for form in forms(one.type, one.value))
    ways = {folded: folded if folded == form else form for folded, form in pairs}
    ways |= {way: way for surface in one.surfaces for way in regrouped(one.type, surface)}
    return SpelledValue(one, current, ways)


def _changed_spellings(now: Spelled, then: Spelled) -> set[str]:
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


def respelled(now: Spelled, then: Spelled) -> set[str]:
    """Return the other ways to write a value that a value of the corpus gained or lost.

    A document in which one stands may mean another value by it.
    """
    gone = {way for key in then.keys() - now.keys() for way in then[key].ways}
    for key, row in now.items():
        was = then.get(key)
        if was is not row:
            gone |= row.ways.keys() ^ (was.ways.keys() if was else set())
    return gone


def _owners(spelled: Spelled, changed: set[str]) -> list[SpelledValue]:
    """Return the values with one of some spellings, and the numbers that are written alike."""
    near = {
        key
        for key, row in spelled.items()
        if not (changed.isdisjoint(row.known.surfaces) and changed.isdisjoint(row.ways))
    }
    numbers = {value for value, kind in near if kind in NUMBERS}
    return [
        row
        for key, row in spelled.items()
        if key in near or (key[1] in NUMBERS and key[0] in numbers)
    ]


def _decided(rows: Sequence[SpelledValue]) -> dict[str, VocabularyEntry]:
    """Return what each spelling of some values stands for.

    A corpus of names has some twenty spellings of each: none is held twice.
    """
    seen: dict[str, ValueStatistics] = {}
    derived: dict[str, SpelledValue] = {}
    shared: dict[str, ValueStatistics | None] = {}
    numbers: dict[str, ValueStatistics] = {}
    for one in sorted((row.known for row in rows), key=_evidence):
        first = numbers.setdefault(one.value, one) if one.type in NUMBERS else one
        for surface in one.surfaces:
            seen.setdefault(surface, first)
    for row in rows:
        for form in row.ways:
            if form not in seen:  # a difference of keys would go through all that was seen
                if (holder := derived.get(form)) is not None:
                    other = shared.get(form, holder.known)
                    if other is not row.known:
                        shared[form] = _shared(form, other, row.known)
                derived[form] = row
    entries = {s: e for s in sorted(seen) if (e := _entry(s, seen[s], "seen"))}
    for s in sorted(derived):
        of, way = shared.get(s, derived[s].known), derived[s].ways[s]
        if of and (entry := _entry(s, of, "form", way)):
            entries[s] = entry
    return entries


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
