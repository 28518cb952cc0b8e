"""Spark plans in SQL as the engine does, by DuckDB's statements. `make test-spark` runs this."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from incidences import random_incidence, settings
from linkmask import plan, schema
from linkmask.errors import UsageError
from linkmask.graph import assess
from linkmask.pipeline import sql
from linkmask.pipeline.sql.statements import UNIT

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed: make test-spark")
from linkmask.adapters.spark_sql import SparkTables  # noqa: E402


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "localhost")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    yield made
    made.stop()


def test_links_risks_and_mask_are_those_of_the_engine(session: Any, tmp_path: Path) -> None:
    corpus = random_incidence(11, documents=40, values=50, mentions=220)
    chosen = settings(solver="cover", edge_threshold=0.25, theta_chain=0.3)
    risk = assess(corpus, chosen)
    want = plan.choose(corpus, risk, chosen, schema.load("thesis"))
    tables = SparkTables(session, tmp_path / "tables")
    sql.tables_of(tables, corpus)
    sql.load(tables, corpus.n_documents)
    risks = tables.read("select document, risk from risk order by document")
    known = risk.documents[risks["document"].to_numpy()]
    assert np.allclose(risks["risk"].to_numpy(), known, rtol=0, atol=1e-12)
    sql.find_links(tables, chosen, slices=2)
    links = tables.read("select low, up, z from link order by low, up")
    assert links["low"].to_pylist() == risk.links.left.tolist()
    assert links["up"].to_pylist() == risk.links.right.tolist()
    strength = -np.expm1(links["z"].to_numpy() / -UNIT)
    assert np.allclose(strength, risk.links.strength, rtol=0, atol=1e-12)
    made = sql.choose(tables, chosen, corpus.n_documents)
    assert made.chains == len(want.chains) > 0 and made.unmet_chains == 0
    assert sorted(made.masked.tolist()) == sorted(want.masked.tolist())


def test_a_folder_that_is_there_is_refused(session: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give a new folder"):
        SparkTables(session, tmp_path)
