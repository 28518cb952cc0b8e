"""Masks a Spark data frame, a document in each row: texts stay on the workers.

The steps over documents are the functions of `linkmask.pipeline.batches`, called by `mapInArrow`.
What they make of each document lies as Parquet in a folder that driver and workers can read and
write, `folder`, beside a private run. Scores and plan are made on the driver, which reads mentions
and no texts. Nothing is broadcast: each worker reads what a step needs once from a file.

    from linkmask.adapters import spark

    masked = spark.mask(df, "/shared/claims")
    masked.frame.write.parquet("/shared/claims-masked")

`mask` is `detect`, `corpus_pass` and `release`, one after another. The folder holds identifying
values: keep it private, and delete it when the masked frame is written. Needs the extra `spark`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from linkmask.config import Settings, checked
from linkmask.errors import RunError, UsageError
from linkmask.pipeline import plan_and_check
from linkmask.pipeline.batches import DATA, KEY, STEPS, StepWork, keep_work
from linkmask.pipeline.batches.batch_job import BatchJob, Row
from linkmask.records import Audit, Finding, SetAside
from linkmask.runs import Run

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROWS = "document string, data binary, step string, reason string, language string, characters long"
"""Schema of what a step makes, a row for each document; see `batches.COLUMNS`."""


class SparkMasked(NamedTuple):
    """What masking a frame gave.

    `frame` has the columns of the input, and the rows of the documents that are released; it is
    computed when it is asked for. `set_aside` are the others; `findings` is what the look at the
    masked documents found; `audit` the whole run in numbers.
    """

    frame: DataFrame
    set_aside: list[SetAside]
    findings: list[Finding]
    audit: Audit


def mask(
    df: DataFrame, folder: str | os.PathLike[str], settings: Settings | None = None
) -> SparkMasked:
    """Mask a data frame: detect, score, plan, mask and check, as `linkmask.mask` does.

    Args:
        df: a row for each document, with an id of its own. It is read six times, and must be the
            same each time: give one that is read from files, or cached.
        folder: does not exist yet; driver and workers read and write it by this path.
        settings: as from `linkmask.load`; they name the columns that hold text, id and metadata.

    Returns:
        The masked frame, the same as of `linkmask.mask` of the rows by ascending id.

    Raises:
        InputError: a row has no id, or two have one.
        UsageError: the folder is there already, or a setting needs the whole corpus in one place.
        RunError: a worker has another version of linkmask, or the frame changed meanwhile.
    """
    detect(df, folder, settings)
    corpus_pass(df, folder)
    return release(df, folder)


def detect(
    df: DataFrame, folder: str | os.PathLike[str], settings: Settings | None = None
) -> DataFrame:
    """Find mentions in each document by itself.

    Returns:
        A row for each document: `document`, `data` (its mentions, lines of a mentions file), and
        `step` and `reason` where it was set aside.

    Raises:
        UsageError: there is something at `folder`.
    """
    place = Path(folder).absolute()
    if place.exists():
        raise UsageError(f"{place} is there already: give a new folder")
    settings = checked(settings or Settings())
    place.mkdir(mode=0o700, parents=True)
    with Run.create(place / "run", settings, source=place, digest="") as run:
        spread = _SparkSpread(df, place, settings)
        BatchJob(run, settings, spread).first_pass()
    return spread.frame("detect")


def corpus_pass(df: DataFrame, folder: str | os.PathLike[str]) -> DataFrame:
    """Search each document for what `detect` found anywhere in the corpus, and for rare words.

    Returns:
        Rows as those of `detect`.
    """
    place = Path(folder).absolute()
    with Run.open(place / "run", write=True) as run:
        spread = _SparkSpread(df, place, run.settings)
        job = BatchJob(run, run.settings, spread)
        job.run_corpus_pass()
        job.add_rare_terms()
    return spread.frame(job.last_detection)


def release(df: DataFrame, folder: str | os.PathLike[str]) -> SparkMasked:
    """Score and plan what was found, mask and check each document, and give the masked frame."""
    place = Path(folder).absolute()
    with Run.open(place / "run", write=True) as run:
        spread = _SparkSpread(df, place, run.settings)
        job = BatchJob(run, run.settings, spread)
        job.recall(spread.rows("detect"))
        job.recall(spread.rows(job.last_detection))
        job.score()
        findings = plan_and_check(job)
        work = keep_work(place / "release.work", job.release_work)
        frame = spread.step("release", work, "check", df.schema)
        return SparkMasked(frame, list(job.aside), findings, job.audit(findings))


class _SparkSpread:
    """Runs a step over a frame's documents, and keeps what it makes as Parquet."""

    def __init__(self, df: DataFrame, place: Path, settings: Settings) -> None:
        from pyspark.sql.functions import col

        if taken := {KEY, DATA}.intersection(df.columns):
            raise UsageError(f"the frame has a column {min(taken)}: rename it")
        if settings.id_field not in df.columns:
            raise UsageError(f"the frame has no column {settings.id_field}: set id_field")
        self._df = df.withColumn(KEY, col(settings.id_field).cast("string"))
        self._place = place

    def __call__(self, name: str, step: Any, beside: str) -> Iterator[Row]:
        """Run a step, and give its rows by ascending document."""
        work = keep_work(self._place / f"{name}.work", step)
        made = self.step(name, work, beside, ROWS)
        made.write.mode("overwrite").parquet(self._at(name))
        Path(work.path).unlink()  # it may hold the key
        return self.rows(name)

    def step(self, name: str, work: StepWork, beside: str, schema: Any) -> DataFrame:
        """Return the frame that a step makes, beside what an earlier one made."""
        from pyspark.sql.functions import col

        df = self._df
        if beside:
            made = self.frame(beside).select(col("document").alias(KEY), col("data").alias(DATA))
            df = df.join(made, KEY, "left")
        return df.mapInArrow(partial(STEPS[name], work=work), schema)

    def frame(self, name: str) -> DataFrame:
        """Return what a step made as a frame."""
        return self._df.sparkSession.read.parquet(self._at(name))

    def rows(self, name: str) -> Iterator[Row]:
        """Yield what a step made, on the driver, by ascending document.

        Raises:
            RunError: the step has not run.
        """
        import pyarrow.dataset as ds

        if not (self._place / name).is_dir():
            raise RunError(f"{self._place} holds no {name}: run that step first")
        table = ds.dataset(self._place / name, format="parquet").to_table().sort_by("document")
        for batch in table.to_batches(1024):
            yield from batch.to_pylist()

    def _at(self, name: str) -> str:
        return (self._place / name).as_uri()
