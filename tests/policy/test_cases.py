"""Short documents with what each regulation wants of them (examples/policy/cases.toml)."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import linkmask
from linkmask.choices import STRICTNESS

FOLDER = Path(__file__).parents[2] / "examples" / "policy"
CASES = tomllib.loads((FOLDER / "cases.toml").read_text(encoding="utf-8"))["case"]
OPEN = {"theta_doc": 1.0, "theta_chain": 1.0, "floor": (), "generalize": {}, "workers": 1}
"""Limits that mask nothing, no floor, no generalization: what is done, a policy wants."""


def masked(case: dict[str, Any]) -> linkmask.Result:
    """Mask one case as a corpus of its own, under its policies alone."""
    names = [
        str(FOLDER / name) if name.endswith(".toml") else name
        for name in case["policies"].split(",")
    ]
    settings = linkmask.load(overrides={"policy": names, **OPEN}, environment={})
    return linkmask.mask([{"id": case["id"], "content": case["text"]}], settings)


def param(case: dict[str, Any]) -> Any:
    """Return a case as a parameter; one that is known to fail says why, and must still fail."""
    why = case.get("fails")
    marks = [pytest.mark.xfail(reason=why, strict=True)] if why else []
    return pytest.param(case, id=case["id"], marks=marks)


@pytest.mark.parametrize("case", list(map(param, CASES)))
def test_a_document_is_treated_as_its_regulations_want(case: dict[str, Any]) -> None:
    """The policy that leads, the others, each type's technique, and the text that comes out."""
    result = masked(case)
    demands = result.scan.job.demands
    assert demands is not None
    if "escalated" in case:
        (aside,) = result.set_aside
        assert aside.step == "policy"
        assert all(entity_type in aside.reason for entity_type in case["escalated"])
        return
    assert result.set_aside == []
    (text,) = (one.content for one in result.documents)
    (routed,) = demands.routes
    assert (routed.primary, list(routed.secondary)) == (case["leads"], case["also"])
    every = sorted(
        result.scan.job.reasons().values(), key=lambda why: -STRICTNESS.index(why.technique)
    )
    done = {why.type: why.technique for why in every}  # the strictest that a type met with
    assert {name: done.get(name) for name in case["techniques"]} == case["techniques"]
    plain = re.sub(r"_[0-9a-f]+\]", "]", text)  # a random code may hold any two digits
    assert [value for value in case["gone"] if value in plain] == [], text
    assert [value for value in case["stays"] if value not in text] == [], text


def test_there_are_cases_of_every_kind() -> None:
    """At least sixty, with every identifier of Safe Harbor and every element of PCI DSS."""
    seen = {entity_type for case in CASES for entity_type in case["techniques"]}
    assert len(CASES) >= 60
    assert seen >= {
        "NAME", "ADDRESS", "LOCATION", "BIRTHDATE", "EVENT_DATE", "AGE", "PHONE_NUMBER", "EMAIL",
        "NATIONAL_ID", "PATIENT_ID", "ACCOUNT_NUMBER", "LICENSE_NUMBER", "VEHICLE_ID", "DEVICE_ID",
        "URL", "IP_ADDRESS", "BIOMETRIC", "PHOTO", "NON_PERSONAL_ID",
        "CREDIT_CARD", "CARD_CODE", "CARD_EXPIRY", "CARD_TRACK", "CARD_PIN", "SERVICE_CODE",
    }  # fmt: skip
