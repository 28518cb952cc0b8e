"""docs/openapi.json describes the routes that there are, and what they really answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx

from linkmask.serve.openapi import document
from linkmask.serve.routes import ROUTES
from serve.test_malformed import VALID

FILE = Path(__file__).parents[2] / "docs" / "openapi.json"


def test_the_file_is_up_to_date(detector: httpx.Client) -> None:
    """Else write it anew: make docs."""
    assert json.loads(FILE.read_text("utf-8")) == document(ROUTES)
    assert detector.get("/openapi.json").json() == document(ROUTES)


def test_every_reference_leads_somewhere() -> None:
    text = json.dumps(document(ROUTES))
    names = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names == set(document(ROUTES)["components"]["schemas"])


def fits(value: Any, schema: Any, parts: dict[str, Any]) -> bool:
    """Whether a value is what a schema says: as much of JSON Schema as the file uses."""
    if "$ref" in schema:
        return fits(value, parts[schema["$ref"].rpartition("/")[2]], parts)
    if "anyOf" in schema:
        return any(fits(value, one, parts) for one in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    kind = schema.get("type")
    types: dict[Any, Any] = {
        "string": str, "integer": int, "number": (int, float), "boolean": bool,
        "array": list, "object": dict, "null": type(None), None: object,
    }  # fmt: skip
    if not isinstance(value, types[kind]):
        return False
    if kind == "array":
        return all(fits(one, schema.get("items", {}), parts) for one in value)
    if kind == "object" and "properties" in schema:
        known = schema["properties"]
        return set(schema.get("required", ())) <= set(value) <= set(known) and all(
            fits(one, known[key], parts) for key, one in value.items()
        )
    return True


def test_requests_and_answers_are_as_described(masker: httpx.Client) -> None:
    made = document(ROUTES)
    parts = made["components"]["schemas"]
    for route in ROUTES:
        told = made["paths"][route.path][route.method.lower()]
        if route.path in VALID:
            body = VALID[route.path]
            schema = told["requestBody"]["content"]["application/json"]["schema"]
            assert fits(body, schema, parts), route.path
        answer = masker.request(route.method, route.path, json=VALID.get(route.path))
        if "application/json" in answer.headers["content-type"]:
            status = "200" if answer.status_code == 200 else "default"
            content = told["responses"][status]["content"]
            assert fits(answer.json(), content["application/json"]["schema"], parts), route.path
        else:
            assert "text/plain" in told["responses"]["200"]["content"]


def test_the_check_can_fail() -> None:
    parts = document(ROUTES)["components"]["schemas"]
    assert not fits({"status": 7}, parts["Readiness"], parts)
    assert not fits({}, parts["Readiness"], parts)
    assert not fits({"status": "a", "b": 1}, parts["Readiness"], parts)
