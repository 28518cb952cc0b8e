"""Steps over record batches give what the whole run in one process gives, however they are cut."""

from __future__ import annotations

import gc
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from weakref import ref

import msgspec
import pyarrow as pa
import pytest

import linkmask
from linkmask import config, detect
from linkmask.config import Settings
from linkmask.errors import InputError, RunError, UsageError
from linkmask.pipeline import plan_and_check
from linkmask.pipeline.batches import DATA, KEY, STEPS, StepWork, keep_work, record_batches
from linkmask.pipeline.batches.batch_job import BatchJob, Row
from linkmask.pipeline.batches.batch_steps import FirstPass
from linkmask.records import Document, Mention
from linkmask.runs import Run

NAMES = "Odalys Brandvold,Teemu Kallio,Wenda Ashgrove,Jorin Maddox,Petra Lindqvist".split(",")
ROWS = [
    {
        "id": f"letter-{n:02}",
        "content": f"{NAMES[n % 5]}, member ID 4471-{n % 7:04}-2, was seen on {1 + n % 9} March "
        f"2024 for asthma. Call 202-555-01{n % 5}3. Claim 77{n % 4} of a beekeeper in Hancock.",
        "metadata": {"by": NAMES[(n + 1) % 5]},
    }
    for n in range(10)
]
PLAIN = Settings(workers=1, rare_pairs="values")


