"""`/anonymize` and `/deanonymize` answer as Presidio's anonymizer 2.2.366 does, over real HTTP.

The tables re-express what the end-to-end tests of Presidio (MIT licence) assert of its service.
"""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.serve.anonymizer import _anonymized

TEXT = "hello world, my name is Jane Doe. My number is: 034453334"
NAME = {"start": 24, "end": 32, "score": 0.8, "entity_type": "NAME"}
FIRST = {"start": 24, "end": 28, "score": 0.8, "entity_type": "FIRST_NAME"}
LAST = {"start": 29, "end": 32, "score": 0.6, "entity_type": "LAST_NAME"}
PHONE = {"start": 48, "end": 57, "score": 0.95, "entity_type": "PHONE_NUMBER"}
STARS = {"type": "mask", "masking_char": "*", "chars_to_mask": 4, "from_end": True}
KEY = "1111111111111111"


def test_the_readme_example(detector: httpx.Client) -> None:
    body = {
        "text": TEXT,
        "anonymizers": {
            "DEFAULT": {"type": "replace", "new_value": "ANONYMIZED"},
            "PHONE_NUMBER": STARS,
        },
        "analyzer_results": [NAME, FIRST, LAST, PHONE],
    }
    answer = detector.post("/anonymize", json=body)
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.json() == {
        "text": "hello world, my name is ANONYMIZED. My number is: 03445****",
        "items": [
            {"start": 50, "end": 59, "entity_type": "PHONE_NUMBER", "text": "03445****",
             "operator": "mask", "score": 0.95},
            {"start": 24, "end": 34, "entity_type": "NAME", "text": "ANONYMIZED",
             "operator": "replace", "score": 0.8},
        ],
    }  # fmt: skip


def without(row: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != key}


def asked(**changes: Any) -> dict[str, Any]:
    return {"text": TEXT, "analyzer_results": [NAME], **changes}


NOT_UNDERSTOOD = "The browser (or proxy) sent a request that this server could not understand."


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({}, 400, "Invalid request json"),
        ([], 400, "Invalid request json"),
        ({"text": TEXT}, 422, "Invalid input, request must contain analyzer results"),
        (
            asked(text="", analyzer_results=[NAME]),
            422,
            "Invalid analyzer result, start: 24 and end: 32, while text length is only 0.",
        ),
        (
            asked(analyzer_results=[{**NAME, "end": 320}]),
            422,
            "Invalid analyzer result, start: 24 and end: 320, while text length is only 57.",
        ),
        (
            asked(analyzer_results=[without(NAME, "score")]),
            422,
            "Invalid input, analyzer result must contain score",
        ),
        (
            asked(analyzer_results=[without(NAME, "start")]),
            422,
            "Invalid input, result must contain start",
        ),
        (
            asked(analyzer_results=[without(NAME, "entity_type")]),
            422,
            "Invalid input, result must contain entity_type",
        ),
        (
            asked(analyzer_results=[{**NAME, "start": 32, "end": 24}]),
            422,
            "Invalid input, start index '32' must be smaller than end index '24'",
        ),
        (
            asked(analyzer_results=[{**NAME, "start": -1}]),
            422,
            "Invalid input, result start and end must be positive",
        ),
        (
            asked(anonymizers={"DEFAULT": {"type": "nope"}}),
            422,
            "Invalid operator class 'nope'.",
        ),
        (
            asked(anonymizers={"DEFAULT": {"new_value": "x"}}),
            422,
            "Invalid input, operator config must contain operator_name",
        ),
        (
            asked(anonymizers={"DEFAULT": {"type": "custom", "lambda": "x"}}),
            400,
            "Custom type anonymizer is not supported",
        ),
        (
            asked(anonymizers={"DEFAULT": without(STARS, "from_end")}),
            422,
            "Expected parameter from_end",
        ),
        (
            asked(anonymizers={"DEFAULT": {"type": "hash", "hash_type": "md5"}}),
            422,
            "Parameter hash_type value md5 is not in range of values ['sha256', 'sha512']",
        ),
        (
            asked(anonymizers={"DEFAULT": {"type": "encrypt", "key": "short"}}),
            422,
            "Invalid input, key must be of length 128, 192 or 256 bits",
        ),
        (
            asked(text=[TEXT, TEXT], analyzer_results=[[NAME]]),
            422,
            "Invalid input, 'analyzer_results' must contain one list of results per item in "
            "'text' when 'text' is a list (2 text items, 1 'analyzer_results' items)",
        ),
    ],
)
def test_wrong_requests_get_presidios_error(
    detector: httpx.Client, body: Any, status: int, told: str
) -> None:
    answer = detector.post("/anonymize", json=body)
    assert (answer.status_code, answer.json()) == (status, {"error": told})


