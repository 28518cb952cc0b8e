"""Explanations: the numbers and their inputs in words, values only where asked for."""

from __future__ import annotations

import json

import pytest

from linkmask.errors import UsageError
from linkmask.report.explain import explain


def ask(small, planned=True, show_values=False, **question):
    plan = small.plan if planned else None
    return explain(
        question, small.incidence, small.before, plan, lambda: iter(small.mentions),
        small.settings, show_values=show_values,
    )  # fmt: skip


def entity(small, name):
    return small.incidence.entities[small.number[name]]


QUESTIONS = [
    {"entity": "12 March 2024"},
    {"document": "a1"},
    {"pair": ("a1", "b2")},
    {"person": "ada quill"},
]


def test_a_masked_entity_is_explained_by_what_it_would_lift_over_a_limit(small):
    """Kept, the date would leave strength 1 − 0.6584·0.8254 = 0.4565, risk 0.356."""
    answer = ask(small, entity=entity(small, "EVENT_DATE")[:10])
    assert "stands in 2 of 4 documents. It is masked at the chain stage." in answer.text
    assert "u = log((N + 1) / documents) / log(N + 1) = log(5 / 2) / log(5) = 0.569" in answer.text
    assert "a1: 1.000 × 0.569 × 0.6 = 0.342" in answer.text
    assert "chain a1 – b2 would have risk 0.356" in answer.text
    assert "its target is 0.200" in answer.text
    assert answer.data["state"] == "chain"
    assert answer.data["chains_over"][0]["target"] == 0.2


def test_a_floor_entity_is_explained_by_its_type(small):
    answer = ask(small, entity="Ada Quill")
    assert "NAME is on the floor" in answer.text
    assert answer.data["served"] == 2


def test_a_kept_entity_is_explained_by_met_limits(small):
    answer = ask(small, entity="harbour town")
    assert "It is kept because its type is not on the floor" in answer.text
    assert answer.data["state"] == "kept"
    assert answer.data["chains_over"] == answer.data["documents_over"] == []


def test_a_kept_entity_beside_an_unmet_limit_says_so(small):
    answer = ask(small.unmet(), entity="12 March 2024")
    assert "kept although a limit is not met" in answer.text


def test_a_document_lists_what_is_readable_and_what_is_masked(small):
    answer = ask(small, document="b2")
    assert "Readable (2):" in answer.text
    assert "Masked (2):" in answer.text
    assert "R now = 1 − (1 − 0.440) × (1 − 0.087) = 0.489" in answer.text
    assert "a1: strength 0.766 → 0.175: cut by masking" in answer.text
    assert answer.data["risk_after"] == pytest.approx(float(small.plan.after[1]))


def test_a_pair_shows_the_formula_with_its_numbers(small):
    """0.7659 · (1 + (0.766 + R(b2)) / 2) / 2; what is left of it is LOW."""
    answer = ask(small, pair=("b2", "a1"))
    assert "share 3 entities and are linked" in answer.text
    assert "strength = 1 − Π (1 − s) over what is readable: 0.766 → 0.175" in answer.text
    assert "after: 0.175 × (1 + (" in answer.text
    assert "(LOW)" in answer.text
    assert "Its target was at most 0.200: met." in answer.text


def test_a_pair_below_the_threshold_and_one_without_anything_shared(small):
    assert "are not linked" in ask(small, pair=("a1", "c3")).text
    assert "share no entity" in ask(small, pair=("a1", "d4")).text


@pytest.mark.parametrize("written", ["Ada Quill", "ADA  QUILL", "ada-quill", "Àda Quill"])
def test_a_person_is_found_in_any_writing(small, written):
    answer = ask(small, person=written)
    assert "in 2 documents" in answer.text
    assert "The value itself is masked." in answer.text
    assert "no link between them, or from them, is left" in answer.text
    assert [row["document"] for row in answer.data["documents"]] == ["a1", "b2"]
    assert answer.data["documents"][1]["kept"] == {"AGE": 1, "LOCATION": 1}


def test_a_person_that_is_kept_is_said_to_be_readable(small):
    assert "The value itself is still readable." in ask(small, person="Harbour Town").text


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("planned", [True, False])
def test_no_answer_holds_a_value_unless_asked(small, question, planned):
    answer = ask(small, planned, **question)
    whole = answer.text + json.dumps(answer.data)
    for mention in small.mentions:
        if len(mention.original) > 2:
            assert mention.original not in whole
            assert mention.value not in whole


@pytest.mark.parametrize("question", QUESTIONS)
def test_values_stand_beside_ids_where_asked(small, question):
    answer = ask(small, show_values=True, **question)
    assert "“Harbour Town”" in answer.text or "“12 March 2024”" in answer.text
    json.dumps(answer.data)


def test_without_a_plan_nothing_is_said_about_after(small):
    answer = ask(small, planned=False, person="Ada Quill")
    assert "Nothing is masked yet." in answer.text
    assert "→" not in answer.text
    assert "risk_after" not in answer.data["documents"][0]


@pytest.mark.parametrize(
    "question",
    [{"entity": "ffffffffffff"}, {"entity": "nobody"}, {"document": "zz"}, {"pair": ("a1", "a1")},
     {"pair": ("a1", "zz")}, {"person": "nobody"}, {"person": "--"}, {"person": ""}, {}],
)  # fmt: skip
def test_what_is_unknown_is_a_usage_error_that_names_no_value(small, question):
    with pytest.raises(UsageError) as caught:
        ask(small, **question)
    for mention in small.mentions:
        assert mention.original not in str(caught.value)


def test_a_beginning_of_an_id_that_fits_several_is_refused(small_with):
    small = small_with(("doc1", "doc2", "c3", "d4"))
    with pytest.raises(UsageError, match="2 documents have ids that begin so"):
        ask(small, document="doc")
    assert ask(small, document="c").data["document"] == "c3"


def test_two_questions_at_once_are_refused(small):
    with pytest.raises(UsageError, match="ask about one thing"):
        ask(small, document="a1", person="Ada Quill")
