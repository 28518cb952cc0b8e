"""What follows from settings: types that are masked by rule, shares of people, limits."""

import pytest

from linkmask.config import Settings
from linkmask.schema import RARE_TERM

COARSER = {"EVENT_DATE": "generalization:month", "EVENT": "value"}
USUAL = Settings(floor=("NAME",), generalize=COARSER)


@pytest.mark.parametrize(
    ("style", "styles", "left"),
    [
        ("value", {}, COARSER),
        ("value", {"EVENT": "redact"}, {"EVENT_DATE": "generalization:month"}),
        ("value", {"NAME": "pseudonym"}, COARSER),
        ("redact", {}, {}),
        ("surrogate", {"EVENT": "value"}, {}),
    ],
)
def test_only_style_value_writes_coarser_and_a_style_of_a_types_own_comes_before(
    style: str, styles: dict[str, str], left: dict[str, str]
) -> None:
    settings = Settings(floor=("NAME",), generalize=COARSER, style=style, styles=styles)
    assert settings.generalized == left
    assert settings.masked_by_rule == {"NAME", *COARSER}


def test_unknown_entities_of_the_floor_are_masked_or_all_direct_identifiers() -> None:
    assert USUAL.masked_if_unknown == {"NAME"}
    without = Settings(floor=()).masked_if_unknown
    assert {"NAME", "PATIENT_ID", "EMAIL"} <= without
    assert not without & {"MEDICAL_CONDITION", "EVENT_DATE", "AGE"}


def test_direct_types_are_those_of_the_schema_and_of_the_floor() -> None:
    assert Settings(floor=("AGE",)).direct_types - Settings(floor=()).direct_types == {"AGE"}


@pytest.mark.parametrize(
    ("given", "has_words"),
    [
        ({}, True),
        ({"rare_terms": 0}, False),
        ({"rare_terms": 0, "background": "public"}, True),
        ({"rare_terms": 0, "readable_share": 0.9}, True),
    ],
)
def test_rare_words_are_a_type_where_words_are_masked(given: dict, has_words: bool) -> None:
    assert (RARE_TERM in Settings(**given).entity_types.types) == has_words


def test_weights_replace_those_of_the_schema() -> None:
    table = Settings(weights={"AGE": 0.123}).entity_types
    assert table.weights["AGE"] == 0.123
    assert table.weights["NAME"] == Settings().entity_types.weights["NAME"]


def test_shares_of_people_by_arithmetic() -> None:
    """Of a direct identifier nobody else has it; a birth date is one day of the years of a life."""
    shares = Settings().known_shares
    assert shares["NAME"] == 0
    assert shares["AGE"] == pytest.approx(365.25 * shares["BIRTHDATE"])
    assert 1 / 110 < shares["AGE"] < 1 / 60


def test_the_stricter_of_two_limits_for_the_linker_counts() -> None:
    assert Settings().linking_limit == 1
    assert Settings(link_candidates=5).linking_limit == pytest.approx(0.2)
    assert Settings(link_candidates=5, link_limit=0.1).linking_limit == 0.1


def test_a_low_chain_may_keep_all_of_its_risk() -> None:
    assert Settings(rho_high=0.3, rho_medium=0.6).rho == (0.3, 0.6, 1.0)