def test_what_is_no_json_gets_presidios_error(detector: httpx.Client) -> None:
    kind = {"Content-Type": "application/json"}
    answer = detector.post("/anonymize", content=b'{"text": "Jane", }', headers=kind)
    assert (answer.status_code, answer.json()) == (400, {"error": NOT_UNDERSTOOD})
    assert detector.post("/anonymize", content=b"{}").status_code == 415


def test_no_text_and_no_results_is_no_error(detector: httpx.Client) -> None:
    answer = detector.post("/anonymize", json={"text": "", "analyzer_results": []})
    assert (answer.status_code, answer.json()) == (200, {"text": "", "items": []})


def test_a_salted_hash_is_repeated_and_one_without_salt_is_not(detector: httpx.Client) -> None:
    def hashed(**salt: str) -> str:
        given = {"DEFAULT": {"type": "hash", **salt}}
        said = detector.post("/anonymize", json=asked(anonymizers=given)).json()
        return str(said["items"][0]["text"])

    assert hashed(salt="0123456789abcdef") == hashed(salt="0123456789abcdef")
    assert hashed() != hashed() and len(hashed()) == 64


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_what_was_encrypted_can_be_decrypted(detector: httpx.Client, bits: int) -> None:
    key = "k" * (bits // 8)
    text = "My name is Zoë 😀 Doe."
    spans = [{"start": 11, "end": 20, "score": 0.9, "entity_type": "PERSON"}]
    given = {"DEFAULT": {"type": "encrypt", "key": key}}
    body = {"text": text, "analyzer_results": spans, "anonymizers": given}
    hidden = detector.post("/anonymize", json=body).json()
    assert "Zoë" not in hidden["text"]
    back = {
        "text": hidden["text"],
        "anonymizer_results": hidden["items"],
        "deanonymizers": {"DEFAULT": {"type": "decrypt", "key": key}},
    }
    assert detector.post("/deanonymize", json=back).json()["text"] == text
    for deanonymizers in ({}, {"DEFAULT": {"type": "decrypt", "key": "x" * (bits // 8)}}):
        answer = detector.post("/deanonymize", json={**back, "deanonymizers": deanonymizers})
        assert (answer.status_code, answer.json()) == (500, {"error": "Internal server error"})
    unchanged = detector.post("/deanonymize", json={"text": hidden["text"]}).json()
    assert unchanged == {"text": hidden["text"], "items": []}


def test_a_list_of_texts_is_answered_by_a_list(detector: httpx.Client) -> None:
    body = {"text": [TEXT, "a", TEXT], "analyzer_results": [[NAME], [], [PHONE]]}
    said = detector.post("/anonymize", json=body).json()
    assert [one["text"] for one in said] == [
        "hello world, my name is <NAME>. My number is: 034453334",
        "a",
        "hello world, my name is Jane Doe. My number is: <PHONE_NUMBER>",
    ]


def test_neighbours_of_one_type_are_united_unless_told_otherwise(detector: httpx.Client) -> None:
    rows = [{"start": n, "end": n + 1, "score": 1, "entity_type": "X"} for n in (0, 2, 5)]
    body = {"text": "a b  c", "analyzer_results": rows}
    assert detector.post("/anonymize", json=body).json()["text"] == "<X>"
    apart = detector.post("/anonymize", json={**body, "merge_entities_with_spaces": False})
    assert apart.json()["text"] == "<X> <X>  <X>"


def test_operators_are_listed(detector: httpx.Client) -> None:
    listed = ["custom", "encrypt", "hash", "keep", "mask", "redact", "replace"]
    assert detector.get("/anonymizers").json() == listed
    assert detector.get("/deanonymizers").json() == ["decrypt", "deanonymize_keep"]


SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 20), st.sampled_from("AB"), st.floats(0, 1)),
    max_size=6,
)


@given(st.text("ab 😀é\u0301\u200d", min_size=20, max_size=20), SPANS)
@settings(max_examples=150, deadline=None)
def test_items_tell_where_each_replacement_stands_and_keep_changes_nothing(
    text: str, spans: list[tuple[int, int, str, float]]
) -> None:
    """In code points, whatever the spans; what no span covers stays, in its order."""
    rows = [
        {"start": min(a, b), "end": max(a, b), "entity_type": kind, "score": score}
        for a, b, kind, score in spans
    ]
    given = {"DEFAULT": {"type": "replace", "new_value": "<😀>"}}
    made = _anonymized(text, rows, given, merge=False)
    for item in made.items:
        assert made.text[item.start : item.end] == item.text == "<😀>"
    covered = {n for row in rows for n in range(row["start"], row["end"])}
    left = "".join(one for n, one in enumerate(text) if n not in covered)
    assert made.text.replace("<😀>", "") == left.replace("<😀>", "")
    kept = _anonymized(text, rows, {"DEFAULT": {"type": "keep"}}, merge=False)
    assert kept.text == text
