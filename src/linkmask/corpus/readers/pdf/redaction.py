"""Redacts PDF files: removes masked text from the pages, and draws the text around it.

A text object that holds a masked character is removed. In its place stands a picture of what it
showed, in which the masked characters are painted over. A page of which this can't be shown to work
becomes one picture. Pictures are not read, so they are blank in what is written. Nothing but pages
is taken over: form fields, annotations, outline, metadata and attachments are in the Markdown.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.pdf.hidden import Rectangle, address_of, around, hidden_in
from linkmask.corpus.readers.pdf.rebuilt import SearchedValues, leaking_pages, rebuilt
from linkmask.records import CONTENT, Masked

SCALE = 200 / 72
"""Pixels of a picture to a point: 200 to an inch."""
MOST_PIXELS = 50_000_000
"""Pixels of a page's picture, at most: A4 has 4 million."""
GREY = (200, 200, 200, 255)
NESTED = 8
"""Layers of form objects that are looked into for pictures."""

GRID = 60
"""Rows and columns of fields in which the pictures of a page are compared."""
DIFFERENT = 48
"""Mean brightness, of 255, by which no field of a page may differ."""

PageRaster = Any
"""Brightness of a page by fields of a grid (an array of NumPy), None where it doesn't matter."""


def redacted(data: bytes, pages: Sequence[tuple[int, int]], masked: Masked) -> bytes:
    """Return a PDF file anew, without what is masked in its document.

    Args:
        data: the PDF file.
        pages: where the text of each page stands in the document's content.
        masked: the document; its masks decide, wherever they stand.

    Raises:
        Flaw: it can't be shown that nothing masked is left, also where pages are pictures.
    """
    values = SearchedValues(masked)
    texts = list(_masked_pages(pages, masked))
    pictures: set[int] = set()
    while True:
        moved, looks = _written(data, pages, masked, pictures)
        written = rebuilt(moved)
        wrong = _others(written, looks) | leaking_pages(written, texts, values)
        if not wrong:
            return written
        if wrong & pictures:
            raise Flaw("its redacted PDF may still hold a masked value: none is written")
        pictures |= wrong


def _masked_pages(pages: Sequence[tuple[int, int]], masked: Masked) -> Iterator[str]:
    """Yield the masked text of each page."""
    own = sorted((r.start, r.end, r.text) for r in masked.replacements if r.field == CONTENT)
    for begin, end in pages:
        parts, at = list[str](), begin
        for start, stop, text in own:
            if start < end and stop > begin:
                parts += [masked.original.content[at:start], text]
                at = min(stop, end)
        yield "".join([*parts, masked.original.content[at:end]])


def _written(
    data: bytes, places: Sequence[tuple[int, int]], masked: Masked, pictures: set[int]
) -> tuple[bytes, list[PageRaster]]:
    """Return a file of the pages alone, and a picture of each page without its masked parts.

    Pages whose numbers are in `pictures` become pictures; those that can't be written otherwise
    join them.
    """
    import pypdfium2

    spans = [(r.start, r.end) for r in masked.replacements if r.field == CONTENT]
    out, looks = io.BytesIO(), list[PageRaster]()
    with pypdfium2.PdfDocument(data) as source, pypdfium2.PdfDocument.new() as new:
        if len(source) != len(places):
            raise Flaw("its pages can't be told apart: no redacted PDF is written")
        for number, (begin, end) in enumerate(places):
            own = [(a - begin, b - begin) for a, b in spans if a < end and b > begin]
            page = _Page(source, number, own, empty=begin == end)
            if number not in pictures and not page.moved_to(new):
                pictures.add(number)
            if number in pictures:
                page.add_as_picture(new)
            looks.append(page.look)
            page.close()
        new.save(out)
    return out.getvalue(), looks


def _others(written: bytes, looks: Sequence[PageRaster]) -> set[int]:
    """Return the numbers of pages that look other than they should."""
    import pypdfium2

    found = set()
    with pypdfium2.PdfDocument(written) as document:
        for number, (page, look) in enumerate(zip(document, looks, strict=True)):
            page.set_rotation(0)
            if not _alike(look, _look(_rendered(page))):
                found.add(number)
            page.close()
    return found


