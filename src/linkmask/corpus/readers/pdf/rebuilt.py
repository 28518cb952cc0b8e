"""Builds a PDF file anew of its pages alone, and checks that nothing masked is left in it."""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.pdf.page_text import text_boxes, text_in_reading_order
from linkmask.records import Masked

PAGE = ("/Type", "/Parent", "/MediaBox", "/CropBox", "/Rotate", "/Resources", "/Contents")
"""Keys of a page that are kept."""
ROOT = {"/Type", "/Pages"}
"""Keys of a whole file's root that are kept."""
RESOURCES = ("/Font", "/XObject", "/ExtGState", "/ColorSpace", "/Pattern", "/Shading", "/ProcSet")
"""Resources of a page that are kept; property lists may hold texts of their own."""
UNSEEN = ("/Metadata", "/PieceInfo", "/StructParents", "/StructParent", "/LastModified", "/OPI")
"""Keys of other objects that no page shows."""
MARKS = (b"BMC", b"BDC", b"EMC", b"MP", b"DP", b"INLINE IMAGE")
"""Operators that show no text, and may bring one."""
CONTENTS = {
    "/Length", "/Filter", "/DecodeParms", "/Type", "/Subtype", "/FormType", "/BBox", "/Matrix",
    "/Resources", "/Group", "/PatternType", "/PaintType", "/TilingType", "/XStep", "/YStep",
    "/Name",
}  # fmt: skip
"""Keys of streams that are drawn."""
SHORT = 4
"""Letters and digits below which a value is looked for as a word, not within words."""
NESTED = 8
_WORD = re.compile(r"\w+")


class SearchedValues:
    """What is masked in a document, as it is looked for in a PDF file."""

    def __init__(self, masked: Masked) -> None:
        texts = dict(masked.original.every_field())
        spelled = {texts[r.field][r.start : r.end] for r in masked.replacements}
        values = {_squeezed(one) for one in spelled} - {""}
        self._long = {value for value in values if len(value) >= SHORT}
        self._short = values - self._long
        self.released = "\n".join(text for _, text in masked.written.every_field())
        self._written = {
            one.encode(codec, "replace")
            for one in spelled
            if len(_squeezed(one)) >= SHORT and one not in self.released
            for codec in ("utf-8", "utf-16-be", "latin-1")
        }

    def remains_in(self, text: str, released: str) -> bool:
        """Tell whether a value stands in a text more often than in what is released of it."""
        found, allowed = _squeezed(text), _squeezed(released)
        if any(found.count(value) > allowed.count(value) for value in self._long):
            return True
        words, free = _words(text), _words(released)
        return any(words[value] > free[value] for value in self._short)

    def remains_in_any(self, texts: Iterator[str]) -> bool:
        """Tell whether a long value stands in one of many texts, and not in what is released."""
        allowed = _squeezed(self.released)
        values = [value for value in self._long if value not in allowed]
        return any(value in _squeezed(text) for text in texts for value in values)

    def remains_in_bytes(self, data: bytes) -> bool:
        """Tell whether a long value stands as it was written in some bytes, in any encoding."""
        return any(written in data for written in self._written)


