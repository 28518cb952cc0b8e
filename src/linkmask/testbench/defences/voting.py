"""Lets documents vote on an answer, under differential privacy (the idea of DPVoteRAG).

Each of `VOTERS` voters searches its own part of the documents and answers from the best one alone.
Of each answer the first `WORDS` words that the question does not hold are votes. A word is released
if its votes and Laplace noise exceed a threshold: a stability-based histogram (Korolova et al.
2009). Another document in the place of one changes one voter's votes, 2 × `WORDS` at most, so a
query is (ε, δ)-differentially private for each document, with `EPSILON` and `DELTA`. The budgets of
queries add up, and so do those of a person's documents. What an index has learned from all
documents (how rare words are) is taken for public.

Words that few documents hold are not released, whoever asks; this is the guarantee and the cost.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from linkmask.testbench.defences.base import Defended
from linkmask.testbench.defences.builder import DefenceBuilder
from linkmask.testbench.indexes import words
from linkmask.testbench.rag import Guard, Vote

VOTERS = 30
"""Parts that the documents are divided into, by their numbers."""
WORDS = 10
"""Words of a voter's answer that count."""
EPSILON = 10.0
"""Budget of a query."""
DELTA = 1e-5
"""Probability that the guarantee of `EPSILON` does not hold."""
NOISE = 2 * WORDS / EPSILON
"""Scale of the noise: what one document can change, by the budget."""
THRESHOLD = 1 + NOISE * math.log(WORDS / (2 * DELTA))
"""Votes and noise above which a word is released; for a word of one vote this is likely by
`DELTA / WORDS`."""


def voting(builder: DefenceBuilder) -> Defended:
    """Release the words that so many documents hold that no single one matters."""

    def count_votes(query: str, answers: Sequence[Sequence[str]]) -> tuple[str, ...]:
        return released(query, answers, random.Random(f"{builder.seed}/vote/{query}"))

    return Defended(builder.corpus.texts, Guard(vote=Vote(VOTERS, count_votes)))


def released(query: str, answers: Sequence[Sequence[str]], rng: random.Random) -> tuple[str, ...]:
    """Return the words that are released of voters' answers, those of most votes first."""
    asked = set(words(query))
    votes: Counter[str] = Counter()
    for answer in answers:
        terms = dict.fromkeys(word for part in answer for word in words(part) if word not in asked)
        votes.update(islice(terms, WORDS))
    kept = [word for word in sorted(votes) if votes[word] + laplace(rng) > THRESHOLD]
    return tuple(sorted(kept, key=lambda word: -votes[word]))


def laplace(rng: random.Random) -> float:
    """Draw from the Laplace distribution of scale `NOISE`."""
    return NOISE * (rng.expovariate(1.0) - rng.expovariate(1.0))
