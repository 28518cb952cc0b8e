"""The corpus of another day: what changed since the last edition is detected, masked and checked.

Unchanged documents keep the mentions that they had, but for those in which a spelling stands that
the corpus's vocabulary gained, lost or took for another value: there the corpus pass runs again,
which is a search and no detection. Of the rest, files stay as they were written, but for those with
a document that a mask which is made otherwise may concern.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from linkmask import corpus
from linkmask.config import Settings
from linkmask.corpus import Corpus, record_digest
from linkmask.detect import PROMPTED, Vocabulary
from linkmask.detect.view import readings
from linkmask.errors import RunError
from linkmask.pipeline.carrying import Carrying, digests_of
from linkmask.pipeline.checking import CheckedDocument, PreviousCheck
from linkmask.pipeline.correcting import correct
from linkmask.pipeline.detection import (
    TOGETHER,
    Detector,
    corpus_detector,
    corrected,
    fill,
    size,
)
from linkmask.pipeline.difference import Difference, difference
from linkmask.pipeline.earlier import Earlier, apart, found_again, spellings_of
from linkmask.pipeline.job import Job
from linkmask.pipeline.keys import keys_of
from linkmask.pipeline.known import Known, known_by, masks_of
from linkmask.pipeline.progress import CorpusCounts, Progress, silent
from linkmask.pipeline.readers import Excess, Readers, excess, left_shown, readers_of, shown_by
from linkmask.pipeline.reading import ByDocument, readable, with_mentions
from linkmask.pipeline.redaction import add_mentions
from linkmask.pipeline.release import Outgoing
from linkmask.pipeline.riskier import riskier
from linkmask.pipeline.scoring import incidence_of, overrule
from linkmask.records import Document, Mention, SetAside, entity_id
from linkmask.redact.match import Matcher
from linkmask.redact.vault import read_tokens, seal_tokens
from linkmask.report import tables
from linkmask.runs import Run, editions
from linkmask.runs.mentions import encode, mentions_in
from linkmask.verify import Inspected
from linkmask.workers import Batched, batches

HELD = 1 << 25
"""Characters of unchanged documents that are kept between two searches; beyond, they are read
again."""
TEXTS = 1000
"""Documents that are searched at once."""


class Update(Job):
    """A job on the next edition of a run.

    Args:
        run: the run that is to replace `before`, which is open for reading.
        out: the folder that `before` released to.
        recount: frequencies are counted anew, and pinned as they are now.
    """

    def __init__(
        self,
        run: Run,
        settings: Settings,
        source: Corpus,
        before: Run,
        out: Path,
        progress: Progress = silent,
        recount: bool = False,
    ) -> None:
        super().__init__(run, settings, source, progress)
        self.before, self.out, self.recount, self.overwrite = before, out, recount, True
        self.whole = source
        self.released: Mapping[str, Any] = before.read_json(tables.RELEASED)
        self.ledger = editions.ledger_of(before)
        if not self.ledger.editions:
            self.ledger.editions = [editions.first_edition(before, self.released)]
        self.editions = self.ledger.editions
        self.redone: set[str] = set()
        """Ids of the documents whose mentions were looked for anew."""
        self.riskier: list[str] = []
        """Ids of the released documents that became riskier by what is new."""
        self.readers: Readers
        self.excess = Excess()
        self._texts: list[Document] | None = None

    @cached_property
    def difference(self) -> Difference:
        """What is new, changed and gone since the last edition."""
        return difference(self.whole, self.released)

    @cached_property
    def known(self) -> Known | None:
        """What the last edition left for this one."""
        return known_by(self.before)

    @cached_property
    def detector(self) -> Detector:
        """Detection as the corpus of today makes it."""
        return corpus_detector(self.run, self.settings)

    # ── detection ───────────────────────────────────────────────────────────────────────────────

    def detect(self, mentions: Path | None = None) -> None:
        """Detect in what is new or changed; all else keeps its mentions, or is searched again."""
        assert mentions is None
        with self.step("detect"):
            self.counted = CorpusCounts()
            fresh = self.difference.fresh
            self._first_pass(fresh)
            self.redone = fresh | self._holding_news(fresh)
            self._corpus_pass()
            self._hold()

    def _first_pass(self, fresh: set[str]) -> None:
        detector = Detector(self.settings)
        work = Batched(detector.first, detector.firsts, size, TOGETHER)
        every = readable(self._files_of(()), self.counted)
        pairs = (pair for pair in every if pair[0].id in fresh)
        fill(self.run, "stage1", pairs, work, self.counted, self.progress)
        self._merge("stage1", fresh)
        self.counted.documents = len(self.run.documents("stage1"))

    def _files_of(self, documents: Collection[str]) -> Corpus:
        """Return the files that were read, and those that hold some documents."""
        diff, wanted = self.difference, frozenset(documents)
        return self.whole.part(
            frozenset(
                name
                for name, ids in diff.files.items()
                if name not in diff.same or not wanted.isdisjoint(ids)
            )
        )

    def _holding_news(self, fresh: set[str]) -> set[str]:
        """Return the unchanged documents in which a spelling stands that means something else."""
        words = self.known.words if self.known else _entries(self.before, self.settings)
        news = _differing(words, self.detector.words)
        if not len(news):
            return set()
        return {
            one.id
            for one in self._unchanged()
            if any(True for field in readings(one, self.settings) for _ in news.search(field.value))
        }

    def _unchanged(self) -> Iterator[Document]:
        """Yield the documents that did not change; small corpora are read once."""
        if self._texts is not None:
            yield from self._texts
            return
        held: list[Document] | None = []
        characters, fresh = 0, self.difference.fresh
        for one in self.whole():
            if isinstance(one, Document) and one.id not in fresh:
                characters += len(one.content)
                if held is not None and characters <= HELD:
                    held.append(one)
                else:
                    held = None
                yield one
        self._texts = held
        self.counted.characters += characters

    def _corpus_pass(self) -> None:
        """Look again in what is new, and where a value of the vocabulary became another."""
        pairs = with_mentions(self._files_of(self.redone), self.run, "stage1", self.counted)
        due = (one for one in pairs if not isinstance(one, SetAside) and one[0].id in self.redone)
        fill(self.run, "mentions", due, self.detector.uncorrected, self.counted, self.progress)
        self._merge("mentions", self.difference.fresh)
        correct(self.run, self.settings)

    def _merge(self, log: str, fresh: set[str]) -> None:
        """Bring a log of what was done now and that of the last edition together, in input order.

        Of a document that was only searched again, nothing that was known is lost.
        """
        done = dict(self.run.lines(log))
        was = self.before.uncorrected if log == "mentions" else log
        known = ByDocument(self.before.lines(was), frozenset(self.before.documents(was)))

        def rows() -> Iterator[tuple[str, bytes]]:
            for name in self.difference.documents:
                if name in fresh:
                    if name in done:
                        yield name, done[name]
                elif name in known:
                    old = known.take(name)
                    again = log == "mentions" and name in self.redone and name in done
                    yield name, _united(done[name], old) if again else old

        self.run.rewrite_lines(log, rows())

    # ── what stays masked ───────────────────────────────────────────────────────────────────────

    def _hold(self) -> None:
        """Keep masked what an earlier edition masked, also where it is another entity by now.

        Only where documents changed, or were searched again, can it be. A value that is detected
        nowhere any more is searched for in what was read again.
        """
        separator = self.settings.id_separator
        ever = {*self.ledger.masked, *tables.masked_ids(self.released)}
        affected = self.redone | self.difference.deleted
        old = {
            spelling: mention
            for mention in _mentions(self.before, affected)
            if entity_id(mention.value, mention.type, separator) in ever
            for spelling in spellings_of(mention)
        }
        now = {s for mention in _mentions(self.run, affected) for s in spellings_of(mention)}
        gone = {spelling: mention for spelling, mention in old.items() if spelling not in now}
        if gone:
            for mention in self.run.mentions():
                for spelling in spellings_of(mention):
                    gone.pop(spelling, None)
        if gone:
            read = self._files_of(self.redone)
            add_mentions(self.run, dict(found_again(read, self.run, list(gone.values()))))
        hidden = Earlier(dict.fromkeys(self._spelled(ever), None) | gone)
        again = _mentions(self.run, self.redone)
        self.held = ever | hidden.alike(again, self.settings, gone.keys())

    def _spelled(self, ever: set[str]) -> Iterable[str]:
        """Return how the values that an edition masked were written."""
        if self.known:
            return self.known.spelled
        separator = self.settings.id_separator
        every = self.before.mentions()
        masked = (m for m in every if entity_id(m.value, m.type, separator) in ever)
        return (spelling for mention in masked for spelling in spellings_of(mention))

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
        self._hide_from_readers()
        self.compare(self.held, "release")
        masked = tables.masked_ids(self.released)
        self.riskier = riskier(self.analysis, self.settings, masked, self.difference.fresh)

    def _hide_from_readers(self) -> None:
        """Mask beside the plan what those who kept earlier editions must not learn from this one.

        Where a document changed, or is gone, what it showed is known from the last scores.
        """
        assert self.chosen is not None
        released = digests_of(self.released).keys()
        stayed = released & set(self.analysis.incidence.documents) - self.difference.fresh
        extra = editions.shown_of(self.before)
        if gone := released - stayed:
            last = incidence_of(self.before, self.settings)
            extra = extra.and_(shown_by(last, tables.masked_ids(self.released), gone))
        self.readers = readers_of(
            self.analysis.incidence, stayed, self.held, extra, self.settings.entity_types.weights
        )
        self.excess = excess(self.readers, self.settings, self.chosen)
        if self.excess.masked:
            known = self.analysis, self.settings, self.chosen
            self.chosen = overrule(*known, self.excess.masked, ())
            self.keep()

    # ── masks ───────────────────────────────────────────────────────────────────────────────────

    def redact(self) -> None:
        """Mask what may be masked otherwise than it was released; the rest stays as it is."""
        self.source = self.whole
        plan = self.redaction()
        with self.step("redact"):
            concerned = self._concerned()
            self._carry(concerned)
            self._masked = plan.redact(self.source, self.counted, self.progress)
            self._rewritten, self._checked, self._fresh = None, None, ()
            same = self._as_released()
            self._masked.copied |= same.keys()
            self._seen = self._as_checked(same)

    def _carry(self, concerned: set[str] | None) -> None:
        """Take the files as they were written that hold nothing of what is concerned."""
        diff, outputs = self.difference, self.released.get("outputs", {})
        stays = frozenset[str]()
        if concerned is not None:
            stays = frozenset(n for n in diff.same if concerned.isdisjoint(diff.files[n]))
        kept = {name: outputs[name] for name in stays if name in outputs}
        self._carried = corpus.Carried(self.out, kept)
        self.unchanged = [d for name in self._carried.files for d in diff.files[name]]
        self.source = self.whole.part(diff.files.keys() - self._carried.files.keys())

    def _concerned(self) -> set[str] | None:
        """Return the documents that may be masked otherwise; None for all of them."""
        carrying = Carrying(self.released, self.settings)
        if self.known is None or not carrying.possible:
            return None
        now, then = masks_of(self.redaction()), self.known.masks
        changed = {
            entity for entity in now.keys() | then.keys() if now.get(entity) != then.get(entity)
        }
        incidence = self.analysis.incidence
        number = {entity: n for n, entity in enumerate(incidence.entities) if entity in changed}
        if any(entity not in now for entity in number):
            return None  # it is readable by somebody's will, and may stand anywhere
        found = self.redone | carrying.at_words
        of = np.repeat(np.arange(incidence.n_documents), np.diff(incidence.start))
        rows = np.isin(incidence.entity, np.fromiter(number.values(), np.int32, len(number)))
        found |= {incidence.documents[d] for d in np.unique(of[rows]).tolist()}
        targets = self.redaction().targets
        forms = {f for e in changed if e in now for f in (*targets[e].surfaces, *targets[e].forms)}
        search = Matcher(sorted(forms))
        for some in batches(self._unchanged() if forms else (), TEXTS):
            texts = [(one.id, text) for one in some for _, text in one.fields()]
            hits = search.find([text for _, text in texts])
            found |= {name for (name, _), each in zip(texts, hits, strict=True) if each}
        return found

    def _as_released(self) -> dict[str, str]:
        """Return the digests of the documents that are masked as they were released."""
        assert self.source is not None and self._masked is not None
        digests = digests_of(self.released)
        rows = ByDocument(self._masked.rows(), self._masked.documents)
        same: dict[str, str] = {}
        for item in self.source():
            if isinstance(item, Document) and item.id in rows:
                digest = record_digest(rows.take(item.id).over(item).written)
                if item.id not in self.difference.fresh and digests.get(item.id) == digest:
                    same[item.id] = digest
        return same

    def _as_checked(self, same: Mapping[str, str]) -> PreviousCheck:
        """Return what the check of the last edition saw in documents that are as they were.

        Detection saw there what the plan left readable, and is not run again; the search for what
        is masked is.
        """
        separator = self.settings.id_separator
        targets = self.redaction().targets
        seen = {}
        for name, lines in self.run.lines():
            if name in same:
                found = mentions_in(lines)
                left = [m for m in found if entity_id(m.value, m.type, separator) not in targets]
                seen[name] = CheckedDocument(Inspected(name, [], left), (), same[name])
        detector = corrected(self.detector, self.run, self.settings)
        return PreviousCheck(detector, keys_of(self.settings), seen)

    # ── the ledger ──────────────────────────────────────────────────────────────────────────────

    def note_edition(self, outgoing: Outgoing) -> None:
        """Note the edition in the ledger; where nothing differs from the last one there is none."""
        assert self.chosen is not None and self._carried is not None
        stays = Carrying(self.released, self.settings, self._carried.files)
        stays.into(outgoing, self.difference.files, self.redaction(), self.before.vault_path)
        incidence, diff, released = self.analysis.incidence, self.difference, outgoing.released
        known = set(incidence.entities)
        masked = {incidence.entities[number] for number in self.chosen.masked.tolist()}
        ever = sorted((masked | {*self.held}) & known)
        before = digests_of(self.released)
        now = digests_of({"documents": released.documents, "records": released.records})
        stayed = now.keys() & before.keys() - diff.fresh
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
                    rewritten=sum(now[name] != before[name] for name in stayed),
                    masked=len(self.chosen.masked),
                    recounted=self.recount,
                    riskier=len(self.riskier),
                )
            )
        self.editions = rows
        editions.keep_ledger(self.run, editions.Editions(rows, ever))
        flags = np.zeros(self.readers.incidence.n_entities, np.bool_)
        flags[self.chosen.masked] = True
        editions.keep_shown(self.run, left_shown(self.readers, flags, now.keys()))
        self.changed = {
            **self.changed,
            "readers": {
                "masked": len(self.excess.masked),
                "documents": self.excess.documents,
                "chains": self.excess.chains,
            },
            "riskier": [
                {
                    "document": self._named.get(name, name),
                    "rewritten": now.get(name) != before.get(name),
                }
                for name in self.riskier
            ],
        }
        self._drop_codes(known)

    def _drop_codes(self, known: set[str]) -> None:
        """Drop the random codes of values that the corpus no longer holds."""
        key = self.redaction().key
        if key and self.run.tokens_path.exists():
            codes = read_tokens(self.run.tokens_path, key)
            left = {entity: code for entity, code in codes.items() if entity in known}
            if len(left) < len(codes):
                self.run.write("tokens", [seal_tokens(key, left)])


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


def _entries(run: Run, settings: Settings) -> Mapping[str, Any]:
    words = corpus_detector(run, settings).words
    return words.entries if words else {}


def _differing(old: Mapping[str, Any], words: Vocabulary | None) -> Vocabulary:
    """Return the spellings that stand for another value now, and those that came or went."""
    new = words.entries if words else {}
    meant = [{s: (e.value, e.type, e.cue) for s, e in one.items()} for one in (old, new)]
    both = {**old, **new}
    return Vocabulary({s: e for s, e in both.items() if meant[0].get(s) != meant[1].get(s)})


def _mentions(run: Run, documents: Collection[str]) -> Iterator[Mention]:
    """Yield the mentions of some documents of a run."""
    for name, lines in run.lines():
        if name in documents:
            yield from mentions_in(lines)


def _united(found: bytes, old: bytes) -> bytes:
    """Return a document's lines of a log with the older mentions that overlap none of them."""
    now = mentions_in(found)
    more = apart(mentions_in(old), now)
    if not more:
        return found
    return b"".join(map(encode, sorted([*now, *more], key=lambda m: (m.field, m.start))))
