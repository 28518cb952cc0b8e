"""A text as marked words: split once, and every distinct word looked up once.

`mark` says in one integer what is known of a word: its shape and the lists it is in (`data/`).
Finders then look only at words whose mark interests them, so the cost of a text is one pass.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from itertools import accumulate
from operator import or_
from pathlib import Path

from linkmask.detect.found import Found

DATA = Path(__file__).parent / "data"

# a word: letters and digits, joined by hyphens; apostrophes and points always stand between words,
# and so does the "'s" of a possessive
STEM = 3
"""Letters a word has at least before an ending that tells its kind."""
LONGEST_ENDING = 18

_WORD = r"[\w\u0300-\u036f]+"
TOKEN = re.compile(rf"((?:(?<!['’])|(?![sS]\b)){_WORD}(?:[-\u2010\u2011]{_WORD})*)")

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
OUTCOME, CHANGE, SCORE, MUTATION, NOT_AFTER_WORK = (1 << n for n in range(50, 55))
# more clinical, more places
DOSE, RHYTHM, TRAILING, SOFT, EPONYMOUS, STAGED = (1 << n for n in range(55, 61))
COUNTRY, DIRECTION = 1 << 61, 1 << 62

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
        "before": BEFORE_PLACE, "directions": DIRECTION, "institutions": INSTITUTION,
        "lead": INSTITUTION_LEAD,
    },
    "clinical": {
        "conditions": CONDITION, "condition_heads": CONDITION_HEAD, "treatments": TREATMENT,
        "treatment_heads": TREATMENT_HEAD, "drugs": TREATMENT | DRUG, "modifiers": MODIFIER,
        "weak": WEAK, "condition_phrases": CONDITION, "treatment_phrases": TREATMENT,
        "after": AFTER, "doses": DOSE, "rhythms": RHYTHM, "trailing": TRAILING, "soft": SOFT,
        "eponymous": EPONYMOUS, "staged": STAGED,
    },
    "facts": {
        "occupations": OCCUPATION, "occupation_modifiers": OCCUPATION_MODIFIER,
        "demographics": DEMOGRAPHIC, "nationalities": NATIONALITY, "indirect": INDIRECT,
        "event_heads": EVENT_HEAD, "event_lead": EVENT_LEAD, "event_phrases": EVENT,
        "outcomes": OUTCOME, "changes": CHANGE, "scores": SCORE,
        "mutations": MUTATION, "not_after_work": NOT_AFTER_WORK,
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
    """The lists: marks by word; phrases (further words and mark) by first and second word; endings
    that tell a word's kind; words that only look so."""

    words: dict[str, int]
    phrases: dict[str, dict[str, list[tuple[tuple[str, ...], int]]]]
    endings: dict[str, int]
    not_clinical: frozenset[str]


def entries(text: str) -> list[str]:
    """Split a list as it stands in a data file: by commas and line breaks."""
    return [entry for part in re.split(r"[,\n]", text) if (entry := part.strip())]


@cache
def lexicon() -> Lexicon:
    """Read all lists, once per process."""
    words: dict[str, int] = {}
    phrases: dict[str, dict[str, list[tuple[tuple[str, ...], int]]]] = {}
    files = {name: tomllib.loads((DATA / f"{name}.toml").read_text("utf-8")) for name in TABLES}
    for name, tables in TABLES.items():
        for table, bits in tables.items():
            for entry in entries(files[name][table]):
                first, *rest = TOKEN.findall(fold(entry))
                if rest:
                    seconds = phrases.setdefault(first, {})
                    seconds.setdefault(rest[0], []).append((tuple(rest[1:]), bits))
                    words[first] = words.get(first, 0) | PHRASE
                else:
                    words[first] = words.get(first, 0) | bits
    for seconds in phrases.values():
        for options in seconds.values():
            options.sort(key=lambda option: (-len(option[0]), option))
    clinical = files["clinical"]
    endings = dict.fromkeys(entries(clinical["treatment_endings"]), TREATMENT)
    endings |= dict.fromkeys(entries(clinical["condition_endings"]), CONDITION)
    return Lexicon(words, phrases, endings, frozenset(entries(fold(clinical["not_clinical"]))))


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
        if len(word) == 1:  # "L." is an initial before it is the French article
            bits = bits & FUNCTION & -(word in "AI") | CAP | INITIAL
        elif word.isupper():
            bits |= UPPER
    if len(key) >= 6 and not bits & (FUNCTION | CONDITION | TREATMENT | GIVEN | PLACE | SURNAME):
        bits |= _by_ending(key.rpartition("-")[2], known)
    return bits


