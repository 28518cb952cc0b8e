"""How well does an attacker tell which documents are one person's, the more is masked?

    python benchmarks/pairs.py [FOLDER…]

Each FOLDER holds a corpus of clusters (docs/formulas.md §13.2). Without one: the sets of
`../shared/data/insurance` that are there. Every two documents of a corpus are a pair.

chance      share of documents whose nearest is the same person's, for an attacker who guesses
rank-1      the same for the shipped linker
pairs       AUC of the linker's probability for "both are one person's"
joined      the same where an attacker also goes from one document to another by way of a third: a
            random walk of two steps by the shares of the linker
sentences   rank-1 and AUC of the cosine that a sentence model gives (`sentences.py`)
ceiling     AUC of weights that were fitted to these very pairs, of the linker's features and the
            sentence model's cosine together: no weights learned elsewhere can be expected to tell
            them better

Without the sentence model its cells are empty.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from linkmask import schema
from linkmask.detect.ner import clusters
from linkmask.graph.linkage import Pairs, ScoredPairs, compare_texts, models
from linkmask.graph.linkage.features import relative
from linkmask.graph.linkage.model import shares
from linkmask.graph.linkage.pairs import sides_of
from linkmask.records import Floats
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.ranking import Ranking
from risk import DATA, SETS, area, fitted
from sentences import SentenceModel, installed

DEPTHS: Mapping[str, Mapping[str, object] | None] = {
    "nothing masked": None,
    "by limits alone": {"generalize": {}},
    "default": {},
    "release": {"preset": "release"},
    "everything": None,
}
"""What is masked, from nothing to all that is detected."""


def rows(corpus: BenchCorpus) -> Iterator[str]:
    """Yield a row for each depth of masking."""
    builder, model, person = (
        DefenceBuilder(corpus),
        models.shipped_model(),
        np.array(corpus.cluster),
    )
    chance = np.mean([(person == one).sum() - 1 for one in person]) / (len(person) - 1)
    for depth, chosen in DEPTHS.items():
        settings = builder.settings(**{"preset": "insurance", **(chosen or {})})
        scan = builder.scan("embedded", "insurance", settings.rare_terms)
        if chosen is None:
            count = scan.job.analysis.incidence.n_entities if depth == "everything" else 0
            plan = scan.masking(range(count))
        else:
            plan = scan.choose(settings)
        texts = scan.mask(plan, settings).texts
        compared = compare_texts(texts, clusters.names)
        pairs = model.score(compared)
        same = (person[pairs.left] == person[pairs.right]).astype(float)
        found = Ranking(pairs.left, pairs.right, pairs.scores, corpus.cluster).rank1
        told = [area(said, same) for said in (model.probabilities(pairs), joined(pairs))]
        if sentence_model() is None:
            by_sentences = ["–"] * 3
        else:
            columns = alike(texts, compared)
            by_sentences = [
                f"{Ranking(pairs.left, pairs.right, columns[:, 0], corpus.cluster).rank1:.2f}",
                f"{area(columns[:, 0], same):.2f}",
                f"{fitted(np.concatenate([compared.features, columns], axis=1), same):.2f}",
            ]
        cells = [*(f"{one:.2f}" for one in (chance, found, *told)), *by_sentences]
        yield f"| {corpus.name}, {depth} | {' | '.join(cells)} |"


@cache
def sentence_model() -> SentenceModel | None:
    """Return the sentence model, None where it is not installed."""
    folder = installed()
    return SentenceModel(folder) if folder else None


@cache
def vector(text: str) -> Floats:
    """Return what the sentence model makes of a text; many stay the same when more is masked."""
    model = sentence_model()
    assert model is not None
    return np.asarray(model.embed([text])[0])


def alike(texts: Sequence[str], pairs: Pairs) -> Floats:
    """Return each pair's cosine by the sentence model, and the same relative to what is usual."""
    marks = schema.placeholders(schema.load("insurance").types)
    rows = np.array([vector(marks.sub(" ", text)) for text in texts])
    cosine = np.einsum("pt,pt->p", rows[pairs.left], rows[pairs.right]).astype(float)
    sides = sides_of(pairs.left, pairs.right, pairs.texts)
    return np.stack([cosine, relative(cosine, pairs.left, pairs.right, sides)], axis=1)


def joined(pairs: ScoredPairs) -> Floats:
    """Return how often a random walk goes from one text of each pair to the other in 1 or 2 steps.

    A step is the mean of both texts' shares of a pair.
    """
    step = np.zeros((pairs.texts, pairs.texts))
    step[pairs.left, pairs.right] = np.exp(shares(pairs)).mean(axis=0)
    step += step.T
    return np.asarray((step + step @ step)[pairs.left, pairs.right])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    folders = parser.parse_args().folders or [DATA / n for n in SETS if (DATA / n).is_dir()]
    head = "| | chance | rank-1 | pairs | joined | rank-1, sentences | pairs, sentences | ceiling |"
    print(head + "\n|" + "---|" * 8)
    for folder in folders:
        print("\n".join(rows(read_corpus(folder))), flush=True)


if __name__ == "__main__":
    main()
