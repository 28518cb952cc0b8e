"""How much a value, in its document, helps to identify the person the document is about.

A policy's effective date is not the patient's date. Each mention collects rules: its type, what its
document and its sentence speak of (one person, or people and rules in general), what stands right
before it, how specific it is. The rules' weights add up to a logit and relevance is its logistic
function, so a score is explained by naming its rules (`explain`). `WEIGHTS` is the whole table; the
words behind the cues are in schema/words/cues.toml.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from linkmask.detect.fold import lower, plain
from linkmask.detect.found import Found, Scope
from linkmask.records import Document
from linkmask.schema import words

WEIGHTS: Mapping[str, float] = {
    "always": 1.5,
    # what can be about one person only, whatever stands around it
    "type:NAME": 3.8,
    "type:PATIENT_ID": 3.8,
    "type:ADDRESS": 3.8,
    "type:NATIONAL_ID": 3.8,
    "type:CREDIT_CARD": 3.8,
    "type:IBAN": 3.8,
    "type:BIRTHDATE": 3.0,
    "type:PHONE_NUMBER": 2.2,
    "type:EMAIL": 2.2,
    "type:NON_PERSONAL_ID": 0.8,
    "type:PROVIDER": -0.8,
    "type:ORGANIZATION": -1.5,
    # what the document is: a claim form, a news article, or, where no field says so, a text that
    # speaks of rules and figures alone; whether it names or numbers anybody
    "kind:personal": 0.9,
    "kind:general": -1.8,
    "document:direct": 1.0,
    "document:nobody": -1.2,
    # what the sentence speaks of, what it begins with, what was last said before the value
    "sentence:aged": 2.4,
    "sentence:singular": 1.5,
    "sentence:deed": 0.6,
    "sentence:plural": -0.6,
    "subject:rule": -2.2,
    "nearest:singular": 1.5,
    "nearest:deed": 1.2,
    # the three words before the value
    "before:effective": -2.4,
    "before:many": -1.2,
    "before:code": -0.9,
    "before:contact": -1.5,
    "before:notice": -1.8,
    # how specific the value is
    "value:digits": 1.2,
    "value:phrase": 1.2,
    "value:range": -2.1,
    "value:no-day": -2.7,
    "value:office": -1.5,
    "value:unsure": -0.9,
    "value:said": 0.9,
    "value:everyday": -1.5,
}
"""Rule → weight in the logit: 0 adds nothing, ±1 moves an even chance to about 3 in 4."""

DIRECT = frozenset({"NAME", "PATIENT_ID", "NATIONAL_ID", "BIRTHDATE"})
"""Types whose mention means that one person is spoken of."""

KIND_KEYS = ("format", "kind", "type", "category", "document_type")
"""Metadata keys whose values tell what kind of document it is."""

SOMEBODY = frozenset({"sentence:singular", "sentence:aged"})
"""Rules that hold where one person is spoken of."""
IMPERSONAL = frozenset({"sentence:plural", "sentence:rule", "sentence:study"})
"""Rules that hold where people, rules or figures are spoken of."""
DEED = frozenset({"sentence:deed", "nearest:deed"})
"""Rules of what happens to somebody; where nobody is spoken of, nobody's."""

WINDOW = 80
"""Characters before a value in which the nearest cue is looked for."""

_STOP = re.compile(
    r"[.!?\n](?:(?<=\n)\s*|(?<!\n)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)"
    r"(?<!\bNo\.)(?<!\bbzw\.)(?<!\b[A-Za-z]\.)['\")\]»”]{0,2}\s+)"
)
"""Where a sentence ends; not after a title or a single letter. `re` skips fast to a plain set."""
_AGED = re.compile(r"[0-9][ -]?(?:year-old|yo\b|y/o|ans\b|jährig)")
_RANGE = re.compile(r"\d\s?(?:-|–|to|and|à|bis)\s?\d|\+|\b(?:over|under|above)\b", re.IGNORECASE)
_DAY = re.compile(r"\d{1,2}[/.-]\d{1,2}|\b\d{1,2}(?:st|nd|rd|th|er|\.)?\b")
_OFFICE = re.compile(
    r"info|support|claims|help|contact|benefits|office|service|appeals", re.IGNORECASE
)


# ── what a text speaks of ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Talk:
    """The sentences of one text: where each begins and which rules its words make hold."""

    words: bytes
    """The text as `fold.plain` has it."""
    starts: Sequence[int]
    rules: list[set[str]]

    def at(self, offset: int) -> int:
        """Return the number of the sentence that holds an offset."""
        return bisect_right(self.starts, offset) - 1


@dataclass(frozen=True, slots=True)
class About:
    """What the document as a whole says: its language, rules that hold for all its mentions."""

    scope: Scope
    rules: tuple[str, ...]
    content: str
    talk: Talk


@cache
def cue_words(language: str, table: str = "") -> Mapping[bytes, str]:
    """Return word → cue for a language (English where there is no list), or one of its tables."""
    tables = words("cues")
    lists = tables.get(language, tables["en"])
    lists = lists[table] if table else lists
    return {
        plain(word): cue
        for cue, listed in lists.items()
        if isinstance(listed, str)
        for word in listed.split()
    }


