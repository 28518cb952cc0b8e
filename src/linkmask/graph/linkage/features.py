"""What two texts have in common, in numbers that a model weighs.

*Cosines* are those of TF-IDF vectors. *Agreement* is what two texts share by how surprising it is:
the sum over shared terms of log(n / texts that hold the term), in units of log(n), which is the
agreement weight of Fellegi and Sunter (1969) where the same person's texts agree nearly always.
Each stands a second time *relative* to what is usual for its two texts, the mean over their `NEAR`
nearest: a text that is near to all says little by being near.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from linkmask.graph.linkage.blocking import candidates
from linkmask.graph.linkage.terms import KINDS, DocumentTerms
from linkmask.records import Floats, Ints

COSINES = ("word", "gram", "phrase", "sense", "field", "topic")
AGREEMENTS = ("name", "code", "date", "month", "word", "phrase")
NEAR = 10
"""Nearest texts whose mean is what is usual for a text."""
RANK = 48
"""Dimensions of the topic, a truncated SVD of the words' TF-IDF."""
HALF_MONTH = 15.0
"""Days after which two dates are apart by a factor e."""
DENSE = 2500
"""Texts up to which products are those of all pairs at once."""
CHUNK = 20_000
"""Pairs whose products are made at a time."""

NAMES: tuple[str, ...] = (
    *(f"{kind} cosine" for kind in COSINES),
    *(f"{kind} cosine, relative" for kind in COSINES),
    *(f"{kind} agreement" for kind in AGREEMENTS),
    *(f"{kind} agreement, relative" for kind in AGREEMENTS),
    *(f"{kind} agreement, share" for kind in AGREEMENTS),
    "dates near",
)
"""Features in the order of the columns of `Pairs.features`."""


class Pairs(NamedTuple):
    """Pairs of texts, left < right, and their features: a row each, a column for each of `NAMES`.

    `texts`: how many there are.
    """

    left: Ints
    right: Ints
    features: Floats
    texts: int


def compare(texts: Sequence[DocumentTerms]) -> Pairs:
    """Return the features of every pair of texts that is compared."""
    counts = {kind: term_counts([text.counts[kind] for text in texts]) for kind in KINDS}
    left, right = candidates(_joined([counts[kind] for kind in ("word", "phrase", "code", "date")]))
    cosines = {kind: cosine_rows(counts[kind]) for kind in COSINES if kind in counts}
    cosines["topic"] = topic_rows(cosines["word"])
    likeness = [_products(cosines[kind], left, right) for kind in COSINES]
    agreements = [agreement_rows(counts[kind]) for kind in AGREEMENTS]
    shared = [_products(rows, left, right) for rows in agreements]
    n, summed = len(texts), [np.log1p(score) for score in shared]
    columns = [
        *likeness,
        *(relative(score, left, right, n) for score in likeness),
        *summed,
        *(relative(score, left, right, n) for score in summed),
        *(_share(*both, left, right) for both in zip(shared, agreements, strict=True)),
        _dates_near([text.days for text in texts], left, right),
    ]
    return Pairs(left, right, np.stack(columns, axis=1), n)


def term_counts(texts: Sequence[Any]) -> Any:
    """Return counts of terms as sparse rows, a column for each term."""
    from scipy.sparse import csr_array

    columns = {term: i for i, term in enumerate(sorted({term for text in texts for term in text}))}
    start = np.cumsum([0, *map(len, texts)])
    column = [columns[term] for text in texts for term in sorted(text)]
    count = [float(text[term]) for text in texts for term in sorted(text)]
    return csr_array((count, column, start), shape=(len(texts), max(1, len(columns))))


def _joined(counts: Sequence[Any]) -> Any:
    from scipy.sparse import hstack

    return hstack(counts, format="csr")


def holders(counts: Any) -> Any:
    """Return for each term how many texts hold it."""
    return np.bincount(counts.indices, minlength=counts.shape[1])


