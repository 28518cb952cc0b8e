"""Looks up a word's distributional clusters, fine and coarse (docs/model.md, "Word clusters").

The table (`clusters.npz`, made by `training/clusters.py`) contains no words: it has the CRC-32 of
each word, sorted, with its finest cluster, and for each cluster the next coarser one. An unknown
word collides with a known one once in some 90,000 times.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

FILE = Path(__file__).parent / "clusters.npz"


class ClusterTable(NamedTuple):
    """The words' numbers, sorted; the finest cluster of each; what a cluster is called."""

    keys: array[int]
    clusters: array[int]
    names: Sequence[tuple[str, ...]]


def names(word: str) -> tuple[str, ...]:
    """Return the clusters of a word in the form of `features.key`, finest first.

    `("c0=731", "c1=25", "c2=40")`, or nothing for an unknown word. Takes about a microsecond.
    """
    table = shipped()
    key = crc32(word.encode("utf-8", "replace"))
    at = bisect_left(table.keys, key)
    if at == len(table.keys) or table.keys[at] != key:
        return ()
    return table.names[table.clusters[at]]


def read(path: Path) -> ClusterTable:
    """Read a table."""
    with np.load(path, allow_pickle=False) as stored:
        keys = array("I", stored["keys"].astype(np.uintc).tobytes())
        clusters = array("H", stored["clusters"].astype(np.ushort).tobytes())
        coarser, coarsest = stored["coarser"].tolist(), stored["coarsest"].tolist()
    names = [(f"c0={fine}", f"c1={of}", f"c2={coarsest[of]}") for fine, of in enumerate(coarser)]
    return ClusterTable(keys, clusters, names)


@cache
def shipped() -> ClusterTable:
    """Return the table of the package, read once."""
    return read(FILE)
