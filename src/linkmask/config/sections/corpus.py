"""Settings of `[corpus]`: how files are read and what is written beside them."""

from __future__ import annotations

from linkmask.config.sections.general import GeneralSettings
from linkmask.config.sections.ranges import Count, Positive


class CorpusSettings(GeneralSettings, frozen=True, kw_only=True):
    """All settings up to those of `[corpus]`."""

    text_field: str | tuple[str, ...] = ()
    """Fields of running text, also as paths (`report.body`, `messages[].content`). If you name
    none, it is `content`, and in a record without `content` each field of more than six words."""
    id_field: str = "id"
    """Field of the id. Without it, the id is the name of the file or `file:row`."""
    metadata_field: str = "metadata"
    """Field of the metadata, an object or JSON text."""
    exclude_fields: tuple[str, ...] = ()
    """Fields in which nothing is detected or masked. [Verification](verify.md) searches them for
    masked values."""
    encoding: str = ""
    """[Encoding](corpus.md#delimiter-and-encoding) of files that do not name theirs, such as
    `cp1252`. If empty, it is UTF-8 or UTF-16."""
    ocr: str = ""
    """[Command](corpus.md#scanned-pages) that recognizes scanned pages: PNG in, UTF-8 text out."""
    max_characters: Positive = 50_000_000
    """Largest number of characters of a document. A longer one is set aside."""
    chunk_size: Count = 0
    """Characters of a chunk in [`chunks.jsonl`](files.md#chunks). With 0, no chunks are written."""
    chunk_overlap: Count = 0
    """Characters that the next chunk repeats, at most half of `chunk_size`."""
    redacted_pdf: bool = False
    """Also write PDF files as redacted PDF files, to `OUT/redacted-pdf`."""
