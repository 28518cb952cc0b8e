"""Draws what links a document to others, and what the plan cuts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from markupsafe import Markup, escape

from linkmask.records import Plan
from linkmask.report.explain.planned_risks import Now, PlannedRisks
from linkmask.report.wording import count, harmless_text, risk
from linkmask.review.opened_run import OpenedRun

LINKED = 12
"""Linked documents drawn at most, those with the strongest links."""
SHARED = 16
"""Shared values drawn at most, those that bind most."""
ROW, TOP = 34.0, 40.0
"""Height of a row and of the heads of a picture."""
COLUMNS = (10.0, 300.0, 640.0)
"""Where the columns of a picture begin: the document, the values, the linked documents."""
BOX = 250.0
WIDE = COLUMNS[2] + BOX + 10.0


class LinkToDocument(NamedTuple):
    """What links a document to another: strength and chain risk, before and after masking.

    `via`: the entities that both hold, the one that binds most first.
    """

    document: int
    strength: Now
    chain: Now
    via: list[int]


@dataclass(frozen=True, slots=True)
class DocumentLinks:
    """A document and its strongest links, these first; `linked` counts all that it has."""

    document: int
    ties: list[LinkToDocument]
    linked: int
    masked: frozenset[int]

    @property
    def values(self) -> list[int]:
        """The values that the drawn documents share with it, those of the strongest links first."""
        return list(dict.fromkeys(e for tie in self.ties for e in tie.via))[:SHARED]


def links_of_document(opened: OpenedRun, plan: Plan, document: int) -> DocumentLinks:
    """Return what links a document to others, before masking and under a plan."""
    links = opened.planner.analysis.risk.links
    mine = np.flatnonzero((links.left == document) | (links.right == document))
    strongest = mine[np.argsort(-np.round(links.strength[mine], 9), kind="stable")][:LINKED]
    risks = PlannedRisks(opened.incidence, opened.planner.analysis.risk, plan, opened.settings)
    ties = []
    for link in strongest.tolist():
        a, b = int(links.left[link]), int(links.right[link])
        other = b if a == document else a
        via = [entity for entity, _, _ in risks.shared(a, b)]
        ties.append(
            LinkToDocument(other, risks.strength(a, b), risks.chain([document, other]), via)
        )
    return DocumentLinks(document, ties, len(mine), frozenset(plan.masked.tolist()))


def picture(opened: OpenedRun, found: DocumentLinks) -> Markup:
    """Draw a document, the values that link it, and the documents that hold these, as SVG.

    A masked value is drawn struck out, with broken lines: the plan cuts what ran over it. Colours
    come from the page by class.
    """
    values, ties = found.values, found.ties
    height = TOP + ROW * max(len(values), len(ties), 1) + 10
    place = {e: TOP + ROW * (k + 0.5) for k, e in enumerate(values)}
    down = {tie.document: TOP + ROW * (k + 0.5) for k, tie in enumerate(ties)}
    middle = TOP + ROW * max(len(values), len(ties), 1) / 2
    parts = [
        _column_title(COLUMNS[0], "this document"),
        _column_title(COLUMNS[1], "shares"),
        _column_title(COLUMNS[2], "with these"),
    ]
    for e in values:
        cut = e in found.masked
        parts.append(_line(COLUMNS[0] + BOX, middle, COLUMNS[1], place[e], cut))
        for tie in ties:
            if e in tie.via:
                parts.append(_line(COLUMNS[1] + BOX, place[e], COLUMNS[2], down[tie.document], cut))
    names = opened.incidence.documents
    parts.append(_box(COLUMNS[0], middle, f"/document/{found.document + 1}", names[found.document]))
    for e, y in place.items():
        kind = "value cut" if e in found.masked else "value"
        title = f"{opened.type(e)}: {'masked' if e in found.masked else 'readable'}"
        parts.append(
            _box(COLUMNS[1], y, f"/value/{opened.labels[e]}", opened.display_value(e), kind, title)
        )
    for tie in ties:
        before, after = tie.chain
        title = f"chain risk {risk(before)} before masking, {risk(after)} after"
        more = f"{risk(before)} → {risk(after)}"
        address = f"/document/{tie.document + 1}"
        parts.append(
            _box(COLUMNS[2], down[tie.document], address, names[tie.document], "", title, more)
        )
    described = (
        f"{count(len(ties), 'linked document')}, {count(len(values), 'shared value')}, "
        f"{sum(e in found.masked for e in values)} of them masked; the table below says the same."
    )
    return Markup(  # noqa: S704 - every text in it is escaped below
        f'<svg class="picture why" role="group" aria-label="{escape(described)}" '
        f'viewBox="0 0 {WIDE:.0f} {height:.0f}">{"".join(parts)}</svg>'
    )


def _column_title(x: float, text: str) -> str:
    return f'<text class="head" x="{x:.0f}" y="22">{escape(text)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, cut: bool) -> str:
    half = (x + to_x) / 2
    kind = "way cut" if cut else "way"
    curve = f"C{half:.0f} {y:.1f} {half:.0f} {to_y:.1f} {to_x:.0f} {to_y:.1f}"
    return f'<path class="{kind}" d="M{x:.0f} {y:.1f}{curve}"/>'


def _box(
    x: float, y: float, address: str, text: str, kind: str = "", note: str = "", more: str = ""
) -> str:
    short = escape(harmless_text(" ".join(text.split()), 20 if more else 30))
    title = (
        f"<title>{escape(harmless_text(text, 200))}{escape(f' – {note}' if note else '')}</title>"
    )
    at = f'x="{x + BOX - 10:.0f}" y="{y + 4:.1f}"'
    end = f'<text class="more" {at} text-anchor="end">{escape(more)}</text>' if more else ""
    return (
        f'<a href="{escape(address)}"><g class="box {kind}">{title}'
        f'<rect x="{x:.0f}" y="{y - 13:.1f}" width="{BOX:.0f}" height="26" rx="6"/>'
        f'<text x="{x + 10:.0f}" y="{y + 4:.1f}">{short}</text>{end}</g></a>'
    )
