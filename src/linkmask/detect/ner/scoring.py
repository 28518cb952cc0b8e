"""Sums up the scores of words and labels them, in plain loops that also run compiled.

A combination of features has a key, and the weights of its labels lie in a table of slots: `pair`
and `triple` make the key, `found_at` finds the row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkmask.detect.ner.viterbi import padded, write_spans
from linkmask.formulas.compiling import kernel
from linkmask.records import Floats, Ints, Longs

BASE = 1 << 13
"""Terms and classes are numbered below this; a key of three has 42 bits."""
SLOTS = 262_139
"""Places of the table of combinations, a prime."""
DEPTH = 2
"""Keys in one place, at most: training leaves out the others."""


@kernel
def label(
    number: Longs,
    ends: Longs,
    manners: Longs,
    ids: Longs,
    rows: NDArray[np.int16],
    places: Ints,
    keys: Longs,
    combined: NDArray[np.int8],
    transitions: Ints,
    steps: Ints,
    asked: Ints,
    bias: Ints,
    least: Floats,
    moves: Floats,
    odds: Floats,
    score: Ints,
    found: Ints,
    counts: Longs,
) -> int:
    """Write the spans of the best labels of each text into `found`, how many into `counts`.

    `number` has the words of all texts, with two borders before, between and after them. `ends`
    says where each text ends in it, and `manners` of which kind it is. `asked`, shape (kinds,
    families, 2), has the families that are decoded for a kind; `bias` and `least` have a row for
    each kind, by label. `found` gets (first word, word after the last, label, how much the best
    path gains by it over no label there, without bias) and must have room for families × words
    rows. `score` is for one text at a time:
    (words of the longest, labels). Returns the sum of `counts`.
    """
    count = begin = 0
    for text in range(len(ends)):
        of, n = number[begin : ends[text] + 2], ends[text] - begin - 2
        families = asked[manners[text]]
        off, enough = bias[manners[text]], least[manners[text]]
        weigh(of, ids, rows, places, keys, combined, off, score[:n], padded(families))
        counts[text] = write_spans(
            of, ids, transitions, steps[manners[text]], families, off, enough, moves, odds,
            score[:n], found[count:],
        )  # fmt: skip
        count += counts[text]
        begin = ends[text]
    return count


@kernel
def weigh(
    number: Longs,
    ids: Longs,
    rows: NDArray[np.int16],
    places: Ints,
    keys: Longs,
    combined: NDArray[np.int8],
    bias: Ints,
    score: Ints,
    width: int,
) -> None:
    """Fill `score` (words, columns) for a text whose words `number` has, with two borders around.

    Only the first `width` columns are asked for.
    """
    for i in range(len(score)):
        a, b, c, d, e = number[i], number[i + 1], number[i + 2], number[i + 3], number[i + 4]
        ab = found_at(pair(2, ids[a, 0], ids[b, 0]), places, keys)
        bc = found_at(pair(0, ids[b, 0], ids[c, 0]), places, keys)
        cd = found_at(pair(1, ids[c, 0], ids[d, 0]), places, keys)
        de = found_at(pair(3, ids[d, 0], ids[e, 0]), places, keys)
        abc = found_at(triple(5, ids[a, 1], ids[b, 1], ids[c, 1]), places, keys)
        bcd = found_at(triple(4, ids[b, 1], ids[c, 1], ids[d, 1]), places, keys)
        cde = found_at(triple(6, ids[c, 1], ids[d, 1], ids[e, 1]), places, keys)
        for k in range(width):
            score[i, k] = (
                bias[k]
                + rows[a, 0, k] + rows[b, 1, k] + rows[c, 2, k] + rows[d, 3, k] + rows[e, 4, k]
                + combined[ab, k] + combined[bc, k] + combined[cd, k] + combined[de, k]
                + combined[abc, k] + combined[bcd, k] + combined[cde, k]
            )  # fmt: skip


@kernel
def found_at(key: int, places: Ints, keys: Longs) -> int:
    """Return the row of a combination's weights, 0 of one that has none."""
    place = key % SLOTS
    for row in range(places[place], places[place + 1]):
        if keys[row] == key:
            return row + 1
    return 0


@kernel
def pair(which: int, one: int, two: int) -> int:
    """Return the number of a combination of two terms."""
    return which + 8 * (one + BASE * two)


@kernel
def triple(which: int, one: int, two: int, three: int) -> int:
    """Return the number of a combination of three classes."""
    return which + 8 * (one + BASE * (two + BASE * three))
