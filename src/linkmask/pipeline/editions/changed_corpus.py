"""Reads the parts of a corpus that differ from its last edition, and may hold what differs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.pipeline.edition_state import EditionState, state_by
from linkmask.pipeline.editions.difference import Difference, difference
from linkmask.pipeline.editions.reused_files import digests_of
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.progress import Progress, silent
from linkmask.pipeline.reading import Pair, with_mentions
from linkmask.pipeline.word_index import WordIndex, indexed
from linkmask.records import Document, SetAside
from linkmask.runs import Run, editions

FEW = 5000
"""Up to this many documents are searched and checked in this process: to start others, the memory
of a large run would have to be shared with them, which takes longer."""
LITTLE = 1 << 20
"""Up to this many bytes of new and changed files this process detects in them: the words that it
meets it knows when it checks the same documents, and others would have to meet them again."""


class ChangedCorpus(ReleaseJob):
    """A job on a corpus of which a run released the last edition.

    Args:
        run: the run that is to replace `before`, which is open for reading.
        released: what that run released last (`released.json`).
        out: the folder that `before` released to.
        stamps: those of files, of the corpus or in `out`, that need not be read; made by
            `corpus.files.stamp`.
    """

    def __init__(
        self,
        run: Run,
        settings: Settings,
        source: Corpus,
        before: Run,
        released: Mapping[str, Any],
        out: Path,
        progress: Progress = silent,
        stamps: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(run, settings, source, progress)
        self.stamps = stamps
        self.before, self.out, self.overwrite = before, out, True
        run.keeps_lines = before.keeps_lines = True
        source.keep()  # what is new is read a dozen times
        self.whole = source
        self.released = released
        self.ledger = editions.ledger_of(before)
        if not self.ledger.editions:
            self.ledger.editions = [editions.first_edition(before, self.released)]
        self.editions = self.ledger.editions
        self.redone: set[str] = set()
        """Ids of the documents whose mentions were looked for anew."""

    @cached_property
    def difference(self) -> Difference:
        """What is new, changed and gone since the last edition."""
        return difference(self.whole, self.released)

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """The digests of the masked documents that were released, by id."""
        return digests_of(self.released)

    @cached_property
    def previous(self) -> EditionState | None:
        """What the last edition left for this one."""
        return state_by(self.before)

    def _files_of(self, documents: Collection[str]) -> Corpus:
        """Return the files that were read, and those that hold some documents."""
        return self.whole.part(self._read.union(map(self._file.__getitem__, documents)))

    @cached_property
    def _read(self) -> frozenset[str]:
        """The files that were read: those whose bytes are not as they were."""
        return frozenset(self.difference.files).difference(self.difference.same)

    @cached_property
    def _file(self) -> Mapping[str, str]:
        """The file of each document."""
        return {d: name for name, ids in self.difference.files.items() for d in ids}

    def _indexed(self) -> WordIndex:
        """Return the words of all documents; only what is new or changed is read for it."""
        fresh = self.difference.fresh
        index = self.previous.index if self.previous else WordIndex()
        kept = index.restricted_to(frozenset(self.difference.documents) - fresh)
        others = frozenset(self.difference.documents).difference(kept.documents)
        return kept.merged_with(indexed(self._documents_of(others))) if others else kept

    def unchanged_with(self, spellings: Iterable[Collection[str]]) -> Iterator[Document]:
        """Yield the unchanged documents that may hold one of some spellings, given by words."""
        found = self.index.documents_with(spellings) - self.difference.fresh
        return self._documents_of(found) if found else iter(())

    def _documents_of(self, names: Collection[str]) -> Iterator[Document]:
        """Yield some documents."""
        for one in self._files_of(names)():
            if isinstance(one, Document) and one.id in names:
                yield one

    def _workers_for(self, documents: int) -> int:
        """Return on how many processes some documents are searched or checked."""
        return 1 if documents <= FEW else self.settings.workers

    def _pairs_of(self, names: Collection[str]) -> Iterator[Pair]:
        """Yield some documents with their mentions."""
        for one in with_mentions(self._files_of(names), self.run, "mentions", self.counted):
            if not isinstance(one, SetAside) and one[0].id in names:
                yield one
