"""Decodes the tagger's labels: Viterbi and marginal probabilities in plain loops (see `model`)."""

from __future__ import annotations

import numpy as np

from linkmask.formulas.compiling import kernel
from linkmask.records import Floats, Ints, Longs

LANE = 16
"""Labels are summed so many at once: what holds a column for each is padded to a multiple of it."""
APART = 1 << 12
"""Scores further apart than this, in units of the weights, have the same odds: next to none."""
FAR = 1 << 28
"""More than a label can be ahead of another, in units of the weights."""


@kernel
def write_spans(
    number: Longs,
    ids: Longs,
    transitions: Ints,
    steps: Ints,
    families: Ints,
    bias: Ints,
    least: Floats,
    moves: Floats,
    odds: Floats,
    score: Ints,
    found: Ints,
) -> int:
    """Write the spans of the best labels of one text into `found`, and return how many."""
    n = len(score)
    count = 0
    paths = np.empty((len(families), n), np.int32)
    viterbi(score, transitions, steps, families, paths)
    for family in range(len(families)):
        first, last = families[family, 0], families[family, 1]
        best = paths[family]
        if least[first] > 0:
            likely(score, moves, odds, bias, first, last, least[first], best)
        i = 0
        while i < n:
            j = i + 1
            while j < n and best[j] == best[i]:
                j += 1
            if best[i] != first:
                a, z = i, j
                while a < z and ids[number[a + 2], 2] == 0:
                    a += 1
                while z > a and ids[number[z + 1], 2] == 0:
                    z -= 1
                if a < z:
                    found[count, 0], found[count, 1], found[count, 2] = a, z, best[i]
                    found[count, 3] = gain(score, transitions, bias, best, first, i, j)
                    count += 1
            i = j
    return count


@kernel
def likely(
    score: Ints,
    moves: Floats,
    odds: Floats,
    bias: Ints,
    first: int,
    last: int,
    least: float,
    best: Ints,
) -> None:
    """Leave a label only to words of the best path that bear some with a chance of `least`.

    Of a run of labelled words each gets the label that is likeliest over all paths through the run
    (`chances`), or none; `bias` is no part of it. Linear time.
    """
    i = 0
    while i < len(best):
        j = i
        while j < len(best) and best[j] != first:
            j += 1
        if i < j:
            chance = chances(score, moves, odds, bias, first, last, i, j)
            for at in range(i, j):
                label = 1
                for k in range(2, last - first):
                    if chance[at - i, k] > chance[at - i, label]:
                        label = k
                best[at] = first + label if 1 - chance[at - i, 0] >= least else first
        i = max(j, i + 1)


@kernel
def chances(
    score: Ints,
    moves: Floats,
    odds: Floats,
    bias: Ints,
    first: int,
    last: int,
    i: int,
    j: int,
) -> Floats:
    """Return the chance of each label in [first, last) at each of words [i, j), in rows of sum 1.

    Forward and backward sums over all paths that say nothing right before and behind (Rabiner
    1989). `odds` holds the odds of scores so many units below the best, `moves` those of each step.
    """
    size = last - first
    here = np.empty((j - i, size))
    ahead = np.empty((j - i, size))
    for at in range(j - i):
        top = score[i + at, first] - bias[first]
        for k in range(1, size):
            top = max(top, score[i + at, first + k] - bias[first + k])
        total = 0.0
        for k in range(size):
            apart = top - score[i + at, first + k] + bias[first + k]
            here[at, k] = odds[min(apart, len(odds) - 1)]
            reach = moves[first, first + k] if i else 1.0
            if at:
                reach = 0.0
                for x in range(size):
                    reach += ahead[at - 1, x] * moves[first + x, first + k]
            ahead[at, k] = reach * here[at, k]
            total += ahead[at, k]
        for k in range(size):
            ahead[at, k] /= total
    behind = np.ones(size)
    if j < len(score):
        for k in range(size):
            behind[k] = moves[first + k, first]
    before = np.empty(size)
    for at in range(j - i - 1, -1, -1):
        total = 0.0
        for k in range(size):
            before[k] = here[at, k] * behind[k]
            ahead[at, k] *= behind[k]
            total += ahead[at, k]
        for k in range(size):
            ahead[at, k] /= total
        for k in range(size):
            behind[k] = 0.0
            for x in range(size):
                behind[k] += moves[first + k, first + x] * before[x]
        total = 0.0
        for k in range(size):
            total = max(total, behind[k])
        for k in range(size):
            behind[k] /= total
    return ahead


