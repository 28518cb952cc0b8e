"""The command serves the page, says where, ends with Ctrl-C, and checks the log."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from linkmask import cli
from linkmask.errors import MissingExtra
from linkmask.review import serving
from linkmask.runs.decision_log import NAME, DecisionLog


def test_the_command_serves_the_page_on_loopback_and_ends_with_ctrl_c(run: Path):
    """Its output holds the address alone: no request is written down, and no value."""
    process = subprocess.Popen(
        [sys.executable, "-m", "linkmask", "review", str(run), "--no-browser", "--reviewer", "R."],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ,
    )  # fmt: skip
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with httpx.Client(trust_env=False, timeout=300) as client:
            assert client.get(address).status_code == 200
            base = address.partition("/enter")[0]
            assert "Brandvold" in client.get(f"{base}/").text
            assert client.get(f"{base}/no/such/page").status_code == 404
    finally:
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=20)
    assert (process.returncode, out) == (0, "")  # Ctrl-C is how a review ends
    assert "run the same command" not in said
    assert "Brandvold" not in said and "token" not in said and "Traceback" not in said


def test_verify_log_prints_the_last_hash_and_fails_for_a_broken_log(run: Path):
    log = DecisionLog(run)
    for _ in range(3):
        log.append("mask", "R. Viewer")
    done = CliRunner().invoke(cli.main, ["review", str(run), "--verify-log"])
    assert (done.exit_code, log.head.hash in done.output) == (0, True)
    lines = (run / NAME).read_bytes().splitlines(keepends=True)
    (run / NAME).write_bytes(b"".join(lines[:-1]))
    done = CliRunner().invoke(cli.main, ["review", str(run), "--verify-log"])
    assert done.exit_code == 1 and "not whole" in done.output


def test_a_run_without_a_plan_is_refused_with_what_to_do(run: Path):
    (run / "plan.json").unlink()
    done = CliRunner().invoke(cli.main, ["review", str(run), "--no-browser"])
    assert done.exit_code == 1 and "linkmask plan" in done.output


def test_without_the_extra_the_install_line_is_said(run: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(MissingExtra, match=r"pip install 'linkmask\[serve\]'"):
        serving.serve(run, browser=False)
