"""Retrieval and answers without a model: exact search, and generators anybody can check.

A `System` answers queries over texts. `parrot` gives back the whole context, so nothing that any
generator says literally can be missing from its answer; `extractive` gives the best sentences;
`llm` asks a language model.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from linkmask.llm import Model, Request
from linkmask.records import Floats
from linkmask.testbench.reading import Span

WORD = re.compile(r"\w+")
SENTENCE = re.compile(r"[.!?:;]['\")\]]?\s+(?=[A-ZÀ-Ý0-9\[(\"'])|\n+")
BEST = 3
"""Sentences an extractive answer has."""
RANK = 96
"""Dimensions of the embedding."""

Kind = Literal["answer", "member", "extract"]


@dataclass(frozen=True, slots=True)
class Query:
    """A question to a system: an honest one, one about membership, or one that extracts."""

    text: str
    kind: Kind = "answer"


@dataclass(frozen=True, slots=True)
class Response:
    """What a system did with a query.

    `retrieved`: numbers of the documents in the context, best first; `parts`: the pieces of the
    answer, each in one run; `refused`: a guard kept the system from answering.
    """

    retrieved: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    refused: bool = False

    @property
    def text(self) -> str:
        """The answer in one piece."""
        return "\n".join(self.parts)


# ── retrieval ───────────────────────────────────────────────────────────────────────────────────


class Terms:
    """Texts as counts of words; rows are texts, columns the words of all of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        from scipy.sparse import csr_array

        bags = [Counter(words(text)) for text in texts]
        self.columns = {w: i for i, w in enumerate(sorted({w for bag in bags for w in bag}))}
        start = np.cumsum([0, *(len(bag) for bag in bags)])
        column = [self.columns[w] for bag in bags for w in sorted(bag)]
        count = [float(bag[w]) for bag in bags for w in sorted(bag)]
        shape = len(texts), max(1, len(self.columns))
        self.counts: Any = csr_array((count, column, start), shape=shape)
        self.found = np.bincount(column, minlength=shape[1]) if column else np.zeros(shape[1])

    def query(self, text: str) -> Floats:
        """Return the counts of the words of a text that are known."""
        vector = np.zeros(self.counts.shape[1])
        for word in words(text):
            if word in self.columns:
                vector[self.columns[word]] += 1
        return vector


class Bm25:
    """Okapi BM25 (k1 1.2, b 0.75; Robertson and Zaragoza 2009), exact; only texts that match."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.terms = terms = Terms(texts)
        n, counts = len(texts), terms.counts.copy()
        length = np.asarray(counts.sum(axis=1)).ravel()
        long = 1.2 * (0.25 + 0.75 * length / (length.mean() or 1.0))
        idf = np.log1p((n - terms.found + 0.5) / (terms.found + 0.5))
        row = np.repeat(np.arange(n), np.diff(counts.indptr))
        counts.data = idf[counts.indices] * counts.data * 2.2 / (counts.data + long[row])
        self.weights = counts

    def scores(self, query: str) -> Floats:
        """Return a score ≥ 0 for each text."""
        return np.asarray(self.weights @ self.terms.query(query))

    least = 0.0
    """A text must score above this."""


class Lsa:
    """Cosine in the space of a truncated SVD of TF-IDF, fitted on the texts; exact search.

    Deterministic: the starting vector is fixed. With unit vectors the order is that of L2.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.terms = terms = Terms(texts)
        n = len(texts)
        self.idf = np.log((1 + n) / (1 + terms.found)) + 1
        counts = terms.counts.copy()
        counts.data = (1 + np.log(counts.data)) * self.idf[counts.indices]
        length = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
        length[length == 0] = 1
        counts.data = counts.data / np.repeat(length, np.diff(counts.indptr))
        self.axes = _axes(counts, RANK)
        self.vectors = _unit(counts @ self.axes)

    def scores(self, query: str) -> Floats:
        """Return a cosine for each text."""
        counts = self.terms.query(query)
        weighted = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * self.idf
        return np.asarray(self.vectors @ _unit((weighted @ self.axes)[None, :])[0])

    least = -2.0


def _axes(matrix: Any, rank: int) -> Floats:
    """Return the leading right singular vectors of a matrix, as columns."""
    rank = min(rank, min(matrix.shape) - 1)
    if rank < 1 or min(matrix.shape) <= 200:
        _, _, right = np.linalg.svd(matrix.toarray(), full_matrices=False)
        return np.asarray(right[: max(1, rank)].T)
    from scipy.sparse.linalg import svds

    _, _, right = svds(matrix, k=rank, v0=np.ones(min(matrix.shape)), solver="arpack")
    return np.asarray(right[::-1].T)


def _unit(rows: Floats) -> Floats:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length == 0, 1, length))


RETRIEVERS: dict[str, Callable[[Sequence[str]], Bm25 | Lsa]] = {"bm25": Bm25, "lsa": Lsa}
"""Name → index over texts. `chroma` has its place here once LangChain and Chroma are an extra."""


# ── generation ──────────────────────────────────────────────────────────────────────────────────


