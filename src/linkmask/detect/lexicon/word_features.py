"""Encodes the features of a word in one integer: its shape, its ending, and the lists it is in.

The lists are in `data/`; `TABLES` says which bit each of them sets. A word's features are computed
once and cached.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from linkmask.text.letters import word_key

DATA = Path(__file__).parent / "data"

# a word: letters and digits, joined by hyphens; apostrophes and points always stand between words,
# and so does the "'s" of a possessive
NO_WORD = 80
"""Nothing this long is a word; it would only fill the memory of marks."""
REMEMBERED = 1 << 16
"""Words whose marks are kept."""
INFLECTED, CASE_ENDINGS = 6, ("en", "es", "s", "n", "e")
"""Letters a clinical word has at least before an ending of number or case, and these."""
STEM = 3
"""Letters a word has at least before an ending that tells its kind."""
LONGEST_ENDING = 18

_LINKS = {"sur", "sous", "les", "lez", "en", "aux", "du", "am", "an"}  # Ivry-sur-Seine
_INITIALS = re.compile(r"[^\W\d_](?:[-‐‑][^\W\d_])+")
_LETTER = r"[\w\u0300-\u036f]"
_WORD = rf"{_LETTER}+"
# begins with a plain character set, which `re` skips to fast: what stands before is asked after it
_TOKEN = re.compile(rf"({_LETTER}(?<!['’][sS]\b){_LETTER}*(?:[-\u2010\u2011]{_WORD})*)")
_PLAIN_TOKEN = re.compile(r"(\w(?<!'[sS]\b)\w*(?:-\w+)*)", re.ASCII)

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
NOT_AFTER_WORK = 1 << 54
# more clinical, more places
DOSE, RHYTHM, TRAILING, SOFT, EPONYMOUS, STAGED = (1 << n for n in range(55, 61))
COUNTRY, DIRECTION, WORDY_PLACE = (1 << n for n in range(61, 64))
THING, ACRONYM, CLOSING = (1 << n for n in range(64, 67))
GREETING, NAMING, KIN, HEADER = (1 << n for n in range(67, 71))
# work: before an occupation, and as its label; ends like one who does something, in a language
WORK_LEAD, WORK_LABEL = 1 << 71, 1 << 91
AGENT = {"en": 1 << 72, "fr": 1 << 73, "de": 1 << 74}
WORK = WORK_LEAD | WORK_LABEL | AGENT["en"] | AGENT["fr"] | AGENT["de"]
# days and months, which are names too; who a document is about
CALENDAR, SUBJECT = 1 << 75, 1 << 76
# facts that single a person out: what singles out, in a language; whom, by what
SINGLES = {"en": 1 << 78, "fr": 1 << 79, "de": 1 << 80}
PEOPLE, DOING, DEED = (1 << n for n in range(81, 84))
PARENT, HAPPENING, SCALE = (1 << n for n in range(85, 88))
# staff, by any role; letters that also stand before a clinician's name, or only behind one; short
# for the person a document is about; a field's label
STAFF, LETTERS_BEFORE, LETTERS_BEHIND, CALLED = (1 << n for n in range(92, 96))
FIELD = 1 << 97
# says that a field is empty; what a layman calls diabetes
NO_VALUE, SUGAR = (1 << n for n in range(100, 102))
# stands before a word ("her", "of") and the name of somebody
BYNAME = 1 << 102

TABLES = {
    "common": {
        "function": FUNCTION, "stop": STOP, "replies": STOP, "headings": STOP, "addressed": STOP,
        "generic": GENERIC, "calendar": CALENDAR,
    },
    "names": {
        "given": GIVEN, "wordy": GIVEN | WORDY, "surnames": SURNAME, "titles": TITLE,
        "labels": LABEL, "naming": LABEL | NAMING, "kin": LABEL | KIN,
        "closings": LABEL | CLOSING, "greetings": GREETING, "headers": HEADER, "subjects": SUBJECT,
        "called": CALLED, "fields": FIELD,
        "bynames": BYNAME, "no_value": NO_VALUE,
        "particles": PARTICLE, "suffixes": SUFFIX, "things": THING,
    },
    "providers": {
        "titles": CLINICIAN, "between": BETWEEN, "letters": LETTERS,
        "letters_before": LETTERS_BEFORE, "letters_behind": LETTERS_BEHIND,
        "practices": PRACTICE, "either": EITHER, "health": HEALTH, "known": KNOWN,
        "lead": PROVIDER_LEAD, "organizations": ORGANIZATION,
        "organization_lead": ORGANIZATION_LEAD,
    },
    "staff": {
        "roles_en": ROLE | STAFF, "roles_fr": ROLE | STAFF, "roles_de": ROLE | STAFF,
        "en": STAFF, "fr": STAFF, "de": STAFF,
    },
    "places": {
        "states": STATE | PLACE, "state_codes": STATE_CODE, "places": PLACE,
        "wordy": PLACE | WORDY_PLACE, "countries": PLACE | COUNTRY, "heads": PLACE_HEAD,
        "areas": AREA, "before": BEFORE_PLACE, "directions": DIRECTION,
        "institutions": INSTITUTION,
        "lead": INSTITUTION_LEAD,
    },
    "conditions": {
        "conditions": CONDITION, "condition_heads": CONDITION_HEAD, "condition_phrases": CONDITION,
        "lay_phrases": CONDITION, "sugar": SUGAR,
        "acronyms": ACRONYM | CONDITION,
        "after": AFTER, "staged": STAGED, "eponymous": EPONYMOUS,
    },
    "treatments": {
        "treatments": TREATMENT, "treatment_heads": TREATMENT_HEAD, "drugs": TREATMENT | DRUG,
        "treatment_phrases": TREATMENT, "acronyms": ACRONYM | TREATMENT,
        "doses": DOSE, "rhythms": RHYTHM,
    },
    "clinical": {"modifiers": MODIFIER, "weak": WEAK, "soft": SOFT, "trailing": TRAILING},
    "facts": {
        "occupations": OCCUPATION, "occupation_modifiers": OCCUPATION_MODIFIER,
        "demographics": DEMOGRAPHIC, "nationalities": NATIONALITY, "indirect": INDIRECT,
        "event_heads": EVENT_HEAD, "event_lead": EVENT_LEAD, "event_phrases": EVENT,
        "not_after_work": NOT_AFTER_WORK,
    },
    "unique_facts": {
        "leads_en": SINGLES["en"], "leads_fr": SINGLES["fr"], "leads_de": SINGLES["de"],
        "people": PEOPLE, "doings": DOING, "deeds": DEED, "parents": PARENT,
        "happenings": HAPPENING, "scales": SCALE,
    },
    "work": {
        "articles": WORK_LEAD, "being": WORK_LEAD, "as": WORK_LEAD, "years": WORK_LEAD,
        "labels": WORK_LEAD | WORK_LABEL, "rare": WORK_LEAD,
    },
}  # fmt: skip

ENDINGS = (
    ("clinical", "modifier_endings", MODIFIER),
    ("treatments", "treatment_endings", TREATMENT),
    ("conditions", "condition_endings", CONDITION),
    ("unique_facts", "happening_endings", HAPPENING),
)

AGENT_ENDINGS = {
    "en": ("er", "or", "ist", "ian", "eer", "smith", "wright", "herd", "monger"),
    "fr": ("eur", "euse", "rice", "ier", "ière", "iere", "ère", "iste", "ien", "ienne"),
    "de": ("er", "erin", "ist", "istin", "eur", "eurin", "mann", "frau"),
}
_NO_AGENT = CONDITION | CONDITION_HEAD | TREATMENT | TREATMENT_HEAD | ROLE


def split(text: str) -> list[str]:
    """Return gaps and words in alternation; a gap comes first and last."""
    return (_PLAIN_TOKEN if text.isascii() else _TOKEN).split(text)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lists: marks by word; phrases (further words and mark) by first and second word; endings
    that tell a word's kind; words that only look so; words that only look like agents."""

    words: dict[str, int]
    phrases: dict[str, dict[str, list[tuple[tuple[str, ...], int]]]]
    endings: dict[str, int]
    not_clinical: frozenset[str]
    things: frozenset[str]


