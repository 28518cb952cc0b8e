"""The corpus of another day: what changed since the last edition is detected, masked and checked.

A document is told by its id and the digest of its fields. Unchanged documents keep the mentions
that they had, but for those in which a spelling stands that the corpus's vocabulary gained, lost or
took for another value: there the corpus pass runs again, which is a search and no detection.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from linkmask.config import Settings
from linkmask.corpus import record_digest
from linkmask.detect import PROMPTED, Vocabulary
from linkmask.detect.view import readings
from linkmask.errors import RunError
from linkmask.pipeline.checking import CheckedDocument, PreviousCheck, first_look
from linkmask.pipeline.detection import TOGETHER, Detector, corpus_detector, fill, size
from linkmask.pipeline.earlier import apart, found_again, masked_by
from linkmask.pipeline.job import Job
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.reading import ByDocument, Pair, readable, with_mentions
from linkmask.pipeline.redaction import add_mentions
from linkmask.records import Document, Mention, SetAside, entity_id
from linkmask.report import tables
from linkmask.runs import Run, editions
from linkmask.verify import Inspected
from linkmask.workers import Batched


@dataclass(slots=True)
class Difference:
    """A corpus compared with what was released of it: ids in input order, and by what they are."""

    documents: list[str] = field(default_factory=list)
    added: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)

    @property
    def fresh(self) -> set[str]:
        """Ids of the documents that detection has to read."""
        return self.added | self.changed


def difference(source: Source, originals: Mapping[str, str]) -> Difference:
    """Compare a corpus with the digests of the originals that were released, by id."""
    found = Difference()
    for item in source():
        if isinstance(item, Document):
            found.documents.append(item.id)
            before = originals.get(item.id)
            if before is None:
                found.added.add(item.id)
            elif before != record_digest(item):
                found.changed.add(item.id)
    found.deleted = originals.keys() - set(found.documents)
    return found


class Update(Job):
    """A job on the next edition of a run.

    Args:
        run: the run that is to replace `before`, which is open for reading.
        recount: frequencies are counted anew, and pinned as they are now.
    """

    def __init__(
        self,
        run: Run,
        settings: Settings,
        source: Source,
        before: Run,
        progress: Progress = silent,
        recount: bool = False,
    ) -> None:
        super().__init__(run, settings, source, progress)
        self.before, self.recount, self.overwrite = before, recount, True
        self.released: Mapping[str, Any] = before.read_json(tables.RELEASED)
        self.ledger = editions.ledger_of(before)
        if not self.ledger.editions:
            self.ledger.editions = [editions.first_edition(before, self.released)]
        self.editions = self.ledger.editions

    @cached_property
    def difference(self) -> Difference:
        """What is new, changed and gone since the last edition."""
        assert self.source is not None
        return difference(self.source, self.released["originals"])

    # ── detection ───────────────────────────────────────────────────────────────────────────────

    def detect(self, mentions: Path | None = None) -> None:
        """Detect in what is new or changed; all else keeps its mentions, or is searched again.

        Raises:
            RunError: the run's mentions were given, or found by a language model.
        """
        assert mentions is None
        with self.step("detect"):
            self.counted = CorpusCounts()
            self._first_pass(self.difference.fresh)
            redone = self._corpus_pass(self.difference.fresh)
            self._hold(redone)

    def _first_pass(self, fresh: set[str]) -> None:
        assert self.source is not None
        detector = Detector(self.settings)
        work = Batched(detector.first, detector.firsts, size, TOGETHER)
        every = readable(self.source, self.counted)
        pairs = (pair for pair in every if pair[0].id in fresh)
        fill(self.run, "stage1", pairs, work, self.counted, self.progress)
        self._merge("stage1", fresh)
        self.counted.documents = len(self.run.documents("stage1"))

    def _corpus_pass(self, fresh: set[str]) -> set[str]:
        """Look again in what is new, and where a value of the vocabulary became another."""
        now = corpus_detector(self.run, self.settings)
        then = corpus_detector(self.before, self.settings)
        news = _differing(then.words, now.words)
        redone = set(fresh)

        def pairs() -> Iterator[Pair]:
            assert self.source is not None
            for item in with_mentions(self.source, self.run, "stage1", self.counted):
                if isinstance(item, SetAside):
                    continue
                if item[0].id not in fresh and not _holds(item[0], news, self.settings):
                    continue
                redone.add(item[0].id)
                yield item

        fill(self.run, "mentions", pairs(), now.second, self.counted, self.progress)
        self._merge("mentions", fresh)
        return redone

    def _merge(self, log: str, fresh: set[str]) -> None:
        """Bring a log of what was done now and that of the last edition together, in input order.

        Of a document that was only searched again, nothing that was known is lost.
        """
        done = dict(self.run.by_document(log))
        known = ByDocument(self.before.by_document(log), frozenset(self.before.documents(log)))

        def rows() -> Iterator[tuple[str, list[Mention]]]:
            for name in self.difference.documents:
                if name in fresh:
                    if name in done:
                        yield name, done[name]
                elif name in known:
                    old = known.take(name)
                    if log == "mentions" and name in done:
                        yield name, _united(done[name], old)
                    else:
                        yield name, old

        self.run.rewrite(log, rows())

    def _hold(self, redone: set[str]) -> None:
        """Keep masked what an earlier edition masked, also where it is another entity by now.

        A value that is detected nowhere any more is searched for in what was read again.
        """
        ever = {*self.ledger.masked, *tables.masked_ids(self.released)}
        masked = {"masked": [{"entity": entity} for entity in ever]}
        earlier = masked_by(self.before, masked, self.settings, keep=True)
        if lost := earlier.undetected(self.run):
            found = found_again(self._only(redone), self.run, lost)
            add_mentions(self.run, dict(found))
        self.held = ever | earlier.alike(self.run, self.settings)

    def _only(self, names: set[str]) -> Source:
        source = self.source
        assert source is not None
        return lambda: (
            item for item in source() if isinstance(item, Document) and item.id in names
        )

    # ── scores ──────────────────────────────────────────────────────────────────────────────────

    def score(self) -> None:
        """Score under the counts that were pinned, or count anew."""
        pins = editions.pinned_by(self.before)
        if pins is not None and not self.recount:
            editions.keep_pins(self.run, pins)
        super().score()

    def plan(self) -> None:
        """Choose what to mask, beside what an earlier edition masked."""
        super().plan()
        self.compare(self.held, "release")

    # ── masks ───────────────────────────────────────────────────────────────────────────────────

    def redact(self) -> None:
        """Mask, and tell which documents are masked as they were released: these stay as they are.

        They are compared as they are written, by the digest that the run keeps.
        """
        first = self._masked is None
        super().redact()
        assert self.source is not None and self._masked is not None
        if not first:
            return
        digests = _digests(self.released)
        rows = ByDocument(self._masked.rows(), self._masked.documents)
        same: dict[str, str] = {}
        for item in self.source():
            if isinstance(item, Document) and item.id in rows:
                digest = record_digest(rows.take(item.id).over(item).written)
                if item.id not in self.difference.fresh and digests.get(item.id) == digest:
                    same[item.id] = digest
        self._masked.copied |= same.keys()
        self._seen = self._as_checked(same)

    def _as_checked(self, same: Mapping[str, str]) -> PreviousCheck:
        """Return what the check of the last edition saw in documents that are as they were.

        Detection saw there what the plan left readable, and is not run again; the search for what
        is masked is.
        """
        separator = self.settings.id_separator
        targets = self.redaction().targets
        seen = {}
        for name, found in self.run.by_document():
            if name in same:
                left = [m for m in found if entity_id(m.value, m.type, separator) not in targets]
                seen[name] = CheckedDocument(Inspected(name, [], left), (), same[name])
        look = first_look(self.redaction())
        return PreviousCheck(look.detect, look.keys, seen)

    # ── the ledger ──────────────────────────────────────────────────────────────────────────────

    def note_edition(self, released: tables.Released) -> None:
        """Note the edition in the ledger; where nothing differs from the last one there is none."""
        assert self.chosen is not None
        incidence, diff = self.analysis.incidence, self.difference
        known = set(incidence.entities)
        masked = {incidence.entities[number] for number in self.chosen.masked.tolist()}
        ever = sorted((masked | {*self.held}) & known)
        before, now = _digests(self.released), _digests({
            "documents": released.documents, "records": released.records
        })  # fmt: skip
        stayed = now.keys() & before.keys() - diff.fresh
        rewritten = sum(now[name] != before[name] for name in stayed)
        rows = list(self.ledger.editions)
        if before != now or released.originals != self.released["originals"] or self.recount:
            rows.append(
                editions.Edition(
                    rows[-1].number + 1,
                    editions.now(),
                    len(now),
                    added=len(diff.added & now.keys()),
                    changed=len(diff.changed & now.keys()),
                    deleted=len(before.keys() - now.keys()),
                    rewritten=rewritten,
                    masked=len(self.chosen.masked),
                    recounted=self.recount,
                )
            )
        self.editions = rows
        editions.keep_ledger(self.run, editions.Ledger(rows, ever))


def check_updatable(before: Run, settings: Settings) -> None:
    """Refuse a run that an update can't go on from.

    Raises:
        RunError: it has released nothing, its mentions were given or found by a language model,
            or a language model writes its documents.
    """
    again = "mask the corpus anew, with --keep-masked and this run"
    if not (before.path / tables.RELEASED).exists():
        raise RunError(f"{before.path} has released nothing: mask or apply it first")
    if not before.has("stage1") or settings.detector in PROMPTED:
        raise RunError(f"the mentions of {before.path} were given or found by a model: {again}")
    if settings.style == "rewrite" or settings.policy_model:
        raise RunError(f"a model writes or checks the documents of {before.path}: {again}")
    if not before.read_json(tables.RELEASED).get("originals"):
        raise RunError(f"{before.path} is of a version that kept no digests of documents: {again}")


def _differing(then: Vocabulary | None, now: Vocabulary | None) -> Vocabulary:
    """Return the spellings that stand for another value now, and those that came or went."""
    old = then.entries if then else {}
    new = now.entries if now else {}
    meant = [{s: (e.value, e.type, e.cue) for s, e in one.items()} for one in (old, new)]
    both = {**old, **new}
    return Vocabulary({s: e for s, e in both.items() if meant[0].get(s) != meant[1].get(s)})


def _holds(document: Document, words: Vocabulary, settings: Settings) -> bool:
    return any(
        True for reading in readings(document, settings) for _ in words.search(reading.value)
    )


def _united(found: list[Mention], old: list[Mention]) -> list[Mention]:
    """Return mentions with the older ones that overlap none of them."""
    more = apart(old, found)
    if not more:
        return found
    return sorted([*found, *more], key=lambda m: (m.field, m.start))


def _digests(released: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests of the masked documents that were released, by id."""
    return {
        name: digest
        for file, names in released["documents"].items()
        for name, digest in zip(names, released["records"].get(file, ()), strict=False)
    }
