"""A Spark data frame is masked as `linkmask.mask` masks its rows. `make test-spark` runs this."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import linkmask
from cluster_letters import NAMES, letters
from linkmask.config import Settings
from linkmask.errors import InputError, UsageError

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed: make test-spark")
from linkmask.adapters import spark  # noqa: E402

ROWS = letters(40)


LOGGING = """
appender.file.type = File
appender.file.name = file
appender.file.fileName = {file}
appender.file.layout.type = PatternLayout
rootLogger.level = info
rootLogger.appenderRef.file.ref = file
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    logs = tmp_path_factory.mktemp("events")
    (logs / "log4j2.properties").write_text(LOGGING.format(file=logs / "events-driver.log"))
    told = f"-Dlog4j2.configurationFile={(logs / 'log4j2.properties').as_uri()}"
    made = (
        SparkSession.builder.master("local[2,2]")  # a task may fail once
        .config("spark.driver.extraJavaOptions", told)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "localhost")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "16")
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.dir", logs.as_uri())
        .getOrCreate()
    )
    yield made
    made.stop()


def frame(session: Any, rows: list[dict[str, Any]] = ROWS) -> Any:
    return session.createDataFrame(
        rows, "id string, content string, metadata struct<by: string, town: string>"
    )


@pytest.mark.parametrize(("style", "partitions"), [("value", 1), ("value", 5), ("surrogate", 3)])
def test_a_frame_is_masked_byte_for_byte_as_locally_whatever_its_partitions(
    session: Any, tmp_path: Path, style: str, partitions: int
) -> None:
    settings = Settings(workers=1, style=style, rare_pairs="values")
    local = {one.id: one for one in linkmask.mask(ROWS, settings).documents}
    df = frame(session, ROWS[::-1]).repartition(partitions)
    masked = spark.mask(df, tmp_path / "work", settings)
    assert masked.frame.schema == df.schema
    found = {row["id"]: row.asDict(recursive=True) for row in masked.frame.collect()}
    assert {name: row["content"] for name, row in found.items()} == {
        name: one.content for name, one in local.items()
    }
    assert {name: row["metadata"] for name, row in found.items()} == {
        name: dict(one.metadata) for name, one in local.items()
    }
    assert masked.set_aside == [] and len(found) == len(ROWS)
    assert masked.audit.counts["documents"] == len(ROWS)


def test_the_steps_one_by_one_are_the_whole(session: Any, tmp_path: Path) -> None:
    df = frame(session).repartition(2)
    whole = spark.mask(df, tmp_path / "whole", Settings(workers=1)).frame.collect()
    first = spark.detect(df, tmp_path / "steps", Settings(workers=1))
    assert first.count() == len(ROWS)
    assert spark.corpus_pass(df, tmp_path / "steps").filter("reason is not null").count() == 0
    parts = spark.release(df, tmp_path / "steps").frame.collect()
    assert sorted(parts) == sorted(whole)


def logged(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What Spark logged by now, and what it wrote of its events."""
    files = [path for path in tmp_path_factory.getbasetemp().glob("events*/**/*") if path.is_file()]
    return "".join(path.read_text("utf-8", errors="replace") for path in files)


def dying(step: Any, once: str) -> Any:
    """The step in a worker that is killed in its second batch, the first time."""

    def run(batches: Any, work: Any) -> Any:
        import os
        import signal

        for number, batch in enumerate(step(batches, work)):
            if number == 1 and not os.path.exists(once):  # noqa: PTH110
                os.close(os.open(once, os.O_CREAT))
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    return run


def test_a_killed_worker_changes_nothing(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In each step a Python worker is killed once, when it has given a part of its rows."""
    settings = Settings(workers=1, rare_pairs="values")
    local = {one.id: one.content for one in linkmask.mask(ROWS, settings).documents}
    steps = {name: dying(step, str(tmp_path / name)) for name, step in spark.STEPS.items()}
    monkeypatch.setattr(spark, "STEPS", steps)
    masked = spark.mask(frame(session).repartition(1), tmp_path / "work", settings)
    assert {row["id"]: row["content"] for row in masked.frame.collect()} == local
    assert all((tmp_path / name).exists() for name in steps)


def failing(batches: Any, work: Any) -> Any:
    """Detection that fails with the rows in its message."""
    from unittest.mock import patch

    from linkmask.pipeline.batches import record_batches as module

    class Failing:
        def batch(self, batch: Any) -> Any:
            raise ValueError(batch.to_pylist())

    with patch.object(module, "loaded", lambda work: Failing()):
        yield from module.detect(batches, work)


def test_an_error_of_a_worker_holds_no_value_nor_do_the_logs(
    session: Any,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pyspark import cloudpickle

    monkeypatch.setattr(spark, "STEPS", {"detect": failing})
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        with pytest.raises(Exception, match="ValueError") as raised:
            spark.mask(frame(session), tmp_path / "work", Settings(workers=1))
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    told = str(raised.value) + logged(tmp_path_factory)
    assert "a batch of" in told
    assert not any(name in told for name in NAMES) and "beekeeper" not in told


def test_no_value_stands_in_the_event_log_nor_the_key_in_the_folder(
    session: Any, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: Any
) -> None:
    key = "c2VjcmV0IGtleSBvZiB0aGUgdGVzdCwgMzIgYnl0ZXM="
    monkeypatch.setenv("LINKMASK_KEY", key)
    df = frame(session)
    settings = Settings(workers=1, style="pseudonym")
    spark.mask(df, tmp_path / "work", settings).frame.collect()
    told = logged(tmp_path_factory)
    assert "SparkListenerJobStart" in told and "DAGScheduler" in told
    assert not any(name in told for name in NAMES) and "beekeeper" not in told
    kept = [path for path in (tmp_path / "work").rglob("*") if path.is_file()]
    assert not any(key.encode() in path.read_bytes() for path in kept)
    assert (tmp_path / "work").stat().st_mode & 0o077 == 0


def test_ids_must_be_there_and_differ(session: Any, tmp_path: Path) -> None:
    for number, rows in enumerate(([ROWS[0], ROWS[0]], [{**ROWS[0], "id": None}])):
        with pytest.raises(InputError, match="an id of its own"):
            spark.mask(frame(session, rows), tmp_path / f"work{number}")


def test_a_folder_that_is_there_is_refused_and_a_model_too(session: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give a new folder"):
        spark.mask(frame(session), tmp_path)
    with pytest.raises(UsageError, match="detector"):
        spark.mask(frame(session), tmp_path / "work", Settings(detector="llm", llm_model="m"))
