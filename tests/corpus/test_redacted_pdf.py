"""PDF files written redacted: what is masked is gone, and the rest looks as it did."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pypdf
import pypdfium2
import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers import kinds
from linkmask.corpus.readers.pdf.reader import read as read_pdf
from linkmask.corpus.readers.pdf.rebuilt import SearchedValues, leaking_pages
from linkmask.corpus.readers.pdf.redaction import redacted
from linkmask.corpus.readers.source import Limits, MarkdownText
from linkmask.records import CONTENT, Document, Masked, Origin, Replacement
from trap_documents import FONT, made, pdf_of, shown

VALUE = "Zorvekabov"
PAGE = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R"
RESOURCES = "/Resources<</Font<</F1 4 0 R>>/XObject<</X1 6 0 R>>>>>>"


def one_page(content: bytes, page: str = PAGE, **more: str | tuple[str, bytes]) -> bytes:
    objects: dict[int, str | tuple[str, bytes]] = {
        1: "<</Type/Catalog/Pages 2 0 R>>",
        2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: page + RESOURCES,
        4: FONT,
        5: ("<<>>", content),
        6: ("<</Type/XObject/Subtype/Form/BBox[0 0 600 800]>>", b""),
    }
    return pdf_of(objects | {int(name[1:]): held for name, held in more.items()})


def masked_by_hand(data: bytes, values: list[str]) -> tuple[MarkdownText, Masked]:
    read = read_pdf(data, kinds.read, Limits([10**8]))
    wanted = re.compile("|".join(values))
    spans = [found.span() for found in wanted.finditer(read.text)]
    document = Document("a", read.text, {}, Origin("a.pdf.md"))
    written = document.with_fields({CONTENT: wanted.sub("[NAME]", read.text)})
    replaced = [Replacement(CONTENT, *span, "", "NAME", "[NAME]") for span in spans]
    return read, Masked(document, written, replaced)


def redact(data: bytes, *values: str) -> bytes:
    read, masked = masked_by_hand(data, list(values))
    assert masked.replacements
    return redacted(data, read.pages, masked)


def readable(data: bytes) -> str:
    """Return what two libraries, and pdftotext where it is installed, find anywhere in a file."""
    seen = [data.decode("latin-1")]
    with pypdfium2.PdfDocument(data) as document:
        seen += [page.get_textpage().get_text_bounded() for page in document]
        seen += document.get_metadata_dict().values()
    reader = pypdf.PdfReader(io.BytesIO(data))
    seen += [page.extract_text() for page in reader.pages]
    for number in sorted(reader.xref.get(0, {})):
        held = reader.get_object(number)
        seen.append(str(held))
        if isinstance(held, pypdf.generic.StreamObject):
            seen.append(held.get_data().decode("latin-1"))
    if shutil.which("pdftotext"):
        done = subprocess.run(["pdftotext", "-", "-"], input=data, capture_output=True, check=True)
        seen.append(done.stdout.decode("utf-8", "replace"))
    return "\n".join(seen)


def pictures(data: bytes) -> list[np.ndarray]:
    with pypdfium2.PdfDocument(data) as document:
        drawn = (page.render(scale=1, draw_annots=False) for page in document)
        return [bitmap.to_numpy()[..., :3].mean(axis=2) for bitmap in drawn]


def test_no_value_planted_anywhere_in_a_file_is_left_in_it() -> None:
    """Neither text, fields, annotations, outline, metadata nor attachments hold one."""
    trap = made("pdf")
    text = readable(redact(trap.data, *trap.planted.values()))
    assert not {place for place, value in trap.planted.items() if value in text}


def test_nothing_but_pages_is_taken_over() -> None:
    reader = pypdf.PdfReader(io.BytesIO(redact(made("pdf").data, "Zorvekabov")))
    assert set(reader.trailer["/Root"]) == {"/Type", "/Pages"}
    assert not (reader.metadata or reader.get_fields() or reader.attachments or reader.outline)
    assert not any("/Annots" in page for page in reader.pages)


@pytest.mark.parametrize(
    "content",
    [
        shown((50, 700, "Zorve"), (74, 700, "kabov")),
        b"BT /F1 10 Tf 50 700 Td [(Zor) -10 (vek) 5 (abov)] TJ ET",
        b"BT /F1 10 Tf 50 700 Td 3 Tr (Zorvekabov) Tj ET",
        shown((50, 700, VALUE), (50, 700, VALUE)),
        b"/Span <</ActualText (Zorvekabov)>> BDC " + shown((50, 700, VALUE)) + b"EMC",
        shown((50, 700, VALUE)) + b"% Zorvekabov\n",
        b"q 0.7 0.7 -0.7 0.7 200 200 cm " + shown((50, 300, VALUE)) + b" Q",
    ],
    ids=("two objects", "kerned", "invisible", "twice", "actual text", "comment", "turned"),
)
def test_a_value_is_gone_however_a_page_writes_it(content: bytes) -> None:
    data = one_page(content + shown((50, 500, "a visit"), (50, 480, VALUE)))
    assert VALUE not in readable(redact(data, VALUE))


def test_a_value_in_a_form_object_makes_its_page_a_picture() -> None:
    form = ("<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 4 0 R>>>>>>",
            shown((50, 700, VALUE), (50, 680, "a visit")))  # fmt: skip
    data = one_page(b"/X1 Do", _6=form)
    written = redact(data, VALUE)
    assert VALUE not in readable(written)
    assert "visit" not in pypdf.PdfReader(io.BytesIO(written)).pages[0].extract_text()
    before, after = pictures(data)[0], pictures(written)[0]
    assert np.abs(before - after)[110:130].max() < 128, "the other line looks as it did"


def test_an_earlier_revision_is_not_in_what_is_written() -> None:
    first = one_page(shown((50, 700, VALUE), (50, 600, "Qinvaro")))
    writer = pypdf.PdfWriter(io.BytesIO(first), incremental=True)
    stream = pypdf.generic.DecodedStreamObject()
    stream.set_data(shown((50, 700, "Qinvaro")))
    writer.pages[0][pypdf.generic.NameObject("/Contents")] = writer._add_object(stream)
    out = io.BytesIO()
    writer.write(out)
    assert VALUE in readable(first) and out.getvalue().startswith(first[:200])
    text = readable(redact(out.getvalue(), "Qinvaro"))
    assert VALUE not in text and "Qinvaro" not in text


def test_pictures_are_blank_because_nobody_reads_them() -> None:
    pixels = ("<</Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray"
              "/BitsPerComponent 8>>", b"\x00\xff\x00\xff")  # fmt: skip
    content = b"q 100 0 0 100 300 300 cm /X1 Do Q " + shown((50, 700, VALUE), (50, 600, "visit"))
    data = one_page(content, _6=pixels)
    written = redact(data, VALUE)
    assert pictures(data)[0][450, 325] == 0
    assert pictures(written)[0][450, 325] == pytest.approx(200, abs=2)
    assert "visit" in pypdf.PdfReader(io.BytesIO(written)).pages[0].extract_text()


def test_pages_look_as_before_but_for_the_masks() -> None:
    """What is masked is black; the other words of its line are there, and other lines are text."""
    line = f"Ms. {VALUE} was seen in the clinic"
    data = one_page(shown((50, 700, line), (50, 600, "A visit of an hour")) + b"50 90 200 5 re f ")
    written = redact(data, VALUE)
    before, after = pictures(data)[0], pictures(written)[0]
    other = np.abs(before - after) > 128
    rows, columns = np.nonzero(other)
    assert len(rows) > 100, "a mask is seen"
    assert rows.min() > 85 and rows.max() < 106
    assert columns.min() > 66 and columns.max() < 130
    text = pypdf.PdfReader(io.BytesIO(written)).pages[0].extract_text()
    assert "A visit of an hour" in text and "clinic" not in text


def test_a_turned_page_stays_turned() -> None:
    data = one_page(shown((50, 700, VALUE), (50, 600, "a visit")), PAGE + "/Rotate 90")
    written = redact(data, VALUE)
    assert pypdf.PdfReader(io.BytesIO(written)).pages[0]["/Rotate"] == 90
    before, after = pictures(data)[0], pictures(written)[0]
    assert before.shape == after.shape
    assert (np.abs(before - after) > 128).mean() < 0.01


def test_the_check_sees_what_is_left() -> None:
    """A file that was not redacted doesn't pass; nor does one with more than pages in it."""
    data = one_page(shown((50, 700, VALUE), (50, 600, "a visit")))
    _, masked = masked_by_hand(data, [VALUE])
    assert leaking_pages(data, ["[NAME]\na visit"], SearchedValues(masked)) == {0}
    written = redact(data, VALUE)
    assert leaking_pages(written, ["[NAME]\na visit"], SearchedValues(masked)) == set()
    writer = pypdf.PdfWriter(io.BytesIO(written))
    writer.add_attachment("a.txt", VALUE.encode())
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(Flaw, match="more than pages"):
        leaking_pages(out.getvalue(), ["[NAME]\na visit"], SearchedValues(masked))


