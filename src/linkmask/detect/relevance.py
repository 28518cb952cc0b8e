"""How much a value, in its document, helps to identify the person the document is about.

A policy's effective date is not the patient's date. Each mention collects rules: its type, what its
sentence and its document speak of (one person, or people, rules and figures in general), what
stands next to it, how specific it is. The rules' weights add up to a logit, and relevance is its
logistic function, so a score is explained by naming its rules (`explain`). `WEIGHTS` is the whole
table; the words behind the cues are in schema/words/cues.toml.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from linkmask.detect.fold import lower
from linkmask.detect.found import Found
from linkmask.records import Document
from linkmask.schema import words

WEIGHTS: Mapping[str, float] = {
    "type:NAME": 3.0,
    "type:PATIENT_ID": 3.0,
    "type:ADDRESS": 3.0,
    "type:NATIONAL_ID": 3.0,
    "type:CREDIT_CARD": 3.0,
    "type:IBAN": 3.0,
    "type:BIRTHDATE": 3.0,
    "type:PHONE_NUMBER": 2.0,
    "type:EMAIL": 2.0,
    "document:direct": 0.7,
    "document:personal": 0.5,
    "document:general": -0.7,
    "sentence:direct": 1.5,
    "sentence:singular": 0.8,
    "sentence:deed": 0.7,
    "sentence:aged": 0.8,
    "sentence:plural": -0.8,
    "sentence:rule": -0.8,
    "sentence:study": -0.6,
    "sentence:share": -0.6,
    "previous:personal": 0.5,
    "before:effective": -0.8,
    "before:code": -0.8,
    "before:many": -1.0,
    "before:contact": -1.0,
    "value:range": -1.5,
    "value:no-day": -0.8,
    "value:office": -1.0,
}

DIRECT = frozenset({"NAME", "PATIENT_ID", "NATIONAL_ID", "BIRTHDATE"})
"""Types whose mention means that one person is spoken of."""

PERSONAL = frozenset({"singular", "deed"})
GENERAL = frozenset({"plural", "rule", "study"})

_WORD = re.compile(r"\w+")
_STOP = re.compile(
    r"[.!?](?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)(?<!\bNo\.)(?<!\bbzw\.)"
    r"(?<!\b[A-Za-z]\.)['\")\]»”]{0,2}\s+|\n\s*"
)
"""Where a sentence ends; not after a title or a single letter."""

# ── what a text speaks of ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Talk:
    """Sentences of one text: where each begins, and the cues in it."""

    starts: Sequence[int]
    cues: Sequence[set[str]]

    def at(self, offset: int) -> int:
        """Return the number of the sentence that holds an offset."""
        return bisect_right(self.starts, offset) - 1


@dataclass(frozen=True, slots=True)
class About:
    """What the document as a whole says: its language, and rules that hold for all its mentions."""

    language: str
    rules: tuple[str, ...]
    content: str
    talk: Talk


@cache
def cue_words(language: str, table: str = "") -> Mapping[str, str]:
    """Return word → cue for a language (English where there is no list), or one of its tables."""
    tables = words("cues")
    lists = tables.get(language, tables["en"])
    lists = lists[table] if table else lists
    return {
        word: cue
        for cue, listed in lists.items()
        if isinstance(listed, str)
        for word in listed.split()
    }


def listen(text: str, language: str) -> Talk:
    """Split a text into sentences and note the cues in each, in linear time."""
    cue_of = cue_words(language)
    known = cue_of.keys()
    folded = lower(text)
    starts = [0, *(stop.end() for stop in _STOP.finditer(text))]
    cues = []
    for start, end in pairwise([*starts, len(text)]):
        cues.append({cue_of[word] for word in known & _WORD.findall(folded, start, end)})
    talk = Talk(starts, cues)
    for rule, pattern in FIGURES.items():
        for match in pattern.finditer(folded):
            cues[talk.at(match.start())].add(rule)
    return talk


def about(document: Document, language: str = "en") -> About:
    """Return what the document as a whole says about whether it is about one person."""
    talk = listen(document.content, language)
    general = sum(bool(cue & GENERAL) and not cue & PERSONAL for cue in talk.cues)
    personal = sum(bool(cue & PERSONAL) for cue in talk.cues)
    rules = []
    if kind := document.metadata.get("format"):
        rules.append(f"kind:{kind}")
    if personal > general:
        rules.append("document:personal")
    if 2 * general > len(talk.cues):
        rules.append("document:general")
    return About(language, tuple(rules), document.content, talk)


# ── what holds for a mention ────────────────────────────────────────────────────────────────────

FIGURES: Mapping[str, re.Pattern[str]] = {
    "share": re.compile(r"\d ?%|\d (?:of|sur|von) \d"),
    "aged": re.compile(r"\d[ -]?(?:year-old|yo\b|y/o|ans\b|jährig)"),
}
"""Cues of a sentence that are no words, in the folded text."""

_RANGE = re.compile(r"\d\s?(?:-|–|to|and|à|bis)\s?\d|\+|\b(?:over|under|above)\b", re.IGNORECASE)
_DAY = re.compile(r"\d{1,2}[/.-]\d{1,2}|\b\d{1,2}(?:st|nd|rd|th|er|\.)?\b")
_OFFICE = re.compile(
    r"info|support|claims|help|contact|benefits|office|service|appeals", re.IGNORECASE
)


def score(text: str, found: Sequence[Found], person: About) -> list[float]:
    """Return a relevance in [0, 1] for each span of one text, sorted by start."""
    return [_relevance(rules) for rules in collect(text, found, person)]


def explain(text: str, found: Sequence[Found], person: About) -> list[dict[str, float]]:
    """Return, for each span, the rules that held and their weights: their sum is the logit."""
    return [
        {rule: WEIGHTS.get(rule, 0.0) for rule in rules} for rules in collect(text, found, person)
    ]


def _relevance(rules: Sequence[str]) -> float:
    logit = sum(WEIGHTS.get(rule, 0.0) for rule in rules)
    return round(1.0 / (1.0 + math.exp(-logit)), 3)


def collect(text: str, found: Sequence[Found], person: About) -> Iterator[tuple[str, ...]]:
    """Yield the names of the rules that hold for each span."""
    talk = person.talk if text == person.content else listen(text, person.language)
    cues_before = cue_words(person.language, "before")
    where = [talk.at(one.start) for one in found]
    direct: dict[int, int] = {}
    for one, sentence in zip(found, where, strict=True):
        direct[sentence] = direct.get(sentence, 0) + (one.type in DIRECT)
    everywhere = (*person.rules, "document:direct") if any(direct.values()) else person.rules
    for one, sentence in zip(found, where, strict=True):
        cues = talk.cues[sentence]
        rules = [f"type:{one.type}", *everywhere, *(f"sentence:{cue}" for cue in sorted(cues))]
        if direct[sentence] > (one.type in DIRECT):
            rules.append("sentence:direct")
        if sentence and _personal(sentence - 1, talk, direct):
            rules.append("previous:personal")
        before = _WORD.findall(lower(text[max(one.start - 40, 0) : one.start]))[-3:]
        rules += sorted({f"before:{cues_before[word]}" for word in before if word in cues_before})
        rules += _own(text[one.start : one.end], one)
        yield tuple(rules)


def _personal(sentence: int, talk: Talk, direct: Mapping[int, int]) -> bool:
    cues = talk.cues[sentence]
    return direct.get(sentence, 0) > 0 or (bool(cues & PERSONAL) and not cues & GENERAL)


def _own(value: str, one: Found) -> Iterator[str]:
    """Yield the rules about the value itself."""
    if one.type == "AGE" and _RANGE.search(value):
        yield "value:range"
    if one.type == "EVENT_DATE" and not _DAY.search(value):
        yield "value:no-day"
    if one.type == "EMAIL" and _OFFICE.match(value):
        yield "value:office"
    yield ("value:one-word", "value:two-words", "value:phrase")[min(value.count(" "), 2)]
    if value[:1].isupper():
        yield "value:capital"
    if any(map(str.isdigit, value)):
        yield "value:digits"
    if one.score < 0.6:
        yield "value:unsure"
