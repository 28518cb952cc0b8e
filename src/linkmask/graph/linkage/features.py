"""Computes what two texts have in common, as numbers that a model weighs.

*Cosines* are those of TF-IDF vectors. *Agreement* is what two texts share by how surprising it is:
the sum over shared terms of log(n / texts that hold the term), in units of log(n), which is the
agreement weight of Fellegi and Sunter (1969) where the same person's texts agree nearly always.
Each is also given *relative* to the usual value of its two texts, the mean over their `NEAR`
nearest, because a text may be similar to all. Where a sentence model is given, the cosines of its
vectors are features as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from linkmask.graph.linkage.blocking import ALL_PAIRS, candidates
from linkmask.graph.linkage.pairs import Sides, days_apart, products, sides_of, usual_of
from linkmask.graph.linkage.terms import CorpusTerms
from linkmask.records import Floats, Ints

COSINES = ("word", "gram", "phrase", "sense", "field", "topic")
AGREEMENTS = ("name", "code", "date", "month", "word", "phrase")
NEAR = 10
"""Number of nearest texts whose mean is the usual value of a text."""
RANK = 48
"""Dimensions of the topic, a truncated SVD of the words' TF-IDF."""
HALF_MONTH = 15.0
"""Days after which the similarity of two dates has fallen by the factor e."""
DENSE = ALL_PAIRS
"""Texts up to which products are those of all pairs at once; of more, few pairs are compared."""
CHUNK = 20_000
"""Pairs, or texts, that are computed at a time, to bound the memory."""
LEARNED = 5000
"""Texts from which topics are learned; of more, so many that lie evenly among them."""

NAMES: tuple[str, ...] = (
    *(f"{kind} cosine" for kind in COSINES),
    *(f"{kind} cosine, relative" for kind in COSINES),
    *(f"{kind} agreement" for kind in AGREEMENTS),
    *(f"{kind} agreement, relative" for kind in AGREEMENTS),
    *(f"{kind} agreement, share" for kind in AGREEMENTS),
    "dates near",
)
"""Features in the order of the columns of `Pairs.features`."""
BY_SENTENCES = ("sentence cosine", "sentence cosine, relative")
"""Features that stand behind those of `NAMES` where a sentence model embeds the texts."""
SENTENCE_MODEL = "sentence model"
ATTACKERS = {
    "TF-IDF": "word cosine",
    "character n-grams": "gram cosine",
    "pairs of words": "phrase cosine",
    "word classes": "sense cosine",
    "LSA": "topic cosine",
    "rare words": "word agreement",
    SENTENCE_MODEL: BY_SENTENCES[0],
}
"""Attackers that compare texts by one feature alone, and that feature."""
LINKER = "linker"
"""The attacker who weighs all features."""


class Pairs(NamedTuple):
    """Pairs of texts, left < right, and their features: a row each, a column for each of `NAMES`.

    There may be two more, those `BY_SENTENCES`. `texts`: how many there are.
    """

    left: Ints
    right: Ints
    features: Floats
    texts: int


class ScoredPairs(NamedTuple):
    """Pairs of texts, left < right, and a score for each; `texts`: how many there are."""

    left: Ints
    right: Ints
    scores: Floats
    texts: int


def compare(terms: CorpusTerms, vectors: Floats | None = None, own: int = 0) -> Pairs:
    """Return the features of every pair of texts that is compared.

    Args:
        vectors: of the texts by a sentence model, rows of length 1.
        own: as for `blocking.candidates`.
    """
    left, right = pairs_of(terms, own)
    columns = dict(_features(terms, left, right, vectors))
    names = NAMES if vectors is None else (*NAMES, *BY_SENTENCES)
    return Pairs(left, right, np.stack([columns[name] for name in names], axis=1), terms.texts)


def score(
    terms: CorpusTerms, weights: Floats, vectors: Floats | None = None, own: int = 0
) -> ScoredPairs:
    """Return the weighted sum of features of every pair; of many pairs only sums are held.

    Args:
        weights: of features, in the order of `Pairs.features`.
        vectors: as for `compare`.
        own: as for `blocking.candidates`.
    """
    [(_, pairs)] = deque(attacks(terms, weights, vectors, own), maxlen=1)
    return pairs