class Local:
    """Runs each step over a table in this process: cut into batches, shuffled, some of it twice."""

    def __init__(self, table: pa.Table, place: Path, parts: int = 1, seed: int = 0) -> None:
        self.table = table.append_column(KEY, table["id"].cast(pa.string()))
        self.place, self.parts, self.random = place, parts, random.Random(seed)
        self.rows: dict[str, list[Row]] = {}

    def __call__(self, name: str, step: Any, beside: str) -> list[Row]:
        found = {row["document"]: row for row in self._made(name, step, beside)}
        self.rows[name] = [found[key] for key in sorted(found)]
        return self.rows[name]

    def masked(self, job: BatchJob) -> dict[str, Any]:
        rows = self._made("release", job.release_work, "check")
        return {row["id"]: row for row in rows}

    def _made(self, name: str, step: Any, beside: str) -> list[Any]:
        work = keep_work(self.place / f"{name}.work", step)
        table = self.table
        if beside:
            data = {row["document"]: row["data"] for row in self.rows[beside]}
            made = [data[key] for key in table[KEY].to_pylist()]
            table = table.append_column(DATA, pa.array(made, pa.binary()))
        tasks = table.to_batches(max(len(table) // self.parts, 1))
        self.random.shuffle(tasks)
        again = tasks + tasks[:1]  # a task that was killed, or is done by two
        done = [list(STEPS[name](iter([task]), work)) for task in again]
        assert [one.equals(other) for one, other in zip(done[-1], done[0], strict=True)] == [True]
        return [row for part in done for batch in part for row in batch.to_pylist()]


def masked(
    place: Path, rows: Sequence[Any], settings: Settings, parts: int, seed: int
) -> tuple[dict[str, Any], BatchJob]:
    """The masked rows by id, and the job that planned them."""
    place.mkdir()
    spread = Local(pa.Table.from_pylist(list(rows)), place, parts, seed)
    with Run.create(place / "run", settings, source=place, digest="") as run:
        job = BatchJob(run, settings, spread)
        job.detect()
        job.score()
        plan_and_check(job)
        return spread.masked(job), job


@pytest.mark.parametrize("style", ["value", "surrogate", "pseudonym"])
def test_any_partition_and_order_gives_the_bytes_of_the_run_in_one_process(
    style: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a task that is repeated the same rows: pseudonyms by one key, surrogates by the seed."""
    monkeypatch.setenv("LINKMASK_KEY", "a" * 64)
    settings = msgspec.structs.replace(PLAIN, style=style)
    whole = {one.id: one for one in linkmask.mask(ROWS, settings).documents}
    for parts, seed in ((1, 0), (4, 1)):
        found, job = masked(tmp_path / f"{parts}", ROWS, settings, parts, seed)
        assert {name: row["content"] for name, row in found.items()} == {
            name: one.content for name, one in whole.items()
        }
        assert {name: row["metadata"] for name, row in found.items()} == {
            name: dict(one.metadata) for name, one in whole.items()
        }
        assert len(found) == len(ROWS) and not job.aside


def test_rare_words_are_masked_over_batches_as_in_one_process(tmp_path: Path) -> None:
    """Each of two words stands in two documents that share a value, and in one of others."""
    words = ("gyrfalcon", "gyrfalcon", "zither", "harp", "zither", "harp")
    rows = [
        row | {"content": f"{row['content']} We spoke of the {word}."}
        for row, word in zip(ROWS, words, strict=False)
    ]
    rows[5]["content"] = "Rules on travel were read by the board. A gyrfalcon was seen."
    whole = {one.id: one.content for one in linkmask.mask(rows, PLAIN).documents}
    held = [sum(word in text for text in whole.values()) for word in ("gyrfalcon", "zither")]
    assert held == [2, 1] and "gyrfalcon" in whole["letter-05"]
    found, _ = masked(tmp_path / "run", rows, PLAIN, 3, 0)
    assert {name: row["content"] for name, row in found.items()} == whole


def test_batches_choose_rare_words_by_values_where_nothing_is_set_and_say_so(
    tmp_path: Path,
) -> None:
    given = Settings(workers=1)
    found, job = masked(tmp_path / "auto", ROWS, given, 1, 0)
    by_values, _ = masked(tmp_path / "values", ROWS, PLAIN, 1, 0)
    assert found == by_values and given.rare_pairs == "auto"
    assert job.run.settings.rare_pairs == "values" == job.audit([]).settings["rare_pairs"]


def test_batches_say_that_what_the_linker_finds_is_not_measured(tmp_path: Path) -> None:
    _, job = masked(tmp_path / "run", ROWS, Settings(workers=1), 1, 0)
    assert job.audit([]).linkage == {"not_measured": "no text is in one place over batches"}


def test_a_value_that_only_a_check_sees_is_masked_in_another_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the run in one process does; the detector is made to miss a number beside a name."""
    find = detect.first_passes

    def missing(documents: Sequence[Document], *rest: Any) -> list[list[Mention]]:
        both = zip(documents, find(documents, *rest), strict=True)
        return [
            [m for m in found if "0142" not in m.original or "Kallio" not in one.content]
            for one, found in both
        ]

    monkeypatch.setattr(detect, "first_passes", missing)
    late = {"id": "z", "content": "Mr Teemu Kallio has 202-555-0142.", "metadata": {"by": "me"}}
    whole = linkmask.mask([*ROWS[:3], late], PLAIN)
    found, job = masked(tmp_path / "work", [*ROWS[:3], late], PLAIN, 2, 0)
    assert job.retries == 1 and "0142" not in found["z"]["content"]
    assert {name: row["content"] for name, row in found.items()} == {
        one.id: one.content for one in whole.documents
    }


def test_ids_must_be_there_and_differ(tmp_path: Path) -> None:
    for number, rows in enumerate(([ROWS[0], ROWS[0]], [{**ROWS[0], "id": None}])):
        table = pa.Table.from_pylist(rows, pa.Table.from_pylist(ROWS).schema)
        step = FirstPass(PLAIN)
        work = keep_work(tmp_path / f"{number}.work", step)
        table = table.append_column(KEY, table["id"])
        made = [
            row
            for one in record_batches.detect(iter(table.to_batches()), work)
            for row in one.to_pylist()
        ]
        with (
            Run.create(tmp_path / f"run{number}", PLAIN, source=tmp_path, digest="") as run,
            pytest.raises(InputError, match="an id of its own"),
        ):
            BatchJob(run, PLAIN, lambda *given, made=made: made).first_pass()


def test_a_field_that_changed_since_the_check_is_not_released(tmp_path: Path) -> None:
    _, job = masked(tmp_path / "work", ROWS, PLAIN, 1, 0)
    spread = job._spread
    other = [{**row, "note": "Teemu Kallio"} for row in ROWS]
    spread.table = pa.Table.from_pylist(other).append_column(KEY, spread.table[KEY])
    with pytest.raises(RunError, match="the corpus has changed"):
        spread.masked(job)


class Failing:
    """A step whose error holds a value."""

    def batch(self, batch: Any) -> Any:
        raise ValueError(f"can't read {batch.to_pylist()}")


def test_an_error_on_a_worker_names_no_value(tmp_path: Path) -> None:
    work = keep_work(tmp_path / "work", Failing())
    table = pa.Table.from_pylist(ROWS[:1])
    with pytest.raises(RunError) as failure:
        list(record_batches.detect(iter(table.to_batches()), work))
    assert str(failure.value) == "a batch of 1 rows failed (ValueError)"
    assert failure.value.__suppress_context__


def test_a_worker_of_another_version_or_with_another_file_refuses(tmp_path: Path) -> None:
    work = keep_work(tmp_path / "work", FirstPass(PLAIN))
    with pytest.raises(RunError, match="the same version on all"):
        record_batches.loaded(work._replace(version="0 other weights"))
    Path(work.path).write_bytes(pickle.dumps("another"))
    with pytest.raises(RunError, match="not what the driver wrote"):
        record_batches.loaded(work)
    with pytest.raises(RunError, match="can't read"):
        record_batches.loaded(StepWork(str(tmp_path / "none"), "", record_batches.version()))


@pytest.mark.parametrize(
    "given",
    [
        {"detector": "llm", "llm_model": "m"},
        {"style": "rewrite"},
        {"chunk_size": 500},
        {"rare_pairs": "linker"},
        {"sentence_model": "folder"},
        {"link_limit": 0.5},
        {"link_candidates": 5},
    ],
)
def test_what_needs_the_whole_corpus_in_one_place_is_refused(given: Any, tmp_path: Path) -> None:
    settings = Settings(**given)
    with (
        Run.create(tmp_path / "run", settings, source=tmp_path, digest="") as run,
        pytest.raises(UsageError, match=next(iter(given))),
    ):
        BatchJob(run, settings, lambda *given: ())


def test_a_setting_that_a_preset_sets_is_refused_with_what_to_set_in_its_place(
    tmp_path: Path,
) -> None:
    settings = config.load(preset="release", environment={})
    with (
        Run.create(tmp_path / "run", settings, source=tmp_path, digest="") as run,
        pytest.raises(UsageError, match=r"rare_pairs .*: set it to 'auto'"),
    ):
        BatchJob(run, settings, lambda *given: ())


PEAK = """
import sys, pyarrow as pa
from resource import RUSAGE_SELF, getrusage
from linkmask.pipeline.batches import record_batches
def table(first, last):
    for n in range(first, last):
        rows = [{"id": f"{n}-{k}", "content": f"Mr Kallio {n} of Hancock called {k}. " * 9}
                for k in range(10)]
        one = pa.Table.from_pylist(rows)
        yield one.append_column(record_batches.KEY, one["id"]).to_batches()[0]
work = record_batches.StepWork(*sys.argv[1:])
for first, last in ((0, 6), (6, 60)):
    for batch in record_batches.detect(table(first, last), work):
        pass
    print(getrusage(RUSAGE_SELF).ru_maxrss)
"""


def test_memory_of_a_worker_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """Ten times the batches, and at the peak no 20 MB more."""
    work = keep_work(tmp_path / "work", FirstPass(PLAIN))
    command = [sys.executable, "-c", PEAK, *work]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    few, many = map(int, done.stdout.split())
    assert many - few < 20_000


@pytest.mark.parametrize("parts", [3, 30])
def test_no_batch_is_held_when_the_next_is_asked_for(tmp_path: Path, parts: int) -> None:
    """So that a worker's memory is that of a batch, over any number of rows."""
    work = keep_work(tmp_path / "detect.work", FirstPass(PLAIN))
    pool, seen, held = pa.default_memory_pool(), list[Any](), list[int]()
    gc.freeze()  # what was there before holds no batch, and is not looked through for each

    def stream() -> Iterator[pa.RecordBatch]:
        for n in range(parts):
            batch = pa.RecordBatch.from_pylist([{**ROWS[0], "id": f"{n}", KEY: f"{n}"}])
            seen.append(ref(batch))
            yield batch
            del batch

    for made in record_batches.detect(stream(), work):
        gc.collect()
        assert not any(one() is not None for one in seen[:-1])
        held.append(pool.bytes_allocated())
        seen.append(ref(made))
        del made
    assert len(held) == parts and max(held[2:]) <= max(held[:2]) + 64
