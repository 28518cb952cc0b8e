"""How many people of a population fit what a document says of its person."""

import numpy as np
import pytest

from linkmask.config import Settings
from linkmask.formulas.singling_out import people_who_fit, shares_of_people
from linkmask.records import Incidence

TYPES = ("AGE", "BIRTHDATE", "LOCATION", "PATIENT_ID")
KNOWN = Settings().known_shares


def incidence(rows: list[list[tuple[int, float]]], kinds: list[int]) -> Incidence:
    """Return an incidence of (entity, relevance) by document; `kinds`: the type of each entity."""
    entity = np.array([e for row in rows for e, _ in row], dtype=np.int32)
    return Incidence(
        documents=[f"d{n}" for n in range(len(rows))],
        entities=[f"{n:032x}" for n in range(len(kinds))],
        types=TYPES,
        start=np.cumsum([0, *map(len, rows)]),
        entity=entity,
        relevance=np.array([r for row in rows for _, r in row]),
        type=np.array(kinds, dtype=np.int32),
        frequency=np.bincount(entity, minlength=len(kinds)).astype(np.int32),
        uniqueness=np.ones(len(kinds)),
        weight=np.ones(len(kinds)),
    )


PLACES = incidence([[(0, 1.0), (1, 1.0)], [(0, 1.0)], [(2, 0.4)], []], [2, 0, 2])
"""Two of four documents say place 0, the first also an age; the third place is hardly relevant."""
NOTHING = np.zeros(3, dtype=np.bool_)


def test_what_is_said_together_fits_the_fewer() -> None:
    """Half of 1,001 people live at place 0, one of 80 has the age; the person is counted."""
    found = people_who_fit(PLACES, NOTHING, KNOWN, 1001)
    assert found == pytest.approx([1 + 1000 / 2 / 80, 1 + 1000 / 2, 1001, 1001])


def test_masking_an_entity_leaves_all_who_differ_in_it() -> None:
    masked = np.array([True, False, False])
    assert people_who_fit(PLACES, masked, KNOWN, 1001)[:2] == pytest.approx([1 + 1000 / 80, 1001])


def test_a_readable_direct_identifier_leaves_its_person_alone() -> None:
    one = incidence([[(0, 1.0), (1, 1.0)], [(1, 1.0)]], [3, 2])
    assert people_who_fit(one, np.zeros(2, dtype=np.bool_), KNOWN, 10**9).tolist() == [1, 10**9]


def test_a_birth_date_is_a_day_of_eighty_years_also_where_it_is_of_the_floor() -> None:
    one = incidence([[(0, 1.0)], [(1, 1.0)]], [1, 0])
    assert shares_of_people(one, KNOWN) == pytest.approx([1 / (80 * 365.25), 1 / 80])


def test_more_text_that_says_nothing_of_the_person_does_not_single_it_out() -> None:
    long = incidence([[(e, 0.3) for e in range(40)], [(0, 0.9)]], [2] * 40)
    assert people_who_fit(long, np.zeros(40, dtype=np.bool_), KNOWN, 1000)[0] == 1000
