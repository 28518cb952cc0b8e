"""What can be read in a file by those who know nothing of linkmask: all of it, as one text."""

from __future__ import annotations

import email
import email.header
import gzip
import html.parser
import io
import re
import zipfile
from collections.abc import Iterator
from email.message import Message
from urllib.parse import unquote


class _Page(html.parser.HTMLParser):
    """Collects all that the standard library's parser sees in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.shown: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen += [tag, *(part or "" for pair in attrs for part in pair)]

    def handle_data(self, data: str) -> None:
        self.shown.append(data)

    def handle_comment(self, data: str) -> None:
        self.seen.append(data)

    def unknown_decl(self, data: str) -> None:
        self.seen.append(data)

    def handle_pi(self, data: str) -> None:
        self.seen.append(data)


def of_page(text: str) -> Iterator[str]:
    page = _Page()
    page.feed(text)
    page.close()
    yield from page.seen
    yield "".join(page.shown)
    yield html.unescape(text)
    yield re.sub(r"<[^>]*>", "", text)
    yield re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)


def of_mail(data: bytes) -> Iterator[str]:
    told = email.message_from_bytes(data)  # newer policies take hours for some broken headers
    for part in told.walk():
        yield from of_part(part)


def of_part(part: Message) -> Iterator[str]:
    for _, value in part.raw_items():
        yield str(email.header.make_header(email.header.decode_header(str(value))))
    yield unquote(str(part.get_filename()))
    yield f"{part.preamble} {part.epilogue}"
    if not part.is_multipart():
        data = bytes(part.get_payload(decode=True) or b"")  # type: ignore[arg-type]
        if zipfile.is_zipfile(io.BytesIO(data)):
            yield from of_package(data)
        content = data.decode("utf-8", "replace")
        yield content
        if part.get_content_type() == "text/html":
            yield from of_page(content)


def of_package(data: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        yield package.comment.decode("utf-8", "replace")
        for name in package.namelist():
            yield name
            text = package.read(name).decode("utf-8", "replace")
            yield text
            if name.endswith(".gz"):
                yield gzip.decompress(package.read(name)).decode("utf-8", "replace")
            if name.endswith((".xml", ".rels", ".html")):
                yield from of_page(text)


def of_rtf(text: str) -> str:
    """Return the text of an RTF file with characters decoded, and joined over runs and lines."""
    text = re.sub(r"\\'([0-9a-f]{2})", lambda one: chr(int(one[1], 16)), text)
    text = re.sub(r"\\u([0-9]+)\?", lambda one: chr(int(one[1])), text)
    return re.sub(r"\}\{\\i |\\-|\n", "", text)


def readable(name: str, data: bytes) -> str:
    """Return all that can be read in a file."""
    text = data.decode("utf-8", "replace")
    ending = name.rsplit(".", 1)[1]
    seen = [text]
    if ending == "html":
        seen += of_page(text)
    elif ending in ("eml", "mbox"):
        seen += of_mail(data)
    elif ending in ("xml", "yaml"):
        seen += of_page(text)
    elif ending in ("docx", "odt", "zip"):
        seen += of_package(data)
    elif ending == "rtf":
        seen.append(of_rtf(text))
    elif ending == "gz":
        seen.append(gzip.decompress(data).decode("utf-8", "replace"))
    return "\n".join(seen)