def test_the_command_writes_redacted_files_beside_the_documents(tmp_path: Path) -> None:
    (tmp_path / "in" / "b").mkdir(parents=True)
    letter = shown((50, 700, "Patient: Ottoline Brandvold"), (50, 600, "The visit took an hour."))
    (tmp_path / "in" / "b" / "letter.pdf").write_bytes(one_page(letter))
    out = tmp_path / "out"
    command = ["mask", str(tmp_path / "in"), "-o", str(out), "--quiet"]
    done = CliRunner().invoke(main, [*command, "--redacted-pdf"])
    assert done.exit_code == 0, done.output
    assert "Brandvold" not in (out / "documents/b/letter.pdf.md").read_text()
    text = readable((out / "redacted-pdf/b/letter.pdf").read_bytes())
    assert "Brandvold" not in text and "an hour" in text
    assert CliRunner().invoke(main, [*command, "--overwrite"]).exit_code == 0
    assert not (out / "redacted-pdf").exists()


def test_update_and_apply_write_redacted_files_as_the_run_did(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    run, out = tmp_path / "out.run", tmp_path / "out"

    def done(*command: str | Path) -> list[str]:
        ended = CliRunner().invoke(main, [*map(str, command), "--quiet", "--allow-unmet"])
        assert ended.exit_code == 0, ended.output
        folder = Path(command[command.index("-o") + 1]) / "redacted-pdf"
        texts = [readable(path.read_bytes()) for path in folder.iterdir()]
        assert not [text for text in texts if "Brandvold" in text or "Doeberling" in text]
        return sorted(path.name for path in folder.iterdir())

    for name, who in (("a.pdf", "Ottoline Brandvold"), ("b.pdf", "Jane Doeberling")):
        text = shown((50, 700, f"Patient: {who}"), (50, 600, "The visit took an hour."))
        (tmp_path / "in" / name).write_bytes(one_page(text))
        if name == "a.pdf":
            assert done("mask", tmp_path / "in", "-o", out, "--redacted-pdf") == ["a.pdf"]
    assert done("update", run, tmp_path / "in", "-o", out) == ["a.pdf", "b.pdf"]
    assert done("apply", run, "-o", tmp_path / "again") == ["a.pdf", "b.pdf"]


def test_a_file_that_cannot_be_redacted_is_released_as_markdown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check is made to fail here; the redacted file is then set aside with the reason."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.pdf").write_bytes(one_page(shown((50, 700, "Patient: Jane Doe"))))
    monkeypatch.setattr("linkmask.corpus.readers.pdf.redaction.leaking_pages", lambda *known: {0})
    out = tmp_path / "out"
    command = ["mask", str(tmp_path / "in"), "-o", str(out), "--no-run", "--redacted-pdf"]
    assert CliRunner().invoke(main, command).exit_code == 2
    assert (out / "documents/a.pdf.md").exists() and not (out / "redacted-pdf").exists()
    [line] = (out / "set-aside.jsonl").read_text().splitlines()
    assert "may still hold" in json.loads(line)["reason"]
