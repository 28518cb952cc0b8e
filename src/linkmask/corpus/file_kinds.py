"""Lists the kinds of files that are read, a row each, and the names under which they are written.

A kind is spelled here alone: its row says by which modules it is read and written.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of files, with all that linkmask has to know of it.

    name: as which the kind is known, and its modules are found.
    endings: of the names of its files, in a folder and within other files.
    reader: `module.function` of `corpus/readers/` that reads such bytes within another file:
        `function(data, kind, limits, inner)`; `inner` reads what lies in them. "": nothing does.
    format: the module of `corpus/` for whole files. It has `documents(file, settings)`,
        `ids(file, settings)`, `write(file, out, group, settings)` and, where files hold records,
        `records(file, settings)`. Two formats read whole files by `reader`: `document_files`, and
        `as_markdown` what can't be written.
    writer: the module that has `write`, if it is another one.
    within: endings that are only read within other files.
    media: media types by which a mail declares it.
    written: ending and media type of what is written for it, if it can't be written itself.
    title: what such a file is called.
    several: whether a file may hold several documents.
    packed: whether a file that gzip has compressed is read by the same format.
    costly: whether it takes longer to read than to be sent from one process to another.
    redacted: `module.function` of `corpus/readers/` that writes it without what is masked, beside
        the Markdown: `function(data, pages, masked)`.
    """

    name: str
    endings: tuple[str, ...]
    reader: str = ""
    format: str = "document_files"
    writer: str = ""
    within: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    written: tuple[str, str] | None = None
    title: str = ""
    several: bool = False
    packed: bool = False
    costly: bool = True
    redacted: str = ""


