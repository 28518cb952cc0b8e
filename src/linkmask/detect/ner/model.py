"""A linear-chain model over words (a conditional random field; Lafferty et al. 2001), read fast.

The weights of all that is seen of a word are summed once per word and remembered: a text is then a
few look-ups per word and Viterbi's walk, in plain loops that are compiled where there is much to
read. Weights are whole numbers, so that every machine finds the same labels.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linkmask.detect.ner import words
from linkmask.formulas.compiling import fast, kernel
from linkmask.records import Floats, Ints, Longs

FILE = Path(__file__).parent / "model.npz"
REMEMBERED = 1 << 15
"""Words whose sums are kept; when more are met, all are dropped."""
BASE = 1 << 13
"""Terms and classes are numbered below this; a key of three has 42 bits."""
SLOTS = 262_139
"""Places of the table of combinations, a prime."""
DEPTH = 2
"""Keys in one place, at most: training leaves out the others."""
APART = 1 << 12
"""Scores further apart than this, in units of the weights, have the same odds: next to none."""
FAR = 1 << 40
"""More than any sum of weights."""

Span = tuple[int, int, str, float]
"""First word, word after the last, label, confidence in [0, 1]."""


class Model:
    """Weights as they were trained.

    `families` are groups of labels decided independently, each with its own "nothing" first; a
    word's row holds the columns of all families side by side. The first families are asked for
    usual texts; a kind of text that its words tell (`manners`) has others. By kind, `bias` is added
    to each label's score at every word, in units of the weights; where a family's `least` is above
    0, a word that the best path labels must bear some label with such a chance, without bias.
    """

    def __init__(self, path: Path = FILE) -> None:
        with np.load(path, allow_pickle=False) as stored:
            meta = json.loads(bytes(stored["meta"]).decode())
            names = bytes(stored["names"]).decode().split("\n")
            # row 0 is nothing; small numbers, so that more of them are near at hand
            self._weights = np.insert(stored["weights"].astype(np.int16), 0, 0, axis=0)
            order = np.argsort(stored["keys"] % SLOTS, kind="stable")
            self._keys: Longs = stored["keys"][order]
            self._combined = stored["combined"][order]
            self._transitions = stored["transitions"].astype(np.int32)
        self.labels: list[str] = meta["labels"]
        self.families: Ints = np.array(meta["families"], np.int32)
        self.unit: float = meta["unit"]
        # shape (kinds of text, labels)
        self.bias: Ints = np.round(np.array(meta["bias"]) / self.unit).astype(np.int32)
        self.least: Floats = np.array(meta["least"])
        self._moves: Floats = np.exp(self._transitions * self.unit)
        self._odds: Floats = np.exp(-self.unit * np.arange(APART))
        self._feature: tuple[dict[str, int], ...] = tuple({} for _ in words.OFFSETS)
        for row, name in enumerate(names, 1):
            self._feature[int(name[0])][name[1:]] = row
        self._terms = {name: number for number, name in enumerate(meta["terms"], 1)}
        self._vocabulary = frozenset(meta["vocabulary"])
        # the keys of a place stand together: where they begin, and where the next place's do
        self._places = np.searchsorted(self._keys % SLOTS, np.arange(SLOTS + 1)).astype(np.int32)
        manners = meta["manners"]
        self._telling: list[dict[str, float]] = [manner["words"] for manner in manners]
        self._least = [(manner["each"], manner["in_all"]) for manner in manners]
        self._asked: Ints = self.families[[meta["usual"], *(m["families"] for m in manners)]]
        self._read = 0
        self._number: dict[str, int] = {}
        self._forget()

    def _forget(self) -> None:
        self._number.clear()
        self._rows = np.zeros((1 << 12, len(words.OFFSETS), len(self.labels)), np.int16)
        self._ids = np.zeros((1 << 12, 3), np.int64)
        self._tells = np.zeros((1 << 12, len(self._telling)))

    def tag(self, text: Sequence[str]) -> list[Span]:
        """Return what is taken, family by family, without marks at its ends. Linear time.

        The confidence is the chance that the words have this label and not none, if all others
        have theirs; `bias` is no part of it.
        """
        return self.tags([text])[0]

    def tags(self, texts: Sequence[Sequence[str]]) -> list[list[Span]]:
        """Return what `tag` does for each of some short texts: all at once takes half the time."""
        sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        edge = (words.BORDER, words.BORDER)
        number = self._numbers([*edge, *chain.from_iterable((*text, *edge) for text in texts)])
        ends = np.cumsum(sizes) + 2 * np.arange(1, len(texts) + 1)
        score = np.empty((sizes.max(initial=0), len(self.labels)), np.int32)
        found = np.empty((sizes.sum() * len(self.families), 4), np.int32)
        counts = np.empty(len(texts), np.int64)
        self._read += int(sizes.sum())
        read = fast(label, self._read)
        count = read(
            number, ends, self._manners(number, ends, sizes),
            self._ids, self._rows, self._places, self._keys, self._combined, self._transitions,
            self._asked, self.bias,
            self.least, self._moves, self._odds, score, found, counts,
        )  # fmt: skip
        odds = np.exp(-np.clip(found[:count, 3] * self.unit, -30, 30))
        first, after, kind, _ = found[:count].T.tolist()
        labels = map(self.labels.__getitem__, kind)
        spans = zip(first, after, labels, (1 / (1 + odds)).tolist(), strict=True)
        return [list(islice(spans, n)) for n in counts.tolist()]

    def _manners(self, number: Longs, ends: Longs, sizes: Longs) -> Longs:
        """Return what kind each text is by its words' weights: 0 is usual, else the first it is."""
        manners = np.zeros(len(ends), np.int64)
        if self._telling and len(ends):
            sums = np.add.reduceat(self._tells[number], ends - sizes)
            for kind, (each, in_all) in reversed([*enumerate(self._least)]):
                manners[sums[:, kind] >= each * sizes + in_all] = kind + 1
        return manners

    def _numbers(self, text: list[str]) -> Longs:
        known = self._number
        try:
            return np.fromiter(map(known.__getitem__, text), np.int64, len(text))
        except KeyError:
            fresh = dict.fromkeys(word for word in text if word not in known)
            if len(known) + len(fresh) > REMEMBERED and known:
                self._forget()
                return self._numbers(text)
            for word in fresh:
                self._learn(word)
            return np.fromiter(map(known.__getitem__, text), np.int64, len(text))

    def _learn(self, word: str) -> None:
        """Sum up what is seen of a word, from each offset, and remember it."""
        number = len(self._number)
        if number == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
            self._ids = np.concatenate([self._ids, np.zeros_like(self._ids)])
            self._tells = np.concatenate([self._tells, np.zeros_like(self._tells)])
        rows: list[int] = []
        starts: list[int] = []
        for feature, names in zip(self._feature, words.attributes(word), strict=True):
            starts.append(len(rows))
            rows.append(0)
            rows += [feature[name] for name in names if name in feature]
        np.add.reduceat(self._weights[rows], starts, out=self._rows[number])
        term = self._terms.get(words.term(word, self._vocabulary), 0)
        kind = self._terms.get(f"<{words.kind(word)}>", 0)
        self._ids[number] = term, kind, word[0].isalnum() and word[-1].isalnum()
        low = word.lower()
        self._tells[number] = [telling.get(low, 0.0) for telling in self._telling]
        self._number[word] = number


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

    `number` are the words of all texts, with two borders before, between and after them; in it each
    text ends at its place in `ends`, and is asked the families that `asked` has, shape (kinds,
    families, 2), for its kind in `manners`; so are `bias` and `least`, by label. `found` gets
    (first word, word after the last, label, how much the best path gains by it over nothing there,
    without bias) and must have room for families × words rows. `score` is for one text at a time:
    (words of the longest, labels). Returns the sum of `counts`.
    """
    count = begin = 0
    for text in range(len(ends)):
        of, n = number[begin : ends[text] + 2], ends[text] - begin - 2
        families = asked[manners[text]]
        off, enough = bias[manners[text]], least[manners[text]]
        weigh(of, ids, rows, places, keys, combined, off, score[:n], families[:, 1].max())
        counts[text] = walk(
            of, ids, transitions, families, off, enough, moves, odds, score[:n], found[count:]
        )
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
    """Fill `score` (words, labels) for a text whose words `number` has, with two borders around.

    Only the first `width` labels are asked for.
    """
    n = len(score)
    for i in range(n):
        for k in range(width):
            score[i, k] = bias[k]
        for offset in range(5):
            row = number[i + offset]
            for k in range(width):
                score[i, k] += rows[row, offset, k]
        t1, t2, t3, t4, t5 = (
            ids[number[i], 0], ids[number[i + 1], 0], ids[number[i + 2], 0],
            ids[number[i + 3], 0], ids[number[i + 4], 0],
        )  # fmt: skip
        k1, k2, k3, k4, k5 = (
            ids[number[i], 1], ids[number[i + 1], 1], ids[number[i + 2], 1],
            ids[number[i + 3], 1], ids[number[i + 4], 1],
        )  # fmt: skip
        for which in range(7):
            if which == 0:
                key = pair(0, t2, t3)
            elif which == 1:
                key = pair(1, t3, t4)
            elif which == 2:
                key = pair(2, t1, t2)
            elif which == 3:
                key = pair(3, t4, t5)
            elif which == 4:
                key = triple(4, k2, k3, k4)
            elif which == 5:
                key = triple(5, k1, k2, k3)
            else:
                key = triple(6, k3, k4, k5)
            place = key % SLOTS
            for row in range(places[place], places[place + 1]):
                if keys[row] == key:
                    for k in range(width):
                        score[i, k] += combined[row, k]
                    break


@kernel
def walk(
    number: Longs,
    ids: Longs,
    transitions: Ints,
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
    best = np.empty(n, np.int32)
    for family in range(len(families)):
        first, last = families[family, 0], families[family, 1]
        viterbi(score, transitions, first, last, best)
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
                label = 1 + np.argmax(chance[at - i, 1:])
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
        total = behind.max()
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


@kernel
def viterbi(score: Ints, transitions: Ints, first: int, last: int, best: Ints) -> None:
    """Write the labels in [first, last) of the best path through `score` into `best`.

    Exact, in O(words × labels²) (Viterbi 1967); of equal paths the one with the lower labels.
    Mostly "nothing" leads by more than any move from a third label into k could make good
    (`nearer[k]`): then a path to k comes from nothing or from k.
    """
    n, size = len(score), last - first
    came = np.zeros((n, size), np.int8)
    so_far = np.zeros(size, np.int64)
    now = np.zeros(size, np.int64)
    nearer = np.full(size, -FAR, np.int64)
    for k in range(size):
        for j in range(1, size):
            if j != k:
                by = transitions[first + j, first + k] - transitions[first, first + k]
                nearer[k] = max(nearer[k], by)
    for i in range(n):
        other = -FAR
        for k in range(1, size):
            other = max(other, so_far[k])
        for k in range(size):
            top = so_far[0] + transitions[first, first + k]
            if other + nearer[k] <= so_far[0]:
                reach = so_far[k] + transitions[first + k, first + k]
                if reach > top:
                    top = reach
                    came[i, k] = k
            else:
                for j in range(1, size):
                    reach = so_far[j] + transitions[first + j, first + k]
                    if reach > top:
                        top = reach
                        came[i, k] = j
            now[k] = (top if i else 0) + score[i, first + k]
        for k in range(size):
            so_far[k] = now[k]
    at = 0
    for k in range(1, size):
        if so_far[k] > so_far[at]:
            at = k
    for i in range(n - 1, -1, -1):
        best[i] = first + at
        at = came[i, at]


@kernel
def pair(which: int, one: int, two: int) -> int:
    """Return the number of a combination of two terms."""
    return which + 8 * (one + BASE * two)


@kernel
def triple(which: int, one: int, two: int, three: int) -> int:
    """Return the number of a combination of three classes."""
    return which + 8 * (one + BASE * (two + BASE * three))


@cache
def shipped() -> Model:
    """Return the shipped model, read once per process."""
    return Model()
