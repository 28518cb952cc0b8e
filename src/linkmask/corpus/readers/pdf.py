"""PDF files as Markdown: pages in the order of their lines, and all else that holds text.

The text of pages is pdfium's, with the place of each piece. Form fields, annotations, outline,
metadata and attachments are pypdf's. Both are in the extra `documents`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.source import Inner, Kind, Limits

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
COLUMN = 25
"""Characters that the lines of a column of text have on average; labels of a form have fewer."""
LINES = 6
"""Lines that a column of text has at least."""


class Box(NamedTuple):
    """A piece of a page's text and where it stands, in points from the lower left corner."""

    left: float
    bottom: float
    right: float
    top: float
    text: str


class Read(NamedTuple):
    """What was read of a file: Markdown, and what could not be read, each with its reason.

    `pages` has for each page where its text stands in the Markdown, half-open.
    """

    text: str
    removed: list[str]
    pages: Sequence[tuple[int, int]] = ()


def read(data: bytes, inner: Inner, limits: Limits) -> Read:
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
        pages, removed = _pages(pypdfium2, data)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise Flaw("encrypted: remove its password" if locked else "a damaged PDF file") from None
    if not any(pages):
        raise Flaw("no page of it holds text: a scan needs text recognition (OCR) first")
    parts, places, at = list[str](), list[tuple[int, int]](), 0
    for number, text in enumerate(pages, 1):
        heading = f"## Page {number}\n\n" if text else ""
        places.append((at + len(heading), at + len(heading) + len(text)))
        if text:
            parts.append(heading + text)
            at = places[-1][1] + len("\n\n")
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        for heading, lines in _beside(reader):
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
    return Read(_CONTROLS.sub(" ", "\n\n".join(parts)) + "\n", removed, places)


def _pages(pypdfium2: Any, data: bytes) -> tuple[list[str], list[str]]:
    """Return the text of each page, and what is said of those that hold none."""
    pages, removed = [], []
    with pypdfium2.PdfDocument(data) as document:
        for number, page in enumerate(document, 1):
            textpage = page.get_textpage()
            pages.append(ordered(list(text_boxes(textpage))))
            if not pages[-1] and any(page.get_objects(max_depth=2)):
                removed.append(f"page {number}: it shows no text: a scan needs OCR first")
            textpage.close()
            page.close()
    return pages, removed


def text_boxes(textpage: Any) -> Iterator[Box]:
    """Yield the pieces of a page's text in the order of the file."""
    for index in range(textpage.count_rects()):
        left, bottom, right, top = textpage.get_rect(index)
        text = textpage.get_text_bounded(left, bottom, right, top)
        text = " ".join(text.replace("\ufffe", "-").replace("\x02", "-").split())
        if text:
            yield Box(left, bottom, right, top, text)


def ordered(boxes: Sequence[Box]) -> str:
    """Return the text of a page as it is read: its lines from above, each from the left.

    Columns of prose are read one after the other. What stands in one line far apart, as a label and
    its value do, is parted by two blanks.
    """
    return "".join(piece if isinstance(piece, str) else piece.text for piece in laid_out(boxes))


def laid_out(boxes: Sequence[Box]) -> list[Box | str]:
    """Return the pieces of a page in the order of `ordered`, and what stands between them."""
    gutter = _gutter(boxes)
    rows = _rows(boxes) if gutter is None else _rows_of_columns(boxes, gutter)
    pieces: list[Box | str] = []
    for row in rows:
        pieces += ["\n"] if pieces else []
        pieces += _parted(row)
    return pieces


def _rows_of_columns(boxes: Sequence[Box], gutter: float) -> list[list[Box]]:
    columns = [b for b in boxes if b.right <= gutter], [b for b in boxes if b.left >= gutter]
    across = [b for b in boxes if b.left < gutter < b.right]
    highest = max(box.top for column in columns for box in column)
    above = [box for box in across if box.bottom >= highest]
    below = [box for box in across if box.bottom < highest]
    return [row for part in (above, *columns, below) for row in _rows(part)]


