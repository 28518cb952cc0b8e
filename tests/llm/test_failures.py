"""What the client does when the server fails, refuses, or answers nonsense."""

from __future__ import annotations

import time
from typing import Any

import pytest

from linkmask import llm
from linkmask.errors import (
    BadAnswer,
    ContextTooLong,
    ModelUnavailable,
    NoAnswer,
    Refused,
)
from model_questions import SECRET, Clock, question
from serving import BROKEN, BUSY, CLOSED, CUT, NOT_JSON, Fault, Scripted, reply


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
    with Scripted(lambda r: hour) as server:
        outcomes = list(client(server, llm_connections=3).ask_all(map(question, "abcdefghij")))
        assert {type(outcome) for outcome in outcomes} == {ModelUnavailable}
        assert 1 <= len(server.seen) <= 3


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
