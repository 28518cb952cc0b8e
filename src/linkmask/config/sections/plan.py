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
    """Types that are always masked."""
    generalize: dict[str, str] = msgspec.field(
        default_factory=lambda: dict(words("forms")["generalize"])
    )
    """Types that are always masked in texts about a person, each with its
    [technique](policy.md#techniques). `value` writes the name of the type. If the setting
    [`style`](#redact) is not `value`, all these types are masked whole in that style."""
    always_mask: tuple[str, ...] = ()
    """Ids of entities that are always masked. For values, use `linkmask plan --mask`."""
    never_mask: tuple[str, ...] = ()
    """Ids of entities that are never masked. For values, use `linkmask plan --keep`."""
    theta_doc: Unit = 0.95
    """Limit for documents: each risk must be below it."""
    theta_chain: Unit = 0.5
    """Limit for chains: no risk may be above it."""
    rho_high: Unit = 0.5
    """Share of its risk that a HIGH chain may keep."""
    rho_medium: Unit = 0.7
    """Share of its risk that a MEDIUM chain may keep."""
    solver: str = "cover"
    """Solver of the [chain stage](plan.md#the-chain-stage)."""
    cost: Literal["count", "mentions", "utility"] = "count"
    """What `cover` and `exact` [keep small](plan.md#the-chain-stage): the number of masked
    entities, the number of documents that contain them, or the loss of utility."""
    questions: str = ""
    """JSONL file of questions with their answers. Values in an answer are
    [masked last](plan.md#to-keep-answers)."""
    doc_order: Literal["ingest", "risk_desc"] = "ingest"
    """Order of the document stage: as documents are read, or the riskiest first."""
    chain_candidates: Literal["documents", "via"] = "documents"
    """Entities that may be masked for a chain: those of its documents, or only those that link the
    documents."""
    knapsack_scale: Positive = 1000
    """Number of steps into which `knapsack` divides the risks from 0 to 1."""
    knapsack_candidates: Positive = 64
    """Largest number of entities of a chain that `knapsack` considers."""
    exact_gap: Unit = 0.0
    """`exact` stops when its result is this near to the lower bound: (result − bound) / result."""
    exact_rounds: Positive = 200
    """Largest number of rounds of `exact`."""
    chain_budget: Positive = 5_000_000
    """Largest number of chains that are listed. With more, only the solver `cover` works."""

    link_limit: Unit = 1.0
    """Limit for the probability that an attacker, given a document, finds another one about the
    same person ([certificate](linkage.md#the-certificate)). In documents above it, further words
    are masked. If a document stays above it, the exit status is 2. 1 means no limit."""
    link_candidates: Positive = 1
    """The same limit, as a number of persons to choose from: 5 means `link_limit = 0.2`. The
    stricter limit counts."""
    measure_up_to: Count = 100_000
    """Largest number of documents for which a [certificate](linkage.md#the-certificate) is made.
    With `link_limit` or `link_candidates`, there is always one."""
