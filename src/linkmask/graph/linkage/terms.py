"""Reads the terms of texts by kind, as an attacker without a detector does.

A term's kind says how it is compared. `word`, `gram` (n-grams of letters) and, where a table of
meanings is given, `sense` and `field` tell the topic; `phrase` (two words in a row) what is said of
it; `name` (capitalised words), `code` (letters or marks with digits), `date` and `month` are values
that two texts may share. What masking writes is taken out, except a pseudonym, which stands for
one value wherever it occurs.

Each word is analysed once, however often it occurs: texts become numbers of words, and the terms
that a word has (its n-grams, its classes) are multiplied in on request.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from linkmask import schema
from linkmask.graph import dates
from linkmask.records import Ints
from linkmask.text.letters import plain_letters
from linkmask.text.sentences import begins_sentence_or_line

Meaning = Callable[[str], Sequence[str]]
"""Gives the classes of words used alike that a folded word is in, finest first; () if unknown."""

SPELLED = ("word", "name", "code", "date", "month")
"""Kinds of term that are read from a text as they are."""
OF_WORDS = ("gram", "sense", "field")
"""Kinds of term that a word has wherever it occurs."""
KINDS = (*SPELLED, "phrase", *OF_WORDS)
GRAM = 4
"""Letters of an n-gram; a blank stands for either end of a word."""

WORD = re.compile(r"\w+(?:[-.'’/@:]\w+)*")
DIGIT = re.compile(r"\d")
_MONTH = r"[^\W\d_]{3,9}\.?"
DATE = re.compile(
    rf"\b(?:\d{{4}}-\d\d(?:-\d\d)?|\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)? {_MONTH} \d{{4}}"
    rf"|{_MONTH} \d{{4}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?)\b"
)
"""What may be a date; `dates.read` says whether it is one."""
PSEUDONYM = re.compile(rf"\[[A-Z_]+{schema.MASK_CODE}\]")
WORD_BITS = 32
"""A phrase is one number: its first word's above these bits, its second word's in them."""


class Days(NamedTuple):
    """The full dates of texts as day numbers (1 is 0001-01-01).

    Those of text t are `day[start[t]:start[t + 1]]`, ascending, each once.
    """

    start: Ints
    day: Ints


class CorpusTerms(NamedTuple):
    """The terms of all texts, by kind.

    `read`: how often each text holds each term, a sparse row for each text, for the kinds that are
    `SPELLED` and for phrases. `of_words`: the same of `OF_WORDS` for each word. `spelled`: the term
    of each column; a name and a code have the column of their word. `phrases`: the phrase of each
    column as a number (see `WORD_BITS`).
    """

    read: Mapping[str, Any]
    of_words: Mapping[str, Any]
    spelled: Mapping[str, Sequence[str]]
    phrases: Ints
    days: Days

    @property
    def texts(self) -> int:
        """How many texts there are."""
        return int(self.read["word"].shape[0])

    def counts(self, kind: str) -> Any:
        """Return how often each text holds each term of a kind, a sparse row for each text."""
        return self.read["word"] @ self.of_words[kind] if kind in OF_WORDS else self.read[kind]

    def term(self, kind: str, column: int) -> str:
        """Return how the term of a column is spelled, for every kind but those `OF_WORDS`."""
        if kind != "phrase":
            return self.spelled["word" if kind in ("name", "code") else kind][column]
        first, second = divmod(int(self.phrases[column]), 1 << WORD_BITS)
        return f"{self.spelled['word'][first]} {self.spelled['word'][second]}"


def read(texts: Iterable[str], meaning: Meaning | None = None) -> CorpusTerms:
    """Return the terms of texts."""
    reader = _Reader(meaning)
    for text in texts:
        reader.add(text)
    return reader.terms()


class _Rows:
    """Numbers of terms, text by text."""

    def __init__(self) -> None:
        self.term, self.end = array("i"), array("q", [0])

    def add(self, terms: Sequence[int]) -> None:
        """Add the terms of the next text."""
        self.term.extend(terms)
        self.end.append(len(self.term))

    def counts(self, columns: int) -> Any:
        """Return how often each text holds each term."""
        return term_counts(
            np.frombuffer(self.term, np.int32), np.frombuffer(self.end, np.int64), columns
        )


def term_counts(term: Ints, start: Ints, columns: int) -> Any:
    """Return how often each row holds each term, as a sparse matrix with sorted rows."""
    from scipy.sparse import csr_array

    ones = np.ones(len(term), dtype=np.float32)
    rows = csr_array((ones, term, start), shape=(len(start) - 1, max(1, columns)), copy=True)
    rows.sum_duplicates()
    return rows


class _Reader:
    """Reads texts one by one; remembers each word as it is written."""

    def __init__(self, meaning: Meaning | None) -> None:
        self.meaning = meaning
        self.rows = {kind: _Rows() for kind in SPELLED}
        self.of_words = {kind: _Rows() for kind in OF_WORDS}
        self.columns: dict[str, dict[str, int]] = defaultdict(dict)
        self.written: dict[str, tuple[int, str]] = {}
        self.dates: dict[str, str | None] = {}
        self.days = _Rows()
        self._column("")  # stands before a text's first word

    def add(self, text: str) -> None:
        """Read a text."""
        codes = list[int]()
        if "[" in text:
            codes = [self._column(code) for code in PSEUDONYM.findall(text)]
            text = placeholders().sub(" ", text)
        words, names = list[int](), list[int]()
        known = self.written
        for match in WORD.finditer(text):
            written = match.group()
            column, kind = known.get(written) or self._word(written)
            words.append(column)
            if kind == "code":
                codes.append(column)
            elif kind == "name" and not begins_sentence_or_line(text, match.start()):
                names.append(column)
        for kind, found in ("word", words), ("name", names), ("code", codes):
            self.rows[kind].add(found)
        self._add_dates(text)

    def _word(self, written: str) -> tuple[int, str]:
        """Return the column of a word that is new, and what its spelling makes it."""
        kind = "name" if written[0].isupper() else ""
        if any(letter.isdigit() for letter in written):
            kind = "code"
        column = self._column(plain_letters(written).casefold(), plain=kind != "code")
        self.written[written] = column, kind
        return column, kind

    def _column(self, word: str, plain: bool = False) -> int:
        """Return the column of a folded word; a plain one has n-grams and classes of meaning."""
        columns = self.columns["word"]
        column = columns.get(word)
        if column is None:
            column = columns[word] = len(columns)
            classes = self.meaning(word) if self.meaning and plain else ()
            for kind, found in zip(
                OF_WORDS, (grams(word) if plain else (), classes[:1], classes[1:2]), strict=True
            ):
                of = self.columns[kind]
                self.of_words[kind].add([of.setdefault(one, len(of)) for one in found])
        return column

    def _add_dates(self, text: str) -> None:
        found = list[str]()
        for match in DATE.finditer(text) if DIGIT.search(text) else ():
            written = match.group()
            if written not in self.dates:
                self.dates[written] = dates.read(written)
            if iso := self.dates[written]:
                found.append(iso)
        for kind, some in ("date", found), ("month", [iso[:7] for iso in found]):
            of = self.columns[kind]
            self.rows[kind].add([of.setdefault(one, len(of)) for one in some])
        self.days.add(sorted({day for iso in found if (day := _day(iso))}))

    def terms(self) -> CorpusTerms:
        """Return the terms of all texts that were read."""
        size = {kind: len(self.columns[kind]) for kind in ("word", "date", "month", *OF_WORDS)}
        size |= {"name": size["word"], "code": size["word"]}
        words = self.rows["word"]
        phrases, columns = _phrases(words)
        counts = {kind: rows.counts(size[kind]) for kind, rows in self.rows.items()}
        return CorpusTerms(
            {
                **counts,
                "phrase": term_counts(columns, np.frombuffer(words.end, np.int64), len(phrases)),
            },
            {kind: rows.counts(size[kind]) for kind, rows in self.of_words.items()},
            {kind: list(self.columns[kind]) for kind in ("word", "date", "month")},
            phrases,
            Days(np.frombuffer(self.days.end, np.int64), np.frombuffer(self.days.term, np.int32)),
        )


def _phrases(words: _Rows) -> tuple[Any, Ints]:
    """Return the phrases that texts hold, ascending, and the column of each word's."""
    word = np.frombuffer(words.term, np.int32).astype(np.int64)
    before = np.zeros_like(word)
    before[1:] = word[:-1]
    start = np.frombuffer(words.end, np.int64)[:-1]
    before[start[start < len(word)]] = 0
    before <<= WORD_BITS
    before |= word
    found = np.unique(before, return_inverse=True)
    return np.asarray(found[0]), np.asarray(found[1].astype(np.int32))


def grams(word: str) -> list[str]:
    """Return a word's n-grams of letters, a blank at both ends: `" cat"`, `"cat "`."""
    padded = f" {word} "
    return [padded[at : at + GRAM] for at in range(max(1, len(padded) - GRAM + 1))]


@cache
def placeholders() -> re.Pattern[str]:
    """Return what finds the masks that a text may hold."""
    return schema.placeholders(schema.load("insurance").types)


def _day(iso: str) -> int:
    """Return the day number of a full date, 0 for what is none."""
    try:
        return date.fromisoformat(iso).toordinal()
    except ValueError:
        return 0
