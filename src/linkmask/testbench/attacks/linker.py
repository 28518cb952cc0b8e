"""Links records by a model that learned on other corpora what one person's texts share."""

from __future__ import annotations

from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import models, score_texts
from linkmask.testbench.attacks.base import AttackTarget, Raw, row_of
from linkmask.testbench.ranking import Ranking

FEW = 5
"""Number of nearest texts among which another text of the person is searched for."""
KNOWN = 5
"""Maximum number of texts of a person that the attacker knows."""
SURE = 0.5
"""Probability from which two texts belong to one cluster."""


def linker(target: AttackTarget) -> Raw:
    """Score every pair of masked texts that is compared, and put together who seems the same.

    By person: how often the nearest (`rank1`) or one of the five nearest texts (`rank5`) is the
    person's, and B³ of the texts put together. Over all pairs: AUC and average precision. `known`
    holds numbers of a person's texts that the attacker knows to be theirs, and how often one more
    is found.
    """
    texts, corpus = target.defended.texts, target.corpus
    pairs = score_texts(texts, clusters.names, target.embed)
    sure = models.shipped_model(target.embed is not None).probabilities(pairs)
    ranking = Ranking(pairs.left, pairs.right, sure, corpus.cluster)
    first, few = ranking.hits(), ranking.hits(FEW)
    precision, recall = ranking.b_cubed(SURE)
    rows = []
    for person in corpus.persons:
        every = list(person.documents)
        own = every if len(every) > 1 else []
        rates = {
            f"rank{FEW}": float(few[own].mean()) if own else None,
            "b3_precision": float(precision[every].mean()) if every else None,
            "b3_recall": float(recall[every].mean()) if every else None,
        }
        rows.append(row_of(person, hits=float(first[own].sum()), of=len(own), rates=rates))
    pairs_of = ranking.pairs()
    measures = {"auc": pairs_of.auc, "average_precision": pairs_of.average_precision}
    pooled = {name: measure() for name, measure in measures.items()}
    intervals = {name: pairs_of.interval(measure) for name, measure in measures.items()}
    shares = ((count, ranking.by_known(count)) for count in range(1, KNOWN + 1))
    points = [[float(count), share] for count, share in shares if share is not None]
    return {"persons": rows, "pooled": pooled, "intervals": intervals, "known": points}
