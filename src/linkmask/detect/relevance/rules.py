"""Defines the rules of relevance by name; `by_hand.toml` has the weights set by hand.

A rule is `where:what`. `sentence:` is a cue in the mention's sentence, `subject:` the first of
them, `nearest:` the last before the value, `before:` one among the three words before it, `after:`
the word after it; `beside:` is a type found in its sentence, `found:` the source; `document:` and
`text:` hold for the whole document, `kind:` by its metadata; `value:` concerns the value itself.
The rules of `sentence_subject` show whose the value is. The cue words are
in schema/words/cues.toml.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from linkmask.detect.candidates import Candidate
from linkmask.detect.relevance.discourse import (
    SOMEBODY,
    DocumentContext,
    Names,
    Sentences,
    read_sentences,
    trigger_words,
)
from linkmask.detect.relevance.sentence_subject import FACTS, SubjectTracker, owner_rules
from linkmask.schema import expression, forms, types_of

DIRECT = types_of("owner", "birth")
"""Types whose mention means that one person is spoken of."""
AGES = types_of("age")
EVENT_DATES = types_of("date") - types_of("birth")
TELLING = DIRECT | AGES | EVENT_DATES | types_of("provider")
"""Types that say something of what else stands in their sentence."""
DEED = frozenset({"sentence:deed", "nearest:deed"})
"""Rules of what happens to somebody; where nobody is spoken of, nobody's."""

UNSURE = 0.65
"""A find less sure than this is unsure."""
WINDOW = 80
"""Characters before a value in which the nearest cue is looked for."""

_DIGIT = re.compile(r"\d")
_RANGE = re.compile(r"\d\s?(?:-|–|to|and|à|bis)\s?\d|\+|\b(?:over|under|above)\b", re.IGNORECASE)
_MANY = re.compile(
    expression("rules_many"),
    re.IGNORECASE,
)
"""A hundred and more people."""
_OPEN = tuple(
    said.encode()
    for said in (
        *("takes place", "take place", "will be held", "is held", "are held", "open to all"),
        *("aura lieu", "auront lieu", "a lieu", "ont lieu", "se tiendra", "se tiendront"),
    )
)
_PLACE = (b" place", b" held", b" lieu", b" se t", b"open to", b"find")
"""What all of them hold."""
_FINDS, _STATT = (b"findet ", b"finden "), b" statt"
_DAY = re.compile(r"\d{1,2}[/.-]\d{1,2}|\b\d{1,2}(?:st|nd|rd|th|er|\.)?\b")
_YEAR = re.compile(r"\d{4}")
_LASTS = re.compile(expression("rules_lasts"))
_CLINICIAN = re.compile(r"(?:Dr|Pr|Prof|Docteur|Professeure?|Doktor)\b", re.IGNORECASE)
_FREE = re.compile(
    r"\W{0,3}(?:(?:\+|00)?1\W{1,2})?(?:8(?:00|33|44|55|66|77|88)\b|0\W?80\d|0\W?500\b)"
)
"""How a number begins that costs its caller nothing: a firm's."""
_BOX = re.compile(
    r"(?:P\.? ?O\.?|Post Office) ?Box|\bB\.?P\.? \d|Postfach|\bCase postale", re.IGNORECASE
)
_OFFICE = re.compile(
    r"info|support|claims|help|contact|benefits|office|service|appeals", re.IGNORECASE
)


