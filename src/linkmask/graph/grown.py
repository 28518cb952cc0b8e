"""Makes the incidence of a corpus from its last incidence and the documents that changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkmask.formulas import uniqueness
from linkmask.records import Incidence, Ints
from linkmask.records.ids import WIDTH, Ids


def grown_incidence(
    last: Incidence, anew: Incidence, documents: Sequence[str], weights: Mapping[str, float]
) -> Incidence:
    """Return the incidence that `incidence` would make of all mentions.

    Args:
        last: the corpus as it was.
        anew: the documents whose mentions changed.
        documents: all of today, in input order; those that `anew` does not hold are as in `last`.
        weights: the weight of each type.
    """
    then = {name: number for number, name in enumerate(last.documents)}
    then |= {name: last.n_documents + number for number, name in enumerate(anew.documents)}
    rows = np.fromiter((then[name] for name in documents), np.int64, len(documents))
    begins = np.concatenate([last.start[:-1], anew.start[:-1] + last.n_mentions])[rows]
    sizes = np.concatenate([np.diff(last.start), np.diff(anew.start)])[rows]
    start = np.append(0, np.cumsum(sizes)).astype(np.int64)
    pairs = np.repeat(begins - start[:-1], sizes) + np.arange(start[-1])
    held, number = np.unique(
        np.concatenate([last.entity, anew.entity + np.int32(last.n_entities)])[pairs],
        return_inverse=True,
    )
    letters = np.concatenate([_letters(last.entities), _letters(anew.entities)])[held]
    ids, first, of = np.unique(letters, return_index=True, return_inverse=True)
    types, kind = _types(last, anew, held[first])
    entity = of[number].astype(np.int32)
    frequency = np.bincount(entity, minlength=len(ids)).astype(np.int32)
    by_type = np.array([weights[name] for name in types], dtype=np.float64)
    return Incidence(
        documents=documents,
        entities=Ids(ids.tobytes().decode()),
        types=types,
        start=start,
        entity=entity,
        relevance=np.concatenate([last.relevance, anew.relevance])[pairs],
        type=kind,
        frequency=frequency,
        uniqueness=uniqueness(frequency, len(documents)),
        weight=by_type[kind] if len(ids) else np.zeros(0),
    )


def _letters(ids: Sequence[str]) -> Any:
    text = ids.text if isinstance(ids, Ids) else "".join(ids)
    return np.frombuffer(text.encode(), dtype=f"S{WIDTH}")


def _types(last: Incidence, anew: Incidence, entities: Any) -> tuple[tuple[str, ...], Ints]:
    """Return the types of some entities, by name in ascending order, and which each has."""
    names = np.array([*last.types, *anew.types], dtype=np.str_)
    kind = np.concatenate([last.type, anew.type + np.int32(len(last.types))])[entities]
    types, of = np.unique(names[kind], return_inverse=True)
    return tuple(types.tolist()), of.astype(np.int32)
