"""Chooses for all chains at once: in rounds of votes, then by reverse delete (formulas.md §9.7).

One chain after another masks 10 to 29 % more than the smallest set, because a chain's best entity
is often not the one that helps most chains. Here every chain above its target votes for the
entity that brings most chains down, of equals for the one that stands in the fewest documents;
what wins enough of its votes is masked; a few rounds of that meet every target. Reverse delete then
unmasks the entities that others have made needless.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    SLACK,
    counts_of,
    document_risks_of,
    fast,
    hop_risk,
    in_parts,
    kept_in_rows,
    kept_with,
    kernel,
    order_keys,
)
from linkmask.plan.chains import ChainStage, Choice
from linkmask.plan.hops import Hops, risks_along
from linkmask.plan.reverse_delete import unmask_needless
from linkmask.records import Flags, Floats, Ints

SHARE = 0.1
"""An entity is masked in a round if the chains that vote for it are this share of its total help. A
smaller share masks several entities where one would do; a larger one takes more rounds."""

NEEDS_ALL_CHAINS = False
"""Where chains of three and four documents are too many to be listed, `choosing` adds what they
need to the choice for those of two."""

BATCH = 256
"""Chains that are looked at together."""


@dataclass(frozen=True, slots=True)
class Cover:
    """The chain stage in arrays by which all chains are treated together."""

    stage: ChainStage
    rank: Ints
    """Place of each of `hops.entities` among all, those in the fewest documents first."""

    @classmethod
    def of(cls, stage: ChainStage) -> Cover:
        """Lay out a stage."""
        shared = stage.hops.entities
        documents = counts_of(stage.rows.entity, len(stage.masked))[shared]
        rank = np.empty(len(shared), dtype=np.int32)
        rank[np.argsort(documents, kind="stable")] = np.arange(len(shared), dtype=np.int32)
        return cls(stage, rank)

    def above(self, masked: Flags) -> Ints:
        """Return the numbers of the chains that a mask leaves above target."""
        found: Ints = self._above(masked, np.arange(len(self.stage)))[0]
        return found

    def _above(self, masked: Flags, among: Any) -> tuple[Any, Any]:
        """Return those of some chains that a mask leaves above target, and document risks."""
        stage, work = self.stage, self.stage.work
        risks = document_risks_of(stage.rows, masked)
        left = risks_along(stage.hops, stage.documents, masked, risks, work, among)
        return among[left > stage.target[among] + SLACK], risks

    def _at_first(self, masked: Flags) -> tuple[Any, Any]:
        """Return `_above` for all chains; cached as long as the stage has masked nothing."""
        stage = self.stage
        if not np.array_equal(masked, stage.masked):
            return self._above(masked, np.arange(len(stage)))
        alive = np.flatnonzero(stage.before > stage.target + SLACK)
        return alive, document_risks_of(stage.rows, masked)

    def rounds(self, masked: Flags) -> tuple[Ints, Floats, Ints]:
        """Mask by votes until every chain meets its target; `masked` is updated in place.

        Returns:
            Entities in order of choice, the sum of the drops in risk for the chains that voted
            for each, and how many voted.
        """
        none = np.zeros(0, dtype=np.int32)
        picked: list[tuple[Ints, Floats, Ints]] = [(none, np.zeros(0), none)]
        alive, risks = self._at_first(masked)
        while len(alive):
            chosen, gain, votes = self._vote_round(masked, risks, alive)
            if not len(chosen):
                break
            masked[chosen] = True
            order = np.argsort(-order_keys(gain), kind="stable")
            picked.append((chosen[order], gain[order], votes[order]))
            alive, risks = self._above(masked, alive)
        entities, gains, served = (np.concatenate(column) for column in zip(*picked, strict=True))
        return entities, gains, served

    def _vote_round(self, masked: Flags, risks: Any, alive: Any) -> tuple[Ints, Floats, Ints]:
        """Hold one round; return the winners ascending, with summed drops in risk and votes."""
        stage, work = self.stage, self.stage.work
        shared = stage.hops.entities
        given = stage.hops, stage.documents, stage.target, masked[shared], risks
        cost = stage.cost[shared]
        count, vote = fast(_scores, work), fast(_votes, work)
        score = sum(in_parts(lambda a, b: count(*given, alive[a:b]), len(alive), work))
        arrays = score, cost, self.rank
        ballots = in_parts(lambda a, b: vote(*given, alive[a:b], *arrays), len(alive), work)
        won, gain, votes = (sum(column) for column in zip(*ballots, strict=True))
        chosen = np.flatnonzero((votes > 0) & (won >= SHARE * score))
        return shared[chosen], gain[chosen], votes[chosen]

    def gains(self, masked: Flags, entities: Ints) -> tuple[Floats, Ints]:
        """Return, for each entity of a mask, the risk that would return if it alone were unmasked.

        The risk is summed over the chains that share it; their number is returned, too.
        """
        stage, work = self.stage, self.stage.work
        risks = document_risks_of(stage.rows, masked)
        shared = stage.hops.entities
        found = fast(_gains, work)(stage.hops, stage.documents, masked[shared], risks)
        gain, served = np.zeros(len(masked)), np.zeros(len(masked), dtype=np.int32)
        gain[shared], served[shared] = found
        return gain[entities], served[entities]

    def repair(self, masked: Flags) -> Flags:
        """Extend a mask until it meets every target, then unmask what is needless; return it.

        What the earlier stages masked stays masked.
        """
        mask = masked.copy()
        self.rounds(mask)
        unmask_needless(
            self.stage, mask, self.dearest_first(np.flatnonzero(mask & ~self.stage.masked))
        )
        return mask

    def dearest_first(self, entities: Any) -> Any:
        """Order entities for reverse delete: by falling cost, then by rising number of chains."""
        hops, chains = self.stage.hops, np.zeros(len(self.stage.masked), dtype=np.int32)
        chains[hops.entities] = counts_of(hops.entity, len(hops.entities))
        return entities[np.lexsort((entities, chains[entities], -self.stage.cost[entities]))]


def solve(stage: ChainStage, settings: Settings) -> Choice:
    """Mask a small set that meets every chain's target, all chains together.

    Returns:
        Entities in order of choice; the gain of each is the drop in risk summed over the chains
        that voted for it. No bound is proven; measured, 0 to 3 % above the smallest set.

    Notes:
        A few passes over chains and their shared entities: linear in practice.

    References:
        formulas.md §9.7. Reverse delete: D. Williamson, "The primal-dual method for approximation
        algorithms", Mathematical Programming 91 (2002).
    """
    plan = Cover.of(stage)
    masked = stage.masked.copy()
    entities, gain, served = plan.rounds(masked)
    unmask_needless(stage, masked, plan.dearest_first(entities))
    kept = masked[entities]
    return Choice(entities[kept], gain[kept], served[kept])


@kernel
def _scratch(hops: Hops) -> tuple[Any, Any, Any, Any]:
    """Return room for what `_drops` finds in a batch of chains."""
    widest = 0
    for h in range(len(hops.begin) - 1):
        widest = max(widest, hops.begin[h + 1] - hops.begin[h])
    room = BATCH * int(widest) * hops.of.shape[1]
    who, drop = np.empty(room, dtype=np.int32), np.empty(room)
    return who, drop, np.zeros(BATCH + 1, dtype=np.int64), np.empty(BATCH)


@kernel
def _scores(hops: Hops, documents: Any, target: Any, masked: Any, risks: Any, alive: Any) -> Any:
    """Return how much each entity could help the chains alive.

    It helps a chain by the drop in risk it brings, in units of what the chain must lose.
    """
    score = np.zeros(len(masked))
    found = _scratch(hops)
    who, drop, begin, excess = found
    for first in range(0, len(alive), BATCH):
        batch = alive[first : first + BATCH]
        _drops(hops, documents, target, masked, risks, batch, found)
        for q in range(len(batch)):
            for k in range(begin[q], begin[q + 1]):
                score[who[k]] += min(1.0, drop[k] / excess[q])
    return score


@kernel
def _votes(
    hops: Hops, documents: Any, target: Any, masked: Any, risks: Any, alive: Any, score: Any,
    cost: Any, rank: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Let each chain alive vote for its best entity; return help, drops in risk and votes won."""
    won, gain = np.zeros(len(masked)), np.zeros(len(masked))
    votes = np.zeros(len(masked), dtype=np.int32)
    found = _scratch(hops)
    who, drop, begin, excess = found
    for first in range(0, len(alive), BATCH):
        batch = alive[first : first + BATCH]
        _drops(hops, documents, target, masked, risks, batch, found)
        for q in range(len(batch)):
            best = -1
            for k in range(begin[q], begin[q + 1]):
                if best >= 0:  # more worth for its cost; of equals the one in fewer documents
                    e, f = who[k], who[best]
                    a, b = score[e] * cost[f], score[f] * cost[e]
                if best < 0 or a > b or (a == b and rank[e] < rank[f]):
                    best = k
            if best >= 0:
                won[who[best]] += min(1.0, drop[best] / excess[q])
                gain[who[best]] += drop[best]
                votes[who[best]] += 1
    return won, gain, votes


