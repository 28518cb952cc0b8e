"""A thousand malformed requests: an error of the client's in JSON, no hang, no value in it."""

from __future__ import annotations

import json
import random
from typing import Any

import httpx
import pytest

import linkmask
from linkmask.serve.adhoc import NO_PATTERN
from linkmask.serve.analyzer import NO_MATCH, NOTHING_FINDS
from linkmask.serve.routes import ROUTES
from linkmask.serve.service import RequestLimits
from serve.conftest import PATIENCE, serving

PLANTED = "Ottoline Brandvold"
SPAN = {"start": 3, "end": 9, "score": 0.8, "entity_type": "PERSON"}
VALID: dict[str, Any] = {
    "/v1/mask": {"texts": [PLANTED]},
    "/v1/unmask": {"texts": [PLANTED]},
    "/v1/explain": {"entity": PLANTED},
    "/analyze": {
        "text": PLANTED,
        "language": "en",
        "entities": ["PERSON"],
        "score_threshold": 0.5,
        "allow_list": [PLANTED],
        "ad_hoc_recognizers": [
            {
                "name": PLANTED,
                "supported_entity": "ZIP",
                "patterns": [{"name": "a", "regex": r"\d{5}", "score": 0.5}],
                "deny_list": [PLANTED],
                "context": ["zip"],
            }
        ],
    },
    "/anonymize": {
        "text": PLANTED,
        "analyzer_results": [SPAN, SPAN],
        "anonymizers": {
            "DEFAULT": {"type": "replace", "new_value": PLANTED},
            "PERSON": {"type": "mask", "masking_char": "*", "chars_to_mask": 3, "from_end": True},
        },
    },
    "/deanonymize": {
        "text": PLANTED,
        "anonymizer_results": [SPAN],
        "deanonymizers": {"DEFAULT": {"type": "decrypt", "key": "k" * 16}},
    },
    "/beta/litellm_basic_guardrail_api": {
        "input_type": "request",
        "texts": [PLANTED],
        "litellm_call_id": "1",
        "structured_messages": [{"role": "user", "content": PLANTED}],
        "tools": [{"type": "function", "function": {"name": "a", "description": PLANTED}}],
    },
    "/v1/extract": {"text": PLANTED, "labels": [PLANTED], "threshold": 0.5},
}
PRESIDIOS = {"No text provided", "No language provided", NOTHING_FINDS, NO_MATCH, NO_PATTERN}
"""Errors that Presidio answers with status 500; and of `/deanonymize`, what can't be decrypted."""
OTHER: list[Any] = [
    None, True, -1, 0, 2**80, 1e308, "", PLANTED, "\u0000", [], {}, [[]], [None], {"": PLANTED},
    {PLANTED: PLANTED}, [PLANTED] * 3, [[PLANTED]], "\U0001f600" * 40,
]  # fmt: skip


def places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places of a tree."""
    found = [path]
    if isinstance(tree, dict | list):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            found += places(value, (*path, key))
    return found


def changed(draw: random.Random, body: Any) -> bytes:
    """A body with a part replaced, left out or misnamed; or its bytes broken."""
    tree = json.loads(json.dumps(body))
    for _ in range(draw.randint(1, 3)):
        *above, last = draw.choice(places(tree)[1:] or [(None,)])
        parent = tree
        for key in above:
            parent = parent[key]
        if not isinstance(parent, dict | list) or last is None:
            continue
        how = draw.random()
        if how < 0.6:
            parent[last] = draw.choice(OTHER)
        elif how < 0.8:
            del parent[last]
        elif isinstance(parent, dict):
            parent[f"{last}{draw.choice(['', ' ', PLANTED])}"] = parent.pop(last)
    data = bytearray(json.dumps(tree, ensure_ascii=draw.random() < 0.5).encode())
    if draw.random() < 0.4 and data:
        at = draw.randrange(len(data))
        how = draw.random()
        if how < 0.3:
            del data[at:]
        elif how < 0.6:
            data[at] = draw.randrange(256)
        elif how < 0.8:
            data[at:at] = draw.choice([b"\xff", b"\\ud800", b"NaN", b"[" * 2000, b"1e999", b'"'])
        else:
            del data[at : at + 3]
    return bytes(data)


def test_a_thousand_malformed_requests_get_an_error_of_their_own() -> None:
    draw = random.Random(21)
    kinds = ["application/json"] * 9 + ["text/plain"]
    refused = 0
    settings = linkmask.load(overrides={"detector": "patterns"}, environment={})
    with serving(limits=RequestLimits(body=10_000, seconds=PATIENCE), settings=settings) as client:
        for number in range(1000):
            path = draw.choice(list(VALID))
            data = changed(draw, VALID[path])
            kind = {"Content-Type": draw.choice(kinds)}
            answer = client.post(path, content=data, headers=kind)
            said = answer.json()
            if answer.status_code == 200:
                continue
            refused += 1
            told = said.get("error", "")
            allowed = told in PRESIDIOS or (path == "/deanonymize" and told.startswith("Internal"))
            assert 400 <= answer.status_code < 500 or allowed, (number, path, data, told)
            assert list(said) == ["error"] and told
            assert "Brandvold" not in answer.text, (number, path, told)
    assert refused > 500


def test_every_route_that_takes_a_body_is_among_them() -> None:
    assert {one.path for one in ROUTES if one.body is not None} == set(VALID)


@pytest.mark.parametrize("path", sorted(VALID))
def test_the_bodies_that_are_changed_are_valid(masker: httpx.Client, path: str) -> None:
    answer = masker.post(path, json=VALID[path])
    undone = path == "/deanonymize" and answer.status_code == 500
    assert answer.status_code == 200 or undone, answer.text
