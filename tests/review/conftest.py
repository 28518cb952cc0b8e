"""A run whose values are given, and its review served as the command serves it."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn

from linkmask import commands
from linkmask.config import Settings, load
from linkmask.review.app import make_app
from linkmask.review.browser_gate import LOOPBACK, BrowserGate
from linkmask.review.session import ReviewSession

HOSTILE = "<script>document.title='owned'</script>"
DOCUMENTS = {
    "claim": f"Ottoline Brandvold, engraver, of Hancock was operated on 12 March 2024. {HOSTILE}",
    "memo": "The engraver from Hancock had her operation on 12 March 2024; call Ingrid Aas.",
    "visit": "A monument restorer from Calumet came on 3 April 2024 with pulmonary proteinosis.",
    "note": "The monument restorer has pulmonary proteinosis, seen in Calumet. Zofia Wren called.",
    "rules": "A policy pays after thirty days. Zofia Wren signs for it in Hancock.",
}
VALUES = {
    "NAME": [("Ottoline Brandvold", 1.0), ("Ingrid Aas", 0.9)],
    "OCCUPATION": [],
    "INDIRECT_IDENTIFIER": [("engraver", 0.9), ("monument restorer", 0.9), (HOSTILE, 0.5)],
    "LOCATION": [("Hancock", 0.9), ("Calumet", 0.9)],
    "EVENT_DATE": [("12 March 2024", 0.95), ("3 April 2024", 0.8)],
    "MEDICAL_CONDITION": [("pulmonary proteinosis", 0.95)],
}
"""Type → values and their relevance. Zofia Wren is missed."""


def make_run(folder: Path, **overrides: object) -> Path:
    """Scan and plan the corpus with the values given, and return the run."""
    source = folder / "in.jsonl"
    rows = [{"id": name, "content": text} for name, text in DOCUMENTS.items()]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = folder / "mentions.jsonl"
    found = [
        {"document": name, "original_value": value, "entity_type": kind, "relevance": relevance}
        for name, text in DOCUMENTS.items()
        for kind, values in VALUES.items()
        for value, relevance in values
        if value in text
    ]
    given.write_text("".join(json.dumps(row) + "\n" for row in found))
    run = folder / "run"
    settings = load(
        overrides={"workers": 1, "detector": "patterns", "generalize": {}} | overrides,
        environment={},
    )
    commands.scan_files(source, run, settings, mentions=given)
    commands.plan_run(run, {})
    return run


@pytest.fixture(scope="session")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run, not to be changed."""
    return make_run(tmp_path_factory.mktemp("review"))


@pytest.fixture(scope="session")
def planned_coarser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run as settings have it by default: exact dates and places are coarser by rule."""
    return make_run(tmp_path_factory.mktemp("coarser"), generalize=Settings().generalize)


@pytest.fixture(params=["planned", "planned_coarser"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the run without generalization by rule, and of the one with it."""
    return Path(shutil.copytree(request.getfixturevalue(request.param), tmp_path / "run"))


@pytest.fixture
def run(planned: Path, tmp_path: Path) -> Path:
    """A copy of the run that a test may change."""
    return Path(shutil.copytree(planned, tmp_path / "run"))


@pytest.fixture
def another(tmp_path: Path) -> Path:
    """A run of the same corpus that was made by itself."""
    (tmp_path / "another").mkdir()
    return make_run(tmp_path / "another")


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    """A run whose plan two reviewers must approve."""
    (tmp_path / "signed").mkdir()
    return make_run(tmp_path / "signed", approvals=2)


PATIENCE = 300.0
"""Seconds that an answer may take on a machine that does much else."""


@dataclass
class Served:
    """A review that answers on this machine."""

    review: ReviewSession
    gate: BrowserGate
    base: str

    @contextmanager
    def client(self) -> Iterator[httpx.Client]:
        """A browser that was let in by the printed address."""
        known = {"base_url": self.base, "headers": {"origin": self.base}}
        with httpx.Client(**known, trust_env=False, timeout=PATIENCE) as client:
            assert client.get(self.gate.address).status_code == 200
            yield client


Serve = Callable[[Path], Served]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve the review of a run, as many as are asked for, until the test ends."""
    running: list[tuple[uvicorn.Server, threading.Thread, ReviewSession, socket.socket]] = []

    def start(run: Path, reviewer: str = "R. Viewer") -> Served:
        review = ReviewSession(run, reviewer)
        listening = socket.create_server((LOOPBACK, 0))
        port = listening.getsockname()[1]
        gate = BrowserGate(make_app(review), port)
        server = uvicorn.Server(uvicorn.Config(gate, log_level="critical", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        running.append((server, thread, review, listening))
        return Served(review, gate, f"http://{LOOPBACK}:{port}")

    yield start
    for server, thread, review, listening in running:
        server.should_exit = True
        thread.join(10)
        review.close()
        listening.close()


@pytest.fixture
def served(run: Path, serve: Serve) -> Served:
    """The review of a run that the test may change."""
    return serve(run)
