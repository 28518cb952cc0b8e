"""The method read aloud: formulas.md §4–9 in dicts and loops, the reference for random corpora.

Nothing here is shared with the package and nothing is fast: a document is a dict from entity to
relevance, M is a set of masked entities, and each function is one paragraph of the page.
Where the page leaves a tie to ids, numbers that agree to twelve digits are a tie, and
what is equal to a limit on paper is equal to it here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import ceil, floor, log

Masked = Collection[int]
Path = tuple[int, ...]
Select = Callable[[Sequence[int], Callable[[Masked], float], float], list[int]]


@dataclass
class Corpus:
    """Documents as {entity: relevance}, and the weight of each entity's type, all in [0, 1]."""

    documents: list[dict[int, float]]
    weight: dict[int, float]
    u: dict[int, float] = field(init=False)

    def __post_init__(self) -> None:
        self.u = uniqueness(self)


@dataclass
class Policy:
    """The parameters of formulas.md §11.1."""

    edge_threshold: float = 0.5
    link_contained: bool = True
    chain_length: int = 2
    high: float = 0.75
    medium: float = 0.5
    theta_doc: float = 0.95
    doc_order: str = "ingest"
    theta_chain: float = 0.5
    rho_high: float = 0.5
    rho_medium: float = 0.7
    chain_candidates: str = "documents"
    scale: int = 1000
    limit: int = 64


def tie(x: float) -> float:
    """What a comparison that may end in a tie looks at."""
    return round(x, 12)


def at_least(x: float, bound: float) -> bool:
    """x ≥ bound, up to rounding noise."""
    return x >= bound - 1e-12


def at_most(x: float, bound: float) -> bool:
    """x ≤ bound, up to rounding noise."""
    return x <= bound + 1e-12


# ── §4, §5: uniqueness and document risk ──────────────────────────────────────────────────────────


def uniqueness(corpus: Corpus) -> dict[int, float]:
    """§4: u(e) = log((N+1)/freq_e) / log(N+1), once, whatever is masked later."""
    n = len(corpus.documents)
    u = {}
    for e in sorted({e for document in corpus.documents for e in document}):
        freq = sum(e in document for document in corpus.documents)
        u[e] = log((n + 1) / freq) / log(n + 1)
    return u


def contribution(corpus: Corpus, e: int, d: int) -> float:
    """§5: c(e,d) = rel(e,d) · u(e) · w(type(e))."""
    return corpus.documents[d][e] * corpus.u[e] * corpus.weight[e]


def document_risk(corpus: Corpus, d: int, masked: Masked = ()) -> float:
    """§5: R(d) = 1 − Π (1 − c(e,d)) over the entities of d that are not masked."""
    product = 1.0
    for e in sorted(corpus.documents[d]):
        if e not in masked:
            product *= 1 - contribution(corpus, e, d)
    return 1 - product


# ── §6.1: graph ───────────────────────────────────────────────────────────────────────────────────


def edge_strength(corpus: Corpus, di: int, dj: int, masked: Masked = ()) -> float:
    """§6.1: 1 − Π (1 − s_e), with s_e = max(rel(e,di), rel(e,dj)) · u(e) · w(type(e))."""
    product = 1.0
    for e in sorted(set(corpus.documents[di]) & set(corpus.documents[dj])):
        if e not in masked:
            s = max(contribution(corpus, e, di), contribution(corpus, e, dj))
            product *= 1 - s
    return 1 - product


def links(
    corpus: Corpus, threshold: float, link_contained: bool = True
) -> dict[tuple[int, int], float]:
    """§6.2: documents that share an entity, with strength at or above the threshold.

    Unless `link_contained`, each must have an entity of some weight that the other lacks (§6.4).
    """
    found = {}
    for di, dj in combinations(range(len(corpus.documents)), 2):
        one, two = ({e for e in corpus.documents[d] if corpus.weight[e] > 0} for d in (di, dj))
        if not link_contained and (one <= two or two <= one):
            continue
        if set(corpus.documents[di]) & set(corpus.documents[dj]):
            strength = edge_strength(corpus, di, dj)
            if at_least(strength, threshold):
                found[di, dj] = strength
    return found


# ── §7.1 - §7.3: chains, their risk and category ──────────────────────────────────────────────────


def chain_risk(corpus: Corpus, path: Path, masked: Masked = ()) -> float:
    """§7.2: 1 − Π (1 − hop_risk), hop_risk = edge_strength · (1 + (R(di)+R(dj))/2) / 2."""
    product = 1.0
    for di, dj in pairwise(path):
        mean = (document_risk(corpus, di, masked) + document_risk(corpus, dj, masked)) / 2
        hop = edge_strength(corpus, di, dj, masked) * (1 + mean) / 2
        product *= 1 - hop
    return 1 - product


