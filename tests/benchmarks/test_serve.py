"""benchmarks/serve.py measures what it says: every text is asked for, each answer must be good."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from serving import Scripted

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    import importlib.util

    monkeypatch.syspath_prepend(str(BENCHMARKS))
    spec = importlib.util.spec_from_file_location("bench_serve", BENCHMARKS / "serve.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "bench_serve", module)
    spec.loader.exec_module(module)
    yield module


def prompt(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def test_each_text_is_asked_for_twice_and_once_before(bench: ModuleType) -> None:
    with Scripted(lambda request: "ok") as server:
        made = bench.measure(server.url, "/v1/chat/completions", prompt, ["a", "b", "c"], 2)
        asked = sorted(one["messages"][0]["content"] for one in server.seen)
    assert asked == ["a", "a", "a", "b", "b", "c", "c"]
    assert made.rate > 0 and 0 < made.p50 <= made.p99


def test_an_answer_that_is_an_error_ends_the_measurement(bench: ModuleType) -> None:
    with Scripted() as server, pytest.raises(httpx.HTTPStatusError):
        bench.measure(server.url, "/nowhere", prompt, ["a", "b"], 1)


def test_the_texts_are_paragraphs_of_the_example_corpus(bench: ModuleType) -> None:
    texts = bench.paragraphs()
    assert len(texts) > 20 and all(150 < len(text) <= 2_000 for text in texts)
