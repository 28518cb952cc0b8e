"""The curl lines of docs/serve.md do what the page says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest

from serve.conftest import PATIENCE, serving

PAGE = Path(__file__).parents[2] / "docs" / "serve.md"
SHOWN = re.compile(
    r"^```sh\n(curl .*?)\n```\n(?:\n```(?:json|text)\n(.*?)\n```)?", re.MULTILINE | re.DOTALL
)
SECRET = re.compile(r"(?<![0-9a-f])[0-9a-f]{12}(?![0-9a-f])|(?<=_)[0-9a-f]{8}(?=\])")
"""Labels and pseudonyms: every run has its own."""


@pytest.fixture(scope="module")
def address(masked: Path) -> Iterator[str]:
    with serving(run=masked, originals=True) as client:
        yield str(client.base_url).rstrip("/")


def examples() -> list[tuple[str, str]]:
    return SHOWN.findall(PAGE.read_text("utf-8"))


@pytest.mark.skipif(which("curl") is None, reason="curl is not installed")
def test_curl_gets_what_the_page_shows(address: str) -> None:
    """In the page's order; a mask that one answer shows is the run's own in the next request."""
    own: dict[str, str] = {}
    for command, shown in examples():
        asked = SECRET.sub(lambda secret: own.get(secret[0], secret[0]), command)
        words = shlex.split(asked.replace("http://127.0.0.1:5002", address))
        said = subprocess.run([*words, "-f"], capture_output=True, text=True, timeout=PATIENCE)
        assert said.returncode == 0, (command, said.stderr)
        if shown:
            assert _json(SECRET.sub("…", said.stdout)) == _json(SECRET.sub("…", shown)), command
            own.update(zip(SECRET.findall(shown), SECRET.findall(said.stdout), strict=True))


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def test_the_page_shows_examples() -> None:
    assert len(examples()) >= 4
