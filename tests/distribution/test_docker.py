"""The Dockerfile and the compose file, as far as they can be checked without Docker."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from linkmask import cli
from serve.conftest import serving

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "docker.md").read_text("utf-8")


def instructions() -> list[tuple[str, str]]:
    """Each instruction of the Dockerfile with what follows it, lines joined."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines]


def of(name: str) -> list[str]:
    return [rest for word, rest in instructions() if word == name]


def test_the_dockerfile_holds_known_instructions_only() -> None:
    known = set("FROM WORKDIR RUN COPY ENV USER EXPOSE HEALTHCHECK ENTRYPOINT CMD".split())
    assert {word for word, _ in instructions()} <= known
    assert all(isinstance(json.loads(text), list) for text in (*of("ENTRYPOINT"), *of("CMD")))


def copied() -> Iterator[str]:
    for line in of("COPY"):
        if not line.startswith("--from"):
            yield from line.split()[:-1]


def test_what_is_copied_exists_and_is_let_in() -> None:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    allowed = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert set(copied()) == allowed
    assert all((ROOT / name).exists() for name in copied())


def test_the_build_gets_all_that_the_project_file_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {project["readme"], *project["license-files"], "pyproject.toml"} <= set(copied())


def test_the_image_has_a_python_that_the_project_takes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    least = tuple(map(int, project["requires-python"].removeprefix(">=").split(".")))
    for line in of("FROM"):
        version = re.match(r"python:(\d+)\.(\d+)-slim", line)
        assert version is not None
        assert tuple(map(int, version.groups())) >= least


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / name).read_text("utf-8")
    return dict(re.findall(r"^([\w.-]+)==([^\s;\\]+)", text, re.MULTILINE))


def test_the_image_has_the_versions_that_tests_run_with_each_by_its_hash() -> None:
    image, tested = pins("image.txt"), pins("dev.txt")
    assert {name: tested.get(name) for name in image} == image
    assert {"starlette", "uvicorn", "pypdf", "pyyaml", "hatchling"} <= image.keys()
    text = (ROOT / "requirements" / "image.txt").read_text("utf-8")
    assert all("--hash=sha256:" in part for part in re.split(r"\n(?=\w)", text.strip()))
    assert "://" not in text


def test_the_image_runs_as_a_user_without_rights() -> None:
    (user,) = of("USER")
    assert user == "10001"
    last = max(n for n, (word, _) in enumerate(instructions()) if word in ("RUN", "COPY"))
    assert [word for word, _ in instructions()].index("USER") > last


def test_the_health_check_passes_where_the_service_answers_and_fails_where_not() -> None:
    (line,) = of("HEALTHCHECK")
    words = json.loads(line.partition("CMD ")[2])
    assert words[0] == "python"
    with serving() as client:
        port = str(client.base_url.port)
        code = words[2].replace("5002", port)
        assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
    done = subprocess.run([sys.executable, "-c", code], timeout=60, capture_output=True)
    assert done.returncode != 0


def test_masking_writes_nothing_outside_of_its_output_and_the_temporary_folder(
    within: Path, tmp_path: Path
) -> None:
    """As on a read-only root: home and cache can't be written to."""
    nowhere = tmp_path / "file"
    nowhere.write_text("")
    given = {"HOME": str(nowhere), "XDG_CACHE_HOME": str(nowhere / "cache")}
    words = [sys.executable, "-m", "linkmask", "mask", str(within), "-o", str(tmp_path / "out")]
    done = subprocess.run([*words, "--quiet"], env=os.environ | given, capture_output=True)
    assert done.returncode == 0, done.stderr


def compose() -> Any:
    yaml = pytest.importorskip("yaml")
    shown = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return [yaml.safe_load(text) for text in shown]


def test_the_service_of_the_compose_file_is_asked_for_as_the_command_line_takes_it() -> None:
    services = compose()[0]["services"]
    words = shlex.split(services["linkmask"]["command"])
    cli.main.commands[words[0]].make_context(words[0], words[1:])
    assert "--token-file" in words


def test_only_the_gateway_can_be_reached_from_outside() -> None:
    whole = compose()[0]
    service, gateway = whole["services"]["linkmask"], whole["services"]["litellm"]
    assert "ports" not in service
    assert service["networks"] == ["inside"] and whole["networks"]["inside"]["internal"]
    assert all(port.startswith("127.0.0.1:") for port in gateway["ports"])
    assert service["read_only"] and service["cap_drop"] == ["ALL"]


def test_the_gateway_asks_the_service_and_fails_closed() -> None:
    (guardrail,) = compose()[1]["guardrails"]
    given = guardrail["litellm_params"]
    assert given["api_base"] == f"http://linkmask:{of('EXPOSE')[0]}"
    assert given["unreachable_fallback"] == "fail_closed"
    assert given["mode"] == ["pre_call", "post_call"]