def attacks(
    terms: CorpusTerms, weights: Floats, vectors: Floats | None = None, own: int = 0
) -> Iterator[tuple[str, ScoredPairs]]:
    """Yield the name of each attacker, and the pairs by its score; one at a time is held.

    First those of `ATTACKERS` whose feature there is, then the `LINKER`, whose pairs are what
    `score` returns. A pair that shares nothing has −inf: no attacker guesses.

    Args:
        weights, vectors: as for `score`.
        own: as for `blocking.candidates`.
    """
    left, right = pairs_of(terms, own)
    names = NAMES if vectors is None else (*NAMES, *BY_SENTENCES)
    weight = dict(zip(names, weights.tolist(), strict=True))
    alone = {feature: attacker for attacker, feature in ATTACKERS.items()}
    total = np.zeros(len(left))
    for name, column in _features(terms, left, right, vectors):
        total += weight[name] * column
        if name in alone:
            score_of = np.where(column > 0, column, -np.inf)
            yield alone[name], ScoredPairs(left, right, score_of, terms.texts)
    yield LINKER, ScoredPairs(left, right, np.round(total, 9), terms.texts)


def nearest_texts(pairs: ScoredPairs) -> Ints:
    """Return the nearest of each text, the lowest of equals; −1 where none scores above −inf."""
    sides = (pairs.left, pairs.right), (pairs.right, pairs.left)
    best = np.full(pairs.texts, -np.inf)
    for text, _ in sides:
        np.maximum.at(best, text, pairs.scores)
    found = np.full(pairs.texts, pairs.texts, dtype=np.int32)
    for text, other in sides:
        tied = (pairs.scores == best[text]) & (pairs.scores > -np.inf)
        np.minimum.at(found, text[tied], other[tied])
    return np.where(found < pairs.texts, found, np.int32(-1))


def chance_of(pairs: ScoredPairs, other: Ints) -> Floats:
    """Return how likely an attacker picks a given text from those nearest to each.

    Of equals, each is as likely. It is 0 where no text scores above −inf.

    Args:
        other: the given text of each, −1 for none.
    """
    sides = (pairs.left, pairs.right), (pairs.right, pairs.left)
    best, equals, hit = np.full(pairs.texts, -np.inf), np.zeros(pairs.texts), np.zeros(pairs.texts)
    for text, _ in sides:
        np.maximum.at(best, text, pairs.scores)
    for text, near in sides:
        tied = (pairs.scores == best[text]) & (pairs.scores > -np.inf)
        np.add.at(equals, text[tied], 1)
        np.add.at(hit, text[tied & (near == other[text])], 1)
    return hit / np.maximum(equals, 1)


def pairs_of(terms: CorpusTerms, own: int = 0) -> tuple[Ints, Ints]:
    """Return the pairs of texts that are compared, left < right, sorted.

    Args:
        own: as for `blocking.candidates`.
    """
    from scipy.sparse import hstack

    kinds = [terms.counts(kind) for kind in ("word", "phrase", "code", "date")]
    return candidates(hstack(kinds, format="csr"), own)


def _features(
    terms: CorpusTerms, left: Ints, right: Ints, vectors: Floats | None
) -> Iterator[tuple[str, Floats]]:
    """Yield the features of pairs by name, one kind of term after another."""
    sides = sides_of(left, right, terms.texts)
    for kind in COSINES:
        rows = cosine_rows(terms.counts("word" if kind == "topic" else kind))
        likeness = _products(topic_rows(rows) if kind == "topic" else rows, left, right)
        yield f"{kind} cosine", likeness
        yield f"{kind} cosine, relative", relative(likeness, left, right, sides)
    for kind in AGREEMENTS:
        rows = agreement_rows(terms.counts(kind))
        shared = _products(rows, left, right)
        summed = np.log1p(shared)
        yield f"{kind} agreement", summed
        yield f"{kind} agreement, relative", relative(summed, left, right, sides)
        yield f"{kind} agreement, share", _share(shared, rows, left, right)
    yield "dates near", np.exp(-days_apart(*terms.days, left, right) / HALF_MONTH)
    if vectors is not None:
        likeness = _products(vectors, left, right)
        yield BY_SENTENCES[0], likeness
        yield BY_SENTENCES[1], relative(likeness, left, right, sides)


def holders(counts: Any) -> Any:
    """Return for each term how many texts hold it."""
    return np.bincount(counts.indices, minlength=counts.shape[1])


