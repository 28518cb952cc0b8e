"""What other programs read in trap documents after masking: none of the values planted in them.

The programs are those installed: LibreOffice, Chromium, pdftotext and strings; where one is
missing, its test is skipped by name. Values are masked by hand, as in `test_traps`.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

import chromium
from linkmask.corpus.readers import kinds
from linkmask.corpus.readers.source import Kind, Limits
from trap_documents import OASIS, OFFICE, RELATIONS, TYPES, WORD, Trap, made, zipped
from trap_masking import released

OFFICE_PROGRAM = shutil.which("soffice")
PARAGRAPHS = 24
needs_office = pytest.mark.skipif(not OFFICE_PROGRAM, reason="LibreOffice (soffice) is missing")


def masked(trap: Trap, folder: Path) -> bytes:
    """Return a trap document as it is written with all planted values masked."""
    source = folder / trap.name.replace(".", "-")
    source.mkdir(parents=True)
    (source / trap.name).write_bytes(trap.data)
    written = released(source, folder / f"{source.name}-out", list(trap.planted.values()))
    return written[trap.written]


def converted(folder: Path, kind: str, files: dict[str, bytes]) -> dict[str, Path]:
    """Let LibreOffice open files and save them as another kind; each must open."""
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    command = [OFFICE_PROGRAM, f"-env:UserInstallation=file://{folder}/profile", "--headless",
               "--convert-to", kind, "--outdir", folder / "new"]  # fmt: skip
    done = subprocess.run(
        [*map(str, command), *(str(folder / name) for name in files)],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    assert "could not be loaded" not in done.stdout + done.stderr
    ending = kind.partition(":")[0]
    return {name: folder / "new" / f"{Path(name).stem}.{ending}" for name in files}


@needs_office
@pytest.mark.parametrize("kind", ["docx", "odt", "html"])
def test_libreoffice_reads_no_planted_value(kind: str, tmp_path: Path) -> None:
    trap = made(kind)
    ending = trap.name.rpartition(".")[2]
    both = {f"before.{ending}": trap.data, f"after.{ending}": masked(trap, tmp_path)}
    texts = converted(tmp_path / "office", "txt:Text", both)
    before, after = (path.read_text("utf-8", "replace") for path in texts.values())
    assert sum(value in before for value in trap.planted.values()) >= 4, "it reads nothing"
    assert not [value for value in trap.planted.values() if value in after]
    assert "NAME" in after


@needs_office
@pytest.mark.parametrize("kind", ["docx", "odt"])
def test_what_libreoffice_saves_as_rtf_is_read_whole(kind: str, tmp_path: Path) -> None:
    """Each planted value that its file holds is in the text that linkmask reads."""
    trap = made(kind)
    path = converted(tmp_path / "office", "rtf", {trap.name: trap.data})[trap.name]
    data = path.read_bytes()
    held = [value for value in trap.planted.values() if value.encode() in data]
    read = kinds.read_beside(data, Kind(path.name), Limits([10**6])).fields[0].text
    assert len(held) >= 8
    assert not [value for value in held if value not in read]


@chromium.needed
def test_a_browser_shows_no_planted_value(tmp_path: Path) -> None:
    trap = made("html")
    files = {"before.html": trap.data, "after.html": masked(trap, tmp_path)}
    told = {}
    with chromium.started(tmp_path / "profile") as browser:
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
            browser.get(f"file://{tmp_path / name}")
            shown = browser.execute_script("return document.documentElement.innerText")
            whole = browser.execute_script("return document.documentElement.outerHTML")
            told[name] = f"{browser.title} {shown} {whole}"
    assert sum(value in told["before.html"] for value in trap.planted.values()) > 20
    assert not [value for value in trap.planted.values() if value in told["after.html"]]


@pytest.mark.skipif(not shutil.which("strings"), reason="strings (binutils) is missing")
@pytest.mark.parametrize("kind", ["docx", "odt", "zip"])
def test_strings_finds_no_planted_value_in_unzipped_parts(kind: str, tmp_path: Path) -> None:
    trap = made(kind)
    found = {}
    for name, data in {"before": trap.data, "after": masked(trap, tmp_path)}.items():
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            package.extractall(tmp_path / name)
        paths = [path for path in (tmp_path / name).rglob("*") if path.is_file()]
        (tmp_path / name / "whole").write_bytes(data)
        command = ["strings", "-n", "4", *map(str, paths), str(tmp_path / name / "whole")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found[name] = done.stdout + "\n".join(map(str, paths))
    assert sum(value in found["before"] for value in trap.planted.values()) > 5
    assert not [value for value in trap.planted.values() if value in found["after"]]


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="pdftotext (poppler) is missing")
@needs_office
def test_pdftotext_finds_no_planted_value_in_printed_documents(tmp_path: Path) -> None:
    traps = {kind: made(kind) for kind in ("docx", "odt")}
    files = {f"a{kind}.{kind}": masked(trap, tmp_path) for kind, trap in traps.items()}
    printed = converted(tmp_path / "office", "pdf", files)
    for (name, path), trap in zip(printed.items(), traps.values(), strict=True):
        done = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
        assert "[NAME]" in done.stdout, name
        assert not [value for value in trap.planted.values() if value in done.stdout]


def letter_docx(trap: Trap) -> None:
    """A letter of numbered lines, every third with a value; formatted."""
    body = ""
    for number in range(PARAGRAPHS):
        said = trap.plant(f"line {number}") if number % 3 == 1 else "a visit of an hour"
        bold = "<w:rPr><w:b/><w:color w:val='C00000'/></w:rPr>" if number % 2 else ""
        body += f"<w:p><w:r>{bold}<w:t>Line {number} with {said}</w:t></w:r></w:p>"
    types = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    trap.data = zipped(
        {
            "[Content_Types].xml": f"<Types xmlns='{TYPES}'><Default Extension='rels' "
            "ContentType='application/vnd.openxmlformats-package.relationships+xml'/>"
            f"<Override PartName='/word/document.xml' ContentType='{types}'/></Types>",
            "_rels/.rels": f"<Relationships xmlns='{RELATIONS}'><Relationship Id='rId1' "
            f"Type='{OFFICE}/relationships/officeDocument' Target='word/document.xml'/>"
            "</Relationships>",
            "word/document.xml": f"<w:document xmlns:w='{WORD}'><w:body>{body}"
            "</w:body></w:document>",
        }
    )


def letter_odt(trap: Trap) -> None:
    """The same as an ODT document, without colours."""
    body = ""
    for number in range(PARAGRAPHS):
        said = trap.plant(f"line {number}") if number % 3 == 1 else "a visit of an hour"
        body += f"<text:p>Line {number} with <text:span>{said}</text:span></text:p>"
    spaces = " ".join(f'xmlns:{name}="{OASIS}:{name}:1.0"' for name in ("office", "text"))
    media = "application/vnd.oasis.opendocument.text"
    trap.data = zipped(
        {
            "mimetype": media,
            "content.xml": f'<office:document-content {spaces} office:version="1.3"><office:body>'
            f"<office:text>{body}</office:text></office:body></office:document-content>",
            "META-INF/manifest.xml": f'<m:manifest xmlns:m="{OASIS}:manifest:1.0" m:version="1.3">'
            f'<m:file-entry m:full-path="/" m:media-type="{media}"/><m:file-entry '
            'm:full-path="content.xml" m:media-type="text/xml"/></m:manifest>',
        }
    )


def pages_of(path: Path) -> list[tuple[np.ndarray, list[tuple[str, int]]]]:
    """Return each page of a printed document: its picture, and its lines with where they stand."""
    found = []
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            height, textpage = page.get_size()[1], page.get_textpage()
            rows: dict[int, str] = {}
            for index in range(textpage.count_rects()):
                rectangle = textpage.get_rect(index)
                row = round(height - rectangle[1])
                rows[row] = rows.get(row, "") + textpage.get_text_bounded(*rectangle)
            picture = page.render(scale=1).to_numpy()[..., :3].astype(int)
            found.append((picture, [(text, row) for row, text in rows.items()]))
    return found


@needs_office
@pytest.mark.parametrize("made_by", [letter_docx, letter_odt], ids=["docx", "odt"])
def test_a_masked_document_opens_and_looks_the_same_but_for_its_masks(
    made_by: object, tmp_path: Path
) -> None:
    """Lines without a value have the same pixels where LibreOffice prints both."""
    assert callable(made_by)
    ending = made_by.__name__.rpartition("_")[2]
    trap = Trap(f"letter.{ending}", written=f"letter.{ending}")
    made_by(trap)
    both = {f"before.{ending}": trap.data, f"after.{ending}": masked(trap, tmp_path)}
    printed = converted(tmp_path / "office", "pdf", both)
    before, after = (pages_of(path) for path in printed.values())
    assert len(before) == len(after)
    same = 0
    for (old, rows), (new, _) in zip(before, after, strict=True):
        for text, row in rows:
            if not any(value in text for value in trap.planted.values()):
                assert np.array_equal(old[row - 9 : row + 2], new[row - 9 : row + 2]), text
                same += 1
    assert same >= PARAGRAPHS * 2 // 3
