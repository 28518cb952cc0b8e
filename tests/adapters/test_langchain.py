"""LangChain's own classes over a masked run; skipped where langchain is not installed.

make test-adapters
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.planted import DOCUMENTS, QUESTION, leaks
from linkmask.errors import InputError, RunError, UnknownDocument

os.environ["LANGSMITH_TRACING"] = "false"
pytest.importorskip("langchain", reason="the extra `langchain` is not installed")

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableGenerator
from langchain_core.tools import tool
from langchain_core.vectorstores import InMemoryVectorStore
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import Field

from linkmask.adapters.langchain import (
    LinkmaskCompressor,
    LinkmaskMiddleware,
    LinkmaskTransformer,
    mask_question,
    unmask_answer,
    write_corpus,
)

RAW = [Document(page_content=text, metadata=meta, id=name) for name, text, meta in DOCUMENTS]


def store() -> InMemoryVectorStore:
    return InMemoryVectorStore(DeterministicFakeEmbedding(size=16))


class Scripted(BaseChatModel):
    """A model that answers as it is told, and keeps what it was sent."""

    answers: list[Any]
    sent: list[Any] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(
        self,
        messages: list[Any],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.sent.append(messages)
        answer = self.answers.pop(0)
        made = answer(messages) if callable(answer) else answer
        return ChatResult(generations=[ChatGeneration(message=made)])


# ── documents ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["sync", "async"])
def test_nothing_raw_is_in_a_store_of_transformed_documents(how: str, out: Path) -> None:
    """Texts, metadata, ids and the record manager's hashes tell nothing of what was masked."""
    transformer, kept, records = LinkmaskTransformer(out), store(), InMemoryRecordManager("x")
    records.create_schema()
    if how == "sync":
        masked = transformer.transform_documents(RAW)
        kept.add_documents(list(masked))
    else:
        masked = asyncio.run(transformer.atransform_documents(RAW))
        asyncio.run(kept.aadd_documents(list(masked)))
    index(masked, records, store(), key_encoder="sha256")
    assert len(kept.store) == len(RAW)
    assert leaks(kept.store, records.records, masked) == []
    assert leaks([one.model_dump() for one in RAW])  # else nothing was searched


def test_documents_that_the_run_does_not_know_are_refused(out: Path) -> None:
    with pytest.raises(UnknownDocument):
        LinkmaskTransformer(out).transform_documents([Document(page_content="x", id="memo")])
    parts = [RAW[1].model_copy(update={"page_content": RAW[1].page_content[:20]})]
    with pytest.warns(UserWarning, match="1 of 1"):
        assert LinkmaskTransformer(out, on_unknown="set_aside").transform_documents(parts) == []


def test_a_corpus_is_written_as_it_will_be_transformed(tmp_path: Path) -> None:
    import linkmask
    from linkmask import commands

    write_corpus(RAW, tmp_path / "c.jsonl")
    settings = linkmask.load(overrides={"workers": 1}, environment={})
    commands.mask_files(tmp_path / "c.jsonl", tmp_path / "o", settings)
    assert len(LinkmaskTransformer(tmp_path / "o").transform_documents(RAW)) == len(RAW)


@pytest.mark.parametrize("how", ["sync", "async"])
def test_the_second_net_masks_what_an_index_of_raw_documents_returns(how: str, out: Path) -> None:
    net, found = LinkmaskCompressor(run=str(out)), [*RAW, Document(page_content=QUESTION)]
    if how == "sync":
        made = net.compress_documents(found, QUESTION)
    else:
        made = asyncio.run(net.acompress_documents(found, QUESTION))
    assert len(made) == len(found) and leaks(made) == []
    assert net.compress_documents(made, QUESTION) == made


