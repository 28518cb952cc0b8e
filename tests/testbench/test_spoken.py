"""A language model as generator and as attacker, over real HTTP to a scripted server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.config import Settings
from linkmask.testbench.cells import read_grid
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.grid import bench
from linkmask.testbench.run_folder import load_cells
from model_dialogue import ONE, REFUSED, Said, asked_of, cells, figures, last
from serving import NOT_JSON, Fault, Scripted


def test_what_a_model_does_not_answer_is_unknown_and_not_zero(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    """Every third question gets an empty answer, every third a refusal, and both are counted."""
    order: dict[str, int] = {}

    def answer(request: Said) -> Any:
        if "grade an answer" in asked_of(request):
            return {"score": 0.5}
        turn = order.setdefault(last(request), len(order)) % 3
        return ("The policy was changed.", "", REFUSED)[turn]

    grid = read_grid(None, ONE | {"attacks": ("questions",)})
    with Scripted(answer) as server:
        bench(few, tmp_path / "run", grid, told(server.url, llm_connections=1))
    kept = cells(tmp_path / "run")["questions"]
    rows = kept["raw"]["questions"]
    assert kept["status"] == "done"
    assert kept["asked"]["asked"] == len(rows)
    failed = [row for row in rows if row["rouge1"] is None]
    refused = [row for row in rows if row["refused"]]
    assert kept["asked"]["failed"] == len(failed) == (len(rows) + 1) // 3
    assert kept["asked"]["refused"] == len(refused) == len(rows) // 3
    assert {row["judge"] for row in failed} == {None}
    assert {row["judge"] for row in refused} == {0.0}
    graded = [row["judge"] for row in rows if row not in failed and row not in refused]
    assert set(graded) == {0.5}
    assert kept["model"]["failures"] == len(failed) + len(refused)
    assert kept["models"] == {"answers": "scripted", "helps": "scripted"}


def test_answers_that_can_not_be_used_leave_values_without_a_score(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    broken: set[str] = set()

    def answer(request: Said) -> Any:
        value = last(request).rpartition("Question:")[2]
        if len(broken) < 4 or value in broken:
            broken.add(value)
            return Fault(200, NOT_JSON.body)
        return "No."

    grid = read_grid(None, ONE | {"attacks": ("membership",)})
    with Scripted(answer) as server:
        bench(few, tmp_path / "run", grid, told(server.url, llm_connections=1))
    kept = cells(tmp_path / "run")["membership"]
    first = kept["raw"]["persons"][0]
    assert first["members"][:2] == [None, None]
    assert first["members"][2:] == [0.0] * len(first["members"][2:])
    assert kept["asked"]["failed"] == 4
    found = figures(tmp_path / "run")
    assert found["membership", "fpr"] == 0
    assert found["membership", "leak_corrected"] == 0


def test_a_server_that_takes_too_long_fails_that_question_alone(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    grid = read_grid(None, ONE | {"attacks": ("untargeted",)})
    with Scripted(lambda request: "No.", faults=[Fault(seconds=0.6)]) as server:
        settings = told(server.url, llm_timeout=0.3, llm_connections=1)
        bench(few, tmp_path / "run", grid, settings)
    kept = cells(tmp_path / "run")["untargeted"]
    assert (kept["status"], kept["asked"]["failed"], kept["asked"]["asked"]) == ("done", 1, 4)


def test_a_server_that_is_gone_fails_its_cells_and_the_run_goes_on_later(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    asked = ONE | {"generators": ("parrot", "llm"), "attacks": ("untargeted", "audit")}
    with Scripted() as server:
        gone = server.url
    bench(few, tmp_path / "run", read_grid(None, asked), told(gone))
    statuses = {
        (c["cell"]["generator"], c["cell"]["attack"]): c for c in load_cells(tmp_path / "run")
    }
    assert statuses["parrot", "untargeted"]["status"] == "done"
    assert statuses["-", "audit"]["status"] == "done"
    assert statuses["llm", "untargeted"]["status"] == "failed"
    assert statuses["llm", "untargeted"]["reason"].startswith("ModelUnavailable: ")
    with Scripted(lambda request: "No.") as server:
        assert bench(few, tmp_path / "run", read_grid(None, asked), told(server.url)) == 1
    assert {c["status"] for c in load_cells(tmp_path / "run")} == {"done"}


def test_a_spent_budget_stops_the_model_and_a_new_one_goes_on_where_it_stopped(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    grid = read_grid(None, ONE | {"attacks": ("targeted",)})
    with Scripted(lambda request: "No.") as server:
        tight = told(server.url, llm_budget_requests=10, llm_connections=1)
        bench(few, tmp_path / "run", grid, tight)
        kept = cells(tmp_path / "run")["targeted"]
        assert kept["status"] == "failed"
        assert kept["reason"].startswith("BudgetSpent: the budget of 10 requests")
        first = len(server.seen)
        bench(few, tmp_path / "run", grid, told(server.url))
    kept = cells(tmp_path / "run")["targeted"]
    assert first <= 10
    assert kept["status"] == "done"
    assert kept["model"]["cached"] == first


def test_an_answer_that_declines_in_words_is_an_answer_and_is_counted(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    said = iter(["I can't help with that.", "Sorry, I am unable to.", "No.", "A sorry state."])
    grid = read_grid(None, ONE | {"attacks": ("untargeted",)})
    with Scripted(lambda request: next(said)) as server:
        bench(few, tmp_path / "run", grid, told(server.url, llm_connections=1))
    kept = cells(tmp_path / "run")["untargeted"]["asked"]
    assert (kept["asked"], kept["declined"], kept["refused"]) == (4, 2, 0)


def test_a_prompt_as_defence_is_told_to_the_model_and_to_nobody_else(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    asked = ONE | {"defences": ("prompt",), "generators": ("parrot", "llm")}
    grid = read_grid(None, asked | {"attacks": ("untargeted",)})
    with Scripted(lambda request: "No.") as server:
        bench(few, tmp_path / "run", grid, told(server.url))
    assert all("Never confirm or deny" in asked_of(request) for request in server.seen)
    status = {c["cell"]["generator"]: c["status"] for c in load_cells(tmp_path / "run")}
    assert status == {"parrot": "hole", "llm": "done"}


def test_the_command_line_names_models_budget_and_interpreter(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One model answers, another judges; a budget too small says so and what to do."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def answer(request: Said) -> Any:
        return {"score": 1.0} if "grade an answer" in asked_of(request) else "Yes."

    def ran(out: str, *options: str) -> Said:
        asked = ["--defence", "std", "--attack", "questions", "--retriever", "bm25"]
        named = ["--generator", "llm", "--llm-url", server.url, "--llm-model", "answers"]
        folder = str(tmp_path / out)
        done = CliRunner().invoke(main, ["bench", str(few), "-o", folder, *asked, *named, *options])
        assert done.exit_code == 0, done.output
        return cells(tmp_path / out)["questions"]

    with Scripted(answer) as server:
        small = ran("small", "--llm-budget", "3")
        whole = ran("whole", "--judge", "judges", "--presidio", "/nowhere/python")
    assert small["reason"].startswith("BudgetSpent: ")
    assert whole["models"] == {"answers": "answers", "helps": "judges"}
    roles = {(request["model"], "grade an answer" in asked_of(request)) for request in server.seen}
    assert roles == {("answers", False), ("judges", True)}


def test_an_agent_asks_on_from_what_a_model_imagines_around_what_it_heard(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    def answer(request: Said) -> Any:
        if "Imagine the whole" in asked_of(request):
            return {"before": ["It began with a letter."], "after": ["It ended well."]}
        return {"text": "insurance claims of farmers"}

    asked = ONE | {"generators": ("parrot",), "attacks": ("rag-thief",), "queries": 6}
    with Scripted(answer) as server:
        bench(few, tmp_path / "run", read_grid(None, asked), told(server.url))
    kept = cells(tmp_path / "run")["rag-thief"]
    assert kept["status"] == "done"
    assert kept["asked"]["asked"] == kept["raw"]["queries"] == 6
    assert kept["raw"]["pooled"]["coverage"] > 0
    assert kept["model"]["requests"] > 1


def test_an_agent_whose_model_fails_goes_by_the_rules(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    asked = ONE | {"generators": ("parrot",), "attacks": ("rag-thief",), "queries": 6}
    with Scripted(lambda request: REFUSED) as server:
        bench(few, tmp_path / "run", read_grid(None, asked), told(server.url))
    kept = cells(tmp_path / "run")["rag-thief"]
    assert kept["status"] == "done"
    assert kept["raw"]["pooled"]["coverage"] > 0


def test_mentions_by_a_model_are_masked_as_others_are(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    """Of everything the model says of the person, in each document where it stands."""
    people = read_corpus(few).persons

    def answer(request: Said) -> Any:
        found = {
            (value, kind)
            for person in people
            for value, kind in zip(person.values, person.types, strict=True)
            if value in last(request)
        }
        return {"entities": [[v, v.lower(), kind, 1.0] for v, kind in sorted(found)]}

    asked = {"defences": ("clam-llm",), "attacks": ("audit",)}
    with Scripted(answer) as server:
        settings = told(server.url, llm_doubted="release")
        bench(few, tmp_path / "run", read_grid(None, asked), settings)
    kept = cells(tmp_path / "run")["audit"]
    assert kept["status"] == "done"
    assert kept["cost"]["entities"] > 0
    assert kept["cost"]["model"]["requests"] > 0
    assert (figures(tmp_path / "run")["audit", "exposure"] or 1) < 0.9
