"""Small random corpora in the engine's form and in the oracle's."""

import numpy as np

import oracle
from linkmask import config
from linkmask.graph import incidence
from linkmask.records import Incidence, MentionTable

TYPES = ("NAME", "PATIENT_ID", "MEDICAL_CONDITION", "AGE", "DEMOGRAPHIC")
WEIGHTS = {"NAME": 1.0, "PATIENT_ID": 0.9, "MEDICAL_CONDITION": 0.8, "AGE": 0.5, "DEMOGRAPHIC": 0.3}


def settings(**overrides: object) -> config.Settings:
    return config.load(preset="thesis", overrides=overrides, environment={})


def random_table(
    seed: int, documents: int = 20, values: int = 25, mentions: int = 90, digits: int = 1
) -> MentionTable:
    """Draw mentions with popular values, repeats, and relevances rounded so that many tie."""
    draw = np.random.default_rng(seed)
    popularity = np.arange(1, values + 1) ** -0.8
    value = draw.choice(values, mentions, p=popularity / popularity.sum())
    kinds = draw.integers(0, len(TYPES), values)
    return MentionTable(
        documents=[f"d{d}" for d in range(documents)],
        values=[f"v{v}" for v in range(values)],
        types=TYPES,
        document=draw.integers(0, documents, mentions).astype(np.int32),
        value=value.astype(np.int32),
        type=kinds[value].astype(np.int32),
        relevance=np.round(draw.beta(5, 2, mentions), digits),
    )


def random_incidence(seed: int, **shape: int) -> Incidence:
    return incidence(random_table(seed, **shape), WEIGHTS, settings())


def plain(corpus: Incidence) -> oracle.Corpus:
    """The same corpus as the oracle reads it."""
    bounds = zip(corpus.start[:-1].tolist(), corpus.start[1:].tolist(), strict=True)
    return oracle.Corpus(
        [
            dict(zip(corpus.entity[a:b].tolist(), corpus.relevance[a:b].tolist(), strict=True))
            for a, b in bounds
        ],
        dict(enumerate(corpus.weight.tolist())),
    )
