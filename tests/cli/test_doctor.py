"""`linkmask doctor`, `settings` and `completion`."""

import importlib.metadata
import json
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from linkmask import cli
from linkmask.commands import doctor

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli.main, list(arguments))
    return done.exit_code, done.output


def topics() -> dict[str, doctor.Diagnosis]:
    return {one.topic: one for one in doctor.diagnose()}


# ── doctor ──────────────────────────────────────────────────────────────────────────────────────


def test_doctor_finds_nothing_wrong_here_and_ends_with_status_0() -> None:
    status, said = run("doctor", "--json")
    found = {one["topic"]: one["state"] for one in json.loads(said)}
    assert status == 0
    assert {"linkmask", "python", "model", "settings", "cache", "cores"} <= found.keys()
    assert "wrong" not in found.values()


def test_a_model_that_is_damaged_is_wrong_and_ends_with_status_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor, "MODEL", tmp_path / "missing.npz")
    status, said = run("doctor")
    assert status == 1
    assert "wrong model" in said


def test_a_package_that_is_missing_or_too_old_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = ["click>=99", "nosuchpackage>=1", "numpy>=1; extra == 'more'"]
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: needed)
    found = topics()["packages"]
    assert found.state == "wrong"
    assert "click>=99, nosuchpackage>=1" in found.told


def test_an_extra_that_is_not_installed_is_told_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    needed = ["nosuchpackage>=1; extra == 'serve'"]
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: needed)
    found = topics()["extra serve"]
    assert found.state == "note"
    assert "pip install 'linkmask[serve]'" in found.told


def test_a_setting_of_the_environment_that_is_wrong_is_named_without_its_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINKMASK_STYLE", "Brandvold")
    monkeypatch.setenv("LINKMASK_KEY", "a secret key")
    status, said = run("doctor")
    assert status == 1
    assert "LINKMASK_STYLE" in said
    assert "Brandvold" not in said
    assert "secret key" not in said


def test_a_cache_folder_that_cannot_be_written_to_is_noted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert topics()["cache"].state == "note"


class Listed(importlib.metadata.PackagePath):
    """A file as an installed wheel lists it."""

    def __new__(cls, path: str, digest: str) -> "Listed":
        made = super().__new__(cls, path)
        made.hash = importlib.metadata.FileHash(f"sha256={digest}")
        return made

    def locate(self) -> Path:
        return ROOT / "src" / self


NOTHING = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"


@pytest.mark.parametrize(("digest", "state"), [(NOTHING, "ok"), ("AAAA", "wrong")])
def test_files_are_compared_with_the_digests_of_their_wheel(
    monkeypatch: pytest.MonkeyPatch, digest: str, state: str
) -> None:
    """py.typed is empty."""
    listed = [Listed("linkmask/py.typed", digest)]
    monkeypatch.setattr(importlib.metadata, "files", lambda name: listed)
    assert topics()["files"].state == state


# ── settings ────────────────────────────────────────────────────────────────────────────────────


def test_settings_check_refuses_what_load_refuses(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text("[plan]\ntheta_doc = 0.9\n")
    (tmp_path / "wrong.toml").write_text("[plan]\ntheta_dok = 0.9\n")
    assert run("settings", "check", str(tmp_path / "good.toml"))[0] == 0
    status, said = run("settings", "check", str(tmp_path / "wrong.toml"))
    assert status == 1
    assert "theta_doc" in said


def test_settings_schema_is_json_that_names_every_table() -> None:
    status, said = run("settings", "schema")
    schema: dict[str, Any] = json.loads(said)
    assert status == 0
    assert {"plan", "detect", "redact", "recognizer", "preset"} <= schema["properties"].keys()


# ── completion ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_valid_in_its_shell(shell: str, tmp_path: Path) -> None:
    status, said = run("completion", shell)
    assert status == 0
    assert "_LINKMASK_COMPLETE" in said
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: its script was not parsed")
    script = tmp_path / "script"
    script.write_text(said)
    assert subprocess.run([shell, "-n", script]).returncode == 0


def test_the_script_of_bash_completes_commands_and_options() -> None:
    """What the script asks the command line for."""
    asked = {"_LINKMASK_COMPLETE": "bash_complete", "COMP_WORDS": "linkmask mas", "COMP_CWORD": "1"}
    done = CliRunner().invoke(cli.main, [], prog_name="linkmask", env=asked)
    assert done.output.split() == ["plain,mask"]
    asked["COMP_WORDS"], asked["COMP_CWORD"] = "linkmask mask --theta-d", "2"
    done = CliRunner().invoke(cli.main, [], prog_name="linkmask", env=asked)
    assert done.output.split() == ["plain,--theta-doc"]


def test_the_installed_command_is_the_one_that_scripts_complete() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"linkmask": "linkmask.cli:main"}
