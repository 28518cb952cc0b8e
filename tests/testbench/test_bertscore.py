"""BERTScore: what it says of near and far answers, and what is said where it is not installed."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from linkmask.testbench import extras
from linkmask.testbench.bertscore import BertScore
from linkmask.testbench.cells import read_grid
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.grid import bench
from linkmask.testbench.missing import Hole
from linkmask.testbench.result_tables import Results
from linkmask.testbench.run_folder import load_cells

EXAMPLE = Path(__file__).parents[2] / "examples" / "insurance"
ASKED = {"defences": ("std", "no-rag"), "attacks": ("questions",), "retrievers": ("bm25",),
         "generators": ("parrot", "extractive")}  # fmt: skip

installed = pytest.mark.skipif(
    not (find_spec("bert_score") and find_spec(extras.CARRIER)),
    reason="BERTScore and a model are not installed: make test-rag",
)


def test_without_the_package_each_figure_is_a_hole_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "bert_score", None)
    bench(EXAMPLE, tmp_path / "run", read_grid(None, ASKED))
    rows = [row for row in Results(tmp_path / "run").rows if row.measure == "bertscore"]
    assert len(rows) == 4
    assert {(row.status, row.value) for row in rows} == {("hole", None)}
    assert all("requirements/embed.txt" in row.reason for row in rows)


@installed
def test_without_the_model_it_is_a_hole_and_nothing_is_fetched() -> None:
    with pytest.raises(Hole, match="roberta-large of BERTScore is not on this machine"):
        BertScore(read_corpus(EXAMPLE)).recalls([("a", "b")])


@installed
def test_the_reference_itself_is_1_what_is_unrelated_about_0_and_order_is_by_meaning() -> None:
    corpus = read_corpus(EXAMPLE)
    score = BertScore(corpus, "minilm")
    wanted = "Her hip was replaced."
    same, near, far, nothing = score.recalls(
        [
            (wanted, wanted),
            ("The surgeon gave her a new hip.", wanted),
            ("Rain on Sunday.", wanted),
            (" ", wanted),
        ]
    )
    assert same == pytest.approx(1, abs=1e-5)
    assert 1 > near > 0.3 > far
    assert nothing == 0
    assert score.parameters["baseline_of"] == "the corpus"
    answers = [asked.question.a for asked in corpus.questions]
    half = len(answers) // 2
    unrelated = score.recalls([(a, answers[(n + half) % len(answers)])
                               for n, a in enumerate(answers)])  # fmt: skip
    assert abs(sum(unrelated) / len(unrelated)) < 0.1


@installed
def test_a_run_holds_its_figures_and_what_they_depend_on(tmp_path: Path) -> None:
    bench(EXAMPLE, tmp_path / "run", read_grid(None, ASKED | {"bertscore": "minilm"}))
    found = {row.key: row for row in Results(tmp_path / "run").rows}
    std, none = (
        found[name, "bm25", "parrot", "questions", "bertscore"].value for name in ("std", "no-rag")
    )
    assert none == 0
    assert std is not None
    assert std > 0.2
    kept = next(iter(load_cells(tmp_path / "run")))
    assert kept["raw"]["bertscore"]["model"] == "minilm"
