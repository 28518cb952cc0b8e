"""Fills templates: every value is escaped, and can't turn the direction of writing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from linkmask.report.wording import count, harmless_text, percent
from linkmask.report.wording import risk as risk_text

HERE = Path(__file__).parent
STATE_WORDS = {
    "floor": "always masked",
    "document": "masked for a document",
    "chain": "masked for a chain",
    "decided": "masked by decision",
    "kept": "readable",
}
"""Where the plan masks an entity, as people are told."""


@cache
def _templates() -> Environment:
    pages = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters |= {
        "percent": percent, "risk": risk_text, "count": count, "shown": harmless_text,
        "said": STATE_WORDS.__getitem__,
    }  # fmt: skip
    return pages


def page(name: str, **data: Any) -> str:
    """Fill in a template."""
    template: Template = _templates().get_template(f"{name}.html.jinja")
    return template.render(**data)
