"""Updates a release: what changed since the last edition is masked and checked.

Files stay as they were written, but for those with a document that a mask which is made otherwise
may concern. Which documents are detected in is in `redetection`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from linkmask import corpus
from linkmask.config import Settings
from linkmask.corpus import record_digest
from linkmask.detect import PROMPTED
from linkmask.errors import RunError, UsageError
from linkmask.pipeline.checking.checked_documents import (
    CheckedDocument,
    CheckedDocuments,
    CheckedRow,
)
from linkmask.pipeline.checking.corpus_check import PreviousCheck
from linkmask.pipeline.detection.detector import corrected
from linkmask.pipeline.editions.recounting import recount_effect, without_values
from linkmask.pipeline.editions.redetection import TEXTS, NextEdition
from linkmask.pipeline.editions.reused_files import Carrying, digests_of
from linkmask.pipeline.editions.riskier import riskier
from linkmask.pipeline.editions.union_exposure import (
    EditionUnion,
    UnionExcess,
    edition_union,
    shown_by,
    shown_only_before,
    union_excess,
)
from linkmask.pipeline.editions.word_index import words_of, words_read
from linkmask.pipeline.fixed_names.keys import keys_of
from linkmask.pipeline.linkage.rare_terms import count_common_words
from linkmask.pipeline.linkage.readable_words import Hashes
from linkmask.pipeline.planning.regulation import styles
from linkmask.pipeline.planning.scoring import incidence_grown, incidence_of, overrule
from linkmask.pipeline.reading import ByDocument, with_mentions
from linkmask.pipeline.release import ReleaseLog
from linkmask.pipeline.values.possible_spellings import words_checked, words_cut
from linkmask.records import Document, Incidence, SetAside, entity_id
from linkmask.records.ids import texts_at
from linkmask.redact.match import Matcher
from linkmask.redact.tokens import read_tokens, seal_tokens
from linkmask.report import stored_plan, stored_release
from linkmask.runs import Run, editions
from linkmask.runs.mentions import mentions_in
from linkmask.text.codes import fold_characters
from linkmask.verify import Inspected
from linkmask.workers import batches

Confirm = Callable[[Mapping[str, Any]], bool]
"""Is shown the effect of counting anew, and tells whether to go on."""


class Update(NextEdition):
    """A job on the next edition of a run; made as its parent is."""

    confirm: Confirm | None = None
    """Where frequencies are to be counted anew, and pinned so: is shown what that changes
    (`recount_effect`) before anything is masked. If it returns False, nothing is released."""
    effect: dict[str, Any] | None = None
    """What counting anew changes, once it was confirmed."""
    riskier: Sequence[str] = ()
    """Ids of the released documents that became riskier by what is new."""
    readers: EditionUnion
    excess = UnionExcess()

    @property
    def recount(self) -> bool:
        """Whether frequencies are counted anew."""
        return self.confirm is not None

    # ── detection ───────────────────────────────────────────────────────────────────────────────

    def _common_words(self) -> Hashes:
        """Return the words that are not rare, as they were counted or are counted anew."""
        if not self.recount:
            return super()._common_words()
        every = with_mentions(self.whole, self.run, "mentions", self.counted)
        return count_common_words((x for x in every if not isinstance(x, SetAside)), self.settings)

    # ── scores ──────────────────────────────────────────────────────────────────────────────────

    def score(self) -> None:
        """Score under the counts that were pinned, or count anew."""
        pins = editions.pinned_by(self.before)
        if self.recount:
            editions.drop_pins(self.run)
        elif pins is not None:
            editions.keep_pins(self.run, pins)
        super().score()
        self.values = self.values_now()
        if self.recount and pins is not None and self.effect is None:
            self.effect = self._confirmed(pins)

    def _grown_incidence(self) -> Incidence | None:
        with self.step("score"):
            return incidence_grown(self.run, self.before, self.settings, self.counted)

    def _confirmed(self, pins: editions.Counts) -> dict[str, Any]:
        """Return what counting anew changes, when somebody who was shown it wants it done."""
        known = self.run, self.analysis, pins, self.settings, self.demands, self.held
        effect = recount_effect(*known)
        if self.confirm is not None and not self.confirm(effect):
            raise UsageError("not confirmed: nothing was released, no count was changed")
        return effect

    def plan(self) -> None:
        """Choose what to mask, beside what an earlier edition masked."""
        super().plan()
        self._hide_from_readers()
        self.compare(self.held, "release")
        masked = stored_plan.masked_ids(self.released)
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
            extra = extra.union(shown_by(last, stored_plan.masked_ids(self.released), gone))
        self.readers = edition_union(
            self.analysis.incidence, stayed, self.held, extra, self.settings.entity_types.weights
        )
        self.excess = union_excess(self.readers, self.settings, self.chosen)
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
            if self.unchanged and "surrogate" not in styles(self.settings):
                plan.words, plan.found = self._due()
            self._masked = plan.redact(self.source, self.counted, self.progress)
            workers = self._workers_for(len(self._masked.documents))
            plan.settings = msgspec.structs.replace(plan.settings, workers=workers)
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

    def _due(self) -> tuple[set[str], set[str]]:
        """Return the words that can stand in the documents that are masked now, and the entities.

        These are given by their ids.
        """
        assert self.source is not None
        words, found = set[str](), set[str]()
        separator = self.settings.id_separator
        for item in with_mentions(self.source, self.run, "mentions", self.counted):
            if not isinstance(item, SetAside):
                words.update(words_read(item[0], self.settings), words_cut(*item))
                found.update(entity_id(one.value, one.type, separator) for one in item[1])
        return words, found

    def _concerned(self) -> set[str] | None:
        """Return the documents that may be masked otherwise; None for all of them."""
        carrying = Carrying(self.released, self.settings)
        if self.known is None or not carrying.possible:
            return None
        now, then = self.redaction().masks, self.known.masks
        changed = {
            entity for entity in now.keys() | then.keys() if now.get(entity) != then.get(entity)
        }
        incidence = self.analysis.incidence
        number = {entity: n for n, entity in enumerate(incidence.entities) if entity in changed}
        if any(entity not in now for entity in number):
            return None  # it is readable by somebody's will, and may stand anywhere
        found = {*self.run.lines_by_document().differing(self.before.lines_by_document())}
        found |= self.difference.fresh | carrying.at_words
        respelled = {e: own for e in number if (own := self._respelled(e)) is not None}
        otherwise = [n for entity, n in number.items() if entity not in respelled]
        of = np.repeat(np.arange(incidence.n_documents), np.diff(incidence.start))
        rows = np.isin(incidence.entity, np.array(otherwise, np.int32))
        found |= {incidence.documents[d] for d in np.unique(of[rows]).tolist()}
        targets = self.redaction().targets
        forms = set[str]().union(*respelled.values())
        for entity in changed & now.keys() - respelled.keys():
            forms.update(targets[entity].surfaces, targets[entity].forms)
        search = Matcher(sorted(forms))
        spellings = (words_of(fold_characters(form)) for form in forms)
        for some in batches(self.unchanged_with(filter(None, spellings)), TEXTS):
            texts = [(one.id, text) for one in some for _, text in one.fields()]
            hits = search.find([text for _, text in texts])
            found |= {name for (name, _), each in zip(texts, hits, strict=True) if each}
        return found

    def _respelled(self, entity: str) -> set[str] | None:
        """Return the spellings that a masked entity gained or lost since the last edition.

        None if it may be written otherwise, too: then each document that mentions it may change.
        """
        assert self.known is not None
        plan, was = self.redaction(), self.known.values.get(entity)
        if was is None or "surrogate" in styles(self.settings):  # drawn by the spellings
            return None
        target = plan.targets[entity]
        last = target._replace(surfaces=sorted(was.surfaces), forms=was.forms)
        if plan.mask_digest(entity, last) != self.known.masks.get(entity):
            return None
        both = (target.surfaces, last.surfaces), (target.forms, last.forms)
        return {spelling for now, then in both for spelling in {*now} ^ {*then}}

    def _as_released(self) -> dict[str, str]:
        """Return the digests of the documents that are masked as they were released.

        The check looks for what can stand in the documents as they are masked.
        """
        assert self.source is not None and self._masked is not None
        digests = digests_of(self.released)
        rows = ByDocument(self._masked.rows(), self._masked.documents)
        same: dict[str, str] = {}
        words = self.redaction().words
        words = None if words is None else set(words)
        for item in self.source():
            if isinstance(item, Document) and item.id in rows:
                written = rows.take(item.id).over(item).written
                if words is not None:
                    words |= words_checked(written)
                digest = record_digest(written)
                if item.id not in self.difference.fresh and digests.get(item.id) == digest:
                    same[item.id] = digest
        self.redaction().words = words
        return same

    def _as_checked(self, same: Mapping[str, str]) -> PreviousCheck:
        """Return what the check of the last edition saw in documents that are as they were.

        Detection saw there what the plan left readable, and is not run again; the search for what
        is masked is.
        """
        separator = self.settings.id_separator
        targets = self.redaction().targets
        seen = CheckedDocuments(self.run.path)
        lines = self.run.lines_by_document()
        for name, digest in same.items():
            found = mentions_in(lines[name])
            left = [m for m in found if entity_id(m.value, m.type, separator) not in targets]
            one = CheckedDocument(Inspected(name, [], left), (), digest)
            seen.add(name, CheckedRow.of(one))
        detector = corrected(self.detector, self.run, self.settings)
        return PreviousCheck(detector, keys_of(self.settings), seen)

    def _listing(self) -> Sequence[str]:
        return self.whole.listed()

    # ── the ledger ──────────────────────────────────────────────────────────────────────────────

    def note_edition(self, outgoing: ReleaseLog) -> None:
        """Note the edition in the ledger; where nothing differs from the last one there is none."""
        assert self.chosen is not None and self._carried is not None
        stays = Carrying(self.released, self.settings, self._carried.files)
        stays.into(outgoing, self.difference.files, self._named, self.before.vault_path)
        incidence, diff, released = self.analysis.incidence, self.difference, outgoing.released
        known = set(incidence.entities)
        masked = set(texts_at(incidence.entities, self.chosen.masked))
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
        self.ledger.editions = rows
        editions.keep_ledger(
            self.run, self.ledger.with_release(masked, self.redaction().coarse).restricted_to(known)
        )
        flags = np.zeros(self.readers.incidence.n_entities, np.bool_)
        flags[self.chosen.masked] = True
        editions.keep_shown(self.run, shown_only_before(self.readers, flags, now.keys()))
        self.changed = {
            **self.changed,
            **({"recount": without_values(self.effect)} if self.effect else {}),
            **({"all_again": True} if self.known is None else {}),
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


def updatable(before: Run, settings: Settings) -> Mapping[str, Any]:
    """Return what a run released last, if it can be updated.

    Raises:
        RunError: it has released nothing, its mentions were given or found by a language model,
            or a language model writes its documents.
    """
    again = "mask the corpus anew, with --keep-masked and this run"
    if not (before.path / stored_release.RELEASED).exists():
        raise RunError(f"{before.path} has released nothing: mask or apply it first")
    if not before.has("stage1") or settings.detector in PROMPTED:
        raise RunError(f"the mentions of {before.path} were given or found by a model: {again}")
    if settings.style == "rewrite" or settings.policy_model:
        raise RunError(f"a model writes or checks the documents of {before.path}: {again}")
    released = stored_release.last_release(before)
    if not released.get("originals"):
        raise RunError(f"{before.path} is of a version that kept no digests of documents: {again}")
    return released
