"""The client gets a checked answer, or says why there is none, whatever the server does."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from linkmask import llm
from linkmask.config import Settings
from linkmask.errors import (
    BadAnswer,
    BudgetSpent,
    ModelUnavailable,
    SettingsError,
)
from linkmask.llm.memory import path_of
from linkmask.llm.request import Request
from model_questions import SCHEMA, SECRET, numbered, question
from serving import Fault, Scripted, reply

# ── the question ────────────────────────────────────────────────────────────────────────────────


def test_strict_schema(client: Any) -> None:
    """A server that keeps schemas gets the schema, max_tokens, temperature, seed and model."""
    with Scripted(lambda r: reply({"n": 3}, tokens=(1000, 20))) as server:
        answer = client(server, llm_seed=7).ask(question())
        assert answer.value == {"n": 3}
        assert (answer.tokens_in, answer.tokens_out, answer.cached) == (1000, 20, False)
        sent = server.seen[0]
        assert sent["response_format"]["json_schema"]["schema"] == SCHEMA
        assert sent["response_format"]["json_schema"]["strict"] is True
        assert sent["max_tokens"] == 100
        assert (sent["temperature"], sent["seed"], sent["model"]) == (0.01, 7, "scripted")
        assert "authorization" not in {name.lower() for name in server.headers[0]}


@pytest.mark.parametrize("ignored", [False, True], ids=["rejected", "ignored"])
@pytest.mark.parametrize("formats", [("json_object", "text"), ("text",)], ids=["object", "text"])
def test_lower_formats(client: Any, formats: tuple[str, ...], ignored: bool) -> None:
    """Where a form of output is rejected or not kept, the schema goes into the prompt."""
    said = {"n": 3} if "json_object" in formats else 'Sure! {"n": 3} Anything else?'
    with Scripted(lambda r: said, formats=formats, ignored=ignored) as server:
        assert client(server).ask(question()).value == {"n": 3}
        sent = server.seen[0]
        kind = sent.get("response_format", {}).get("type", "text")
        assert kind == formats[0]
        assert '"minimum":0' in sent["messages"][0]["content"]
        probes = server.probes
        assert client(server).ask(question("again")).value == {"n": 3}
        assert server.probes == probes  # remembered by server and model


def test_unknown_parameters(client: Any) -> None:
    """Parameters that a server rejects are left out, and max_tokens takes its newer name."""
    with Scripted(numbered, rejects=("temperature", "seed", "max_tokens")) as server:
        assert client(server).ask(question("say 5")).value == {"n": 5}
        sent = server.seen[0]
        assert sent["max_completion_tokens"] == 100
        assert not {"temperature", "seed", "max_tokens"} & set(sent)


def test_plain_text(client: Any) -> None:
    """Without a schema the answer is the text."""
    with Scripted(lambda r: "As it is.") as server:
        assert client(server).ask(question(schema=None)).value == "As it is."
        assert "response_format" not in server.seen[0]


def test_key(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key comes from the environment variable that is named, and only from there."""
    monkeypatch.setenv("SOME_KEY", " k-123 ")
    monkeypatch.setenv("OPENAI_API_KEY", "another")
    with Scripted(lambda r: {"n": 1}) as server:
        client(server, llm_key_env="SOME_KEY").ask(question())
        assert server.headers[0]["authorization"] == "Bearer k-123"
        with pytest.raises(SettingsError, match="NO_SUCH_KEY"):
            client(server, llm_key_env="NO_SUCH_KEY")


