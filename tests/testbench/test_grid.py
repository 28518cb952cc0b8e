"""A run of the testbench: what its cells hold, how it goes on, what is made of it."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from linkmask import config
from linkmask.cli import main
from linkmask.errors import OutputError, SettingsError
from linkmask.testbench import grid
from linkmask.testbench.attacks import ATTACKS
from linkmask.testbench.cells import Cell, read_grid
from linkmask.testbench.commands import compare, report
from linkmask.testbench.figures import HEADLINE, compared_with
from linkmask.testbench.generate import WritingPlan, write
from linkmask.testbench.grid import bench
from linkmask.testbench.result_tables import Results
from linkmask.testbench.run_folder import load_cells
from serving import Fault, Scripted

DEFENCES = ("std", "clam", "type@clam", "mask-all-golden", "prompt", "output-filter")
IN_ROUNDS = ("oracle-few", "oracle-person")
"""They mask a corpus twelve times each; what they write has the form of what `oracle` writes."""
QUICK = tuple(name for name in ATTACKS if name not in IN_ROUNDS)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "made"
    write(folder, WritingPlan(documents=20, seed=5))
    return folder


@pytest.fixture(scope="module")
def run(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "run"
    asked = {"defences": DEFENCES, "attacks": QUICK, "queries": 20}
    bench(corpus, folder, read_grid(None, asked))
    return folder


def figures(run: Path) -> dict[tuple[str, ...], float | None]:
    return {row.key: row.value for row in Results(run).rows}


def raw(run: Path) -> list[dict[str, Any]]:
    timed = ("seconds", "cost", "versions")
    return [{k: v for k, v in kept.items() if k not in timed} for kept in load_cells(run)]


def test_parrot_leaks_no_less_than_any_other_generator(run: Path) -> None:
    """For attacks that ask the same whatever is answered; `benign` goes by what it heard."""
    found = figures(run)
    compared = 0
    for (defence, retriever, generator, attack, measure), value in found.items():
        if generator == "extractive" and measure == "leak" and attack != "benign":
            if defence == "output-filter":  # it holds parrot's answers back
                continue
            parrot = found[defence, retriever, "parrot", attack, measure]
            assert parrot is not None
            assert value is not None
            assert parrot >= value
            compared += 1
    assert compared > 20


def test_masking_all_golden_values_leaves_nothing_to_read(run: Path) -> None:
    found = figures(run)
    assert found["mask-all-golden", "-", "-", "audit", "exposure"] == 0
    assert found["mask-all-golden", "lsa", "parrot", HEADLINE, "leak"] == 0
    assert (found["std", "-", "-", "audit", "exposure"] or 0) > 0.9


def test_no_attack_reads_more_than_the_audit(run: Path) -> None:
    """Bound B2, person by person."""
    results = Results(run)
    for cell, kept in results.cells.items():
        if kept["status"] != "done" or "leaked" not in kept["raw"]["persons"][0]:
            continue
        audit = results.cells[Cell(cell.defence, "-", "-", "audit")]["raw"]["persons"]
        for mine, bound in zip(kept["raw"]["persons"], audit, strict=True):
            assert set(mine["leaked"]) <= set(bound["leaked"]), cell
            assert set(mine["attributed"]) <= set(mine["leaked"])


def test_a_control_masks_as_many_entities_as_what_it_is_compared_with(run: Path) -> None:
    costs = Results(run).costs()
    assert costs["type@clam"]["entities"] == costs["clam"]["entities"] > 0
    assert any(row.defence == "clam − type@clam" for row in Results(run).comparisons())


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("clam", ""), ("std", ""), ("idf@clam", "clam"), ("random@clam#2", "clam"),
        ("clam[theta_doc=0.9]", "clam"), ("type@clam[theta_doc=0.9]", "clam[theta_doc=0.9]"),
    ],
)  # fmt: skip
def test_a_defence_is_compared_with_what_it_controls_or_varies(name: str, base: str) -> None:
    assert compared_with(name) == base


def test_leak_is_told_by_level_of_risk_and_flagged_by_limits_that_lie_about_the_thesis(
    run: Path,
) -> None:
    """Figures 5.1 and 5.2: means over the persons of a level, and the share above a limit."""
    results, found = Results(run), figures(run)
    at = "std", "lsa", "parrot", HEADLINE
    leaks = results.union(Cell("std", "lsa", "parrot", "targeted")) or []
    of: dict[str, list[float]] = {}
    for person, leak in zip(results.persons, leaks, strict=True):
        of.setdefault(person["risk"], []).append(leak or 0)
    assert of.keys() & {"HIGH", "MEDIUM"}
    for risk, own in of.items():
        assert found[*at, f"leak {risk}"] == pytest.approx(sum(own) / len(own))
    for risk, limit in (("HIGH", 0.6), ("MEDIUM", 0.8)):
        for name, shift in (
            ("", 0.0),
            (f" at {limit - 0.1:.1f}", -0.1),
            (f" at {limit + 0.1:.1f}", 0.1),
        ):
            if own := of.get(risk):
                over = sum(leak > limit + shift + 1e-9 for leak in own) / len(own)
                assert found[*at, f"flagged {risk}{name}"] == pytest.approx(over)
    assert (*at, "flagged LOW") not in found


def test_every_hole_has_its_reason(run: Path) -> None:
    holes = [kept for kept in load_cells(run) if kept["status"] != "done"]
    assert {kept["status"] for kept in holes} == {"hole"}
    assert all(kept["reason"] for kept in holes)
    assert {kept["cell"]["defence"] for kept in holes} >= {"prompt", "std"}


def test_cells_hold_no_value_of_a_document(run: Path, corpus: Path) -> None:
    kept = "".join(path.read_text(encoding="utf-8") for path in run.rglob("*.json"))
    for path in (corpus / "files").iterdir():
        record = json.loads(path.read_text(encoding="utf-8"))
        assert not [v for v, _ in record["metadata"]["person"]["entities"] if v in kept]


def test_a_stopped_run_goes_on_and_runs_no_finished_cell_again(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = read_grid(
        None, {"defences": ("std", "no-rag"), "generators": ("parrot",), "queries": 5}
    )
    bench(corpus, tmp_path / "whole", whole)
    ran: list[Cell] = []
    fill = grid.DefendedCorpus.fill

    def stopping(self: grid.DefendedCorpus, cell: Cell) -> dict[str, Any]:
        if len(ran) == 7:
            raise KeyboardInterrupt
        ran.append(cell)
        return fill(self, cell)

    monkeypatch.setattr(grid.DefendedCorpus, "fill", stopping)
    with pytest.raises(KeyboardInterrupt):
        bench(corpus, tmp_path / "run", whole)
    first, ran[:] = set(ran), []
    monkeypatch.setattr(
        grid.DefendedCorpus, "fill", lambda self, cell: (ran.append(cell), fill(self, cell))[1]
    )
    bench(corpus, tmp_path / "run", whole)
    assert len(first) == 7
    assert not first & set(ran)
    assert raw(tmp_path / "run") == raw(tmp_path / "whole")


def test_a_cell_that_fails_says_where_and_is_tried_again(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = read_grid(None, {"defences": ("std",), "attacks": ("audit", "linkage")})

    def broken(target: object) -> dict[str, Any]:
        raise ValueError("Ada Holbrook")

    with monkeypatch.context() as patched:
        attack = ATTACKS["audit"]
        patched.setitem(ATTACKS, "audit", type(attack)("", "", "", broken, False))
        assert bench(corpus, tmp_path / "run", small) == 2
    kept = {c["cell"]["attack"]: c for c in load_cells(tmp_path / "run")}
    assert kept["audit"]["status"] == "failed"
    assert kept["audit"]["reason"].startswith("ValueError at")
    assert "Ada" not in kept["audit"]["reason"]
    assert kept["linkage"]["status"] == "done"
    assert bench(corpus, tmp_path / "run", small) == 1


def test_a_folder_of_another_run_is_refused(run: Path, corpus: Path) -> None:
    with pytest.raises(OutputError, match="queries"):
        bench(corpus, run, read_grid(None, {"defences": ("std",), "queries": 21}))


def test_an_unknown_name_is_said_with_those_there_are() -> None:
    with pytest.raises(SettingsError, match=r"no defence 'x'; there are: std"):
        read_grid(None, {"defences": ("x",)})


def test_report_and_tables_come_from_the_cells_alone(run: Path) -> None:
    report(run)
    page = (run / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    for name in ("clam", "type@clam", "no language model was given", "Holes"):
        assert name in page
    quoted = (run / "tables.md").read_text(encoding="utf-8")
    assert quoted.startswith("|  | entities masked | exposure |")
    assert "| clam − type@clam |" in quoted
    assert {line.count("|") for line in quoted.split("\n\n")[0].splitlines()} == {9}
    table = (run / "results.csv").read_text(encoding="utf-8")
    assert table.startswith("defence,retriever,generator,attack,measure,value,low,high")
    report(run)
    assert (run / "results.csv").read_text(encoding="utf-8") == table


def test_diff_finds_what_became_worse(run: Path, tmp_path: Path) -> None:
    assert compare(run, run, 0.01) == ("No figure differs.", 0)
    worse = tmp_path / "worse"
    shutil.copytree(run, worse)
    path = worse / "cells" / "clam--audit.json"
    cell = json.loads(path.read_text(encoding="utf-8"))
    bound = json.loads((worse / "cells" / "std--audit.json").read_text(encoding="utf-8"))
    cell["raw"] = bound["raw"]
    path.write_text(json.dumps(cell), encoding="utf-8")
    cli = CliRunner()
    found = cli.invoke(main, ["bench", "diff", str(run), str(worse)])
    assert found.exit_code == 2
    assert "worse: clam audit exposure" in found.output
    assert cli.invoke(main, ["bench", "diff", str(worse), str(run)]).exit_code == 0


def test_an_average_is_the_mean_of_each_figure_over_runs(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(run, other)
    bound = json.loads((other / "cells" / "std--audit.json").read_text(encoding="utf-8"))
    path = other / "cells" / "clam--audit.json"
    cell = json.loads(path.read_text(encoding="utf-8")) | {"raw": bound["raw"]}
    path.write_text(json.dumps(cell), encoding="utf-8")
    (other / "cells" / "clam--linkage.json").unlink()
    done = CliRunner().invoke(main, ["bench", "average", str(run), str(other)])
    assert done.exit_code == 0, done.output
    rows = {tuple(row[:5]): row[5:] for row in csv.reader(done.output.splitlines()[1:])}
    key = ("clam", "-", "-", "audit", "exposure")
    two = [figures(run)[key], figures(other)[key]]
    assert [float(one) for one in rows[key][:3]] == pytest.approx(
        [sum(two) / 2, min(two), max(two)], abs=1e-6
    )
    assert rows[key][3] == "2"
    assert rows["clam", "-", "-", "linkage", "rank1"][3] == "1"


def test_runs_of_other_settings_are_not_averaged(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(run, other)
    told = json.loads((other / "run.json").read_text(encoding="utf-8"))
    told["fixed"]["queries"] += 1
    (other / "run.json").write_text(json.dumps(told), encoding="utf-8")
    done = CliRunner().invoke(main, ["bench", "average", str(run), str(other)])
    assert done.exit_code == 1
    assert "they differ in queries" in done.output
    assert CliRunner().invoke(main, ["bench", "average", str(run)]).exit_code == 1


def test_a_language_model_joins_as_a_generator(corpus: Path, tmp_path: Path) -> None:
    """Its Yes counts as Yes; what it says of values that are nowhere is its false positives."""

    def answer(request: dict[str, Any]) -> str:
        asked = request["messages"][-1]["content"].rpartition("Question:")[2]
        return "Yes." if "context" in asked else "I don't know."

    asked = {
        "defences": ("no-rag",), "retrievers": ("bm25",), "generators": ("llm",),
        "attacks": ("membership", "questions"),
    }  # fmt: skip
    cache = str(tmp_path / "answers.sqlite")
    with Scripted(answer) as server:
        settings = config.load(
            overrides={"llm_url": server.url, "llm_model": "scripted", "llm_cache": cache},
            environment={},
        )
        bench(corpus, tmp_path / "run", read_grid(None, asked), settings)
    found = figures(tmp_path / "run")
    at = ("no-rag", "bm25", "llm", "membership")
    assert found[(*at, "leak")] == 1
    assert found[(*at, "fpr")] == 1
    assert found[(*at, "corrected")] is None
    with Scripted(lambda request: Fault(500, {"error": {"message": "no"}})) as server:
        settings = config.load(
            overrides={
                "llm_url": server.url, "llm_model": "scripted", "llm_cache": cache + "2",
                "llm_retries": 0,
            },
            environment={},
        )  # fmt: skip
        bench(corpus, tmp_path / "failing", read_grid(None, asked), settings)
    assert {c["status"] for c in load_cells(tmp_path / "failing")} == {"failed"}


def test_bench_and_generate_from_the_command_line(tmp_path: Path) -> None:
    cli = CliRunner()
    made = cli.invoke(main, ["generate", "-o", str(tmp_path / "c"), "--documents", "12"])
    assert made.exit_code == 0, made.output
    options = ["--defence", "std", "--attack", "audit", "-o", str(tmp_path / "r")]
    ran = cli.invoke(main, ["bench", str(tmp_path / "c"), *options])
    assert ran.exit_code == 0, ran.output
    assert (tmp_path / "r" / "report.html").is_file()
    bad = cli.invoke(main, ["bench", "report", str(tmp_path)])
    assert bad.exit_code == 1
    assert "holds no run" in bad.output