def simple_paths(edges: Collection[tuple[int, int]], chain_length: int) -> list[Path]:
    """§7.1: every simple path of 2 to CL documents, once, written from its smaller end."""
    near: dict[int, list[int]] = {}
    for di, dj in edges:
        near.setdefault(di, []).append(dj)
        near.setdefault(dj, []).append(di)
    found: list[Path] = []
    growing: list[Path] = [(d,) for d in near]
    while growing:
        path = growing.pop()
        longer = [(*path, d) for d in near[path[-1]] if d not in path]
        found += [p for p in longer if p[0] < p[-1]]
        growing += [p for p in longer if len(p) < chain_length]
    return sorted(found)


def chains(
    corpus: Corpus, threshold: float, chain_length: int, link_contained: bool = True
) -> dict[Path, float]:
    """§7.1: the risk of every path over the links before masking (§9.1), riskiest first."""
    paths = simple_paths(links(corpus, threshold, link_contained), chain_length)
    found = {path: chain_risk(corpus, path) for path in paths}
    return dict(sorted(found.items(), key=lambda entry: (-tie(entry[1]), entry[0])))


def category(risk: float, policy: Policy) -> str:
    """§7.3: HIGH ≥ 0.75, MEDIUM ≥ 0.5, else LOW."""
    if at_least(risk, policy.high):
        return "HIGH"
    return "MEDIUM" if at_least(risk, policy.medium) else "LOW"


# ── §8: document-level masking ────────────────────────────────────────────────────────────────────


def document_stage(corpus: Corpus, policy: Policy, masked: Masked = ()) -> list[int]:
    """§8: the entities masked, in order; `masked` are those the dictionary held before."""
    chosen: list[int] = []

    def dictionary() -> set[int]:
        return set(masked) | set(chosen)

    def s(e: int) -> float:
        return max(contribution(corpus, e, d) for d, doc in enumerate(corpus.documents) if e in doc)

    order = list(range(len(corpus.documents)))
    if policy.doc_order == "risk_desc":
        order.sort(key=lambda d: (-tie(document_risk(corpus, d, dictionary())), d))
    for d in order:
        while at_least(document_risk(corpus, d, dictionary()), policy.theta_doc):
            left = [e for e in corpus.documents[d] if e not in dictionary()]
            if not left:
                break
            rank = {e: (-tie(s(e)), -tie(contribution(corpus, e, d)), e) for e in left}
            chosen.append(min(left, key=rank.__getitem__))
    return chosen


# ── §9.1: which chains, which target ──────────────────────────────────────────────────────────────


@dataclass
class Treatment:
    """One chain of the chain stage: risk and category at its start, target, entities chosen."""

    path: Path
    before: float
    category: str
    target: float
    chosen: list[int] = field(default_factory=list)


def targets(corpus: Corpus, policy: Policy, masked: Masked) -> list[Treatment]:
    """§9.1: HIGH, MEDIUM and any other chain above θ_chain, riskiest first, ties by documents."""
    rho = {"HIGH": policy.rho_high, "MEDIUM": policy.rho_medium, "LOW": 1.0}
    listed = []
    linked = policy.edge_threshold, policy.chain_length, policy.link_contained
    for path in chains(corpus, *linked):
        before = chain_risk(corpus, path, masked)
        level = category(before, policy)
        if level != "LOW" or not at_most(before, policy.theta_chain):
            target = min(policy.theta_chain, rho[level] * before)
            listed.append(Treatment(path, before, level, target))
    return sorted(listed, key=lambda t: (-tie(t.before), t.path))


def candidates(corpus: Corpus, policy: Policy, path: Path, masked: Masked) -> list[int]:
    """§7.1: the unmasked entities of the chain's documents, or only those its edges share."""
    found: set[int] = set()
    for di, dj in pairwise(path):
        a, b = set(corpus.documents[di]), set(corpus.documents[dj])
        found |= (a | b) if policy.chain_candidates == "documents" else (a & b)
    return sorted(found - set(masked))


