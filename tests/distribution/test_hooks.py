"""The CI action and the pre-commit hook fail while a document of a folder is over its limits."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
yaml = pytest.importorskip("yaml")


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


# ── the action ──────────────────────────────────────────────────────────────────────────────────


def step(name: str) -> dict[str, Any]:
    return next(one for one in read("action.yml")["runs"]["steps"] if one["name"] == name)


def act(documents: Path, installed: Path, arguments: str = "") -> tuple[int, str, str]:
    """Run the check's own lines in bash, as a runner does; return status, output, outputs."""
    outputs = documents.parent / "outputs"
    given = {
        "RUNNER_TEMP": str(installed.parents[1]),
        "GITHUB_OUTPUT": str(outputs),
        "DOCUMENTS": str(documents),
        "ARGUMENTS": arguments,
    }
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step("Check")["run"]]
    done = subprocess.run(shell, env=os.environ | given, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr, outputs.read_text()


def test_the_action_passes_within_the_limits(within: Path, installed: Path) -> None:
    assert act(within, installed)[::2] == (0, "status=0\n")


def test_the_action_fails_over_a_limit_and_names_the_document(over: Path, installed: Path) -> None:
    status, said, outputs = act(over, installed)
    assert (status, outputs) == (2, "status=2\n")
    assert "claim.txt" in said
    assert "Brandvold" not in said


def test_arguments_of_the_action_reach_the_command(over: Path, installed: Path) -> None:
    assert act(over, installed, "--set floor= --theta-doc 1")[0] == 0


def test_a_path_of_the_action_is_never_read_as_an_option_or_run(
    over: Path, installed: Path
) -> None:
    odd = over.with_name("--help $(touch here)")
    over.rename(odd)
    assert act(odd, installed)[0] == 2
    assert not (odd.parent / "here").exists()


def test_what_the_action_takes_is_what_its_steps_use() -> None:
    action = read("action.yml")
    used = " ".join(step("Check")["env"].values())
    assert set(action["inputs"]) == {"path", "arguments"}
    assert all(f"inputs.{name} " in used for name in action["inputs"])
    assert all("${{" not in one["run"] for one in action["runs"]["steps"])


# ── the hook ────────────────────────────────────────────────────────────────────────────────────


def hook() -> dict[str, Any]:
    (one,) = read(".pre-commit-hooks.yaml")
    return dict(one)


@pytest.mark.parametrize(("folder", "status"), [("within", 0), ("over", 2)])
def test_the_line_of_the_hook_tells_folders_apart(
    folder: str, status: int, installed: Path, request: pytest.FixtureRequest
) -> None:
    documents = request.getfixturevalue(folder)
    words = [*shlex.split(hook()["entry"]), str(documents)]
    search = f"{installed}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(words, env=os.environ | {"PATH": search}, capture_output=True)
    assert done.returncode == status


def test_the_hook_reads_the_folder_whole_and_not_file_by_file() -> None:
    assert hook()["pass_filenames"] is False


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_commit_is_refused_until_the_document_is_within_its_limits(
    over: Path, installed: Path, tmp_path: Path
) -> None:
    """The real pre-commit, where it is installed; the hook's environment is this checkout's."""
    pytest.importorskip("pre_commit")
    local = hook() | {"language": "system", "args": [over.name]}
    kept = {"repos": [{"repo": "local", "hooks": [local]}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(kept))
    given = os.environ | {
        "PATH": f"{installed}{os.pathsep}{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(tmp_path / "cache"),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }

    def run(*words: str) -> int:
        return subprocess.run(words, cwd=tmp_path, env=given, capture_output=True).returncode

    assert run("git", "init", "-q") == 0
    assert run(sys.executable, "-m", "pre_commit", "install") == 0
    (tmp_path / ".gitignore").write_text("linkmask/\ncache/\n")
    commit = ("git", "-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "documents")
    assert run("git", "add", ".") == 0
    assert run(*commit) != 0
    (over / "claim.txt").write_text("The form is on the second floor.")
    assert run("git", "add", ".") == 0
    assert run(*commit) == 0
