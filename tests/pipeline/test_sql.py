"""Links, risks and rounds in SQL are those of the engine. DuckDB runs the statements here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from adapters.planted import snippet
from incidences import random_incidence, settings
from linkmask import plan, schema
from linkmask.errors import SettingsError
from linkmask.graph import assess
from linkmask.pipeline import sql
from linkmask.pipeline.sql.statements import UNIT
from linkmask.records import Incidence, Plan

pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install 'linkmask[sql]'")
from linkmask.adapters.duckdb import DuckTables

SCHEMA = schema.load("thesis")
LIMITS = st.fixed_dictionaries(
    {
        "edge_threshold": st.sampled_from([0.2, 0.25, 0.5]),
        "link_contained": st.booleans(),
        "theta_chain": st.sampled_from([0.3, 0.5]),
        "medium": st.sampled_from([0.3, 0.5]),
        "theta_doc": st.sampled_from([0.9, 0.95]),
    }
)


@pytest.fixture(scope="module")
def tables() -> Iterator[DuckTables]:
    opened = DuckTables(threads=1)
    yield opened
    opened.close()


def loaded(tables: DuckTables, corpus: Incidence) -> None:
    sql.tables_of(tables, corpus)
    sql.load(tables, corpus.n_documents)


def at_stage(made: Plan, stage: str) -> list[int]:
    return [int(e) for e, name in zip(made.masked, made.stage, strict=True) if name == stage]


@examples(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), limits=LIMITS, slices=st.integers(1, 3))
def test_links_and_risks_are_those_of_the_engine(
    tables: DuckTables, seed: int, limits: dict[str, float], slices: int
) -> None:
    corpus, chosen = random_incidence(seed), settings(**limits)
    want = assess(corpus, chosen)
    loaded(tables, corpus)
    risk = tables.read("select document, risk from risk order by document")
    found = np.zeros(corpus.n_documents)
    found[risk["document"].to_numpy()] = risk["risk"].to_numpy()
    assert np.allclose(found, want.documents, rtol=0, atol=1e-12)
    assert sql.find_links(tables, chosen, slices) == 0
    links = tables.read("select low, up, z from link order by low, up")
    assert links["low"].to_pylist() == want.links.left.tolist()
    assert links["up"].to_pylist() == want.links.right.tolist()
    strength = -np.expm1(links["z"].to_numpy() / -UNIT)
    assert np.allclose(strength, want.links.strength, rtol=0, atol=1e-12)


@examples(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**6), limits=LIMITS, slices=st.integers(1, 3))
def test_the_plan_meets_every_limit_with_about_as_few_values_as_cover(
    tables: DuckTables, seed: int, limits: dict[str, float], slices: int
) -> None:
    corpus = random_incidence(seed, documents=30, values=40, mentions=160)
    chosen = settings(**{"solver": "cover"} | limits)
    risk = assess(corpus, chosen)
    want = plan.choose(corpus, risk, chosen, SCHEMA)
    loaded(tables, corpus)
    made = sql.choose(tables, chosen, corpus.n_documents, slices=slices)
    assert made.documents.tolist() == at_stage(want, "document")
    assert made.chains == len(want.chains) and made.unmet_chains == 0
    assert abs(len(made.chain) - want.size.masked) <= 1  # a tie may fall otherwise
    names = ["document"] * len(made.documents) + ["chain"] * len(made.chain)
    gain, served = np.zeros(len(names)), np.zeros(len(names), dtype=np.int32)
    masked = made.masked.astype(np.int32)
    kept: Any = plan.restore(corpus, risk, chosen, masked, names, gain, served)
    assert kept.met


def test_what_is_masked_before_counts_and_stays(tables: DuckTables) -> None:
    corpus = random_incidence(3, documents=30, values=40, mentions=160)
    chosen = settings(solver="cover", edge_threshold=0.25, theta_chain=0.3)
    demanded = np.array([2, 5, 7], dtype=np.int32)
    want = plan.choose(corpus, assess(corpus, chosen), chosen, SCHEMA, demanded)
    loaded(tables, corpus)
    made = sql.choose(tables, chosen, corpus.n_documents, given=demanded)
    assert made.given.tolist() == at_stage(want, "floor")
    assert made.documents.tolist() == at_stage(want, "document")
    assert len(made.chain) == want.size.masked and len(made.chain) > 0


def test_a_corpus_without_mentions_needs_no_mask(tables: DuckTables) -> None:
    corpus = random_incidence(1, documents=3, values=4, mentions=0)
    loaded(tables, corpus)
    made = sql.choose(tables, settings(solver="cover"), corpus.n_documents)
    assert len(made.masked) == 0 and made.chains == 0


def test_pairs_over_the_budget_are_counted_and_not_compared(tables: DuckTables) -> None:
    corpus = random_incidence(5)
    chosen = settings(edge_threshold=0.25)
    loaded(tables, corpus)
    blocked = sql.find_links(tables, settings(edge_threshold=0.25, group_budget=3))
    assert blocked > 0
    few = tables.read("select low, up from link").num_rows
    assert sql.find_links(tables, chosen) == 0
    assert few < tables.read("select low, up from link").num_rows


@pytest.mark.parametrize("asked", [{"chain_length": 3}, {"solver": "greedy"}, {"cost": "mentions"}])
def test_what_sql_can_not_plan_is_refused(tables: DuckTables, asked: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(asked))):
        sql.choose(tables, settings(**{"solver": "cover"} | asked), 1)


def test_no_value_and_no_literal_of_the_corpus_stands_in_a_statement(
    tables: DuckTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Statements name tables and limits alone: two corpora of one size are asked the same."""
    asked: list[list[str]] = []
    keep, read = DuckTables.keep, DuckTables.read
    monkeypatch.setattr(DuckTables, "keep", lambda s, n, q: asked[-1].append(q) or keep(s, n, q))
    monkeypatch.setattr(DuckTables, "read", lambda s, q: asked[-1].append(q) or read(s, q))
    for seed in (3, 4):
        asked.append([])
        loaded(tables, random_incidence(seed))
        sql.find_links(tables, settings())
    assert asked[0] == asked[1]


def test_duckdb_fetches_and_loads_no_extension_by_itself(tables: DuckTables) -> None:
    for name in ("autoinstall_known_extensions", "autoload_known_extensions"):
        shown = tables.read(f"select current_setting('{name}') as value")
        assert str(shown["value"][0].as_py()).lower() == "false"


def test_a_database_on_disk_is_private_and_gives_the_same(tmp_path: Any) -> None:
    corpus = random_incidence(8, documents=30, values=40, mentions=160)
    made = []
    for folder in (None, tmp_path / "tables"):
        opened = DuckTables(folder, memory="500MB", threads=2)
        loaded(opened, corpus)
        chosen = settings(solver="cover", edge_threshold=0.25, theta_chain=0.3)
        made.append(sql.choose(opened, chosen, corpus.n_documents).masked.tolist())
        opened.close()
    assert made[0] == made[1] and made[0]
    assert (tmp_path / "tables").stat().st_mode & 0o077 == 0


def test_the_program_of_the_docs_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[2] / "docs" / "cluster.md"
    exec(compile(snippet(page, "DuckTables"), "cluster.md", "exec"), {})
    assert capsys.readouterr().out.endswith("[0 1] 1 0\n")