def cosine_rows(counts: Any) -> Any:
    """Return TF-IDF rows of length 1: log counts times log((n + 1) / (holders + 1))."""
    from scipy.sparse import csr_array

    n, start = counts.shape[0], counts.indptr
    idf = np.log((1 + n) / (1 + holders(counts)))
    value = np.empty(len(counts.data))
    for first in range(0, n, CHUNK):
        rows = start[first : first + CHUNK + 1]
        own, size = slice(rows[0], rows[-1]), np.diff(rows)
        tfidf = (1 + np.log(counts.data[own], dtype=np.float64)) * idf[counts.indices[own]]
        row = np.repeat(np.arange(len(size)), size)
        length = np.sqrt(np.bincount(row, tfidf * tfidf, len(size)))
        value[own] = tfidf / np.where(length == 0, 1, length)[row]
    return csr_array((value, counts.indices, start), shape=counts.shape)


def agreement_rows(counts: Any) -> Any:
    """Return rows whose products are sums of agreement weights; terms of a tenth weigh 0."""
    from scipy.sparse import csr_array

    n, found = max(1, counts.shape[0]), holders(counts)  # there may be no text
    weight = np.log(n / np.maximum(1, found)) / np.log(max(2, n))
    weight[found > max(2, n / 10)] = 0
    value = np.sqrt(weight)[counts.indices]
    return csr_array((value, counts.indices, counts.indptr), shape=counts.shape)


def topic_rows(cosines: Any, rank: int = RANK) -> Floats:
    """Return the topics of texts as rows of length 1: a truncated SVD of their TF-IDF."""
    n = cosines.shape[0]
    rows = cosines @ _topics(
        cosines[np.arange(LEARNED) * n // LEARNED] if n > LEARNED else cosines, rank
    )
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length < 1e-9, 1, length))


def _topics(cosines: Any, rank: int) -> Floats:
    """Return the right singular vectors of the largest singular values, as columns."""
    rank = min(rank, min(cosines.shape) - 1)
    if min(cosines.shape) <= 300:
        return np.asarray(np.linalg.svd(cosines.toarray(), full_matrices=False)[2][:rank].T)
    return largest_topics(cosines, rank)


def largest_topics(matrix: Any, rank: int) -> Floats:
    """Return the right singular vectors of the largest singular values, the largest last.

    There are `rank` columns, fewer if the matrix has a lower rank. Where many texts are alike,
    ARPACK runs out of directions and raises an error; then they are found at random, by powers.
    """
    from scipy.sparse.linalg import ArpackError, svds

    try:
        return np.asarray(svds(matrix, k=rank, v0=np.ones(min(matrix.shape)), solver="arpack")[2].T)
    except ArpackError:
        return _topics_by_powers(matrix, rank)


def _topics_by_powers(matrix: Any, rank: int) -> Floats:
    """Do the same, exactly up to a rank of 2 * `rank` (Halko, Martinsson and Tropp 2011)."""
    rows = np.random.default_rng(0).standard_normal((matrix.shape[0], 2 * rank))
    for _ in range(5):
        rows = np.linalg.qr(matrix @ (matrix.T @ rows))[0]
    _, sizes, right = np.linalg.svd((matrix.T @ rows).T, full_matrices=False)
    found = sizes[:rank] > 1e-6 * sizes[0]
    return np.asarray(right[:rank][found][::-1].T)


def _products(rows: Any, left: Ints, right: Ints) -> Floats:
    """Return the product of two rows for each pair, rounded so that ties are ties."""
    if rows.shape[0] <= DENSE:
        whole = rows @ rows.T
        whole = whole if isinstance(whole, np.ndarray) else whole.toarray()
        return np.asarray(np.round(whole[left, right], 9))
    if not isinstance(rows, np.ndarray):
        return np.asarray(np.round(products(_shared(rows), left, right), 9))
    parts = [
        np.einsum("pt,pt->p", rows[left[a : a + CHUNK]], rows[right[a : a + CHUNK]])
        for a in range(0, len(left), CHUNK)
    ]
    return np.asarray(np.round(np.concatenate([np.zeros(0), *parts]), 9))


def _shared(rows: Any) -> Any:
    """Return rows without the terms that one text alone holds: no product has them.

    Where these are few, the rows stay as they are, since a copy of the others takes memory.
    """
    alone = holders(rows) == 1
    return rows[:, ~alone] if 2 * alone.sum() > rows.nnz else rows


def relative(score: Floats, left: Ints, right: Ints, sides: Sides) -> Floats:
    """Return each pair's score minus the mean of the usual scores of its two texts."""
    usual = usual_of(score, sides, NEAR)
    return np.asarray(score - (usual[left] + usual[right]) / 2)


def _share(shared: Floats, rows: Any, left: Ints, right: Ints) -> Floats:
    """Return the shared weight of two texts, as a share of the smaller one's weight."""
    own = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    return np.asarray(shared / (1 + np.minimum(own[left], own[right])))
