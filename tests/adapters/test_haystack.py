"""Haystack's own classes over a masked run; skipped where haystack-ai is not installed.

make test-adapters
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

import linkmask
from adapters.planted import DOCUMENTS, QUESTION, leaks
from linkmask import commands
from linkmask.errors import InputError, RunError, UnknownDocument, UsageError

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
pytest.importorskip("haystack", reason="the extra `haystack` is not installed")

from haystack import Document, Pipeline
from haystack.components.builders import AnswerBuilder, PromptBuilder
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.components.writers import DocumentWriter
from haystack.dataclasses import ByteStream, ChatMessage, ToolCall
from haystack.document_stores.in_memory import InMemoryDocumentStore, document_store

from haystack_integrations.components.preprocessors.linkmask import (
    LinkmaskAnswerUnmasker,
    LinkmaskDocumentMasker,
    LinkmaskQuestionMasker,
    LinkmaskSecondNet,
    write_corpus,
)


def corpus() -> list[Document]:
    """The planted documents with the ids that Haystack gives: hashes of text and meta."""
    return [Document(content=text, meta=meta) for _, text, meta in DOCUMENTS]


CHOSEN = {"style": "pseudonym", "linkable": True, "workers": 1}


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("haystack")
    write_corpus(corpus(), folder / "c.jsonl")
    settings = linkmask.load(overrides=CHOSEN, environment={})
    commands.mask_files(folder / "c.jsonl", folder / "out", settings)
    return str(folder / "out")


def indexing(masked: str, store: InMemoryDocumentStore) -> Pipeline:
    pipeline = Pipeline()
    pipeline.add_component("mask", LinkmaskDocumentMasker(run=masked))
    pipeline.add_component("split", DocumentSplitter(split_by="word", split_length=8))
    pipeline.add_component("write", DocumentWriter(document_store=store))
    pipeline.connect("mask.documents", "split.documents")
    pipeline.connect("split.documents", "write.documents")
    return pipeline


def asking(masked: str, store: InMemoryDocumentStore) -> Pipeline:
    pipeline = Pipeline()
    pipeline.add_component("mask", LinkmaskQuestionMasker(run=masked))
    pipeline.add_component("find", InMemoryBM25Retriever(document_store=store, top_k=3))
    pipeline.add_component("net", LinkmaskSecondNet(run=masked))
    template = "{{ question }}{% for one in documents %} {{ one.content }}{% endfor %}"
    pipeline.add_component("prompt", PromptBuilder(template, required_variables="*"))
    pipeline.connect("mask.text", "find.query")
    pipeline.connect("mask.text", "prompt.question")
    pipeline.connect("find.documents", "net.documents")
    pipeline.connect("net.documents", "prompt.documents")
    return pipeline


def ran(pipeline: Pipeline, how: str, data: Any, *include: str) -> Any:
    if how == "sync":
        return pipeline.run(data, include_outputs_from=set(include))
    return asyncio.run(pipeline.run_async(data, include_outputs_from=set(include)))


@pytest.mark.parametrize("how", ["sync", "async"])
def test_nothing_raw_is_in_a_store_and_the_question_finds_its_document(
    how: str, masked: str
) -> None:
    """Texts, meta, ids, and the ids of sources that a splitter notes; then a masked question."""
    store = InMemoryDocumentStore()
    given = corpus()
    ran(indexing(masked, store), how, {"mask": {"documents": given}})
    held = store.filter_documents()
    assert len(held) > len(given) and store.bm25_retrieval("inhaler")
    kept = [each[store.index] for name, each in vars(document_store).items() if "_STOR" in name]
    everything = repr([one.to_dict() for one in held]) + repr(kept)
    assert "inhaler" in repr(kept) and leaks(held, *kept, everything, store.to_dict()) == []
    assert not any(one.id in everything for one in given)
    done = ran(asking(masked, store), how, {"mask": {"text": QUESTION}}, "find", "mask")
    assert leaks(done) == []
    assert done["mask"]["text"].split()[1] in done["find"]["documents"][0].content
    assert "called from" in done["find"]["documents"][0].content


@pytest.mark.parametrize("form", ["dict", "yaml"])
def test_a_saved_pipeline_is_loaded_without_a_word_to_the_allow_list(
    form: str, masked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HAYSTACK_DESERIALIZATION_ALLOWLIST", raising=False)
    store = InMemoryDocumentStore()
    pipeline = asking(masked, store)
    pipeline.add_component("docs", LinkmaskDocumentMasker(run=masked, on_unknown="set_aside"))
    pipeline.add_component("unmask", LinkmaskAnswerUnmasker(run=masked))
    if form == "dict":
        again = Pipeline.from_dict(pipeline.to_dict())
    else:
        again = Pipeline.loads(pipeline.dumps())
    assert again.to_dict()["components"] == pipeline.to_dict()["components"]
    assert leaks(pipeline.to_dict()) == []
    data = {"mask": {"text": QUESTION}, "docs": {"documents": corpus()}, "unmask": {"replies": []}}
    assert len(again.run(data)["docs"]["documents"]) == len(DOCUMENTS)


def test_a_component_opens_its_run_when_it_is_warmed_up(
    tmp_path: Path, out_of_values: Path
) -> None:
    """So a pipeline can be made, saved and loaded where the run is not."""
    masker = LinkmaskDocumentMasker(run=str(tmp_path / "none"))
    with pytest.raises(RunError):
        masker.warm_up()
    with pytest.raises(UsageError, match="on_unknown"):
        LinkmaskDocumentMasker(run=str(out_of_values), on_unknown="let_go").warm_up()
    with pytest.raises(RunError):
        LinkmaskAnswerUnmasker(run=str(out_of_values)).warm_up()


def test_documents_that_the_run_does_not_know_are_refused(masked: str) -> None:
    strange = Document(content="Ottoline Brandvold called.")
    with pytest.raises(UnknownDocument) as error:
        LinkmaskDocumentMasker(run=masked).run([strange])
    assert leaks(str(error.value)) == []
    with pytest.warns(UserWarning, match="1 of 2"):
        aside = LinkmaskDocumentMasker(run=masked, on_unknown="set_aside")
        done = aside.run([strange, corpus()[0]])
    assert done["set_aside"] == [strange.id] and len(done["documents"]) == 1
    whole = LinkmaskDocumentMasker(run=masked, on_unknown="mask_all").run([strange])
    assert leaks(whole["documents"][0].to_dict()) == []
    assert whole["documents"][0].id != strange.id


def test_what_was_made_of_the_original_is_left_out(masked: str) -> None:
    """Bytes and embeddings; the given documents stay as they were."""
    from dataclasses import replace

    bytes_ = ByteStream(b"Ottoline Brandvold")
    given = [replace(one, embedding=[0.5], blob=bytes_) for one in corpus()]
    before = [one.to_dict() for one in given]
    done = LinkmaskDocumentMasker(run=masked).run(given)["documents"]
    assert all(one.embedding is None and one.blob is None for one in done)
    assert [one.to_dict() for one in given] == before


@pytest.mark.parametrize("how", ["sync", "async"])
def test_replies_get_their_originals(how: str, masked: str) -> None:
    mask = LinkmaskQuestionMasker(run=masked).run(QUESTION)["text"].split()[1]
    pipeline = Pipeline()
    pipeline.add_component("unmask", LinkmaskAnswerUnmasker(run=masked))
    pipeline.add_component("build", AnswerBuilder())
    pipeline.connect("unmask.replies", "build.replies")
    for reply in (f"{mask} did.", ChatMessage.from_assistant(f"{mask} did.")):
        done = ran(pipeline, how, {"unmask": {"replies": [reply]}, "build": {"query": "?"}})
        assert "Brandvold did." in done["build"]["answers"][0].data
    call = ChatMessage.from_assistant(tool_calls=[ToolCall("crm", {"who": mask})])
    with pytest.raises(InputError):
        LinkmaskAnswerUnmasker(run=masked).run([call])


def test_the_page_runs(run_page: Any) -> None:
    """The program of docs/adapters.md: the question's person is found, and the answer is plain."""
    names: Any = run_page("preprocessors.linkmask")
    assert "Brandvold" not in str(names["found"]) and "[NAME" in str(names["found"])
