"""A text as marked words: split once, and every distinct word looked up once.

`mark` says in one integer what is known of a word: its shape and the lists it is in (`data/`).
Finders then look only at words whose mark interests them, so the cost of a text is one pass.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

DATA = Path(__file__).parent / "data"

# a word: letters and digits, joined by hyphens; apostrophes and points always stand between words,
# and so does the "'s" of a possessive
_WORD = r"[\w\u0300-\u036f]+"
TOKEN = re.compile(rf"(?:(?<!['’])|(?![sS]\b)){_WORD}(?:[-\u2010\u2011]{_WORD})*")

# shapes
CAP, UPPER, INITIAL, NUMBER = 1, 2, 4, 8
# words at large
FUNCTION, STOP, GENERIC, PHRASE = 1 << 4, 1 << 5, 1 << 6, 1 << 7
# names
GIVEN, WORDY, SURNAME, TITLE = 1 << 8, 1 << 9, 1 << 10, 1 << 11
LABEL, PARTICLE, SUFFIX = 1 << 12, 1 << 13, 1 << 14
# providers and organizations
CLINICIAN, BETWEEN, LETTERS, ROLE = 1 << 15, 1 << 16, 1 << 17, 1 << 18
PRACTICE, EITHER, HEALTH, KNOWN = 1 << 19, 1 << 20, 1 << 21, 1 << 22
PROVIDER_LEAD, ORGANIZATION, ORGANIZATION_LEAD = 1 << 23, 1 << 24, 1 << 25
# places
PLACE, STATE, STATE_CODE, PLACE_HEAD = 1 << 26, 1 << 27, 1 << 28, 1 << 29
AREA, BEFORE_PLACE, INSTITUTION, INSTITUTION_LEAD = 1 << 30, 1 << 31, 1 << 32, 1 << 33
# clinical
CONDITION, CONDITION_HEAD, TREATMENT, TREATMENT_HEAD = 1 << 34, 1 << 35, 1 << 36, 1 << 37
DRUG, MODIFIER, WEAK, AFTER = 1 << 38, 1 << 39, 1 << 40, 1 << 41
# facts
OCCUPATION, OCCUPATION_MODIFIER, DEMOGRAPHIC, NATIONALITY = 1 << 42, 1 << 43, 1 << 44, 1 << 45
INDIRECT, EVENT_HEAD, EVENT_LEAD, EVENT = 1 << 46, 1 << 47, 1 << 48, 1 << 49
OUTCOME, CHANGE, SCORE, DOSE, RHYTHM, COUNTRY = (1 << n for n in range(50, 56))

TABLES = {
    "common": {"function": FUNCTION, "stop": STOP, "generic": GENERIC},
    "names": {
        "given": GIVEN, "wordy": GIVEN | WORDY, "surnames": SURNAME, "titles": TITLE,
        "labels": LABEL, "particles": PARTICLE, "suffixes": SUFFIX,
    },
    "providers": {
        "titles": CLINICIAN, "between": BETWEEN, "letters": LETTERS, "roles": ROLE,
        "practices": PRACTICE, "either": EITHER, "health": HEALTH, "known": KNOWN,
        "lead": PROVIDER_LEAD, "organizations": ORGANIZATION,
        "organization_lead": ORGANIZATION_LEAD,
    },
    "places": {
        "states": STATE | PLACE, "state_codes": STATE_CODE, "places": PLACE,
        "countries": PLACE | COUNTRY, "heads": PLACE_HEAD, "areas": AREA,
        "before": BEFORE_PLACE, "institutions": INSTITUTION, "lead": INSTITUTION_LEAD,
    },
    "clinical": {
        "conditions": CONDITION, "condition_heads": CONDITION_HEAD, "treatments": TREATMENT,
        "treatment_heads": TREATMENT_HEAD, "drugs": TREATMENT | DRUG, "modifiers": MODIFIER,
        "weak": WEAK, "condition_phrases": CONDITION, "treatment_phrases": TREATMENT,
        "after": AFTER, "doses": DOSE, "rhythms": RHYTHM,
    },
    "facts": {
        "occupations": OCCUPATION, "occupation_modifiers": OCCUPATION_MODIFIER,
        "demographics": DEMOGRAPHIC, "nationalities": NATIONALITY, "indirect": INDIRECT,
        "event_heads": EVENT_HEAD, "event_lead": EVENT_LEAD, "event_phrases": EVENT,
        "outcomes": OUTCOME, "changes": CHANGE, "scores": SCORE,
    },
}  # fmt: skip

_FOLD = str.maketrans(
    {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "‐": "-", "‑": "-"}
)


def fold(word: str) -> str:
    """Return the key a word is looked up by: no case, no accents, plain hyphens."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFD", word.casefold().translate(_FOLD))
    return "".join(c for c in plain if not unicodedata.combining(c))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lists: marks by word, further words and mark by first word of a phrase, endings."""

    words: dict[str, int]
    phrases: dict[str, list[tuple[tuple[str, ...], int]]]
    condition: re.Pattern[str]
    treatment: re.Pattern[str]
    not_clinical: frozenset[str]


def entries(text: str) -> list[str]:
    """Split a list as it stands in a data file: by commas and line breaks."""
    return [entry for part in re.split(r"[,\n]", text) if (entry := part.strip())]


@cache
def lexicon() -> Lexicon:
    """Read all lists, once per process."""
    words: dict[str, int] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    files = {name: tomllib.loads((DATA / f"{name}.toml").read_text("utf-8")) for name in TABLES}
    for name, tables in TABLES.items():
        for table, bits in tables.items():
            for entry in entries(files[name][table]):
                first, *rest = TOKEN.findall(fold(entry))
                if rest:
                    phrases.setdefault(first, []).append((tuple(rest), bits))
                    words[first] = words.get(first, 0) | PHRASE
                else:
                    words[first] = words.get(first, 0) | bits
    for options in phrases.values():
        options.sort(key=lambda option: (-len(option[0]), option))
    clinical = files["clinical"]
    return Lexicon(
        words,
        phrases,
        re.compile("(?:" + "|".join(entries(clinical["condition_endings"])) + ")$"),
        re.compile("(?:" + "|".join(entries(clinical["treatment_endings"])) + ")$"),
        frozenset(entries(fold(clinical["not_clinical"]))),
    )


@lru_cache(maxsize=1 << 16)
def mark(word: str) -> int:
    """Return the mark of a word as it stands in a text."""
    known = lexicon()
    key = fold(word)
    bits = known.words.get(key, 0)
    if "-" in key and not bits:
        bits = _compound(key)
    first = word[0]
    if first.isdigit():
        return bits | NUMBER
    if first.isupper():
        bits |= CAP
        if len(word) == 1:
            bits |= INITIAL
        elif word.isupper():
            bits |= UPPER
    if len(key) >= 6 and not bits & (FUNCTION | CONDITION | TREATMENT | GIVEN | PLACE | SURNAME):
        tail = key.rpartition("-")[2]
        if tail not in known.not_clinical:
            if known.condition.search(tail):
                bits |= CONDITION
            elif known.treatment.search(tail):
                bits |= TREATMENT
    return bits


def _compound(key: str) -> int:
    """Return what a hyphenated word is by its parts: "Anna-Maria", "post-surgery"."""
    words = lexicon().words
    parts = key.split("-")
    last = words.get(parts[-1], 0)
    bits = last & (CONDITION | CONDITION_HEAD | TREATMENT | TREATMENT_HEAD | DRUG | OCCUPATION)
    bits |= last & (PRACTICE | EITHER | INSTITUTION)
    if words.get(parts[0], 0) & GIVEN and not words.get(parts[0], 0) & WORDY:
        bits |= GIVEN
    if any(words.get(part, 0) & SURNAME for part in parts):
        bits |= SURNAME
    if any(words.get(part, 0) & (MODIFIER | CONDITION) for part in parts):
        bits |= MODIFIER
    return bits


class Text:
    """One block of text as words: parallel lists, and what finders have taken so far.

    `starts[i]`, `ends[i]` are offsets of word i in `text`; `phrases` are (first word, word after
    the last, mark); `taken[i]` is true for words that belong to a found name or institution.
    """

    __slots__ = ("ends", "marks", "phrases", "starts", "taken", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        spans = [match.span() for match in TOKEN.finditer(text)]
        self.starts = [start for start, _ in spans]
        self.ends = [end for _, end in spans]
        self.words = [text[start:end] for start, end in spans]
        self.marks = [mark(word) for word in self.words]
        self.taken = bytearray(len(spans))
        self.phrases = list(self._phrases())

    def __len__(self) -> int:
        return len(self.words)

    def at(self, bits: int) -> list[int]:
        """Words that carry any of these bits."""
        return [i for i, m in enumerate(self.marks) if m & bits]

    def gap(self, i: int) -> str:
        """Return what stands between word i − 1 and word i; at either end of the text, a break."""
        if not 0 < i < len(self.words):
            return "\n"
        return self.text[self.ends[i - 1] : self.starts[i]]

    def opens(self, i: int) -> bool:
        """Is word i the first of a sentence, a line or a field?"""
        return self.gap(i).strip(" ,'’-–(\"“") != "" or "\n" in self.gap(i)

    def free(self, i: int, j: int) -> bool:
        """Is no word of [i, j) taken?"""
        return not any(self.taken[i:j])

    def take(self, i: int, j: int) -> tuple[int, int]:
        """Mark words [i, j) as taken; return their offsets in the text."""
        self.taken[i:j] = b"\x01" * (j - i)
        return self.starts[i], self.ends[j - 1]

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield capitalised runs [i, j): words that may together be one name."""
        i = j = 0  # the run so far
        for k in self.at(CAP):
            if not (j and k == j and self.joins(k)):
                if j:
                    yield i, j
                i = k
            j = k + 1
        if j:
            yield i, j

    def joins(self, j: int) -> bool:
        """Do the words before and at j stand in one name, to judge by what is between them?"""
        gap = self.gap(j)
        if gap in _BLANK:
            return True
        before = self.words[j - 1]
        if gap in {". ", ".", ".\u00a0"}:
            return bool(self.marks[j - 1] & (INITIAL | TITLE | CLINICIAN)) or before in _SHORT
        if gap in {"'", "’"}:
            return len(before) <= 2
        return gap in _INSIDE

    def _phrases(self) -> Iterator[tuple[int, int, int]]:
        known = lexicon().phrases
        end = 0
        for i in self.at(PHRASE):
            if i < end:
                continue
            for rest, bits in known.get(fold(self.words[i]), ()):
                j = i + 1 + len(rest)
                if j <= len(self.words) and all(
                    fold(self.words[k]) == word and self.gap(k) in _TIGHT
                    for k, word in enumerate(rest, i + 1)
                ):
                    yield i, j, bits
                    end = j
                    break


_BLANK = {" ", "\u00a0", "\u202f", "  "}
_TIGHT = {" ", "\u00a0", "\u202f", "  ", "\n", ". ", "'", "’", "-"}
_INSIDE = {" & ", "'s ", "’s ", "' ", "’ "}
_SHORT = {"St", "Ste", "Mt", "Ft", "SAINT", "ST"}
