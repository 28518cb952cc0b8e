"""Finds, masks, unmasks and explains in a process of the service's own.

A worker answers by a run (`RunWorker`), or, without one, by detection alone (`PlainWorker`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from linkmask.config import Settings
from linkmask.detect import modules
from linkmask.errors import SettingsError, UsageError
from linkmask.masker import MaskedText, Masker
from linkmask.masker.found import FoundMasker
from linkmask.pipeline.detection.detector import Detector
from linkmask.records import Document, entity_label
from linkmask.redact import Redactor, UnknownEntities
from linkmask.runs import Run
from linkmask.runs.run_paths import run_at
from linkmask.serve.adhoc import AdHoc, Hit, search


class FoundSpan(NamedTuple):
    """A span `[start, end)` of a text: its entity type, its score in [0, 1], and what found it."""

    start: int
    end: int
    type: str
    score: float
    detector: str
    rule: str


class Facts(NamedTuple):
    """What a worker knows: languages (ISO 639-1), entity types, detectors."""

    languages: tuple[str, ...]
    types: tuple[str, ...]
    detectors: tuple[str, ...]


class Worker(Protocol):
    """Works on texts."""

    facts: Facts

    def find(self, texts: Sequence[str]) -> list[list[FoundSpan]]:
        """Return the spans of each text, sorted and disjoint."""

    def search(self, texts: Sequence[str], recognizers: Sequence[AdHoc]) -> list[list[Hit]]:
        """Return what a request's own recognizers find in each text."""

    def mask(self, texts: Sequence[str]) -> list[MaskedText]:
        """Mask each text; entities are named by labels that only the key's holder can guess."""

    def unmask(self, texts: Sequence[str]) -> list[str]:
        """Put originals in place of masks.

        Raises:
            UsageError: nothing here can be taken back.
        """

    def explain(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer a question about the run.

        Raises:
            UsageError: there is no run, or nothing of this name in it.
        """


class RunWorker:
    """Masks as a run's corpus was masked; it finds the values that it would mask."""

    def __init__(self, path: Path, key: bytes | str | None = None) -> None:
        self._masker = Masker(path, key=key)
        with Run.open(run_at(path)) as run:
            self._salt = run.salt
        self.facts = _facts(self._masker.settings, "plan", "floor")

    def find(self, texts: Sequence[str]) -> list[list[FoundSpan]]:
        """Return what would be masked; the score is 1, because it is the plan that decides."""
        return [
            [
                FoundSpan(one.start, one.end, one.type, 1.0, "plan" if one.known else "floor", "")
                for one in masked.spans
            ]
            for masked in self._masker.mask_texts(texts)
        ]

    def search(self, texts: Sequence[str], recognizers: Sequence[AdHoc]) -> list[list[Hit]]:
        """Return what a request's own recognizers find in each text."""
        return search(texts, recognizers)

    def mask(self, texts: Sequence[str]) -> list[MaskedText]:
        """Mask as the corpus was masked; of what it does not hold, types of the floor."""
        return [_labelled(one, self._salt) for one in self._masker.mask_texts(texts)]

    def unmask(self, texts: Sequence[str]) -> list[str]:
        """Put originals in place of the run's masks, as far as their style can be undone."""
        return [self._masker.unmask_text(text) for text in texts]

    def explain(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer as `linkmask explain --json` does."""
        return self._masker.explain(**question)


class PlainWorker:
    """Masks what detection finds in each text by itself, by type."""

    def __init__(self, settings: Settings, key: bytes) -> None:
        if settings.detection.prompted:
            raise SettingsError(
                f"detector {settings.detector} asks a language model, which serve never does: "
                "give --detector embedded"
            )
        self._settings, self._salt = settings, sha256(b"label" + key).digest()
        self._detector = Detector(settings)
        self.facts = _facts(settings, *modules(settings.detector))
        nobody = Redactor({}, settings, key=key, given=True)
        self._found = FoundMasker(
            nobody,
            UnknownEntities(settings, nobody.style_context),
            self._detector,
            lambda mention: (mention, None),
            settings.masked_if_unknown,
            lambda texts: [[] for _ in texts],
        )

    def find(self, texts: Sequence[str]) -> list[list[FoundSpan]]:
        """Return all that detection finds, of every type."""
        documents = [Document("", text) for text in texts]
        return [
            [
                FoundSpan(m.start, m.end, m.type, m.why.score, m.why.detector, m.why.rule)
                for m in found
            ]
            for found in self._detector.first_passes([(document, []) for document in documents])
        ]

    def search(self, texts: Sequence[str], recognizers: Sequence[AdHoc]) -> list[list[Hit]]:
        """Return what a request's own recognizers find in each text."""
        return search(texts, recognizers)

    def mask(self, texts: Sequence[str]) -> list[MaskedText]:
        """Mask the types of the floor."""
        return [_labelled(one, self._salt) for one in self._found.texts(texts)]

    def unmask(self, texts: Sequence[str]) -> list[str]:
        """Refuse: what was masked without a run is kept nowhere.

        Raises:
            UsageError: always.
        """
        raise UsageError(WITHOUT_RUN)

    def explain(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Refuse: there is no plan to explain.

        Raises:
            UsageError: always.
        """
        raise UsageError(WITHOUT_RUN)


WITHOUT_RUN = "this needs a run: start linkmask serve with --run RUN"


class WorkerSource(msgspec.Struct, frozen=True):
    """What a worker is made of; it is sent to each process. `run` is None for detection alone.

    `key`: that of pseudonyms, or the path of its file; None for the run's own.
    """

    settings: Settings
    run: Path | None = None
    key: bytes | str | None = None

    def worker(self) -> Worker:
        """Load the worker and let it work once, so that the first request need not wait.

        Raises:
            RunError: the run can't be opened.
            SettingsError: the settings ask for what a service can't do.
        """
        worker: Worker
        if self.run is not None:
            worker = RunWorker(self.run, self.key)
        else:
            assert isinstance(self.key, bytes)
            worker = PlainWorker(self.settings, self.key)
        worker.mask(["Ms. Jane Roe lives in Hancock."])
        return worker


def _facts(settings: Settings, *detectors: str) -> Facts:
    return Facts(settings.languages, settings.entity_types.types, detectors)


def _labelled(masked: MaskedText, salt: bytes) -> MaskedText:
    spans = (one._replace(entity=entity_label(one.entity, salt)) for one in masked.spans)
    return MaskedText(masked.text, tuple(spans))