def entries(text: str) -> list[str]:
    """Split a list as it stands in a data file: by commas and line breaks."""
    return [entry for part in re.split(r"[,\n]", text) if (entry := part.strip())]


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def spellings(text: str) -> Iterator[str]:
    """Yield the folded entries of a list, those with umlauts also as they are typed without."""
    for entry in entries(text):
        small = unicodedata.normalize("NFC", entry.lower())
        yield from {word_key(small): 0, word_key(small.translate(_UMLAUTS)): 0}


def tables(name: str) -> dict[str, Any]:
    """Return the tables of a data file: lists, each of them one text."""
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


@cache
def lexicon() -> Lexicon:
    """Read all lists, once per process."""
    words: dict[str, int] = {}
    phrases: dict[str, dict[str, list[tuple[tuple[str, ...], int]]]] = {}
    files = {name: tables(name) for name in TABLES}
    for name, held in TABLES.items():
        for table, bits in held.items():
            for first, *rest in map(_TOKEN.findall, spellings(files[name][table])):
                if rest:
                    seconds = phrases.setdefault(first, {})
                    seconds.setdefault(rest[0], []).append((tuple(rest[1:]), bits))
                    words[first] = words.get(first, 0) | PHRASE
                else:
                    words[first] = words.get(first, 0) | bits
    for seconds in phrases.values():
        for options in seconds.values():
            options.sort(key=lambda option: (-len(option[0]), option))
    endings = {
        ending: bits
        for file, table, bits in ENDINGS
        for ending in entries(word_key(files[file][table]))
    }
    not_clinical = frozenset(entries(word_key(files["clinical"]["not_clinical"])))
    things = frozenset(entries(word_key(files["work"]["things"])))
    return Lexicon(words, phrases, endings, not_clinical, things)