_rows = partial(FileKind, several=True, costly=False)
MARKDOWN = (".md", "text/markdown; charset=utf-8")
GZIP = "gz"
KINDS = {
    kind.name: kind
    for kind in (
        _rows(
            "json", (".json",), "html.read_escaped", "json_read", "json_write",
            media=("application/json",), packed=True,
        ),
        _rows(
            "jsonl", (".jsonl", ".ndjson"), "html.read_escaped", "json_read", "json_write",
            packed=True,
        ),
        _rows("csv", (".csv", ".tsv"), "source.read_text", "csv_tables", packed=True),
        _rows("parquet", (".parquet",), format="parquet"),
        _rows("xlsx", (".xlsx",), format="workbooks"),
        FileKind(
            "text",
            (".txt", ".md", ".markdown", ".log", ".vtt", ".srt", ".hl7", ".x12", ".edi"),
            "source.read_text", "plain_text", within=(".text",), costly=False,
        ),
        FileKind(
            "ics", (".ics", ".vcf"), "content_lines.read_card",
            media=("text/calendar", "text/vcard", "text/x-vcard"),
        ),
        FileKind(
            "html", (".html", ".htm", ".xhtml"), "html.read_html",
            media=("text/html", "application/xhtml+xml"),
        ),
        FileKind("eml", (".eml",), "mail.read_mail", media=("message/rfc822",)),
        FileKind("mbox", (".mbox",), "mail.read_mailbox", several=True),
        FileKind(
            "xml", (".xml",), "xml.read_xml", within=(".svg", ".rdf"),
            media=("application/xml", "text/xml"),
        ),
        FileKind("yaml", (".yaml", ".yml"), "html.read_escaped"),
        FileKind(
            "docx", (".docx",), "kinds.read_office",
            media=("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
        ),
        FileKind(
            "odt", (".odt",), "kinds.read_office",
            media=("application/vnd.oasis.opendocument.text",),
        ),
        FileKind(
            GZIP, (".gz",), "kinds.read_gzip", media=("application/gzip", "application/x-gzip")
        ),
        FileKind(
            "zip", (".zip",), "archive.read_archive", several=True,
            media=("application/zip", "application/x-zip-compressed"),
        ),
        FileKind(
            "pdf", (".pdf",), "pdf.reader.read_pdf", "as_markdown", written=MARKDOWN,
            title="PDF file", media=("application/pdf", "application/x-pdf"), packed=True,
            redacted="pdf.redaction.redacted",
        ),
        FileKind(
            "rtf", (".rtf",), "rtf.read_rtf", "as_markdown", written=MARKDOWN, title="RTF file",
            media=("application/rtf", "application/x-rtf", "text/rtf"), packed=True,
        ),
        FileKind(
            "msg", (".msg",), "mail.read_outlook", media=("application/vnd.ms-outlook",),
            written=(".eml", "application/octet-stream"), title="message of Outlook",
        ),
    )
}  # fmt: skip
"""Name → kind."""
ENDINGS = {ending: kind.name for kind in KINDS.values() for ending in kind.endings}
"""Ending of a file in a folder → name of its kind."""
WRITTEN_AS = {name: kind.written[0] for name, kind in KINDS.items() if kind.written}
"""Kinds that can't be written → the ending of what is written beside: Markdown, a mail."""
REDACTED = [name for name, kind in KINDS.items() if kind.redacted]
"""Kinds that can also be written without what is masked."""
READ = f"a folder of files, or one file: {', '.join(KINDS)}"


def function_of(name: str, package: str) -> Any:
    """Return the function that a row names, of a module in a package."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"{package}.{module}"), function)


_ROTATED = re.compile(r"\.log\.[0-9]{1,8}$")
_BEHIND_ENDING = "|".join(
    rf"{re.escape(ending)}(?={re.escape(new)})"
    for name, new in WRITTEN_AS.items()
    for ending in KINDS[name].endings
)
_WRITTEN = re.compile(rf"(.*(?:{_BEHIND_ENDING}))\.\w+(\.gz)?", re.IGNORECASE | re.DOTALL)


def format_of(name: str) -> str:
    """Return the ending that tells how a file of a corpus is read: `eml`; of others `other`.

    `name` may be that of what is written: the text of a PDF or RTF file.
    """
    name = read_name(name)
    ending = os.path.splitext(name)[1].lower()  # noqa: PTH122 - no Path per file of a large folder
    return ending[1:] if ending in ENDINGS else "other"


def written_name(name: str, kind: str) -> str:
    """Return under which name a file is written; what is compressed stays so."""
    packed = name[-3:] if kind in WRITTEN_AS and name.lower().endswith(".gz") else ""
    return f"{name.removesuffix(packed)}{WRITTEN_AS.get(kind, '')}{packed}"


def read_name(name: str) -> str:
    """Return the name of the file whose text is written under a name."""
    found = _WRITTEN.fullmatch(name)
    return found[1] + (found[2] or "") if found else name


def ending_of(name: str) -> str:
    """Return the end of a file's name that says how the file is read or written: ".pdf.md"."""
    stem, ending = os.path.splitext(read_name(name))  # noqa: PTH122 - no Path each
    inner, before = os.path.splitext(stem)  # noqa: PTH122
    if ending.lower() == ".gz" and before.lower() in ENDINGS:
        stem = inner
    return name.removeprefix(stem)


def kind_of(name: str) -> tuple[str, bool]:
    """Return how a file is read, "" where it is not, and whether gzip has compressed its table."""
    at = name.rfind(".")
    plain = ENDINGS.get(name[at:], GZIP) if at > 0 and name[at - 1] not in "/." else GZIP
    if plain != GZIP:  # the usual case, and corpora have many files
        return plain, False
    stem, ending = os.path.splitext(_ROTATED.sub(".log", name.lower()))  # noqa: PTH122 - no Path each
    kind = ENDINGS.get(ending, "")
    inner = ENDINGS.get(os.path.splitext(stem)[1], "") if kind == GZIP else ""  # noqa: PTH122
    return (inner, True) if inner and KINDS[inner].packed else (kind, False)