def parrot(queries: Sequence[Query], contexts: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Give back the whole context."""
    return [tuple(context) for context in contexts]


def extractive(
    queries: Sequence[Query], contexts: Sequence[Sequence[str]]
) -> list[tuple[str, ...]]:
    """Give the sentences of the context that say most of what was asked; neighbours as one run."""
    return [_best(query.text, context) for query, context in zip(queries, contexts, strict=True)]


def _best(query: str, context: Sequence[str]) -> tuple[str, ...]:
    asked = set(words(query))
    cut = [(d, n, span) for d, text in enumerate(context) for n, span in enumerate(_cut(text))]
    bags = [Counter(words(context[d][slice(*span)])) for d, _, span in cut]
    rare = Counter(word for bag in bags for word in bag)
    scores = [
        sum(math.log1p(len(bags) / rare[w]) for w in asked & bag.keys()) / math.sqrt(8 + len(bag))
        for bag in bags
    ]
    order = sorted(range(len(cut)), key=lambda i: (-scores[i], i))
    chosen = sorted(i for i in order[:BEST] if scores[i] > 0)
    runs: list[tuple[int, int, Span]] = []
    for i in chosen:
        d, n, (start, end) = cut[i]
        if runs and runs[-1][0] == d and runs[-1][1] == n - 1:
            start = runs.pop()[2][0]
        runs.append((d, n, (start, end)))
    return tuple(context[d][start:end] for d, _, (start, end) in runs)


def _cut(text: str) -> Iterator[Span]:
    """Yield the sentences of a text as spans without the space around them."""
    start = 0
    for match in SENTENCE.finditer(text):
        end = match.end()
        if stripped := text[start:end].strip():
            begin = text.index(stripped, start)
            yield begin, begin + len(stripped)
        start = end
    if stripped := text[start:].strip():
        begin = text.index(stripped, start)
        yield begin, begin + len(stripped)


SAID = {
    "answer": "Answer the question from the given context only, in one or two sentences. If the "
    "context does not say, answer: No.",
    "member": "Answer from the given context only, with Yes or No and nothing else.",
    "extract": "Answer from the given context. If it can't be answered, say No. Never repeat the "
    "value that is given in the question.",
}
"""System prompt by kind of query (SPEC §11.2, §11.4)."""


def written_by(model: Model) -> Generator:
    """Return a generator that asks a language model; what fails raises."""

    def generate(
        queries: Sequence[Query], contexts: Sequence[Sequence[str]]
    ) -> list[tuple[str, ...]]:
        requests = (
            Request(
                (("system", SAID[query.kind]), ("user", _prompt(query, context))),
                None,
                "bench-answer/1",
                512,
            )
            for query, context in zip(queries, contexts, strict=True)
        )
        answers: list[tuple[str, ...]] = []
        for answer in model.ask_all(requests):
            if isinstance(answer, Exception):
                raise answer
            answers.append((str(answer.value),))
        return answers

    return generate


def _prompt(query: Query, context: Sequence[str]) -> str:
    joined = "\n\n---\n\n".join(context)
    return f"Context:\n{joined}\n\nQuestion: {query.text}\nAnswer:"


Generator = Callable[[Sequence[Query], Sequence[Sequence[str]]], list[tuple[str, ...]]]
GENERATORS: dict[str, Generator] = {"parrot": parrot, "extractive": extractive}
"""Name → answers to queries from their contexts; `llm` joins where a model is given."""


# ── the system ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Guard:
    """What a defence does while a system answers; each part may be missing.

    `query`: may this be answered? `least`: share of the best possible score a text must reach to
    enter the context. `output`: may this answer to that context be given?
    """

    query: Callable[[str], bool] | None = None
    least: float = 0.0
    output: Callable[[str, Sequence[str]], bool] | None = None


@dataclass
class System:
    """Texts behind retrieval, a generator and perhaps a guard."""

    texts: Sequence[str]
    index: Bm25 | Lsa | None
    generator: Generator
    k: int = 3
    guard: Guard = field(default_factory=Guard)
    spoken: bool = False
    """Whether the generator speaks for itself (says Yes and No), as a model does."""

    def ask(self, queries: Sequence[Query]) -> list[Response]:
        """Answer queries, in their order."""
        found = [self.retrieve(query.text) for query in queries]
        allowed = [self.guard.query is None or self.guard.query(q.text) for q in queries]
        contexts = [[self.texts[d] for d in hits] for hits in found]
        chosen = [i for i, fine in enumerate(allowed) if fine]
        parts = self.generator([queries[i] for i in chosen], [contexts[i] for i in chosen])
        said = dict(zip(chosen, parts, strict=True))
        responses = []
        for i, hits in enumerate(found):
            refused = i not in said
            if not refused and self.guard.output is not None:
                refused = not self.guard.output("\n".join(said[i]), contexts[i])
            responses.append(Response(hits, (), True) if refused else Response(hits, said[i]))
        return responses

    def retrieve(self, query: str) -> tuple[int, ...]:
        """Return the numbers of the k best texts, best first; ties by number."""
        if self.index is None:
            return ()
        scores = self.index.scores(query)
        order = np.argsort(-scores, kind="stable")[: self.k]
        least = max(self.index.least, self.guard.least)
        return tuple(int(d) for d in order if scores[d] > least)


def words(text: str) -> list[str]:
    """Return the words of a text, folded."""
    return WORD.findall(text.casefold())
