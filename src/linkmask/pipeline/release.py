"""Gathers what a release tells and keeps: counts, vault, report."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from linkmask import policy, verify
from linkmask.config import Settings
from linkmask.config.paths import field_in_settings
from linkmask.corpus import format_of, record_digest
from linkmask.errors import OutputError
from linkmask.pipeline.answers.answers_left import AnswersLeft, masked_words
from linkmask.pipeline.answers.questions import UserQuestion
from linkmask.pipeline.linkage.certificate import BothTexts, everything_read
from linkmask.pipeline.linkage.surprising_words import readable_share
from linkmask.pipeline.planning import regulation
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.reading import NOT_MASKED, ByDocument, expected
from linkmask.pipeline.redaction.corpus_redaction import Redaction
from linkmask.pipeline.word_index import WordIndexer
from linkmask.records import (
    Audit,
    Document,
    Incidence,
    Masked,
    Mention,
    Plan,
    Risk,
    SetAside,
    entity_id,
    entity_label,
)
from linkmask.redact import REVERSIBLE, VARIES
from linkmask.redact.vault import seal
from linkmask.report import stored_release
from linkmask.runs import MaskedFile, Run, atomic
from linkmask.text.codes import is_word
from linkmask.text.letters import spaced_words

NOT_CHECKED = "it is not what was checked"


def verified_documents(
    source: Source,
    masked: MaskedFile,
    checked: Mapping[str, str] | None,
    counted: CorpusCounts,
    progress: Progress = silent,
) -> Iterator[Masked | SetAside]:
    """Yield the corpus in input order, each document as it was masked, or set aside.

    `checked`: digests of the checked documents, by id; a document with another digest is not
    yielded. If it is None, nothing was checked.
    """
    rows = ByDocument(masked.rows(), masked.documents)
    for done, item in enumerate(expected(source, counted), 1):
        if isinstance(item, SetAside):
            yield item
        elif item.id not in rows:
            yield counted.set_aside(item, "redact", NOT_MASKED)
        else:
            one = rows.take(item.id).over(item)
            same = checked is None or checked.get(item.id) == record_digest(one.written)
            yield one if same else counted.set_aside(item, "write", NOT_CHECKED)
        progress("write", done, counted.documents or None)


class ReleaseLog:
    """The log of a release: counts, what the run keeps, and what is set aside, under safe names.

    Args:
        unnamed: a document set aside → the same as reports show it.
        mentions: those of each document, where it matters what stands in their place (policies).
        keeps_texts: whether the linker will attack what is released.
        questions: those of the user whose answers are looked for in what is released.
        indexes: whether the words of what is released are indexed for the next edition.
    """

    def __init__(
        self,
        redaction: Redaction,
        unnamed: Callable[[SetAside], SetAside],
        mentions: ByDocument[list[Mention]] | None = None,
        keeps_texts: bool = False,
        questions: Sequence[UserQuestion] = (),
        indexes: bool = False,
    ) -> None:
        self.answers = AnswersLeft(questions)
        self.texts = dict[str, BothTexts]()
        """All that each document says, where the linker will attack it."""
        self._keeps_texts = keeps_texts
        self.words = WordIndexer() if indexes else None
        self.counts: Counter[str] = Counter()
        self.released = stored_release.ReleaseRecord()
        self.placed = policy.MaskPlacement(redaction.settings.id_separator)
        self.aside: list[SetAside] = []
        self._left_out: list[str] = []
        self.vault: list[bytes] = []
        self._redaction, self._unnamed, self._mentions = redaction, unnamed, mentions
        styles = regulation.styles(redaction.settings)
        self._plain = styles == {"value"}  # a check reads what is written, else `typed` texts
        self.released.coarse = redaction.coarse
        if VARIES & styles:
            self.released.drawn = redaction.draws
        self._undone = redaction.redactor.reversible if REVERSIBLE & styles else frozenset()

    def passing(self, items: Iterable[Masked | SetAside]) -> Iterator[Masked | SetAside]:
        """Yield the documents of a masked corpus, and log them."""
        for item in items:
            if isinstance(item, SetAside):
                self.leave_out(item)
            else:
                self._note(item)
            yield item

    def leave_out(self, item: SetAside) -> None:
        """Note something that is not released: a document, or a part of one."""
        self._left_out.append(item.document)
        self.aside.append(self._unnamed(item))

    def parts_left_out(self) -> int:
        """Return how many parts of released documents were left out."""
        return sum(map(self.released.originals.__contains__, self._left_out))

    def _note(self, item: Masked) -> None:
        counts, released = self.counts, self.released
        amount = sum(one.end - one.start for one in item.replacements)
        counts["released"] += 1
        counts["mentions"] += len(item.replacements)
        counts["ids"] += self._redaction.holds_masked_value(spaced_words(item.id))
        counts["characters"] += amount
        if self._keeps_texts:
            both = everything_read(item.original), everything_read(item.written)
            self.texts[item.id] = BothTexts(*both)
        if self.words is not None:
            self.words.add(item.original)
        self.answers.note(item.id, item.original.text, item.written.text, masked_words(item))
        settings = self._redaction.settings
        if settings.readable_share < 1 and item.replacements:
            share = readable_share(item, settings)
            if share > settings.readable_share:
                released.above_share[item.id] = share
        released.documents.setdefault(item.origin.file, []).append(item.id)
        released.originals[item.id] = record_digest(item.original)
        released.amounts[item.id] = len(item.replacements), amount, at_a_word(item)
        metadata = settings.metadata_field
        released.excluded |= {field_in_settings(name, metadata) for name in item.original.excluded}
        if not self._plain:
            elsewhere = item.original.by_place  # what is written may be read there in its field
            masks = [
                (field, start, end, one.text if elsewhere else "", one.type)
                for (field, start, end), one in zip(
                    verify.spans_of(item), item.replacements, strict=True
                )
            ]
            released.masks[item.id] = msgspec.Raw(msgspec.json.encode(masks))
        if self._undone and (swept := self._redaction.undetected(item)):
            released.swept[item.id] = swept
        if self._undone and (sealed := seal(item, self._redaction.key, self._undone)):
            self.vault.append(sealed)
        if self._mentions is not None:
            self.placed.note(item, self._mentions.take(item.id))


REASONS = 3
"""Number of reasons that are reported for a format, the most frequent first."""


def by_format(
    released: Mapping[str, Sequence[str]], aside: Iterable[SetAside]
) -> dict[str, dict[str, Any]]:
    """Return what became of the documents of files, by the ending of the files' names.

    Args:
        released: the documents that were released, by file.
        aside: those that were set aside.
    """
    whole: Counter[str] = Counter()
    for name in filter(None, released):
        whole[format_of(name)] += len(released[name])
    reasons: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for item in aside:
        if name := item.origin.file:
            reasons[format_of(name)][item.reason] += 1
    return {
        kind: {
            "released": whole[kind],
            "set_aside": sum(reasons[kind].values()),
            "reasons": dict(reasons[kind].most_common(REASONS)),
        }
        for kind in sorted({*whole, *reasons})
    }


def at_a_word(item: Masked) -> bool:
    """Tell whether a mask touches a letter or digit, so that a part of a word becomes a word."""
    texts = dict(item.original.fields()) if item.replacements else {}
    return any(
        is_word(character)
        for one in item.replacements
        for character in (
            texts[one.field][max(one.start - 1, 0) : one.start]
            + texts[one.field][one.end : one.end + 1]
        )
    )


def text_digest(document: Document) -> str:
    """Return what earlier versions kept of a released document: a digest of its texts alone."""
    return sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def spellings(run: Run, settings: Settings) -> dict[str, str]:
    """Return a spelling of each entity by label, for a report that was asked to show values."""
    ids = ((entity_id(m.value, m.type, settings.id_separator), m) for m in run.mentions())
    return {entity_label(name, run.salt): mention.original for name, mention in ids}


def write_report(
    out: Path,
    audit: Audit,
    incidence: Incidence,
    before: Risk,
    plan: Plan | None,
    after: Risk | None,
    values: Mapping[str, str] | None,
) -> None:
    """Write report.html and summary.json; with values the page is private (0600).

    Raises:
        OSError: the disk is full, or can't be written; whoever stages a release says where.
    """
    from linkmask.report.page import render

    page = render(audit, incidence, before, plan=plan, after=after, values=values)
    summary = msgspec.json.format(msgspec.json.encode(audit))
    mode = 0o644 if values is None else 0o600
    atomic.write_whole(out / "report.html", [page.encode()], mode)
    atomic.write_whole(out / "summary.json", [summary], 0o644)


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]], private: bool) -> None:
    """Write a file of JSON lines, whole; readable by its owner only where it is private.

    Raises:
        OSError: the disk is full, or can't be written; whoever stages a release says where.
    """
    lines = (msgspec.json.encode(row) + b"\n" for row in rows)
    atomic.write_whole(path, lines, 0o600 if private else 0o644)


def write_whole(path: Path, data: bytes, mode: int) -> None:
    """Write a file whole or not at all.

    Raises:
        OutputError: the disk is full, or can't be written.
    """
    try:
        atomic.write_whole(path, [data], mode)
    except OSError as error:
        raise OutputError(f"can't write {path}: {error.strerror}") from None
