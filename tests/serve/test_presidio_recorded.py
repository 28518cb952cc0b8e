"""Both of Presidio's interfaces answer as its own services were recorded to (golden/README.md).

What `/analyze` finds differs, because detection is linkmask's; what both find must stand at the
same offsets. `ours` of a recorded request is the status with which linkmask refuses what Presidio
guesses at or fails on (docs/from-presidio.md).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

GOLDEN = Path(__file__).parent / "golden"


def recorded(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]


RECORDED = recorded("presidio_analyzer.jsonl")
ANONYMIZED = recorded("presidio_anonymizer.jsonl")
BOTH_FIND = frozenset(
    "EMAIL_ADDRESS PHONE_NUMBER US_SSN CREDIT_CARD IBAN_CODE IP_ADDRESS ZIP WARD CODE".split()
)
JSON = "application/json"
AD_HOC = frozenset({"ZIP", "WARD", "CODE"})


def named(rows: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(row, id=f"{n}-{row['path']}") for n, row in enumerate(rows)]


def is_found(row: dict[str, Any]) -> bool:
    """Whether spans were asked for and given."""
    return bool(row["path"] == "/analyze" and row["status"] == 200 and "ours" not in row)


def asked(client: httpx.Client, row: dict[str, Any]) -> httpx.Response:
    """Send a recorded request."""
    if "json" in row:
        return client.request(row["method"], row["path"], json=row["json"])
    kind = {"Content-Type": row["type"]} if "type" in row else {}
    body = row.get("body", "").encode()
    return client.request(row["method"], row["path"], content=body, headers=kind)


@pytest.mark.parametrize("row", named([row for row in ANONYMIZED if row["kind"] == JSON]))
def test_the_anonymizer_repeats_what_presidios_answered(
    detector: httpx.Client, row: dict[str, Any]
) -> None:
    """All of it, but for an operator of a cloud service, which linkmask does not list."""
    answer = asked(detector, row)
    if row["path"] == "/anonymizers":
        row["answer"].remove("surrogate_ahds")
    said = (answer.status_code, answer.headers["content-type"], answer.json())
    assert said == (row["status"], row["kind"], row["answer"])


@pytest.mark.parametrize("row", named([row for row in RECORDED if "error" in row["answer"]]))
def test_errors_have_presidios_status_and_text(detector: httpx.Client, row: dict[str, Any]) -> None:
    answer = asked(detector, row)
    assert answer.headers["content-type"] == row["kind"]
    if "ours" in row:
        assert (answer.status_code, list(answer.json())) == (row["ours"], ["error"])
    else:
        assert (answer.status_code, answer.json()) == (row["status"], row["answer"])


@pytest.mark.parametrize(
    "row", named([row for row in RECORDED if "ours" in row and row["status"] == 200])
)
def test_what_presidio_guesses_at_is_refused_without_its_values(
    detector: httpx.Client, row: dict[str, Any]
) -> None:
    answer = asked(detector, row)
    assert (answer.status_code, list(answer.json())) == (row["ours"], ["error"])
    assert "Brandvold" not in answer.text and "Ottoline" not in answer.text


@pytest.mark.parametrize("row", named([row for row in RECORDED if is_found(row)]))
def test_spans_have_presidios_form_order_and_offsets(
    detector: httpx.Client, row: dict[str, Any]
) -> None:
    answer = asked(detector, row)
    assert (answer.status_code, answer.headers["content-type"]) == (200, row["kind"])
    one = not isinstance(row.get("json", {}).get("text"), list)
    ours, theirs = ([answer.json()], [row["answer"]]) if one else (answer.json(), row["answer"])
    assert len(ours) == len(theirs)
    for found, recorded in zip(ours, theirs, strict=True):
        assert places(found) == places(recorded)
        assert [each["score"] for each in found] == sorted(
            (each["score"] for each in found), reverse=True
        )
        if recorded:
            form = {key: explained(each) for each in recorded[:1] for key in [tuple(each)]}
            assert all({tuple(each): explained(each)} == form for each in found)


def places(spans: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Where values stand that both find, with the scores of what the request itself brought."""
    return sorted(
        (one["start"], one["end"], one["entity_type"])
        + ((one["score"],) if one["entity_type"] in AD_HOC else ())
        for one in spans
        if one["entity_type"] in BOTH_FIND
    )


def explained(span: dict[str, Any]) -> list[str] | None:
    """The keys of a span's explanation."""
    why = span["analysis_explanation"]
    return None if why is None else sorted(why)


@pytest.mark.parametrize(
    "row", named([row for row in RECORDED if row["method"] == "GET" and row["status"] == 200])
)
def test_lists_have_presidios_form_and_the_names_that_both_find(
    detector: httpx.Client, row: dict[str, Any]
) -> None:
    answer = asked(detector, row)
    assert (answer.status_code, answer.headers["content-type"]) == (200, row["kind"])
    if row["path"].startswith("/supportedentities"):
        assert set(answer.json()) >= BOTH_FIND - AD_HOC
        assert set(row["answer"]) >= BOTH_FIND - AD_HOC
    elif row["path"].startswith("/recognizers"):
        assert answer.json() and all(isinstance(name, str) for name in answer.json())
