"""Randomized response over public lists: the promise holds for every pair of values."""

import math
import random

import pytest

from linkmask.records import CONTENT, Mention, Why
from linkmask.testbench.ldp import EPSILON, budgets, domain, draw, keep_probability, perturb


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_no_output_tells_two_values_apart_by_more_than_its_budget(epsilon: float) -> None:
    size = 8
    keep = keep_probability(epsilon, size)
    other = (1 - keep) / (size - 1)
    assert keep / other == pytest.approx(math.exp(epsilon))
    assert keep_probability(3, 6) == pytest.approx(0.801, abs=0.001)


def test_draws_come_as_often_as_promised() -> None:
    rng = random.Random(1)
    listed = ["a", "b", "c", "d"]
    drawn = [draw("b", listed, 1.0, rng) for _ in range(4000)]
    assert drawn.count("b") / 4000 == pytest.approx(keep_probability(1.0, 4), abs=0.03)
    assert set(drawn) == set(listed)


def test_a_value_outside_the_list_never_passes_and_lists_are_public() -> None:
    rng = random.Random(2)
    assert all(draw("Ada", domain("NAME"), 50.0, rng) in domain("NAME") for _ in range(20))
    assert domain("AGE") == domain("AGE")
    assert len(domain("NAME")) > 32


def test_budgets_add_up_and_depend_on_types_alone() -> None:
    weights = {"NAME": 0.9, "EVENT": 0.2}
    spent = budgets(["NAME", "EVENT", "EVENT"], weights)
    assert sum(spent) == pytest.approx(EPSILON)
    assert spent[0] < spent[1] == spent[2]


def test_one_value_of_a_document_is_drawn_once() -> None:
    text = "Ulm, and again Ulm."
    mentions = [
        Mention("d", CONTENT, start, start + 3, "LOCATION", "Ulm", "ulm", 1.0, Why("x"))
        for start in (0, 15)
    ]
    written, characters = perturb(text, mentions, {"LOCATION": 0.3}, random.Random(3))
    first, second = written.rstrip(".").split(", and again ")
    assert first == second != "Ulm"
    assert characters == 6
