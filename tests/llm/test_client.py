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
    ContextTooLong,
    ModelUnavailable,
    NoAnswer,
    Refused,
    SettingsError,
)
from linkmask.llm.client import Client
from linkmask.llm.memory import path_of
from linkmask.llm.request import Request
from serving import BROKEN, BUSY, CLOSED, CUT, NOT_JSON, Fault, Scripted, reply

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 0}},
    "required": ["n"],
    "additionalProperties": False,
}
SECRET = "Zebulon Quist"


def question(text: str = "how many?", schema: Any = SCHEMA, name: str = "count/1") -> Request:
    return Request((("system", "Count."), ("user", text)), schema, name, 100)


class Clock:
    """Time that passes only where somebody sleeps; `slept` holds for how long."""

    def __init__(self) -> None:
        self.now, self.slept = 0.0, list[float]()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[Any]:
    """Make clients of scripted servers; each is closed at the end."""
    made: list[Client] = []

    def make(server: Scripted, **given: Any) -> Client:
        settings = {
            "llm_url": server.url,
            "llm_model": "scripted",
            "llm_cache": str(tmp_path / "cache" / "llm.sqlite"),
            "llm_connections": 4,
            "llm_retries": 2,
        }
        one = Client(Settings(**(settings | given)), clock=clock, sleep=clock.sleep)
        made.append(one)
        return one

    yield make
    for one in made:
        one.close()


def numbered(request: dict[str, Any]) -> Any:
    """Answer with the last word of the question."""
    return {"n": int(request["messages"][-1]["content"].split()[-1])}


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


# ── failures ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "fault",
    [BROKEN, Fault(503, {}), CLOSED, CUT, NOT_JSON, Fault(200, []), Fault(200, {"error": {}})],
    ids=["500", "503", "closed", "cut", "not-json", "a-list", "error-in-200"],
)
def test_tried_again(client: Any, clock: Clock, fault: Fault) -> None:
    """A failing server is asked again, later each time, then the request is given up."""
    with Scripted(lambda r: {"n": 3}, faults=[fault, fault]) as server:
        one = client(server)
        assert one.ask(question()).value == {"n": 3}
        assert one.usage.retries == 2
        assert 0.25 <= clock.slept[0] <= 0.5 <= clock.slept[1] <= 1.0
        server.faults.extend([fault] * 3)
        with pytest.raises(NoAnswer):
            one.ask(question("once more"))
        assert one.usage.failures == {"NoAnswer": 1}


