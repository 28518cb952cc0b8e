"""Defines a corpus under attack: numbered documents, persons, questions."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from linkmask import detect
from linkmask.config import Settings
from linkmask.errors import InputError
from linkmask.records import Document
from linkmask.testbench.datasets import CorpusQuestion, PersonCluster, read_clusters
from linkmask.testbench.readable_values import SoughtPerson, weights_of

MOST = 20_000
"""Maximum number of documents; up to it, each cell takes minutes and fits into memory."""


@dataclass(frozen=True)
class SourcedQuestion:
    """A question with the numbers of its source documents and of its person."""

    question: CorpusQuestion
    sources: tuple[int, ...]
    person: int


@dataclass(frozen=True)
class BenchCorpus:
    """Documents, the persons hidden in them, the questions; `cluster[d]` is d's person."""

    name: str
    documents: tuple[Document, ...]
    persons: tuple[SoughtPerson, ...]
    questions: tuple[SourcedQuestion, ...]
    cluster: tuple[int, ...]
    digest: str

    @property
    def texts(self) -> list[str]:
        """The texts as they are."""
        return [document.content for document in self.documents]


def read_corpus(folder: Path) -> BenchCorpus:
    """Read a folder of clusters, published ones with their quirks too.

    Raises:
        InputError: there is no cluster, one fails the checks, or there are too many documents.
    """
    clusters = read_clusters(folder, strict=False)
    corpus = corpus_of(folder.resolve().name, clusters)
    if len(corpus.documents) > MOST:
        raise InputError(
            f"{folder}: {len(corpus.documents)} documents are more than a testbench run takes "
            f"({MOST}); generate a smaller corpus"
        )
    return corpus


def corpus_of(name: str, clusters: Sequence[PersonCluster]) -> BenchCorpus:
    """Number the documents and persons of clusters."""
    ids = [document.id for cluster in clusters for document in cluster.documents]
    unique = len(set(ids)) == len(ids)
    documents: list[Document] = []
    persons: list[SoughtPerson] = []
    questions: list[SourcedQuestion] = []
    for number, cluster in enumerate(clusters):
        first = len(documents)
        here = {document.id: first + i for i, document in enumerate(cluster.documents)}
        documents += [d if unique else replace(d, id=f"{number}/{d.id}") for d in cluster.documents]
        persons.append(_person(number, cluster, tuple(here.values())))
        questions += [
            SourcedQuestion(q, tuple(here[s] for s in q.sources if s in here), number)
            for q in cluster.questions
        ]
    digest = hashlib.sha256()
    for document in documents:
        digest.update(f"{document.id}\0{document.content}\0".encode("utf-8", "surrogatepass"))
    for person in persons:
        digest.update(repr((person.values, person.types)).encode("utf-8", "surrogatepass"))
    cluster_of = tuple(p for p, person in enumerate(persons) for _ in person.documents)
    return BenchCorpus(
        name,
        tuple(documents),
        tuple(persons),
        tuple(questions),
        cluster_of,
        digest.hexdigest()[:16],
    )


def without_persons(corpus: BenchCorpus, left_out: Container[int]) -> BenchCorpus:
    """Return a corpus without some persons, given by number, their documents, and all questions."""
    kept = [d for d, person in enumerate(corpus.cluster) if person not in left_out]
    persons = [person for person in range(len(corpus.persons)) if person not in left_out]
    place = {old: new for new, old in enumerate(kept)}
    others = [corpus.persons[person] for person in persons]
    return replace(
        corpus,
        documents=tuple(corpus.documents[d] for d in kept),
        persons=tuple(
            replace(one, documents=tuple(place[d] for d in one.documents)) for one in others
        ),
        questions=(),
        cluster=tuple(persons.index(corpus.cluster[d]) for d in kept),
        digest=f"{corpus.digest} of {len(kept)}",
    )


def _person(number: int, cluster: PersonCluster, documents: tuple[int, ...]) -> SoughtPerson:
    values = tuple(value for value, _ in cluster.person.entities)
    types = tuple(name for _, name in cluster.person.entities)
    languages = [detect.language_of(document, Settings()) for document in cluster.documents]
    return SoughtPerson(
        f"{number}:{cluster.id}" if not cluster.id else cluster.id,
        cluster.risk,
        values,
        types,
        weights_of(types),
        documents,
        day_first=languages.count("en") * 2 < len(languages),
    )
