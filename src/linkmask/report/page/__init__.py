"""Renders the report as one HTML page that stands alone: no script, no value unless asked."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from linkmask.records import Audit, Incidence, Plan, Risk
from linkmask.report.page import (
    checks,
    estimate,
    glance,
    language_model,
    masked,
    regulations,
    remaining,
    risks,
    summary,
)
from linkmask.report.page.cells import PageData
from linkmask.report.page.terms import anchor, column_heading, terms
from linkmask.report.wording import harmless_text

HERE = Path(__file__).parent
ASK = (
    (
        "linkmask review RUN",
        "Opens a local page with the values: decide, see what it costs, read a sample.",
    ),
    ("linkmask explain RUN --entity ID", "Says why an entity is masked or readable."),
    ("linkmask explain RUN --document ID", "Says what is readable in a document, and its links."),
    ("linkmask explain RUN --pair ID ID", "Says what two documents share."),
    (
        "linkmask explain RUN --person VALUE",
        "Says which documents name a person, and what is left.",
    ),
)
"""Commands that answer what the page does not, and what each answers."""


def render(
    audit: Audit,
    incidence: Incidence,
    before: Risk,
    *,
    plan: Plan | None = None,
    after: Risk | None = None,
    values: Mapping[str, str] | None = None,
) -> str:
    """Return the report page as HTML.

    Without a plan (a scan) it says what the corpus gives away and masks nothing. `after` is the
    risk under the plan; without it chains after masking are not drawn. `values`, entity id →
    value, puts values on the page: it is private then. The page stays under 1 MB for any corpus,
    because lists are capped, and says where they are.
    """
    from markupsafe import Markup

    data = PageData(audit, incidence, before, plan, after, values)
    style = (HERE / "page.css").read_text(encoding="utf-8")
    digest = hashlib.sha256(f"{style}".encode()).digest()
    limits, threshold = audit.risk["limits"], audit.settings["edge_threshold"]
    html = _template().render(
        version=audit.tool["version"],
        name=harmless_text(str(audit.input["name"]), 80),
        style=Markup(style),  # noqa: S704 - our own file
        style_hash=Markup("sha256-" + base64.b64encode(digest).decode()),  # noqa: S704
        sections=_contents(audit, plan),
        verdict=summary.verdict(data),
        lead=summary.lead(data),
        estimate=estimate.estimate(data),
        glance=glance.glance(data),
        ask=ASK[plan is None :],
        facts=summary.counts(data),
        notes=summary.notes(data),
        risk=risks.risks(data),
        graph=risks.graph(data),
        masked=masked.masked(data),
        regulations=regulations.regulations(data),
        model=language_model.language_model(data),
        left=remaining.remaining(data),
        verification=checks.verification(data),
        settings=checks.settings(data),
        terms=terms(incidence.n_documents, limits, threshold),
        private=checks.private(data),
        timing=checks.timing(data),
    )
    return str(html)


@cache
def _template() -> Any:
    """Return the page to fill in, compiled once: a release fills it in twice."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    pages = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    pages.filters |= {"anchor": anchor, "heading": column_heading}
    return pages.get_template("page.html.jinja")


def _contents(audit: Audit, plan: Plan | None) -> list[tuple[str, str]]:
    masked = [("masked", "What was masked")]
    checked = [("verification", "Verification")]
    return [
        *([("estimate", "Estimate")] if "expected" in audit.linkage else []),
        *([("glance", "At a glance")] if plan else []),
        ("counts", "Counts"),
        ("risk", "Risk"),
        ("graph", "Links"),
        *(masked if plan else []),
        *([("regulations", "Regulations")] if audit.policy else []),
        ("left", "What is left" if plan else "What it gives away"),
        *([("model", "Language model")] if audit.model else []),
        *(checked if plan else []),
        ("ask", "Ask further"),
        ("settings", "Settings"),
        ("terms", "What each number means"),
    ]