def test_timeout(client: Any, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that drips in is not waited for longer than llm_timeout."""
    monkeypatch.setattr(Clock, "__call__", lambda self: time.monotonic())
    with Scripted(lambda r: {"n": 3}, faults=[Fault(drip=0.05)]) as server:
        one = client(server, llm_timeout=2)
        assert one.ask(question()).value == {"n": 3}
        assert one.usage.retries == 1


def test_retry_after(client: Any, clock: Clock) -> None:
    """A busy server is waited for as long as it asks, and that does not use up tries."""
    with Scripted(lambda r: {"n": 3}, faults=[BUSY] * 6) as server:
        assert client(server, llm_retries=0).ask(question()).value == {"n": 3}
        assert clock.slept == [2.0] * 6


def test_long_retry_after(client: Any) -> None:
    """A server that asks to wait an hour is not waited for, and nothing more is asked."""
    hour = Fault(429, {}, {"Retry-After": "3600"})
    with Scripted(lambda r: {"n": 3}, faults=[hour]) as server:
        one = client(server)
        outcomes = list(one.ask_all(question(str(n)) for n in range(20)))
        assert {type(outcome) for outcome in outcomes} <= {ModelUnavailable, llm.Answer}
        assert len(server.seen) <= 5


@pytest.mark.parametrize("status", [400, 422], ids=str)
def test_client_errors_are_not_repeated(client: Any, status: int) -> None:
    """A request that the server won't have is not sent again, and its words are not shown."""
    said = Fault(status, {"error": {"message": f"bad: {SECRET}"}})
    with Scripted(lambda r: said) as server:
        with pytest.raises(NoAnswer) as error:
            client(server).ask(question(SECRET))
        assert len(server.seen) == 1
        assert SECRET not in str(error.value)


@pytest.mark.parametrize(("status", "word"), [(401, "key"), (404, "model"), (302, "elsewhere")])
def test_hopeless(client: Any, status: int, word: str) -> None:
    """A wrong key or model, or a redirect, ends the asking for all requests."""
    elsewhere = Fault(status, {}, {"Location": "http://example.invalid/v1"})
    with Scripted(lambda r: elsewhere) as server:
        one = client(server)
        outcomes = list(one.ask_all(question(str(n)) for n in range(50)))
        assert all(isinstance(o, ModelUnavailable) and o.stops for o in outcomes)
        assert word in str(outcomes[-1])
        assert len(server.seen) <= 4


def test_not_there(client: Any) -> None:
    """A server that isn't there is said to be so, once for all requests."""
    with Scripted() as server:
        pass
    outcomes = list(client(server).ask_all(question(str(n)) for n in range(300)))
    assert {type(outcome) for outcome in outcomes} == {ModelUnavailable}
    assert "is it running?" in str(outcomes[0])


def test_gone_for_good(client: Any) -> None:
    """After twenty requests in a row without a reply the server counts as gone."""
    with Scripted(lambda r: BROKEN) as server:
        one = client(server, llm_retries=0, llm_connections=1)
        outcomes = list(one.ask_all(question(str(n)) for n in range(60)))
        kinds = [type(outcome).__name__ for outcome in outcomes]
        assert kinds == ["NoAnswer"] * 19 + ["ModelUnavailable"] * 41
        assert len(server.seen) == 20


def test_too_slow_for_all(client: Any) -> None:
    """Of a server that is there but slow, it is said what helps against that."""
    with Scripted(lambda r: {"n": 3}, seconds=1.0) as server:
        one = client(server, llm_retries=0, llm_connections=20, llm_timeout=0.1)
        *_, last = one.ask_all(question(str(n)) for n in range(100))
        assert isinstance(last, ModelUnavailable)
        assert "raise llm_timeout" in str(last)


@pytest.mark.parametrize(
    "said",
    [
        {"n": "3"},
        {"n": -1},
        {"n": 3, "more": 1},
        {},
        [3],
        '{"n": 3',
        "no idea",
        "",
        None,
        '{"n": NaN}',
        '{"n": "\\ud800"}',
        {"choices": []},
        {"choices": [{"message": None}]},
        reply({"n": 3.5}, finish="length"),
    ],
    ids=str,
)
def test_bad_answers(client: Any, said: Any) -> None:
    """An answer that does not meet its schema is asked for twice more, with other seeds."""
    with Scripted(lambda r: said) as server:
        one = client(server)
        with pytest.raises(BadAnswer):
            one.ask(question())
        assert [request["seed"] for request in server.seen] == [0, 1, 2]
        server.answer = lambda r: {"n": 3}
        assert one.ask(question()).value == {"n": 3}  # nothing bad was kept


def test_bad_answers_are_not_free(client: Any) -> None:
    """An error tells what all tries cost; of two equal questions only the first one's does."""
    with Scripted(lambda r: reply("no idea", tokens=(100, 5)), seconds=0.1) as server:
        first, second = client(server).ask_all([question(), question()])
        assert isinstance(first, BadAnswer)
        assert isinstance(second, BadAnswer)
        assert (first.tokens_in, first.tokens_out) == (300, 15)
        assert (second.tokens_in, second.tokens_out) == (0, 0)
        assert len(server.seen) == 3


@pytest.mark.parametrize(
    "said",
    [
        {"choices": [{"message": {"content": None, "refusal": "I can't."}}]},
        reply("", finish="content_filter"),
        Fault(400, {"error": {"code": "content_filter", "message": "filtered"}}),
    ],
    ids=["refusal", "finish-reason", "filter"],
)
def test_refusals(client: Any, said: Any) -> None:
    """A refusal is told from a bad answer, and not argued with."""
    with Scripted(lambda r: said) as server:
        with pytest.raises(Refused):
            client(server).ask(question())
        assert len(server.seen) == 1


CONTEXT_ERRORS = {
    "openai": {"code": "context_length_exceeded", "message": "This model's maximum context length"},
    "llama.cpp": {"type": "exceed_context_size_error", "message": "exceeds the available context"},
    "vllm": {"message": "maximum context length is 4096 tokens. However, you requested 5000"},
}


@pytest.mark.parametrize("server_kind", CONTEXT_ERRORS)
def test_context_errors(client: Any, server_kind: str) -> None:
    """Each server's way of saying that a prompt is too long is understood."""
    fault = Fault(400, {"error": CONTEXT_ERRORS[server_kind]})
    with Scripted(lambda r: fault) as server, pytest.raises(ContextTooLong, match="llm_context"):
        client(server).ask(question())


def test_truncated_prompts(client: Any) -> None:
    """A server that silently cuts the prompt is found out by the tokens it read."""
    with (
        Scripted(lambda r: reply({"n": 3}, tokens=(512, 5))) as server,
        pytest.raises(ContextTooLong, match="cut it"),
    ):
        client(server).ask(question("word " * 1000))


def test_too_long_for_the_setting(client: Any) -> None:
    """A prompt that can't fit llm_context is not sent."""
    with Scripted() as server:
        with pytest.raises(ContextTooLong):
            client(server, llm_context=2000).ask(question("word " * 3000))
        assert not server.seen


PLACES = {
    "vllm": ("/v1/models", {"data": [{"id": "scripted", "max_model_len": 4096}]}),
    "llama.cpp": ("/v1/models", {"data": [{"id": "any", "meta": {"n_ctx": 4096}}]}),
    "ollama": ("/api/ps", {"models": [{"name": "scripted:latest", "context_length": 4096}]}),
    "lm-studio": ("/api/v0/models", {"data": [{"id": "scripted", "loaded_context_length": 4096}]}),
}


@pytest.mark.parametrize("kind", PLACES)
def test_small_window(client: Any, kind: str) -> None:
    """A server whose window is smaller than llm_context is refused at the first request."""
    path, said = PLACES[kind]
    with Scripted(lambda r: {"n": 3}) as server:
        server.pages[path] = said
        with pytest.raises(ModelUnavailable, match="4096"):
            client(server).ask(question())
        assert not server.seen
        assert client(server, llm_context=4096).ask(question()).value == {"n": 3}


def test_window_of_a_model_that_was_not_loaded(client: Any) -> None:
    """Where the window is known only after an answer, and too small, that answer is not kept."""

    def answer(request: dict[str, Any]) -> Any:
        loaded = [{"name": "scripted", "context_length": 4096}]
        server.pages["/api/ps"] = {"models": loaded}
        return {"n": 3}

    with Scripted() as server:
        server.answer = lambda r: {"n": 1}
        client(server).ask(question("another"))  # what the server can do is known from now on
        server.answer = answer
        with pytest.raises(ModelUnavailable, match="4096"):
            client(server).ask(question())
        assert llm.estimate([question()], client(server).settings).cached == 0


def test_large_replies(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply without an end is not read on."""
    monkeypatch.setattr("linkmask.llm.transport.LARGEST", 10_000)
    with Scripted(lambda r: {"n": 3, "pad": "x" * 20_000}) as server, pytest.raises(NoAnswer):
        client(server).ask(question())


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
