"""What a run keeps of risks and plan: JSON for people, Parquet of the same columns where large."""

from __future__ import annotations

import operator
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from incidences import random_incidence, settings
from linkmask.graph import assess
from linkmask.report import run_tables, stored_plan, stored_risk
from linkmask.runs import Run


def near(value: float) -> Any:
    return pytest.approx(value, abs=1e-6)


def test_large_tables_hold_what_the_small_ones_do(
    small: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = small.incidence, small.settings
    risk = stored_risk.risk_table(known[0], small.before, known[1])
    plan = stored_plan.plan_table(known[0], small.plan, {})
    monkeypatch.setattr(run_tables, "LISTED", 0)
    with Run.create(tmp_path / "run", known[1], source=tmp_path, digest="") as run:
        stored_risk.store_risk(run, known[0], small.before, known[1])
        stored_plan.store_plan(run, known[0], small.plan, known[1])
        held = {path.stem: pq.read_table(path).to_pylist() for path in run.path.glob("*.parquet")}
        assert stored_plan.masked_of(stored_plan.plan_of(run), known[0])[1] == list(
            small.plan.stage
        )
    assert held["risk-documents"] == [
        row | {"risk": near(row["risk"])} for row in risk["documents"]
    ]
    assert held["risk-links"] == [
        {"left": a, "right": b, "strength": near(row["strength"])}
        for row in risk["links"]
        for a, b in [row["documents"]]
    ]
    assert [row["entity"] for row in held["risk-entities"]] == [
        row["entity"] for row in risk["entities"]
    ]
    assert [row["contribution"] for row in held["risk-entities"]] == [
        near(row["contribution"]) for row in risk["entities"]
    ]
    assert held["plan-masked"] == [row | {"gain": near(row["gain"])} for row in plan["masked"]]
    assert [row["after"] for row in held["plan-documents"]] == [
        near(row["after"]) for row in plan["documents"]
    ]
    (chain,) = held["plan-chains"]
    (same,) = plan["chains"]
    assert [chain["document_1"], chain["document_2"]] == same["documents"]
    assert {name: chain[name] for name in ("category", "met")} == {
        name: same[name] for name in ("category", "met")
    }
    assert [chain[name] for name in ("before", "after", "target")] == [
        near(same[name]) for name in ("before", "after", "target")
    ]


def test_many_chains_are_a_table_of_their_own(tmp_path: Path) -> None:
    """Few links make many chains of four documents: these are what makes a corpus large."""
    corpus = random_incidence(1, documents=10, values=14, mentions=48)
    chosen = settings(edge_threshold=0.25, chain_length=4)
    risk = assess(corpus, chosen)
    want = stored_risk.risk_table(corpus, risk, chosen)["chains"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_tables, "LISTED", len(want) - 1)
        with Run.create(tmp_path / "run", chosen, source=tmp_path, digest="") as run:
            stored_risk.store_risk(run, corpus, risk, chosen)
            rows = pq.read_table(run.path / "risk-chains.parquet").to_pylist()
    assert len(risk.links) < len(rows) == len(want)
    key = operator.itemgetter("documents")
    held = [
        {
            "documents": [row[f"document_{k}"] for k in range(1, 5) if row[f"document_{k}"]],
            "risk": near(row["risk"]),
            "category": row["category"],
        }
        for row in rows
    ]
    assert sorted(held, key=key) == sorted(want, key=key)


def test_a_column_loads_no_pandas() -> None:
    """It takes a fifth of a second, and `pyarrow.array` loads it where it is installed."""
    pytest.importorskip("pandas")
    code = (
        "import sys, numpy as np; from linkmask.report.run_tables import coded_column;"
        "held = coded_column(np.array([0, -1], np.int32), ['é']);"
        "print(held.to_pylist(), 'pandas' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert said.strip() == "['é', None] False"
