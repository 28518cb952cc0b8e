"""Detects in a whole corpus, in two passes, into a run.

A `Source` can be read again and again; detections are logged document by document, so that a
killed run goes on from where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from linkmask import detect
from linkmask.config import Settings
from linkmask.pipeline.detection.detector import (
    TOGETHER,
    Detector,
    corpus_detector,
    corrected,
    size,
)
from linkmask.pipeline.detection.stored_vocabulary import StoredVocabulary
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.reading import Pair, readable, with_mentions, worked
from linkmask.records import Document, Mention, SetAside
from linkmask.runs import Run
from linkmask.runs.languages import keep_uncovered
from linkmask.workers import Batched, Failure


def detect_corpus(
    source: Source,
    run: Run,
    settings: Settings,
    progress: Progress = silent,
    spoken: dict[str, str] | None = None,
) -> tuple[CorpusCounts, Detector, StoredVocabulary | None]:
    """Detect in every document, in two passes, into the run's mentions.

    A document that a detector fails on is set aside; what a killed run had finished is kept.

    Args:
        spoken: is given the language of each document by its id, where it is asked for.

    Returns:
        What was read; the detector that knows the corpus: the check detects with the same; and
        what the next edition needs of its vocabulary, where there is one.
    """
    counted = CorpusCounts()
    detector = Detector(settings)
    work = Batched(detector.first_pass, detector.first_passes, size, TOGETHER)
    pairs = readable(source, counted)
    if spoken is not None:
        pairs = _noting_languages(pairs, settings, spoken)
    uncovered = dict[str, str]()
    pairs = noting_uncovered(pairs, uncovered)
    append_to_log(
        run, "stage1", pairs, work, counted, progress, lambda: getattr(source, "expected", None)
    )
    counted.documents = len(run.documents("stage1"))
    keep_uncovered(run, uncovered)
    found = with_mentions(source, run, "stage1", counted)
    pairs = (item for item in found if not isinstance(item, SetAside))
    detector, kept = corpus_detector(run, settings), None
    if detector.vocabulary is not None:
        kept = StoredVocabulary(run.path, detector.vocabulary)
        detector = replace(detector, vocabulary=detector.vocabulary.packed())
    append_to_log(run, "mentions", pairs, detector.corpus_pass_uncorrected, counted, progress)
    return counted, corrected(detector, run, settings), kept


def _noting_languages(
    pairs: Iterable[Pair], settings: Settings, spoken: dict[str, str]
) -> Iterator[Pair]:
    """Yield documents and note the language of each, so that the corpus is read once."""
    for pair in pairs:
        spoken[pair[0].id] = detect.written_language_of(pair[0], settings)
        yield pair


def noting_uncovered(pairs: Iterable[Pair], uncovered: dict[str, str]) -> Iterator[Pair]:
    """Yield documents and note those in a language that detection does not cover."""
    for pair in pairs:
        if language := detect.uncovered_language_of(pair[0]):
            uncovered[pair[0].id] = language
        yield pair


def languages(source: Source, settings: Settings) -> dict[str, str]:
    """Return the language of each document by its id."""
    return {
        item.id: detect.written_language_of(item, settings)
        for item in source()
        if isinstance(item, Document)
    }


def append_to_log(
    run: Run,
    name: str,
    pairs: Iterator[Pair],
    work: Callable[[Pair], list[Mention]],
    counted: CorpusCounts,
    progress: Progress,
    total: Callable[[], int | None] = lambda: None,
    workers: int | None = None,
) -> None:
    """Do the work on every document that a log of the run does not hold yet, in order.

    `total` tells how many documents there are while they are not counted yet. `workers` is the
    number of processes; by default, that of the run's settings.
    """
    workers = run.settings.workers if workers is None else workers
    with run.log(name) as log:
        fresh = (pair for pair in pairs if pair[0].id not in log.done)
        for document, mentions in worked(work, fresh, workers):
            if isinstance(mentions, Failure):
                counted.set_aside(document, "detect", mentions.message_or("detection failed"))
            else:
                log.add(document.id, mentions)
            progress(STEPS[name], len(log.done), counted.documents or total())
        log.finish()


STEPS = {"stage1": "detect", "mentions": "corpus pass"}
"""Log of the run → name of its step in the progress bar."""
