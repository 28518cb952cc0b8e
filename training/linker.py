"""Learn to tell which texts are one person's: the weights of the linker in the box.

    python training/linker.py [--out FILE]

Learned from corpora of this repository alone, none generated: `benchmarks/corpora/first` and
`second`, `examples/insurance`. Each is read as it is and masked in four ways, from preset
`insurance` to everything that is detected, so that the weights hold for what masking leaves. They
maximise the likelihood that a text's nearest is its person's (a conditional logit by text, every
corpus and way counting the same) under a quadratic penalty. Slope and intercept of a pair's
log-odds are then fitted to the scores of corpora left out of the weights, one at a time.

What is printed is of these left-out corpora: rank-1 by TF-IDF and by the linker, and the AUC.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask.detect.ner import clusters
from linkmask.graph.linkage import Pairs, compare_texts, models
from linkmask.graph.linkage.features import NAMES
from linkmask.records import Flags, Floats
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.defences import DefenceBuilder, defence
from linkmask.testbench.measures import auc
from linkmask.testbench.ranking import Ranking

ROOT = Path(__file__).parents[1]
CORPORA = ("benchmarks/corpora/first", "benchmarks/corpora/second", "examples/insurance")
WAYS = ("std", "clam", "clam-strict", "clam[theta_doc=0.6]", "mask-all")
PENALTY = 0.01


class Read(NamedTuple):
    """A corpus masked in one way: its pairs, which are one person's, and each text's person."""

    name: str
    way: str
    pairs: Pairs
    same: Flags
    person: Sequence[int]


def corpora() -> list[Read]:
    """Return every corpus masked in every way."""
    found = []
    for name in CORPORA:
        corpus = read_corpus(ROOT / name)
        shop, person = DefenceBuilder(corpus), np.array(corpus.cluster)
        for way in WAYS:
            pairs = compare_texts(defence(way).make(shop).texts, clusters.names)
            same = person[pairs.left] == person[pairs.right]
            found.append(Read(name, way, pairs, same, corpus.cluster))
    return found


def scale_of(corpora: Sequence[Read]) -> Floats:
    """Return the standard deviation of each feature."""
    spread = np.concatenate([one.pairs.features for one in corpora]).std(axis=0)
    return np.where(spread < 1e-9, 1, spread)


def fit_ranking(corpora: Sequence[Read]) -> Floats:
    """Return the weights under which a text's nearest is most likely its person's."""
    scale = scale_of(corpora)
    parts = [_by_text(one, scale) for one in corpora]

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 0.0, np.zeros(len(weights))
        for features, number, mine in parts:
            score = (features @ weights)[number]
            np.copyto(score, -np.inf, where=number < 0)
            every = np.exp(score - score.max(axis=1, keepdims=True))
            own = np.where(mine, every, 0)
            share = every / every.sum(axis=1, keepdims=True)
            own_share = own / own.sum(axis=1, keepdims=True)
            total -= np.log(own.sum(axis=1) / every.sum(axis=1)).mean() / len(parts)
            pull = (share - own_share) / len(score) / len(parts)
            slope += np.bincount(number[number >= 0], pull[number >= 0], len(features)) @ features
        return total + PENALTY * weights @ weights / 2, slope + PENALTY * weights

    start = np.zeros(len(NAMES))
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x / scale


def _by_text(one: Read, scale: Floats) -> tuple[Floats, Floats, Flags]:
    """Return features; for each text that has another the numbers of its pairs; which fit."""
    n = one.pairs.texts
    number = np.full((n, n), -1)
    number[one.pairs.left, one.pairs.right] = number[one.pairs.right, one.pairs.left] = np.arange(
        len(one.same)
    )
    person = np.array(one.person)
    mine = (person[:, None] == person[None, :]) & (number >= 0)
    some = mine.any(axis=1)
    return one.pairs.features / scale, number[some], mine[some]


def fit_pairs(scored: Sequence[tuple[Floats, Flags, int]]) -> tuple[float, float]:
    """Return slope and intercept of a pair's log-odds over its score (Platt), less log(n − 1)."""

    def loss(line: Floats) -> tuple[float, Floats]:
        total, slope = 0.0, np.zeros(2)
        for score, same, n in scored:
            odds = line[0] * score + line[1] - np.log(n - 1)
            total += np.logaddexp(0, np.where(same, -odds, odds)).mean()
            wrong = (1 / (1 + np.exp(-odds)) - same) / len(score)
            slope += [wrong @ score, wrong.sum()]
        return total, slope

    slope, intercept = minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B").x
    return float(slope), float(intercept)


def main() -> None:
    """Learn, print how corpora that were left out are told, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=models.FILE)
    arguments = parser.parse_args()
    read = corpora()
    held_out = []
    print("corpus, masked by: rank-1 by TF-IDF, by the linker; AUC of pairs")
    for name in CORPORA:
        weights = fit_ranking([one for one in read if one.name != name])
        for one in (one for one in read if one.name == name):
            score = one.pairs.features @ weights
            held_out.append((score, one.same, one.pairs.texts))
            first, second = (
                Ranking(one.pairs.left, one.pairs.right, by, one.person).rank1
                for by in (one.pairs.features[:, NAMES.index("word cosine")], score)
            )
            area = auc(score[one.same].tolist(), score[~one.same].tolist())
            print(f"{name}, {one.way}: {first:.2f}, {second:.2f}; {area:.2f}")
    slope, intercept = fit_pairs(held_out)
    weights = fit_ranking(read)
    lines = [
        "# Weights of the linker, made by training/linker.py; see there for what they mean.",
        f"learned_from = {list(CORPORA)}".replace("'", '"'),
        "# Slope and intercept of a pair's log-odds over its score, log(texts − 1) aside.",
        f"pair = [{slope:.4f}, {intercept:.4f}]",
        "",
        "[weights]  # per unit of the feature",
        *(f'"{name}" = {weight:.4f}' for name, weight in zip(NAMES, weights, strict=True)),
    ]
    arguments.out.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
