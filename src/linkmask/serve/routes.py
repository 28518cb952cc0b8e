"""Lists every route once: the application and its OpenAPI file are made of this table."""

from __future__ import annotations

from typing import Any

from linkmask.serve import analyzer, anonymizer, gliner, guardrail, native
from linkmask.serve.openapi import document
from linkmask.serve.service import Query, Reply, Route, Service, as_json


async def openapi(service: Service, body: None, query: Query) -> Reply:
    """Describe all routes."""
    return as_json(document(ROUTES))


ROUTES: tuple[Route, ...] = (
    *native.ROUTES,
    *analyzer.ROUTES,
    *anonymizer.ROUTES,
    *guardrail.ROUTES,
    *gliner.ROUTES,
    Route("GET", "/openapi.json", openapi, "All routes", answer=dict[str, Any]),
)
