"""Makes the defences of one corpus: each scan and each plan is made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from linkmask import config
from linkmask.config import Settings
from linkmask.llm import LanguageModel
from linkmask.pipeline.detection import corpus_detection, extraction
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.linkage.linking_words import add_linking_words
from linkmask.pipeline.planning import scoring
from linkmask.pipeline.progress import CorpusCounts
from linkmask.records import CONTENT, Document, Masked, Mention, Plan, SetAside, Why
from linkmask.runs import Run
from linkmask.schema import RARE_TERM
from linkmask.testbench.corpus import BenchCorpus
from linkmask.testbench.defences import presidio
from linkmask.testbench.defences.base import Defended
from linkmask.testbench.missing import Hole
from linkmask.testbench.models import LanguageModels


class ScoredCorpus:
    """A corpus with mentions, detected or given, scored: plans are made and carried out on it.

    Args:
        given: returns mentions, where they are not detected.
        model: returns what finds them, where it is a model; what that has no answer on is set
            aside.
        snapshot: a run folder that keeps what is found in the corpus of this digest; what it holds
            already is not looked for again, and needs no model.

    Raises:
        Hole: the snapshot is of another corpus, or there is no model.
        RunError: it was made with other settings.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        settings: Settings,
        given: Callable[[], Sequence[Mention]] | None = None,
        model: Callable[[], LanguageModel] | None = None,
        snapshot: Path | None = None,
        digest: str = "",
    ) -> None:
        self.documents, self.settings = documents, settings
        if snapshot is None:
            self._folder = TemporaryDirectory(prefix="linkmask-")
            snapshot = Path(self._folder.name) / "run"
        if (snapshot / "run.json").is_file():
            with Run.open(snapshot, write=True) as run:
                if run.digest != digest:
                    raise Hole("the snapshots are of another corpus")
                if run.documents() == [document.id for document in documents]:
                    self.settings = run.settings
                    self._score(run, CorpusCounts(documents=len(documents)))
                    return
        asked = model() if model else None
        with Run.resume(snapshot, settings, source=snapshot, digest=digest) as run:
            counted = CorpusCounts(documents=len(documents))
            if asked is not None:
                counted = extraction.detect_corpus(self._read, run, settings, asked)
            elif given is None:
                counted, *_ = corpus_detection.detect_corpus(self._read, run, settings)
            else:
                by_document: dict[str, list[Mention]] = {d.id: [] for d in documents}
                for mention in given():
                    by_document[mention.document].append(mention)
                with run.log("mentions") as log:
                    for name, mentions in by_document.items():
                        log.add(name, mentions)
                    log.finish()
            add_linking_words(self._read, run, settings, counted)
            self._score(run, counted)

    def _score(self, run: Run, counted: CorpusCounts) -> None:
        """Score what was found."""
        self.job = ReleaseJob(run, self.settings, self._read)
        self.job.counted = counted
        self.job.score()

    def _read(self) -> Iterator[Document | SetAside]:
        return iter(self.documents)

    def choose(self, settings: Settings) -> Plan:
        """Choose what to mask, as the tool does, scored anew: links and chains have settings."""
        analysis = scoring.analyse(self.job.run, settings, self.job.counted)
        return scoring.choose(self.job.run, analysis, settings)

    def masking(self, entities: Sequence[int]) -> Plan:
        """Return the plan that masks these entities whole, none written coarser."""
        count = len(entities)
        return scoring.restore(
            self.job.analysis,
            self.settings,
            np.array(entities, dtype=np.int32),
            ["document"] * count,
            np.zeros(count),
            np.zeros(count, dtype=np.int32),
        )

    def mask(self, plan: Plan, settings: Settings | None = None) -> Defended:
        """Mask the corpus by a plan; `settings` where it is to be written in another style."""
        settings = settings or self.settings
        texts: dict[str, str] = {}
        characters = 0
        for item in self.job.with_plan(plan, settings).documents():
            if isinstance(item, Masked):
                texts[item.id] = item.content
                here = [one for one in item.replacements if one.field == CONTENT]
                characters += sum(one.end - one.start for one in here)
        held = self.job.analysis.incidence
        rare = np.array([name == RARE_TERM for name in held.types], np.bool_)[held.type]
        return Defended(
            [texts.get(document.id, "") for document in self.documents],
            entities=int(np.sum(~rare[plan.masked])),
            entities_of=int(np.sum(~rare)),
            characters=characters,
            aside=len(self.documents) - len(texts),
            notes={"rare words": int(np.sum(rare[plan.masked]))} if rare.any() else {},
        )


