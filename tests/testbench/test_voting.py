"""Documents vote on an answer: what few of them say is not released, and as likely as promised."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

from linkmask.records import Floats, Ints
from linkmask.testbench.defences.voting import (
    DELTA,
    EPSILON,
    NOISE,
    THRESHOLD,
    VOTERS,
    WORDS,
    released,
)
from linkmask.testbench.generators import parrot
from linkmask.testbench.indexes import Bm25
from linkmask.testbench.rag import Guard, System, SystemQuery, Vote


def answers(holders: int) -> list[tuple[str]]:
    """Of all voters so many say "heron", and each says a word of its own."""
    return [(f"own{n}" + (" heron" if n < holders else ""),) for n in range(VOTERS)]


def release_probability(votes: int) -> float:
    """How likely a word with so many votes is released: the tail of Laplace's distribution."""
    above = (THRESHOLD - votes) / NOISE
    return math.exp(-above) / 2 if above >= 0 else 1 - math.exp(above) / 2


@pytest.mark.parametrize("holders", [24, 27, 30])
def test_a_word_is_released_as_often_as_its_votes_promise(holders: int) -> None:
    rng = random.Random(holders)
    found = sum("heron" in released("", answers(holders), rng) for _ in range(3000)) / 3000
    assert found == pytest.approx(release_probability(holders), abs=0.03)


def test_one_documents_word_comes_out_less_often_than_the_promise_allows() -> None:
    assert release_probability(1) == pytest.approx(DELTA / WORDS)
    rng = random.Random(0)
    assert not any(released("", answers(1), rng) for _ in range(200))


def test_one_document_shifts_a_words_chances_by_no_more_than_its_budget() -> None:
    """A voter gives up to `WORDS` votes, and takes as many away where another text answers."""
    for votes in range(1, VOTERS):
        ratio = release_probability(votes + 1) / release_probability(votes)
        assert ratio <= np.exp(EPSILON / (2 * WORDS)) + 1e-9


def test_words_of_the_question_and_beyond_the_first_ones_are_no_votes() -> None:
    said = [("heron " + " ".join(f"w{n}" for n in range(WORDS)) + " late",)] * 1000
    found = released("heron?", said, random.Random(1))
    assert set(found) == {f"w{n}" for n in range(WORDS)}


def test_each_voter_reads_the_best_document_of_its_own_part_alone() -> None:
    texts = [f"heron {n}" + (" lake" if n in (1, 4) else "") for n in range(6)]
    heard: list[Sequence[Sequence[str]]] = []

    def count_votes(query: str, answers: Sequence[Sequence[str]]) -> tuple[str, ...]:
        heard.append(answers)
        return ("yes",)

    system = System(texts, Bm25(texts), parrot, guard=Guard(vote=Vote(3, count_votes)))
    response = system.ask([SystemQuery("heron lake")])[0]
    assert response.parts == ("yes",)
    assert [len(one) for one in heard[0]] == [1, 1, 1]
    assert {d % 3 for d in response.retrieved} == {0, 1, 2}
    assert response.retrieved[1] in (1, 4)


def test_a_text_that_does_not_match_has_no_vote() -> None:
    class Nothing:
        least = 0.0

        def scores(self, query: str) -> Floats:
            return np.zeros(2)

        def search(self, query: str, count: int) -> tuple[Ints, Floats]:
            raise AssertionError("voters search their own parts")

    vote = Vote(2, lambda query, answers: tuple(str(len(answers))))
    system = System(["a", "b"], Nothing(), parrot, guard=Guard(vote=vote))
    assert system.ask([SystemQuery("c")])[0].parts == ("0",)
