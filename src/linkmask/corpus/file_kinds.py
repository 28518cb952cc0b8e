"""Lists the kinds of files by their endings, and the names under which files are written."""

from __future__ import annotations

import os
import re

KINDS = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
    ".txt": "text",
    ".md": "text",
    ".markdown": "text",
    ".log": "text",
    ".vtt": "text",
    ".srt": "text",
    ".hl7": "text",
    ".x12": "text",
    ".edi": "text",
    ".ics": "ics",
    ".vcf": "ics",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".eml": "eml",
    ".mbox": "mbox",
    ".xml": "xml",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".docx": "docx",
    ".odt": "odt",
    ".gz": "gz",
    ".zip": "zip",
    ".pdf": "pdf",
    ".rtf": "rtf",
    ".msg": "msg",
}
PACKED = ("json", "jsonl", "csv", "pdf", "rtf")
"""Kinds that are read in the same way if gzip has compressed them."""
DOCUMENT_KINDS = ("html", "eml", "mbox", "ics", "xml", "yaml", "docx", "odt", "gz", "zip", "msg")
"""Kinds that `corpus.readers` read and write: a file is read whole, as one document or several."""
SEVERAL = ("json", "jsonl", "csv", "parquet", "xlsx", "mbox", "zip")
"""Kinds of files that may hold several documents."""
READ = f"a folder of files, or one file, of the kinds that are read ({', '.join(KINDS)})"


_ROTATED = re.compile(r"\.log\.[0-9]{1,8}$")
WRITTEN_AS = {"pdf": ".md", "rtf": ".md", "msg": ".eml"}
"""Kinds that can't be written → the ending of what is written beside: Markdown, a mail."""
_WRITTEN = re.compile(
    r"(.*\.(?:(?:pdf|rtf)(?=\.md)|msg(?=\.eml)))\.\w+(\.gz)?", re.IGNORECASE | re.DOTALL
)


def format_of(name: str) -> str:
    """Return the ending that tells how a file of a corpus is read: `eml`; of others `other`.

    `name` may be that of what is written: the text of a PDF or RTF file.
    """
    name = read_name(name)
    ending = os.path.splitext(name)[1].lower()  # noqa: PTH122 - no Path per file of a large folder
    return ending[1:] if ending in KINDS else "other"


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
    if ending.lower() == ".gz" and before.lower() in KINDS:
        stem = inner
    return name.removeprefix(stem)


def kind_of(name: str) -> tuple[str, bool]:
    """Return how a file is read, "" where it is not, and whether gzip has compressed its table."""
    at = name.rfind(".")
    plain = KINDS.get(name[at:], "gz") if at > 0 and name[at - 1] not in "/." else "gz"
    if plain != "gz":  # the usual case, and corpora have many files
        return plain, False
    stem, ending = os.path.splitext(_ROTATED.sub(".log", name.lower()))  # noqa: PTH122 - no Path each
    kind = KINDS.get(ending, "")
    inner = KINDS.get(os.path.splitext(stem)[1], "") if kind == "gz" else ""  # noqa: PTH122
    return (inner, True) if inner in PACKED else (kind, False)
