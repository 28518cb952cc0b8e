"""A linear chain (conditional random field; Lafferty et al. 2001) learned row by row.

`Encoded` turns rows of words into numbers: what is seen of a word is listed once per word.
`learn` goes through the rows in a shuffled order and follows the regularized leader (FTRL-proximal;
McMahan et al. 2013): a step per weight that shrinks with the gradients it has met, and L1 that
keeps at zero what they do not move. One feature in ten is overlooked each time (dropout; Srivastava
et al. 2014). Cost: epochs × words × (features seen + labels²).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numba import njit
from training.data import Row

from linkmask.detect.ner import features, scoring

Array = Any
SEED = 2026
EDGE = 2
"""Borders before and after each row."""
RARE = 2
"""Features seen fewer times are left out, if not said otherwise."""
SMALL = 1e-3
"""Gradients below this move nothing: most words are plainly nothing after one epoch."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Rows as numbers. `names` are the features', combinations (with tabs) after single ones.

    `number`: the words, with `EDGE` borders around each row; `starts`, `sizes`: where rows lie in
    it; `pointers`, `seen`: features of word w from offset k are
    `seen[pointers[5 * w + k] : pointers[5 * w + k + 1]]`; `combined`: features of combinations at
    each place, −1 for none.
    """

    names: list[str]
    number: Array
    starts: Array
    sizes: Array
    pointers: Array
    seen: Array
    combined: Array


def encode(
    rows: Sequence[Row],
    common: Container[str],
    rare: int = RARE,
    without: tuple[str, ...] = (),
    blind: float = 0.0,
) -> Encoded:
    """Number the words and features of all rows, except those met less than `rare` times.

    Features of a word whose names begin with one of `without` are left out, and in a share `blind`
    of the words of each row also those of the gazetteer.
    """
    known: dict[tuple[str, bool], int] = {(features.BORDER, False): 0}
    number: list[int] = []
    starts, sizes = [], []
    for at, row in enumerate(rows):
        starts.append(len(number) + EDGE)
        sizes.append(len(row.words))
        number += [0] * EDGE
        seed = crc32(f"{at}".encode())
        read = [(word, is_blind(word, seed, blind)) for word in row.words]
        number += [known.setdefault(one, len(known)) for one in read]
        number += [0] * EDGE
    numbers = np.array(number, np.int64)
    often = np.bincount(numbers, minlength=len(known))
    single: dict[str, int] = {}
    seen: list[int] = []
    sizes_seen = []
    for word, is_unlisted in known:
        for at, attributes in enumerate(features.attributes(word)):
            names = attributes
            if is_unlisted:
                names = [name for name in attributes if not name.startswith(features.GAZETTEER)]
            sizes_seen.append(len(names))
            seen += [single.setdefault(f"{at}{name}", len(single)) for name in names]
    pointers = np.concatenate([[0], np.cumsum(sizes_seen)])
    owner = np.repeat(
        np.arange(len(known)), np.add.reduceat(sizes_seen, range(0, len(sizes_seen), 5))
    )
    met = np.bincount(seen, weights=often[owner], minlength=len(single))
    if without:
        met[[name.startswith(without, 1) for name in single]] = 0
    new = np.where(met >= rare, np.cumsum(met >= rare) - 1, -1)
    names = [name for name, row in single.items() if new[row] >= 0]
    inside = np.zeros(len(numbers), bool)
    for start, size in zip(starts, sizes, strict=True):
        inside[start : start + size] = True
    combined, more = combinations(numbers, inside, [word for word, _ in known], common, rare)
    combined[combined >= 0] += len(names)
    return Encoded(
        names + more,
        numbers,
        np.array(starts),
        np.array(sizes),
        pointers,
        new[np.array(seen)].astype(np.int32),
        combined.astype(np.int32),
    )


def is_blind(word: str, seed: int, share: float) -> bool:
    """Tell whether a word is read as one that the gazetteer lacks, in a row with this seed."""
    return word[0].isalpha() and crc32(word.lower().encode(), seed) % 1000 < 1000 * share


def combinations(
    number: Array, inside: Array, known: list[str], common: Container[str], rare: int
) -> tuple[Array, list[str]]:
    """Return the combination each place shows, by kind (−1: rare or none), and their names."""
    parts: dict[str, int] = {"": 0}
    ids = np.zeros((2, len(known)), np.int64)
    for row, word in enumerate(known):
        for which, part in enumerate(features.terms(word, common)):
            ids[which, row] = parts.setdefault(part, len(parts))
    said = list(parts)
    result = np.full((len(number), len(features.COMBINED)), -1)
    names: list[str] = []
    places = np.flatnonzero(inside)
    for column, (short, what, offsets) in enumerate(features.COMBINED):
        of = ids[0 if what == "t" else 1]
        shown = [of[number[places + offset]] for offset in offsets]
        key = (scoring.pair if len(shown) == 2 else scoring.triple)(column, *shown)
        _, first, row, met = np.unique(
            key, return_index=True, return_inverse=True, return_counts=True
        )
        new = np.where(met >= rare, np.cumsum(met >= rare) - 1 + len(names), -1)
        result[places, column] = new[row]
        names += [
            "\t".join([short, *(said[one[k]] for one in shown)])
            for k, kept in zip(first, met >= rare, strict=True)
            if kept
        ]
    return result, names


@dataclass(frozen=True, slots=True)
class Learned:
    """Weights, shape (features, labels) and (labels, labels); label 0 is "nothing"."""

    names: list[str]
    state: Array
    transitions: Array

    def spread(self, share: float, of: Sequence[int]) -> Learned:
        """Return weights for other labels: of each label in `of` (−1: none), times `share`."""
        like, has = np.maximum(of, 0), np.array(of) >= 0
        return Learned(
            self.names,
            self.state[:, like] * has * share,
            self.transitions[np.ix_(like, like)] * np.outer(has, has) * share,
        )


def learn(
    encoded: Encoded,
    labels: Sequence[Sequence[int]],
    size: int,
    epochs: int = 10,
    rate: float = 0.5,
    l1: float = 1.0,
    l2: float = 1.0,
    drop: float = 0.1,
    late: int = 5,
    seed: int = SEED,
    before: Learned | None = None,
) -> Learned:
    """Learn from rows with their labels, numbers below `size`; 0 is nothing.

    Weights begin at, and are drawn towards, those learned `before` (else 0), of the same labels;
    returned is the mean of those after each of the last `late` epochs.
    """
    rows = len(encoded.starts)
    of_word = np.zeros(len(encoded.number), np.int64)
    for start, row in zip(encoded.starts, labels, strict=True):
        of_word[start : start + len(row)] = row
    state = np.zeros((len(encoded.names), 4, size), np.float32)
    between = np.zeros((size, 4, size), np.float32)
    if before:
        row = {name: at for at, name in enumerate(before.names)}
        for at, name in enumerate(encoded.names):
            if name in row:
                state[at, ::3] = before.state[row[name]]
        between[:, ::3] = before.transitions[:, None]
    random = np.random.default_rng(seed)
    mean, meant = np.zeros_like(state[:, 0]), np.zeros_like(between[:, 0])
    for at in range(epochs):
        order, salts = random.permutation(rows), random.integers(1 << 30, size=rows)
        epoch(
            order, salts, encoded.starts, encoded.sizes, encoded.number, of_word,
            encoded.pointers, encoded.seen, encoded.combined, state, between,
            rate, l1, l2, int(drop * 1024),
        )  # fmt: skip
        if at >= epochs - late:
            mean += state[:, 0] / late
            meant += between[:, 0] / late
    names, weights = encoded.names, mean
    if before:
        more = sorted(row.keys() - set(names))
        names = [*names, *more]
        weights = np.concatenate([weights, before.state[[row[name] for name in more]]])
    return Learned(names, weights, meant)


@njit(cache=True)
def dropped(f, i, salt, drop):  # type: ignore[no-untyped-def]
    """Is feature f, or one that is rare or none, not seen at word i this time?"""
    return f < 0 or ((f * 2654435761 + i * 40503 + salt) >> 7) % 1024 < drop


@njit(cache=True)
def scores(first, n, number, pointers, seen, combined, state, salt=0, drop=0):  # type: ignore[no-untyped-def]
    """Return the scores of a row's words, shape (words, labels)."""
    size = state.shape[2]
    score = np.zeros((n, size))
    for i in range(n):
        for k in range(5):
            at = 5 * number[first + i + k - 2] + k
            for f in seen[pointers[at] : pointers[at + 1]]:
                if not dropped(f, i, salt, drop):
                    for y in range(size):
                        score[i, y] += state[f, 0, y]
        for f in combined[first + i]:
            if not dropped(f, i, salt, drop):
                for y in range(size):
                    score[i, y] += state[f, 0, y]
    return score * (1024 / (1024 - drop))


