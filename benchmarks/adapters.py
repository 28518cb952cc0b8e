"""Do masked questions find in a framework's store what unmasked ones found before masking?

    .venv-langchain/bin/python benchmarks/adapters.py langchain [--style STYLE …] FOLDER …
    .venv-llama-index/bin/python benchmarks/adapters.py llama-index …
    .venv-haystack/bin/python benchmarks/adapters.py haystack …
                              default: pseudonym, surrogate

For each folder of clusters, its documents are put into the framework's own store in memory, once as
they are and once through the adapter, and its questions are asked there, as they are and masked by
the adapter. LangChain and LlamaIndex search by LSA vectors (linkmask.testbench) in their vector
stores, Haystack by its own BM25. Recall at k is the share of the documents that answer a question
among the k best. The interval of the difference is a bootstrap over persons (95 %).
"""

from __future__ import annotations

import argparse
import os
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from linkmask import commands, load
from linkmask.adapters.framework_documents import FrameworkDocument, write_corpus
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.indexes import Vectors, lsa
from queries import AT, change_of

Find = Callable[[str, int], list[str]]
"""Question and k → ids of the k best documents."""
Items = Sequence[FrameworkDocument]


def langchain(items: Items, run: str) -> tuple[Find, Callable[[str], str], list[str]]:
    """Return a search through LangChain, its way of asking, and the ids of the documents."""
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    from linkmask.adapters.langchain import LinkmaskTransformer, mask_question

    documents = [Document(page_content=i.text, metadata=dict(i.metadata), id=i.id) for i in items]
    if run:
        documents = list(LinkmaskTransformer(run).transform_documents(documents))

    class Lsa(Embeddings):
        def __init__(self, vectors: Vectors) -> None:
            self.vectors = vectors

        def embed_query(self, text: str) -> list[float]:
            return list(map(float, self.vectors.of(text)))

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [self.embed_query(text) for text in texts]

    store = InMemoryVectorStore(Lsa(lsa([one.page_content for one in documents])))
    store.add_documents(documents)
    ask = mask_question(run).invoke if run else str

    def find(question: str, k: int) -> list[str]:
        return [one.id or "" for one in store.similarity_search(question, k=k)]

    return find, ask, [one.id or "" for one in documents]


def llama_index(items: Items, run: str) -> tuple[Find, Callable[[str], str], list[str]]:
    """Return a search through LlamaIndex, its way of asking, and the ids of the documents."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.schema import TextNode

    import linkmask
    from linkmask.adapters.llamaindex import LinkmaskTransform

    nodes: Any = [TextNode(text=i.text, metadata=dict(i.metadata), id_=i.id) for i in items]
    if run:
        nodes = LinkmaskTransform(run=run)(nodes)
    vectors = lsa([one.text for one in nodes])

    class Lsa(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return list(map(float, vectors.of(text)))

        _get_query_embedding = _get_text_embedding

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    index = VectorStoreIndex(nodes, embed_model=Lsa())
    masker = linkmask.open(run) if run else None

    def find(question: str, k: int) -> list[str]:
        found = index.as_retriever(similarity_top_k=k).retrieve(question)
        return [one.node.node_id for one in found]

    ask = (lambda text: masker.mask_text(text).text) if masker else str
    return find, ask, [one.node_id for one in nodes]


def haystack(items: Items, run: str) -> tuple[Find, Callable[[str], str], list[str]]:
    """Return a search through Haystack, its way of asking, and the ids of the documents."""
    from haystack import Document
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    from haystack_integrations.components.preprocessors.linkmask import (
        LinkmaskDocumentMasker,
        LinkmaskQuestionMasker,
    )

    documents = [Document(content=i.text, meta=dict(i.metadata), id=i.id) for i in items]
    if run:
        documents = LinkmaskDocumentMasker(run=run).run(documents)["documents"]
    store = InMemoryDocumentStore()
    store.write_documents(documents)
    retriever = InMemoryBM25Retriever(document_store=store)
    masker = LinkmaskQuestionMasker(run=run) if run else None

    def find(question: str, k: int) -> list[str]:
        return [one.id for one in retriever.run(query=question, top_k=k)["documents"]]

    ask = (lambda text: masker.run(text)["text"]) if masker else str
    return find, ask, [one.id for one in documents]


FRAMEWORKS: Mapping[str, Callable[[Items, str], Any]] = {
    "langchain": langchain,
    "llama-index": llama_index,
    "haystack": haystack,
}


def recalls(corpus: BenchCorpus, made: Any, k: int) -> list[float]:
    """Return the recall at k of each question that has sources."""
    find, ask, ids = made
    shares = []
    for one in corpus.questions:
        if one.sources:
            best = set(find(ask(one.question.q), k))
            shares.append(sum(ids[s] in best for s in one.sources) / len(one.sources))
    return shares


def main() -> None:
    """Print the table."""
    os.environ |= {"LANGSMITH_TRACING": "false", "HAYSTACK_TELEMETRY_ENABLED": "False"}
    warnings.simplefilter("error", UserWarning)  # a document that is set aside shifts the ids
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("framework", choices=FRAMEWORKS)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--style", nargs="*", default=["pseudonym", "surrogate"])
    asked = parser.parse_args()
    through = FRAMEWORKS[asked.framework]
    print("| framework | corpus | style |", *(f"k = {k} |" for k in AT))
    print("|---|---|---|" + "---|" * len(AT))
    for folder in asked.folders:
        corpus = read_corpus(folder)
        items = [
            FrameworkDocument(one.id, one.content, {"cluster": folder.name})
            for one in corpus.documents
        ]
        before = through(items, "")
        for style in asked.style:
            with tempfile.TemporaryDirectory(prefix="linkmask-adapters-") as place:
                source, out = Path(place, "in.jsonl"), Path(place, "out")
                write_corpus(items, source)
                settings = load(overrides={"style": style, "linkable": True}, environment={})
                commands.mask_files(source, out, settings)
                after = through(items, str(out))
                cells = [asked.framework, corpus.name, style]
                for k in AT:
                    was, now = recalls(corpus, before, k), recalls(corpus, after, k)
                    cells.append(change_of(corpus, was, now))
                print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
