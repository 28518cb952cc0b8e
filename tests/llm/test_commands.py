"""The command line with a language model, against the scripted server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from linkmask import cli
from serving import Scripted

DOCUMENTS = Path(__file__).parents[2] / "examples" / "insurance" / "documents"
NUMBER = len(list(DOCUMENTS.iterdir()))
KEY = "sk-0123456789"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Scripted]:
    """A server that names one value for each document, and the environment that points to it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("SERVICE_KEY", KEY)
    found: dict[str, Any] = {"entities": [["patient", "patient", "DEMOGRAPHIC", 0.3]]}
    with Scripted(lambda request: found) as scripted:
        monkeypatch.setenv("LINKMASK_LLM_URL", scripted.url)
        monkeypatch.setenv("LINKMASK_LLM_MODEL", "scripted")
        monkeypatch.setenv("LINKMASK_LLM_KEY_ENV", "SERVICE_KEY")
        monkeypatch.setenv("LINKMASK_DETECTOR", "embedded+llm")
        monkeypatch.setenv("LINKMASK_WORKERS", "1")
        yield scripted


def linkmask(*words: object) -> Result:
    return CliRunner().invoke(cli.main, [str(word) for word in words])


def test_a_budget_stops_the_run_and_the_next_goes_on(server: Scripted, tmp_path: Path) -> None:
    """With a budget the same command comes to its end in steps, and asks nothing twice."""
    command = ("scan", DOCUMENTS, "-o", tmp_path / "run", "--llm-budget", NUMBER, "--quiet")
    first = linkmask(*command)
    assert first.exit_code == 3 and "run again to go on" in first.output
    assert len(server.seen) == NUMBER - 1  # one request found out what the server can do
    assert linkmask(*command).exit_code == 3
    assert linkmask(*command).exit_code == 0
    assert len(server.seen) == 2 * NUMBER


def test_a_dry_run_is_right(server: Scripted, tmp_path: Path) -> None:
    """It counts the requests that are then sent, not those answered before, and sends none."""
    command = ("scan", DOCUMENTS, "-o", tmp_path / "run")
    said = json.loads(linkmask(*command, "--dry-run", "--json").output)
    assert not server.seen
    assert linkmask(*command, "--quiet").exit_code == 0
    assert sum(stage["requests"] for stage in said.values()) == len(server.seen)
    again = json.loads(linkmask(*command, "--dry-run", "--json").output)
    assert again["stage1"]["cached"] == NUMBER
    assert again["stage1"]["tokens_in"] == 0


def test_the_key_is_written_nowhere(server: Scripted, tmp_path: Path) -> None:
    """The key goes to the server, and into no file of run, output or cache."""
    out = tmp_path / "out"
    assert linkmask("mask", DOCUMENTS, "-o", out, "--allow-unmet", "--quiet").exit_code in (0, 2)
    assert all(sent["authorization"] == f"Bearer {KEY}" for sent in server.headers)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > NUMBER
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