def rules_by_span(
    text: str, found: Sequence[Candidate], context: DocumentContext
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the names of the rules that hold for each span of one text, sorted by start.

    First those that hold for all spans of the text, the same list each time, then its own.
    """
    common, each = common_and_own_rules(text, found, context)
    for own in each:
        yield common, own


def common_and_own_rules(
    text: str, found: Sequence[Candidate], context: DocumentContext
) -> tuple[list[str], Iterator[list[str]]]:
    """Return the rules that hold for all spans of one text, sorted by start, and each one's own."""
    sentences = (
        context.sentences
        if text == context.content
        else read_sentences(text, context.scope.language)
    )
    common = of_document(found, context, sentences)
    return common, of_mentions(text, found, context, sentences, common)


def of_document(
    found: Sequence[Candidate], context: DocumentContext, sentences: Sentences
) -> list[str]:
    """Return the rules that hold for every mention of a text."""
    types = {one.type for one in found}
    common = ["always", *context.rules]
    if context.relevance != "rules":  # by hand these have no weight
        common += sentences.shares()
        common += [f"document:{one}" for one in sorted(types & (DIRECT | AGES))]
    if not DIRECT.isdisjoint(types):
        common = [rule for rule in common if rule != "document:nobody"] + ["document:direct"]
    return common


def of_mentions(
    text: str,
    found: Sequence[Candidate],
    context: DocumentContext,
    sentences: Sentences,
    common: Sequence[str],
) -> Iterator[list[str]]:
    """Yield, for each span of one text, sorted by start, the other rules that hold for it."""
    language = context.scope.language
    silent, nearest, cue_before, none_before, many = _triggers(language)
    subject = SubjectTracker(sentences, language)
    folded_text, starts, rules = sentences.words, sentences.starts, sentences.rules
    nobody, general = "document:nobody" in common, "kind:general" in common
    places = [bisect_right(starts, one[0]) - 1 for one in found]
    beside = _beside(found, places) if context.relevance != "rules" else {}
    takes_place: dict[int, bool] = {}  # a sentence may hold all dates of a text
    for one, at in zip(found, places, strict=True):
        start, end, kind, detector, rule, sure = one
        here = rules[at]
        holding = [*_of_find(kind, detector, rule, sure < UNSURE), *here]
        holding += _of_value(text[start:end], kind)
        before = folded_text[_from_word(folded_text, start - WINDOW, starts[at]) : start].split()
        if silent(before):
            holding.append(NOTHING)
        else:
            holding.append(next(filter(None, map(nearest.get, reversed(before))), NOTHING))
            holding += owner_rules(before, kind, language)
            if not none_before(last := before[-3:]):
                holding += {cue_before[word] for word in last if word in cue_before}
        if kind in FACTS and (rule := subject.rule(one, at, before)):
            holding.append(rule)
        if folded_text[end + 1 : folded_text.find(b" ", end + 1)] in many:
            holding.append("after:plural")
        if kind in EVENT_DATES and SOMEBODY.isdisjoint(here):
            if at not in takes_place:
                until = starts[at + 1] if at + 1 < len(starts) else len(folded_text)
                sentence = folded_text[starts[at] : until]
                takes_place[at] = _open(sentence, folded_text[until : until + WINDOW])
            if takes_place[at]:
                holding.append("sentence:open")
        if at in beside:
            holding += [BESIDE[other] for other, n in beside[at].items() if n > (other == kind)]
        if nobody or (general and "subject:rule" in here and SOMEBODY.isdisjoint(here)):
            holding = [rule for rule in holding if rule not in DEED]
        yield holding


def _from_word(folded_text: bytes, begin: int, first: int) -> int:
    """Return where the first whole word behind `begin` starts, or the sentence: `first`.

    "member" is not heard in "remember" cut in two.
    """
    if begin <= first:
        return first
    return (
        begin
        if folded_text[begin - 1 : begin] == b" "
        else max(folded_text.find(b" ", begin), begin)
    )


class _Triggers(NamedTuple):
    """The words of a language that are listened for around a value."""

    silent: Callable[[Iterable[bytes]], bool]
    """Tells that none of some words before a value is in any list."""
    nearest: Mapping[bytes, str]
    """Word → rule, if it is the last cue before the value."""
    before: Mapping[bytes, str]
    """Word → rule, among the three words before it."""
    none_before: Callable[[Iterable[bytes]], bool]
    many: frozenset[bytes]
    """Words for many people or their papers."""


@cache
def _triggers(language: str) -> _Triggers:
    cues, before = trigger_words(language), trigger_words(language, "before")
    return _Triggers(
        frozenset({*cues, *before, *trigger_words(language, "whose")}).isdisjoint,
        {word: NEAREST[cue] for word, cue in cues.items()},
        {word: BEFORE[cue] for word, cue in before.items()},
        frozenset(before).isdisjoint,
        frozenset(word for word, cue in cues.items() if cue == "plural"),
    )


def _beside(found: Sequence[Candidate], places: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return how often each telling type was found in each sentence that holds any."""
    beside: dict[int, dict[str, int]] = {}
    for one, at in zip(found, places, strict=True):
        if one.type in TELLING:
            counts = beside.setdefault(at, {})
            counts[one.type] = counts.get(one.type, 0) + 1
    return beside


def _open(sentence: bytes, behind: bytes) -> bool:
    """Does a sentence say that something takes place: "findet am 4. | Mai in Aue statt"?"""
    if not any(map(sentence.__contains__, _PLACE)):
        return False
    if any(map(sentence.__contains__, _OPEN)):
        return True
    finds = any(map(sentence.__contains__, _FINDS))
    return finds and (_STATT in sentence or _STATT in behind)


def _lasts(value: str) -> bool:
    """Is a value a time that lasts ("32-day", "six weeks", "drei Jahren") and names no year?"""
    line = value.partition("\n")[0]
    return not _YEAR.search(line) and _LASTS.search(line) is not None


def _of_date(value: str) -> str:
    """Return the rule about a date, if one holds."""
    if _lasts(value):
        return "value:duration"
    return "" if _DAY.search(value) else "value:no-day"


_OF_FORM: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "age": ("value:range", _RANGE.search),
    "phone": ("value:toll-free", _FREE.match),
    "address": ("value:box", _BOX.search),
    "email": ("value:office", _OFFICE.match),
    "provider": ("value:clinician", _CLINICIAN.match),
}
"""Form of a type's values → a rule about them, and what decides whether it holds."""


@lru_cache(maxsize=1 << 13)
def _of_value(value: str, kind: str) -> list[str]:
    """Return the rules about the value itself."""
    holding = ["value:digits"] if (digits := _DIGIT.search(value)) else []
    if (form := forms().get(kind, "")) in _OF_FORM:
        rule, holds = _OF_FORM[form]
        if holds(value):
            holding.append(rule)
    elif kind in EVENT_DATES:
        if rule := _of_date(value):
            holding.append(rule)
    elif digits and kind in types_of("trait") and _MANY.search(value):
        holding.append("value:many")
    if value.count(" ") > 1:
        holding.append("value:phrase")
    return holding


@lru_cache(maxsize=1 << 12)
def _of_find(kind: str, detector: str, rule: str, unsure: bool) -> list[str]:
    """Return the rules about the type of a find and about what found it, and how surely."""
    rules = {
        "value:everyday": rule.startswith("everyday"),
        "value:said": rule.endswith(", said"),
        "value:unsure": unsure,
    }
    return [TYPE[kind], FOUND[detector], *(name for name, holds in rules.items() if holds)]


TYPE, FOUND, NEAREST, BEFORE, BESIDE = map(Names, ("type", "found", "nearest", "before", "beside"))
NOTHING = NEAREST["nothing"]
