"""Which values a corpus says something else of, once others came or went."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from linkmask.detect.lexicon.gazetteer import listed
from linkmask.graph.affected import affected_by
from linkmask.graph.entities import Aliases, canonical

GIVEN = ("Odalys", "Odalys M.", "O.", "Teemu", "Runa")
FAMILY = ("Brandvold", "van Brandvold", "Ashgrove", "Falk", "Hamilton", "Quarry")
OTHERS = (
    ("LOCATION", "Hamilton"),
    ("LOCATION", "Ashgrove, Ohio"),
    ("LOCATION", "Quarry Bend"),
    ("LOCATION", "Falk County"),
    ("ADDRESS", "12 Quarry Bend"),
    ("ADDRESS", "12 Brandvold Road"),
    ("ORGANIZATION", "Quarry Bend Regional Medical Center"),
    ("ORGANIZATION", "Quarry Bend Hospital"),
    ("ORGANIZATION", "Queen's Bridge Rehabilitation Medical Center"),
    ("ORGANIZATION", "QBRMC Group"),
    ("ORGANIZATION", "University Hospital of Ashgrove"),
    ("PROVIDER", "Ashgrove Clinic"),
    ("PROVIDER", "Brandvold's Clinic"),
    ("ORGANIZATION", "Ashgrove Hospital"),
    ("ORGANIZATION", "Ashgrove Hospital Regional Center"),
    ("ORGANIZATION", "Queen's Bridge Clinic"),
    ("PROVIDER", "Dr. Falk"),
    ("MEDICAL_CONDITION", "Hamilton"),
    ("MEDICAL_CONDITION", "qbrmc"),
    ("PATIENT_ID", "4471-0093-2"),
)
PERSONS = [(kind, f"{a} {b}") for kind, a, b in product(("NAME", "PROVIDER"), GIVEN, FAMILY)]
VALUES = sorted({(kind, canonical(kind, text)) for kind, text in (*OTHERS, *PERSONS)})


@pytest.mark.parametrize("seed", range(150))
def test_facts_of_values_that_are_not_affected_are_as_they_were(seed: int) -> None:
    random = Random(seed)
    before = set(random.sample(VALUES, random.randrange(len(VALUES))))
    changed = set(random.sample(VALUES, random.randrange(1, 4)))
    now = before ^ changed
    old, new = (Aliases(((*one, 0) for one in corpus), listed) for corpus in (before, now))
    affected = affected_by(changed)
    for one in before & now:
        assert affected(*one) or old.facts(*one) == new.facts(*one), one


def test_a_value_affects_none_with_which_it_shares_no_word() -> None:
    affected = affected_by([("NAME", "runa falk"), ("PATIENT_ID", "447100932")])
    assert affected("PROVIDER", "teemu falk")
    assert not any(affected(kind, value) for kind, value in VALUES if "falk" not in value)


def test_an_organization_affects_none_with_which_it_shares_only_its_kind() -> None:
    """Half of the providers of a corpus may be clinics."""
    affected = affected_by([("PROVIDER", "ashgrove clinic"), ("ORGANIZATION", "falk hospital")])
    assert affected("ORGANIZATION", "ashgrove hospital")
    assert not affected("PROVIDER", "brandvold clinic")
