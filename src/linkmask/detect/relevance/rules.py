"""Defines the rules of relevance by name; `by_hand.toml` has the weights set by hand.

A rule is `where:what`. `sentence:` is a trigger in the mention's sentence, `subject:` the first of
them, `nearest:` the last before the value, `before:` one among the three words before it, `after:`
the word after it; `beside:` is a type found in its sentence, `found:` the source; `document:` holds
for the whole document, `kind:` by its metadata; `value:` concerns the value itself (`values.toml`).
The rules of `sentence_subject` show whose the value is. The trigger words are in
schema/words/triggers.toml.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from linkmask.detect.candidates import Candidate
from linkmask.detect.relevance.discourse import (
    PLURAL,
    SOMEBODY,
    DocumentContext,
    Sentences,
    read_sentences,
    word_rules,
    words_for,
)
from linkmask.detect.relevance.sentence_subject import FACTS, owner_rules, subject_rule
from linkmask.schema import expression, types_of

VALUES = Path(__file__).with_name("values.toml")
DIRECT = types_of("owner", "birth")
"""Types whose mention means that one person is spoken of."""
AGES = types_of("age")
EVENT_DATES = types_of("date") - types_of("birth")
TELLING = DIRECT | AGES | EVENT_DATES | types_of("provider")
"""Types that say something of what else stands in their sentence."""
DEED = frozenset({"sentence:deed", "nearest:deed"})
"""Rules of what happens to somebody; where nobody is spoken of, nobody's."""

NOTHING = "nearest:nothing"
"""Rule of a value before which no trigger stands."""
UNSURE = 0.65
"""A find less sure than this is unsure."""
WINDOW = 80
"""Characters before a value in which the nearest trigger is looked for."""

_DIGIT = re.compile(r"\d")


def rules_by_span(
    text: str, found: Sequence[Candidate], context: DocumentContext
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the names of the rules that hold for each span of one text, sorted by start.

    First those that hold for all spans of the text, the same list each time, then its own.
    """
    sentences = (
        context.sentences
        if text == context.content
        else read_sentences(text, context.scope.language)
    )
    common = of_document(found, context)
    for own in of_mentions(text, found, context, sentences, common):
        yield common, own


def of_document(found: Sequence[Candidate], context: DocumentContext) -> list[str]:
    """Return the rules that hold for every mention of a text."""
    types = {one.type for one in found}
    common = ["always", *context.rules]
    if context.relevance != "rules":  # by hand these have no weight
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
    nearest, among = word_rules("nearest", language), word_rules("before", language, "before")
    many = words_for(PLURAL, language)
    folded_text, starts, rules = sentences.words, sentences.starts, sentences.rules
    nobody, general = "document:nobody" in common, "kind:general" in common
    places = [bisect_right(starts, one[0]) - 1 for one in found]
    beside = _beside(found, places) if context.relevance != "rules" else {}
    for one, at in zip(found, places, strict=True):
        start, end, kind, detector, rule, sure = one
        here = rules[at]
        holding = [*_of_find(kind, detector, rule, sure < UNSURE), *here]
        holding += _of_value(text[start:end], kind)
        before = folded_text[_from_word(folded_text, start - WINDOW, starts[at]) : start].split()
        holding.append(next(filter(None, map(nearest.get, reversed(before))), NOTHING))
        holding += owner_rules(before, kind, language)
        holding += {among[word] for word in before[-3:] if word in among}
        if kind in FACTS and (rule := subject_rule(before, kind, language)):
            holding.append(rule)
        if folded_text[end + 1 : folded_text.find(b" ", end + 1)] in many:
            holding.append("after:plural")
        if at in beside:
            counts = beside[at].items()
            holding += [f"beside:{other}" for other, n in counts if n > (other == kind)]
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


def _beside(found: Sequence[Candidate], places: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return how often each telling type was found in each sentence that holds any."""
    beside: dict[int, dict[str, int]] = {}
    for one, at in zip(found, places, strict=True):
        if one.type in TELLING:
            counts = beside.setdefault(at, {})
            counts[one.type] = counts.get(one.type, 0) + 1
    return beside


class _ValueRule(NamedTuple):
    """A row of `values.toml`: the rule's name, and what its values match, or must not match."""

    name: str
    matches: Callable[[str], object]
    absent: bool


@cache
def _value_rules() -> Mapping[str, Sequence[_ValueRule]]:
    """Return type → the rules about its values; the first that holds counts."""
    rules: dict[str, list[_ValueRule]] = {}
    for row in tomllib.loads(VALUES.read_text(encoding="utf-8"))["rule"]:
        pattern = row["pattern"].replace("{}", expression(row["words"]) if "words" in row else "")
        rule = _ValueRule(
            f"value:{row['id']}", re.compile(pattern).search, row.get("absent", False)
        )
        for kind in types_of(*row["of"]) - types_of(*row.get("but", ())):
            rules.setdefault(kind, []).append(rule)
    return rules


@lru_cache(maxsize=1 << 13)
def _of_value(value: str, kind: str) -> list[str]:
    """Return the rules about the value itself."""
    holding = ["value:digits"] if _DIGIT.search(value) else []
    for rule in _value_rules().get(kind, ()):
        if (rule.matches(value) is None) == rule.absent:
            holding.append(rule.name)
            break
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
    held = (name for name, holds in rules.items() if holds)
    return [f"type:{kind}", f"found:{detector}", *held]
