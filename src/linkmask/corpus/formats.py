"""Registers the module that reads, and the one that writes, each kind of file."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

from linkmask.corpus import (
    as_markdown,
    csv_tables,
    document_files,
    json_read,
    json_write,
    parquet,
    plain_text,
    workbooks,
)
from linkmask.corpus.file_kinds import DOCUMENT_KINDS


class Format(NamedTuple):
    """The modules of a kind of file.

    The reader has `documents(file, settings)` and `ids(file, settings)`, and where files hold
    records, `records(file, settings)`. The writer has `write(file, out, group, settings)`.
    """

    reader: ModuleType
    writer: ModuleType


FORMATS = {
    **dict.fromkeys(("json", "jsonl"), Format(json_read, json_write)),
    "csv": Format(csv_tables, csv_tables),
    "parquet": Format(parquet, parquet),
    "xlsx": Format(workbooks, workbooks),
    "text": Format(plain_text, plain_text),
    **dict.fromkeys(("pdf", "rtf"), Format(as_markdown, as_markdown)),
    **dict.fromkeys(DOCUMENT_KINDS, Format(document_files, document_files)),
}
"""Kind of file → its modules; `file_kinds.KINDS` has the kinds by ending."""