def _gutter(boxes: Sequence[Box]) -> float | None:
    """Return where two columns of prose are parted, None where there is one."""
    if len(boxes) < 2 * LINES:
        return None
    low, high = min(b.left for b in boxes), max(b.right for b in boxes)
    for share in (0.5, 0.48, 0.52, 0.45, 0.55, 0.4, 0.6):
        gutter = low + share * (high - low)
        sides = [b for b in boxes if b.right <= gutter], [b for b in boxes if b.left >= gutter]
        across = len(boxes) - len(sides[0]) - len(sides[1])
        if across <= len(boxes) / 10 and all(map(_is_prose, sides)):
            return gutter
    return None


def _is_prose(boxes: Sequence[Box]) -> bool:
    rows = _rows(boxes)
    length = sum(
        len(piece if isinstance(piece, str) else piece.text)
        for row in rows
        for piece in _parted(row)
    )
    return len(rows) >= LINES and length >= COLUMN * len(rows)


def _rows(boxes: Sequence[Box]) -> list[list[Box]]:
    """Return the lines that pieces of text form, each from the left."""
    rows: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: (-(box.top + box.bottom), box.left)):
        middle = (box.top + box.bottom) / 2
        if rows and rows[-1][0].bottom < middle < rows[-1][0].top:
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row) for row in rows]


def _parted(row: list[Box]) -> Iterator[Box | str]:
    """Yield the pieces of a line, and the blanks between those that stand apart."""
    yield row[0]
    for before, box in pairwise(row):
        gap, high = box.left - before.right, box.top - box.bottom
        if gap >= high / 8:
            yield " " if gap < 2 * high else "  "
        yield box


def _beside(reader: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield what a file holds beside its pages: a heading, and lines."""
    yield "Form fields", [f"{name}: {value}" for name, value in _fields(reader)]
    yield "Annotations", list(_annotations(reader))
    yield "Outline", list(_titles(reader.outline))
    about = {str(key).strip("/"): value for key, value in (reader.metadata or {}).items()}
    yield "Metadata", [f"{name}: {value}" for name, value in about.items() if value]
    xmp = reader.trailer["/Root"].get_object().get("/Metadata")
    packet = xmp.get_object().get_data().decode("utf-8", "replace") if xmp else ""
    said = re.sub(r"<[^>]*>", "\n", packet).split("\n")
    yield "Properties", [line for line in said if line.strip()]


def _fields(reader: Any) -> Iterator[tuple[str, str]]:
    for name, field in (reader.get_fields() or {}).items():
        for key in ("/V", "/DV", "/TU"):
            value = field.get(key)
            if value is not None and not str(value).startswith("/"):
                yield str(field.get("/TU") or name), str(value)
                break


def _annotations(reader: Any) -> Iterator[str]:
    """Yield the texts of annotations: notes, their authors, addresses of links."""
    for page in reader.pages:
        for one in page.get("/Annots") or ():
            held = one.get_object()
            for label, key in (("author", "/T"), ("note", "/Contents"), ("subject", "/Subj")):
                if held.get("/Subtype") != "/Widget" and held.get(key):
                    yield f"{label}: {held[key]}"
            action = held.get("/A")
            if action is not None and action.get_object().get("/URI"):
                yield f"link: {action.get_object()['/URI']}"


def _titles(outline: Any) -> Iterator[str]:
    for one in outline:
        if isinstance(one, list):
            yield from _titles(one)
        else:
            yield str(one.title)


def _attached(reader: Any) -> dict[bytes, list[str]]:
    """Return what is attached, each with the names it goes by."""
    found: dict[bytes, list[str]] = {}
    for name, versions in reader.attachments.items():
        for held in versions:
            found.setdefault(bytes(held), []).append(str(name))
    return found
