"""Makes the OpenAPI file of the service from its routes."""

from __future__ import annotations

from typing import Any

import msgspec

from linkmask.serve.service import Route
from linkmask.version import __version__

SCHEMA = "#/components/schemas/{name}"


class Error(msgspec.Struct):
    """What a request that failed is answered with; it holds nothing of the request."""

    error: str


def document(routes: tuple[Route, ...]) -> dict[str, Any]:
    """Return the OpenAPI document of some routes."""
    types = [one for route in routes for one in (_body(route), route.answer) if _is_json(one)]
    schemas, parts = msgspec.json.schema_components([*types, Error], ref_template=SCHEMA)
    by_type = {str(one): schema for one, schema in zip([*types, Error], schemas, strict=True)}
    paths: dict[str, Any] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": "linkmask serve", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": parts,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "basic": {"type": "http", "scheme": "basic"},
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
        },
        "security": [{"bearer": []}, {"basic": []}, {"key": []}],
    }


def _body(route: Route) -> Any:
    return route.shown if route.shown is not None else route.body


def _is_json(kind: Any) -> bool:
    return kind is not None and kind is not str


def _operation(route: Route, by_type: dict[str, Any]) -> dict[str, Any]:
    body = _body(route)
    answer = {"text/plain": {"schema": {"type": "string"}}}
    if _is_json(route.answer):
        answer = {"application/json": {"schema": by_type[str(route.answer)]}}
    wrong = {"application/json": {"schema": by_type[str(Error)]}}
    operation: dict[str, Any] = {"summary": route.says}
    if body is not None:
        content = {"application/json": {"schema": by_type[str(body)]}}
        operation["requestBody"] = {"required": True, "content": content}
    operation["responses"] = {
        "200": {"description": "Done", "content": answer},
        "default": {"description": "Not done", "content": wrong},
    }
    if route.open:
        operation["security"] = []
    return operation
