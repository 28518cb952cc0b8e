"""Shows risk before and after: distributions, levels, and the document graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from linkmask.report.page.cells import (
    LEVELS,
    LISTED,
    CellTable,
    PageData,
    cut_note,
    document_cell,
    level_cell,
    path_cell,
)
from linkmask.report.page.graph_picture import part_to_draw
from linkmask.report.pictures import histograms
from linkmask.report.wording import BY_FORMULA, chains_now, count, risk, risk_words


def risks(data: PageData) -> dict[str, Any]:
    """Distributions of document and chain risk, levels, and the same in numbers."""
    audit = data.audit
    before, after, limits = audit.risk["before"], audit.risk["after"], audit.risk["limits"]
    states = [("before", before), ("after", after)] if after else [("now", before)]
    documents = [(_panel(name, state, "documents"), state["documents"]) for name, state in states]
    chains = [(_panel(name, state, "chains"), state["chains"]) for name, state in states]
    figures = [
        {
            "title": "Documents by risk",
            "picture": Markup(  # noqa: S704 - pictures escape what they are given
                histograms(
                    "documents", "Documents by risk", documents,
                    {f"limit {limits['theta_doc']:g}": limits["theta_doc"]},
                )
            ),
        },
        {
            "title": "Chains by risk",
            "picture": Markup(  # noqa: S704
                histograms(
                    "chains", "Chains by risk", chains,
                    {f"limit {limits['theta_chain']:g}": limits["theta_chain"]},
                )
            ),
        },
    ]  # fmt: skip
    words = (
        "Each bar counts documents, or chains of linked documents, whose risk lies in that step; "
        f"further right is riskier. {' '.join(BY_FORMULA)} "
    )
    if after and data.incidence.n_documents:
        words += (
            f"Mean document risk fell from {risk(before['mean_document'])} to "
            f"{risk(after['mean_document'])}."
        )
    elif data.incidence.n_documents:
        words += f"Mean document risk is {risk(before['mean_document'])}."
    names = [name for name, _ in states]
    left = chains_now(after) if after else ""
    levels = CellTable(
        "Chains by level, and what lies over a limit",
        ["", *names],
        [
            *(
                [level_cell(level), *(f"{state['levels'].get(level, 0):,}" for _, state in states)]
                for level in LEVELS
            ),
            [
                f"documents at or over {limits['theta_doc']:g}",
                *(f"{state['documents_over']:,}" for _, state in states),
            ],
        ],
        frozenset({1, 2}),
        " ".join(
            f"{line[:1].upper()}{line[1:]}."
            for line in (
                *risk_words(limits, audit.settings["edge_threshold"]),
                *([f"the same chains after masking: {left}"] if left else []),
            )
        ),
    )
    return {"words": words, "figures": figures, "levels": levels, "bins": _bins(states)}


def _panel(name: str, state: Mapping[str, Any], what: str) -> str:
    n = sum(state[what])
    return f"{name}: {count(n, what.removesuffix('s'))}"


def _bins(states: Sequence[tuple[str, Mapping[str, Any]]]) -> CellTable:
    size = len(states[0][1]["documents"])
    head = ["risk", *(f"{what}, {name}" for what in ("documents", "chains") for name, _ in states)]
    rows = []
    for k in range(size):
        cells = [state[what][k] for what in ("documents", "chains") for _, state in states]
        if any(cells):
            span = f"{k / size:.2f} to {(k + 1) / size:.2f}"
            rows.append([span, *(f"{cell:,}" for cell in cells)])
    numbers = frozenset(range(1, len(head)))
    return CellTable("The pictures in numbers", head, rows, numbers, closed=True)


def graph(data: PageData) -> dict[str, Any]:
    """The document graph before and after, as far as it can be seen, and its key."""
    part = part_to_draw(data.incidence, data.before, data.masked, data.audit.settings)
    if part is None:
        n = count(data.incidence.n_documents, "document")
        return {"words": f"No two of {n} share enough to be linked.", "pictures": []}
    titles = ["before masking", "after masking"] if data.plan else ["now"]
    pictures = part.pictures(titles)
    return {
        "words": part.words(),
        "legend": part.legend(bool(data.plan)),
        "pictures": [
            (title.capitalize(), Markup(picture))  # noqa: S704
            for title, picture in zip(titles, pictures, strict=True)
        ],
        "documents": CellTable(
            "Key: the documents in the picture",
            ["no.", "document", *([f"risk {title}" for title in titles])],
            [
                [k + 1, document_cell(node.name), *(risk(r) for r in node.risks[: len(titles)])]
                for k, node in enumerate(part.nodes[:LISTED])
            ],
            frozenset({2, 3}),
            closed=True,
        ),
        "links": CellTable(
            "Strongest links in the picture",
            ["documents", "shared", *([f"strength {title}" for title in titles])],
            [
                [
                    path_cell([part.nodes[tie.left].name, part.nodes[tie.right].name]),
                    count(tie.shared, "entity", "entities"),
                    *(risk(s) for s in tie.strengths[: len(titles)]),
                ]
                for tie in part.ties[:50]
            ],
            frozenset({2, 3}),
            cut_note(50, len(part.ties), "links in the picture"),
            closed=True,
        ),
    }
