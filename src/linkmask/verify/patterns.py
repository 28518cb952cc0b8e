"""Stores the spellings that must not be readable as arrays; there are about ten a document."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from linkmask.records import CapitalizedSpelling
from linkmask.verify.comparison import fold_for_comparison
from linkmask.verify.spelling_index import SpellingIndex


class Patterns:
    """The spellings of masked entities as they are compared, sorted, each once.

    `proper[i]`: whether spelling i counts only where it begins with a capital.
    """

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self._ids = sorted(values)
        compared = list[str]()
        of, proper, anyhow = array("i"), bytearray(), bytearray()
        for number, entity in enumerate(self._ids):
            for spelling in values[entity]:
                if text := fold_for_comparison(spelling):
                    compared.append(text)
                    of.append(number)
                    anyhow.append(not isinstance(spelling, CapitalizedSpelling))
        order = np.argsort(np.array(compared, dtype=object), kind="stable")
        self._owners, self._begins, texts = array("i"), array("q", [0]), list[str]()
        for text, rows in groupby(order, key=compared.__getitem__):
            alike = list(rows)
            texts.append(text)
            proper.append(not any(anyhow[row] for row in alike))
            self._owners.extend(sorted({of[row] for row in alike}))
            self._begins.append(len(self._owners))
        self.proper: Sequence[int] = bytes(proper)
        del compared, order
        self.index = SpellingIndex(texts)

    def owners(self, number: int) -> list[str]:
        """Return the ids of the entities that have a spelling, sorted."""
        begin, end = self._begins[number : number + 2]
        return [self._ids[owner] for owner in self._owners[begin:end]]
