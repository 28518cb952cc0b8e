"""`/analyze` and its lists answer as Presidio's analyzer 2.2.366 does, over real HTTP.

What is found differs, because detection is linkmask's; forms, errors and meanings do not. The
tables re-express what the end-to-end tests of Presidio (MIT licence) assert of its service.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import linkmask
from linkmask.detect.other_detectors.servers import connect_detector
from linkmask.errors import UsageError
from serve.conftest import serving

TEXT = "John Smith's social security number is 536-90-4399, call 212-555-0123. He has asthma."
ZIP = {
    "name": "Zip code Recognizer",
    "supported_language": "en",
    "patterns": [{"name": "zip (weak)", "regex": r"(\b\d{5}(?:\-\d{4})?\b)", "score": 0.01}],
    "supported_entity": "ZIP",
}


class Result(msgspec.Struct, forbid_unknown_fields=True):
    """What a strict client accepts."""

    analysis_explanation: dict[str, Any] | None
    end: int
    entity_type: str
    score: float
    start: int


def analyze(client: httpx.Client, text: str = TEXT, **more: Any) -> list[Result]:
    answer = client.post("/analyze", json={"text": text, "language": "en", **more})
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=list[Result])


def found(client: httpx.Client, text: str = TEXT, **more: Any) -> list[tuple[str, str]]:
    """The types and texts of what is found, in the order of the text."""
    results = sorted(analyze(client, text, **more), key=lambda one: one.start)
    return [(r.entity_type, text[r.start : r.end]) for r in results]


def test_types_have_presidios_names_and_others_are_left_out(detector: httpx.Client) -> None:
    assert found(detector) == [
        ("PERSON", "John Smith"),
        ("US_SSN", "536-90-4399"),
        ("PHONE_NUMBER", "212-555-0123"),
    ]


def test_keys_are_sorted_and_nothing_is_added(detector: httpx.Client) -> None:
    answer = detector.post("/analyze", json={"text": "Mr. John Smith", "language": "en"})
    assert answer.headers["content-type"].startswith("application/json")
    (row,) = answer.json()
    assert list(row) == ["analysis_explanation", "end", "entity_type", "score", "start"]
    assert row["analysis_explanation"] is None


@pytest.mark.parametrize(
    ("entities", "expected"),
    [
        (["PERSON"], [("PERSON", "John Smith")]),
        (["MEDICAL_CONDITION"], [("MEDICAL_CONDITION", "asthma")]),
        (["NATIONAL_ID", "NO_SUCH"], [("NATIONAL_ID", "536-90-4399")]),
        (["NAME"], [("NAME", "John Smith")]),
        (["NO_SUCH", "PERSON"], [("PERSON", "John Smith")]),
    ],
)
def test_only_the_types_that_are_asked_for_come_back(
    detector: httpx.Client, entities: list[str], expected: list[tuple[str, str]]
) -> None:
    assert found(detector, entities=entities) == expected


def test_a_threshold_leaves_out_lower_scores(detector: httpx.Client) -> None:
    every = analyze(detector)
    least = max(one.score for one in every)
    assert analyze(detector, score_threshold=least) == [r for r in every if r.score >= least]
    assert analyze(detector, score_threshold=1.01) == []


def test_a_list_of_texts_is_answered_by_a_list_of_lists(detector: httpx.Client) -> None:
    texts = ["Mr. John Smith", "", "nothing here", TEXT]
    answer = detector.post("/analyze", json={"text": texts, "language": "en"}).json()
    assert [len(one) for one in answer] == [1, 0, 0, 3]


def test_the_decision_is_told_where_it_is_asked_for(detector: httpx.Client) -> None:
    (named,) = analyze(detector, return_decision_process=True, entities=["US_SSN"])
    one = named.analysis_explanation
    assert one is not None
    assert sorted(one) == [
        "original_score", "pattern", "pattern_name", "recognizer", "regex_flags", "score",
        "score_context_improvement", "supportive_context_word", "textual_explanation",
        "validation_result",
    ]  # fmt: skip
    assert (one["recognizer"], one["pattern_name"]) == ("patterns", "us-ssn")
    assert analyze(detector, return_decision_process=0)[0].analysis_explanation is None


@pytest.mark.parametrize("more", [{"correlation_id": "1"}, {"trace": "1"}, {"trace": {"a": []}}])
def test_other_keys_change_nothing(detector: httpx.Client, more: dict[str, Any]) -> None:
    assert analyze(detector, **more) == analyze(detector)


def test_what_is_allowed_is_left_out(detector: httpx.Client) -> None:
    names = [kind for kind, _ in found(detector, allow_list=["John Smith", "smith"])]
    assert names == ["US_SSN", "PHONE_NUMBER"]
    given = {"allow_list": [r"^\d{3}-\d\d-", "jo.n"], "allow_list_match": "regex"}
    assert found(detector, **given) == [("PHONE_NUMBER", "212-555-0123")]
    assert ("PERSON", "John Smith") in found(detector, **{**given, "regex_flags": 0})


# ── recognizers of the request ──────────────────────────────────────────────────────────────────


def test_a_pattern_of_the_request_is_looked_for(detector: httpx.Client) -> None:
    text = "Mr. John Smith. Zip code: 10023"
    last = analyze(detector, text, ad_hoc_recognizers=[ZIP], return_decision_process=True)[-1]
    assert (last.entity_type, last.start, last.end, last.score) == ("ZIP", 26, 31, 0.01)
    why = last.analysis_explanation
    assert why is not None
    assert (why["recognizer"], why["pattern_name"]) == (ZIP["name"], "zip (weak)")


def test_a_context_word_raises_the_score(detector: httpx.Client) -> None:
    given = [{**ZIP, "context": ["zip", "code"]}]
    last = analyze(detector, "Zip code: 10023", ad_hoc_recognizers=given)[-1]
    assert (last.entity_type, last.score) == ("ZIP", 0.4)


def test_a_recognizer_for_another_language_is_left_out(detector: httpx.Client) -> None:
    given = [{**ZIP, "supported_language": "es"}]
    kinds = [kind for kind, _ in found(detector, "Zip code: 10023", ad_hoc_recognizers=given)]
    assert "ZIP" not in kinds


def test_a_deny_list_of_the_request_is_looked_for(detector: httpx.Client) -> None:
    given = [{"supported_entity": "PET", "deny_list": ["Rex", "Mia"], "supported_language": "en"}]
    assert ("PET", "Rex") in found(detector, "Our dog Rex barks.", ad_hoc_recognizers=given)
    named = {"ad_hoc_recognizers": given, "entities": ["PET"]}
    assert found(detector, f"{TEXT} Rex", **named) == [("PET", "Rex")]


WRONG = "Failed to parse /analyze request for AnalyzerEngine.analyze(). "


@pytest.mark.parametrize(
    ("patterns", "told"),
    [
        (
            [{"type": "zip", "bebex": "x", "confidence": 0.1}],
            "Pattern.__init__() got an unexpected keyword argument 'type'",
        ),
        ([{"name": "a", "regex": "(a+)+b", "score": 0.5}], "a pattern may take more than"),
        ([{"name": "a", "regex": "(", "score": 0.5}], "a pattern is no regular expression"),
        ([{"name": "a", "regex": "a*", "score": 0.5}], "a pattern matches a text without a"),
        ([{"name": "a", "regex": "a", "score": 7}], "a score must be between 0 and 1"),
        ([{"name": "a", "regex": "a", "score": 1, "Jane Doe": 1}], "keyword argument '…'"),
    ],
)
def test_a_pattern_that_can_not_be_used_is_told(
    detector: httpx.Client, patterns: Any, told: str
) -> None:
    body = {"text": TEXT, "language": "en", "ad_hoc_recognizers": [{**ZIP, "patterns": patterns}]}
    answer = detector.post("/analyze", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(WRONG) and told in answer.json()["error"]


# ── errors ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({}, "No text provided"),
        ({"language": "en"}, "No text provided"),
        ({"text": "", "language": "en"}, "No text provided"),
        ({"text": [], "language": "en"}, "No text provided"),
        ({"text": TEXT}, "No language provided"),
        (
            {"text": TEXT, "language": "en", "entities": ["NO_SUCH"]},
            "No matching recognizers were found to serve the request.",
        ),
        (
            {"text": TEXT, "language": "en", "allow_list": ["a"], "allow_list_match": TEXT},
            "allow_list_match must either be set to 'exact' or 'regex'.",
        ),
        (
            {"text": TEXT, "language": "zz"},
            "No matching recognizers were found to serve the request.",
        ),
    ],
)
def test_wrong_requests_get_presidios_error(
    detector: httpx.Client, body: dict[str, Any], told: str
) -> None:
    answer = detector.post("/analyze", json=body)
    assert (answer.status_code, answer.json()) == (500, {"error": told})


@pytest.mark.parametrize(
    "body",
    [
        [TEXT],
        {"text": 7, "language": "en"},
        {"text": [TEXT, None], "language": "en"},
        {"text": TEXT, "language": "en", "entities": "PERSON"},
        {"text": TEXT, "language": "en", "score_threshold": "high"},
        {"text": TEXT, "language": "en", "ad_hoc_recognizers": [TEXT]},
        {"text": TEXT, "language": "en", "allow_list": ["(a+)+b"], "allow_list_match": "regex"},
    ],
)
def test_parts_of_another_form_are_refused_without_their_value(
    detector: httpx.Client, body: Any
) -> None:
    answer = detector.post("/analyze", json=body)
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"] and "Smith" not in answer.text


def test_what_is_supported_is_listed(detector: httpx.Client) -> None:
    for query in ("?language=en", "", "?unknown=input"):
        names = detector.get(f"/supportedentities{query}").json()
        assert {"PERSON", "EMAIL_ADDRESS", "US_SSN", "LOCATION", "MEDICAL_CONDITION"} <= set(names)
        assert "patterns" in detector.get(f"/recognizers{query}").json()
    for path in ("/supportedentities", "/recognizers"):
        answer = detector.get(f"{path}?language=he")
        told = "No matching recognizers were found to serve the request."
        assert (answer.status_code, answer.json()) == (500, {"error": told})


def test_health_is_plain_text(detector: httpx.Client) -> None:
    answer = detector.get("/health")
    assert answer.text == "linkmask (Presidio-compatible) service is up"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


# ── together ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", [TEXT, "😀 Mr. John Smith e\u0301 👩‍👩‍👧 j.smith@example.com 😀"])
def test_what_is_analyzed_can_be_anonymized(detector: httpx.Client, text: str) -> None:
    """As LiteLLM does: the analyzer's answer goes to the anonymizer as it is."""
    results = detector.post("/analyze", json={"text": text, "language": "en"}).json()
    said = detector.post("/anonymize", json={"text": text, "analyzer_results": results}).json()
    assert "Smith" not in said["text"] and "<PERSON>" in said["text"]
    assert [one["text"] for one in said["items"]] == [
        said["text"][one["start"] : one["end"]] for one in said["items"]
    ]