def _squeezed(text: str) -> str:
    """Return letters and digits alone, in their simplest form."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def rebuilt(data: bytes) -> bytes:
    """Return a new PDF file of the pages and what they show, without any other object.

    Raises:
        Flaw: it can't be read.
    """
    import pypdf
    from pypdf.generic import DecodedStreamObject, NameObject

    out = io.BytesIO()
    try:
        reader, writer = pypdf.PdfReader(io.BytesIO(data)), pypdf.PdfWriter()
        for page in reader.pages:
            for key in [key for key in page if key not in PAGE]:
                del page[key]
            contents = page.get_contents()
            if contents is not None:
                plain = DecodedStreamObject()
                plain.set_data(_plain(contents, reader, page.get("/Resources")))
                page[NameObject("/Contents")] = plain.flate_encode()
            writer.add_page(page)
        writer.metadata = None
        writer.compress_identical_objects(remove_duplicates=True, remove_unreferenced=True)
        writer.write(out)
    except Exception as error:  # pypdf documents no set of errors
        raise Flaw(f"its PDF can't be written anew ({type(error).__name__})") from None
    return out.getvalue()


def _plain(stream: Any, reader: Any, resources: Any, depth: int = 0) -> bytes:
    """Return a content stream with operators of pages alone, and clean its resources."""
    from pypdf.generic import ContentStream

    if depth > NESTED:
        raise Flaw("its pages are nested too deeply: no redacted PDF is written")
    content = ContentStream(stream, reader)
    content.operations = [one for one in content.operations if one[1] not in MARKS]
    images = {str(one[0][0]) for one in content.operations if one[1] == b"Do" and one[0]}
    held = resources.get_object() if resources is not None else {}
    for key in [key for key in held if key not in RESOURCES]:
        del held[key]
    objects = held["/XObject"].get_object() if "/XObject" in held else {}
    for key in list(objects):
        one = objects[key].get_object()
        if key not in images:
            del objects[key]
            continue
        for unseen in UNSEEN:
            one.pop(unseen, None)
        if one.get("/Subtype") == "/Form":
            one.set_data(_plain(one, reader, one.get("/Resources"), depth + 1))
    return content.get_data()


def leaking_pages(data: bytes, texts: Sequence[str], values: SearchedValues) -> set[int]:
    """Return the numbers of pages that hold more words than the masked text, or a masked value.

    Raises:
        Flaw: the file holds something beside its pages, or a value where no page shows it.
    """
    import pypdf
    import pypdfium2

    found = set[int]()
    with pypdfium2.PdfDocument(data) as document:
        for number, (page, text) in enumerate(zip(document, texts, strict=True)):
            textpage = page.get_textpage()
            shown = text_in_reading_order(list(text_boxes(textpage))), textpage.get_text_bounded()
            if _words(shown[0]) - _words(text) or values.remains_in(shown[1], text):
                found.add(number)
            textpage.close()
            page.close()
    reader = pypdf.PdfReader(io.BytesIO(data))
    for number, (page, text) in enumerate(zip(reader.pages, texts, strict=True)):
        if values.remains_in(page.extract_text(), text):
            found.add(number)
    if not found:
        _check_rest(data, reader, values)
    return found


def _check_rest(data: bytes, reader: Any, values: SearchedValues) -> None:
    """Check that a file is nothing but pages, written once."""
    from pypdf.generic import StreamObject

    root = set(reader.trailer["/Root"].get_object())
    pages = all(set(page) <= set(PAGE) for page in reader.pages)
    if root - ROOT or not pages or "/Info" in reader.trailer or data.count(b"startxref") != 1:
        raise Flaw("its redacted PDF would hold more than pages: none is written")
    objects = [reader.get_object(number) for number in sorted(reader.xref.get(0, {}))]
    streams = [one for one in objects if isinstance(one, StreamObject)]
    texts = (text for one in objects for text in _texts(one))
    shown = (text for one in streams if _is_content(one) for text in _shown(one, reader))
    if (
        values.remains_in_any(texts)
        or values.remains_in_any(shown)
        or any(values.remains_in_bytes(one.get_data()) for one in streams if not _is_picture(one))
    ):
        raise Flaw("its redacted PDF would hold a masked value: none is written")


def _is_picture(stream: Any) -> bool:
    return bool(stream.get("/Subtype") == "/Image")


def _is_content(stream: Any) -> bool:
    """Tell whether a stream may be drawn: a page, a form object or a pattern."""
    return not _is_picture(stream) and set(stream) <= CONTENTS


def _shown(stream: Any, reader: Any) -> Iterator[str]:
    """Yield all strings of a content stream as one text."""
    from pypdf.generic import ContentStream

    operations = ContentStream(stream, reader).operations
    yield "".join(text for operands, _ in operations for text in _texts(operands))


def _texts(held: Any) -> Iterator[str]:
    """Yield the strings within an object, but not those of objects that it refers to."""
    if isinstance(held, bytes):
        yield held.decode("latin-1")
    elif isinstance(held, dict):
        yield from (text for one in held.values() for text in _texts(one))
    elif isinstance(held, list):
        yield "".join(text for one in held for text in _texts(one))
    elif isinstance(held, str) and not held.startswith("/"):
        yield held
