"""Masks for the next edition the documents whose masks may have changed since the last release.

All other files stay as they were written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from linkmask import corpus
from linkmask.corpus import record_digest
from linkmask.pipeline.checking.checked_documents import (
    CheckedDocument,
    CheckedDocuments,
    CheckedRow,
)
from linkmask.pipeline.checking.corpus_check import PreviousCheck
from linkmask.pipeline.detection.detector import corrected
from linkmask.pipeline.editions.redetection import NextEdition
from linkmask.pipeline.editions.reused_files import Carrying
from linkmask.pipeline.fixed_names.keys import keys_of
from linkmask.pipeline.planning.regulation import styles
from linkmask.pipeline.reading import ByDocument, with_mentions
from linkmask.pipeline.values.possible_spellings import words_checked, words_cut
from linkmask.pipeline.word_index import words_of, words_read
from linkmask.records import Document, SetAside, entity_id
from linkmask.redact import TRIES
from linkmask.redact.match import Hit, Matcher
from linkmask.runs.mentions import mentions_in
from linkmask.schema import RARE_TERM
from linkmask.text.codes import fold_characters
from linkmask.text.spelled_words import spelled_words
from linkmask.verify import Inspected
from linkmask.workers import batches

TEXTS = 1000
"""Documents that are searched at once."""


class EditionRedaction(NextEdition):
    """A job on the next edition of a run, up to its masked documents; made as its parent is."""

    def redact(self) -> None:
        """Mask what may be masked otherwise than it was released; the rest stays as it is."""
        self.source = self.whole
        plan = self.redaction()
        with self.step("redact"):
            concerned = self._concerned()
            self._carry(concerned)
            if self.unchanged and not TRIES & styles(self.settings):
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
            stays = diff.same.difference(self._file[d] for d in concerned & self._file.keys())
        kept = {name: outputs[name] for name in stays if name in outputs}
        self._carried = corpus.Carried(self.out, kept, self.stamps)
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
                words.update(words_read(item[0]), words_cut(*item))
                found.update(entity_id(one.value, one.type, separator) for one in item[1])
        return words, found

    def _concerned(self) -> set[str] | None:
        """Return the documents that may be masked otherwise; None for all of them."""
        carrying = Carrying(self.released, self.settings)
        if self.previous is None or not carrying.possible:
            return None
        now, then = self.redaction().masks, self.previous.masks
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
        of = incidence.document
        rows = np.isin(incidence.entity, np.array(otherwise, np.int32))
        found |= {incidence.documents[d] for d in np.unique(of[rows]).tolist()}
        forms = set[str]().union(*respelled.values())
        for values in (self.redaction().targets, self.previous.values):
            for entity in changed & values.keys() - respelled.keys():
                if values[entity].type != RARE_TERM:  # it is masked in its document alone
                    forms.update(values[entity].surfaces, values[entity].forms)
        search = Matcher(sorted(forms))
        spellings = (words_of(fold_characters(form)) for form in forms)
        for some in batches(self.unchanged_with(filter(None, spellings)), TEXTS):
            texts = [(one.id, *field) for one in some for field in one.fields()]
            hits = search.find([text for *_, text in texts])
            for (name, field, text), each in zip(texts, hits, strict=True):
                if name in found:
                    continue
                cut = "[" in text
                changes = each and (cut or not self._is_within(name, field, each))
                if changes or any(spelled_words(text)):  # whose letters are set apart
                    found.add(name)
        return found

    def _is_within(self, document: str, field: str, hits: Sequence[Hit]) -> bool:
        """Tell whether each hit in a field is a part of a longer masked mention.

        Then it changes no mask: the longer of two values names it, and it covers both.

        Args:
            document: one that mentions no entity which is masked otherwise.
            field: one without placeholders, which are cut out of mentions.
        """
        separator, masks = self.settings.id_separator, self.redaction().masks
        spans = [
            (one.start, one.end)
            for one in mentions_in(self.before.lines_by_document()[document])
            if one.field == field and entity_id(one.value, one.type, separator) in masks
        ]
        return all(
            any(a <= start and end <= b and end - start < b - a for a, b in spans)
            for start, end, _ in hits
        )

    def _respelled(self, entity: str) -> set[str] | None:
        """Return the spellings that a masked entity gained or lost since the last edition.

        None if it may be written otherwise, too: then each document that mentions it may change.
        """
        assert self.previous is not None
        plan, was = self.redaction(), self.previous.values.get(entity)
        if was is None or TRIES & styles(self.settings):  # found by the spellings
            return None
        target = plan.targets[entity]
        last = target._replace(surfaces=sorted(was.surfaces), forms=was.forms)
        if plan.mask_digest(entity, last) != self.previous.masks.get(entity):
            return None
        both = (target.surfaces, last.surfaces), (target.forms, last.forms)
        return {spelling for now, then in both for spelling in {*now} ^ {*then}}

    def _as_released(self) -> dict[str, str]:
        """Return the digests of the documents that are masked as they were released.

        The check looks for what can stand in the documents as they are masked.
        """
        assert self.source is not None and self._masked is not None
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
                if item.id not in self.difference.fresh and self.digests.get(item.id) == digest:
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
            readable = [m for m in found if entity_id(m.value, m.type, separator) not in targets]
            one = CheckedDocument(Inspected(name, [], readable), (), digest)
            seen.add(name, CheckedRow.of(one))
        detector = corrected(self.detector, self.run, self.settings)
        return PreviousCheck(detector, keys_of(self.settings), seen)
