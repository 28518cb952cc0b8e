"""Learn to tell which texts are one person's: the weights of the linker in the box.

    python training/linker.py [--out FILE] [--ways WAY …] [--keep-weights | --originals-alone]
    python training/linker.py --sentence-model FOLDER --out …/weights-sentences.toml

Learned from `benchmarks/corpora/first` and `second`, `examples/insurance` (all written for this
project), and of `../shared/data` the abstracts of ncbi (public domain) and the mail threads of
emailcoref (Apache-2.0), both cut into pieces: pieces of one text stand for one person's texts. Each
corpus is read as it is and masked in four ways, from preset `insurance` to everything that is
detected, so that the weights hold for what masking leaves. They maximise the likelihood that a
text's nearest is its person's (a conditional logit by text, every corpus and way counting the same)
under a quadratic penalty. The log-odds of a pair over its score and share, and those of a text's
nearest, are then fitted to corpora that the weights had not seen, each left out in turn, and to the
same corpora with nothing said, where chance is what is left.

How likely any two originals are one person's, by what they say (`outcome.pair_evidence`), is fitted
to the originals of these corpora, with weights learned from the originals of the others; with
--originals-alone, this is fitted anew, and nothing else. How likely a masked text's nearest is its
person's is fitted to all, also where half of the persons keep one text, and where each keeps two;
how likely a text's person has another, to these, and to corpora where nobody has one. With
--keep-weights these last two are fitted anew, and nothing else. Corpora that `linkmask generate`
makes are not among them: their persons differ in values alone, so that no line holds for both
kinds, and one that is fitted to both says too little of texts that people write.

With --sentence-model the cosines of its vectors are features as well. The shipped weights are those
of all-MiniLM-L6-v2, which `requirements/clusters.txt` installs; `known` and `another` are fitted
with --ways std clam.

What is printed is of these left-out corpora: rank-1 by TF-IDF and by the linker, and the AUC; and
the share of documents that are found, beside the share that is foreseen.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.linker_corpora import (
    SPARSE,
    WAYS,
    Read,
    corpora,
    scored,
    strength_of,
    with_originals,
)
from training.linker_fit import fit_both, fit_by_originals, fit_by_texts, fit_ranking, known_points

from linkmask.graph.linkage import models
from linkmask.graph.linkage.features import BY_SENTENCES, NAMES
from linkmask.graph.linkage.models import LinkModel
from linkmask.graph.linkage.outcome import another_probability, foreseen_probability
from linkmask.graph.linkage.sentences import SentenceModel
from linkmask.records import Floats
from linkmask.testbench.measures import auc
from linkmask.testbench.ranking import Ranking

HEAD = """\
# Weights of the linker, made by training/linker.py; see there for what they mean.
learned_from = {learned_from}
# Log-odds of a pair, and of a text's nearest: intercept, weights of score and share.
pair = {pair}
text = {text}
# By the originals: log-odds that a masked text's nearest is its person's, intercept,
# weights of share and rank of the link; and that any two texts are one person's, the same
# with the link's strength; and what its values add to those of another_share, that its
# person has another: where no link leads to it, and for the strength of the strongest.
known = {known}
both = {both}
another = {another}
# Weight of the link strength of two originals in the score that these two are by; `both`
# without it.
link_weight = {link_weight:.4f}
apart = {apart}
# How far corpora that were left out lay from `text` and `known`, in log-odds; the shares
# of texts, where these were fitted, whose nearest was their person's, and whose person
# has another.
text_spread = {text_spread:.4f}
known_spread = {known_spread:.4f}
known_share = {known_share:.4f}
another_share = {another_share:.4f}

