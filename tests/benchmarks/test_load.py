"""benchmarks/load.py offers what it says, and counts waiting."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from serving import Scripted

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.delitem(sys.modules, "load", raising=False)
    import load

    yield load
    sys.modules.pop("load", None)


def prompt(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def target(load: ModuleType, server: Scripted, path: str = "/v1/chat/completions") -> Any:
    return load.Target(server.url, path, load.bodies(["a", "b"], prompt))


def test_requests_come_at_random_moments_at_the_rate_and_in_the_time(load: ModuleType) -> None:
    moments = list(load.arrivals(50, 100, seed=1))
    assert moments == sorted(moments) == list(load.arrivals(50, 100, seed=1))
    assert moments != list(load.arrivals(50, 100, seed=2))
    assert moments[0] > 0 and moments[-1] < 100
    assert 4_500 < len(moments) < 5_500


def test_a_request_that_waits_behind_others_is_timed_from_when_it_was_due(load: ModuleType) -> None:
    """One client, and a server that takes 50 ms: the last of the requests has waited for all."""
    with Scripted(lambda request: time.sleep(0.05) or "ok") as server:
        done = load.offer(target(load, server), rate=2_000, seconds=0.01, clients=1)
    assert done.statuses[200] == len(done.times) > 5
    assert max(done.times) > 50 * (len(done.times) - 1)


def test_what_is_refused_is_counted_and_not_timed(load: ModuleType) -> None:
    with Scripted() as server:
        done = load.offer(target(load, server, "/nowhere"), rate=500, seconds=0.1, clients=2)
    assert done.refused == done.statuses.total() > 0 and done.times == []


def test_loads_are_added(load: ModuleType) -> None:
    one = load.Load(Counter({200: 2, 503: 1}), [1.0, 3.0])
    one.add(load.Load(Counter({200: 1}), [2.0]))
    assert one.statuses == {200: 3, 503: 1}
    assert one.percentile(50) == 2.0 and one.refused == 1
