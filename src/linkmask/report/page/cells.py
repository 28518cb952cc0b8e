"""Sets the cells and tables that the sections of the report page share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from linkmask.records import Audit, Flags, Incidence, Plan, Risk
from linkmask.report.wording import harmless_text

LEVELS = ("HIGH", "MEDIUM", "LOW")
LISTED = 100
"""Rows of a list; what is longer is cut, and the page says so."""
WHOLE = 40
"""Characters up to which an id stands on one line; a longer one may be broken."""


@dataclass(frozen=True, slots=True)
class PageData:
    """Everything the page is made from."""

    audit: Audit
    incidence: Incidence
    before: Risk
    plan: Plan | None
    after: Risk | None
    values: Mapping[str, str] | None

    @property
    def masked(self) -> Flags:
        """Which entities the plan masks; none without a plan."""
        flags = np.zeros(self.incidence.n_entities, dtype=np.bool_)
        if self.plan is not None:
            flags[self.plan.masked] = True
        return flags


@dataclass(frozen=True, slots=True)
class CellTable:
    """A table: `numbers` are right-aligned columns, `picture` the column that holds a picture."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    numbers: frozenset[int] = frozenset()
    note: str = ""
    picture: int = -1
    closed: bool = False
    wide: bool = False


# ── cells ───────────────────────────────────────────────────────────────────────────────────────


def document_cell(name: str) -> Markup:
    """Set a document's id, shortened where it is very long."""
    kind = "id" if len(name) <= WHOLE else "long"
    return Markup('<code class="{}">{}</code>').format(kind, harmless_text(name, 60))


def path_cell(names: Sequence[str]) -> Markup:
    """Set a chain: its documents along the path."""
    return Markup(" – ").join(document_cell(name) for name in names)


def entity_cell(entity: str) -> Markup:
    """Set an entity's label."""
    return Markup('<code class="key">{}</code>').format(entity)


def type_cell(name: str) -> Markup:
    """Set the name of an entity type."""
    return Markup('<code class="type">{}</code>').format(harmless_text(name, 60))


def level_cell(name: str) -> Markup:
    """Set HIGH, MEDIUM or LOW in its colour."""
    return Markup('<span class="{}">{}</span>').format(name, name)


def entity_cells(data: PageData, entity: str) -> list[Any]:
    """Cells that name an entity: its label, and its value where values are shown."""
    if data.values is None:
        return [entity_cell(entity)]
    return [entity_cell(entity), harmless_text(data.values.get(entity, ""), 80)]


def entity_headings(data: PageData) -> list[str]:
    """Return the headings of the cells that `entity_cells` makes."""
    return ["entity"] if data.values is None else ["entity", "value"]


def cut_note(listed: int, whole: int, what: str) -> str:
    """Say how much of a list is shown, where it is not all."""
    return f"The first {listed:,} of {whole:,} {what}." if whole > listed else ""