@cache
def _sentence_rules(language: str) -> Mapping[bytes, str]:
    return {word: f"sentence:{cue}" for word, cue in cue_words(language).items()}


def listen(text: str, language: str) -> Talk:
    """Split a text into sentences and note the cues in each, in linear time."""
    rule_of = _sentence_rules(language)
    said = plain(text)
    starts = [0, *(stop.end() for stop in _STOP.finditer(text))]
    talk = Talk(said, starts, [])
    for start, end in pairwise([*starts, len(text)]):
        heard = list(filter(None, map(rule_of.get, said[start:end].split())))
        talk.rules.append(set(heard))
        if heard:
            talk.rules[-1].add(heard[0].replace("sentence", "subject"))
    for match in _AGED.finditer(lower(text)):
        talk.rules[talk.at(match.start())].add("sentence:aged")
    return talk


def about(document: Document, scope: Scope) -> About:
    """Return what the document as a whole says: its sentences, and what kind of document it is."""
    given = (document.metadata.get(key) for key in KIND_KEYS)
    said = {kind for value in given if isinstance(value, str) for kind in _kinds(value)}
    rules = sorted(f"kind:{kind}" for kind in said)
    talk = listen(document.content, scope.language)
    if not rules and speaks_of_nobody(talk) and not _subjects(document.metadata, scope.language):
        rules.append("document:nobody")
    return About(scope, tuple(rules), document.content, talk)


def _kinds(value: str) -> set[str]:
    kinds = cue_words("kinds")
    return {kinds[word] for word in _parts(value) if word in kinds}


def _parts(value: str) -> list[bytes]:
    return plain(value).replace(b"_", b" ").split()


def speaks_of_nobody(talk: Talk) -> bool:
    """Tell whether most sentences speak of people, rules or figures and none of one person."""
    if any(rules & SOMEBODY for rules in talk.rules):
        return False
    impersonal = sum(bool(rules & IMPERSONAL) for rules in talk.rules)
    return 2 * impersonal >= max(len(talk.rules), 2)


def _subjects(metadata: Mapping[str, object], language: str) -> bool:
    """Tell whether a field is about one person: "patient", "claimant"."""
    cue_of = cue_words(language)
    return any(cue_of.get(word) == "singular" for key in metadata for word in _parts(str(key)))


# ── what holds for a mention ────────────────────────────────────────────────────────────────────


def score(text: str, found: Sequence[Found], person: About) -> list[float]:
    """Return a relevance in [0, 1] for each span of one text, sorted by start."""
    return [_logistic(map(WEIGHTS.__getitem__, held)) for held in rules(text, found, person)]


def explain(text: str, found: Sequence[Found], person: About) -> list[dict[str, float]]:
    """Return, for each span, the rules that hold and their weights, the strongest first.

    Their sum is the logit of the score.
    """
    return [
        {rule: WEIGHTS[rule] for rule in sorted(held, key=lambda r: (-abs(WEIGHTS[r]), r))}
        for held in rules(text, found, person)
    ]


def _logistic(weights: Iterable[float]) -> float:
    # fsum is exact: the order in which rules were collected can't change the last digit.
    return round(1.0 / (1.0 + math.exp(-math.fsum(weights))), 3)


def rules(text: str, found: Sequence[Found], person: About) -> Iterator[list[str]]:
    """Yield, for each span of one text, the names of the rules of `WEIGHTS` that hold."""
    if not found:
        return
    talk = person.talk if text == person.content else listen(text, person.scope.language)
    cue_of = cue_words(person.scope.language)
    cue_before = cue_words(person.scope.language, "before")
    common = ["always", *person.rules]
    if any(one.type in DIRECT for one in found):
        common = [rule for rule in common if rule != "document:nobody"] + ["document:direct"]
    nobody, general = "document:nobody" in common, "kind:general" in common
    for one in found:
        at = talk.at(one.start)
        here = talk.rules[at]
        before = talk.words[max(one.start - WINDOW, talk.starts[at]) : one.start].split()
        held = [*common, f"type:{one.type}", *here, *_own(text[one.start : one.end], one)]
        if nearest := next(filter(None, map(cue_of.get, reversed(before))), None):
            held.append(f"nearest:{nearest}")
        held += {f"before:{cue_before[word]}" for word in before[-3:] if word in cue_before}
        clause = general and "subject:rule" in here and SOMEBODY.isdisjoint(here)
        drop = DEED if nobody or clause else ()
        yield [rule for rule in held if rule in WEIGHTS and rule not in drop]


def _own(value: str, one: Found) -> Iterator[str]:
    """Yield the rules about the value itself."""
    if one.type == "AGE" and _RANGE.search(value):
        yield "value:range"
    if one.type == "EVENT_DATE" and not _DAY.search(value):
        yield "value:no-day"
    if one.type == "EMAIL" and _OFFICE.match(value):
        yield "value:office"
    if value.count(" ") > 1:
        yield "value:phrase"
    if any(map(str.isdigit, value)):
        yield "value:digits"
    if one.score < 0.65:
        yield "value:unsure"
    if one.rule.startswith("everyday"):
        yield "value:everyday"
    if one.rule.endswith(", said"):
        yield "value:said"