# ── questions and answers ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_chain_asks_with_masks_and_answers_with_originals(how: str, out: Path) -> None:
    """The retriever finds the documents of the person, and the model reads masks alone."""
    kept = store()
    kept.add_documents(list(LinkmaskTransformer(out).transform_documents(RAW)))
    model = Scripted(answers=[lambda sent: AIMessage(f"{sent[-1].content.split()[1]} did.")])
    prompt = ChatPromptTemplate.from_messages([("system", "Be kind."), ("human", "{input}")])
    chain = mask_question(out) | prompt | model | unmask_answer(out)
    said = chain.invoke(QUESTION) if how == "sync" else asyncio.run(chain.ainvoke(QUESTION))
    assert "Brandvold did." in said.content
    assert len(model.sent) == 1 and leaks(model.sent) == []
    # the mask of the question is the mask of the person's documents
    mask = mask_question(out).invoke(QUESTION).split()[1:]
    assert (
        sum(any(w in one["text"] for w in mask if "NAME" in w) for one in kept.store.values()) == 2
    )


def test_a_stream_of_an_answer_waits_for_whole_masks(out: Path) -> None:
    """A mask that two parts of a stream share gets its original, too."""
    mask = mask_question(out).invoke(QUESTION).split()[1]
    parts = [mask[:4], mask[4:], " did."]

    def stream(asked: Iterator[str]) -> Iterator[AIMessageChunk]:
        yield from (AIMessageChunk(part) for part in parts)

    said = list((RunnableGenerator(stream) | unmask_answer(out)).stream(""))
    assert "Brandvold did." in "".join(str(one.content) for one in said)


def test_a_question_is_masked_in_each_form(out: Path) -> None:
    ask = mask_question(out)
    prompt = ChatPromptTemplate.from_messages([("human", "{input}")])
    for form in (
        QUESTION,
        HumanMessage(QUESTION, name="Ottoline"),
        [HumanMessage([{"type": "text", "text": QUESTION}]), SystemMessage(QUESTION)],
        prompt.invoke({"input": QUESTION}),
        AIMessage("", tool_calls=[{"name": "f", "args": {"who": QUESTION}, "id": "c1"}]),
    ):
        assert leaks(str(form)) and leaks(ask.invoke(form)) == []
    call = ask.invoke([AIMessage("", tool_calls=[{"name": "f", "args": {}, "id": "c1"}])])[0]
    assert call.tool_calls[0]["id"] == "c1" and call.tool_calls[0]["name"] == "f"


def test_what_is_no_text_is_refused(out: Path) -> None:
    picture = {"type": "image", "base64": "iVBORw0KGgo=", "mime_type": "image/png"}
    with pytest.raises(InputError, match="'image'"):
        mask_question(out).invoke(HumanMessage([{"type": "text", "text": "Who?"}, picture]))
    with pytest.raises(InputError, match="dict"):
        mask_question(out).invoke({"question": QUESTION})


def test_what_a_message_carries_beside_its_content_is_masked_or_refused(out: Path) -> None:
    """`additional_kwargs` of a JSON kind are masked; with others the model is not called."""
    said = mask_question(out).invoke(
        HumanMessage("Who?", additional_kwargs={"seen": [{"by": "Ottoline Brandvold"}], "n": 2})
    )
    assert leaks(said) == [] and said.additional_kwargs["n"] == 2
    for value in (b"Ottoline Brandvold", {"Ottoline Brandvold"}, Path("Ottoline Brandvold")):
        held = HumanMessage("Who?", additional_kwargs={"seen": [value]})
        with pytest.raises(InputError) as refused:
            mask_question(out).invoke(held)
        assert leaks(str(refused.value)) == []
        asked, model = agent(out, [])
        with pytest.raises(InputError):
            asked.invoke({"messages": [held]}, {"configurable": {"thread_id": "1"}})
        assert model.sent == []


def test_originals_are_asked_for_of_a_run_that_has_them(out_of_values: Path) -> None:
    """The error comes when the chain is made, not when a user waits for an answer."""
    with pytest.raises(RunError):
        unmask_answer(out_of_values)
    with pytest.raises(RunError):
        LinkmaskMiddleware(out_of_values)
    LinkmaskMiddleware(out_of_values, unmask=False)


# ── agents ──────────────────────────────────────────────────────────────────────────────────────


class Raw(AgentMiddleware):
    """Another middleware, which adds a raw text to each request."""

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        return handler(request.override(system_message=SystemMessage("For Ottoline Brandvold.")))

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        return await handler(
            request.override(system_message=SystemMessage("For Ottoline Brandvold."))
        )


