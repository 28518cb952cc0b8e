"""Settings of `[corpus]`: how files are read and what is written beside them."""

from __future__ import annotations

from linkmask.config.sections.general import GeneralSettings
from linkmask.config.sections.ranges import Count, Positive


class CorpusSettings(GeneralSettings, frozen=True, kw_only=True):
    """All settings up to those of `[corpus]`."""

    text_field: str | tuple[str, ...] = ()
    """Field or column that holds the text, or a list of several. A path such as `report.body` leads
    into an object, and `messages[].content` through a list. If no field is named, the text is in
    `content`. A record without `content` is read as well: its long values are text, and the other
    values are read with their keys."""
    id_field: str = "id"
    """Field or column that holds the id. In a record without one, the id is the name of the file or
    `file:row`."""
    metadata_field: str = "metadata"
    """Field or column that holds the metadata, as an object or as JSON text."""
    exclude_fields: tuple[str, ...] = ()
    """Fields, columns, metadata keys or paths of keys in which nothing is detected or masked.
    [Verification](verify.md) searches them for masked values."""
    encoding: str = ""
    """Encoding of files without a byte order mark, such as `cp1252`. If none is given, a file in
    which every second byte is zero is read as UTF-16, and any other as UTF-8."""
    ocr: str = ""
    """Command that recognizes the text of scanned pages of PDF files, such as `tesseract stdin
    stdout`. It reads a PNG picture of a page from its standard input, and writes UTF-8 text."""
    max_characters: Positive = 50_000_000
    """Maximum number of characters of a document. A longer one is set aside, not cut."""
    chunk_size: Count = 0
    """Number of characters of a chunk in `chunks.jsonl`. With 0, no chunks are written."""
    chunk_overlap: Count = 0
    """Number of characters at the end of a chunk that the next chunk repeats. It is at most half of
    `chunk_size`."""
    redacted_pdf: bool = False
    """Whether PDF files are also written as redacted PDF files, to `OUT/redacted-pdf`."""