def cosine_rows(counts: Any) -> Any:
    """Return TF-IDF rows of length 1: log counts times log((n + 1) / (holders + 1))."""
    rows = counts.copy()
    idf = np.log((1 + rows.shape[0]) / (1 + holders(rows)))
    rows.data = (1 + np.log(rows.data)) * idf[rows.indices]
    length = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    rows.data = rows.data / np.repeat(np.where(length == 0, 1, length), np.diff(rows.indptr))
    return rows


def agreement_rows(counts: Any) -> Any:
    """Return rows whose products are sums of agreement weights; what a tenth holds weighs 0."""
    rows = counts.copy()
    n, found = rows.shape[0], holders(rows)
    weight = np.log(n / np.maximum(1, found)) / np.log(max(2, n))
    weight[found > max(2, n / 10)] = 0
    rows.data = np.sqrt(weight)[rows.indices]
    return rows


def topic_rows(cosines: Any, rank: int = RANK) -> Floats:
    """Return the topics of texts as rows of length 1: a truncated SVD of their TF-IDF."""
    rank = min(rank, min(cosines.shape) - 1)
    if min(cosines.shape) <= 300:
        left, size, _ = np.linalg.svd(cosines.toarray(), full_matrices=False)
        rows = left[:, :rank] * size[:rank]
    else:
        from scipy.sparse.linalg import svds

        left, size, _ = svds(cosines, k=rank, v0=np.ones(min(cosines.shape)), solver="arpack")
        rows = left * size
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length < 1e-9, 1, length))


def _products(rows: Any, left: Ints, right: Ints) -> Floats:
    """Return the product of two rows for each pair, rounded so that ties are ties."""
    if rows.shape[0] <= DENSE:
        whole = rows @ rows.T
        whole = whole if isinstance(whole, np.ndarray) else whole.toarray()
        return np.asarray(np.round(whole[left, right], 9))
    parts = [
        _sums(rows[left[a : a + CHUNK]], rows[right[a : a + CHUNK]])
        for a in range(0, len(left), CHUNK)
    ]
    return np.asarray(np.round(np.concatenate([np.zeros(0), *parts]), 9))


def _sums(one: Any, other: Any) -> Floats:
    both = one * other if isinstance(one, np.ndarray) else one.multiply(other)
    return np.asarray(both.sum(axis=1)).ravel()


def relative(score: Floats, left: Ints, right: Ints, n: int) -> Floats:
    """Return each pair's score less the mean of what is usual for its two texts."""
    usual = usual_of(score, left, right, n)
    return np.asarray(score - (usual[left] + usual[right]) / 2)


def usual_of(score: Floats, left: Ints, right: Ints, n: int) -> Floats:
    """Return for each text the mean of its `NEAR` largest scores."""
    text, both = np.concatenate([left, right]), np.concatenate([score, score])
    order = np.lexsort((-both, text))
    text, both = text[order], both[order]
    near = np.arange(len(text)) - np.searchsorted(text, np.arange(n))[text] < NEAR
    count = np.bincount(text[near], minlength=n)
    return np.asarray(np.bincount(text[near], both[near], n) / np.maximum(1, count))


def _share(shared: Floats, rows: Any, left: Ints, right: Ints) -> Floats:
    """Return what two texts share of what the one that says less could."""
    own = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    return np.asarray(shared / (1 + np.minimum(own[left], own[right])))


def _dates_near(days: Sequence[tuple[int, ...]], left: Ints, right: Ints) -> Floats:
    """Return exp(−days between the nearest two dates / 15), 0 where a text has none."""
    near = np.zeros(len(left))
    held = np.array([bool(some) for some in days], dtype=bool)
    for pair in np.flatnonzero(held[left] & held[right]).tolist():
        some, others = days[left[pair]], days[right[pair]]
        near[pair] = np.exp(-min(abs(a - b) for a in some for b in others) / HALF_MONTH)
    return near