def no_value(span: str) -> bool:
    """Tell whether a field's text means that it is empty: "None", "See attached", "Self"."""
    said = [MARKS[word] for word in _TOKEN.findall(span)]
    nothing = NO_VALUE | FUNCTION | STOP
    plain = all(m & nothing and not m & (GIVEN | SURNAME) for m in said)
    return plain and any(m & NO_VALUE for m in said)


T = TypeVar("T")


class WordCache(dict[str, T]):
    """What was made of words already seen: a dictionary is twice as fast to ask as a cache.

    What is too long for a word is made the same of as the empty word, anew each time; when too many
    are kept, all are dropped.
    """

    def __init__(self, make: Callable[[str], T]) -> None:
        self.make = make

    def __missing__(self, word: str) -> T:
        if len(word) >= NO_WORD:
            return self.make("")
        if len(self) >= REMEMBERED:
            self.clear()
        self[word] = made = self.make(word)
        return made


def mark(word: str) -> int:
    """Return the mark of a word as it stands in a text, 0 of an empty one."""
    if not word:
        return 0
    known = lexicon()
    key = word_key(word)
    bits = known.words.get(key, 0) or _inflected(key, known)
    if bits & ACRONYM and not word.isupper():
        bits &= ~(ACRONYM | CONDITION | TREATMENT)
    if "-" in key and not bits:
        bits = _compound(key)
    first = word[0]
    if first.isdigit():
        return bits | NUMBER
    if first.isupper():
        bits |= CAP
        if len(word) == 1 or _INITIALS.fullmatch(word):
            # "L." is an initial before it is the French article
            bits = bits & (FUNCTION & -(word in "AI") | WORK_LEAD | WORK_LABEL) | CAP | INITIAL
        elif word.isupper():
            bits |= UPPER
    else:
        bits &= ~HEADER
    if len(key) > 5 and not bits & (FUNCTION | CONDITION | TREATMENT | GIVEN | PLACE | SURNAME):
        bits |= _by_ending(key.rpartition("-")[2], known)
    if len(word) > 4 and not bits & _NO_AGENT and key not in known.things:
        for language, ends in AGENT_ENDINGS.items():
            if key.endswith(ends):
                bits |= AGENT[language]
    return bits


def _inflected(key: str, known: Lexicon) -> int:
    """Return what a listed condition or treatment is with an ending: "Magengeschwürs", "abcès"."""
    for ending in CASE_ENDINGS:
        stem = key.removesuffix(ending)
        if INFLECTED <= len(stem) < len(key):
            bits = known.words.get(stem, 0)
            if ending == "e" and (bits & TREATMENT or stem.endswith("a")):
                continue  # "heroine", "Haemophilus influenzae"
            if bits & (CONDITION | TREATMENT) and not bits & ACRONYM:
                return bits & (CONDITION | TREATMENT | DRUG)
    return 0


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
    if _LINKS & set(parts[1:-1]):
        bits |= PLACE
    return bits


MARKS = WordCache(mark)
KEYS = WordCache(word_key)
"""The mark, and the key, of each word; too long a word has neither."""