[weights]  # per unit of the feature
"""


def show(one: Read, weights: Floats) -> str:
    """Return how a corpus that was left out is told."""
    score = one.pairs.features @ weights
    words = one.pairs.features[:, NAMES.index("word cosine")]
    by_words, by_linker = (
        Ranking(one.pairs.left, one.pairs.right, by, one.person) for by in (words, score)
    )
    ranks = f"{by_words.rank1:.2f}, {by_linker.rank1:.2f}"
    return f"{one.name}, {one.way}: {ranks}; {by_words.auc():.2f}, {by_linker.auc():.2f}"


def foreseen(one: Read, original: Read, model: models.LinkModel) -> str:
    """Return how many documents of a corpus that was left out are found, and how many foreseen.

    With the AUC by which the probability tells whose nearest is found, of texts that have another.
    """
    before, after = (scored(some, model.weights) for some in (original, one))
    strength = strength_of(original)
    another = another_probability(model, before, strength, original.told)
    expected = foreseen_probability(model, after, before, strength, another)
    hits = Ranking(after.left, after.right, after.scores, one.person).hits()
    told = auc(expected[hits > 0.5].tolist(), expected[hits <= 0.5].tolist())
    shares = f"{np.nan_to_num(hits).mean():.2f}, {expected.mean():.2f}"
    name = f"{one.name}{one.sparse and ', '}{one.sparse}, {one.way}"
    return f"{name}: {shares}; {'–' if told is None else f'{told:.3f}'}"


def main() -> None:
    """Learn, print how corpora that were left out are told, write the weights."""
    arguments = _arguments()
    folder = arguments.sentence_model
    embed = SentenceModel(folder).embed if folder else None
    shipped = models.shipped_model(bool(folder))
    if arguments.originals_alone:
        model = fit_both(shipped, list(corpora(("std",), embed)))
        arguments.out.write_text(_file_of(model), encoding="utf-8")
        return
    read = list(corpora(arguments.ways, embed))
    names = list(dict.fromkeys(one.name for one in read))
    start = shipped.weights if arguments.keep_weights else None
    without = {
        name: fit_ranking([one for one in read if one.name != name], start) for name in names
    }
    print("corpus, masked by: rank-1 by TF-IDF, by the linker; AUC of pairs, the same")
    for one in read:
        print(show(one, without[one.name]))
    model = shipped
    if not arguments.keep_weights:
        originals = [one for one in read if one.way == "std"]
        model = fit_both(fit_by_texts(shipped, read, without), originals)
    every = list(with_originals([*read, *corpora(arguments.ways, embed, SPARSE)]))
    points = [known_points(*pair, without[pair[0].name], model.link_weight) for pair in every]
    print("corpus left out, masked by: share of documents that are found, that are foreseen; AUC")
    for name in names:
        by_rest = fit_by_originals(every, points, [other for other in names if other != name])
        left_out = model._replace(weights=without[name], **by_rest._asdict())
        for one, original in every:
            if one.name == name:
                print(foreseen(one, original, left_out))
    by_originals = fit_by_originals(every, points, names)
    model = model._replace(learned_from=names, **by_originals._asdict())
    arguments.out.write_text(_file_of(model), encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=models.FILE)
    parser.add_argument("--ways", nargs="+", default=WAYS, help="ways of masking to learn from")
    parser.add_argument(
        "--keep-weights", action="store_true", help="fit `known` and `another` alone"
    )
    parser.add_argument("--originals-alone", action="store_true", help="fit `both` alone")
    parser.add_argument("--sentence-model", type=Path, help="its folder")
    return parser.parse_args()


def _file_of(model: LinkModel) -> str:
    """Return the file of a model's weights."""
    features = NAMES if len(model.weights) == len(NAMES) else (*NAMES, *BY_SENTENCES)
    rows = [
        f'"{name}" = {weight:.4f}\n' for name, weight in zip(features, model.weights, strict=True)
    ]
    lines = {
        name: [round(one, 4) for one in getattr(model, name)]
        for name in ("pair", "text", "known", "both", "apart", "another")
    }
    learned_from = {"learned_from": json.dumps(model.learned_from)}
    return HEAD.format_map(model._asdict() | lines | learned_from) + "".join(rows)


if __name__ == "__main__":
    main()
