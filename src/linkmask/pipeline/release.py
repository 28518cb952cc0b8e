"""What goes out and what is kept of it: counts, vault, report; files whole or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from linkmask import corpus, verify
from linkmask.config import Settings
from linkmask.config.paths import spelled
from linkmask.errors import OutputError
from linkmask.pipeline import redaction, regulation
from linkmask.pipeline.redaction import Redaction
from linkmask.records import Audit, Document, Incidence, Masked, Plan, Risk, SetAside, entity_id
from linkmask.redact import REVERSIBLE, VARIES
from linkmask.redact.vault import seal
from linkmask.report import tables
from linkmask.runs import Run, atomic


def counted(
    stream: Iterator[Masked | SetAside],
    masker: Redaction,
    counts: Counter[str],
    released: tables.Released,
) -> Iterator[Masked | SetAside]:
    """Pass a masked corpus on; count what is written over, note what is released, by file."""
    looks_like_values = VARIES & regulation.styles(masker.settings)
    metadata = masker.settings.metadata_field
    for item in stream:
        if isinstance(item, Masked):
            counts["released"] += 1
            file = item.origin.file
            released.documents.setdefault(file, []).append(item.id)
            released.originals[item.id] = corpus.record_digest(item.original)
            excluded = item.original.excluded
            released.excluded |= {spelled(name, metadata) for name in excluded}
            if looks_like_values:
                released.masks[item.id] = verify.spans_of(item)
            counts["mentions"] += len(item.replacements)
            counts["ids"] += masker.named_in(redaction.spaced_words(item.id))
            counts["characters"] += sum(one.end - one.start for one in item.replacements)
        yield item


def text_digest(document: Document) -> str:
    """Return what earlier versions kept of a released document: a digest of its texts alone."""
    return sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def sealed(stream: Iterator[Masked | SetAside], masker: Redaction) -> Iterator[Masked | SetAside]:
    """Pass a masked corpus on; the vault is whole before the last document is released."""
    if not REVERSIBLE & regulation.styles(masker.settings):
        yield from stream
        return
    undone = {e for e in masker.targets if masker.redactor.style(e) in REVERSIBLE}
    lines: list[bytes] = []
    for item in stream:
        if isinstance(item, Masked):
            lines.append(seal(item, masker.key, undone))
        yield item
    masker.run.write("vault", lines)


def spellings(run: Run, settings: Settings) -> dict[str, str]:
    """Return a spelling of each entity, for a report that was asked to show values."""
    separator = settings.id_separator
    return {entity_id(m.value, m.type, separator): m.original for m in run.mentions()}


def write_report(
    out: Path,
    audit: Audit,
    incidence: Incidence,
    before: Risk,
    plan: Plan | None,
    after: Risk | None,
    values: Mapping[str, str] | None,
) -> None:
    """Write report.html and summary.json; with values the page is private (0600)."""
    from linkmask.report.page import render

    page = render(audit, incidence, before, plan=plan, after=after, values=values)
    summary = msgspec.json.format(msgspec.json.encode(audit))
    write_whole(out / "report.html", page.encode(), 0o644 if values is None else 0o600)
    write_whole(out / "summary.json", summary, 0o644)


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]], private: bool) -> None:
    """Write a file of JSON lines, whole; readable by its owner only where it is private."""
    lines = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    write_whole(path, lines, 0o600 if private else 0o644)


def write_whole(path: Path, data: bytes, mode: int) -> None:
    """Write a file whole or not at all.

    Raises:
        OutputError: the disk is full, or can't be written.
    """
    try:
        atomic.write_whole(path, [data], mode)
    except OSError as error:
        raise OutputError(f"can't write {path}: {error.strerror}") from None
