"""Which policies apply, which demand wins, and what nobody may guess."""

import numpy as np
import pytest

from linkmask import policy
from linkmask.config import Settings
from linkmask.graph import incidence
from linkmask.records import MentionTable, entity_id

ALL = [policy.load(name) for name in ("gdpr", "hipaa", "pci")]


@pytest.mark.parametrize(
    ("types", "primary", "secondary"),
    [
        ({"NAME", "CREDIT_CARD"}, "pci", ("gdpr",)),
        ({"NAME", "CREDIT_CARD", "MEDICAL_CONDITION"}, "pci", ("hipaa", "gdpr")),
        ({"CARD_CODE"}, "pci", ("gdpr",)),
        ({"NAME", "TREATMENT"}, "hipaa", ("gdpr",)),
        ({"NAME", "CARD_EXPIRY"}, "gdpr", ()),
        ({"EMAIL"}, "gdpr", ()),
        ({"AMOUNT"}, "", ()),
        (set(), "", ()),
    ],
)
def test_the_leading_policy_follows_what_a_document_holds(
    types: set[str], primary: str, secondary: tuple[str, ...]
) -> None:
    """PCI needs real card data, HIPAA medical data, GDPR anything personal; the others stay."""
    routed = policy.route(types, ALL)
    assert (routed.primary, routed.secondary) == (primary, secondary)


def test_without_gdpr_hipaa_governs_the_other_documents_and_pci_does_not() -> None:
    """A memo that names a patient is of the same corpus; a name alone is no card data."""
    without = [policy.load("hipaa"), policy.load("pci")]
    assert policy.route({"NAME"}, without).applying == ("hipaa",)
    assert policy.route({"NAME", "CREDIT_CARD"}, without).applying == ("pci", "hipaa")
    assert policy.route({"NAME"}, [policy.load("pci")]).applying == ()
    assert policy.route({"PROVIDER"}, without).applying == ()


def test_the_stricter_technique_wins_value_by_value() -> None:
    """With PCI, HIPAA and GDPR a card is removed (HIPAA), a condition stays (all keep it)."""
    card, condition = policy.decide("CREDIT_CARD", ALL), policy.decide("MEDICAL_CONDITION", ALL)
    assert card and (card.technique, card.policy) == ("removal", "hipaa")
    assert condition and (condition.technique, condition.policy) == ("keep", "gdpr")


def test_what_no_applying_policy_covers_has_no_decision() -> None:
    """An organization under GDPR alone is left to the limits."""
    assert policy.decide("ORGANIZATION", [policy.load("gdpr")]) is None


def test_an_unknown_type_is_escalated_with_a_question() -> None:
    """Without a model nobody guesses what a SHOE_SIZE is."""
    routed = policy.route({"NAME", "SHOE_SIZE"}, ALL)
    assert routed.unknown == ("SHOE_SIZE",) and "SHOE_SIZE" in routed.question


@pytest.mark.parametrize(
    ("answer", "unknown"), [("DEMOGRAPHIC", ()), ("HAT", ("X",)), (None, ("X",))]
)
def test_a_models_answer_counts_only_if_a_policy_knows_it(
    answer: str | None, unknown: tuple[str, ...]
) -> None:
    """A model may name a type, not invent one."""
    assert policy.route({"X"}, ALL, lambda *_: answer).unknown == unknown


def test_an_entity_in_two_documents_takes_the_stricter_decision() -> None:
    """A name beside a condition is removed everywhere; one that stands alone is coded."""
    table = MentionTable(
        documents=["a", "b"],
        values=["ann field", "ben roth", "asthma"],
        types=("NAME", "MEDICAL_CONDITION"),
        document=np.array([0, 0, 1, 1], np.int32),
        value=np.array([0, 1, 0, 2], np.int32),
        type=np.array([0, 0, 0, 1], np.int32),
        relevance=np.ones(4),
    )
    corpus = incidence(table, {"NAME": 1.0, "MEDICAL_CONDITION": 0.8}, Settings())
    demanded = policy.demands(corpus, ALL)
    both, alone = (
        demanded.of(corpus.entities.index(entity_id(name, "NAME")))
        for name in ("ann field", "ben roth")
    )
    assert both == policy.decide("NAME", [policy.load("hipaa")])
    assert alone == policy.decide("NAME", [policy.load("gdpr")])
    assert both and alone and both.technique != alone.technique


def test_strengthening_ends_at_removal() -> None:
    """A technique that was too weak gives way to a code, a code to nothing."""
    assert policy.stronger_technique("generalization:year") == "tokenization"
    assert (
        policy.stronger_technique("tokenization")
        == policy.stronger_technique("removal")
        == "removal"
    )
