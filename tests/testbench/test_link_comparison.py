"""RQ1: links against golden ones; and experiments that name what there is."""

import json
from pathlib import Path
from typing import Any

import pytest

from linkmask.errors import SettingsError
from linkmask.testbench.cells import checked, read_grid, read_settings
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.datasets import read_golden
from linkmask.testbench.defences import defence
from linkmask.testbench.link_comparison import LinkComparison, compare, score
from linkmask.testbench.sweeps import Sweep, plan_of
from linkmask.testbench.tuning import Filters

OTHERS: dict[str, Any] = {
    "rq1": LinkComparison, "context-filter": Filters, "overlap": Sweep, "size": Sweep,
}  # fmt: skip
ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "insurance"


def test_links_are_scored_in_three_readings() -> None:
    raw = {
        "golden": [["a", "b"], ["a", "b", "c"]],
        "chains": {"0.5": [["a", "b", 0.9], ["b", "c", 0.6], ["c", "d", 0.2]]},
    }
    assert score(raw, "pairs", 0.5, 0.5)[:3] == [1, 2, 1]
    assert score(raw, "sets", 0.5, 0.5)[:3] == [1, 2, 2]
    assert score(raw, "expanded", 0.5, 0.5)[:3] == [2, 2, 3]
    assert score(raw, "expanded", 0.5, 1.0)[3:] == [0, 0, 0]


def test_golden_entries_that_cannot_be_used_are_counted(tmp_path: Path) -> None:
    corpus = read_corpus(EXAMPLE)
    a, b = (document.id for document in corpus.documents[:2])
    links = {"cluster_0": [[a, b], [b, a], [a, "nowhere"], [a, a]]}
    (tmp_path / "golden.json").write_text(json.dumps({"links": links}), encoding="utf-8")
    golden, skipped = read_golden(tmp_path, [document.id for document in corpus.documents])
    assert golden == ((a, b),)
    assert skipped == {"unknown document": 1, "given before": 1, "fewer than two": 1}


def test_the_example_corpus_is_compared_and_kept(tmp_path: Path) -> None:
    raw = compare(EXAMPLE, tmp_path / "out", LinkComparison(mentions=("golden",)))["golden"]
    hits, flagged, golden, *_ = score(raw, "pairs", 0.5, 0.5)
    assert 0 < hits <= min(flagged, golden)
    table = (tmp_path / "out" / "links.csv").read_text(encoding="utf-8").splitlines()
    assert len(table) == 1 + 3 * 11 * 11


@pytest.mark.parametrize(
    "path",
    [p for p in sorted((ROOT / "experiments").glob("*.toml")) if p.stem != "bilingual"],
    ids=lambda p: p.name,  # bilingual.toml is read by benchmarks/bilingual.py
)
def test_every_experiment_names_what_there_is(path: Path) -> None:
    if path.stem in OTHERS:
        made = read_settings(path, OTHERS[path.stem], {})
        assert not isinstance(made, Sweep) or (checked(made.grid) and plan_of(made, made.values[0]))
    else:
        assert read_grid(path, {}).defences


def test_a_variant_changes_planning_and_nothing_else() -> None:
    assert defence("clam[theta_doc=0.9,solver=greedy]").stage == "corpus"
    for wrong in ("clam[detector=llm]", "clam[theta_doc=2]", "std[solver=exact]", "clam[]"):
        with pytest.raises(SettingsError):
            defence(wrong)