@njit(cache=True)
def step(weights, f, gradient, rate, l1, l2):  # type: ignore[no-untyped-def]
    """Move the weights of one feature.

    Rows are the weight, z and the root of n of the paper, and the weight it is drawn towards.
    """
    for y in range(weights.shape[2]):
        g = gradient[y]
        if abs(g) < SMALL:
            continue
        root = weights[f, 2, y]
        after = np.sqrt(root * root + g * g)
        z = weights[f, 1, y] + g - (after - root) / rate * (weights[f, 0, y] - weights[f, 3, y])
        weights[f, 1, y] = z
        weights[f, 2, y] = after
        if abs(z) <= l1:
            weights[f, 0, y] = weights[f, 3, y]
        else:
            by = (z - np.sign(z) * l1) / ((1.0 + after) / rate + l2)
            weights[f, 0, y] = weights[f, 3, y] - by


@njit(cache=True)
def epoch(  # type: ignore[no-untyped-def]
    order,
    salts,
    starts,
    sizes,
    number,
    labels,
    pointers,
    seen,
    combined,
    state,
    between,
    rate,
    l1,
    l2,
    drop,
):
    """Go through the rows once; each moves the weights by its gradient."""
    size = state.shape[2]
    for row, salt in zip(order, salts):  # noqa: B905 (numba knows no strict)
        first, n = starts[row], sizes[row]
        score = scores(first, n, number, pointers, seen, combined, state, salt, drop)
        move = np.exp(between[:, 0].astype(np.float64))
        here = np.empty((n, size))
        ahead = np.empty((n, size))
        after = np.ones((n, size))
        for i in range(n):
            here[i] = np.exp(score[i] - score[i].max())
            for y in range(size):
                reach = 1.0
                if i:
                    reach = 0.0
                    for x in range(size):
                        reach += ahead[i - 1, x] * move[x, y]
                ahead[i, y] = reach * here[i, y]
            ahead[i] /= ahead[i].sum()
        for i in range(n - 2, -1, -1):
            for x in range(size):
                after[i, x] = 0.0
                for y in range(size):
                    after[i, x] += move[x, y] * here[i + 1, y] * after[i + 1, y]
            after[i] /= after[i].sum()
        moved = np.zeros((size, size))
        for i in range(1, n):
            joint = np.empty((size, size))
            for x in range(size):
                for y in range(size):
                    joint[x, y] = ahead[i - 1, x] * move[x, y] * here[i, y] * after[i, y]
            moved += joint / joint.sum()
            moved[labels[first + i - 1], labels[first + i]] -= 1.0
        for x in range(size):
            step(between, x, moved[x], rate, l1, l2)
        for i in range(n):
            gradient = ahead[i] * after[i]
            gradient /= gradient.sum()
            gradient[labels[first + i]] -= 1.0
            if np.abs(gradient).max() < SMALL:
                continue
            for k in range(5):
                at = 5 * number[first + i + k - 2] + k
                for f in seen[pointers[at] : pointers[at + 1]]:
                    if not dropped(f, i, salt, drop):
                        step(state, f, gradient, rate, l1, l2)
            for f in combined[first + i]:
                if not dropped(f, i, salt, drop):
                    step(state, f, gradient, rate, l1, l2)
