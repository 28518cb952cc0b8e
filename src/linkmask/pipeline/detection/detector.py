"""Detects in one document, in two passes, as in the corpus that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import msgspec

from linkmask import detect, runs
from linkmask.config import Settings
from linkmask.detect.lexicon.name_words import listed
from linkmask.detect.other_detectors import other_detectors
from linkmask.detect.patterns.own import own_recognizers
from linkmask.detect.view.readings import day_first, readings, scope_of
from linkmask.graph import entities
from linkmask.graph.affected import affected_by
from linkmask.pipeline.correcting import make_corrector
from linkmask.pipeline.reading import Pair
from linkmask.records import Document, Mention
from linkmask.runs import Run

TOGETHER = 250_000
"""Characters of the texts that the first pass reads together, so that each step loads its tables
once for all of them."""


def size(item: tuple[Any, ...]) -> int:
    """Return how much an item's document counts in `TOGETHER`: its characters, at least 250."""
    return max(len(item[0].content), 250)


@dataclass(frozen=True)
class Detector:
    """Both passes of detection over one document. Without a vocabulary there is only the first."""

    settings: Settings
    vocabulary: detect.Vocabulary | None = None
    aliases: entities.Aliases | None = None
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
        pairs = list(zip(documents, found, strict=True))
        return list(map(self.correct, self.corpus_passes_uncorrected(pairs)))

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
            here = entities.values_in(found)
            resolve = partial(self.aliases.meaning, in_document=here)
        return detect.run_corpus_pass(
            document, found, self.vocabulary, self.settings, self._canonical, resolve
        )

    def corpus_passes_uncorrected(self, pairs: Sequence[Pair]) -> list[list[Mention]]:
        """Search documents likewise for the values that can stand in any of them."""
        near = self
        if self.vocabulary is not None:
            read = (one for document, _ in pairs for one in readings(document, self.settings))
            near = replace(self, vocabulary=self.vocabulary.near(one.value for one in read))
        return list(map(near.corpus_pass_uncorrected, pairs))

    def own_value(self, document: Document, mention: Mention) -> str:
        """Return the value that a mention's spelling has by itself in a document."""
        first = day_first(scope_of(document, self.settings))
        return self._canonical(mention.type, mention.original, day_first=first)

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
    if not settings.detection.alone:
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
    return entities.canonical if settings.same_thing else _normalized


def _normalized(entity_type: str, surface: str, *, day_first: bool = False) -> str:
    return runs.lower_and_collapse(entity_type, surface)


def same_thing(
    run: Run, log: str, settings: Settings
) -> tuple[entities.Aliases | None, Callable[[str, str], tuple[str, ...]]]:
    """Return what `aliases_of` does, for the values in a log of a run."""
    return aliases_of({(m.type, m.value) for m in run.mentions(log)}, settings)


def aliases_of(
    values: Iterable[tuple[str, str]], settings: Settings
) -> tuple[entities.Aliases | None, Callable[[str, str], tuple[str, ...]]]:
    """Return a corpus's aliases and the ways to write a value; none where `same_thing` is off.

    `values`: type and value of each entity.
    """
    if not settings.same_thing:
        return None, lambda entity_type, value: ()
    aliases = entities.Aliases(((kind, value, 0) for kind, value in values), listed)
    return aliases, aliases.forms
