"""Encodes the features of a word in one integer: its shape, its ending, and the lists it is in.

The lists are in `data/`; `data/features.toml` says which features each of them sets. A word's
features are computed once and cached.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from itertools import islice
from operator import or_
from pathlib import Path
from typing import Any

from linkmask import schema
from linkmask.choices import LANGUAGES
from linkmask.detect.lexicon import listed_names
from linkmask.detect.lexicon.word_cache import WordCache
from linkmask.text.letters import word_key

DATA = Path(__file__).parent / "data"

# a word: letters and digits, joined by hyphens; apostrophes and points always stand between words,
# and so does the "'s" of a possessive
INFLECTED, CASE_ENDINGS = 6, ("en", "es", "s", "n", "e")
"""Letters a clinical word has at least before an ending of number or case, and these."""
STEM = 3
"""Letters a word has at least before an ending that tells its kind."""
LONGEST_ENDING = 18
LATIN = 8
"""Letters that a clinical word of Greek or Latin has at least where it is known by its sounds."""
_LETTERS = str.maketrans({"y": "i", "k": "c"})
_SOUNDS = (("ph", "f"), ("qu", "c"), ("ae", "e"), ("oe", "e"), ("pn", "n"), ("h", ""))
"""Letters that languages write for one sound of a word of Greek or Latin, and one of them."""
_DOUBLED = re.compile(r"([a-z])\1")
_ENDING = re.compile(r"[aeio]+s?$")

_LINKS = {"sur", "sous", "les", "lez", "en", "aux", "du", "am", "an"}  # Ivry-sur-Seine
_INITIALS = re.compile(r"[^\W\d_](?:[-‐‑][^\W\d_])+")
_LETTER = r"[\w\u0300-\u036f]"
_WORD = rf"{_LETTER}+"
# begins with a plain character set, which `re` skips to fast: what stands before is asked after it
_TOKEN = re.compile(rf"({_LETTER}(?<!['’][sS]\b){_LETTER}*(?:[-\u2010\u2011]{_WORD})*)")
_PLAIN_TOKEN = re.compile(r"(\w(?<!'[sS]\b)\w*(?:-\w+)*)", re.ASCII)

_BITS = (1 << n for n in range(128))
# shapes; words at large
CAP, UPPER, INITIAL, NUMBER = islice(_BITS, 4)
FUNCTION, STOP, GENERIC, PHRASE, CALENDAR = islice(_BITS, 5)
# names: of persons, before them, beside them
GIVEN, WORDY, SURNAME, PARTICLE, SUFFIX, THING = islice(_BITS, 6)
# a name of the gazetteer that is no everyday word; a given name of these that no text had; one that
# is said more often as a word; others
_OF_GAZETTEER = tuple(islice(_BITS, 8))
LISTED_NAME, UNMET_GIVEN, RATHER_WORD, EVERYDAY_NAME, *_COMMON = _OF_GAZETTEER
COMMON_GIVEN, USUAL_GIVEN, USUAL_SURNAME, LISTED_SURNAME = _COMMON
GAZETTEER = reduce(or_, _OF_GAZETTEER)
TITLE, LABEL, NAMING, KIN, CLOSING, HEADER, SUBJECT, CALLED = islice(_BITS, 8)
# fields: their labels, and what says that one is empty
FIELD, NO_VALUE = islice(_BITS, 2)
# providers and organizations
CLINICIAN, BETWEEN, LETTERS, LETTERS_BEFORE, LETTERS_BEHIND, ROLE, STAFF = islice(_BITS, 7)
PRACTICE, EITHER, HEALTH, KNOWN, PROVIDER_LEAD, ORGANIZATION, ORGANIZATION_LEAD = islice(_BITS, 7)
# places
PLACE, WORDY_PLACE, STATE, STATE_CODE, COUNTRY, DIRECTION, AREA = islice(_BITS, 7)
BEFORE_PLACE, PLACE_HEAD, INSTITUTION, INSTITUTION_LEAD = islice(_BITS, 4)
# clinical
CONDITION, CONDITION_HEAD, TREATMENT, TREATMENT_HEAD, DRUG, ACRONYM = islice(_BITS, 6)
MODIFIER, WEAK, DOSE, RHYTHM, TRAILING, SOFT, EPONYMOUS, STAGED = islice(_BITS, 8)
# facts: work, groups, events
OCCUPATION, OCCUPATION_MODIFIER, NOT_AFTER_WORK, WORK_LEAD, WORK_LABEL = islice(_BITS, 5)
DEMOGRAPHIC, NATIONALITY = islice(_BITS, 2)
EVENT_HEAD, EVENT_LEAD = islice(_BITS, 2)
# facts that single a person out
PEOPLE, PARENT = islice(_BITS, 2)
# what singles out, who does something by the end of the word, and groups of people, by language
SINGLES = dict(zip(LANGUAGES, _BITS, strict=False))
AGENT = dict(zip(LANGUAGES, _BITS, strict=False))
GROUPS = dict(zip(LANGUAGES, _BITS, strict=False))
WORK = reduce(or_, AGENT.values(), WORK_LEAD | WORK_LABEL)
CLINICAL = CONDITION | TREATMENT | DRUG
ILL, CURE = CONDITION | CONDITION_HEAD, TREATMENT | TREATMENT_HEAD
ILL_OR_CURE = ILL | CURE
_NO_AGENT = ILL_OR_CURE | ROLE


def features_named(names: str) -> int:
    """Return some features by their names, as tables have them: "GIVEN WORDY"."""
    held = {"SINGLES": SINGLES, "GROUPS": GROUPS}
    of = {f"{name}_{key.upper()}": bit for name, bits in held.items() for key, bit in bits.items()}
    return reduce(or_, (of.get(name) or globals()[name] for name in names.split()), 0)


def split(text: str) -> list[str]:
    """Return gaps and words in alternation; a gap comes first and last."""
    return (_PLAIN_TOKEN if text.isascii() else _TOKEN).split(text)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lists: features by word; phrases (further words and features) by first and second word;
    endings that tell a word's kind; endings of who does something; words that only look clinical;
    words that only look like agents; clinical features by `latin_stem`.
    """

    words: dict[str, int]
    phrases: dict[str, dict[str, list[tuple[tuple[str, ...], int]]]]
    endings: dict[str, int]
    agents: dict[int, tuple[str, ...]]
    not_clinical: frozenset[str]
    things: frozenset[str]
    clinical: dict[str, int]


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
    """Return the tables of a file of `data/` or `schema/words`: lists, each of them one text."""
    path = DATA / f"{name}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else dict(schema.words(name))


