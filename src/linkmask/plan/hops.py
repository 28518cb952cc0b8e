"""Chains as hops, hops as the entities they share: what the chain stage computes with.

Every risk of a chain under any mask comes from these tables and the document risks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkmask.formulas import fast, hop_risk, in_parts, kernel


class Hops(NamedTuple):
    """The hops of chains, and the unmasked entities that each hop shares.

    `of[c]` lists the hops of chain c, padded with −1. Hop h shares the entities
    `entity[begin[h]:begin[h + 1]]`, ascending; `share` is the s_e of SPEC §6.3.
    """

    of: Any
    begin: Any
    entity: Any
    share: Any


@kernel
def kept_by(hops: Hops, masked: Any, hop: int) -> float:
    """Return 1 − edge strength of a hop under a mask."""
    kept = 1.0
    for x in range(hops.begin[hop], hops.begin[hop + 1]):
        if not masked[hops.entity[x]]:
            kept *= 1.0 - hops.share[x]
    return kept


@kernel
def risk_along(hops: Hops, documents: Any, masked: Any, risks: Any, c: int) -> float:
    """Return the risk of chain c under a mask, given the documents' risks (SPEC §6.5).

    Like all that runs once per chain it calls nothing that takes arrays and leaves no loop early:
    else compiled code counts references to them, which threads then wait for.
    """
    left = 1.0
    for k in range(hops.of.shape[1]):
        h = hops.of[c, k]
        if h >= 0:
            kept = 1.0
            for x in range(hops.begin[h], hops.begin[h + 1]):
                if not masked[hops.entity[x]]:
                    kept *= 1.0 - hops.share[x]
            i, j = documents[c, k], documents[c, k + 1]
            left *= 1.0 - hop_risk(1.0 - kept, risks[i], risks[j])
    return 1.0 - left


def risks_along(hops: Hops, documents: Any, masked: Any, risks: Any, work: int) -> Any:
    """Return the risk of every chain under a mask."""
    loop = fast(_risks_along, work)

    def part(a: int, b: int) -> Any:
        return loop(hops._replace(of=hops.of[a:b]), documents[a:b], masked, risks)

    return np.concatenate(in_parts(part, len(documents), work))


@kernel
def _risks_along(hops: Hops, documents: Any, masked: Any, risks: Any) -> Any:
    found = np.empty(len(documents))
    for c in range(len(documents)):
        found[c] = risk_along(hops, documents, masked, risks, c)
    return found
