"""The yardstick: formulas.md §4–9 as one would write it in plain Python, with an inverted index.

Dicts and loops, nothing vectorised, nothing compiled; pairs of documents are found through the
documents of each entity. The chain stage is `greedy` (formulas.md §9.5).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from math import log

from linkmask.records import Incidence

THETA_DOC, THETA_CHAIN, TAU, HIGH, MEDIUM = 0.95, 0.5, 0.5, 0.75, 0.5
RHO_HIGH, RHO_MEDIUM = 0.5, 0.7


@dataclass
class Result:
    """What the engine is compared with."""

    risks: list[float]
    links: dict[tuple[int, int], float]
    chains: dict[tuple[int, int], float]
    by_document: list[int]
    by_chain: list[int]


def analyse(corpus: Incidence) -> Result:
    """Return risks, links, chains of two and the greedy plan of a corpus."""
    documents, contribution = _contributions(corpus)
    risks = [_risk(c, ()) for c in contribution]
    links = _links(documents, contribution)
    chains = {pair: _hop(s, risks[pair[0]], risks[pair[1]]) for pair, s in links.items()}
    masked: set[int] = set()
    by_document = _mask_documents(documents, contribution, masked)
    by_chain = _mask_chains(contribution, list(links), masked)
    return Result(risks, links, chains, by_document, by_chain)


def _contributions(corpus: Incidence) -> tuple[dict[int, list[int]], list[dict[int, float]]]:
    """Return the documents of each entity, and relevance · u · w by document and entity."""
    rows = []
    for d in range(corpus.n_documents):
        at = slice(corpus.start[d], corpus.start[d + 1])
        rows.append(
            dict(zip(corpus.entity[at].tolist(), corpus.relevance[at].tolist(), strict=True))
        )
    holders = defaultdict(list)
    for d, row in enumerate(rows):
        for e in row:
            holders[e].append(d)
    n = len(rows)
    weight = corpus.weight.tolist()
    u = {e: log((n + 1) / len(ds)) / log(n + 1) for e, ds in holders.items()}
    return holders, [{e: r * u[e] * weight[e] for e, r in row.items()} for row in rows]


def _risk(contribution: dict[int, float], masked: set[int] | tuple[()]) -> float:
    kept = 1.0
    for e, c in contribution.items():
        if e not in masked:
            kept *= 1 - c
    return 1 - kept


def _strength(a: dict[int, float], b: dict[int, float], masked: set[int]) -> float:
    kept = 1.0
    for e, c in a.items():
        if e in b and e not in masked:
            kept *= 1 - max(c, b[e])
    return 1 - kept


def _hop(strength: float, left: float, right: float) -> float:
    return strength * (1 + (left + right) / 2) / 2


def _links(
    holders: dict[int, list[int]], contribution: list[dict[int, float]]
) -> dict[tuple[int, int], float]:
    kept: dict[tuple[int, int], float] = {}
    for e, documents in holders.items():
        for i, j in combinations(documents, 2):
            s = max(contribution[i][e], contribution[j][e])
            kept[i, j] = kept.get((i, j), 1.0) * (1 - s)
    return {pair: 1 - kept[pair] for pair in sorted(kept) if 1 - kept[pair] >= TAU - 1e-12}


def _mask_documents(
    holders: dict[int, list[int]], contribution: list[dict[int, float]], masked: set[int]
) -> list[int]:
    best = {e: max(contribution[d][e] for d in ds) for e, ds in holders.items()}
    chosen = []
    for row in contribution:
        order = sorted(row, key=lambda e: (-round(best[e], 12), -round(row[e], 12), e))
        for e in (e for e in order if e not in masked):
            if _risk(row, masked) < THETA_DOC - 1e-12:
                break
            masked.add(e)
            chosen.append(e)
    return chosen


def _mask_chains(
    contribution: list[dict[int, float]], links: list[tuple[int, int]], masked: set[int]
) -> list[int]:
    def chain_risk(pair: tuple[int, int]) -> float:
        a, b = contribution[pair[0]], contribution[pair[1]]
        return _hop(_strength(a, b, masked), _risk(a, masked), _risk(b, masked))

    before = {pair: chain_risk(pair) for pair in links}
    chosen = []
    for pair in sorted(links, key=lambda pair: (-round(before[pair], 12), pair)):
        risk = before[pair]
        if risk < MEDIUM - 1e-12 and risk <= THETA_CHAIN + 1e-12:
            continue
        rho = RHO_HIGH if risk >= HIGH - 1e-12 else RHO_MEDIUM if risk >= MEDIUM - 1e-12 else 1.0
        target = min(THETA_CHAIN, rho * risk) + 1e-12
        while (now := chain_risk(pair)) > target:
            gain = {}
            for e in sorted({*contribution[pair[0]], *contribution[pair[1]]} - masked):
                masked.add(e)
                gain[e] = round(now - chain_risk(pair), 12)
                masked.remove(e)
            best = max(gain, key=lambda e: gain[e], default=None)
            if best is None or gain[best] <= 0:
                break
            masked.add(best)
            chosen.append(best)
    return chosen