@cache
def word_lists(name: str) -> dict[str, frozenset[str]]:
    """Return the lists of a file of `data/`: their entries, as they stand and as keys."""
    return {of: frozenset([*entries(text), *spellings(text)]) for of, text in tables(name).items()}


@cache
def lexicon() -> Lexicon:
    """Read all lists, once per process."""
    words: dict[str, int] = {}
    phrases: dict[str, dict[str, list[tuple[tuple[str, ...], int]]]] = {}
    features = tables("features")
    endings_of = features.pop("endings")
    files = {name: tables(name) for name in features}
    for name, held in features.items():
        for table, bits in ((table, features_named(names)) for table, names in held.items()):
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
        ending: features_named(names)
        for file, held in endings_of.items()
        for table, names in held.items()
        for ending in entries(word_key(files[file][table]))
    }
    agents = {
        bit: tuple(entries(files["work"][f"agent_endings_{language}"]))
        for language, bit in AGENT.items()
    }
    not_clinical = frozenset(entries(word_key(files["clinical"]["not_clinical"])))
    things = frozenset(entries(word_key(files["work"]["things"])))
    clinical: dict[str, int] = {}
    for word, bits in words.items():
        if bits & (CONDITION | TREATMENT) and not bits & ACRONYM and (stem := latin_stem(word)):
            clinical[stem] = clinical.get(stem, 0) | bits & CLINICAL
    return Lexicon(words, phrases, endings, agents, not_clinical, things, clinical)


