"""Searches texts for the spellings of the values that the first pass found in the corpus.

`Vocabulary.search` finds them in a text with one overlapping Aho–Corasick search and then keeps
whole words only. (A leftmost-longest search would let a longer match that is not a whole word hide
a whole word inside it.) `selection` makes a vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import msgspec

from linkmask.detect.candidates import Candidate
from linkmask.detect.corpus_pass.entry_rows import (
    EntryRows,
    GrownEntries,
    VocabularyEntry,
    batches_of,
)
from linkmask.detect.corpus_pass.statistics import ValueStatistics
from linkmask.detect.corpus_pass.triggers import TRIGGERS
from linkmask.detect.resolve import BY_CORPUS
from linkmask.detect.view.touching_words import apart_from_words
from linkmask.schema import types_of
from linkmask.text.character_kinds import IN_WORD, KIND, POINTS
from linkmask.text.fold import fold, folded_value

PERSONS = types_of("person")
FILE = re.compile(r"[^\W_][\w.() -]{3,120}\.[A-Za-z]\w{1,3}")
"""A value that is the name of a file."""
PART_OF_FILE = re.compile(r"[^\W\d_](?:[a-zà-öø-ÿß]+|[A-ZÀ-ÖØ-Þ]*(?![a-zà-öø-ÿß]))")
"""Words in it, parted at "_", "-" and where capitals begin."""
FADING = 0.9
"""Factor of the score of a value that was found elsewhere."""

STRETCH = 1 << 18
"""Characters of a text that are searched at once."""


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
    `searched`: the entries that are looked for, if only certain texts are searched (`near`).
    """

    entries: Mapping[str, VocabularyEntry]
    spelled: Spelled = field(default_factory=dict, repr=False)
    weak: Sequence[ValueStatistics] = ()
    changed: Collection[str] | None = None
    searched: Mapping[str, VocabularyEntry] | None = field(default=None, repr=False)

    @property
    def statistics(self) -> Iterator[ValueStatistics]:
        """Statistics of each value over the first pass, in no order."""
        yield from (row.known for row in self.spelled.values())
        yield from self.weak

    def __len__(self) -> int:
        return len(self.entries)

    def __getstate__(self) -> dict[str, Any]:
        return {"entries": self.entries}

    def near(self, texts: Iterable[str]) -> Vocabulary:
        """Return a vocabulary that finds the same in these texts, and perhaps less in others.

        That saves work where the entries were kept, and most are not decoded yet.
        """
        if not isinstance(self.entries, GrownEntries):
            return self
        folded = (fold(_spaced(text)).text for text in texts)
        return replace(self, searched=self.entries.in_texts(folded))

    def search(self, text: str) -> Iterator[Candidate]:
        """Yield the whole-word occurrences in a text, also those of several spellings that overlap.

        Of those of one spelling that overlap, the first is yielded: "x=1 x=1" is found once in
        "x=1 x=1 x=1", and in a long text of this kind not at each word.
        """
        if not self.entries:
            return
        is_file = FILE.fullmatch(text) is not None
        if is_file:
            yield from self._in_file(text)
        text = _spaced(text)
        folded_text = fold(text)
        folded, distinctive, entry_of = folded_text.text, self._distinctive, self._entry
        ends: dict[int, int] = {}
        for index, start, end in self._matches(folded):
            if start < ends.get(index, 0):
                continue
            whole = is_whole_word(folded, start, end)
            if not (whole or distinctive[index]):
                continue
            entry = entry_of(index)
            if whole or not (is_file and entry.type in PERSONS):
                first, last = folded_text.original(start, end)
                if not whole and not apart_from_words(text, first, last):
                    continue
                if not entry.trigger or TRIGGERS[entry.trigger](text, first, last):
                    ends[index] = end
                    sure = FADING * entry.score
                    yield Candidate(first, last, entry.type, BY_CORPUS, entry.rule, sure)

    def _matches(self, folded: str) -> Iterator[tuple[int, int, int]]:
        """Yield number of the spelling, start and end of each match, by ascending end.

        The text is searched in stretches: a list of all its matches could be many times as large.
        """
        matches, longest = self._automaton.find_matches_as_indexes, self._longest
        for begin in range(0, len(folded), STRETCH):
            first = max(0, begin - longest)
            for index, start, end in matches(folded[first : begin + STRETCH], overlapping=True):
                if first + end > begin:
                    yield index, first + start, first + end

    def _in_file(self, name: str) -> Iterator[Candidate]:
        """Yield known names in a file's: "rs_finch_20240415.wav", "NoteFinch.docx"."""
        for part in PART_OF_FILE.finditer(name, 0, name.rindex(".")):
            entry = self.entries.get(folded_value(part[0])) if len(part[0]) > 2 else None
            if entry and entry.type in PERSONS:
                sure = FADING * entry.score
                yield Candidate(part.start(), part.end(), entry.type, BY_CORPUS, "file", sure)

    @property
    def _looked_for(self) -> Mapping[str, VocabularyEntry]:
        return self.entries if self.searched is None else self.searched

    @cached_property
    def _automaton(self) -> Any:
        from ahocorasick_rs import AhoCorasick, Implementation

        # Of few patterns it would make a table, in the square of their length.
        return AhoCorasick(list(self._looked_for), implementation=Implementation.ContiguousNFA)

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._looked_for), default=0)

    @cached_property
    def _entry(self) -> Callable[[int], VocabularyEntry]:
        """Returns the entry of the spelling with a number."""
        held = self._looked_for
        return held.at if isinstance(held, EntryRows) else [*held.values()].__getitem__

    @cached_property
    def _distinctive(self) -> Sequence[int]:
        """Whether each spelling is, by its number."""
        return bytes(self._entry(number).distinctive for number in range(len(self._looked_for)))

    def packed(self) -> Vocabulary:
        """Return what searching needs of it, in little memory; it can't grow."""
        return Vocabulary(EntryRows(batches_of(self.entries)))


def _spaced(text: str) -> str:
    """Return a text as it is searched: words in the name of a file are parted by blanks."""
    return text.replace("_", " ") if FILE.fullmatch(text) else text


def is_whole_word(text: str, start: int, end: int) -> bool:
    """Tell whole words, and whole numbers: 52 is not in 52.5 (formulas.md §10.1)."""
    first, last = text[start], text[end - 1]
    before, after = text[start - 1 : start], text[end : end + 1]
    if KIND[before] & IN_WORD and KIND[first] & IN_WORD:
        return False
    if KIND[after] & IN_WORD and KIND[last] & IN_WORD:
        return False
    if before in POINTS and first.isdigit() and start > 1 and text[start - 2].isdigit():
        return False
    return not (after in POINTS and last.isdigit() and text[end + 1 : end + 2].isdigit())
