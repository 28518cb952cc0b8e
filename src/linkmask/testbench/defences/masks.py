"""Masks a corpus: each defence chooses a set of entities, and one redactor writes for all."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from linkmask import schema
from linkmask.pipeline.detection.corpus_detection import languages
from linkmask.testbench.defences.base import Defence, Defended
from linkmask.testbench.defences.builder import DefenceBuilder, ScoredCorpus, linking_words
from linkmask.testbench.ldp import EPSILON, perturb
from linkmask.testbench.missing import Hole


def as_it_is(builder: DefenceBuilder) -> Defended:
    """Change nothing."""
    return Defended(builder.corpus.texts)


def nothing(builder: DefenceBuilder) -> Defended:
    """Retrieve nothing: what the generator knows by itself."""
    return Defended([""] * len(builder.corpus.documents), searched=False)


def clam(
    source: str, preset: str = "insurance", **overrides: str
) -> Callable[[DefenceBuilder], Defended]:
    """Return linkmask's plan as a defence, by source of mentions, preset and other settings."""

    def make(builder: DefenceBuilder) -> Defended:
        settings = builder.settings(preset, **overrides)
        scan = builder.scan(source, preset, *linking_words(settings))
        return scan.mask(builder.plan(source, preset, **overrides), settings)

    return make


def every(source: str, direct: bool) -> Callable[..., Defended]:
    """Mask every entity, or every direct identifier."""

    def make(builder: DefenceBuilder) -> Defended:
        scan = builder.scan(source)
        incidence = scan.job.analysis.incidence
        groups = schema.load("insurance").groups
        chosen = [
            e
            for e in range(incidence.n_entities)
            if not direct or groups[incidence.types[incidence.type[e]]] == "direct"
        ]
        return scan.mask(scan.masking(chosen))

    return make


Rank = Callable[[ScoredCorpus, random.Random], list[float]]
"""Gives each entity a number; those with the largest are masked first."""


def by_type(corpus: ScoredCorpus, rng: random.Random) -> list[float]:
    """Rank by weight of the type."""
    return list(corpus.job.analysis.incidence.weight)


def by_idf(corpus: ScoredCorpus, rng: random.Random) -> list[float]:
    """Rank by rarity times weight."""
    incidence = corpus.job.analysis.incidence
    return list(incidence.uniqueness * incidence.weight)


def by_score(corpus: ScoredCorpus, rng: random.Random) -> list[float]:
    """Rank by relevance times rarity times weight."""
    incidence = corpus.job.analysis.incidence
    largest = np.zeros(incidence.n_entities)
    np.maximum.at(largest, incidence.entity, incidence.relevance)
    return list(largest * incidence.uniqueness * incidence.weight)


def at_random(corpus: ScoredCorpus, rng: random.Random) -> list[float]:
    """Rank by chance."""
    return [rng.random() for _ in range(corpus.job.analysis.incidence.n_entities)]


def floor_then_random(corpus: ScoredCorpus, rng: random.Random) -> list[float]:
    """Rank what is always masked first, and the rest by chance."""
    incidence = corpus.job.analysis.incidence
    floor = {i for i, name in enumerate(incidence.types) if name in corpus.settings.floor}
    drawn = at_random(corpus, rng)
    return [one + (kind in floor) for one, kind in zip(drawn, incidence.type.tolist(), strict=True)]


RANKS: dict[str, tuple[Rank, str]] = {
    "type": (by_type, "by weight of their type"),
    "idf": (by_idf, "by rarity times weight"),
    "score": (by_score, "by relevance times rarity times weight: scores without limits and links"),
    "random": (at_random, "by chance"),
    "floor+random": (floor_then_random, "what is always masked first, then by chance"),
}
"""Ways to choose as many entities as another defence: rank, and what it does."""


def like(name: str, base: Defence, rank: Rank, draw: str = "0") -> Callable[..., Defended]:
    """Mask as many entities as another defence does on the same mentions, chosen by a rank."""

    def make(builder: DefenceBuilder) -> Defended:
        scan = builder.scan(source_of(name))
        if name not in builder.counts:
            builder.counts[name] = base.make(builder).entities
        count = builder.counts[name]
        if not count:
            raise Hole(f"{name} masks no entities that others could be chosen for")
        ranks = rank(scan, random.Random(f"{builder.seed}/{draw}"))
        order = sorted(range(len(ranks)), key=lambda e: (-ranks[e], e))
        return scan.mask(scan.masking(sorted(order[:count])))

    return make


def source_of(name: str) -> str:
    """Return where a defence has its mentions from, by its name."""
    bare = name.partition("[")[0]
    return next((s for s in ("golden", "llm", "presidio") if bare.endswith(s)), "embedded")


def documents_about(builder: DefenceBuilder) -> list[int]:
    """Return for each person how many documents hold any of their values."""
    texts = builder.corpus.texts
    return [sum(bool(person.read(text)) for text in texts) for person in builder.corpus.persons]


def ldp(builder: DefenceBuilder) -> Defended:
    """Draw every detected value from a public list (`ldp`)."""
    scan = builder.scan("embedded")
    weights = schema.load("insurance").weights
    mentions = dict(scan.job.run.by_document("mentions"))
    spoken = languages(lambda: iter(builder.corpus.documents), scan.settings)
    made = [
        perturb(
            document.content,
            mentions[document.id],
            weights,
            random.Random(f"{builder.seed}/ldp/{number}"),
            "fr" if spoken[document.id] == "fr" else "en",
        )
        for number, document in enumerate(builder.corpus.documents)
    ]
    entities = scan.job.analysis.incidence.n_entities
    spent = [EPSILON * held for held in documents_about(builder)]
    return Defended(
        [text for text, _ in made],
        entities=entities,
        entities_of=entities,
        characters=sum(count for _, count in made),
        epsilon=max(spent, default=0.0),
        notes={"epsilon_of": spent},
    )
