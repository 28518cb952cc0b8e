"""Reads and writes the mentions that a run keeps, and the scores that planning begins with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from linkmask.records import Incidence, Links, Mention, MentionTable
from linkmask.runs import arrays
from linkmask.runs.columns import mention_table, table_of_lines
from linkmask.runs.damaged_file import damaged
from linkmask.runs.document_lines import DocumentLines
from linkmask.runs.file_names import DETECTED, LOGS, PLAN, SCORED
from linkmask.runs.files import RunFiles
from linkmask.runs.log import Batch, Log, batches, line_of
from linkmask.runs.mentions import (
    chunks,
    encode,
    joined,
    leaving_out,
    line_head,
    mentions_in,
    read_mentions,
    unchanged,
)
from linkmask.runs.spellings import spellings


class Detected(RunFiles):
    """The mentions of a run, by log: `stage1` (the first pass) and `mentions` (the result)."""

    keeps_lines = False
    """Whether `lines_by_document` is kept until its log is replaced, for who asks for it often."""

    def __init__(self, path: Path, home: Path) -> None:
        super().__init__(path, home)
        self._kept: dict[str, tuple[list[tuple[int, int, int]], DocumentLines]] = {}

    def log(self, name: str = "mentions") -> Log:
        """Open a log of mentions (`stage1` or `mentions`) for appending after its last batch."""
        return Log(self.path, name)

    def keep_scored(self, incidence: Incidence, links: Links) -> None:
        """Keep the scores of the mentions, for planning again."""
        self.write(SCORED, arrays.dump(incidence, links))

    def scored(self) -> tuple[Incidence, Links] | None:
        """Return the incidence and the links that were kept, if there are any."""
        path = self.find(SCORED)
        return arrays.load(path) if path.exists() else None

    def has(self, name: str) -> bool:
        """Tell whether a log (`stage1`, `mentions`) was begun; an adopted file is none.

        Raises:
            RunError: the list of the documents that it covers was removed.
        """
        done = self.find(f"{name}.done.jsonl")
        if done.exists():
            return True
        adopted = name == "mentions" and not self.find("stage1.done.jsonl").exists()
        if not adopted and self.find(f"{name}.jsonl").exists():
            raise damaged(done)  # else mentions would count as given, and no text be read again
        return False

    @property
    def uncorrected(self) -> str:
        """The log that holds the mentions as they were detected."""
        return DETECTED if self.has(DETECTED) else "mentions"

    def documents(self, name: str = "mentions") -> list[str]:
        """Ids of the documents a log is complete for, in input order, also without mentions."""
        return [d for batch in batches(self.find(f"{name}.done.jsonl")) for d in batch.documents]

    def mentions(self, name: str = "mentions") -> Iterator[Mention]:
        """Yield the mentions of a log in input order."""
        return read_mentions(self._file(name))

    def mentions_of(self, documents: Container[str], name: str = "mentions") -> Iterator[Mention]:
        """Yield the mentions of some documents of a log, in its order."""
        held = self.lines_by_document(name)
        for document in held:
            if document in documents:
                yield from mentions_in(held[document])

    def spellings(
        self, types: Collection[str] | None = None
    ) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield (value, type) and the spelling of each mention; see `spellings`."""
        return spellings(self._file("mentions"), types)

    def replace_log(self, name: str, pairs: Iterable[tuple[str, Iterable[Mention]]]) -> None:
        """Replace a log, and the list of the documents that it covers."""
        self.replace_log_lines(name, ((one, b"".join(map(encode, found))) for one, found in pairs))

    def lines(self, name: str = "mentions") -> Iterator[tuple[str, bytes]]:
        """Yield each document a log covers with its lines there as they are; see `mentions_in`."""
        yield from self.lines_by_document(name).items()

    def lines_by_document(self, name: str = "mentions") -> DocumentLines:
        """Return the same by the document's id; only what is asked for is read."""
        if not self.keeps_lines:
            return DocumentLines(self._file(name), *self._sizes(name))
        both = (self._path(name), self.find(f"{name}.done.jsonl"))
        states = [one.stat() for one in both if one.exists()]
        state = [(one.st_ino, one.st_size, one.st_mtime_ns) for one in states]
        if name not in self._kept or self._kept[name][0] != state:
            self._kept[name] = state, DocumentLines(self._file(name), *self._sizes(name))
        return self._kept[name][1]

    def _sizes(self, name: str) -> tuple[list[str], list[int]]:
        """Return the documents that a log covers, and the bytes of the lines of each."""
        documents, sizes = list[str](), list[int]()
        for batch in batches(self.find(f"{name}.done.jsonl")):
            documents += batch.documents
            sizes += batch.sizes or ()
        if len(sizes) < len(documents):
            sizes = [len(lines) for _, lines in self._grouped_lines(name)]
        return documents, sizes

    def _grouped_lines(self, name: str) -> Iterator[tuple[str, bytes]]:
        """Yield the same of a log without the lengths of each document's lines."""
        read = (one for data in chunks(self._file(name)) for one in data.splitlines(keepends=True))
        ahead = next(read, b"")
        for document in self.documents(name):
            head, found = line_head(document), []
            while ahead.startswith(head):
                found.append(ahead)
                ahead = next(read, b"")
            yield document, b"".join(found)

    def replace_log_lines(self, name: str, pairs: Iterable[tuple[str, bytes]]) -> None:
        """Replace a log by lines as `lines` yields them, and the list of documents it covers."""
        sizes: dict[str, int] = {}

        def data() -> Iterator[bytes]:
            for document, found in pairs:
                sizes[document] = len(found)
                yield found

        self._replace(name, data(), sizes)

    def add_mentions(self, fresh: Mapping[str, Sequence[Mention]]) -> None:
        """Add mentions of some documents to the result, also as it was before any correction."""
        for log in dict.fromkeys((self.uncorrected, "mentions")) if any(fresh.values()) else ():
            held = self.lines_by_document(log)
            more = {one: joined(held[one], fresh[one]) for one in held if one in fresh}
            self.merge(log, held, held, more)

    def merge(
        self, name: str, order: Iterable[str], then: DocumentLines, anew: Mapping[str, bytes]
    ) -> None:
        """Replace a log by the lines that another one has of documents, and by those of `anew`.

        `order`: all documents; one that neither of them knows is left out.
        """
        documents = [one for one in order if one in anew or one in then]
        sizes = {one: len(anew[one]) if one in anew else then.size(one) for one in documents}

        def data() -> Iterator[bytes]:
            for new, together in groupby(documents, anew.__contains__):
                if new:
                    yield from map(anew.__getitem__, together)
                else:
                    yield from then.joined(together)

        self._replace(name, data(), sizes)

    def _replace(self, name: str, data: Iterable[bytes], sizes: Mapping[str, int]) -> None:
        """Write a log; `sizes`, once it is written: those of its documents, in order."""
        with self.together():
            self.write(f"{name}.jsonl", data)
            every = list(sizes.values())
            whole = Batch(list(sizes), sum(every), complete=True, sizes=every)
            self.write(f"{name}.done.jsonl", [line_of(whole)])

    def by_document(self, name: str = "mentions") -> Iterator[tuple[str, list[Mention]]]:
        """Yield each document a log covers with its mentions there, in the log's order."""
        mentions = self.mentions(name)
        ahead = next(mentions, None)
        for document in self.documents(name):
            found = []
            while ahead is not None and ahead.document == document:
                found.append(ahead)
                ahead = next(mentions, None)
            yield document, found

    def mention_table(
        self,
        type_of: Callable[[str], str | None],
        normalize: Callable[[str, str], str] | None = None,
        name: str = "mentions",
    ) -> tuple[MentionTable, dict[str, int]]:
        """Read a log as columns over all its documents; see `linkmask.runs.mention_table`."""
        covered = self.documents(name)
        return mention_table(self._file(name), type_of, normalize, documents=covered or None)

    def mention_table_of(
        self, documents: Sequence[str], type_of: Callable[[str], str | None]
    ) -> tuple[MentionTable, dict[str, int]]:
        """Read the mentions of some documents as columns; see `mention_table`."""
        held = self.lines_by_document()
        return table_of_lines((held[one] for one in documents), type_of, unchanged, documents)

    def adopt(self, mentions: Path) -> None:
        """Take a mentions file as this run's own, if there is no corpus.

        Raises:
            InputError: the file can't be read.
            RunError: it can't be copied.
        """
        name = "mentions.parquet" if mentions.suffix.lower() == ".parquet" else "mentions.jsonl"
        self.write(name, chunks(mentions))

    def leave_out(self, documents: Container[str]) -> None:
        """Remove all mentions of some documents from the run's logs, or from what was adopted."""
        for log in LOGS:
            if self.has(log):
                pairs = self.by_document(log)
                self.replace_log(
                    log, ((name, each) for name, each in pairs if name not in documents)
                )
        if not self.has("mentions"):
            adopted = self._file("mentions")
            self.write(adopted.name, leaving_out(adopted, documents))

    def _file(self, name: str) -> Path:
        """Return the file that holds a log, or that was adopted in its place.

        Raises:
            RunError: the log is shorter than it was, or the list of the documents that it covers
                ends too early: it does so only where detection was interrupted.
        """
        path, done = self._path(name), self.find(f"{name}.done.jsonl")
        covered = list(batches(done))
        whole = bool(covered) and covered[-1].complete
        expected = self.find(PLAN).exists() and (done.exists() or self.has("stage1"))
        if expected and not whole:
            raise damaged(done)
        if covered and (path.stat().st_size if path.exists() else 0) < covered[-1].size:
            raise damaged(path)
        return path

    def _path(self, name: str) -> Path:
        adopted = self.find(f"{name}.parquet")
        return adopted if adopted.exists() else self.find(f"{name}.jsonl")