@kernel
def gain(
    score: Ints, transitions: Ints, bias: Ints, best: Ints, nothing: int, i: int, j: int
) -> int:
    """Return how much more than `nothing` the label of words [i, j) adds to the path, less bias."""
    taken = best[i]
    more = 0
    for at in range(i, j):
        more += score[at, taken] - bias[taken] - score[at, nothing] + bias[nothing]
    more += (j - i - 1) * (transitions[taken, taken] - transitions[nothing, nothing])
    if i:
        more += transitions[best[i - 1], taken] - transitions[best[i - 1], nothing]
    if j < len(score):
        more += transitions[taken, best[j]] - transitions[nothing, best[j]]
    return int(more)


def within(transitions: Ints, families: Ints) -> Ints:
    """Return what a step from each label to each adds, and that none leads out of a family."""
    size = -(-len(transitions) // LANE) * LANE
    moves = np.full((size, size), -FAR, np.int32)
    for first, last in families:
        moves[first:last, first:last] = transitions[first:last, first:last]
    return moves


def steps(moves: Ints, families: Ints) -> Ints:
    """Return the four numbers of each label that `viterbi` reads first: (4, labels and padding).

    Row 0 is the label "nothing" of the label's family. Row 1 is what a step from nothing to the
    label adds to a path's score, row 2 what a step from the label to itself adds. Row 3 is the most
    by which a step from the label to another one exceeds a step from nothing to that one. No path
    stays in a nothing, or in a label of no family, for row 2, nor leaves it for row 3.
    """
    table = np.full((4, len(moves)), -FAR, np.int32)
    table[0], table[1] = np.arange(len(moves)), 0
    for first, last in families:
        own = moves[first:last, first:last]
        more = own - own[0]
        np.fill_diagonal(more, -FAR)
        table[0, first:last], table[1, first:last] = first, own[0]
        table[2, first + 1 : last] = own.diagonal()[1:]
        table[3, first + 1 : last] = more[1:].max(1, initial=-FAR)
    return table


@kernel
def viterbi(score: Ints, moves: Ints, steps: Ints, families: Ints, paths: Ints) -> None:
    """Write the labels of each family's best path through `score` into its row of `paths`.

    Exact, in O(words × labels²) (Viterbi 1967); of equal paths the one with the lower labels. All
    families are decoded at once. Most paths come to label k from no label or from k itself. A third
    label is tried only if its path leads that of no label by more than the step can cost (`steps`).
    """
    n = len(score)
    width = padded(families)
    nothing, enter, stay, reach = steps[0], steps[1], steps[2], steps[3]
    came = np.empty((n, width), np.int8)
    ahead = np.zeros(width, np.int32)  # of nothing, by the best path to each label
    now = np.zeros(width, np.int32)
    for i in range(n):
        most = -FAR
        for k in range(width):
            most = max(most, ahead[k] + reach[k])
        for k in range(width):
            stayed = ahead[k] + stay[k]
            came[i, k] = k if stayed > enter[k] else nothing[k]
            now[k] = max(stayed, enter[k])
        if most > 0:
            for j in range(width):
                if ahead[j] + reach[j] > 0:
                    for k in range(width):
                        by = ahead[j] + moves[j, k]
                        if by > now[k] or (by == now[k] and j < came[i, k]):
                            now[k], came[i, k] = by, j
        for k in range(width):
            now[k] = (now[k] if i else 0) + score[i, k]
        for k in range(width):
            ahead[k] = now[k] - now[nothing[k]]
    for family in range(len(families)):
        first, last = families[family, 0], families[family, 1]
        at = first
        for k in range(first + 1, last):
            if ahead[k] > ahead[at]:
                at = k
        for i in range(n - 1, -1, -1):
            paths[family, i] = at
            at = came[i, at]


@kernel
def padded(families: Ints) -> int:
    """Return the number of columns that hold the labels of all families, a multiple of `LANE`."""
    width = 0
    for family in range(len(families)):
        width = max(width, families[family, 1])
    return -(-width // LANE) * LANE