@kernel
def _drops(
    hops: Hops, documents: Any, target: Any, masked: Any, risks: Any, batch: Any, found: Any
) -> None:
    """Fill in what the shared entities of each chain bring: `who`, and the `drop` in its risk.

    Those of the q-th chain lie from `begin[q]` to `begin[q + 1]`; it must lose `excess[q]`. Edges
    react exactly; what the mask does to the document risks beside is small and left to the next
    round. Many chains a call: to be called takes longer than to look at one.
    """
    who, drop, begin, excess = found
    last = hops.of.shape[1]
    kept = np.empty(last)
    n = 0
    for q in range(len(batch)):
        c = batch[q]
        product = 1.0
        for k in range(last):
            h = hops.of[c, k]
            if h >= 0:
                kept[k] = 1.0
                for x in range(hops.begin[h], hops.begin[h + 1]):
                    kept[k] = kept_with(kept[k], hops.share[x] * (not masked[hops.entity[x]]))
                hop = hop_risk(1.0 - kept[k], risks[documents[c, k]], risks[documents[c, k + 1]])
                product = kept_with(product, hop)
        for k in range(last):
            h = hops.of[c, k]
            first, end = (hops.begin[h], hops.begin[h + 1]) if h >= 0 else (0, 0)
            for x in range(first, end):
                e = hops.entity[x]
                is_masked = masked[e]
                for m in range(begin[q] if k else n, n):  # a hop lists an entity once
                    is_masked = is_masked or who[m] == e
                if not is_masked:
                    after = 1.0
                    for g in range(last):
                        other = hops.of[c, g]
                        if other >= 0:
                            factor = 1.0 - hops.share[x] if g == k else 1.0
                            for y in range(
                                hops.begin[other], hops.begin[other + 1] if g != k else 0
                            ):
                                if hops.entity[y] == e:
                                    factor = 1.0 - hops.share[y]
                            # Never divided by 0: what is shared has u < 1.
                            strength = 1.0 - kept[g] / factor
                            i, j = documents[c, g], documents[c, g + 1]
                            after = kept_with(after, hop_risk(strength, risks[i], risks[j]))
                    who[n] = e
                    drop[n] = after - product
                    n += 1
        begin[q + 1] = n
        excess[q] = 1.0 - product - target[c]


@kernel
def _gains(hops: Hops, documents: Any, masked: Any, risks: Any) -> tuple[Any, Any]:
    gain, served = np.zeros(len(masked)), np.zeros(len(masked), dtype=np.int32)
    kept = kept_in_rows(hops.begin, hops.entity, hops.share, masked)
    for c in range(len(documents)):
        for k in range(hops.of.shape[1]):
            h = hops.of[c, k]
            if h < 0:
                break
            strength = 1.0 - kept[h]
            i, j = risks[documents[c, k]], risks[documents[c, k + 1]]
            for x in range(hops.begin[h], hops.begin[h + 1]):
                e = hops.entity[x]
                if masked[e]:
                    more = 1.0 - kept_with(1.0 - strength, hops.share[x])
                    gain[e] += hop_risk(more, i, j) - hop_risk(strength, i, j)
                    served[e] += 1
    return gain, served
