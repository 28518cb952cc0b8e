"""Detects with a language model in a whole corpus, in two stages (formulas.md §3), into a run.

What the other detectors find is found beside it, in the workers: with `embedded+llm` it is part of
the result, with `llm` it only tells whether the model found far less than it should have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.detect import prompted
from linkmask.detect.candidates import OWN
from linkmask.detect.corpus_pass import resolved
from linkmask.detect.patterns.own import unkept
from linkmask.detect.prompted import DocumentAnswer, Existing, Question
from linkmask.detect.view.readings import day_first, schema_weights, scope_of
from linkmask.graph.entities import values_in
from linkmask.llm import LanguageModel
from linkmask.pipeline.detection.corpus_detection import STEPS, append_to_log
from linkmask.pipeline.detection.detector import Detector, canonical, corpus_detector, same_thing
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.reading import Pair, readable, with_mentions, worked
from linkmask.records import Document, Mention, SetAside
from linkmask.runs import Run, ledger
from linkmask.workers import Failure

SURE = 0.5
"""Relevance from which on a model should have named what patterns see."""
COUNTED = frozenset({"patterns", OWN, "fields", "tables", prompted.DETECTOR})
"""Detectors whose mentions a model should have named; of others, only direct identifiers."""
FEW = 2
"""With at least so many values that patterns find, a model that names few of them is doubted."""
SHARE = 1 / 3
"""A model that names less than this share of them is doubted."""
TALKED_DOWN = 1 / 4
"""A span of a model with less than this share of the pattern's contribution does not count."""
DOUBTED = "the model found far less than patterns see: it may have been talked out of it"


def detect_corpus(
    source: Source, run: Run, settings: Settings, model: LanguageModel, progress: Progress = silent
) -> CorpusCounts:
    """Detect in every document, in two stages, into the run's mentions.

    If the model gives no answer for a document, it is set aside, or keeps the mentions of
    `embedded` (`llm_failed`). The finished documents of an interrupted run are kept.

    Raises:
        ModelError: nothing more will be answered (`stops`); the same run can go on later.
    """
    counted = CorpusCounts()
    with ledger.Ledger(run.path) as costs:
        stage = Extraction(run, settings, model, counted, costs, progress)
        stage.first(source)
        counted.documents = len(run.documents("stage1"))
        found = with_mentions(source, run, "stage1", counted)
        pairs = (item for item in found if not isinstance(item, SetAside))
        if settings.corpus_pass:
            stage.second(pairs)
        else:
            append_to_log(run, "mentions", pairs, Detector(settings).corpus_pass, counted, progress)
    return counted


