"""Compares risks with limits and with one another, so that what is equal on paper is equal here.

The result does not depend on the order in which the factors of a risk were multiplied.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.formulas.compiling import fast, kernel
from linkmask.formulas.csr import counting_order

SLACK = 1e-12
"""Two risks closer than this are equal: far above rounding noise, far below any meaning."""


@kernel
def reaches(value: float, bound: float) -> bool:
    """Tell whether `value` ≥ `bound`, inclusive up to rounding noise."""
    return value >= bound - SLACK


@kernel
def within(value: float, bound: float) -> bool:
    """Tell whether `value` ≤ `bound`, inclusive up to rounding noise."""
    return value <= bound + SLACK


@kernel
def order_key(value: float) -> int:
    """Return a whole number that ranks risks and gains; what is equal on paper ties."""
    return int(np.floor(value * 1e12 + 0.5))


def order_keys(values: Any) -> Any:
    """Return `order_key` of many values."""
    return np.floor(values * 1e12 + 0.5).astype(np.int64)


def riskiest_first(risk: Any) -> Any:
    """Return the order of descending risk; ties keep their order. A radix sort by four digits."""
    key = 10**12 - order_keys(risk)  # from 0 up, below 2 ** 44
    order = np.arange(len(risk), dtype=np.int32)
    sort = fast(counting_order, len(risk))
    for shift in (0, 11, 22, 33):
        order = sort((key >> shift & 0x7FF).astype(np.int32), order, 0x800)
    return order
