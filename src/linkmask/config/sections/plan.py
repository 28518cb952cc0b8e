"""Settings of `[plan]`: the floor, the limits and the solver."""

from __future__ import annotations

from typing import Literal

import msgspec

from linkmask.config.sections.policy import PolicySettings
from linkmask.config.sections.ranges import Count, Positive, Unit
from linkmask.schema import words


class PlanSettings(PolicySettings, frozen=True, kw_only=True):
    """All settings up to those of `[plan]`."""

    floor: tuple[str, ...] = tuple(words("forms")["traits"]["floor"])
    """Types that are masked whatever the risk."""
    generalize: dict[str, str] = msgspec.field(
        default_factory=lambda: dict(words("forms")["generalize"])
    )
    """Types whose values are always written coarser in texts about a person, each with the
    technique for it (`value`: as its type). Only style `value` writes coarser; other styles write
    these values like any other. A value that is already as coarse is masked only where a limit
    requires it."""
    always_mask: tuple[str, ...] = ()
    """Ids of entities that are always masked, by a user's decision. `plan --mask` takes values."""
    never_mask: tuple[str, ...] = ()
    """Ids of entities that are never masked, by a user's decision. `plan --keep` takes values."""
    theta_doc: Unit = 0.95
    """Limit for documents. The risk of each document must be below it."""
    theta_chain: Unit = 0.5
    """Limit for chains. The risk of each chain must not be above it."""
    rho_high: Unit = 0.5
    """Share of its risk that a HIGH chain may keep."""
    rho_medium: Unit = 0.7
    """Share of its risk that a MEDIUM chain may keep."""
    solver: str = "cover"
    """Solver of the chain stage."""
    cost: Literal["count", "mentions", "utility"] = "count"
    """What `cover` and `exact` keep small. `count`: the number of masked entities. `mentions`: the
    number of documents that are rewritten. `utility`: each masked value counts once per document,
    the more the less it identifies the person (1 − relevance × weight)."""
    doc_order: Literal["ingest", "risk_desc"] = "ingest"
    """Order in which the document stage treats the documents. `ingest`: as they are read.
    `risk_desc`: the riskiest first."""
    chain_candidates: Literal["documents", "via"] = "documents"
    """Which entities may be masked for a chain. `documents`: all entities of its documents. `via`:
    only those that its documents share."""
    knapsack_scale: Positive = 1000
    """Steps per unit of risk in the solver `knapsack`."""
    knapsack_candidates: Positive = 64
    """Maximum number of entities of a chain that the solver `knapsack` considers."""
    exact_gap: Unit = 0.0
    """`exact` stops when (best − bound) / best is at most this. `best` is the cost of the best plan
    found, and `bound` the proven lower bound."""
    exact_rounds: Positive = 200
    """Largest number of rounds of `exact`. Then it stops, even if nothing is proven."""
    chain_budget: Positive = 5_000_000
    """Largest number of chains that are listed. If there are more, solvers that need the whole list
    refuse to run."""

    link_limit: Unit = 1.0
    """Limit for the linker: the largest probability with which the document nearest to a released
    one may be about the same person ([certificate](linkage.md#the-certificate)). With 1 there is no
    limit."""
    link_candidates: Positive = 1
    """The same limit as a number of candidates: each person must be hidden among at least this
    many. 5 candidates mean `link_limit = 0.2`. If both are set, the stricter one counts."""
    measure_up_to: Count = 100_000
    """Largest number of documents for which linkmask estimates, after masking, how often the linker
    finds another document of the same person
    ([certificate](linkage.md#the-certificate)). If a limit for the linker is set, this is estimated
    for a corpus of any size."""
