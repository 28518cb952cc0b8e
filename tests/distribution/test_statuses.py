"""Exit statuses as schedulers see them, and the example DAG that acts on them.

The statuses of signals are tested in tests/cli.
"""

import ast
import importlib.util
import os
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from commandline import process
from linkmask import cli
from serving import Scripted

ROOT = Path(__file__).parents[2]
DAG = ROOT / "examples" / "airflow_dag.py"


def test_status_0_says_that_the_work_is_done_and_limits_are_met(
    within: Path, tmp_path: Path
) -> None:
    assert process("mask", within, "-o", tmp_path / "out").returncode == 0


def test_status_1_says_that_command_or_input_is_wrong(within: Path, tmp_path: Path) -> None:
    assert process("mask", tmp_path / "missing", "-o", tmp_path / "out").returncode == 1
    assert process("mask", within, "-o", tmp_path / "out", "--nope").returncode == 1
    assert process("mask", within, "-o", tmp_path / "out", "--theta-doc", 2).returncode == 1


def test_status_2_says_that_a_document_was_set_aside(within: Path, tmp_path: Path) -> None:
    (within / "broken.json").write_text("{")
    done = process("mask", within, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert (tmp_path / "out" / "documents" / "minutes.txt").exists()


def test_status_3_says_that_the_budget_of_a_model_is_spent(within: Path, tmp_path: Path) -> None:
    """The model is a scripted server, which answers that it found nothing."""
    (within / "more.txt").write_text("The next meeting starts at noon.")
    with Scripted(lambda request: {"entities": []}) as server:
        model = "--detector", "llm", "--llm-url", server.url, "--llm-model", "scripted"
        budget = "--llm-budget", 1, "--set", f"llm_cache={tmp_path / 'cache'}", "--workers", 1
        done = process("mask", within, "-o", tmp_path / "out", *model, *budget)
    assert done.returncode == 3, done.stderr
    assert not (tmp_path / "out" / "documents").exists()


# ── the DAG ─────────────────────────────────────────────────────────────────────────────────────


class Failed(Exception):  # noqa: N818 - stands for Airflow's
    """Stands for AirflowException: the task is tried again."""


class FailedAtOnce(Failed):
    """Stands for AirflowFailException: it is not."""


def decorator(*given: Any, **options: Any) -> Any:
    """Stands for `dag` and `task`: leaves a function out, so that nothing is scheduled."""
    return (lambda *tasks: None) if given else (lambda function: lambda: None)


@pytest.fixture
def dag(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The example, with small stand-ins for the three names that it takes from Airflow."""
    for name, held in {
        "airflow": {},
        "airflow.sdk.exceptions": {
            "AirflowException": Failed,
            "AirflowFailException": FailedAtOnce,
        },
        "airflow.sdk": {"dag": decorator, "task": decorator},
    }.items():
        module = types.ModuleType(name)
        vars(module).update(held)
        monkeypatch.setitem(sys.modules, name, module)
    return load()


def load() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("airflow_dag", DAG)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("status", "raised"),
    [(0, None), (1, FailedAtOnce), (2, FailedAtOnce), (3, Failed), (130, Failed), (143, Failed)],
)
def test_the_dag_tries_again_only_what_another_try_can_mend(
    dag: types.ModuleType,
    status: int,
    raised: type[Exception] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = tmp_path / "linkmask"
    command.write_text(f"#!/bin/sh\nexit {status}\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    if raised is None:
        dag.linkmask("update")
    else:
        with pytest.raises(Failed) as caught:
            dag.linkmask("update")
        assert type(caught.value) is raised


def test_the_commands_of_the_dag_exist() -> None:
    """Each takes the arguments that the DAG gives it."""
    seen = set()
    for node in ast.walk(ast.parse(DAG.read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "linkmask":
            words = [getattr(one, "value", "x") for one in node.args]
            cli.main.commands[words[0]].make_context(words[0], [str(word) for word in words[1:]])
            seen.add(words[0])
    assert seen >= {"update", "verify"}


def test_airflow_loads_the_dag() -> None:
    """The real package, where it is installed: three tasks, one after the other."""
    pytest.importorskip("airflow.sdk")
    made = load().masked_corpus()
    following = {one.task_id: sorted(one.downstream_task_ids) for one in made.tasks}
    assert following == {"update": ["verify"], "verify": ["index"], "index": []}
    assert made.max_active_runs == 1
