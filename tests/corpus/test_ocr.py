"""Scanned pages: a command of the user's own recognizes their text, or they are set aside.

No program for that is at hand in every place, so that of these tests reads a code that a page is
made of: a row of eight squares for each letter, black for 1. It gets the picture and gives the text
as any other would.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.errors import InputError
from linkmask.records import Document, SetAside
from trap_documents import FONT, pdf_of, shown

TEXT = "Patient: Ottoline Brandvold"
READS = f"""
import struct, sys, zlib
data = sys.stdin.buffer.read()
assert data.startswith(b"\\x89PNG")
width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
assert (depth, kind) == (8, 0)
size, = struct.unpack(">I", data[33:37])
rows = zlib.decompress(data[41:41 + size])
def dark(column, row):
    x, y = (2 * column + 1) * width // 16, (2 * row + 1) * height // {2 * len(TEXT)}
    return rows[y * (width + 1) + 1 + x] < 128
letters = ["".join("01"[dark(x, y)] for x in range(8)) for y in range({len(TEXT)})]
print("".join(chr(int(bits, 2)) for bits in letters) + chr(12))
"""


def scan(text: str) -> bytes:
    """Return a PDF file: a page that is a picture, and one with text."""
    squares = bytes(0 if bit == "1" else 255 for c in text for bit in f"{ord(c):08b}")
    picture = "<</Type/XObject/Subtype/Image/Width 8/Height %d/BitsPerComponent 8/ColorSpace/"
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 540]/Contents %d 0 R/Resources<<%s>>>>"
    return pdf_of(
        {
            1: "<</Type/Catalog/Pages 2 0 R>>",
            2: "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>",
            3: page % (5, "/XObject<</X 7 0 R>>"),
            4: page % (6, "/Font<</F1 8 0 R>>"),
            5: ("<<>>", b"400 0 0 540 0 0 cm /X Do"),
            6: ("<<>>", shown((50, 400, "The visit took an hour."))),
            7: (f"{picture % len(text)}DeviceGray>>", squares),
            8: FONT,
        }
    )


def command(program: str) -> str:
    return shlex.join([sys.executable, "-c", program])


def items(folder: Path, ocr: str) -> list[Document | SetAside]:
    (folder / "a.pdf").write_bytes(scan(TEXT))
    return list(Corpus(folder / "a.pdf", Settings(ocr=ocr, workers=1))())


def test_the_text_that_a_command_recognizes_is_that_of_the_page(tmp_path: Path) -> None:
    (found,) = items(tmp_path, command(READS))
    assert isinstance(found, Document)
    assert found.content == f"## Page 1\n\n{TEXT}\n\n## Page 2\n\nThe visit took an hour.\n"


@pytest.mark.parametrize(
    ("ocr", "reason"),
    [
        ("", "it shows no text: a scan needs OCR first"),
        (command("import sys; sys.exit(3)"), "the command failed (3)"),
        (
            command("import sys; sys.stdout.buffer.write(bytes([255]))"),
            "the command writes no UTF-8",
        ),
        (command("pass"), "no text is recognized on it"),
    ],
)
def test_a_page_whose_text_is_not_recognized_is_set_aside(
    ocr: str, reason: str, tmp_path: Path
) -> None:
    document, aside = items(tmp_path, ocr)
    assert isinstance(document, Document) and isinstance(aside, SetAside)
    assert "an hour" in document.content and "Page 1" not in document.content
    assert aside.reason.startswith("page 1: ") and aside.reason.endswith(reason)


def test_a_command_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    for ocr in ("no-such-program stdin", "'half a quote"):
        with pytest.raises(InputError, match="names no command"):
            items(tmp_path, ocr)


def test_what_was_recognized_is_masked_and_the_picture_of_it_left_out(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.pdf").write_bytes(scan(TEXT))
    out = tmp_path / "out"
    args = ["mask", str(tmp_path / "in"), "-o", str(out), "--redacted-pdf", "--quiet"]
    done = CliRunner().invoke(main, [*args, "--ocr", command(READS)])
    assert done.exit_code == 0, done.output
    written = (out / "documents/a.pdf.md").read_text()
    assert "## Page 1\n\nPatient: [NAME]\n" in written and "an hour" in written
    assert (out / "redacted-pdf/a.pdf").exists()
    assert (out / "set-aside.jsonl").read_text() == ""
    import pypdfium2

    with pypdfium2.PdfDocument(out / "redacted-pdf/a.pdf") as document:
        assert document[0].render().to_numpy().min() == 255
    assert json.loads((tmp_path / "out.run/run.json").read_text())["settings"]["given"]["ocr"]
