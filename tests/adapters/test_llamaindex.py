"""LlamaIndex's own classes over a masked run; skipped where llama-index-core is not installed.

make test-adapters
"""

from __future__ import annotations

import asyncio
import pickle
from pathlib import Path
from typing import Any

import pytest

import linkmask
from adapters.planted import DOCUMENTS, QUESTION, leaks
from linkmask import commands
from linkmask.errors import RunError, UnknownDocument

pytest.importorskip("llama_index.core", reason="the extra `llama-index` is not installed")

from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.ingestion import DocstoreStrategy, IngestionCache, IngestionPipeline
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import (
    Document,
    NodeRelationship,
    NodeWithScore,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore

from linkmask.adapters.llamaindex import (
    LinkmaskPostprocessor,
    LinkmaskReader,
    LinkmaskTransform,
    write_corpus,
)


def raw() -> list[Document]:
    """The documents, with an embedding that was made of the original."""
    return [
        Document(text=text, metadata=meta, id_=name, embedding=[0.125] * 8)
        for name, text, meta in DOCUMENTS
    ]


class Kept:
    """A pipeline with all of its stores, in memory."""

    def __init__(self, strategy: DocstoreStrategy, *first: Any) -> None:
        self.pipeline = IngestionPipeline(
            transformations=[*first, SentenceSplitter(), MockEmbedding(embed_dim=8)],
            vector_store=SimpleVectorStore(),
            docstore=SimpleDocumentStore(),
            docstore_strategy=strategy,
            cache=IngestionCache(),
        )

    def run(self, how: str, documents: list[Document]) -> Any:
        if how == "sync":
            return self.pipeline.run(documents=documents)
        return asyncio.run(self.pipeline.arun(documents=documents))

    def persisted(self, folder: Path) -> list[bytes]:
        self.pipeline.persist(str(folder))
        self.pipeline.vector_store.persist(str(folder / "vectors.json"))
        return [path.read_bytes() for path in sorted(folder.iterdir())]


# ── documents ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("strategy", list(DocstoreStrategy))
def test_nothing_raw_is_in_any_store_of_a_pipeline(
    how: str, strategy: DocstoreStrategy, out: Path, tmp_path: Path
) -> None:
    """Docstore, its hashes, cache and vector store, also as they are saved; twice, by a new id."""
    transform, kept = LinkmaskTransform(run=str(out)), Kept(strategy)
    for _ in range(2):
        masked = transform(raw()) if how == "sync" else asyncio.run(transform.acall(raw()))
        nodes = kept.run(how, list(masked))
        assert leaks(nodes) == []
    saved = kept.persisted(tmp_path)
    assert len(saved) == 3 and b"inhaler" in b"".join(saved)
    assert leaks(*saved, vars(kept.pipeline.docstore), kept.pipeline.cache.cache.get_all()) == []


def test_what_was_made_of_the_original_is_left_out(out: Path) -> None:
    """Embedding, and metadata and hashes in the relations; ids of relations are renewed alike."""
    document, parent = raw()[1], raw()[0]
    document.relationships[NodeRelationship.PARENT] = parent.as_related_node_info()
    document.relationships[NodeRelationship.CHILD] = [raw()[3].as_related_node_info()]
    one, other = LinkmaskTransform(run=str(out))([document, parent])
    assert one.embedding is None and leaks(one.to_dict()) == []
    assert one.parent_node.node_id == other.id_ != parent.id_
    assert one.child_nodes[0].hash is None


@pytest.mark.parametrize("how", ["sync", "async"])
def test_the_reader_reads_what_the_run_released(how: str, out: Path) -> None:
    reader = LinkmaskReader(out)
    read = reader.load_data() if how == "sync" else asyncio.run(reader.aload_data())
    made = LinkmaskTransform(run=str(out))(raw())
    assert [one.to_dict() for one in read] == [one.to_dict() for one in made]
    assert leaks(read) == []


def test_a_folder_of_raw_documents_is_not_read(out: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError):
        LinkmaskReader(out.parent / "corpus.jsonl")
    with pytest.raises(RunError):
        LinkmaskReader(tmp_path)


def test_documents_that_the_run_does_not_know_are_refused(out: Path) -> None:
    """A chunk is one: a splitter before the transformation is found at once."""
    with pytest.raises(UnknownDocument):
        LinkmaskTransform(run=str(out))([Document(text="x", id_="memo")])
    chunks = SentenceSplitter()(raw())
    with pytest.raises(UnknownDocument):
        LinkmaskTransform(run=str(out))(chunks)
    with pytest.warns(UserWarning, match="5 of 5"):
        assert LinkmaskTransform(run=str(out), on_unknown="set_aside")(chunks) == []
    masked = LinkmaskTransform(run=str(out), on_unknown="mask_all")(chunks)
    assert len(masked) == 5 and leaks(masked) == []


def test_the_documents_that_are_written_are_those_of_the_run(tmp_path: Path) -> None:
    write_corpus(raw(), tmp_path / "c.jsonl")
    settings = linkmask.load(overrides={"workers": 1}, environment={})
    commands.mask_files(tmp_path / "c.jsonl", tmp_path / "o", settings)
    assert len(LinkmaskTransform(run=str(tmp_path / "o"))(raw())) == len(DOCUMENTS)


# ── caches ──────────────────────────────────────────────────────────────────────────────────────


def test_another_plan_is_another_key_of_the_cache(tmp_path: Path) -> None:
    """Else the cache would serve what the earlier plan kept."""
    write_corpus(raw(), tmp_path / "c.jsonl")
    settings = linkmask.load(overrides={"workers": 1, "floor": []}, environment={})
    commands.mask_files(tmp_path / "c.jsonl", tmp_path / "o", settings)
    before = LinkmaskTransform(run=str(tmp_path / "o.run"))
    cache = IngestionCache()
    first = IngestionPipeline(transformations=[before], cache=cache).run(documents=raw())
    commands.plan_run(tmp_path / "o.run", {}, mask=["asthma"])
    commands.apply_run(tmp_path / "o.run", tmp_path / "o2", {})
    after = LinkmaskTransform(run=str(tmp_path / "o.run"))
    assert after.plan != before.plan
    second = IngestionPipeline(transformations=[after], cache=cache).run(documents=raw())
    assert "asthma" in first[2].text and "asthma" not in second[2].text
    with pytest.raises(RunError, match="planned again since"):
        LinkmaskTransform.from_dict(before.to_dict())


def test_a_transformation_goes_to_other_processes_and_back(out: Path) -> None:
    transform = LinkmaskTransform(run=str(out))
    for other in (
        pickle.loads(pickle.dumps(transform)),
        LinkmaskTransform.from_dict(transform.to_dict()),
        LinkmaskTransform.from_json(transform.to_json()),
    ):
        assert other.to_dict() == transform.to_dict()
        assert other(raw())[0].id_ == transform(raw())[0].id_
    assert leaks(transform.to_dict()) == []


def test_a_pipeline_of_two_processes_gives_the_same_nodes(out: Path) -> None:
    pipeline = IngestionPipeline(transformations=[LinkmaskTransform(run=str(out))])
    pipeline.disable_cache = True
    one, two = (pipeline.run(documents=raw(), num_workers=n) for n in (None, 2))
    assert [node.to_dict() for node in two] == [node.to_dict() for node in one]


@pytest.mark.parametrize("strategy", [DocstoreStrategy.UPSERTS, DocstoreStrategy.DUPLICATES_ONLY])
def test_a_transformation_within_a_pipeline_does_not_keep_its_docstore_clean(
    strategy: DocstoreStrategy, out: Path, tmp_path: Path
) -> None:
    """This is LlamaIndex's order of things, and why the page says to mask before the pipeline."""
    kept = Kept(strategy, LinkmaskTransform(run=str(out)))
    assert leaks(kept.run("sync", raw())) == []
    assert leaks(*kept.persisted(tmp_path))


# ── questions ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["sync", "async"])
def test_the_second_net_masks_what_an_index_of_raw_nodes_returns(how: str, out: Path) -> None:
    index = VectorStoreIndex.from_documents(raw(), embed_model=MockEmbedding(embed_dim=8))
    net = LinkmaskPostprocessor(run=str(out))
    found = index.as_retriever(similarity_top_k=9).retrieve(QUESTION)
    assert len(found) == len(DOCUMENTS) and leaks(found)
    if how == "sync":
        made = net.postprocess_nodes(found, query_str=QUESTION)
    else:
        made = asyncio.run(net.apostprocess_nodes(found, query_str=QUESTION))
    assert leaks(made) == [] and [one.score for one in made] == [one.score for one in found]
    again = net.postprocess_nodes(made)
    assert [one.node.text for one in again] == [one.node.text for one in made]
    assert net.to_dict()["run"] == str(out)


def test_a_nodes_relations_hold_no_original_after_the_second_net(out: Path) -> None:
    info = RelatedNodeInfo(node_id="memo", metadata={"of": "Ottoline Brandvold"}, hash="ab")
    node = TextNode(text="x", relationships={NodeRelationship.SOURCE: info})
    (made,) = LinkmaskPostprocessor(run=str(out)).postprocess_nodes([NodeWithScore(node=node)])
    assert made.node.ref_doc_id == "memo" and leaks(made.to_dict()) == []
    assert made.node.source_node.hash is None


def test_the_page_runs(run_page: Any) -> None:
    """The program of docs/adapters.md: the question finds nodes, and the model reads masks."""
    names = run_page("adapters.llamaindex")
    assert "Brandvold" not in str(names["found"]) and "[NAME" in str(names["question"])
