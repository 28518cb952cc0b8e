"""Offers the steps over documents as pure functions over Arrow record batches.

`detect`, `corpus_pass`, `words`, `rare_terms`, `check` and `release` take an iterator of record
batches and yield record batches: what Spark's `mapInArrow`, Ray Data and a process pool call. What
a step needs beside its batches is in one file, `StepWork`, which every process opens once. A
function gives the same rows for a batch whenever, wherever and however often it is called, so that
tasks may be killed, repeated and reordered. An error that leaves it names no value of a document.

A batch holds the columns of the corpus, a column `KEY` with the document's id as text, and, except
the first step, a column `DATA` with what an earlier step made of the document.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from linkmask.detect.ner.model import FILE as WEIGHTS
from linkmask.errors import LinkmaskError, RunError
from linkmask.runs import atomic
from linkmask.version import __version__

if TYPE_CHECKING:
    import pyarrow as pa

KEY, DATA = "linkmask_document", "linkmask_data"
"""The columns that stand beside those of the corpus."""
COLUMNS = ("document", "data", "step", "reason", "language", "characters")
"""Columns of what all steps but `release` yield, a row for each document: its id; what the step
made of it; or, where it is set aside, at which step and why; after `detect` also its
language, where the style needs it, and how many characters it has."""


class StepWork(NamedTuple):
    """What a step needs, in a file that all processes can read.

    Args:
        path: of the file, which holds values of the corpus: keep it where the run is kept.
        digest: hex SHA-256 of its bytes.
        version: of linkmask and of the weights it detects with, where the file was written.
    """

    path: str
    digest: str
    version: str


def keep_work(path: Path, step: object) -> StepWork:
    """Write a step's work into a file, readable by its owner only.

    Raises:
        RunError: the file can't be written.
    """
    data = pickle.dumps(step, protocol=5)
    try:
        atomic.write_whole(path, [data])
    except OSError as error:
        raise RunError(f"can't write {path}: {error.strerror}") from None
    return StepWork(str(path), sha256(data).hexdigest(), version())


@lru_cache(maxsize=4)
def loaded(work: StepWork) -> Any:
    """Read a step's work; each process does so once.

    Raises:
        RunError: the file is missing or another one, or this process would detect otherwise.
    """
    if work.version != version():
        raise RunError(
            "linkmask or the weights that it detects with differ between driver and workers: "
            "install the same version on all"
        )
    try:
        data = Path(work.path).read_bytes()
    except OSError as error:
        raise RunError(f"can't read {work.path}: {error.strerror}") from None
    if sha256(data).hexdigest() != work.digest:
        raise RunError(f"{work.path} is not what the driver wrote: start again")
    return pickle.loads(data)  # noqa: S301 - the driver told its digest


@cache
def version() -> str:
    """Return what decides how a process detects: the version, and the digest of the weights."""
    return f"{__version__} {sha256(WEIGHTS.read_bytes()).hexdigest()[:16]}"


def schema() -> pa.Schema:
    """Return the schema of what all steps but `release` yield."""
    import pyarrow as pa

    kinds = {"data": pa.binary(), "characters": pa.int64()}
    return pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])


# ── the functions ───────────────────────────────────────────────────────────────────────────────


def detect(batches: Iterator[pa.RecordBatch], work: StepWork) -> Iterator[pa.RecordBatch]:
    """Find mentions in each document by itself (work: `batch_steps.FirstPass`)."""
    return _over(batches, work)


def corpus_pass(batches: Iterator[pa.RecordBatch], work: StepWork) -> Iterator[pa.RecordBatch]:
    """Search each document for what was found anywhere (`batch_steps.CorpusPassStep`)."""
    return _over(batches, work)


def words(batches: Iterator[pa.RecordBatch], work: StepWork) -> Iterator[pa.RecordBatch]:
    """Read the words of each document, by hash (work: `batch_steps.ReadWords`)."""
    return _over(batches, work)


def rare_terms(batches: Iterator[pa.RecordBatch], work: StepWork) -> Iterator[pa.RecordBatch]:
    """Add rare words that are to be masked to the mentions (work: `batch_steps.AddRareTerms`)."""
    return _over(batches, work)


def check(batches: Iterator[pa.RecordBatch], work: StepWork) -> Iterator[pa.RecordBatch]:
    """Mask each document, and check it (work: `batch_steps.MaskAndCheck`)."""
    return _over(batches, work)


def release(batches: Iterator[pa.RecordBatch], work: StepWork) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the corpus masked, in its own columns (work: `batch_steps.Release`)."""
    return _over(batches, work)


STEPS: Mapping[str, Callable[..., Iterator[Any]]] = {
    "detect": detect,
    "corpus_pass": corpus_pass,
    "words": words,
    "rare_terms": rare_terms,
    "check": check,
    "release": release,
}
"""The functions by name, in their order."""


def _over(batches: Iterator[pa.RecordBatch], work: StepWork) -> Iterator[pa.RecordBatch]:
    """Run a step on each batch. An error of another package is reported by its class alone."""
    step = loaded(work)
    for batch in batches:
        try:
            made = step.batch(batch)
        except LinkmaskError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise RunError(f"a batch of {len(batch)} rows failed ({kind})") from None
        yield made
