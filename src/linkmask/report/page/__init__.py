"""Renders the report as one HTML page that stands alone: no script, no value unless asked."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

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


class Section(NamedTuple):
    """A section of the page.

    name: its id on the page, and what the template calls its content.
    title: what the table of contents calls it.
    content: makes what the template sets. Where that is empty, the section is left out.
    before: its title where nothing is masked yet, if that is another one.
    style: style sheet of its own, behind `page.css`.
    """

    name: str
    title: str
    content: Callable[[PageData], Any]
    before: str = ""
    style: str = ""


SECTIONS = (
    Section("estimate", "Estimate", estimate.estimate),
    Section("glance", "At a glance", glance.glance, style=glance.STYLE),
    Section("counts", "Counts", summary.counts),
    Section("risk", "Risk", risks.risks),
    Section("graph", "Links", risks.graph),
    Section("masked", "What was masked", masked.masked),
    Section("regulations", "Regulations", regulations.regulations),
    Section("left", "What is left", remaining.remaining, before="What it gives away"),
    Section("model", "Language model", language_model.language_model),
    Section("verification", "Verification", checks.verification),
    Section("ask", "Ask further", lambda data: ASK[data.plan is None :]),
    Section("settings", "Settings", checks.settings),
    Section("terms", "What each number means", terms),
)
"""The sections, in the order of the page."""


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
    contents = {one.name: one.content(data) for one in SECTIONS}
    shown = [one for one in SECTIONS if contents[one.name]]
    rules = (HERE / "page.css").read_text(encoding="utf-8")
    style = "".join([rules, *(one.style for one in SECTIONS)])
    digest = hashlib.sha256(style.encode()).digest()
    html = _template().render(
        version=audit.tool["version"],
        name=harmless_text(str(audit.input["name"]), 80),
        style=Markup(style),  # noqa: S704 - our own file
        style_hash=Markup("sha256-" + base64.b64encode(digest).decode()),  # noqa: S704
        sections=[(one.name, (plan is None and one.before) or one.title) for one in shown],
        verdict=summary.verdict(data),
        lead=summary.lead(data),
        notes=summary.notes(data),
        private=checks.private(data),
        timing=checks.timing(data),
        **contents,
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
