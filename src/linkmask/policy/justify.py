"""Justifies how a value was treated: rule, citation, a similar worked example, a sentence.

Nothing here sees a value: an example is found by the type and by what types stand beside it.
Likeness is BM25 (Robertson and Walker 1994, k1 = 1.2, b = 0.75) over the examples of the deciding
policy; an embedding model may rank instead.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from linkmask.choices import POLICY_TECHNIQUES, STRICTNESS
from linkmask.errors import ModelError
from linkmask.policy.decide import PolicyDecision

K1, B = 1.2, 0.75

Rank = Callable[[str, Sequence[str]], Sequence[float]]
"""A query and texts → how alike each is; larger is more."""

Write = Callable[[str], str]
"""Asks a model for a sentence that explains some facts, which are given as text; it may raise
`ModelError`."""

MASKED = {
    "floor": "whatever the risk (settings floor and generalize)",
    "document": "to bring a document below its limit",
    "chain": "to bring a chain of documents to its target",
    "decided": "by decision (plan --mask), or because an earlier edition masked it",
}
"""Why the plan masks what a rule keeps, by the plan's stage."""


class Example(msgspec.Struct, frozen=True):
    """A worked example: a type, what stood beside it, and how it was treated."""

    type: str
    beside: tuple[str, ...]
    text: str


class Justification(msgspec.Struct, frozen=True):
    """Why a value was treated as it was; holds no value."""

    type: str
    sensitivity: str
    policy: str
    technique: str
    citation: str
    reason: str
    example: str
    sentence: str

    def by_plan(self, stage: str) -> Justification:
        """Return the justification with what the plan did, if the rule asks for something else.

        `stage`: the plan's stage that masked the value; "" where it is readable.
        """
        if (self.technique == "keep") == (not stage):
            return self
        done = (
            f"the rule leaves it as it is, but it was masked {MASKED[stage]}"
            if stage
            else "it was left as it is, because somebody took it out of the plan; by the rule, it "
            f"would be {POLICY_TECHNIQUES[self.technique].done}"
        )
        subject = _type_and_sensitivity(self.type, self.sensitivity, self.policy, self.citation)
        return msgspec.structs.replace(self, sentence=f"{subject}: {done}. {self.reason}")

    def where(self, written: int, covered: Mapping[str, int]) -> Justification:
        """Return the justification with the places at which the mask of another value stands.

        `written`: places where the value's own mask stands; `covered`: its mentions that the mask
        of a value that overlaps it stands for, by that one's type.
        """
        if not covered:
            return self
        by = ", ".join(f"{type_in_words(each)} {n}×" for each, n in covered.items())
        if written:
            more = f"Where a masked value overlaps it, that one's mask stands for both: {by}."
            return msgspec.structs.replace(self, sentence=f"{self.sentence} {more}")
        sentence = (
            f"{_type_and_sensitivity(self.type, self.sensitivity, self.policy, self.citation)}: "
            f"wherever it stands, the mask of a value that overlaps it stands for both: {by}. "
            f"Alone, it would be {POLICY_TECHNIQUES[self.technique].done}. {self.reason}"
        )
        return msgspec.structs.replace(self, sentence=sentence)


def _type_and_sensitivity(entity_type: str, sensitivity: str, policy: str, citation: str) -> str:
    what = type_in_words(entity_type).capitalize()
    return f"{what}, of {sensitivity} sensitivity under {policy}, {citation}"


@cache
def examples(policy: str) -> tuple[Example, ...]:
    """Return the worked examples of a shipped policy; a user's own policy has none."""
    text = (Path(__file__).parent / "examples.toml").read_text(encoding="utf-8")
    return msgspec.convert(tuple(tomllib.loads(text).get(policy, ())), tuple[Example, ...])


