"""Turns chains into hops, and hops into the entities they share, for the chain stage.

Every risk of a chain under any mask comes from these tables and the document risks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkmask.formulas import fast, hop_risk, in_column, kept_with, kernel


class Hops(NamedTuple):
    """The hops of chains, and the unmasked entities that each hop shares.

    `of[c]` lists the hops of chain c, padded with −1. Hop h shares the entities
    `entities[entity[begin[h]:begin[h + 1]]]`, ascending; `share` is the s_e of formulas.md §6.1.
    `entities`, ascending, are those that documents share: they are few, so that tables by `entity`
    fit into the processor's cache.
    """

    of: Any
    begin: Any
    entity: Any
    share: Any
    entities: Any


def risks_along(
    hops: Hops, documents: Any, masked: Any, risks: Any, work: int, among: Any = None
) -> Any:
    """Return the risk of chains under a mask, given the documents' risks (formulas.md §7.2).

    Of all chains, or of those numbered by `among`.
    """
    among = np.arange(len(documents)) if among is None else among
    loop, hidden = fast(_risks_along, work), masked[hops.entities]
    return in_column(
        lambda a, b: loop(hops, documents, hidden, risks, among[a:b]), len(among), work
    )


@kernel
def _risks_along(hops: Hops, documents: Any, masked: Any, risks: Any, among: Any) -> Any:
    """Return the risks of some chains.

    What runs once per chain calls nothing that takes arrays: else compiled code counts references
    to them, which takes longer than the work itself.
    """
    found = np.empty(len(among))
    for q in range(len(among)):
        c = among[q]
        product = 1.0
        for k in range(hops.of.shape[1]):
            h = hops.of[c, k]
            if h >= 0:
                i, j = documents[c, k], documents[c, k + 1]
                kept = 1.0
                for x in range(hops.begin[h], hops.begin[h + 1]):
                    if not masked[hops.entity[x]]:
                        kept = kept_with(kept, hops.share[x])
                product = kept_with(product, hop_risk(1.0 - kept, risks[i], risks[j]))
        found[q] = 1.0 - product
    return found