def chain_stage(
    corpus: Corpus, policy: Policy, masked: Masked, select: Select
) -> tuple[list[int], list[Treatment]]:
    """§9.1: the entities masked, in order, and each chain above policy with what it took."""
    chosen: list[int] = []
    treated = targets(corpus, policy, masked)
    for chain in treated:
        current = set(masked) | set(chosen)

        def risk(more: Masked, path: Path = chain.path, held: set[int] = current) -> float:
            return chain_risk(corpus, path, held | set(more))

        if not at_most(risk(()), chain.target):
            options = candidates(corpus, policy, chain.path, current)
            chain.chosen = select(options, risk, chain.target)
            chosen += chain.chosen
    return chosen, treated


# ── §9.4 - §9.6: greedy, knapsack, exhaustive ─────────────────────────────────────────────────────


def impacts(
    options: Sequence[int], risk: Callable[[Masked], float], held: Masked
) -> dict[int, float]:
    """§9.4: what masking each entity next would take off the chain's risk, where it is positive."""
    now = risk(held)
    found = {e: now - risk({*held, e}) for e in options if e not in held}
    return {e: impact for e, impact in found.items() if impact > 0}


def greedy(options: Sequence[int], risk: Callable[[Masked], float], target: float) -> list[int]:
    """§9.5: the largest impact, again and again, until the rule holds or nothing helps."""
    return list(_greedy(options, risk, target))


def _greedy(
    options: Sequence[int], risk: Callable[[Masked], float], target: float
) -> dict[int, float]:
    chosen: dict[int, float] = {}
    while not at_most(risk(set(chosen)), target):
        gain = impacts(options, risk, set(chosen))
        if not gain:
            break
        best = min(gain, key=lambda e: (-tie(gain[e]), e))
        chosen[best] = gain[best]
    return chosen


def knapsack(
    options: Sequence[int],
    risk: Callable[[Masked], float],
    target: float,
    policy: Policy | None = None,
) -> list[int]:
    """§9.6 with its completion; the set in the order of descending impact."""
    policy = policy or Policy()
    chosen: dict[int, float] = {}
    while not at_most(risk(set(chosen)), target):
        gain = impacts(options, risk, set(chosen))
        if not gain:
            break
        ranked = sorted(gain, key=lambda e: (-tie(gain[e]), e))
        items = sorted(ranked[: policy.limit])
        need = risk(set(chosen)) - target
        # (a) the least set whose impacts sum to the need, or (b) one greedy step
        picked = least_set(items, gain, need, policy.scale) or ranked[:1]
        chosen.update({e: gain[e] for e in picked})
    by_sum = drop(chosen, risk, target)
    by_step = drop(_greedy(options, risk, target), risk, target)
    smaller = len(by_step) < len(by_sum) and at_most(risk(set(by_step)), target)
    return by_step if smaller else by_sum  # (c)


def least_set(items: list[int], gain: dict[int, float], need: float, scale: int) -> list[int]:
    """§9.6: the fewest items with Σ floor(impact · S) ≥ ceil(need · S); [] where none suffice.

    Ties: larger summed impact, then ids. The dynamic programme's answer, by trying every set.
    """
    value = {e: floor(round(gain[e] * scale, 9)) for e in items}
    required = max(1, ceil(round(need * scale, 9)))
    for size in range(1, len(items) + 1):
        enough = [c for c in combinations(items, size) if sum(value[e] for e in c) >= required]
        if enough:
            return list(min(enough, key=lambda c: (-sum(round(gain[e] * 1e12) for e in c), c)))
    return []


def drop(chosen: dict[int, float], risk: Callable[[Masked], float], target: float) -> list[int]:
    """§9.6 (a): give back members, smallest impact first, while the rule still holds."""
    kept = sorted(chosen, key=lambda e: (-tie(chosen[e]), e))
    for e in reversed(list(kept)):
        rest = [other for other in kept if other != e]
        if at_most(risk(set(rest)), target):
            kept = rest
    return kept


def smallest(options: Sequence[int], risk: Callable[[Masked], float], target: float) -> list[int]:
    """§9.6: the least set that meets the target, by trying every set in order of size."""
    for size in range(len(options) + 1):
        for choice in combinations(options, size):
            if at_most(risk(set(choice)), target):
                return list(choice)
    return []


def smallest_plan(corpus: Corpus, policy: Policy, masked: Masked) -> list[int]:
    """The least set of further entities with which every chain meets its target at once."""
    treated = targets(corpus, policy, masked)
    options = sorted(
        {e for t in treated for e in candidates(corpus, policy, t.path, masked)},
    )
    for size in range(len(options) + 1):
        for choice in combinations(options, size):
            held = set(masked) | set(choice)
            if all(at_most(chain_risk(corpus, t.path, held), t.target) for t in treated):
                return list(choice)
    return []
