"""The corpora that the linker learns from: read or cut from long texts, and masked in every way."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from linkmask.detect.lexicon import clusters
from linkmask.formulas import none_masked, rows_of
from linkmask.formulas.link_batches import strengths_of
from linkmask.graph.linkage import Embed, Pairs, ScoredPairs, compare_texts
from linkmask.graph.linkage.outcome import Strength, told_by
from linkmask.records import Document, Flags, Floats, Ints
from linkmask.testbench.corpus import BenchCorpus, corpus_of, read_corpus
from linkmask.testbench.datasets import HiddenPerson, PersonCluster
from linkmask.testbench.defences import DefenceBuilder, defence

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
CORPORA = ("benchmarks/corpora/first", "benchmarks/corpora/second", "examples/insurance")
PIECES = {
    "ncbi": (DATA / "ncbi" / "ncbi_train.jsonl", (35, 60), 3, 130),
    "emailcoref": (DATA / "emailcoref" / "emailcoref_train.jsonl", (40, 80), 6, 40),
}
"""File, words of a piece, most pieces of a text, most texts."""
WAYS = ("std", "clam", "clam-strict", "clam[theta_doc=0.6]", "mask-all")
SPARSE = ("half", "two", "one")
"""Sparser corpora: half of the persons keep one text, each keeps two, or each keeps one."""
FEW = 10
"""Texts from which a sparser corpus counts."""
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


class Read(NamedTuple):
    """A corpus masked in one way: its pairs, which are one person's, and each text's person.

    `strength`: of the link between the originals of each pair; `told`: how much the values of each
    original tell; `sparse`: which persons have fewer texts (`SPARSE`).
    """

    name: str
    way: str
    pairs: Pairs
    same: Flags
    person: Sequence[int]
    strength: Floats
    told: Floats
    sparse: str = ""


def corpora(
    ways: Sequence[str], embed: Embed | None, sparse: Sequence[str] = ("",)
) -> Iterator[Read]:
    """Yield every corpus masked in every way, whole or sparser."""
    whole = {name: read_corpus(ROOT / name) for name in CORPORA}
    for corpus_name, corpus in (whole | {name: cut(name) for name in PIECES}).items():
        for kind in sparse:
            less = sparser(corpus, kind)
            if len(less.documents) >= FEW:
                for one in masked(corpus_name, less, ways, embed):
                    yield one._replace(sparse=kind)


def sparser(corpus: BenchCorpus, kind: str) -> BenchCorpus:
    """Return a corpus in which some persons have fewer texts (`SPARSE`), or the same for ""."""
    if not kind:
        return corpus
    rng, clusters_of = random.Random(f"{corpus.name} {kind}"), list[PersonCluster]()
    for number in range(len(corpus.persons)):
        texts = [
            one.content
            for one, person in zip(corpus.documents, corpus.cluster, strict=True)
            if person == number
        ]
        kept = {"half": 1 if number % 2 else len(texts), "two": 2, "one": 1}[kind]
        some = sorted(rng.sample(range(len(texts)), min(kept, len(texts))))
        clusters_of.append(_cluster(number, [texts[at] for at in some]))
    return corpus_of(f"{corpus.name} {kind}", clusters_of)


def masked(
    name: str, corpus: BenchCorpus, ways: Sequence[str], embed: Embed | None
) -> Iterator[Read]:
    """Yield a corpus masked in every way."""
    builder, person = DefenceBuilder(corpus), np.array(corpus.cluster)
    incidence = builder.scan("embedded").job.analysis.incidence
    for way in ways:
        pairs = compare_texts(defence(way).make(builder).texts, clusters.names, embed)
        same = person[pairs.left] == person[pairs.right]
        none = none_masked(incidence.n_entities)
        strength = strengths_of(rows_of(incidence), none, pairs.left, pairs.right)
        told = told_by(incidence, [one.id for one in corpus.documents])
        yield Read(name, way, pairs, same, corpus.cluster, strength, told)


def cut(name: str) -> BenchCorpus:
    """Return a set of long texts as a corpus: pieces of one text are one person's."""
    path, sizes, most, texts = PIECES[name]
    rng = random.Random(name)
    rows = [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
    rng.shuffle(rows)
    found = (pieces(text, rng.choice(sizes), rng.randint(2, most), rng) for text in rows)
    kept = [some for some in found if len(some) > 1][:texts]
    return corpus_of(name, [_cluster(number, some) for number, some in enumerate(kept)])


def pieces(text: str, size: int, count: int, rng: random.Random) -> list[str]:
    """Return up to `count` pieces of a text, whole sentences of at least `size` words each."""
    made: list[list[str]] = [[]]
    for sentence in SENTENCE.split(text):
        made[-1].append(sentence)
        if sum(len(one.split()) for one in made[-1]) >= size:
            made.append([])
    whole = [" ".join(one) for one in made[:-1]]
    return [whole[at] for at in sorted(rng.sample(range(len(whole)), min(count, len(whole))))]


def _cluster(number: int, texts: Sequence[str]) -> PersonCluster:
    documents = tuple(Document(f"{number}-{at}", text) for at, text in enumerate(texts))
    return PersonCluster(f"{number}", "HIGH", "", documents, HiddenPerson(()), ())


def silent(one: Read) -> Read:
    """Return a corpus as it is where its texts say nothing: chance is what is left."""
    nothing = np.zeros_like(one.pairs.features)
    return one._replace(way="silent", pairs=one.pairs._replace(features=nothing))


def with_originals(read: Sequence[Read]) -> Iterator[tuple[Read, Read]]:
    """Yield corpora with their originals; each is first as it is, and then masked."""
    original = read[0]
    for one in read:
        original = one if one.way == "std" else original
        yield one, original


def own_of(person: Sequence[int]) -> Ints:
    """Return for each text how many its person has."""
    found = np.unique_inverse(np.array(person)).inverse_indices
    return np.asarray(np.bincount(found)[found])


def strength_of(original: Read) -> Strength:
    """Return what gives the strength of links between originals."""
    place = {pair: at for at, pair in enumerate(zip(*original.pairs[:2], strict=True))}

    def strength(left: Ints, right: Ints) -> Floats:
        return original.strength[[place[pair] for pair in zip(left, right, strict=True)]]

    return strength


def scored(one: Read, weights: Floats) -> ScoredPairs:
    """Return a corpus's pairs with their scores."""
    left, right, features, texts = one.pairs
    return ScoredPairs(left, right, np.round(features @ weights, 9), texts)
