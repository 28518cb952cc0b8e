"""Groups linked documents into clusters, and selects what of one is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import msgspec
import numpy as np

from linkmask.formulas.link_batches import kept_along
from linkmask.records import Floats, Links, Longs, Plan, Risk
from linkmask.report.page.graph_picture import GraphPicture, part_to_draw
from linkmask.review.opened_run import OpenedRun, masked_flags


class Cluster(NamedTuple):
    """Documents that links join, directly or over others: how many, with how many links.

    `before`, `after`: the highest risk of following one of the links. `first`: the number of its
    first document, by which it goes.
    """

    first: int
    documents: int
    links: int
    before: float
    after: float


def cluster_of_documents(opened: OpenedRun) -> Longs:
    """Return for each document the first document of its cluster."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links, n = opened.planner.analysis.risk.links, opened.incidence.n_documents
    ones = np.ones(len(links), dtype=np.int8)
    graph = coo_array((ones, (links.left, links.right)), shape=(n, n))
    _, component = connected_components(graph, directed=False)
    _, first, number = np.unique(component, return_index=True, return_inverse=True)
    found: Longs = first[number].astype(np.int64)
    return found


def clusters(opened: OpenedRun, after: Risk, most: int = 50) -> tuple[list[Cluster], int]:
    """Return the clusters that keep the most risk, and how many there are."""
    before = opened.planner.analysis.risk
    first, links = cluster_of_documents(opened), before.links
    n = opened.incidence.n_documents
    size, number = np.bincount(first, minlength=n), np.bincount(first[links.left], minlength=n)
    highest = [_highest(first, one, n) for one in (before, after)]
    found = np.flatnonzero(size > 1)
    order = found[np.lexsort((found, -size[found], -np.round(highest[1][found], 9)))]
    rows = [
        Cluster(f, int(size[f]), int(number[f]), float(highest[0][f]), float(highest[1][f]))
        for f in order[:most].tolist()
    ]
    return rows, len(found)


def _highest(first: Longs, risk_: Risk, n: int) -> Floats:
    """Return by cluster the highest risk of one link: strength, and the risks of its ends."""
    links = risk_.links
    kept = kept_along(links.left, links.right, links.strength, risk_.documents)
    highest = np.zeros(n)
    np.maximum.at(highest, first[links.left], 1.0 - kept)
    return highest


def picture_of_cluster(opened: OpenedRun, plan: Plan, first: int | None) -> GraphPicture | None:
    """Choose what is drawn of a cluster, or of the whole corpus; None where nothing is linked."""
    before = opened.planner.analysis.risk
    if first is not None:
        inside = cluster_of_documents(opened)[before.links.left] == first
        links = before.links
        own = Links(links.left[inside], links.right[inside], links.strength[inside])
        before = replace(before, links=own)
    flags = masked_flags(plan, opened.incidence.n_entities)
    return part_to_draw(opened.incidence, before, flags, msgspec.to_builtins(opened.settings))


def pictured_documents(
    graph: GraphPicture, numbers: Mapping[str, int]
) -> list[tuple[int, int, float, float]]:
    """Return the documents of a picture: number in it, number, risk before and after."""
    return [(k, numbers[one.name], *one.risks) for k, one in enumerate(graph.nodes, 1)]
