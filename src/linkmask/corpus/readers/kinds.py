"""Chooses the reader of a file by the ending of its name, or by its media type in a mail."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath

from linkmask.corpus.encodings import HEAD
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers import archive, content_lines, gzip_file, html, office, pdf, rtf, xml
from linkmask.corpus.readers.mail import Mail, Mailbox, Outlook
from linkmask.corpus.readers.source import (
    Encoded,
    Kind,
    Limits,
    Markup,
    Plain,
    Source,
    decode_bytes,
)

BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""Bytes that no text in UTF-8 or of single bytes has."""
Reader = Callable[[bytes, Kind, Limits], Source]


def read_text(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read a text without markup."""
    encoding, text = decode_bytes(data, kind.charset, limits)
    return Encoded(data, encoding, Plain(text))


def read_card(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read a vCard or calendar."""
    encoding, text = decode_bytes(data, kind.charset, limits)
    return Encoded(data, encoding, content_lines.Card(text))


def read_html(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read a web page, in the encoding that a mail or the page itself declares."""
    return _markup(data, kind.charset or html.declared_encoding(data[:HEAD]), html.Page, limits)


def read_mail(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read a message with its parts and attachments."""
    return Mail(data, read_beside, limits)


def read_xml(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read an XML document of an unknown vocabulary."""
    return _markup(
        data,
        kind.charset or xml.declared_encoding(data[:HEAD]),
        partial(xml.Xml, layout=xml.ElementLayout()),
        limits,
    )


def read_office(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read an office document with all of its parts."""
    return office.Package(data, read, limits)


def read_escaped(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read a text in which characters may be written by their number, as in JSON."""
    encoding, text = decode_bytes(data, kind.charset, limits)
    return Encoded(data, encoding, html.Script(text))


def read_mailbox(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read a mailbox that lies in another file as one document."""
    return Mailbox(data, read_beside, limits)


def read_archive(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read an archive that lies in another file as one document."""
    return archive.Archive(data, read_beside, limits)


def read_gzip(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read a compressed file as the kind that its name has without the ending .gz."""
    return gzip_file.Compressed(data, kind, read_packed, limits)


def read_packed(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read a compressed file; one whose name tells no kind (`syslog.2`) is read as text."""
    if PurePosixPath(kind.name).suffix not in ENDINGS and not BINARY.search(data):
        return read_text(data, kind, limits)
    return read(data, kind, limits)


def _markup(data: bytes, charset: str, made: Callable[[str], Markup], limits: Limits) -> Source:
    encoding, text = decode_bytes(data, charset, limits)
    return Encoded(data, encoding, made(text), "xmlcharrefreplace")


ENDINGS: dict[str, Reader] = {
    **dict.fromkeys((".txt", ".md", ".markdown", ".log", ".text"), read_text),
    **dict.fromkeys((".csv", ".tsv", ".vtt", ".srt", ".hl7", ".x12", ".edi"), read_text),
    **dict.fromkeys((".json", ".jsonl", ".ndjson", ".yaml", ".yml"), read_escaped),
    **dict.fromkeys((".html", ".htm", ".xhtml"), read_html),
    **dict.fromkeys((".ics", ".vcf"), read_card),
    ".eml": read_mail,
    ".mbox": read_mailbox,
    **dict.fromkeys((".xml", ".svg", ".rdf"), read_xml),
    **dict.fromkeys((".docx", ".odt"), read_office),
    ".gz": read_gzip,
    ".zip": read_archive,
}
"""Ending of a file's name → its reader."""

MEDIA: dict[str, Reader] = {
    "text/html": read_html,
    "application/xhtml+xml": read_html,
    "message/rfc822": read_mail,
    **dict.fromkeys(("text/calendar", "text/vcard", "text/x-vcard"), read_card),
    "application/json": read_escaped,
    "application/xml": read_xml,
    "text/xml": read_xml,
    **dict.fromkeys(("application/gzip", "application/x-gzip"), read_gzip),
    **dict.fromkeys(("application/zip", "application/x-zip-compressed"), read_archive),
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": read_office,
    "application/vnd.oasis.opendocument.text": read_office,
}
"""Media type that a mail says of a part → its reader."""
RTF_MEDIA = ("application/rtf", "application/x-rtf", "text/rtf")
PDF_MEDIA = ("application/pdf", "application/x-pdf")
OUTLOOK_MEDIA = "application/vnd.ms-outlook"
TEXT_MEDIA = ("text", "multipart", "message")
"""Media types of which those without a reader are read as text."""


def read(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read bytes as the kind that their name and media type tell.

    Raises:
        Flaw: their kind is not read, or they are not of the declared kind.
    """
    ending = PurePosixPath(kind.name.lower()).suffix
    reader = ENDINGS.get(ending) if kind.media in ("", "application/octet-stream") else None
    reader = reader or MEDIA.get(kind.media)
    if not reader and kind.media.partition("/")[0] in TEXT_MEDIA:
        reader = read_text
    reader = reader or ENDINGS.get(ending)
    if not reader:
        raise Flaw("of a kind that is not read, such as a picture: it is left out")
    return reader(data, kind, limits)


def read_beside(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read what may be written as something else: PDF and RTF files as Markdown, a message of
    Outlook as a mail, also where they are compressed; the others as by `read`.

    Raises:
        Flaw: as for `read`.
    """
    name, media = kind.name.lower(), kind.media.partition("/")[0]
    if kind.media in PDF_MEDIA or (name.endswith(".pdf") and media not in TEXT_MEDIA):
        return pdf.Pdf(data, read_beside, limits)
    if kind.media in RTF_MEDIA or (name.endswith(".rtf") and media not in TEXT_MEDIA):
        return rtf.Rtf(data, read_beside, limits)
    if kind.media == OUTLOOK_MEDIA or (name.endswith(".msg") and media not in TEXT_MEDIA):
        return Outlook(data, read_beside, limits)
    if name.endswith((".pdf.gz", ".rtf.gz", ".msg.gz")) and media not in TEXT_MEDIA:
        return gzip_file.Compressed(data, kind, read_beside, limits)
    return read(data, kind, limits)
