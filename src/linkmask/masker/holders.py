"""Keeps the documents of each masked entity whose mask differs by document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkmask.records import Incidence
from linkmask.redact import Redactor
from linkmask.runs.arrays import TextArray, text_arrays


class Holders:
    """The documents of an entity, where its mask differs by document.

    Args:
        documents: the ids of all documents of the run.
        begins: where the rows of each masked entity begin, by its number; and the end.
        rows: the numbers of the documents.
    """

    def __init__(self, documents: Sequence[str], begins: Any, rows: Any) -> None:
        self._documents, self._begins, self._rows = documents, begins, rows

    @classmethod
    def of(
        cls, incidence: Incidence, redactor: Redactor, swept: Mapping[str, Sequence[str]]
    ) -> Holders:
        """Return the documents of the masked entities whose mask differs by document.

        `swept`: document → entities that are masked there without being detected.
        """
        ids = redactor.entity_index.ids
        wanted = {one: n for n, one in enumerate(ids) if redactor.by_document(one)}
        if not wanted:
            return cls((), np.zeros(len(ids) + 1, np.int64), np.zeros(0, np.int32))
        numbers = np.array([wanted.get(one, -1) for one in incidence.entities], np.int64)
        places = {one: n for n, one in enumerate(incidence.documents)} if swept else {}
        more = [
            (wanted[entity], places[name])
            for name, held in swept.items()
            for entity in held
            if entity in wanted
        ]
        beside = np.array(more, np.int64).reshape(-1, 2)
        of = np.append(numbers[incidence.entity], beside[:, 0])
        document = np.append(incidence.document, beside[:, 1])
        order = np.lexsort((document, of))[np.count_nonzero(of < 0) :]
        begins = np.searchsorted(of[order], np.arange(len(ids) + 1))
        return cls(incidence.documents, begins, document[order].astype(np.int32))

    @classmethod
    def stored(cls, columns: Mapping[str, Any]) -> Holders:
        """Return holders over the arrays that `columns` gave."""
        names = TextArray(columns["documents"], columns["document_begins"])
        return cls(names, columns["begins"], columns["rows"])

    def columns(self) -> dict[str, Any]:
        """Return all of it as arrays by name."""
        data, begins = text_arrays(self._documents)
        own = {"documents": data, "document_begins": begins}
        return {**own, "begins": self._begins, "rows": self._rows}

    @property
    def total(self) -> int:
        """The number of documents."""
        return len(self._documents)

    def __getitem__(self, number: int) -> list[str]:
        """Return the ids of the documents of a masked entity, by its number."""
        low, high = self._begins[number : number + 2].tolist()
        return [self._documents[row] for row in self._rows[low:high].tolist()]

    def count(self, number: int) -> int:
        """Return how many documents a masked entity has, by its number."""
        return int(self._begins[number + 1] - self._begins[number])
