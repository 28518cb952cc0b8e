"""What does an attacker find who has learned from corpora of the same writer?

    python benchmarks/like.py [FOLDER FOLDER…]

Each FOLDER holds a corpus of clusters (docs/formulas.md §13.2); without them: the sets of
`../shared/data/insurance` that are there. Each is attacked by weights learned from all others,
whose persons are known to the attacker, masked in the same ways (a logistic regression over pairs,
every corpus and way counting the same). Besides what the shipped linker reads, this attacker
compares how texts are written: their words, sentences, words of a sentence, commas, other marks,
and how often they use the words that most texts hold. None of these weights ships.

rank-1      share of documents whose nearest is the same person's
pairs       AUC for "both are one person's"

"shipped" is the linker of the package. "without style" leaves out how texts are written.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from linkmask import schema
from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import Pairs, compare_texts, models
from linkmask.graph.linkage.features import NAMES, relative
from linkmask.graph.linkage.pairs import sides_of
from linkmask.graph.linkage.terms import WORD
from linkmask.records import Floats
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.defences import DefenceBuilder, defence
from linkmask.testbench.ranking import Ranking
from risk import DATA, PENALTY, SETS

WAYS = ("std", "clam", "clam[preset=release]", "mask-all")
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
MARKS = schema.placeholders(schema.load("insurance").types)
COMMON = 50
"""Words, those that most texts hold, by whose frequency texts are compared."""
HALF = 0.5
"""Difference of logarithms at which two lengths are apart by a factor e."""


class Attacked(NamedTuple):
    """A corpus masked in one way: pairs with features, those of style last, and who is who."""

    pairs: Pairs
    same: Floats
    person: Sequence[int]


def read(corpus: BenchCorpus) -> Iterator[Attacked]:
    """Yield a corpus masked in each way."""
    builder, person = DefenceBuilder(corpus), np.array(corpus.cluster)
    for way in WAYS:
        texts = defence(way).make(builder).texts
        pairs = compare_texts(texts, clusters.names)
        whole = np.c_[pairs.features, style(texts, pairs)]
        same = (person[pairs.left] == person[pairs.right]).astype(float)
        yield Attacked(pairs._replace(features=whole), same, corpus.cluster)


def style(texts: Sequence[str], pairs: Pairs) -> Floats:
    """Return how alike each pair is written: a column each of lengths, marks and common words."""
    left, right = pairs.left, pairs.right
    plain = [MARKS.sub(" ", text) for text in texts]
    words = [WORD.findall(text.casefold()) for text in plain]
    count = np.array([max(1, len(own)) for own in words])
    sentences = np.array([max(1, len(SENTENCE.split(text.strip()))) for text in texts])
    lengths = np.log(np.stack([count, sentences, count / sentences], axis=1))
    marks = np.stack(
        [[text.count(",") for text in plain], [sum(map(text.count, ";:()–-")) for text in plain]],
        axis=1,
    )
    rates = marks / count[:, None]
    rates = rates / np.maximum(1e-9, rates.std(axis=0))
    near = [np.exp(-np.abs(of[left] - of[right])) for of in (lengths / HALF, rates)]
    manner = np.einsum("pt,pt->p", *(usage(words)[side] for side in (left, right)))
    usual = relative(manner, left, right, sides_of(left, right, pairs.texts))
    return np.c_[(*near, manner, usual)]


def usage(words: Sequence[Sequence[str]]) -> Floats:
    """Return how much more or less than usual each text uses the common words, of length 1."""
    counts = [Counter(own) for own in words]
    holders = Counter(word for own in counts for word in own)
    common = sorted(holders, key=lambda word: (-holders[word], word))[:COMMON]
    rows = np.array(
        [[own[word] / max(1, own.total()) for word in common] for own in counts], dtype=float
    )
    rows = np.sqrt(rows)
    rows = (rows - rows.mean(axis=0)) / (rows.std(axis=0) + 1e-6)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length < 1e-9, 1, length))


def learn(corpora: Sequence[Attacked], columns: slice) -> Floats:
    """Return the weights of a logistic regression; same and other pairs count the same."""
    spread = np.concatenate([one.pairs.features[:, columns] for one in corpora]).std(axis=0)
    spread = np.where(spread < 1e-9, 1, spread)
    parts = [
        (
            np.c_[one.pairs.features[:, columns] / spread, np.ones(len(one.same))],
            one.same,
            np.where(one.same > 0.5, 0.5 / one.same.sum(), 0.5 / (1 - one.same).sum()),
        )
        for one in corpora
    ]

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = PENALTY * weights @ weights / 2, PENALTY * weights
        for features, same, weight in parts:
            odds = features @ weights
            total += weight @ (np.logaddexp(0, odds) - same * odds) / len(parts)
            slope = slope + (weight * (1 / (1 + np.exp(-odds)) - same)) @ features / len(parts)
        return total, slope

    start = np.zeros(parts[0][0].shape[1])
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return np.asarray(fitted[:-1] / spread)


def rows(attacked: Mapping[str, Sequence[Attacked]]) -> Iterator[str]:
    """Yield the rows of all corpora, each attacked by what the others teach."""
    own = slice(0, len(NAMES))
    for name, ways in attacked.items():
        others = [one for other, some in attacked.items() if other != name for one in some]
        known = {
            "shipped": (own, models.shipped_model().weights),
            "without style": (own, learn(others, own)),
            "with style": (slice(None), learn(others, slice(None))),
        }
        for way, one in zip(WAYS, ways, strict=True):
            cells = []
            for columns, weights in known.values():
                score = one.pairs.features[:, columns] @ weights
                found = Ranking(one.pairs.left, one.pairs.right, score, one.person)
                cells.append(f"{found.rank1:.2f}, {found.auc() or 0:.2f}")
            yield f"| {name}, `{way}` | {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    given = parser.parse_args().folders
    folders = given or [DATA / name for name in SETS if (DATA / name).is_dir()]
    attacked = {folder.name: list(read(read_corpus(folder))) for folder in folders}
    print("| rank-1, pairs | shipped | without style | with style |\n|---|---|---|---|")
    print("\n".join(rows(attacked)))


if __name__ == "__main__":
    main()
