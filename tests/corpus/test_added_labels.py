"""What readers add to a text, such as labels of properties, stands nowhere in the file."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from trap_documents import WORD, zipped

TEXT = (
    f'<w:document xmlns:w="{WORD}"><w:body><w:p><w:t>Patient: Ottoline Brandvold</w:t></w:p>'
    "<w:p><w:t>Mrs. Company came.</w:t></w:p></w:body></w:document>"
)
CORE = """<core xmlns:dc="d"><dc:title>Ottoline Brandvold</dc:title>
<keywords>Brandvold</keywords><dc:description>Ottoline Brandvold</dc:description>
<dc:creator>Jo Whitmore</dc:creator></core>"""
APP = "<Properties><Company>Jo Whitmore</Company><Manager>Jo Whitmore</Manager></Properties>"


def masked(folder: Path, name: str, data: bytes, status: int = 0, *options: str) -> bytes:
    (folder / "in").mkdir()
    (folder / "in" / name).write_bytes(data)
    command = ["mask", str(folder / "in"), "-o", str(folder / "out"), "--quiet", "--no-run"]
    done = CliRunner().invoke(main, [*command, *options])
    assert done.exit_code == status, (folder / "out/set-aside.jsonl").read_text()
    return (folder / "out/documents" / name).read_bytes()


def test_each_property_of_an_office_document_keeps_a_mask_of_its_own(tmp_path: Path) -> None:
    """Two in a row were read as one name in its other order, "Brandvold, Ottoline"."""
    parts = {"[Content_Types].xml": "<Types/>", "word/document.xml": TEXT}
    parts |= {"docProps/core.xml": CORE, "docProps/app.xml": APP}
    written = masked(tmp_path, "a.docx", zipped(parts))
    with zipfile.ZipFile(io.BytesIO(written)) as package:
        core = package.read("docProps/core.xml").decode()
        app = package.read("docProps/app.xml").decode()
    for key in ("dc:title", "keywords", "dc:description", "dc:creator"):
        assert f"<{key}>[NAME]</{key}>" in core
    assert app == APP.replace("Jo Whitmore", "[NAME]")


def test_a_label_that_is_also_a_name_does_not_set_its_file_aside(tmp_path: Path) -> None:
    control = '<w:sdt><w:sdtPr><w:tag w:val="4821377"/></w:sdtPr></w:sdt></w:body>'
    named = TEXT.replace("Mrs. Company", "Mr. Tag, Ann Tag and tag").replace("</w:body>", control)
    parts = {"[Content_Types].xml": "<Types/>", "word/document.xml": named}
    written = masked(tmp_path, "a.docx", zipped(parts))
    with zipfile.ZipFile(io.BytesIO(written)) as package:
        text = package.read("word/document.xml").decode()
    assert "<w:tag w:val=" in text and "4821377" not in text and "Tag" not in text


def test_an_element_that_is_named_after_a_person_stays_if_its_name_is_excluded(
    tmp_path: Path,
) -> None:
    """The name was masked before the element's text, and then could not be written back."""
    text = "<r><n>Patient: Ottoline Brandvold</n><Ottoline_Brandvold>x</Ottoline_Brandvold></r>"
    written = masked(tmp_path, "a.xml", text.encode(), 2, "--exclude-field", "names").decode()
    assert written == text.replace("Ottoline Brandvold", "[NAME]")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", "<p>Patient: {0} came.</p><a name='{0}'></a><p>{0}: seen on Monday.</p>"),
        ("a.xml", "<r><n>Patient: {0}</n><field name='{0}'/><t>{0}: seen <b>by</b> us.</t></r>"),
    ],
)
def test_a_line_that_begins_like_the_name_of_a_value_is_masked(
    tmp_path: Path, name: str, text: str
) -> None:
    """The name of an input stands in the file, so text that is equal to it is no reader's label."""
    person = "Ottoline Brandvold"
    assert masked(tmp_path, name, text.format(person).encode()).decode() == text.format("[NAME]")


def test_a_line_that_begins_like_an_added_label_is_not_released(tmp_path: Path) -> None:
    text = (
        "<r><n>Patient: Jo Brandvold</n><P brandvold='x'/><t>brandvold: seen <b>by</b> us.</t></r>"
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.xml").write_text(text)
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet", "--no-run"]
    CliRunner().invoke(main, [*command, "--exclude-field", "names"])
    out = tmp_path / "out/documents/a.xml"
    assert not out.exists() or "brandvold: seen" not in out.read_text()