class _Page:
    """A page of a file that is redacted, turned upright; its pictures are grey from the start."""

    def __init__(
        self, source: Any, number: int, spans: Sequence[tuple[int, int]], empty: bool
    ) -> None:
        self._source, self._number, self._empty = source, number, empty
        self._page = source[number]
        self._turned = self._page.get_rotation()
        self._page.set_rotation(0)
        self._nested = not self._blank_pictures()
        self._hidden = hidden_in(self._page, spans)
        self._bitmap = self._picture()
        self.look: PageRaster = None if empty else _look(self._bitmap)

    def close(self) -> None:
        """Give its memory back."""
        self._page.close()

    def moved_to(self, new: Any) -> bool:
        """Add the page to another file without what is masked; tell whether that worked."""
        if self._empty or self._nested or not self._take_out():
            return False
        self._page.gen_content()
        new.import_pages(self._source, [self._number])
        added = new[len(new) - 1]
        added.set_rotation(self._turned)
        added.close()
        return True

    def add_as_picture(self, new: Any) -> None:
        """Add the page to another file as a picture; one on which nothing was read as a blank."""
        width, height = self._page.get_size()
        added = new.new_page(width, height)
        if not self._empty:
            _insert(new, added, self._bitmap.to_numpy()[..., :3], (0, 0, width, height))
            added.gen_content()
        added.set_rotation(self._turned)
        added.close()

    def _blank_pictures(self) -> bool:
        """Make every picture grey; tell whether that can be written."""
        from pypdfium2 import PdfBitmap, raw

        flat = True
        for one in self._page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=NESTED):
            blank = PdfBitmap.new_native(1, 1, raw.FPDFBitmap_BGR)
            blank.fill_rect(GREY, 0, 0, 1, 1)
            one.set_bitmap(blank)
            flat = flat and one.container is None
        return flat

    def _picture(self) -> Any:
        """Draw the page, without annotations, with what is masked painted over."""
        width, height = self._page.get_size()
        scale = min(SCALE, (MOST_PIXELS / max(1, width * height)) ** 0.5)
        bitmap = _rendered(self._page, scale)
        pixels, place = bitmap.to_numpy(), bitmap.get_posconv(self._page)
        for one in self._hidden.rectangles:
            left, right, top, bottom = _in_pixels(place, one, pixels.shape)
            pixels[top:bottom, left:right] = 0
        return bitmap

    def _take_out(self) -> bool:
        """Remove masked text objects and draw their other characters; tell whether that worked."""
        from pypdfium2 import raw

        texts = self._page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=NESTED)
        removed = [one for one in texts if address_of(one.raw) in self._hidden.objects]
        if len(removed) < len(self._hidden.objects) or any(one.container for one in removed):
            return False
        pixels, place = self._bitmap.to_numpy()[..., :3], self._bitmap.get_posconv(self._page)
        for one in removed:
            whole = around(one.get_bounds(), self._hidden.objects[address_of(one.raw)])
            left, right, top, bottom = _in_pixels(place, whole, pixels.shape)
            self._page.remove_obj(one)
            if left < right and top < bottom:
                corners = (*place.to_page(left, bottom), *place.to_page(right, top))
                _insert(self._source, self._page, pixels[top:bottom, left:right], corners)
        return True


def _rendered(page: Any, scale: float = 1) -> Any:
    return page.render(scale=scale, draw_annots=False, may_draw_forms=False)


def _in_pixels(place: Any, bounds: Rectangle, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return left, right, top and bottom of a rectangle in the picture of its page."""
    left, low = place.to_bitmap(bounds[0], bounds[1])
    right, high = place.to_bitmap(bounds[2], bounds[3])
    return max(0, left - 1), min(shape[1], right + 2), max(0, high - 1), min(shape[0], low + 2)


def _insert(document: Any, page: Any, pixels: Any, corners: Rectangle) -> None:
    """Put a picture on a page."""
    from pypdfium2 import PdfBitmap, PdfImage, PdfMatrix, raw

    bitmap = PdfBitmap.new_native(pixels.shape[1], pixels.shape[0], raw.FPDFBitmap_BGR)
    bitmap.to_numpy()[:] = pixels
    image = PdfImage.new(document)
    image.set_bitmap(bitmap)
    left, bottom, right, top = corners
    image.set_matrix(PdfMatrix().scale(right - left, top - bottom).translate(left, bottom))
    page.insert_obj(image)


def _look(bitmap: Any) -> Any:
    """Return the mean brightness of a page's picture in a grid, whatever its resolution."""
    import numpy as np

    grey = bitmap.to_numpy()[..., :3].mean(axis=2)
    rows, columns = (np.arange(GRID) * size // GRID for size in grey.shape)
    sums = np.add.reduceat(np.add.reduceat(grey, rows, axis=0), columns, axis=1)
    heights = np.diff(rows, append=grey.shape[0])
    return sums / np.outer(heights, np.diff(columns, append=grey.shape[1]))


def _alike(first: PageRaster, second: PageRaster) -> bool:
    """Tell whether two pages look the same, or nothing is known of one of them."""
    return first is None or bool(abs(first - second).max() < DIFFERENT)
