"""Tells which documents share a value that helps to identify a person, or hold one each."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.formulas import fast, in_parts, kernel, rows_of
from linkmask.graph.contained import both_say_more
from linkmask.records import Flags, Incidence, Ints
from linkmask.schema import types_of

DIRECT = types_of("direct")


def share_a_value(incidence: Incidence, left: Ints, right: Ints, contained: bool) -> Flags:
    """Tell of pairs of documents whether they share a value that is relevant in both.

    Values of weight 0 do not count.

    Args:
        left, right: numbers of documents.
        contained: whether pairs count of which one document has no value of its own
            (formulas.md §6.4).

    Notes:
        One pass over the values of both documents of each pair.
    """
    shared, work = np.empty(len(left), np.bool_), len(incidence.entity)
    compare = fast(_share, work)
    arrays = incidence.start, incidence.entity, _telling(incidence), left, right, shared
    in_parts(lambda a, b: compare(*arrays, a, b), len(left), work)
    return shared if contained else shared & both_say_more(rows_of(incidence), left, right)


def tell_of_a_person(incidence: Incidence, left: Ints, right: Ints, contained: bool) -> Flags:
    """Tell of pairs of documents whether both have a value that is relevant to a person.

    Args:
        left, right, contained: as for `share_a_value`.
    """
    document = incidence.document
    tells = np.zeros(incidence.n_documents, np.bool_)
    tells[document[_telling(incidence)]] = True
    both = tells[left] & tells[right]
    return both if contained else both & both_say_more(rows_of(incidence), left, right)


def _telling(incidence: Incidence) -> Flags:
    """Tell of each value of each document whether it is relevant to a person there.

    In a text about nobody, the name of its author is relevant, but tells of no person's documents.
    """
    relevant = incidence.relevance > 0
    counts = incidence.weight[incidence.entity] > 0
    return relevant & counts & ~_about_nobody(incidence, relevant, counts)[incidence.document]


def _about_nobody(incidence: Incidence, relevant: Flags, counts: Flags) -> Flags:
    """Tell of each document whether all its values but direct identifiers are irrelevant.

    A document without such values is about somebody.
    """
    direct = np.isin(incidence.types, sorted(DIRECT))[incidence.type[incidence.entity]]
    nobody = np.zeros(incidence.n_documents, np.bool_)
    nobody[incidence.document[counts & ~direct]] = True
    nobody[incidence.document[counts & ~direct & relevant]] = False
    return nobody


@kernel
def _share(
    start: Any, entity: Any, telling: Any, left: Any, right: Any, shared: Any, first: int, last: int
) -> None:
    """Write for each pair in [first, last) whether a value tells something in both documents."""
    for k in range(first, last):
        x, y = start[left[k]], start[right[k]]
        shared[k] = False
        while x < start[left[k] + 1] and y < start[right[k] + 1]:
            if entity[x] < entity[y]:
                x += 1
            elif entity[x] > entity[y]:
                y += 1
            elif telling[x] and telling[y]:
                shared[k] = True
                break
            else:
                x += 1
                y += 1
