"""Explanations: the numbers and their inputs in words, values only where asked for."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from linkmask.config import load
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
    answer = ask(small, entity=entity(small, "EVENT_DATE")[:12])
    assert "stands in 2 of 4 documents. It is masked." in answer.text
    assert (
        "Chosen at the chain stage for 1 chain; the mask lowers the risk by 0.240." in answer.text
    )
    assert "u = log((N + 1) / documents) / log(N + 1) = log(5 / 2) / log(5) = 0.569" in answer.text
    assert "a1: 1.000 × 0.569 × 0.6 = 0.342" in answer.text
    assert "chain a1 – b2 would have risk 0.356, over its target of 0.200" in answer.text
    assert "its 2 documents would stay below 0.95" in answer.text
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
    assert "chain a1 – b2 has risk 0.356, over its target of 0.200" in answer.text
    assert "would" not in answer.text


def test_a_kept_entity_of_a_document_over_its_limit_says_that_it_has_that_risk(small):
    """The date and the place leave a1 at 1 − 0.6584·0.9234 = 0.392, were the limit 0.3."""
    tight = replace(small.unmet(), settings=load(overrides={"theta_doc": 0.3}, environment={}))
    answer = ask(tight, entity="12 March 2024")
    assert re.search(r"document a1 has risk 0\.\d+; its limit is below 0\.3", answer.text)


def test_what_a_person_decided_is_given_as_the_reason(small):
    kept, masked = entity(small, "LOCATION"), entity(small, "NAME")
    chosen = {"never_mask": (kept,), "always_mask": (masked,), "floor": ()}
    decided = replace(small, settings=load(overrides=chosen, environment={}))
    assert "decided that it stays (plan --keep)" in ask(decided, entity=kept).text
    assert "decided that it goes (plan --mask)" in ask(decided, entity=masked).text


def test_a_document_lists_what_is_readable_and_what_is_masked(small):
    answer = ask(small, document="b2")
    assert "Readable (2):" in answer.text
    assert "Masked (2):" in answer.text
    assert "R now = 1 − (1 − 0.440) × (1 − 0.087) = 0.489" in answer.text
    assert "a1: strength 0.766 → 0.175: weakened below 0.3" in answer.text
    assert answer.data["risk_after"] == pytest.approx(float(small.plan.after[1]))


def test_a_pair_shows_the_formula_with_its_numbers(small):
    """0.7659 · (1 + (0.766 + R(b2)) / 2) / 2; what is left of it is LOW."""
    answer = ask(small, pair=("b2", "a1"))
    assert "share 3 entities and are linked" in answer.text
    assert "strength = 1 − Π (1 − s) over what is readable: 0.766 → 0.175" in answer.text
    assert "after masking: 0.175 × (1 + (" in answer.text
    assert "(LOW)" in answer.text
    assert "When the chain stage began: 0.356 (LOW); target 0.2. Now 0.116: met." in answer.text
    assert answer.data["chain_stage"]["category"] == "LOW"


def test_a_pair_tells_what_is_still_shared_from_what_is_masked(small):
    text = ask(small, pair=("b2", "a1")).text
    still, gone = text.split("Still shared (1):")[1].split("Shared, now masked (2):")
    assert re.search(r"LOCATION \w+: .* kept", still)
    assert re.search(r"NAME \w+: .* floor", gone)
    assert re.search(r"EVENT_DATE \w+: .* chain", gone)
    assert "Nothing detected is shared any more" not in text


def test_the_target_of_a_medium_chain_is_worked_out(small):
    """0.656 at the start: min(0.5, 0.7 × 0.656) = 0.459."""
    chains = replace(
        small.plan.chains,
        before=np.array([0.656]),
        level=np.array([1], dtype=np.int8),
        target=np.array([0.4592]),
    )
    settings = load(overrides={"edge_threshold": 0.3}, environment={})
    made = replace(small, plan=replace(small.plan, chains=chains), settings=settings)
    said = "When the chain stage began: 0.656 (MEDIUM); target min(0.5, 0.7 × 0.656) = 0.459."
    assert said in ask(made, pair=("a1", "b2")).text


def test_a_pair_below_the_threshold_and_one_without_anything_shared(small):
    assert "are not linked" in ask(small, pair=("a1", "c3")).text
    nothing = ask(small, pair=("a1", "d4")).text
    assert "share no entity" in nothing
    assert "(words that were not detected may link them)" in nothing


@pytest.mark.parametrize("written", ["Ada Quill", "ADA  QUILL", "ada-quill", "Àda Quill"])
def test_a_person_is_found_in_any_writing(small, written):
    answer = ask(small, person=written)
    assert "in 2 documents" in answer.text
    assert "The value itself is masked." in answer.text
    assert "no link between them, or from them, is left" in answer.text
    assert [row["document"] for row in answer.data["documents"]] == ["a1", "b2"]
    assert answer.data["documents"][1]["kept"] == {"AGE": 1, "LOCATION": 1}


def with_mention(small, value, like):
    """The corpus with one more spelling of an entity."""
    known = next(m for m in small.mentions if m.type == like)
    return replace(
        small, mentions=[*small.mentions, msgspec.structs.replace(known, original=value)]
    )


def test_a_person_known_in_pieces_only_is_told_which_words_are_masked(small):
    """Of three words given the first two are the entity, the third is in no document."""
    answer = ask(small, person="Ada Quill Zed")
    name = entity(small, "NAME")[:12]
    assert "is no entity of the run as it is typed, but parts of it are" in answer.text
    assert f"words 1 to 2: NAME {name}, 2 documents: masked at the floor stage" in answer.text
    assert "word 3: not detected by itself" in answer.text
    assert "Every entity that shares words with it is masked." in answer.text
    assert answer.data["entities"] == []
    assert answer.data["parts"][0]["words"] == [0, 2]


def test_a_readable_piece_of_a_person_is_counted(small):
    text = ask(small, person="Ada Quill of Harbour Town").text
    assert "Of what shares words with it 1 of 2 entities is still readable." in text


def test_a_surname_alone_is_part_of_the_entity_that_holds_it(small):
    text = ask(small, person="Quill").text
    assert "word 1: NAME" in text
    assert "not detected" not in text


def test_words_of_a_known_person_that_are_others_entities_are_told_beside_it(small):
    answer = ask(with_mention(small, "Quill", "LOCATION"), person="Ada Quill")
    assert "Words of it are entities of their own" in answer.text
    location = entity(small, "LOCATION")[:12]
    assert f"word 2: LOCATION {location}, 3 documents: kept, still readable" in answer.text
    assert (
        "The value itself is masked. Of what shares words with it 1 of 1 entity is" in answer.text
    )


def test_a_letter_alone_is_no_part_of_a_name(small):
    with pytest.raises(UsageError, match="not detected as a value"):
        ask(with_mention(small, "J", "LOCATION"), person="J Zed")


@pytest.mark.parametrize("value", ["aaa", "mmm", "zzz"])
def test_a_value_that_is_no_entity_of_the_run_is_not_taken_for_another(small, value):
    """Its id stands before, among or behind those of the run, whose order finds numbers."""
    gone = msgspec.structs.replace(small.mentions[0], original="Tove Elm", value=value)
    with pytest.raises(UsageError):
        ask(replace(small, mentions=[*small.mentions, gone]), person="Tove Elm")


def test_an_entity_known_in_pieces_only_is_not_called_readable(small):
    assert "nothing is masked yet" in said(small, planned=False, entity="Ada Quill Zed")
    text = said(small, entity="Ada Quill Zed")
    assert f"NAME {entity(small, 'NAME')[:12]} (masked at the floor stage)" in text
    assert "readable" not in text


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
def test_no_answer_holds_the_id_of_an_entity_unless_asked(small, question):
    """Guesses can be tested by an id; the label that stands for it is understood as well."""
    small = replace(small, incidence=replace(small.incidence, salt=b"of this run"))
    ids = small.incidence.entities
    answer = ask(small, **question)
    assert not any(one in answer.text + json.dumps(answer.data) for one in ids)
    assert any(one in json.dumps(ask(small, show_values=True, **question).data) for one in ids)
    rows = [row for key in ("entities", "shared") for row in answer.data.get(key, ())]
    for row in rows or [answer.data]:
        assert ask(small, entity=row["entity"]).data["entity"] == row["entity"]


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


def said(small, **question):
    with pytest.raises(UsageError) as caught:
        ask(small, **question)
    return str(caught.value)


@pytest.mark.parametrize("asked", ["entity", "person"])
def test_what_was_not_detected_is_called_that_with_a_next_step(small, asked):
    text = said(small, **{asked: "Harbor Town"})
    assert "not detected as a value" in text
    assert "still readable" in text
    assert "--mentions" in text
    assert "Harbour Town" not in text
    assert "--show-values" in text


def test_near_values_are_offered_only_where_values_may_be_shown(small):
    text = said(small, entity="Harbor Town", show_values=True)
    location = entity(small, "LOCATION")[:12]
    assert f"LOCATION {location} “Harbour Town”" in text


def test_a_mistyped_id_or_type_is_met_with_what_is_near(small):
    name = entity(small, "NAME")
    assert f"NAME {name[:12]}" in said(small, entity=name[:9] + ("0" if name[9] != "0" else "1"))
    assert f"LOCATION {entity(small, 'LOCATION')[:12]}" in said(small, entity="locations")


def test_an_unknown_document_is_met_with_ids_that_are_near(small_with):
    small = small_with(("letter_1", "letter_2", "memo_7", "note"))
    assert "near: memo_7" in said(small, document="Memo7")
    assert "near" not in said(small, document="zzzz")


def test_a_beginning_of_an_id_that_fits_several_is_refused(small_with):
    small = small_with(("doc1", "doc2", "c3", "d4"))
    with pytest.raises(UsageError, match="2 documents have ids that begin so"):
        ask(small, document="doc")
    assert ask(small, document="c").data["document"] == "c3"


def test_two_questions_at_once_are_refused(small):
    with pytest.raises(UsageError, match="ask about one thing"):
        ask(small, document="a1", person="Ada Quill")
