"""How well does an attacker tell which documents are one person's, the more is masked?

    python benchmarks/pairs.py [FOLDER…]

Each FOLDER holds a corpus of clusters (docs/formulas.md §13.2). Without one: the sets of
`../shared/data/insurance` that are there. Every two documents of a corpus are a pair.

chance      share of documents whose nearest is the same person's, for an attacker who guesses
rank-1      the same for the shipped linker
pairs       AUC of the linker's probability for "both are one person's"
joined      the same where an attacker also goes from one document to another by way of a third: a
            random walk of two steps by the shares of the linker
sentences   rank-1 and AUC of the cosine that a sentence model gives (all-MiniLM-L6-v2)
both        the same of the linker where it has the sentence model
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

from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import Embed, ScoredPairs, compare_texts, models
from linkmask.graph.linkage.features import NAMES
from linkmask.graph.linkage.models import shares
from linkmask.graph.linkage.sentences import SentenceModel
from linkmask.records import Floats
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.defences.builder import linking_words
from linkmask.testbench.ranking import Ranking
from risk import DATA, SETS, area, fitted, installed

DEPTHS: Mapping[str, Mapping[str, object] | None] = {
    "nothing masked": None,
    "by limits alone": {"generalize": {}},
    "default": {},
    "release": {"preset": "release"},
    "release, sentence model": {"preset": "release", "sentence_model": str(installed() or "")},
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
        if "sentence_model" in (chosen or {}) and not installed():
            continue
        settings = builder.settings(**{"preset": "insurance", **(chosen or {})})
        preset = settings.preset if settings.sentence_model else "insurance"
        scan = builder.scan("embedded", preset, *linking_words(settings))
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
        cells = [f"{one:.2f}" for one in (chance, found, *told)]
        cells += by_sentences(texts, corpus, same) if installed() else ["–"] * 5
        yield f"| {corpus.name}, {depth} | {' | '.join(cells)} |"


def by_sentences(texts: Sequence[str], corpus: BenchCorpus, same: Floats) -> Iterator[str]:
    """Yield the cells of attackers who have a sentence model."""
    pairs = compare_texts(texts, clusters.names, embed())
    linker = models.shipped_model(sentences=True)
    scored = linker.score(pairs)
    cosine = pairs.features[:, len(NAMES)]
    for scores, said in (cosine, cosine), (scored.scores, linker.probabilities(scored)):
        yield f"{Ranking(pairs.left, pairs.right, scores, corpus.cluster).rank1:.2f}"
        yield f"{area(said, same):.2f}"
    yield f"{fitted(pairs.features, same):.2f}"


@cache
def embed() -> Embed:
    """Return what embeds texts."""
    folder = installed()
    assert folder is not None
    return SentenceModel(folder).embed


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
    head = "| | chance | rank-1 | pairs | joined | rank-1, sentences | pairs, sentences "
    print(head + "| rank-1, both | pairs, both | ceiling |\n|" + "---|" * 10)
    for folder in folders:
        print("\n".join(rows(read_corpus(folder))), flush=True)


if __name__ == "__main__":
    main()
