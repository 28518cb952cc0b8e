"""Computes noisy-or, 1 − Π (1 − chance): the risk of several chances together.

The product is what the loops carry, as `kept`: the chance that nothing identifies. A risk is
1 − kept. Factors are multiplied in the order of the loop, so that the bits are the same everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.formulas.compiling import kernel

IN_WORDS = "1 − Π (1 − {})"
"""Noisy-or as reports print it."""

IN_SQL = {
    "z": "cast(round(least(-ln(greatest(1e0 - {0}, 1e-18)), 40e0) * {unit}) as bigint)",
    "risk": "(1e0 - exp(-cast({0} as double) / {unit}))",
}
"""Noisy-or as SQL text: `z` of each chance, and the risk of the sum of several z.

z = −ln(1 − chance) is counted in units of 1 / `unit`: a sum of whole numbers has the same bits in
any order. Who changes `kept_with` changes these texts, too.
"""


@kernel
def kept_with(kept: float, chance: float) -> float:
    """Return `kept` with one chance in [0, 1] more: kept · (1 − chance)."""
    return kept * (1.0 - chance)


@kernel
def kept_in_rows(begin: Any, entity: Any, share: Any, masked: Any) -> Any:
    """Return Π (1 − share) over the unmasked entities of each CSR row, 1 where there is none.

    A masked entity is a factor of 1: a branch that can't be foreseen costs more than to multiply.
    """
    kept = np.empty(len(begin) - 1)
    for row in range(len(kept)):
        product = 1.0
        for x in range(begin[row], begin[row + 1]):
            product = kept_with(product, share[x] * (not masked[entity[x]]))
        kept[row] = product
    return kept


def noisy_or(chances: Any) -> float:
    """Return 1 − Π (1 − chance) of some chances in [0, 1], 0 where there is none."""
    kept = 1.0
    for chance in chances:
        kept = kept_with(kept, chance)
    return 1.0 - kept
