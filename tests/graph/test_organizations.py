"""Short names of clinics, insurers and firms, and phrases with a word left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.graph.entities import Aliases
from linkmask.graph.organizations import short_names
from linkmask.graph.phrases import other_number

CORPUS = [
    ("PROVIDER", "quarrymead rehabilitation center", 3),
    ("LOCATION", "tolling vale memorial hospital", 2),
    ("PROVIDER", "clinique des tilleuls", 1),
    ("PROVIDER", "rehaklinik sonnmatt", 1),
    ("PROVIDER", "northern slate mutual insurance", 2),
    ("ORGANIZATION", "brandvold stone gmbh", 1),
    ("LOCATION", "fenwick clinic", 1),
    ("LOCATION", "fenwick dental practice", 1),
    ("PROVIDER", "ashgrove medical group", 1),
    ("NAME", "ottoline ashgrove", 1),
    ("LOCATION", "pellworth hospital", 1),
    ("LOCATION", "pellworth, vt", 1),
    ("LOCATION", "dunmore hospital", 1),
    ("ADDRESS", "4 quarry lane dunmore vt 05001", 1),
    ("PROVIDER", "harmony clinic", 1),
    ("PROVIDER", "university of sedgeby", 1),
    ("PROVIDER", "university of sedgeby heart center", 1),
    ("PROVIDER", "cedarfold regional medical center", 1),
    ("PROVIDER", "wrenfield community clinic", 1),
    ("PROVIDER", "wrenfield surgical clinic", 1),
]


def full(entity_type: str, value: str, *here: str) -> tuple[str, str]:
    return Aliases(CORPUS, lambda name: name == "tolling").resolve(entity_type, value, here)


@pytest.mark.parametrize(
    ("value", "body"),
    [
        ("quarrymead", "quarrymead rehabilitation center"),
        ("quarrymead rehabilitation", "quarrymead rehabilitation center"),
        ("quarrymead's", "quarrymead rehabilitation center"),
        ("tolling vale", "tolling vale memorial hospital"),
        ("tvmh", "tolling vale memorial hospital"),
        ("tvmh radiology department", "tolling vale memorial hospital"),
        ("tolling vale memorial hospital's emergency department", "tolling vale memorial hospital"),
        ("les tilleuls", "clinique des tilleuls"),
        ("sonnmatt", "rehaklinik sonnmatt"),
        ("nsmi", "northern slate mutual insurance"),
        ("brandvold stone", "brandvold stone gmbh"),
        ("cedarfold medical center", "cedarfold regional medical center"),
    ],
)
def test_a_short_name_is_the_only_body_it_can_mean(value: str, body: str) -> None:
    kind = next(entity_type for entity_type, name, _ in CORPUS if name == body)
    assert full("PROVIDER", value) == (kind, body)
    assert full("ORGANIZATION", value) == (kind, body)
    assert full("MEDICAL_CONDITION", value) == ("MEDICAL_CONDITION", value)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("fenwick", "two bodies"),
        ("wrenfield clinic", "two bodies, each with a word of its kind"),
        ("ashgrove", "a surname here"),
        ("pellworth", "a town here"),
        ("dunmore", "a town in an address"),
        ("tolling", "a listed place"),
        ("harmony", "an everyday word"),
        ("university of sedgeby", "the whole is another body than its part"),
        ("rehabilitation center", "any such body"),
        ("medical group", "any such body"),
        ("radiology department", "any such body's"),
    ],
)
def test_what_may_mean_something_else_is_nobodys(value: str, why: str) -> None:
    assert full("PROVIDER", value) == ("PROVIDER", value), why


def test_the_document_decides_between_bodies_and_about_everyday_words() -> None:
    assert full("LOCATION", "fenwick", "fenwick clinic") == ("LOCATION", "fenwick clinic")
    assert full("PROVIDER", "harmony", "harmony clinic") == ("PROVIDER", "harmony clinic")
    assert full("PROVIDER", "ashgrove", "ashgrove medical group") == ("PROVIDER", "ashgrove")


def test_short_names_are_looked_for_with_their_capitals() -> None:
    aliases = Aliases(CORPUS)
    ways = aliases.forms("PROVIDER", "quarrymead rehabilitation center")
    assert {"Quarrymead", "Quarrymead Rehabilitation"} <= set(ways)
    assert "QRC" in ways
    assert "NSMI" in aliases.forms("PROVIDER", "northern slate mutual insurance")
    assert not {"Fenwick", "Ashgrove", "Dunmore", "Harmony"} & {
        form for entity_type, value, _ in CORPUS for form in aliases.forms(entity_type, value)
    }


@pytest.mark.parametrize("value", ["boston", "elena vargas", "clinic", "medical center", ""])
def test_what_names_no_body_has_no_short_name(value: str) -> None:
    assert short_names(value) is None


NAMES = st.lists(
    st.sampled_from(["fenwick", "slate", "clinic", "health", "of", "harmony", "group"]), max_size=4
).map(" ".join)


@given(st.lists(st.tuples(st.sampled_from(["PROVIDER", "LOCATION"]), NAMES, st.just(1))), NAMES)
def test_a_body_that_was_resolved_is_resolved(known: list[tuple[str, str, int]], name: str) -> None:
    aliases = Aliases(known)
    once = aliases.resolve("PROVIDER", name)
    assert aliases.resolve(*once) == once


# ── phrases ─────────────────────────────────────────────────────────────────────────────────────

PHRASES = [
    ("TREATMENT", "pulsed field ablation", 1),
    ("TREATMENT", "total hip replacement", 1),
    ("TREATMENT", "total knee replacement", 1),
    ("TREATMENT", "nerve block", 1),
    ("MEDICAL_CONDITION", "spinal stenosis", 1),
    ("MEDICAL_CONDITION", "lumbar spinal stenosis", 1),
]


@pytest.mark.parametrize(
    ("value", "here", "meant"),
    [
        ("pulsed ablation", (), "pulsed field ablation"),
        ("nerve blocks", (), "nerve block"),
        ("total replacement", ("total hip replacement",), "total hip replacement"),
        # never guessed
        ("total replacement", (), "total replacement"),
        ("field ablation", (), "field ablation"),
        ("spinal stenosis", (), "spinal stenosis"),
        ("ablation", (), "ablation"),
        ("joint injections", (), "joint injections"),
    ],
)
def test_a_phrase_is_the_only_longer_one_that_begins_and_ends_alike(
    value: str, here: tuple[str, ...], meant: str
) -> None:
    aliases = Aliases(PHRASES)
    kind = "MEDICAL_CONDITION" if "stenosis" in value else "TREATMENT"
    assert aliases.resolve(kind, value, here) == (kind, meant)
    assert aliases.resolve("EVENT", value, here) == ("EVENT", value)


def test_phrases_are_looked_for_in_both_numbers() -> None:
    assert "nerve blocks" in Aliases(PHRASES).forms("TREATMENT", "nerve block")
    assert other_number("nerve blocks") == "nerve block"
    for unclear in ("migraine", "spinal stenosis", "acute abscess", "stage ii", "systemic lupus"):
        assert other_number(unclear) == ""
