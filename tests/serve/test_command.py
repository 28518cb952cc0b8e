"""The command `linkmask serve` as a user starts and stops it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
from click.testing import CliRunner

from linkmask.cli import main
from serve.conftest import PATIENCE


def started(*arguments: str) -> tuple[subprocess.Popen[str], str]:
    """Start the command; return it and its address."""
    line = [sys.executable, "-m", "linkmask", "serve", "--port", "0", "--workers", "1", *arguments]
    line += ["--seconds", str(PATIENCE)]
    process = subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stderr is not None
    said = []
    for text in process.stderr:
        said.append(text)
        if found := re.search(r"http://\S+?(?=;)", text):
            return process, found[0]
    raise AssertionError("".join(said))


def test_it_serves_from_processes_and_stops_when_told(masked: Path) -> None:
    """SIGTERM ends it with status 0 and no traceback; its processes are gone, too."""
    process, address = started("--run", str(masked))
    with process, httpx.Client(base_url=address, trust_env=False, timeout=PATIENCE) as client:
        body = {"texts": ["Is Ms. Brandvold covered?", "Ask 😀 Jane Okonkwo-Reyes."]}
        answers = [client.post("/v1/mask", json=body) for _ in range(3)]
        assert [one.status_code for one in answers] == [200] * 3
        assert "Brandvold" not in answers[0].text and "Okonkwo" not in answers[0].text
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        began = children.read_text().split() if children.exists() else []
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert "Traceback" not in said and "Brandvold" not in said
    assert "POST /v1/mask 200" in said
    until = monotonic() + PATIENCE
    while monotonic() < until and any(Path(f"/proc/{one}").exists() for one in began):
        sleep(0.05)
    assert not any(Path(f"/proc/{one}").exists() for one in began)


def test_its_processes_end_with_it_when_it_is_killed() -> None:
    process, address = started("--quiet")
    with process, httpx.Client(base_url=address, trust_env=False, timeout=PATIENCE) as client:
        assert client.post("/v1/mask", json={"texts": ["a"]}).status_code == 200
        holder = threading.Thread(target=process.communicate)
        holder.start()
        process.kill()
        holder.join(30)  # the workers hold the pipes, too: they are closed when all are gone
        assert not holder.is_alive()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--host", "0.0.0.0"], "token"),
        (["--run", "nowhere.run"], "nowhere.run"),
        (["--token-file", "nowhere"], "nowhere"),
        (["--run", "{run}", "--preset", "strict"], "the settings of the run count"),
        (["--run", "{run}", "--style", "value"], "the settings of the run count"),
        (["--run", "{run}", "--key-file", "{tokens}"], "key"),
        (["--host", "192.0.2.1", "--token-file", "{tokens}"], "can't listen"),
    ],
)
def test_what_can_not_be_served_is_told_in_a_line(
    arguments: list[str], told: str, tmp_path: Path, masked: Path
) -> None:
    (tmp_path / "tokens").write_text("0123456789abcdef0123456789abcdef")
    given = [one.format(tokens=tmp_path / "tokens", run=masked) for one in arguments]
    done = CliRunner().invoke(main, ["serve", "--quiet", *given])
    assert done.exit_code == 1
    assert told in done.output and "Traceback" not in done.output


def test_without_its_extra_the_command_names_the_install_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "linkmask.serve.running", raising=False)
    done = CliRunner().invoke(main, ["serve", "--quiet"])
    assert done.exit_code == 1 and "pip install 'linkmask[serve]'" in done.output
