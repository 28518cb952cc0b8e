"""Snapshots after extraction: found once, read by every cell that comes later."""

from pathlib import Path
from typing import Any

import pytest

from linkmask import config
from linkmask.errors import OutputError
from linkmask.pipeline.detection import corpus_detection
from linkmask.testbench.cells import read_grid
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.datasets import read_clusters
from linkmask.testbench.defences import DefenceBuilder, Hole
from linkmask.testbench.generate import WritingPlan, write
from linkmask.testbench.grid import bench
from linkmask.testbench.run_folder import load_cells
from serving import Scripted

AUDIT = {"attacks": ("audit",)}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "made"
    write(folder, WritingPlan(documents=12, seed=5))
    return folder


def raw(run: Path) -> list[dict[str, Any]]:
    return [kept["raw"] for kept in load_cells(run)]


def test_a_later_run_starts_from_the_snapshot_and_detects_nothing(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = read_grid(None, AUDIT | {"defences": ("clam",)})
    later = read_grid(None, AUDIT | {"defences": ("clam", "clam[theta_doc=0.8]", "mask-all")})
    bench(corpus, tmp_path / "run", first)
    whole = tmp_path / "whole"
    bench(corpus, whole, later)

    def never(*given: object, **named: object) -> None:
        raise AssertionError("detection was asked for")

    monkeypatch.setattr(corpus_detection, "detect_corpus", never)
    bench(corpus, tmp_path / "run", later)
    assert raw(tmp_path / "run") == raw(whole)
    named = read_grid(None, AUDIT | {"defences": ("mask-all",), "snapshots": str(whole)})
    bench(corpus, tmp_path / "other", named)
    assert raw(tmp_path / "other") == raw(whole)[-1:]


def test_snapshots_of_another_corpus_are_refused(corpus: Path, tmp_path: Path) -> None:
    DefenceBuilder(read_corpus(corpus), snapshots=tmp_path / "s").scan("golden")
    write(tmp_path / "another", WritingPlan(documents=12, seed=6))
    with pytest.raises(Hole, match="another corpus"):
        DefenceBuilder(read_corpus(tmp_path / "another"), snapshots=tmp_path / "s").scan("golden")


def test_what_a_model_found_loads_without_the_model(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "insurance"
    values = {v: kind for c in read_clusters(example) for v, kind in c.person.entities}

    def golden(request: dict[str, Any]) -> dict[str, Any]:
        text = request["messages"][1]["content"].split("Document:", 1)[1]
        return {"entities": [[v, v, kind, 0.9] for v, kind in values.items() if v in text]}

    one = read_grid(None, AUDIT | {"defences": ("clam-llm",)})
    with Scripted(golden) as server:
        given = {"llm_url": server.url, "llm_model": "scripted", "llm_doubted": "release"}
        settings = config.load(
            overrides=given | {"llm_cache": str(tmp_path / "cache")}, environment={}
        )
        bench(example, tmp_path / "run", one, settings)
    two = read_grid(None, AUDIT | {"defences": ("clam-llm", "clam-llm[theta_doc=0.5]")})
    bench(example, tmp_path / "run", two)
    assert {kept["status"]: kept.get("reason") for kept in load_cells(tmp_path / "run")} == {
        "done": None
    }


def test_a_run_does_not_go_on_from_other_snapshots(corpus: Path, tmp_path: Path) -> None:
    asked = AUDIT | {"defences": ("std",)}
    bench(corpus, tmp_path / "run", read_grid(None, asked))
    with pytest.raises(OutputError, match="another snapshots"):
        bench(corpus, tmp_path / "run", read_grid(None, asked | {"snapshots": str(tmp_path)}))