def agent(out: Path, called: list[str], **options: Any) -> tuple[Any, Scripted]:
    """An agent with two tools and a model that calls both with the mask it was sent."""

    @tool
    def search(who: str) -> str:
        """Search the masked index."""
        called.append(f"search {who}")
        return "Tobias Akinwande-Frith was here."

    @tool
    def crm(who: str) -> str:
        """Ask the system of records."""
        called.append(f"crm {who}")
        return f"{who}: 906-555-0143"

    def call(sent: list[Any]) -> AIMessage:
        who = sent[-1].content.split()[1]
        calls = [{"name": n, "args": {"who": who}, "id": n} for n in ("search", "crm")]
        return AIMessage("", tool_calls=calls)

    model = Scripted(answers=[call, lambda sent: AIMessage(f"Yes: {sent[-1].content}")])
    middleware = [Raw(), LinkmaskMiddleware(out, **options)]
    made = create_agent(model, [search, crm], middleware=middleware, checkpointer=InMemorySaver())
    return made, model


ASKED = {"messages": [HumanMessage("Did Brandvold call?")]}


@pytest.mark.parametrize("how", ["sync", "async"])
def test_an_agents_model_reads_masks_alone_and_its_user_reads_originals(
    how: str, out: Path
) -> None:
    called: list[str] = []
    made, model = agent(out, called, unmask_tools=["crm"])
    config = {"configurable": {"thread_id": "1"}}
    done = made.invoke(ASKED, config) if how == "sync" else asyncio.run(made.ainvoke(ASKED, config))
    assert len(model.sent) == 2 and leaks(model.sent) == []
    assert "[NAME" in str(model.sent[0][0].content)  # what the other middleware added
    asked = dict(one.split(" ", 1) for one in called)
    assert "Brandvold" in asked["crm"] and leaks(asked["search"]) == []
    last = done["messages"][-1].content
    assert "Brandvold" in last and "5550143" in last
    assert leaks(done["messages"][:-1]) == []
    assert all(isinstance(one, ToolMessage) for one in done["messages"][2:4])


def test_a_second_turn_is_masked_with_what_the_first_left(out: Path) -> None:
    """The answer in the state holds originals; the next request does not."""
    made, model = agent(out, [], unmask_tools=["crm"])
    config = {"configurable": {"thread_id": "1"}}
    made.invoke(ASKED, config)
    model.answers.append(AIMessage("Good bye."))
    made.invoke({"messages": [HumanMessage("Thanks. And Maëlle Kervoazou?")]}, config)
    assert len(model.sent) == 3 and leaks(model.sent) == []


def test_a_checkpointer_keeps_nothing_raw_if_the_question_is_masked_first(out: Path) -> None:
    """LangGraph writes the input down before any middleware runs."""
    made, _ = agent(out, [], unmask=False)
    config = {"configurable": {"thread_id": "1"}}
    made.invoke({"messages": mask_question(out).invoke(ASKED["messages"])}, config)
    assert leaks(dict(made.checkpointer.storage), dict(made.checkpointer.blobs)) == []
    made, _ = agent(out, [], unmask=False)
    made.invoke(ASKED, config)
    held = made.checkpointer
    assert leaks(repr(dict(held.storage)), repr(dict(held.blobs)), repr(dict(held.writes)))


def test_streamed_tokens_hold_no_original(out: Path) -> None:
    made, _ = agent(out, [], unmask_tools=["crm"])
    config = {"configurable": {"thread_id": "1"}}
    tokens = [token for token, _ in made.stream(ASKED, config, stream_mode="messages")]
    answers = [one for one in tokens if isinstance(one, AIMessage)]
    assert answers and leaks(answers) == []


def test_the_page_runs(run_page: Any) -> None:
    """The programs of docs/adapters.md; a fake embedding finds any four documents."""
    names = run_page("adapters.langchain")
    found: Any = names["found"]
    assert len(found) == 4 and "Brandvold" not in str(found)
    assert names["middleware"]
