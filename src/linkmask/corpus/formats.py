"""Registers the module that reads, and the one that writes, each kind of file."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

from linkmask.corpus import as_markdown, json_read, json_write, parquet, tables, texts, whole
from linkmask.corpus.files import WHOLE


class Format(NamedTuple):
    """The modules of a kind of file.

    The reader has `documents(file, settings)` and `ids(file, settings)`, and where files hold
    records, `records(file, settings)`. The writer has `write(file, out, group, settings)`.
    """

    reader: ModuleType
    writer: ModuleType


FORMATS = {
    **dict.fromkeys(("json", "jsonl"), Format(json_read, json_write)),
    "csv": Format(tables, tables),
    "parquet": Format(parquet, parquet),
    "text": Format(texts, texts),
    **dict.fromkeys(("pdf", "rtf"), Format(as_markdown, as_markdown)),
    **dict.fromkeys(WHOLE, Format(whole, whole)),
}
"""Kind of file → its modules; `files.KINDS` has the kinds by ending."""
