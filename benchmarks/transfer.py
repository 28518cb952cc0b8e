"""Do masks that one sentence model chose also hinder attackers who have another one, or none?

    python benchmarks/transfer.py [FOLDER…] [--decoys 2] [--vectors COMMAND | --other MODEL]

Each FOLDER holds a corpus of clusters (docs/formulas.md §13.2). Without one: the sets of
`../shared/data/insurance` that are there and a corpus of `linkmask generate` with decoys (120
documents, seed 7). Masks: by default, by preset `release`, by `release` with setting
`sentence_model` (all-MiniLM-L6-v2), and controls: `release` with as many further words as the
model adds, at random among all that are not of everyday.

Cells are rank-1, the share of documents whose nearest is the same person's, for attackers who
compare documents without their masks:

words       by TF-IDF of words
letters     by TF-IDF of n-grams of letters
topics      by topics (LSA: a truncated SVD of the words' TF-IDF), learned from the masked texts
linker      by the linker of the package, without a sentence model
other       by the vectors of another model: COMMAND reads a JSON list of texts and writes one of
            vectors (`benchmarks/static_vectors.py` is such a command). MODEL is a folder as setting
            `sentence_model` takes it (`training/sentence_attacker.py` trains one)
same        by the model that chose the masks
both        by the linker with this model
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from controls import MASK, at_random
from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import Embed, compare_texts, models
from linkmask.graph.linkage.features import NAMES
from linkmask.graph.linkage.sentences import SentenceModel, vectors_of
from linkmask.records import Floats
from linkmask.testbench import generate
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.defences.builder import linking_words
from linkmask.testbench.ranking import Ranking
from risk import DATA, SETS, installed

SEEDS = 2
"""Controls that are drawn."""
BY_FEATURE = {"words": "word cosine", "letters": "gram cosine", "topics": "topic cosine"}
DECIMALS = 9
"""Decimals to which cosines are compared, so that ties are ties."""


def masked(corpus: BenchCorpus, model: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the texts of a corpus by how they are masked."""
    builder, found = DefenceBuilder(corpus), dict[str, Sequence[str]]()
    ways = {
        "default": {"preset": "insurance"},
        "release": {"preset": "release"},
        "release, sentence model": {"preset": "release", "sentence_model": str(model)},
    }
    for name, chosen in ways.items():
        settings = builder.settings(**chosen)
        scan = builder.scan("embedded", chosen["preset"], *linking_words(settings))
        found[name] = scan.mask(scan.choose(settings), settings).texts
        yield name, found[name]
    left, most = found["release"], found["release, sentence model"]
    count = sum(text.count(MASK) for text in most) - sum(text.count(MASK) for text in left)
    for seed in range(SEEDS):
        some = range(1, len(left) + 1)
        yield f"words@release, seed {seed}", at_random(left, count, random.Random(seed), some)


def attacked(
    texts: Sequence[str], person: Sequence[int], embed: Embed, other: Embed | None
) -> list[float]:
    """Return the rank-1 of each attacker, NaN where there is none."""
    pairs = compare_texts(texts, clusters.names, embed)
    plain = pairs._replace(features=pairs.features[:, : len(NAMES)])
    scores: list[Floats | None] = [
        pairs.features[:, NAMES.index(feature)] for feature in BY_FEATURE.values()
    ]
    scores.append(models.shipped_model().score(plain).scores)
    vectors = vectors_of(texts, other)
    if vectors is None:
        scores.append(None)
    else:
        cosines = np.einsum("pt,pt->p", vectors[pairs.left], vectors[pairs.right])
        scores.append(np.round(cosines, DECIMALS))
    scores.append(pairs.features[:, len(NAMES)])
    scores.append(models.shipped_model(sentences=True).score(pairs).scores)
    return [
        float("nan") if one is None else Ranking(pairs.left, pairs.right, one, person).rank1
        for one in scores
    ]


def computed(texts: Sequence[str], command: str) -> Floats:
    """Return the vectors that a command computes, rows of length 1."""
    asked = shlex.split(command)
    said = subprocess.run(
        asked, input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    vectors = np.array(json.loads(said.stdout))
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(length == 0, 1, length))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--decoys", type=int, default=2)
    others = parser.add_mutually_exclusive_group()
    others.add_argument("--vectors", default="", help="a command that embeds texts")
    others.add_argument("--other", type=Path, help="the folder of another sentence model")
    given = parser.parse_args()
    model = installed()
    if model is None:
        sys.exit("all-MiniLM-L6-v2 is not installed: requirements/clusters.txt")
    embed = SentenceModel(model).embed
    other: Embed | None = None
    if given.other:
        other = SentenceModel(given.other).embed
    elif given.vectors:
        other = partial(computed, command=given.vectors)
    head = (*BY_FEATURE, "linker", "other", "same", "both")
    print(f"| | {' | '.join(head)} |\n" + "|---" * (len(head) + 1) + "|")

    def show(name: str, corpus: BenchCorpus) -> None:
        for way, texts in masked(corpus, model):
            found = attacked(texts, corpus.cluster, embed, other)
            cells = ("–" if np.isnan(one) else f"{one:.2f}" for one in found)
            print(f"| {name}, {way} | {' | '.join(cells)} |", flush=True)

    for folder in given.folders or [DATA / name for name in SETS if (DATA / name).is_dir()]:
        show(folder.name, read_corpus(folder))
    if not given.folders:
        with tempfile.TemporaryDirectory() as made:
            path = Path(made) / "generated"
            generate.write(path, generate.WritingPlan(documents=120, decoys=given.decoys, seed=7))
            show(f"generated, {given.decoys} decoys", read_corpus(path))


if __name__ == "__main__":
    main()
