"""The steps over batches run in Ray Data as in one process. `make test-ray` runs this."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import linkmask
from cluster_letters import letters
from linkmask.config import Settings
from linkmask.pipeline import plan_and_check
from linkmask.pipeline.batches import DATA, KEY, STEPS, StepWork, keep_work
from linkmask.pipeline.batches.batch_job import BatchJob, Row
from linkmask.runs import Run

SWITCHES = {  # read when ray is imported
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",  # else it writes a token into the home folder
    "RAY_raylet_start_wait_time_s": "300",
}
os.environ.update(SWITCHES)
ray = pytest.importorskip("ray", reason="ray is not installed: make test-ray")

ROWS = letters(30)


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=100 * 2**20,
        _node_ip_address="127.0.0.1",
    )
    yield
    ray.shutdown()


class RaySpread:
    """Runs a step over a data set in blocks, for the driver of docs/cluster.md."""

    def __init__(self, table: pa.Table, place: Path, blocks: int) -> None:
        self.table = table.append_column(KEY, table["id"])
        self.place, self.blocks = place, blocks
        self.rows: dict[str, list[Row]] = {}

    def __call__(self, name: str, step: Any, beside: str) -> list[Row]:
        made = self.step(name, step, beside)
        self.rows[name] = sorted(made, key=lambda row: str(row["document"]))
        return self.rows[name]

    def step(self, name: str, step: Any, beside: str) -> list[Any]:
        table = self.table
        if beside:
            data = {row["document"]: row["data"] for row in self.rows[beside]}
            made = [data[key] for key in table[KEY].to_pylist()]
            table = table.append_column(DATA, pa.array(made, pa.binary()))
        function, work = STEPS[name], keep_work(self.place / f"{name}.work", step)

        def over(block: pa.Table, work: StepWork = work) -> pa.Table:
            return pa.Table.from_batches(function(iter(block.to_batches()), work))

        data_set = ray.data.from_arrow(table).repartition(self.blocks)
        return data_set.map_batches(over, batch_format="pyarrow", batch_size=7).take_all()


@pytest.mark.parametrize(("style", "blocks"), [("value", 1), ("surrogate", 4)])
def test_a_data_set_is_masked_byte_for_byte_as_locally_whatever_its_blocks(
    cluster: None, tmp_path: Path, style: str, blocks: int
) -> None:
    settings = Settings(workers=1, style=style, rare_pairs="values")
    local = {one.id: one for one in linkmask.mask(ROWS, settings).documents}
    spread = RaySpread(pa.Table.from_pylist(ROWS[::-1]), tmp_path, blocks)
    with Run.create(tmp_path / "run", settings, source=tmp_path, digest="") as run:
        job = BatchJob(run, settings, spread)
        job.detect()
        job.score()
        plan_and_check(job)
        found = {row["id"]: row for row in spread.step("release", job.release_work, "check")}
    assert {name: row["content"] for name, row in found.items()} == {
        name: one.content for name, one in local.items()
    }
    assert {name: row["metadata"] for name, row in found.items()} == {
        name: dict(one.metadata) for name, one in local.items()
    }
    assert len(found) == len(ROWS) and not job.aside