class DefenceBuilder:
    """Where defences of one corpus are made; scans and plans are made once and shared.

    Args:
        models: the language models.
        presidio: an interpreter that has Presidio, where this one has not.
        snapshots: a folder for what was found, by source and preset, a run each; made when needed.
    """

    def __init__(
        self,
        corpus: BenchCorpus,
        seed: int = 0,
        models: LanguageModels | None = None,
        presidio: str = "",
        snapshots: Path | None = None,
    ) -> None:
        self.corpus, self.seed, self.models = corpus, seed, models or LanguageModels()
        self.presidio, self.snapshots = presidio, snapshots
        self.counts: dict[str, int] = {}
        """Entities that a defence masks, by its name, for its controls."""
        self.scan = cache(self._scan)
        self.plan = cache(self._plan)

    def settings(self, preset: str, **overrides: object) -> Settings:
        """Return a preset's settings, one process, whatever the environment says."""
        return config.load(preset=preset, overrides={"workers": 1, **overrides}, environment={})

    def _scan(
        self,
        source: str,
        preset: str = "insurance",
        rare_terms: int = 0,
        rare_pairs: str = "auto",
        rare_nearest: int = 2,
        sentence_model: str = "",
    ) -> ScoredCorpus:
        """Find mentions by a source: `embedded`, `golden`, `presidio` or `llm`; and rare terms.

        With rare terms, the mentions are those of the scan without.
        """
        words = {"rare_terms": rare_terms, "rare_pairs": rare_pairs, "rare_nearest": rare_nearest}
        settings = self.settings(preset, **words, sentence_model=sentence_model)
        given: dict[str, Callable[[], Sequence[Mention]]] = {
            "golden": lambda: golden_mentions(self.corpus),
            "presidio": lambda: presidio.mentions(self.corpus.documents, self.presidio),
        }
        model = None
        if source == "llm":
            settings, model = (
                self.models.with_model(settings, detector="llm"),
                lambda: self.models.helper,
            )
        if rare_terms:
            plain, model = self.scan(source, preset), None
            given[source] = lambda: list(plain.job.run.mentions())
        name = f"{source}-{preset}" + "".join(f"-{one}" for one in words.values() if rare_terms)
        name += f"-{settings.sentence_model_digest[:8]}" if sentence_model else ""
        kept = self.snapshots / name if self.snapshots else None
        corpus = self.corpus
        return ScoredCorpus(
            corpus.documents, settings, given.get(source), model, kept, corpus.digest
        )

    def _plan(self, source: str, preset: str = "insurance", **overrides: str) -> Plan:
        settings = self.settings(preset, **overrides)
        return self.scan(source, preset, *linking_words(settings)).choose(settings)


def linking_words(settings: Settings) -> tuple[int, str, int, str]:
    """Return the settings by which a scan looks for rare terms, and for words of a topic."""
    rare = settings.rare_terms, settings.rare_pairs, settings.rare_nearest
    return *rare, settings.sentence_model


def golden_mentions(corpus: BenchCorpus) -> list[Mention]:
    """Return where the persons' own values are read, anywhere in the corpus, as mentions.

    Of two that overlap, the longer stays and is extended over the rest of the other.
    """
    mentions = []
    for document in corpus.documents:
        found: list[tuple[int, int, str, str]] = []
        for person in corpus.persons:
            for number, spans in person.read(document.content).items():
                kind, value = person.types[number], person.values[number]
                found += [(start, end, kind, value.casefold()) for start, end in spans]
        for start, end, kind, value in _disjoint(found):
            original = document.content[start:end]
            why = Why("golden")
            mentions.append(
                Mention(document.id, CONTENT, start, end, kind, original, value, 1.0, why)
            )
    return mentions


def _disjoint(found: list[tuple[int, int, str, str]]) -> list[tuple[int, int, str, str]]:
    kept: list[tuple[int, int, str, str]] = []
    for start, end, kind, value in sorted(set(found), key=lambda f: (f[0], -f[1], f[2:])):
        if kept and start < kept[-1][1]:
            first, last, *rest = kept[-1]
            longer = (kind, value) if end - start > last - first else (rest[0], rest[1])
            kept[-1] = (first, max(last, end), *longer)
        else:
            kept.append((start, end, kind, value))
    return kept
