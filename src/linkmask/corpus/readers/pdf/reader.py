"""Reads PDF files as Markdown: the pages in order of their lines, and other parts with text.

The text of pages is pdfium's, with the place of each piece, and so are annotations and outline.
Form fields, metadata and attachments are pypdf's. Both are in the extra `documents`.
"""

from __future__ import annotations

import ctypes
import io
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.ocr import recognize_text
from linkmask.corpus.readers.pdf.page_text import text_boxes, text_in_reading_order
from linkmask.corpus.readers.png import GREY, png
from linkmask.corpus.readers.source import (
    CONTROLS,
    Inner,
    Kind,
    Limits,
    Markdown,
    MarkdownText,
)

DEEPEST = 100
"""Levels of an outline that are read."""
SCALE = 300 / 72
"""Pixels to a point of a picture: 300 to an inch, which programs that recognize text ask for."""
MOST_PIXELS = 50_000_000
"""Pixels of a picture; larger pages are drawn smaller."""

HEADER = b"%PDF-"
NEAR = 1024
"""Bytes within which the header stands, as readers of PDF accept it."""


def read_pdf(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Markdown:
    """Read a PDF file; its text is written, as Markdown.

    Raises:
        Flaw: it is no PDF file; or see `read`.
    """
    if HEADER not in data[:NEAR]:
        raise Flaw("not a PDF file, as its ending says")
    return Markdown(read(data, inner, limits))


def read(data: bytes, inner: Inner, limits: Limits) -> MarkdownText:
    """Read a PDF file.

    Raises:
        Flaw: it is damaged or encrypted, no page of it holds text, or the extra is missing.
    """
    try:
        import pypdf
        import pypdfium2
    except ModuleNotFoundError:
        raise Flaw('PDF files need an extra: pip install "linkmask[documents]"') from None
    try:
        shown = _pages(pypdfium2, data, limits.ocr)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise Flaw("encrypted: remove its password" if locked else "a damaged PDF file") from None
    removed = shown.removed
    if not any(shown.texts):
        raise Flaw("no page of it holds text: a scan needs text recognition (OCR) first")
    parts, places, at = list[str](), list[tuple[int, int]](), 0
    for number, text in enumerate(shown.texts, 1):
        heading = f"## Page {number}\n\n" if text else ""
        begin = at + len(heading)
        places.append((begin, begin if number in shown.recognized else begin + len(text)))
        if text:
            parts.append(heading + text)
            at = begin + len(text) + len("\n\n")
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        for heading, lines in _beside(reader, shown):
            if lines:
                parts.append(f"## {heading}\n\n" + "\n".join(lines))
        for number, (held, names) in enumerate(_attached(reader).items(), 1):
            parts.append(f"## Attachment {number}\n\nfile name: {', '.join(names)}")
            try:
                named = next((name for name in names if "." in name), "")
                source = inner(held, Kind(named), limits.inner())
                parts += [field.text for field in source.fields]
                removed += [f"attachment {number}: {reason}" for reason in source.removed]
            except Flaw as flaw:
                removed.append(f"attachment {number}: {flaw}")
    except Flaw:
        raise
    except Exception as error:  # pypdf documents no set of errors for damaged files
        raise Flaw(f"a damaged PDF file ({type(error).__name__})") from None
    return MarkdownText(CONTROLS.sub(" ", "\n\n".join(parts)) + "\n", removed, places)


class _Pages(NamedTuple):
    """What pdfium reads: the text of each page, annotations, outline, what could not be read.

    `recognized`: numbers of the pages whose text a command recognized.
    """

    texts: list[str]
    annotations: list[str]
    outline: list[str]
    removed: list[str]
    recognized: set[int]


def _pages(pypdfium2: Any, data: bytes, command: str) -> _Pages:
    found = _Pages([], [], [], [], set())
    with pypdfium2.PdfDocument(data) as document:
        for number, page in enumerate(document, 1):
            textpage = page.get_textpage()
            found.texts.append(text_in_reading_order(list(text_boxes(textpage))))
            if not found.texts[-1] and any(page.get_objects(max_depth=2)):
                _recognize(page, number, command, found)
            found.annotations.extend(_annotations(document, page))
            textpage.close()
            page.close()
        found.outline.extend(one.get_title() for one in document.get_toc(max_depth=DEEPEST))
    return found


def _recognize(page: Any, number: int, command: str, found: _Pages) -> None:
    """Put the text that a command recognizes on the last page, or say why there is none."""
    try:
        if not command:
            raise Flaw("it shows no text: a scan needs OCR first")
        text = recognize_text(_drawn(page), command)
        if not text:
            raise Flaw("no text is recognized on it")
        found.texts[-1] = text
        found.recognized.add(number)
    except Flaw as flaw:
        found.removed.append(f"page {number}: {flaw}")


def _drawn(page: Any) -> bytes:
    """Return a picture of a page, as a PNG file in shades of grey."""
    width, height = page.get_size()
    scale = min(SCALE, (MOST_PIXELS / max(1, width * height)) ** 0.5)
    pixels = page.render(scale=scale, grayscale=True).to_numpy()
    rows, columns = pixels.shape[:2]
    return png(columns, rows, GREY, pixels.reshape(rows, columns, -1)[..., 0].tobytes())


def _annotations(document: Any, page: Any) -> Iterator[str]:
    """Yield the texts of a page's annotations: notes, their authors, addresses of links."""
    from pypdfium2 import raw

    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        one = raw.FPDFPage_GetAnnot(page, index)
        if raw.FPDFAnnot_GetSubtype(one) != raw.FPDF_ANNOT_WIDGET:
            for label, key in (("author", b"T"), ("note", b"Contents"), ("subject", b"Subj")):
                if text := _string(partial(raw.FPDFAnnot_GetStringValue, one, key), "utf-16-le"):
                    yield f"{label}: {text}"
        action = raw.FPDFLink_GetAction(raw.FPDFAnnot_GetLink(one))
        if uri := _string(partial(raw.FPDFAction_GetURIPath, document, action), "utf-8"):
            yield f"link: {uri}"
        raw.FPDFPage_CloseAnnot(one)


def _string(get: Callable[[Any, int], int], codec: str) -> str:
    """Return a text that a function of pdfium writes to a buffer, and whose size it returns."""
    if (size := get(None, 0)) <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    units = ctypes.POINTER(ctypes.c_ushort) if codec == "utf-16-le" else ctypes.c_void_p
    get(ctypes.cast(buffer, units), size)
    return buffer.raw.decode(codec, "replace").rstrip("\0")


def _beside(reader: Any, shown: _Pages) -> Iterator[tuple[str, list[str]]]:
    """Yield what a file holds beside its pages: a heading, and lines."""
    yield "Form fields", [f"{name}: {value}" for name, value in _fields(reader)]
    yield "Annotations", shown.annotations
    yield "Outline", shown.outline
    about = {str(key).strip("/"): value for key, value in (reader.metadata or {}).items()}
    yield "Metadata", [f"{name}: {value}" for name, value in about.items() if value]
    xmp = reader.trailer["/Root"].get_object().get("/Metadata")
    packet = xmp.get_object().get_data().decode("utf-8", "replace") if xmp else ""
    lines = re.sub(r"<[^>]*>", "\n", packet).split("\n")
    yield "Properties", [line for line in lines if line.strip()]


def _fields(reader: Any) -> Iterator[tuple[str, str]]:
    for name, field in (reader.get_fields() or {}).items():
        for key in ("/V", "/DV", "/TU"):
            value = field.get(key)
            if value is not None and not str(value).startswith("/"):
                yield str(field.get("/TU") or name), str(value)
                break


def _attached(reader: Any) -> dict[bytes, list[str]]:
    """Return what is attached, each with the names it goes by."""
    found: dict[bytes, list[str]] = {}
    for name, versions in reader.attachments.items():
        for held in versions:
            found.setdefault(bytes(held), []).append(str(name))
    return found