def test_proxies(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the environment is used only where that is asked for."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    with Scripted(lambda r: {"n": 1}) as server:
        assert client(server).ask(question()).value == {"n": 1}
        with pytest.raises(ModelUnavailable):
            client(server, llm_proxies=True).ask(question("by way of a proxy"))


@pytest.mark.parametrize(
    "url", ["", "ftp://host/v1", "http://user:pass@host/v1", "http://host/v1?key=abc", "host:80"]
)
def test_wrong_urls(url: str, tmp_path: Path) -> None:
    """A URL that can't be right, or that holds a key, is refused without repeating it."""
    with pytest.raises(SettingsError) as said:
        llm.connect(Settings(llm_url=url, llm_model="m", llm_cache=str(tmp_path / "c")))
    assert "pass" not in str(said.value) and "abc" not in str(said.value)


# ── many ────────────────────────────────────────────────────────────────────────────────────────


def test_order_and_concurrency(client: Any) -> None:
    """Answers come in input order, a bad one in its place, on as many connections as allowed."""
    barrier = threading.Barrier(4)

    def answer(request: dict[str, Any]) -> Any:
        n = numbered(request)["n"]
        if n < 4:
            barrier.wait(timeout=10)  # passes only if four are under way at once
        return {"n": "?"} if n == 5 else {"n": n}

    with Scripted(answer) as server:
        outcomes = list(client(server).ask_all(question(f"say {n}") for n in range(300)))
        assert isinstance(outcomes.pop(5), BadAnswer)
        assert [o.value["n"] for o in outcomes] == [n for n in range(300) if n != 5]
        assert server.most == 4


def test_read_ahead_is_bounded(client: Any) -> None:
    """An endless stream of requests is read a few hundred ahead."""
    taken = 0

    def endless() -> Iterator[Request]:
        nonlocal taken
        while True:
            taken += 1
            yield question(f"say {taken}")

    with Scripted(numbered) as server:
        stream = client(server).ask_all(endless())
        assert [next(stream).value["n"] for _ in range(3)] == [1, 2, 3]  # type: ignore[union-attr]
        assert taken < 1000


def test_cache(client: Any) -> None:
    """What was answered costs nothing again; another prompt version, seed or text does."""
    with Scripted(lambda r: {"n": 3}) as server:
        first = client(server).ask(question())
        again = client(server).ask(question())
        assert again.cached and again.value == first.value
        assert again.tokens_in == first.tokens_in
        assert len(server.seen) == 1
        client(server).ask(question(name="count/2"))
        client(server).ask(question(schema={**SCHEMA, "title": "n"}))
        client(server, llm_seed=1).ask(question())
        client(server, llm_temperature=0.5).ask(question())
        client(server, llm_model="other").ask(question())
        assert len(server.seen) == 6


def test_a_temperature_of_its_own(client: Any) -> None:
    """A request may say its temperature; it is sent, and its answer kept apart."""
    with Scripted(lambda r: {"n": 3}) as server:
        for warmth in (1.2, None, 0.01):
            client(server).ask(replace(question(), temperature=warmth))
        assert [sent["temperature"] for sent in server.seen] == [1.2, 0.01]


@pytest.mark.parametrize("damage", [b'"\xff"', b'{"n": ', b"[" * 5000, b'{"n": "3"}'], ids=repr)
def test_a_damaged_row(client: Any, damage: bytes) -> None:
    """What is kept and can't be read, or meets the schema no more, is asked for again."""
    with Scripted(lambda r: {"n": 3}) as server:
        one = client(server)
        vector = one.embed(["text"])
        one.ask(question())
        with sqlite3.connect(path_of(one.settings)) as kept:
            kept.execute("UPDATE answers SET value=?", (damage,))
            kept.execute("UPDATE servers SET can=?", (damage,))
        again = client(server)
        assert again.ask(question()).value == {"n": 3}
        assert again.embed(["text"]) == vector
        assert again.usage.cached == 0


def test_nobody_reads_on(client: Any) -> None:
    """Requests that wait are not asked when the caller stops reading."""
    with Scripted(numbered, seconds=0.05) as server:
        stream = client(server).ask_all(question(f"say {n}") for n in range(200))
        next(stream)
        stream.close()
        time.sleep(0.3)
        assert len(server.seen) < 20


def test_same_request_twice(client: Any) -> None:
    """A request that is under way is not sent a second time."""
    with Scripted(lambda r: {"n": 3}, seconds=0.05) as server:
        outcomes = list(client(server).ask_all([question()] * 10))
        assert [o.cached for o in outcomes] == [False] + [True] * 9
        assert len(server.seen) == 1


def test_budget_of_requests(client: Any) -> None:
    """A budget stops the run cleanly, and the next run goes on from what was answered."""
    with Scripted(numbered) as server:
        asked = [question(f"say {n}") for n in range(10)]
        one = client(server, llm_budget_requests=5)  # one of them finds out what the server can
        outcomes = list(one.ask_all(asked))
        assert sum(isinstance(o, BudgetSpent) for o in outcomes) == 6
        assert one.usage.requests == 5
        rest = list(client(server).ask_all(asked))
        assert [o.value["n"] for o in rest] == list(range(10))
        assert sum(o.cached for o in rest) == 4


def test_budget_of_tokens(client: Any) -> None:
    """A budget of tokens is never passed, however many requests are under way."""
    with Scripted(lambda r: reply({"n": 3}, tokens=(40, 20))) as server:
        one = client(server, llm_budget_tokens=2000)
        outcomes = list(one.ask_all(question(f"say {n}") for n in range(100)))
        assert isinstance(outcomes[-1], BudgetSpent)
        assert 1000 < one.usage.tokens_in + one.usage.tokens_out <= 2000


def test_embeddings(client: Any) -> None:
    """Vectors come in the order of the texts, in batches, and are kept."""
    with Scripted() as server:
        one = client(server)
        texts = [f"text {n}" for n in range(150)]
        vectors = one.embed(texts)
        assert vectors == [one.embed([text])[0] for text in texts]
        assert [len(request["input"]) for request in server.seen] == [64, 64, 22]
        assert len(set(map(tuple, vectors))) == 150


def test_estimate(client: Any) -> None:
    """An estimate asks nobody, and leaves out what the cache holds."""
    with Scripted(numbered) as server:
        one = client(server)
        asked = [question(f"say {n}") for n in range(10)]
        list(one.ask_all(asked[:4]))
        seen = len(server.seen)
        cost = llm.estimate(asked, one.settings)
        assert (cost.requests, cost.cached, cost.tokens_out) == (10, 4, 600)
        assert cost.tokens_in > 6 * 5
        assert len(server.seen) == seen


def test_no_value_is_said(client: Any) -> None:
    """No error repeats the question or the answer."""
    said = [
        f"{SECRET}",
        {"n": SECRET},
        {SECRET: 1, "n": 1},
        Fault(400, {"error": {"message": SECRET}}),
        Fault(500, {"error": {"message": SECRET}}),
        reply(SECRET, finish="length"),
    ]
    for one in said:
        with Scripted(lambda r, one=one: one) as server:
            outcome = next(client(server).ask_all([question(SECRET)]))
            assert isinstance(outcome, Exception)
            assert SECRET not in f"{outcome!r} {outcome.__cause__!r}"
