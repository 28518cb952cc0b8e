"""Which values a corpus says something else of, or means otherwise, once others came or went."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from linkmask.detect.lexicon.name_words import listed
from linkmask.graph.affected import (
    affected_by,
    bare_surnames,
    meaning_affected_by,
    surnames,
)
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


SHORT = (
    *(
        ("NAME", text)
        for text in ("Hamilton", "Ashgrove", "Falk", "Odalys", "Odalys B.", "Teemu F")
    ),
    *(("NAME", text) for text in ("obrandvold", "falkteemu", "odalysmbrandvold", "Ms. Falk")),
    *(
        ("PROVIDER", text)
        for text in ("Ashgrove", "Dr. Hamilton", "QBRMC", "O. Quarry", "Brandvold")
    ),
    *(("ORGANIZATION", text) for text in ("QBRMC", "Quarry Bend", "Quarry Bend Department")),
    *(
        ("LOCATION", text)
        for text in ("Quarry", "Ashgrove Hospital Center", "Queen's Bridge", "QBH")
    ),
    ("ADDRESS", "12 Quarry Bend Falk County"),
    ("ADDRESS", "12 Brandvold Road Ashgrove Ohio"),
    *(("EMAIL", f"{one}@example.org") for one in ("odalys.falk", "falk.t", "tfalk", "runa")),
    *(("TREATMENT", one) for one in ("pulsed ablation", "pulsed field ablation", "ablations")),
    *(("TREATMENT", one) for one in ("pulsed ablations", "pulsed electric field ablation")),
    *(("MEDICAL_CONDITION", one) for one in ("heart failure", "heart failures", "ablation")),
)
ALL = sorted({*VALUES, *((kind, canonical(kind, text)) for kind, text in SHORT)})


@pytest.mark.parametrize("seed", range(300))
def test_values_that_are_not_affected_mean_what_they_meant(seed: int) -> None:
    """In any document, unless it holds a value that is affected."""
    random = Random(seed)
    before = set(random.sample(ALL, random.randrange(len(ALL))))
    changed = set(random.sample(ALL, random.randrange(1, 4)))
    old, new = (Aliases(((*one, 0) for one in c), listed) for c in (before, before ^ changed))
    stay = sorted(before - changed)
    affected = meaning_affected_by(changed, stay, ALL)
    for _ in range(3):
        held = random.sample(stay, min(len(stay), random.randrange(8)))
        here = frozenset(value for _, value in held)
        if affected.isdisjoint(held):
            for one in set(ALL) - affected - changed:
                assert old.meaning(*one, here) == new.meaning(*one, here), one


def test_a_meaning_is_affected_by_few_values() -> None:
    """A new person affects what may be a name of hers, and not all who have her given name."""
    changed = [("NAME", "teemu falk")]
    affected = meaning_affected_by(changed, set(ALL).difference(changed), ALL)
    assert {("NAME", "falk"), ("NAME", "falkteemu"), ("EMAIL", "tfalk@example.org")} <= affected
    assert ("NAME", "teemu ashgrove") not in affected
    assert all("falk" in value or value == "teemu f" for _, value in affected)


def test_a_person_affects_no_full_name_with_her_surname_and_another_initial() -> None:
    changed = [("NAME", "teemu falk")]
    affected = meaning_affected_by(changed, set(ALL).difference(changed), ALL)
    assert {("NAME", "falk"), ("NAME", "ms falk")} <= affected
    assert not {("NAME", "runa falk"), ("PROVIDER", "odalys falk")} & affected


def test_a_surname_that_another_person_has_affects_no_organization() -> None:
    clinic, town = ("ORGANIZATION", "falk hospital"), ("LOCATION", "falk")
    changed, values = [("NAME", "teemu falk")], [clinic, town]
    assert town in meaning_affected_by(changed, values, values)
    taken = [*values, ("NAME", "runa falk")]
    assert town not in meaning_affected_by(changed, taken, taken)


def test_a_clinic_affects_no_person_whose_given_name_it_begins_with() -> None:
    """A clinician and her clinic may be one value: "Maren Falk of Ashgrove Clinic"."""
    clinic = [("PROVIDER", "maren falk of ashgrove clinic")]
    values = [("NAME", "maren"), ("NAME", "falk"), ("NAME", "runa falk"), ("LOCATION", "maren")]
    affected = meaning_affected_by(clinic, values, values)
    assert affected == {("NAME", "falk"), ("LOCATION", "maren")}


def test_a_bare_surname_is_one_without_a_given_name() -> None:
    spelled = [("runa falk", ["Runa Falk", "Ms. Falk", "FALK"]), ("runa ash", ["Ms. Ash"])]
    assert bare_surnames(spelled, surnames([("NAME", "teemu falk")])) == {"Ms. Falk", "FALK"}


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
