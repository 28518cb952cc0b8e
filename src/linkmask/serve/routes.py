"""Every route of the service, once: the application and its OpenAPI file are made of this table."""

from __future__ import annotations

from linkmask.serve import analyzer, anonymizer, gliner, guardrail, native
from linkmask.serve.service import Route

ROUTES: tuple[Route, ...] = (
    *native.ROUTES,
    *analyzer.ROUTES,
    *anonymizer.ROUTES,
    *guardrail.ROUTES,
    *gliner.ROUTES,
)
