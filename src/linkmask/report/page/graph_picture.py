"""Selects the part of the document graph that is drawn: the strongest links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np

from linkmask.formulas import SLACK, document_risk, edge_strength, hop_risk, level, rows_of
from linkmask.records import Flags, Incidence, Links, Risk
from linkmask.report.pictures import Node, Tie, graphs
from linkmask.report.wording import count, harmless_text, risk

NODES = 60
"""Documents drawn at most; more can't be told apart."""
TIES = 240
"""Links drawn at most."""
KINDS = ("high", "medium", "low")
SHADES = (("near", 0.75), ("some", 0.5))
"""Documents below the limit, by the risk from which they are drawn in a colour."""


@dataclass(frozen=True, slots=True)
class PicturedDocument:
    """A document in the picture: its id, its risk before and after."""

    name: str
    risks: tuple[float, float]


@dataclass(frozen=True, slots=True)
class PicturedLink:
    """A link in the picture: entities shared, strength and kind before and after."""

    left: int
    right: int
    shared: int
    strengths: tuple[float, float]
    risks: tuple[float, float]
    kinds: tuple[str, str]


@dataclass(frozen=True, slots=True)
class GraphPicture:
    """What is drawn, strongest links first, out of how much."""

    nodes: Sequence[PicturedDocument]
    ties: Sequence[PicturedLink]
    linked: int
    links: int
    documents: int
    limit: float
    threshold: float

    def words(self) -> str:
        """Say what is shown out of how many."""
        rest = self.documents - self.linked
        alone = (
            f" {count(rest, 'document')} without a link {'is' if rest == 1 else 'are'} not drawn."
            if rest
            else ""
        )
        if len(self.nodes) == self.linked and len(self.ties) == self.links:
            what = f"All {count(self.linked, 'linked document')} and {count(self.links, 'link')}."
        else:
            what = (
                f"Shown are {count(len(self.nodes), 'document')} out of {self.linked:,} linked "
                f"ones, where links are most and strongest, and {len(self.ties):,} of "
                f"{count(self.links, 'link')}."
            )
        return (
            "Each circle is a document, each line a pair that shares entities (strength at least "
            f"{self.threshold:g}), coloured by the risk of their chain. {what}{alone}"
        )

    def legend(self, masked: bool) -> list[tuple[str, str]]:
        """Return (class, meaning) for lines and circles."""
        weak = f"weakened below {self.threshold:g}; with nothing left to share, not drawn"
        steps = [(kind, start) for kind, start in SHADES if start < self.limit]
        ends = [self.limit, *(start for _, start in steps)]
        return [
            ("high", "HIGH chain"),
            ("medium", "MEDIUM chain"),
            ("low", "LOW chain"),
            *([("weak", weak)] if masked else []),
            ("over", f"document at or over {self.limit:g}"),
            *(
                (kind, f"risk {start:g} to {end:g}")
                for (kind, start), end in zip(steps, ends, strict=False)
            ),
            ("calm", f"risk below {ends[-1]:g}"),
        ]

    def shade(self, value: float) -> str:
        """Return the kind of a document by its risk."""
        if value >= self.limit - SLACK:
            return "over"
        return next((kind for kind, start in SHADES if value >= start), "calm")

    def pictures(self, titles: Sequence[str]) -> list[str]:
        """Draw the graph once per title: before, after."""
        return graphs("graph", [self._state(k, title) for k, title in enumerate(titles)])

    def _state(self, k: int, title: str) -> tuple[str, str, list[Node], list[Tie]]:
        nodes = [
            Node(
                f"{n + 1}: {harmless_text(node.name, 60)}, risk {risk(node.risks[k])}",
                self.shade(node.risks[k]),
            )
            for n, node in enumerate(self.nodes)
        ]
        ties = [
            Tie(
                tie.left, tie.right, tie.kinds[k],
                f"{tie.left + 1} – {tie.right + 1}: strength {risk(tie.strengths[k])}, "
                f"chain risk {risk(tie.risks[k])}",
            )
            for tie in self.ties
        ]  # fmt: skip
        kinds = Counter(tie.kinds[k] for tie in self.ties)
        over = sum(node.kind == "over" for node in nodes)
        sentence = (
            f"{count(len(nodes), 'document')}, {over:,} of them at or over the limit; "
            f"{count(sum(kinds[kind] for kind in KINDS), 'link')}, "
            + ", ".join(f"{kinds[kind]:,} {kind.upper()}" for kind in KINDS)
            + (f"; {kinds['weak']:,} weakened, {kinds['gone']:,} gone." if k else ".")
        )
        return f"Linked documents {title}", sentence, nodes, ties


