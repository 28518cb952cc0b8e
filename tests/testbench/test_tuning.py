"""Checkpoints of tuning and sweeps: small runs, resumed, with pages that ask for nothing."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.errors import InputError, OutputError
from linkmask.pipeline.detection import corpus_detection
from linkmask.testbench import sweeps
from linkmask.testbench.cells import Grid
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.generate import WritingPlan, write
from linkmask.testbench.link_comparison import LinkComparison, compare
from linkmask.testbench.run_folder import point
from linkmask.testbench.sweeps import Sweep, plan_of, sweep
from linkmask.testbench.tuning import Filters, _alike, compare_filters

SMALL = Filters(strengths=(0.0, 1.0))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made corpus whose golden.json also says which values each document holds."""
    folder = tmp_path_factory.mktemp("corpus") / "made"
    write(folder, WritingPlan(documents=12, seed=5))
    made = read_corpus(folder)
    values = {
        document.id: [made.persons[p].values[n] for n in made.persons[p].read(document.content)]
        for document, p in zip(made.documents, made.cluster, strict=True)
    }
    golden = json.loads((folder / "golden.json").read_text(encoding="utf-8"))
    (folder / "golden.json").write_text(json.dumps(golden | {"entities": values}), encoding="utf-8")
    return folder


def test_values_of_a_document_are_compared_by_words() -> None:
    """By hand: 2 of 3 words found, 2 of 4 wanted, F1 4/7; nothing annotated is 1 or 0."""
    assert _alike(["Dr. Ada", "Oslo"], ["Ada", "Oslo South West"]) == pytest.approx(4 / 7)
    assert _alike([], []) == 1
    assert _alike(["Oslo"], []) == 0


def test_filters_are_tried_from_none_to_all_and_a_second_call_reads_what_is_there(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {row["name"]: row for row in compare_filters(corpus, tmp_path, SMALL)}
    assert len(rows) == 5
    assert rows["0-all-0"]["values"] >= rows["0-typed-0"]["values"] > rows["1-typed-0"]["values"]
    table = (tmp_path / "filter.csv").read_text(encoding="utf-8")
    assert table.splitlines()[1].startswith("first pass alone,0.")

    def never(*given: object, **named: object) -> None:
        raise AssertionError("detection was asked for")

    monkeypatch.setattr(corpus_detection, "detect_corpus", never)
    compare_filters(corpus, tmp_path, SMALL)
    assert (tmp_path / "filter.csv").read_text(encoding="utf-8") == table


def test_a_corpus_without_annotated_values_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "made", WritingPlan(documents=12))
    with pytest.raises(InputError, match="entities"):
        compare_filters(tmp_path / "made", tmp_path / "out", SMALL)


def test_a_point_made_of_something_else_is_not_mixed_in(tmp_path: Path) -> None:
    assert point(tmp_path, "a", {"of": 1}, lambda: {"x": 1})["x"] == 1
    assert point(tmp_path, "a", {"of": 1}, lambda: {"x": 2})["x"] == 1
    with pytest.raises(OutputError, match="something else"):
        point(tmp_path, "a", {"of": 2}, lambda: {"x": 2})


SWEEP: dict[str, Any] = {
    "vary": "documents", "values": [12, 20], "plan": {"seed": 3},
    "grid": {"defences": ["std", "mask-all-golden"], "attacks": ["audit", "crawl"],
             "retrievers": ["bm25"], "generators": ["parrot"], "queries": 5},
}  # fmt: skip


def test_a_sweep_runs_over_each_corpus_and_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = msgspec.convert(SWEEP, Sweep)
    found = sweep(tmp_path, asked)
    sizes = [len(read_corpus(tmp_path / f"documents-{n}" / "corpus").documents) for n in (12, 20)]
    assert sizes[0] < sizes[1]
    for _, rows in found:
        known = {row.key: row.value for row in rows}
        assert known["mask-all-golden", "-", "-", "audit", "exposure"] == 0
        assert known["std", "-", "-", "audit", "exposure"] > 0.9  # type: ignore[operator]
    page = (tmp_path / "sweep.html").read_text(encoding="utf-8")

    def never(*given: object, **named: object) -> None:
        raise AssertionError("a corpus was written again")

    monkeypatch.setattr(sweeps, "write", never)
    sweep(tmp_path, asked)
    assert (tmp_path / "sweep.html").read_text(encoding="utf-8") == page
    assert plan_of(msgspec.structs.replace(asked, vary="overlap"), 0.25) == WritingPlan(
        overlap=0.25, seed=3
    )


def test_pages_hold_no_script_and_no_address(corpus: Path, tmp_path: Path) -> None:
    compare(corpus, tmp_path / "links", LinkComparison(mentions=("embedded", "golden")))
    compare_filters(corpus, tmp_path / "filter", SMALL)
    sweep(tmp_path / "sweep", Sweep(vary="overlap", values=(0.5,), plan={"documents": 12},
                                    grid=Grid(defences=("std",), attacks=("audit",))))  # fmt: skip
    pages = sorted(tmp_path.glob("*/*.html"))
    assert {path.parent.name for path in pages} == {"links", "filter", "sweep"}
    for path in pages:
        page = path.read_text(encoding="utf-8")
        assert "<svg" in page
        assert "<script" not in page
        assert "http" not in page
        assert not [v for p in read_corpus(corpus).persons for v in p.values if v in page]


@pytest.mark.parametrize("command", ["links", "filter"])
def test_a_model_that_was_not_given_is_said_plainly(
    corpus: Path, tmp_path: Path, command: str
) -> None:
    path = tmp_path / "asked.toml"
    path.write_text({"links": 'mentions = ["llm"]', "filter": 'detector = "llm"'}[command])
    given = ["bench", command, str(corpus), "-o", str(tmp_path / "out"), "--config", str(path)]
    ran = CliRunner().invoke(main, given)
    assert ran.exit_code == 1
    assert "no language model was given" in ran.output
