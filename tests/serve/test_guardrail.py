"""LiteLLM's Generic Guardrail API and NeMo's GLiNER endpoint, over real HTTP."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.detect.other_detectors.servers import connect_detector
from linkmask.serve.memory import CallMask, CallMemory, put_back, unfinished
from serve.conftest import serving

PROMPT = "😀 Write to Ms. Jane Okonkwo-Reyes at j.reyes@example.com."
CALL = {"litellm_call_id": "call-1", "request_data": {}, "model": "m", "litellm_version": "1"}


def guard(client: httpx.Client, kind: str, **given: Any) -> Any:
    body = {**CALL, "input_type": kind, **given}
    answer = client.post("/beta/litellm_basic_guardrail_api", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def messages(*texts: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text} for text in texts]


def asked(client: httpx.Client, *texts: str, **more: Any) -> Any:
    return guard(client, "request", texts=texts, structured_messages=messages(*texts), **more)


def test_a_prompt_is_masked_and_its_answer_restored(detector: httpx.Client) -> None:
    said = asked(detector, PROMPT, "Be short.")
    assert said["action"] == "GUARDRAIL_INTERVENED"
    masked, other = said["texts"]
    assert "Okonkwo" not in masked and "example.com" not in masked and other == "Be short."
    name = re.search(r"\[NAME_\w+\]", masked)
    assert name is not None
    back = guard(detector, "response", texts=[f"Dear {name[0]}, hello"])
    assert back["action"] == "GUARDRAIL_INTERVENED"
    assert back["texts"] == ["Dear Jane Okonkwo-Reyes, hello"]


def test_another_call_gets_no_originals(detector: httpx.Client) -> None:
    masked = asked(detector, PROMPT, litellm_call_id="mine")["texts"]
    for other in ("theirs", None):
        back = guard(detector, "response", texts=masked, litellm_call_id=other)
        assert back["action"] == "NONE" and back["texts"] == masked


def test_a_harmless_prompt_goes_through(detector: httpx.Client) -> None:
    said = asked(detector, "What is a deductible?")
    assert said == {"action": "NONE", "texts": ["What is a deductible?"]}


def test_a_run_masks_prompts_as_its_corpus(masker: httpx.Client) -> None:
    """Placeholders of retrieved documents are restored where the service gives originals back."""
    masked = masker.post("/v1/mask", json={"texts": ["Ottoline Brandvold"]}).json()["texts"][0]
    assert asked(masker, "Is brandvold covered?")["texts"] == [f"Is {masked} covered?"]
    said = asked(masker, f"Context: {masked} called.", litellm_call_id="rag")
    assert said["action"] == "NONE"
    back = guard(masker, "response", texts=[f"{masked} did."], litellm_call_id="rag")
    assert back["texts"] == ["Ottoline Brandvold did."]


def test_placeholders_of_documents_stay_where_originals_are_not_given(masked: Any) -> None:
    with serving(run=masked) as client:
        name = client.post("/v1/mask", json={"texts": ["Ottoline Brandvold"]}).json()["texts"][0]
        asked(client, f"Context: {name} called.")
        assert guard(client, "response", texts=[name])["texts"] == [name]


def tool_call(arguments: str) -> dict[str, Any]:
    return {
        "id": "call_906555017799",
        "type": "function",
        "function": {"name": "send", "arguments": arguments},
    }


WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Get the current weather in a given location.",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Who asks."},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                "days": {"type": "integer", "minimum": 1, "default": 3},
            },
            "required": ["name", "unit"],
            "additionalProperties": False,
        },
    },
}


@pytest.mark.parametrize(
    "hidden",
    [
        {"tool_calls": [tool_call('{"to": "Ms. Jane Okonkwo-Reyes"}')]},
        {"tool_calls": [tool_call('{"to": "Ms. J\\u00e4ne Okonkwo-Reyes"}')]},
        {"tool_calls": [tool_call("Ms. Jane Okonkwo-Reyes")]},
        {"tool_calls": [tool_call('{"j.reyes@example.com": 1}')]},
        {"tool_calls": [tool_call('{"phone": 9065550177}')]},
        {
            "structured_messages": [
                {"role": "assistant", "tool_calls": [tool_call('{"a": ["j.reyes@example.com"]}')]}
            ]
        },
        {"structured_messages": [{"role": "user", "content": "a", "name": "j.reyes@example.com"}]},
        {"tools": [{"type": "function", "function": {"name": "a", "parameters": {
            "properties": {"x": {"enum": ["j.reyes@example.com"]}}}}}]},
        {"images": ["https://example.com/a.png"]},
    ],
)  # fmt: skip
def test_values_where_nothing_can_be_written_block_the_request(
    detector: httpx.Client, hidden: dict[str, Any]
) -> None:
    said = guard(detector, "request", texts=["a"], **hidden)
    assert said["action"] == "BLOCKED" and "texts" not in said
    assert "Okonkwo" not in json.dumps(said) and "reyes" not in json.dumps(said)


def test_tool_calls_and_tools_without_values_go_through(detector: httpx.Client) -> None:
    said = guard(
        detector,
        "request",
        texts=["a"],
        tool_calls=[tool_call('{"city": "the capital", "n": 7}')],
        tools=[WEATHER],
        structured_messages=[
            *messages("a"),
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [tool_call('{"unit": "degrees"}')],
            },
            {"role": "tool", "tool_call_id": "906-555-0177", "name": "get_weather", "content": "a"},
        ],
    )
    assert said["action"] == "NONE"


def test_descriptions_of_tools_are_masked(detector: httpx.Client) -> None:
    tool = {"type": "function", "function": {"name": "send", "description": f"As in: {PROMPT}"}}
    said = guard(detector, "request", texts=["a"], tools=[tool])
    assert said["action"] == "GUARDRAIL_INTERVENED"
    assert said["tools"][0]["function"]["name"] == "send"
    assert "Okonkwo" not in json.dumps(said)


def test_json_in_a_message_is_masked_as_text(detector: httpx.Client) -> None:
    said = asked(detector, '{"to": "j.reyes@example.com"}')
    assert said["action"] == "GUARDRAIL_INTERVENED" and "reyes" not in said["texts"][0]


def test_pictures_go_through_where_the_service_is_told_so() -> None:
    with serving(images=True) as client:
        address = "data:image/png;base64,iVBORw0KGgo="
        part = {"type": "image_url", "image_url": {"url": address}}
        rows = [{"role": "user", "content": [{"type": "text", "text": "a"}, part]}]
        said = guard(client, "request", texts=["a"], images=[address], structured_messages=rows)
        assert said["action"] == "NONE"


def test_a_stream_holds_back_what_may_become_a_mask(detector: httpx.Client) -> None:
    """However the answer is cut, what was sent never changes, and its end is the whole answer."""
    masked = asked(detector, PROMPT, litellm_call_id="stream")["texts"][0]
    answer = f"{masked} [sic] Yes: {masked} ["
    whole = guard(detector, "response", texts=[answer], litellm_call_id="stream")["texts"][0]
    sent = ""
    for end in range(1, len(answer) + 1, 3):
        part = {"texts": [answer[:end]], "litellm_call_id": "stream"}
        said = guard(detector, "response", **part)
        (text,), (held,) = said["texts"], said["stream_holdback_chars"]
        shown = text[: len(text) - held]
        assert shown.startswith(sent)
        sent = shown
    assert whole.startswith(sent) and whole.count("Jane Okonkwo-Reyes") == 2


def test_the_kind_of_input_must_be_known(detector: httpx.Client) -> None:
    body = {**CALL, "input_type": "Jane", "texts": [PROMPT]}
    answer = detector.post("/beta/litellm_basic_guardrail_api", json=body)
    assert answer.status_code == 422 and "Jane" not in answer.text


# ── what is remembered of a call ────────────────────────────────────────────────────────────────


def test_a_mask_of_two_entities_is_put_back_for_neither() -> None:
    memory = CallMemory()
    memory.keep("a", [CallMask("[NAME]", "1", "Roe"), CallMask("[CITY]", "3", "Ulm")])
    memory.keep("a", [CallMask("[NAME]", "2", "Poe"), CallMask("[CITY]", "3", "ULM")])
    assert put_back("[NAME] in [CITY]", memory.of("a")) == "[NAME] in Ulm"


def test_calls_are_forgotten_after_some_time_and_when_there_are_too_many() -> None:
    now = [0.0]
    memory = CallMemory(most=2, seconds=10, clock=lambda: now[0])
    for call in "abc":
        memory.keep(call, [CallMask("x", call, call)])
    assert len(memory) == 2 and not memory.of("a")
    now[0] = 11
    assert not memory.of("c") and len(memory) == 0


def test_a_mask_within_a_word_is_none() -> None:
    assert put_back("Ann, Annual, Ann.", {"Ann": "Zoë"}) == "Zoë, Annual, Zoë."


@given(st.text("ab[]", max_size=12), st.lists(st.text("ab[]", min_size=1), max_size=4))
def test_what_is_held_back_is_the_longest_beginning_of_a_mask(text: str, masks: list[str]) -> None:
    expected = [
        size
        for mask in masks
        for size in range(len(mask) + (mask[-1] in "ab"))
        if text.endswith(mask[:size]) and size <= len(text)
    ]
    assert unfinished(text, masks) == max(expected, default=0)


# ── NeMo's GLiNER endpoint ──────────────────────────────────────────────────────────────────────


def extract(client: httpx.Client, text: str, **more: Any) -> Any:
    answer = client.post("/v1/extract", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_place_of_a_value_is_extracted(detector: httpx.Client) -> None:
    text = "😀 j.reyes@example.com or j.reyes@example.com"
    said = extract(detector, text, labels=["first_name", "email"], chunk_length=9, flat_ner=True)
    assert said["total_entities"] == 2
    assert said["tagged_text"] == (
        "😀 [j.reyes@example.com](email) or [j.reyes@example.com](email)"
    )
    for one in said["entities"]:
        assert text[one["start_position"] : one["end_position"]] == one["value"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"labels": ["email"]}, ["email"]),
        ({"labels": ["first_name"]}, ["first_name"]),
        ({"labels": ["full name", "last_name"]}, ["full name"]),
        ({"labels": ["no such"]}, []),
        ({"threshold": 1.0}, ["email"]),
        ({}, ["name", "email"]),
    ],
)
def test_labels_and_threshold_choose(
    detector: httpx.Client, given: dict[str, Any], expected: list[str]
) -> None:
    said = extract(detector, PROMPT, **given)
    assert [one["suggested_label"] for one in said["entities"]] == expected


def test_linkmasks_own_client_of_gliner_understands_the_service(detector: httpx.Client) -> None:
    spans = connect_detector(f"{detector.base_url}/v1/extract")(PROMPT, "en")
    assert [(PROMPT[one.start : one.end], one.label) for one in spans] == [
        ("Jane Okonkwo-Reyes", "name"),
        ("j.reyes@example.com", "email"),
    ]


def test_labels_are_listed(detector: httpx.Client) -> None:
    said = detector.get("/v1/labels").json()
    assert "email" in said["labels"] and said["count"] == len(said["labels"])
