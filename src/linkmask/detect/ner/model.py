"""Runs the tagger, a linear-chain conditional random field over tokens (Lafferty et al. 2001).

The weights of a word's features are summed once per word and cached, so a text costs a few look-ups
per token and one Viterbi decoding, in plain loops that are compiled for large inputs. Weights are
integers, so that every machine gives the same labels.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import accumulate, chain, islice
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

import numpy as np

from linkmask.detect.ner import features
from linkmask.detect.ner.scoring import SLOTS, label
from linkmask.detect.ner.viterbi import APART, LANE, steps, within
from linkmask.formulas.compiling import fast
from linkmask.records import Floats, Ints, Longs

FILE = Path(__file__).parent / "model.npz"
"""5.3 MB, kept in the repository because detection needs it offline and from the first run on."""
REMEMBERED = 1 << 16
"""Words whose sums are kept; when more are met, all are dropped. Their room takes memory as it is
filled."""
LOAD_FROM = 3_000
"""Words that take as long to read in loops as they are as kept compiled ones take to load."""
Span = tuple[int, int, str, float]
"""First word, word after the last, label, confidence in [0, 1]."""


class Model:
    """The trained weights, and the labelling of texts with them.

    `families` are groups of labels. Each family is decided independently of the others and has a
    label for "nothing", which is its first; a word's row holds the columns of all families side by
    side. Most texts are labelled by the first families, and a text of another kind, which its words
    show (`manners`), by others. For each kind, `bias` is added to a label's score at every word, in
    units of the weights. Where a family's `least` is above 0, a word that the best path labels
    keeps its label only if some label has at least this chance there, without bias.
    """

    learning: ClassVar = Lock()
    """Held while words are added to what a model knows."""

    def __init__(self, path: Path = FILE) -> None:
        self._feature: tuple[dict[str, int], ...] = tuple({} for _ in features.OFFSETS)
        by_offset = {str(number): rows for number, rows in enumerate(self._feature)}
        with np.load(path, allow_pickle=False) as stored:
            meta = json.loads(bytes(stored["meta"]).decode())
            names = bytes(stored["names"]).decode()
            for row, name in enumerate(names.split("\n"), 1):  # number of the offset, feature
                by_offset[name[0]][name[1:]] = row
            del names
            # row 0 is nothing; as small as they are stored, so that more of them are near at hand
            self._weights = np.pad(stored["weights"], ((1, 0), (0, 0)))
            order = np.argsort(stored["keys"] % SLOTS, kind="stable")
            self._keys: Longs = stored["keys"][order]
            self._combined = np.pad(_padded(stored["combined"])[order], ((1, 0), (0, 0)))
            transitions = stored["transitions"].astype(np.int32)
        self.labels: list[str] = meta["labels"]
        self.families: Ints = np.array(meta["families"], np.int32)
        self.unit: float = meta["unit"]
        # shape (kinds of text, labels and padding)
        self.bias: Ints = _padded(np.round(np.array(meta["bias"]) / self.unit).astype(np.int32))
        self.least: Floats = np.array(meta["least"])
        self._transitions = within(transitions, self.families)
        self._moves: Floats = np.exp(self._transitions * self.unit)
        self._odds: Floats = np.exp(-self.unit * np.arange(APART))
        self._terms = {name: number for number, name in enumerate(meta["terms"], 1)}
        self._vocabulary = frozenset(meta["vocabulary"])
        # the keys of a place stand together: where they begin, and where the next place's do
        self._places = np.searchsorted(self._keys % SLOTS, np.arange(SLOTS + 1)).astype(np.int32)
        manners = meta["manners"]
        self._telling: list[dict[str, float]] = [manner["words"] for manner in manners]
        self._least = [(manner["each"], manner["in_all"]) for manner in manners]
        self._asked: Ints = self.families[[meta["usual"], *(m["families"] for m in manners)]]
        self._steps = np.array([steps(self._transitions, asked) for asked in self._asked])
        self._read = 0
        self._known = self._no_words(REMEMBERED)

    def _no_words(self, most: int) -> MetWords:
        return MetWords(most, self.bias.shape[1], len(self._telling))

    def tag(self, text: Sequence[str]) -> list[Span]:
        """Return the spans that the model finds, by family, without punctuation at their ends.

        Linear time. The confidence is the probability that the words have this label and not none,
        given the labels of all other words; it does not include `bias`.
        """
        edge = [features.BORDER] * 2
        return self.read([*edge, *text, *edge], [len(text)])[0]

    def read(self, split: Sequence[str], lengths: Sequence[int]) -> list[list[Span]]:
        """Return what `tag` does for texts of such lengths, with two borders around each.

        All at once take half the time.
        """
        sizes = np.array(lengths, np.int64)
        met, number = self._numbers(split)
        ends = np.cumsum(sizes) + 2 * np.arange(1, len(sizes) + 1)
        score = np.empty((sizes.max(initial=0), self.bias.shape[1]), np.int32)
        found = np.empty((sizes.sum() * len(self.families), 4), np.int32)
        counts = np.empty(len(sizes), np.int64)
        self._read += len(split)
        manners = self._manners(met.tells[number], ends, sizes)
        count = fast(label, self._read, LOAD_FROM)(
            number, ends, manners,
            met.ids, met.rows, self._places, self._keys, self._combined, self._transitions,
            self._steps, self._asked, self.bias,
            self.least, self._moves, self._odds, score, found, counts,
        )  # fmt: skip
        odds = np.exp(-np.clip(found[:count, 3] * self.unit, -30, 30))
        first, after, kind, _ = found[:count].T.tolist()
        labels = map(self.labels.__getitem__, kind)
        spans = zip(first, after, labels, (1 / (1 + odds)).tolist(), strict=True)
        return [list(islice(spans, n)) for n in counts.tolist()]

    def _manners(self, tells: Floats, ends: Longs, sizes: Longs) -> Longs:
        """Return what kind each text is by its words' weights: 0 is usual, else the first it is."""
        manners = np.zeros(len(ends), np.int64)
        if self._telling and len(ends):
            sums = np.add.reduceat(tells, ends - sizes)
            for kind, (each, in_all) in reversed([*enumerate(self._least)]):
                manners[sums[:, kind] >= each * sizes + in_all] = kind + 1
        return manners

    def _numbers(self, text: Sequence[str]) -> tuple[MetWords, Longs]:
        """Return the words of a text by number, and what is known of these.

        Threads share what is known: one at a time adds to it, and where it is dropped, the others
        keep theirs until they are done.
        """
        met = self._known
        with suppress(KeyError):
            return met, met.numbers(text)
        with Model.learning:
            met = self._known
            fresh = dict.fromkeys(word for word in text if word not in met.number)
            if len(met.number) + len(fresh) > min(REMEMBERED, len(met.ids)):
                fresh = dict.fromkeys(text)
                met = self._known = self._no_words(max(REMEMBERED, len(fresh)))
            for word in fresh:
                self._learn(word, met)
            return met, met.numbers(text)

    def _learn(self, word: str, met: MetWords) -> None:
        """Sum up what is seen of a word, from each offset, and remember it."""
        both = zip(self._feature, features.attributes(word), strict=True)
        seen = [[0, *filter(None, map(feature.get, names))] for feature, names in both]
        rows, starts = [*chain.from_iterable(seen)], [0, *accumulate(map(len, seen[:-1]))]
        number = len(met.number)
        sums = met.rows[number, :, : len(self.labels)]
        np.add.reduceat(self._weights[rows], starts, dtype=np.int16, out=sums)
        term, kind = (self._terms.get(one, 0) for one in features.terms(word, self._vocabulary))
        met.ids[number] = term, kind, word[0].isalnum() and word[-1].isalnum()
        low = word.lower()
        met.tells[number] = [telling.get(low, 0.0) for telling in self._telling]
        met.number[word] = number  # last: other threads look here


class MetWords:
    """The words met so far, by number, and for each: sums by offset and label, ids, what it tells.

    The arrays have room for `most` words, and are never changed where a word stands.
    """

    def __init__(self, most: int, columns: int, kinds: int) -> None:
        self.number: dict[str, int] = {}
        self.rows = np.zeros((most, len(features.OFFSETS), columns), np.int16)
        self.ids = np.zeros((most, 3), np.int64)
        self.tells = np.zeros((most, kinds))

    def numbers(self, text: Sequence[str]) -> Longs:
        """Return the words of a text by number.

        Raises:
            KeyError: one is not known.
        """
        return np.fromiter(map(self.number.__getitem__, text), np.int64, len(text))


def _renew_lock() -> None:
    """Let go of the lock in a process that was forked while another thread held it."""
    Model.learning = Lock()


os.register_at_fork(after_in_child=_renew_lock)


def _padded(columns: Any) -> Any:
    """Return an array with further columns of zeros, to a multiple of `LANE`."""
    return np.pad(columns, ((0, 0), (0, -columns.shape[1] % LANE)))


@cache
def shipped() -> Model:
    """Return the shipped model, read once per process."""
    return Model()
