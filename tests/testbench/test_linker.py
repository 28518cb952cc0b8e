"""The linker as an attack: it puts together what an unmasked corpus lets it put together."""

from pathlib import Path

import pytest

from linkmask.testbench.cells import read_grid
from linkmask.testbench.grid import bench
from linkmask.testbench.tables import Results

EXAMPLE = Path(__file__).parents[2] / "examples" / "insurance"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("linked") / "run"
    asked = {"defences": ("std", "no-rag"), "attacks": ("linker", "linkage")}
    bench(EXAMPLE, folder, read_grid(None, asked))
    return Results(folder)


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


def test_where_there_is_no_text_the_linker_guesses(results: Results) -> None:
    assert figure(results, "no-rag", "linker", "auc") == 0.5
    assert figure(results, "no-rag", "linker", "rank1") < 0.2