def _grown(links: Links, n: int) -> tuple[Flags, int]:
    """Return up to `NODES` documents as flags, and how many documents are linked at all."""
    pull = -np.log1p(-np.minimum(links.strength, 1 - 1e-9))
    total = np.bincount(links.left, pull, n) + np.bincount(links.right, pull, n)
    degree = np.bincount(links.left, minlength=n) + np.bincount(links.right, minlength=n)
    linked = int((degree > 0).sum())
    seeds = iter(np.argsort(-np.round(total, 9), kind="stable")[:linked].tolist())
    chosen = np.zeros(n, dtype=np.bool_)
    ways: list[tuple[float, int]] = []
    for _ in range(min(NODES, linked)):
        while ways and chosen[ways[0][1]]:
            heappop(ways)
        d = heappop(ways)[1] if ways else next(seed for seed in seeds if not chosen[seed])
        chosen[d] = True
        for here, there in ((links.left, links.right), (links.right, links.left)):
            at = np.flatnonzero(here == d)
            for other, strength in zip(
                there[at].tolist(), links.strength[at].tolist(), strict=True
            ):
                if not chosen[other]:
                    heappush(ways, (-round(strength, 9), other))
    return chosen, linked


def part_to_draw(
    incidence: Incidence, before: Risk, masked: Flags, settings: Mapping[str, Any]
) -> GraphPicture | None:
    """Choose what to draw and compute it before and after; None where nothing is linked.

    The part starts at the document with the most and strongest links, and grows along the strongest
    link that leads on. If none does, another part is started.
    """
    links = before.links
    if not len(links):
        return None
    n = incidence.n_documents
    chosen, linked = _grown(links, n)
    inside = np.flatnonzero(chosen[links.left] & chosen[links.right])
    strongest = np.argsort(-np.round(links.strength[inside], 9), kind="stable")[:TIES]
    ends = [(int(links.left[i]), int(links.right[i])) for i in inside[strongest].tolist()]
    number = {d: k for k, d in enumerate(sorted({d for pair in ends for d in pair}))}
    rows = rows_of(incidence)
    masks = (np.zeros_like(masked), masked)
    risks = {d: tuple(float(document_risk(rows, m, d)) for m in masks) for d in number}
    high, medium, threshold = (settings[key] for key in ("high", "medium", "edge_threshold"))
    ties = []
    for a, b in ends:
        strengths = [float(edge_strength(rows, m, a, b)) for m in masks]
        hops = [float(hop_risk(strengths[k], risks[a][k], risks[b][k])) for k in (0, 1)]
        kinds = [
            "gone" if strengths[k] <= 0
            else "weak" if strengths[k] < threshold - SLACK
            else KINDS[level(hops[k], high, medium)]
            for k in (0, 1)
        ]  # fmt: skip
        ties.append(
            PicturedLink(
                number[a], number[b], len(incidence.shared(a, b)),
                (strengths[0], strengths[1]), (hops[0], hops[1]), (kinds[0], kinds[1]),
            )
        )  # fmt: skip
    nodes = [PicturedDocument(incidence.documents[d], (risks[d][0], risks[d][1])) for d in number]
    return GraphPicture(
        nodes, ties, linked, len(links), n, float(settings["theta_doc"]), float(threshold)
    )