@given(
    st.lists(st.sampled_from(["😀", "e\u0301", "👩‍👩‍👧", "x ", "\n", "\u200d", "𝔘"]), max_size=8)
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_offsets_count_code_points(detector: httpx.Client, before: list[str]) -> None:
    text = f"{''.join(before)} mail j.smith@example.com"
    assert ("EMAIL_ADDRESS", "j.smith@example.com") in found(detector, text)


def test_linkmasks_own_client_of_presidio_understands_the_service(detector: httpx.Client) -> None:
    """`other_detectors` asks with a score threshold and reads code points."""
    ask = connect_detector(f"{detector.base_url}/analyze")
    text = "😀 " * 15_000 + TEXT
    spans = {(text[one.start : one.end], one.label) for one in ask(text, "en")}
    assert {("John Smith", "PERSON"), ("536-90-4399", "US_SSN")} <= spans


def test_with_a_run_what_the_plan_masks_is_found(masker: httpx.Client) -> None:
    text = "Is brandvold, whose mail is j.doe@example.com, covered in Hancock?"
    rows = analyze(masker, text)
    assert [(text[one.start : one.end], one.score) for one in rows] == [
        ("brandvold", 1.0),
        ("j.doe@example.com", 1.0),
        ("Hancock", 1.0),
    ]


def test_types_without_a_name_of_presidio_are_reported_where_the_service_is_told_so() -> None:
    with serving(all_types=True) as client:
        assert ("MEDICAL_CONDITION", "asthma") in found(client)


def test_a_detector_of_a_language_model_is_no_choice() -> None:
    given = linkmask.load(overrides={"detector": "llm"}, environment={})
    with pytest.raises(UsageError, match="embedded"), serving(settings=given):
        pass


def test_the_type_names_are_of_the_schema_and_of_presidio() -> None:
    import tomllib

    import linkmask.serve.presidio_names as names
    from linkmask.schema import load

    table = tomllib.loads((Path(names.__file__).parent / "presidio.toml").read_text("utf-8"))
    schema = load("regulated")
    assert {*table["types"], *table["asked"]} <= set(schema.types)
    rules = Path(linkmask.__file__).parent / "detect" / "recognizers"
    ids = "\n".join(file.read_text("utf-8") for file in rules.rglob("*.toml"))
    assert [one for one in table["rules"] if f'id = "{one}' not in ids] == []
