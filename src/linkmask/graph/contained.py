"""Leaves out links to documents that hold no value of their own (formulas.md §6.4).

Somebody who puts such a document beside the other one learns no further value. Whoever may add a
line with a single value would otherwise bring about a chain, and read from its mask that another
document holds the value.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from linkmask.formulas import Rows, fast, in_parts, kernel
from linkmask.records import Flags, Ints, Links


def without_contained(links: Links, rows: Rows) -> Links:
    """Return the links of which each document has a value that the other one lacks.

    Args:
        rows: the corpus before masking.
    """
    new = both_say_more(rows, links.left, links.right)
    if new.all():
        return links
    return replace(
        links, left=links.left[new], right=links.right[new], strength=links.strength[new]
    )


def both_say_more(rows: Rows, left: Ints, right: Ints) -> Flags:
    """Tell for each pair of documents whether both have a value that the other one lacks.

    Values of weight 0 are ignored, because they count in no risk.

    Notes:
        A document that alone holds a value is never contained. All others are compared, by one
        pass over both documents of a pair.
    """
    work, new = len(rows.entity), np.empty(len(left), np.bool_)
    holders = np.bincount(rows.entity, minlength=len(rows.ceiling))
    own = fast(_own_values, work)(rows, holders)
    compare = fast(_both_say_more, work)
    in_parts(lambda a, b: compare(rows, own, left, right, new, a, b), len(left), work)
    return new


@kernel
def _own_values(rows: Rows, holders: Any) -> Any:
    """Return for each document whether it has a value that no other document has."""
    own = np.zeros(len(rows.start) - 1, np.bool_)
    for d in range(len(own)):
        for x in range(rows.start[d], rows.start[d + 1]):
            e = rows.entity[x]
            if holders[e] == 1 and rows.ceiling[e] > 0.0:
                own[d] = True
    return own


@kernel
def _both_say_more(
    rows: Rows, own: Any, left: Any, right: Any, new: Any, first: int, last: int
) -> None:
    """Write for each link in [first, last) whether both of its documents say more."""
    for k in range(first, last):
        a, b = left[k], right[k]
        new[k] = (own[a] or _says_more(rows, a, b)) and (own[b] or _says_more(rows, b, a))


@kernel
def _says_more(rows: Rows, document: int, other: int) -> bool:
    """Tell whether a document has a value of some weight that the other one lacks."""
    y, end = rows.start[other], rows.start[other + 1]
    for x in range(rows.start[document], rows.start[document + 1]):
        e = rows.entity[x]
        while y < end and rows.entity[y] < e:
            y += 1
        if rows.ceiling[e] > 0.0 and (y == end or rows.entity[y] != e):
            return True
    return False
