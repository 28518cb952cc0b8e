"""Detects in a whole corpus, in two passes, into a run; or takes mentions that were given.

A `Source` can be read again and again; detections are logged document by document, so that a
killed run goes on from where it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from linkmask import detect, runs
from linkmask.config import Settings
from linkmask.detect.lexicon.gazetteer import listed
from linkmask.detect.other_detectors import other_detectors
from linkmask.detect.recognizers.own import own_recognizers
from linkmask.errors import InputError
from linkmask.graph import entities as sameness
from linkmask.graph.affected import affected_by
from linkmask.pipeline.correcting import make_corrector
from linkmask.pipeline.kept_words import KeptWords
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.reading import Pair, readable, with_mentions, worked
from linkmask.records import Document, Mention, SetAside
from linkmask.redact import ValueLocator
from linkmask.runs import Run
from linkmask.workers import Batched, Failure


def detect_corpus(
    source: Source,
    run: Run,
    settings: Settings,
    progress: Progress = silent,
    spoken: dict[str, str] | None = None,
) -> tuple[CorpusCounts, Detector, KeptWords | None]:
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
    append_to_log(
        run, "stage1", pairs, work, counted, progress, lambda: getattr(source, "expected", None)
    )
    counted.documents = len(run.documents("stage1"))
    found = with_mentions(source, run, "stage1", counted)
    pairs = (item for item in found if not isinstance(item, SetAside))
    detector, kept = corpus_detector(run, settings), None
    if detector.vocabulary is not None:
        kept = KeptWords(run.path, detector.vocabulary)
        detector = replace(detector, vocabulary=detector.vocabulary.packed())
    append_to_log(run, "mentions", pairs, detector.corpus_pass_uncorrected, counted, progress)
    return counted, corrected(detector, run, settings), kept


def _noting_languages(
    pairs: Iterable[Pair], settings: Settings, spoken: dict[str, str]
) -> Iterator[Pair]:
    """Yield documents and note the language of each, so that the corpus is read once."""
    for pair in pairs:
        spoken[pair[0].id] = detect.language_of(pair[0], settings)
        yield pair


TOGETHER = 250_000
"""Characters of the texts that the first pass reads together, so that each step loads its tables
once for all of them."""


def size(item: tuple[Any, ...]) -> int:
    """Return the size of an item's document in `TOGETHER`: its characters, a short one's as 250."""
    return max(len(item[0].content), 250)


@dataclass(frozen=True)
class Detector:
    """Both passes of detection over one document. Without a vocabulary there is only the first."""

    settings: Settings
    vocabulary: detect.Vocabulary | None = None
    aliases: sameness.Aliases | None = None
    correct: Callable[[list[Mention]], list[Mention]] = list
    """Applies the corrections that a user made of entities."""

    def __post_init__(self) -> None:
        own_recognizers(
            self.settings
        )  # an error in them is reported at once, and not for each document
        other_detectors(self.settings)

    def __call__(self, document: Document) -> list[Mention]:
        """Detect in a document as in the corpus it belongs to."""
        return self.many([document])[0]

    def many(self, documents: Sequence[Document]) -> list[list[Mention]]:
        """Detect in each of some documents as in the corpus they belong to."""
        found = self.first_passes([(document, []) for document in documents])
        return list(map(self.corpus_pass, zip(documents, found, strict=True)))

    def first_pass(self, pair: Pair) -> list[Mention]:
        """Find mentions in a document by itself."""
        return self.first_passes([pair])[0]

    def first_passes(self, pairs: Sequence[Pair]) -> list[list[Mention]]:
        """Find mentions in each of some documents by itself."""
        documents = [document for document, _ in pairs]
        return detect.first_passes(documents, self.settings, self._canonical)

    def corpus_pass(self, pair: Pair) -> list[Mention]:
        """Search a document for what was found anywhere in the corpus."""
        return self.correct(self.corpus_pass_uncorrected(pair))

    def corpus_pass_uncorrected(self, pair: Pair) -> list[Mention]:
        """Search a document likewise, without applying corrections."""
        document, found = pair
        if self.vocabulary is None:
            return found
        resolve = None
        if self.aliases is not None:
            here = frozenset(mention.value for mention in found)
            resolve = partial(self.aliases.resolve, in_document=here)
        return detect.run_corpus_pass(
            document, found, self.vocabulary, self.settings, self._canonical, resolve
        )

    @property
    def _canonical(self) -> Callable[..., str]:
        return canonical(self.settings)


class PriorVocabulary(NamedTuple):
    """The vocabulary of the last edition, and the ids of the documents added since.

    `added` is None if documents also changed or were deleted; then all values are counted anew.
    """

    vocabulary: detect.Vocabulary
    added: Collection[str] | None


def corpus_detector(run: Run, settings: Settings, grown: PriorVocabulary | None = None) -> Detector:
    """Return the detector that knows what the run's first pass found.

    `grown` only saves work: the detector is the same without it.
    """
    if not settings.corpus_pass:
        return Detector(settings)
    own, last = own_recognizers(settings), grown.vocabulary if grown else None
    if grown and grown.added is not None:
        found, before = run.mentions_of(grown.added, "stage1"), grown.vocabulary.statistics
    else:
        found, before = run.mentions("stage1"), iter(())
    spreading = (m for m in found if own is None or own.spreads(m.why))
    values = detect.value_statistics(spreading, before)
    known = {(one.type, one.value) for one in values}
    aliases, forms = aliases_of(known, settings)
    spellings = aliases.spellings if aliases else forms
    facts = aliases.facts if aliases else detect.no_facts
    size = len(run.documents("stage1"))
    affected: Callable[[str, str], bool] = detect.always
    if last is not None:
        affected = affected_by(known ^ {(one.type, one.value) for one in last.statistics})
    words = detect.vocabulary(values, size, settings, spellings, facts, last, affected)
    return Detector(settings, words, aliases)


def detector_of_masked(run: Run, settings: Settings) -> Detector | FloorDetector | None:
    """Return the detector for masked documents: detection as it was in the run.

    A language model is not asked again. With detector `llm`, patterns search for types of the
    floor, so that no number stays that the model missed.
    """
    if settings.detector != "llm":
        return corrected(corpus_detector(run, settings), run, settings)
    patterns = Detector(msgspec.structs.replace(settings, detector="patterns"))
    patterns = corrected(patterns, run, settings)
    return FloorDetector(patterns, frozenset(settings.floor)) if settings.floor else None


def corrected(detector: Detector, run: Run, settings: Settings) -> Detector:
    """Return a detector that applies a person's corrections of the run's entities."""
    return replace(detector, correct=make_corrector(run, settings) or list)


@dataclass(frozen=True)
class FloorDetector:
    """Detection of certain types only."""

    detector: Detector
    types: frozenset[str]

    def __call__(self, document: Document) -> list[Mention]:
        """Detect in a document by itself."""
        return self.many([document])[0]

    def many(self, documents: Sequence[Document]) -> list[list[Mention]]:
        """Detect in each of some documents by itself."""
        found = self.detector.many(documents)
        return [[m for m in each if m.type in self.types] for each in found]


def canonical(settings: Settings) -> Callable[..., str]:
    """Return what brings a value to the form that all its spellings share."""
    return sameness.canonical if settings.same_thing else _normalized


def _normalized(entity_type: str, surface: str, *, day_first: bool = False) -> str:
    return runs.lower_and_collapse(entity_type, surface)


def same_thing(
    run: Run, log: str, settings: Settings
) -> tuple[sameness.Aliases | None, Callable[[str, str], tuple[str, ...]]]:
    """Return what `aliases_of` does, for the values in a log of a run."""
    return aliases_of({(m.type, m.value) for m in run.mentions(log)}, settings)


def aliases_of(
    values: Iterable[tuple[str, str]], settings: Settings
) -> tuple[sameness.Aliases | None, Callable[[str, str], tuple[str, ...]]]:
    """Return a corpus's aliases and the ways to write a value; none where `same_thing` is off.

    `values`: type and value of each entity.
    """
    if not settings.same_thing:
        return None, lambda entity_type, value: ()
    aliases = sameness.Aliases(((kind, value, 0) for kind, value in values), listed)
    return aliases, aliases.forms


def place_given_mentions(
    source: Source,
    run: Run,
    settings: Settings,
    given: Mapping[str, Sequence[Mention]],
    progress: Progress = silent,
) -> CorpusCounts:
    """Take mentions that were given, by document id, instead of detecting.

    If a mention has no offsets, or wrong ones, every whole-word occurrence of its value in the
    document is a mention (formulas.md §10.1). A value without an occurrence is dropped and counted.
    """
    counted = CorpusCounts()
    everything = {m.original for mentions in given.values() for m in mentions}
    finder = ValueLocator(sorted(everything))
    known = 0
    with run.log("mentions") as log:
        for document, _ in readable(source, counted):
            found, lost = finder.place(document, given.get(document.id, ()))
            log.add(document.id, found)
            if lost:
                counted.dropped["value not in the text"] = (
                    counted.dropped.get("value not in the text", 0) + lost
                )
            known += document.id in given
            counted.documents += 1
            progress("locate", counted.documents, None)
        log.finish()
    if foreign := len(given) - known:
        counted.dropped["document not in the corpus"] = foreign
    return counted


def read_given(path: Path, settings: Settings) -> tuple[dict[str, list[Mention]], dict[str, int]]:
    """Read a mentions file by document, and count the rows dropped, by reason.

    Raises:
        InputError: no row can be used, so that everything would be released as it is.
    """
    types = settings.entity_types
    dropped: Counter[str] = Counter()
    by_document: dict[str, list[Mention]] = {}
    for mention in runs.read_mentions(path, types.type_of, runs.lower_and_collapse, dropped):
        by_document.setdefault(mention.document, []).append(mention)
    if not by_document:
        reasons = ", ".join(f"{n} × {reason}" for reason, n in sorted(dropped.items()))
        raise InputError(f"no row of {path} is a mention ({reasons or 'it is empty'})")
    return by_document, dict(sorted(dropped.items()))


def languages(source: Source, settings: Settings) -> dict[str, str]:
    """Return the language of each document by its id."""
    return {
        item.id: detect.language_of(item, settings)
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
) -> None:
    """Do the work on every document that a log of the run does not hold yet, in order.

    `total` tells how many documents there are while they are not counted yet.
    """
    with run.log(name) as log:
        fresh = (pair for pair in pairs if pair[0].id not in log.done)
        for document, mentions in worked(work, fresh, run.settings.workers):
            if isinstance(mentions, Failure):
                counted.set_aside(document, "detect", mentions.says("detection failed"))
            else:
                log.add(document.id, mentions)
            progress(STEPS[name], len(log.done), counted.documents or total())
        log.finish()


STEPS = {"stage1": "detect", "mentions": "corpus pass"}
"""Log of the run → name of its step in the progress bar."""