def justify(
    decision: PolicyDecision,
    beside: Collection[str],
    rank: Rank | None = None,
    write: Write | None = None,
) -> Justification:
    """Justify how a value of the decision's type was treated, given the types of values beside it.

    A sentence that a model writes is taken only if it does not contradict the facts
    (`sentence_agrees`); otherwise the template's stands.
    """
    rule, reason = decision.rule, reason_of(decision)
    as_ruled = decision.technique == rule.technique
    example = _nearest(decision, beside, rank or bm25) if as_ruled else ""
    reads = POLICY_TECHNIQUES[decision.technique].reads
    unread = "; where that can't be told, its type is left" if reads else ""
    subject = _type_and_sensitivity(decision.type, rule.sensitivity, decision.policy, rule.citation)
    sentence = f"{subject}: it was {decision.done}{unread}. {reason}"
    if write is not None:
        facts = f"{sentence}\nExample: {example}" if example else sentence
        try:
            reworded = " ".join(write(facts).split())
        except ModelError:
            reworded = ""  # the template's sentence is true, too
        sentence = reworded if sentence_agrees(reworded, decision) else sentence
    return Justification(
        decision.type,
        rule.sensitivity,
        decision.policy,
        decision.technique,
        rule.citation,
        reason,
        example,
        sentence,
    )


def reason_of(decision: PolicyDecision) -> str:
    """Return the reason for a technique: the rule's, or why the rule's technique was not used.

    A stricter one takes its place where what it leaves would be readable beside another's mask; a
    value that stands in the text as the technique would leave it is kept.
    """
    asked = decision.rule.technique
    if decision.technique == asked:
        return decision.rule.reason
    if decision.technique == "keep":
        return f"It stands in the text as the rule would leave it ({asked})."
    return (
        f"The rule asks for {asked}, but a value that is masked elsewhere could be read in what "
        "that leaves: a stricter technique took its place."
    )


def sentence_agrees(sentence: str, decision: PolicyDecision) -> bool:
    """Tell whether a sentence is short, cites the rule, and names no other technique or number.

    Digits that are not the citation's or the technique's would be invented, or a value.
    """
    if not 20 <= len(sentence) <= 600 or decision.rule.citation not in sentence:
        return False
    rest = sentence.replace(decision.rule.citation, " ").replace(reason_of(decision), " ")
    rest = rest.casefold()
    own = f"{decision.technique} {decision.done} {reason_of(decision)}".casefold()
    others = {name.split(":")[0] for name in STRICTNESS if name != "keep"}
    named = {name for name in others if re.search(rf"\b{name}\b", rest)}
    numbers = set(re.findall(r"\d+", rest)) - set(re.findall(r"\d+", own))
    denied = re.search(
        r"\b(?:not|never|no longer)\s+(?:\w+\s+){0,2}(?:removed|replaced|cut|left)", rest
    )
    return named <= {decision.technique.split(":")[0]} and not numbers and not denied


def type_in_words(entity_type: str) -> str:
    """Return the name of a type in words: `PATIENT_ID` → `patient id`."""
    return entity_type.replace("_", " ").lower()


def _nearest(decision: PolicyDecision, beside: Collection[str], rank: Rank) -> str:
    """Return the worked example of the policy that is most like this case; the first of equals."""
    alike = [one for one in examples(decision.policy) if one.type == decision.type]
    if not alike:
        return ""
    query = " ".join(map(type_in_words, [decision.type, *sorted(set(beside) - {decision.type})]))
    texts = [" ".join([*map(type_in_words, (one.type, *one.beside)), one.text]) for one in alike]
    likeness = rank(query, texts)
    return alike[max(range(len(alike)), key=lambda n: (likeness[n], -n))].text


def bm25(query: str, texts: Sequence[str]) -> list[float]:
    """Return how alike each text is to the query by BM25 over their words."""
    bags = [Counter(re.findall(r"\w+", text.casefold())) for text in texts]
    sizes = [sum(bag.values()) for bag in bags]
    mean = sum(sizes) / max(len(sizes), 1) or 1.0
    scores = [0.0] * len(texts)
    for word in sorted(set(re.findall(r"\w+", query.casefold()))):
        holding = sum(word in bag for bag in bags)
        rarity = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
        for n, (bag, size) in enumerate(zip(bags, sizes, strict=True)):
            times = bag[word]
            scores[n] += rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * size / mean))
    return scores
