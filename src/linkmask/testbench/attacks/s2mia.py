"""Tests whether a document is in the corpus: the answer to its first half tells the second.

The attacker holds documents, half of which the system was given. Score: BLEU of the answer against
the half that was kept back, and how likely the answer is under a model of language. Where the
paper takes GPT-2 and a network, a bigram model of texts of our own and a logistic regression
stand here, fitted on the other persons' documents: `-lite`.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np

from linkmask.records import Floats
from linkmask.testbench.attacks.base import AttackTarget, Raw, row_of
from linkmask.testbench.generate import WritingPlan, groups
from linkmask.testbench.indexes import words
from linkmask.testbench.measures import auc
from linkmask.testbench.rag import SystemQuery

QUESTION = "{half}\nAnswer concisely with the text that is most relevant to this."
FOLDS = 5
"""Number of folds of persons; each is scored by a model that is fitted on the other folds."""
SHADOW_DOCUMENTS = 300
"""Documents of our own grammars that the model of language is learned from."""
DISCOUNT = 0.75

Features = tuple[float, float]
"""BLEU, and the log of the perplexity."""


def s2mia_lite(target: AttackTarget) -> Raw:
    """Give the system half of each person's documents, and ask for the rest of every document."""
    corpus = target.corpus
    inside = members(target)
    system = target.rebuilt(inside)
    halves = [_halved(text) for text in corpus.texts]
    asked = [SystemQuery(QUESTION.format(half=first), "extract") for first, _ in halves]
    found: dict[int, Features | None] = {}
    for number, response in enumerate(system.ask(asked)):
        known = None if response.failed else features(response.text, halves[number][1])
        found[number] = known
    target.system.counted.update(system.counted)
    scores = _scored(target, found, set(inside))
    rows = []
    for person in corpus.persons:
        here = set(person.documents)
        sides = sorted(here & set(inside)), sorted(here - set(inside))
        members_, others = ([scores[d] for d in side] for side in sides)
        rows.append(row_of(person, members=members_, others=others))
    return {"persons": rows, "pooled": {"auc_bleu": _by_bleu(found, set(inside))}}


def _by_bleu(found: dict[int, Features | None], inside: set[int]) -> float | None:
    """Return the AUC of BLEU alone."""
    sides: dict[bool, list[float]] = {True: [], False: []}
    for number, known in found.items():
        if known is not None:
            sides[number in inside].append(known[0])
    return auc(sides[True], sides[False])


def members(target: AttackTarget) -> list[int]:
    """Return the documents that the system is given: half of each person's, by chance."""
    rng = random.Random(f"{target.seed}/s2mia")
    chosen = []
    for person in target.corpus.persons:
        own = list(person.documents)
        half = len(own) // 2 + (len(own) % 2 and rng.random() < 0.5)
        chosen += rng.sample(own, half)
    return sorted(chosen)


def _halved(text: str) -> tuple[str, str]:
    """Cut a text at the end of a word near its middle."""
    at = text.find(" ", len(text) // 2)
    return (text[:at], text[at:]) if at > 0 else (text, text)


def features(answer: str, rest: str) -> Features:
    """Return BLEU of an answer against what was kept back, and the log of its perplexity."""
    return bleu(words(answer), words(rest)), language().surprise(words(answer))


def bleu(answer: Sequence[str], wanted: Sequence[str], most: int = 4) -> float:
    """Return BLEU of one text against one reference, in [0, 1]; longer runs counted plus one.

    Papineni et al. 2002, smoothed as by Lin and Och 2004.
    """
    if not answer or not wanted:
        return 0.0
    total = 0.0
    for n in range(1, most + 1):
        mine, its = (_runs(tokens, n) for tokens in (answer, wanted))
        extra = int(n > 1)
        shared = sum((mine & its).values()) + extra
        if not shared:
            return 0.0
        total += math.log(shared / (sum(mine.values()) + extra))
    short = min(0.0, 1 - len(wanted) / len(answer))
    return math.exp(short + total / most)


def _runs(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


class Bigrams:
    """A model of language: bigrams with Kneser and Ney's discount (1995)."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        pairs = Counter(pair for text in texts for pair in zip(["", *text], text, strict=False))
        self._pairs = pairs
        self._first, self._fans, self._kinds = Counter[str](), Counter[str](), Counter[str]()
        for (first, second), count in pairs.items():
            self._first[first] += count
            self._fans[second] += 1
            self._kinds[first] += 1

    def probability(self, first: str, second: str) -> float:
        """Return how likely a word is after another; never 0."""
        # One more kind of word than was seen, so that an unknown one has a share too.
        base = (self._fans[second] + 1) / (len(self._pairs) + len(self._fans) + 1)
        seen = self._first[first]
        if not seen:
            return base
        kept = max(0.0, self._pairs[first, second] - DISCOUNT) / seen
        return kept + DISCOUNT * self._kinds[first] / seen * base

    def surprise(self, tokens: Sequence[str]) -> float:
        """Return the mean negative log likelihood of words: the log of the perplexity."""
        if not tokens:
            return 0.0
        logs = (
            math.log(self.probability(a, b)) for a, b in zip(["", *tokens], tokens, strict=False)
        )
        return -sum(logs) / len(tokens)


@cache
def language() -> Bigrams:
    """Return the model of our own grammars' texts; always the same."""
    made = groups(WritingPlan(documents=SHADOW_DOCUMENTS, seed=1))
    records = [record for clusters in made for record, _ in clusters.values()]
    return Bigrams([words(d["content"]) for record in records for d in record["documents"]])


def _scored(
    target: AttackTarget, found: dict[int, Features | None], inside: set[int]
) -> dict[int, float | None]:
    """Score each document by a regression learned from the documents of other persons."""
    numbers = sorted(number for number, value in found.items() if value is not None)
    table = np.array([found[number] for number in numbers], dtype=np.float64).reshape(-1, 2)
    member = np.array([number in inside for number in numbers], dtype=np.float64)
    fold = np.array([target.corpus.cluster[number] % FOLDS for number in numbers])
    scores: dict[int, float | None] = dict.fromkeys(found)
    for part in range(FOLDS):
        mine, others = fold == part, fold != part
        weights = logistic(table[others], member[others])
        # Without the constant, which only says how many of the others are members.
        values = _with_one(table[mine], table[others])[:, 1:] @ weights[1:]
        chosen = [number for number, here in zip(numbers, mine, strict=True) if here]
        scores.update(zip(chosen, np.round(values, 9).tolist(), strict=True))
    return scores


def logistic(table: Floats, member: Floats, ridge: float = 1.0, steps: int = 25) -> Floats:
    """Return the weights of a logistic regression on standardized columns, by Newton's method."""
    x = _with_one(table, table)
    weights = np.zeros(x.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (member - p) - ridge * weights
        bend = (x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(x.shape[1])
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def _with_one(table: Floats, like: Floats) -> Floats:
    """Standardize columns by those of another table, and put a column of ones before them."""
    if not len(like):
        return np.ones((len(table), table.shape[1] + 1))
    spread = like.std(axis=0)
    scaled = (table - like.mean(axis=0)) / np.where(spread == 0, 1, spread)
    return np.hstack([np.ones((len(table), 1)), scaled])
