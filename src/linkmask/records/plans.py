"""Defines a plan: the entities that are masked, why, and what is proven about their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from linkmask.records.arrays import Flags, Floats, Ints

Stage = Literal["floor", "document", "chain", "decided"]
"""What chose an entity: a rule, a document's limit, a chain's limit, or a person or an earlier
edition beside these three."""
STAGES: tuple[Stage, ...] = get_args(Stage)


@dataclass(frozen=True, slots=True)
class PlanSize:
    """How many entities the chain stage masked, and what is proven about that number.

    `lower_bound`: no set that meets every chain's target is smaller (given the earlier stages);
    0 where nothing is proven. `proven`: the set is minimal.
    """

    masked: int
    lower_bound: int
    proven: bool
    solver: str


@dataclass(frozen=True, slots=True)
class TreatedChains:
    """Chains over a limit when the chain stage began: documents (padded −1), risks, target, met.

    `before`: at the start of the chain stage; `after`: with the whole plan. `level` indexes
    `("HIGH", "MEDIUM", "LOW")` at the start of the stage. `reason[i]` is empty where met. If there
    are too many `Chains` to list, chains of three and four documents stand here only if they are
    not met, and `complete` is False if there may be more of these.
    """

    documents: Ints
    before: Floats
    after: Floats
    target: Floats
    level: NDArray[np.int8]
    met: Flags
    reason: Mapping[int, str] = field(default_factory=dict)
    complete: bool = True

    def __len__(self) -> int:
        return len(self.before)


@dataclass(frozen=True, slots=True)
class Plan:
    """The masked set: entity numbers in order of choice, with stage, gain and chains served.

    `stage[i]` is the stage of `masked[i]`; `gain[i]` ≥ 0 the drop in risk it brought when chosen
    (sum over the documents or chains it was chosen for); `served[i]` how many of them.
    `before`, `after`: document risks. `unmet_documents`: numbers still at or above the limit.
    """

    masked: Ints
    stage: Sequence[Stage]
    gain: Floats
    served: Ints
    before: Floats
    after: Floats
    chains: TreatedChains
    size: PlanSize
    unmet_documents: Ints

    @property
    def met(self) -> bool:
        """True when every document and every chain is under its limit."""
        return bool(self.chains.met.all()) and not len(self.unmet_documents)
