"""Retrieves by name: exact search, or Chroma through LangChain, over three kinds of vectors.

`lsa` is fitted on the corpus; `minilm` is all-MiniLM-L6-v2 by sentence-transformers; `server` an
OpenAI-compatible endpoint for embeddings. `…-chroma` searches the same vectors as formulas.md §12.2
says (LangChain, Chroma, L2, HNSW); without it every text is compared, the reference. What is not
installed is a hole; nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

import numpy as np

from linkmask.llm import LanguageModel
from linkmask.records import Floats, Ints
from linkmask.testbench import extras
from linkmask.testbench.indexes import Bm25, Exact, SearchIndex, Vectors, lsa, unit

RETRIEVERS = (
    "bm25", "lsa", "lsa-chroma", "minilm", "minilm-chroma", "server", "server-chroma",
)  # fmt: skip
"""Names of all retrievers."""
DEFAULT_RETRIEVERS = ("bm25", "lsa", "minilm-chroma")
"""Those of a run that names none: without a model, and the thesis's own."""

HNSW = {
    "space": "l2",
    "ef_construction": 200,
    "ef_search": 400,
    "max_neighbors": 32,
    "num_threads": 1,
}
"""Settings with which Chroma's lists come out alike twice; with its defaults half of them differ
(10,000 random vectors of 128 numbers)."""

Encode = Callable[[list[str]], Floats]
"""Returns a vector for each text, as rows."""


class Encoder:
    """What makes vectors of texts; what was made once is remembered."""

    def __init__(self, encode: Encode, about: dict[str, str]) -> None:
        self.encode, self.about = encode, about
        self._known: dict[str, Floats] = {}

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return unit vectors, a row per text."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            self._known.update(zip(fresh, unit(self.encode(fresh)), strict=True))
        return np.array([self._known[text] for text in texts])

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of a corpus and of queries to it."""
        return Vectors(self(texts), lambda query: np.asarray(self([query])[0]))


class Retrieval:
    """Indexes over texts by name; models are loaded once.

    `model`: gives the language model whose endpoint makes embeddings, or raises `Hole`; `folder`:
    where MiniLM is, if neither installed as a package nor in the model cache.
    """

    def __init__(self, model: Callable[[], LanguageModel], folder: str = "") -> None:
        self._model, self._folder = model, folder
        self._encoders: dict[str, Encoder] = {}

    def index(self, name: str, texts: Sequence[str]) -> SearchIndex:
        """Return an index over texts.

        Raises:
            Hole: something it needs is not there.
            ModelError: the endpoint gives no vectors.
        """
        if name == "bm25":
            return Bm25(texts)
        kind, _, store = name.partition("-")
        if store:  # before the vectors, which cost more
            extras.need("langchain_chroma", extras.RAG)
        vectors = lsa(texts) if kind == "lsa" else self._encoder(kind).vectors(texts)
        return Chroma(vectors, texts) if store else Exact(vectors)

    def parameters(self, name: str) -> dict[str, str]:
        """Return what the lists of a retriever that was used depend on besides linkmask."""
        kind, _, store = name.partition("-")
        found = dict(self._encoders[kind].about) if kind in self._encoders else {}
        return found | (_versions("chromadb", "langchain-chroma") if store else {})

    def _encoder(self, kind: str) -> Encoder:
        if kind not in self._encoders:
            made = self._minilm() if kind == "minilm" else self._server()
            self._encoders[kind] = made
        return self._encoders[kind]

    def _minilm(self) -> Encoder:
        package = extras.need("sentence_transformers", extras.TORCH)
        extras.need("torch", extras.TORCH).set_num_threads(
            1
        )  # short texts: more only wait on each other
        folder = extras.minilm(self._folder)
        model = package.SentenceTransformer(str(folder), device="cpu", local_files_only=True)

        def encode(texts: list[str]) -> Floats:
            return np.asarray(model.encode(texts, show_progress_bar=False), dtype=np.float64)

        about = {"weights": extras.weights_of(folder)}
        return Encoder(encode, about | _versions("sentence-transformers", "torch"))

    def _server(self) -> Encoder:
        model = self._model()
        return Encoder(lambda texts: np.asarray(model.embed(texts), dtype=np.float64), {})


class Chroma(Exact):
    """The nearest by Chroma, through LangChain; the scores are exact cosines all the same."""

    _numbers = count()

    def __init__(self, vectors: Vectors, texts: Sequence[str]) -> None:
        super().__init__(vectors)
        self._store = _store(vectors, texts, f"linkmask-{next(self._numbers)}")

    def search(self, query: str, count: int) -> tuple[Ints, Floats]:
        """Return Chroma's `count` nearest, ties by number, and the exact scores of all texts."""
        count = min(count, len(self.vectors.rows))
        found = self._store.similarity_search_with_score(query, k=count)
        order = sorted((distance, int(hit.id)) for hit, distance in found)
        return np.array([number for _, number in order], dtype=np.int32), self.scores(query)

    def close(self) -> None:
        """Delete the collection."""
        self._store.delete_collection()


def _store(vectors: Vectors, texts: Sequence[str], name: str) -> Any:
    """Return LangChain's store over a collection of its own, in memory, filled in order."""
    client = extras.need("chromadb", extras.RAG)
    embeddings = extras.need("langchain_core.embeddings", extras.RAG)

    class Given(embeddings.Embeddings):  # type: ignore[misc,name-defined]
        """Hands out the vectors that are there."""

        def embed_documents(self, wanted: list[str]) -> list[list[float]]:
            return [list(map(float, rows[number])) for number in batch]

        def embed_query(self, text: str) -> list[float]:
            return list(map(float, vectors.of(text)))

    rows = vectors.rows
    quiet = client.config.Settings(anonymized_telemetry=False)
    store = extras.need("langchain_chroma", extras.RAG).Chroma(
        collection_name=name,
        embedding_function=Given(),
        client=client.EphemeralClient(quiet),
        collection_configuration={"hnsw": HNSW},
    )
    for first in range(0, len(texts), 1000):  # Chroma takes 5,461 at most at once
        batch = range(first, min(first + 1000, len(texts)))
        store.add_texts([texts[n] or " " for n in batch], ids=[str(n) for n in batch])
    return store


def _versions(*packages: str) -> dict[str, str]:
    """Return the versions of those packages that are installed."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for package in packages:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found
