"""Every decision comes with its rule, an example like it, and a sentence that holds no value."""

import pytest

from linkmask import policy
from linkmask.choices import POLICY_TECHNIQUES
from linkmask.errors import ModelError
from linkmask.policy.justify import bm25, examples, sentence_agrees

CARD = policy.decide("NAME", [policy.load("pci")])
assert CARD is not None


def test_every_technique_is_said_in_words() -> None:
    """No decision is left without a verb."""
    assert all(technique.done for technique in POLICY_TECHNIQUES.values())


@pytest.mark.parametrize("name", ["gdpr", "hipaa", "pci"])
def test_examples_are_of_types_that_the_policy_has_rules_for(name: str) -> None:
    """An example supports a rule that is there."""
    table = policy.load(name)
    assert len(examples(name)) >= 10
    assert [one.type for one in examples(name) if one.type not in table.rules] == []


def test_the_example_is_the_one_with_the_same_company() -> None:
    """A name beside a diagnosis is supported by the hospital's letter, not by a form."""
    decision = policy.decide("NAME", [policy.load("gdpr")])
    assert decision is not None
    letter = policy.justify(decision, {"NAME", "MEDICAL_CONDITION", "TREATMENT"})
    form = policy.justify(decision, {"NAME", "NATIONAL_ID", "BIRTHDATE"})
    assert "hospital" in letter.example and "enrolment" in form.example


def test_bm25_agrees_with_a_hand_worked_number() -> None:
    """One of two texts holds the word once: ln(1 + 1.5/1.5) × 2.2 / (1 + 1.2) = ln 2."""
    assert bm25("card", ["card", "name"]) == pytest.approx([0.6931471806, 0.0])


def test_the_sentence_names_rule_and_technique() -> None:
    """What the template says is the table's own."""
    told = policy.justify(CARD, {"CREDIT_CARD"})
    assert told.citation in told.sentence and "only the key turns back" in told.sentence
    assert sentence_agrees(told.sentence, CARD)


def test_the_sentence_is_true_where_a_technique_can_not_read_a_value() -> None:
    """A birth date of 1931 has no year left under HIPAA: the sentence does not say it has."""
    decision = policy.decide("BIRTHDATE", [policy.load("hipaa")])
    assert decision is not None
    sentence = policy.justify(decision, ()).sentence
    assert "where that can't be told, its type is left" in sentence and sentence_agrees(
        sentence, decision
    )


@pytest.mark.parametrize(
    "said",
    [
        "Under Req. 3.2.1 the name Quill was removed by removal of the text.",
        "Under Req. 3.2.1 it was replaced by a code, number 884213.",
        "Under Req. 9.9.9 it was replaced by a code that only the key turns back.",
        "Under Req. 3.2.1 it was not replaced by a code.",
        "",
    ],
)
def test_a_models_sentence_that_contradicts_the_facts_is_not_taken(said: str) -> None:
    """Another technique, an invented number, another citation, a denial: the template stands."""
    plain = policy.justify(CARD, ())
    assert policy.justify(CARD, (), write=lambda facts: said) == plain


def test_a_models_sentence_that_agrees_is_taken() -> None:
    """The facts in other words are welcome."""
    said = "Req. 3.2.1 asks to hold cardholder data to what is needed, so a code stands there now."
    assert policy.justify(CARD, (), write=lambda facts: said).sentence == said


def test_a_model_that_fails_costs_nothing() -> None:
    """An error of the model leaves the template's sentence."""

    def broken(facts: str) -> str:
        raise ModelError("no answer")

    assert policy.justify(CARD, (), write=broken) == policy.justify(CARD, ())


def test_a_strengthened_technique_has_a_reason_of_its_own() -> None:
    """The rule's reason and example speak for the weaker technique, which was not taken."""
    ruled = policy.decide("ADDRESS", [policy.load("hipaa")])
    assert ruled is not None
    stricter = ruled._replace(technique=policy.stronger_technique(ruled.technique))
    why = policy.justify(stricter, ())
    assert why.technique == "tokenization" and stricter.done in why.sentence
    assert ruled.technique in why.reason and "stricter" in why.reason
    assert why.reason != ruled.rule.reason and ruled.rule.reason not in why.sentence
    assert why.example == "" and sentence_agrees(why.sentence, stricter)


def test_a_value_that_stands_as_demanded_says_so() -> None:
    """An age of 47 is left under a rule about ages over 89: that rule's reason is not why."""
    ruled = policy.decide("AGE", [policy.load("hipaa")])
    assert ruled is not None
    why = policy.justify(ruled._replace(technique="keep"), ())
    assert "as the rule would leave it" in why.reason


def test_the_sentence_says_where_another_mask_stands() -> None:
    why = policy.justify(CARD, ())
    assert why.where(3, {}) == why
    somewhere = why.where(3, {"EMAIL": 2}).sentence
    assert somewhere.startswith(why.sentence) and somewhere.endswith("stands for both: email 2×.")
    nowhere = why.where(0, {"EMAIL": 2}).sentence
    assert "it was replaced" not in nowhere and "email 2×" in nowhere


def test_the_sentence_says_what_the_plan_did_where_the_rule_asks_for_another() -> None:
    keep = policy.decide("LOCATION", [policy.load("gdpr")])
    assert keep is not None
    kept, cut = policy.justify(keep, ()), policy.justify(CARD, ())
    assert kept.technique == "keep" and kept.by_plan("") == kept and cut.by_plan("floor") == cut
    masked = kept.by_plan("chain").sentence
    assert "it was left as it is" not in masked and "it was masked to bring a chain" in masked
    assert "whatever the risk" in kept.by_plan("floor").sentence
    readable = cut.by_plan("").sentence
    assert "it was left as it is" in readable and f"it was {CARD.done}" not in readable