@dataclass
class Extraction:
    """Both stages of extraction over one corpus."""

    run: Run
    settings: Settings
    model: LanguageModel
    counted: CorpusCounts
    costs: ledger.Ledger
    progress: Progress

    @property
    def beside(self) -> bool:
        """True if the result includes the mentions of the other detectors."""
        return not self.settings.detection.alone

    def first(self, source: Source) -> None:
        """Stage 1: each document by itself."""
        with self.run.log("stage1") as log:
            fresh = (pair for pair in readable(source, self.counted) if pair[0].id not in log.done)
            local = worked(Detector(self.settings).first_pass, fresh, self.settings.workers)
            for answer in prompted.ask(self.model, self._questions(local), self.settings):
                if (mentions := self._after_stage1(answer)) is not None:
                    log.add(answer.question.document.id, mentions)
                self.progress(STEPS["stage1"], len(log.done), None)
            log.finish()

    def _questions(self, local: Iterator[tuple[Document, Any]]) -> Iterator[Question]:
        for document, seen in local:
            if isinstance(seen, Failure):
                self.counted.set_aside(document, "detect", seen.message_or("detection failed"))
            else:
                yield prompted.question(document, "stage1", self.settings, given=seen)

    def _after_stage1(self, answer: DocumentAnswer) -> list[Mention] | None:
        """Return the mentions of a document after stage 1; None where it is set aside."""
        seen, found = answer.question.given, self._mentions(answer)
        less = answer.error is None and far_less(seen, found, self.settings)
        if self.beside:
            found = prompted.beside(seen, found, self.settings, answer.dropped)
        else:
            found = self._with_own(answer, seen, found)
        return self._doubted(answer, found) if less else self._settled(answer, found, [])

    def second(self, pairs: Iterator[Pair]) -> None:
        """Stage 2: each document together with values of other documents."""
        settings = self.settings
        total = len(self.run.documents("stage1"))
        rows = prompted.existing(self.run.mentions("stage1"), total, settings)
        aliases, _ = same_thing(self.run, "stage1", settings)
        look: Callable[[Pair], list[Mention]] = _as_found
        if self.beside:
            alone = settings.merge == "stage2_only"
            look = EmbeddedCorpusPass(corpus_detector(self.run, settings), alone)
        with self.run.log("mentions") as log:
            fresh = (pair for pair in pairs if pair[0].id not in log.done)
            local = worked(look, fresh, settings.workers)
            for answer in prompted.ask(self.model, self._stage2_questions(local, rows), settings):
                mentions = self._after_stage2(answer)
                if mentions is not None:
                    if aliases is not None:
                        here = values_in(mentions)
                        resolve = partial(aliases.meaning, in_document=here)
                        mentions = resolved(mentions, resolve)
                    log.add(answer.question.document.id, mentions)
                self.progress(STEPS["mentions"], len(log.done), total)
            log.finish()

    def _stage2_questions(
        self, local: Iterator[tuple[Document, Any]], known: Existing
    ) -> Iterator[Question]:
        room = prompted.list_room(self.settings)
        for document, given in local:
            if isinstance(given, Failure):
                self.counted.set_aside(document, "detect", given.message_or("detection failed"))
                continue
            texts = [text for _, text in document.fields()]
            here = "\n".join([*texts, *(m.value for m in given)])
            rows, cut = known.near(here, self.settings, room)
            asked = prompted.question(document, "stage2", self.settings, rows, given)
            yield replace(asked, cut=cut)

    def _after_stage2(self, answer: DocumentAnswer) -> list[Mention] | None:
        """Return the mentions of a document after stage 2; None where it is set aside."""
        found, given = self._mentions(answer), answer.question.given
        if self.beside:
            found = prompted.beside(given, found, self.settings, answer.dropped)
        elif self.settings.merge == "union":
            found = self._with_own(answer, given, prompted.after(given, found, self.settings))
        elif answer.error is None and far_less(given, found, self.settings):
            return self._doubted(answer, self._with_own(answer, given, found))
        else:
            found = self._with_own(answer, given, found)
        return self._settled(answer, found, [])

    def _with_own(
        self, answer: DocumentAnswer, seen: list[Mention], found: list[Mention]
    ) -> list[Mention]:
        """Return the model's mentions united with those of the user's own recognizers."""
        if not self.settings.recognizers:
            return found
        own = [mention for mention in seen if mention.why.detector == OWN]
        return prompted.beside(own, found, self.settings, answer.dropped)

    def _doubted(self, answer: DocumentAnswer, found: list[Mention]) -> list[Mention] | None:
        """Flag a document for review; set it aside if the model is alone (`llm_doubted`)."""
        if self.beside or self.settings.llm_doubted == "release":
            return self._settled(answer, found, [ledger.REVIEW])
        self._aside(answer, DOUBTED, [ledger.REVIEW])
        return None

    def _mentions(self, answer: DocumentAnswer) -> list[Mention]:
        asked = answer.question
        found = prompted.mentions(
            asked.document,
            asked.readings,
            answer.entries,
            self.settings,
            value_of(asked.document, self.settings),
            prompted.prompt(asked.stage, self.settings).name,
            answer.dropped,
        )
        return unkept(asked.document, found, self.settings)

    def _settled(
        self, answer: DocumentAnswer, mentions: list[Mention], notes: list[str]
    ) -> list[Mention] | None:
        """Note the cost of a document; set it aside or mark it if the answer is incomplete."""
        if answer.error is not None:
            if not self.beside or self.settings.llm_failed == "set_aside":
                kind = type(answer.error).__name__
                why = f"the model gave no answer that can be used ({kind})"
                self._aside(answer, why, notes)
                return None
            notes = [*notes, ledger.EMBEDDED]
        self._note(answer, notes)
        return mentions

    def _aside(self, answer: DocumentAnswer, reason: str, notes: list[str]) -> None:
        self.counted.set_aside(answer.question.document, "detect", reason)
        self._note(answer, [*notes, ledger.SET_ASIDE])

    def _note(self, answer: DocumentAnswer, notes: list[str]) -> None:
        self.costs.add(
            ledger.LedgerLine(
                answer.question.document.id,
                answer.question.stage,
                answer.requests,
                answer.cached,
                answer.tokens_in,
                answer.tokens_out,
                round(answer.seconds, 3),
                dict(sorted(answer.dropped.items())),
                notes,
                answer.question.cut,
            )
        )


@dataclass(frozen=True)
class EmbeddedCorpusPass:
    """The corpus pass of detector `embedded` beside a language model; it is sent to the workers.

    What the model found in stage 1 keeps at least its relevance. With `alone` (only the model's
    second stage counts) the pass starts from what `embedded` finds by itself.
    """

    detector: Detector
    alone: bool

    def __call__(self, pair: Pair) -> list[Mention]:
        """Search a document, given what stage 1 found in it."""
        document, found = pair
        if self.alone:
            found = self.detector.first_pass(pair)
        relevance = {(m.field, m.start, m.end, m.type): m.relevance for m in found}
        return [
            msgspec.structs.replace(
                m, relevance=max(m.relevance, relevance.get((m.field, m.start, m.end, m.type), 0))
            )
            for m in self.detector.corpus_pass((document, found))
        ]


def _as_found(pair: Pair) -> list[Mention]:
    return pair[1]


def value_of(document: Document, settings: Settings) -> Callable[[str, str], str]:
    """Return what brings a model's normalized values to the form that all detectors share."""
    shared = canonical(settings)
    first = settings.llm_dates == "dmy" or day_first(scope_of(document, settings))
    return lambda entity_type, normalized: shared(entity_type, normalized, day_first=first)


def far_less(seen: Sequence[Mention], found: Sequence[Mention], settings: Settings) -> bool:
    """Tell whether a model found far less than patterns; a document may have manipulated it.

    Values of some relevance that patterns find count, and direct identifiers of every detector. The
    model has found a value if one of its spans touches a mention of it, and has at least the share
    `TALKED_DOWN` of the mention's relevance × weight. So a name that the model calls harmless is
    not found.
    """
    weights, groups = schema_weights(settings), settings.entity_types.groups
    touched = prompted.overlaps(found)
    counted: dict[tuple[str, str], bool] = {}
    for mention in seen:
        direct = groups.get(mention.type) == "direct"
        if mention.relevance >= SURE and (direct or mention.why.detector in COUNTED):
            least = TALKED_DOWN * mention.relevance * weights[mention.type]
            named = any(m.relevance * weights[m.type] >= least for m in touched(mention))
            key = mention.type, mention.value
            counted[key] = counted.get(key, False) or named
    return len(counted) >= FEW and sum(counted.values()) < SHARE * len(counted)