def latin_stem(key: str) -> str:
    """Return what the spellings of a clinical word of Greek or Latin have in common; "" if short.

    "hypothyroidism", "hipotiroidismo" and "ipotiroidismo" are written by the sounds of a language,
    and so are the nonproprietary names of drugs (WHO, INN: Latin, English, French, Spanish forms).
    """
    if len(key) < LATIN or not key.isalpha():
        return ""
    stem = _ENDING.sub("", _DOUBLED.sub(r"\1", key.translate(_LETTERS)))
    for written, sound in _SOUNDS:
        stem = stem.replace(written, sound)
    return stem


def no_value(span: str) -> bool:
    """Tell whether a field's text means that it is empty: "None", "See attached", "Self"."""
    features = [FEATURES[word] for word in _TOKEN.findall(span)]
    nothing = NO_VALUE | FUNCTION | STOP
    plain = all(m & nothing and not m & (GIVEN | SURNAME) for m in features)
    return plain and any(m & NO_VALUE for m in features)


def features_of(word: str) -> int:
    """Return the features of a word as it stands in a text, 0 of an empty one."""
    if not word:
        return 0
    tables = lexicon()
    key = word_key(word)
    bits = tables.words.get(key, 0) or _inflected(key, tables)
    if bits & ACRONYM and not word.isupper():
        bits &= ~(ACRONYM | CONDITION | TREATMENT)
    if "-" in key and not bits:
        bits = _compound(key)
    bits |= _in_gazetteer(listed_names.listed(key))
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
        bits |= _by_letters(key.rpartition("-")[2], tables)
    if len(word) > 4 and not bits & _NO_AGENT and key not in tables.things:
        for bit, ends in tables.agents.items():
            if key.endswith(ends):
                bits |= bit
    return bits


@cache
def _in_gazetteer(one: listed_names.ListedName) -> int:
    """Return what the gazetteer says of a word; a rare given name that more bear as a surname is
    mostly a town elsewhere.
    """
    given, surname = one.given, one.surname
    holds = (
        (given or surname) and not one.everyday,
        given and (not surname or given <= surname) and not (one.met or one.everyday),
        one.word and (given == listed_names.RARE or one.word == listed_names.COMMON),
        one.everyday,
        given == listed_names.COMMON,
        0 < given < listed_names.RARE,
        0 < surname < listed_names.RARE,
        surname > 0,
    )
    return sum(bit for bit, has_bit in zip(_OF_GAZETTEER, holds, strict=True) if has_bit)


def _inflected(key: str, tables: Lexicon) -> int:
    """Return what a listed condition or treatment is with an ending: "Magengeschwürs", "abcès"."""
    if not key.endswith(CASE_ENDINGS):
        return 0
    for ending in CASE_ENDINGS:
        stem = key.removesuffix(ending)
        if INFLECTED <= len(stem) < len(key):
            bits = tables.words.get(stem, 0)
            if ending == "e" and (bits & TREATMENT or stem.endswith("a")):
                continue  # "heroine", "Haemophilus influenzae"
            if bits & (CONDITION | TREATMENT) and not bits & ACRONYM:
                return bits & (CONDITION | TREATMENT | DRUG)
    return 0


def _by_letters(key: str, tables: Lexicon) -> int:
    """Return what a word's last letters say ("-itis", "-ectomy"), or its `latin_stem`.

    The longest ending decides.
    """
    if key in tables.not_clinical:
        return 0
    for n in range(min(len(key) - STEM, LONGEST_ENDING), 2, -1):
        if bits := tables.endings.get(key[-n:]):
            return bits
    return tables.clinical.get(latin_stem(key), 0)


def _compound(key: str) -> int:
    """Return what a hyphenated word is by its parts: "Anna-Maria", "post-surgery"."""
    words = lexicon().words
    parts = key.split("-")
    last = words.get(parts[-1], 0)
    bits = last & (ILL_OR_CURE | DRUG | OCCUPATION)
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


FEATURES = WordCache(features_of)
KEYS = WordCache(word_key)
"""The features, and the key, of each word; too long a word has neither."""