def _by_ending(key: str, known: Lexicon) -> int:
    """Return what a word's last letters say: "-itis", "-ectomy"; the longest ending decides."""
    if key in known.not_clinical:
        return 0
    for n in range(min(len(key) - STEM, LONGEST_ENDING), 2, -1):
        if bits := known.endings.get(key[-n:]):
            return bits
    return 0


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

    `starts[i]`, `ends[i]` are offsets of word i in `text`, `gap[i]` is what stands before it;
    `phrases` are (first word, word after the last, mark); `taken[i]` is true for words that belong
    to a found name or institution. Behind the last word stands an empty one that bears no mark, so
    that a finder may look one word ahead; the gap before it, as before the first, is a line break.
    """

    __slots__ = (
        "_any",
        "_by_mark",
        "ends",
        "gap",
        "marks",
        "phrases",
        "starts",
        "taken",
        "text",
        "words",
    )

    def __init__(self, text: str) -> None:
        parts = TOKEN.split(text)
        offsets = list(accumulate(map(len, parts)))
        self.text = text
        self.words = parts[1::2]
        self.gap = parts[::2]
        self.gap[0] = self.gap[-1] = "\n"
        self.starts = offsets[:-1:2]
        self.ends = offsets[1::2]
        self.marks = [mark(word) for word in self.words]
        self._by_mark: defaultdict[int, list[int]] = defaultdict(list)
        for i, m in enumerate(self.marks):
            self._by_mark[m].append(i)
        self._any = reduce(or_, self._by_mark, 0)
        self.words.append("")
        self.marks.append(0)
        self.taken = bytearray(len(self.words))
        self.phrases = list(self._phrases())

    def at(self, bits: int) -> list[int]:
        """Words that carry any of these bits."""
        if not bits & self._any:
            return []
        return sorted(i for m, places in self._by_mark.items() if m & bits for i in places)

    def opens(self, i: int) -> bool:
        """Is word i the first of a sentence, a line or a field?"""
        return "\n" in self.gap[i] or self.gap[i].strip(" ,'’-–(\"“") != ""

    def free(self, i: int, j: int) -> bool:
        """Is no word of [i, j) taken?"""
        return not any(self.taken[i:j])

    def found(self, i: int, j: int, entity_type: str, rule: str, score: float) -> Found:
        """Return words [i, j) as found."""
        return Found(self.starts[i], self.ends[j - 1], entity_type, "lexicon", rule, score)

    def take(self, i: int, j: int, entity_type: str, rule: str, score: float) -> Found:
        """Return words [i, j) as found, and let no other finder have them."""
        self.taken[i:j] = b"\x01" * (j - i)
        return self.found(i, j, entity_type, rule, score)

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
        gap = self.gap[j]
        if gap in BLANK:
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
            if i < end or self.gap[i + 1] not in TIGHT:
                continue
            options = known[fold(self.words[i])].get(fold(self.words[i + 1]), ())
            for rest, bits in options:
                j = i + 2 + len(rest)
                if j < len(self.words) and all(
                    fold(self.words[k]) == word and self.gap[k] in TIGHT
                    for k, word in enumerate(rest, i + 2)
                ):
                    yield i, j, bits
                    end = j
                    break


BLANK = {" ", "\u00a0", "\u202f", "  "}
TIGHT = BLANK | {"\n", ". ", "'", "’", "-"}
_INSIDE = {" & ", "'s ", "’s ", "' ", "’ "}
_SHORT = {"St", "Ste", "Mt", "Ft", "SAINT", "ST"}
