"""The linker as an attack: it puts together what an unmasked corpus lets it put together."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.sentence_models import write

from linkmask.cli import main
from linkmask.testbench.cells import read_grid
from linkmask.testbench.commands import headline_figures
from linkmask.testbench.grid import bench
from linkmask.testbench.page import render
from linkmask.testbench.result_tables import Results

EXAMPLE = Path(__file__).parents[2] / "examples" / "insurance"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("linked") / "run"
    asked = {"defences": ("std", "no-rag"), "attacks": ("linker", "linkage")}
    bench(EXAMPLE, folder, read_grid(None, asked))
    return folder


@pytest.fixture(scope="module")
def results(run: Path) -> Results:
    return Results(run)


def figure(results: Results, defence: str, attack: str, measure: str) -> float:
    row = results.figure(defence, "-", "-", attack, measure)
    assert row is not None
    assert row.value is not None
    return row.value


def test_the_linker_finds_more_than_likeness_of_words(results: Results) -> None:
    """The corpus is one that it has learned from: what is tested is that the attack is wired."""
    learned = figure(results, "std", "linker", "rank1")
    assert learned > figure(results, "std", "linkage", "rank1")
    assert figure(results, "std", "linker", "rank5") >= learned
    for measure in ("auc", "average_precision", "b3_precision"):
        assert 0.7 < figure(results, "std", "linker", measure) <= 1
    assert figure(results, "std", "linker", "b3_recall") > 0.2  # 8 persons of 5: alone it is 0.2


@pytest.mark.parametrize("attack", ["linker", "linkage"])
def test_figures_of_pairs_have_intervals_over_persons(results: Results, attack: str) -> None:
    for measure in ("auc", "average_precision")[: 1 + (attack == "linker")]:
        row = results.figure("std", "-", "-", attack, measure)
        assert row is not None
        assert row.low is not None
        assert row.low < row.value < row.high  # type: ignore[operator]


def test_the_run_keeps_how_often_one_more_is_found_by_how_many_are_known(results: Results) -> None:
    masked, raw = ((kept["raw"]["known"]) for _, kept in by_defence(results))
    assert [count for count, _ in raw] == [1, 2, 3, 4, 5]
    assert all(found > by_chance for (_, found), (_, by_chance) in zip(raw, masked, strict=True))
    assert "Persons found against number of documents" in render(results)


def by_defence(results: Results) -> list[tuple[str, dict[str, Any]]]:
    cells = results.cells.items()
    return sorted((cell.defence, kept) for cell, kept in cells if cell.attack == "linker")


def test_the_terminal_shows_the_figures_of_each_linking_attack_that_ran(
    run: Path, results: Results
) -> None:
    """Other columns, which would be empty, are left out."""
    head, std, *_ = headline_figures(run).splitlines()
    assert head.split() == "defence linkage rank-1 linkage AUC linker rank-1 linker AUC".split()
    shown = [(attack, measure) for attack in ("linkage", "linker") for measure in ("rank1", "auc")]
    assert std.split() == ["std", *(f"{figure(results, 'std', *one):.3f}" for one in shown)]


def test_the_page_shows_the_figures_of_the_linker(results: Results) -> None:
    shown = f">{figure(results, 'std', 'linker', 'rank1'):.3f}"
    assert "rank-1, linker" in render(results)
    assert shown in render(results)


def test_the_linker_compares_by_a_sentence_model_if_one_is_named_and_the_run_says_so(
    run: Path, results: Results, tmp_path: Path
) -> None:
    """The model has random weights, so its probabilities are others, and no better."""
    assert "sentence model" not in headline_figures(run) + render(results)
    model = write(tmp_path / "model", ("policy", "claim", "the", "surgery"))
    with_model = ["--sentence-model", str(model)]
    asked = ["--defence", "std", "--attack", "linker", "-o", str(tmp_path / "run")]
    done = CliRunner().invoke(main, ["bench", str(EXAMPLE), *asked, *with_model])
    assert "The linker also compares texts by a sentence model." in done.output
    other = Results(tmp_path / "run")
    assert "also compares texts by a sentence model" in render(other)
    found = (figure(one, "std", "linker", "auc") for one in (results, other))
    assert len(set(found)) == 2
    again = CliRunner().invoke(main, ["bench", str(EXAMPLE), *asked])
    assert "a run with another sentence_model" in again.output
    broken = ["--sentence-model", str(tmp_path), "-o", str(tmp_path / "new")]
    refused = CliRunner().invoke(main, ["bench", str(EXAMPLE), *broken])
    assert "holds no sentence model" in refused.output
    assert not (tmp_path / "new").exists()


def test_where_there_is_no_text_the_linker_guesses(results: Results) -> None:
    assert figure(results, "no-rag", "linker", "auc") == 0.5
    assert figure(results, "no-rag", "linker", "rank1") < 0.2
