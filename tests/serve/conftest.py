"""Services that listen on 127.0.0.1, asked over real HTTP."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import linkmask
from linkmask import commands
from linkmask.serve.running import Listening, Options, serve
from linkmask.serve.service import RequestLimits

TOKEN = "0123456789abcdef-token"
PATIENCE = 300.0
"""Seconds after which the service gives up on a worker, in tests: the machine may be overloaded."""
DOCUMENTS: list[dict[str, Any]] = [
    {"id": "claim", "content": "Claim by Ottoline Brandvold, born 30 June 1977."},
    {"id": "memo", "content": "Ms. Brandvold called from 906-555-0143 about a claim."},
]


@contextmanager
def serving(**options: Any) -> Iterator[httpx.Client]:
    """Give a client of a service that works in a thread of this process."""
    if "settings" not in options:
        chosen = {"style": "pseudonym"}
        options["settings"] = linkmask.load(overrides=chosen, environment={})
    limits = RequestLimits(seconds=PATIENCE)
    given = Options(**{"port": 0, "processes": 0, "limits": limits, **options})
    told: queue.Queue[Listening | BaseException] = queue.Queue()

    def run() -> None:
        try:
            serve(given, told.put)
        except BaseException as error:
            told.put(error)

    thread = threading.Thread(target=run)
    thread.start()
    service = told.get(timeout=PATIENCE)
    if isinstance(service, BaseException):
        raise service
    try:
        with httpx.Client(base_url=service.address, trust_env=False, timeout=PATIENCE) as client:
            yield client
    finally:
        service.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the service did not stop"


@pytest.fixture(scope="session")
def detector() -> Iterator[httpx.Client]:
    """A service without a run."""
    with serving() as client:
        yield client


CHOSEN = {"style": "pseudonym", "linkable": True, "workers": 1}


@pytest.fixture(scope="session")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The OUT of a small corpus, masked with pseudonyms; its run lies beside it."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "in.jsonl").write_text("".join(json.dumps(d) + "\n" for d in DOCUMENTS))
    settings = linkmask.load(overrides=CHOSEN, environment={})
    commands.mask_files(folder / "in.jsonl", folder / "out", settings)
    return folder / "out"


@pytest.fixture(scope="session")
def masker(masked: Path) -> Iterator[httpx.Client]:
    """A service over a run, which gives originals back to those with the token."""
    with serving(run=masked, tokens=(TOKEN,), originals=True) as client:
        client.headers["x-api-key"] = TOKEN
        yield client
