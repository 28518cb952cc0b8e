"""Values in office documents beside their paragraphs, and texts that are cut into pieces there."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.records import Document, SetAside
from trap_documents import OASIS, WORD, zipped
from trap_masking import released

NUMBER = "4821377"
"""As long as many a size in a layout."""
CONTROL = f"""<w:sdt><w:sdtPr><w:alias w:val="{NUMBER}"/><w:tag w:val="{NUMBER}"/><w:dropDownList>
<w:listItem w:displayText="x" w:value="{NUMBER}"/></w:dropDownList></w:sdtPr></w:sdt>
<w:p><w:bookmarkStart w:name="{NUMBER}"/><w:r><w:fldChar><w:ffData><w:textInput>
<w:default w:val="{NUMBER}"/></w:textInput></w:ffData></w:fldChar></w:r></w:p>"""
CELL = f"""<table:table-cell office:value-type="float" office:value="{NUMBER}"/>
<text:user-field-decl office:string-value="{NUMBER}"/>"""


def word(body: str, **parts: str) -> bytes:
    text = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": text, **parts})


def open_text(body: str) -> bytes:
    spaces = " ".join(f'xmlns:{n}="{OASIS}:{n}:1.0"' for n in ("office", "text", "table", "meta"))
    return zipped({"content.xml": f"<office:document-content {spaces}>{body}"
                   "</office:document-content>"})  # fmt: skip


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.docx", word(CONTROL)),
        ("a.docx", word("", **{"customXml/item1.xml": f'<data record="{NUMBER}"/>'})),
        ("a.odt", open_text(CELL)),
    ],
)
def test_a_number_that_somebody_entered_is_masked_though_a_size_may_look_so(
    name: str, data: bytes, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(data)
    written = released(tmp_path / "in", tmp_path / "out", [NUMBER])
    with zipfile.ZipFile(io.BytesIO(written[name])) as package:
        parts = b"".join(package.read(part) for part in package.namelist())
    assert NUMBER.encode() not in parts
    assert b"[NAME]" in parts


def test_sizes_of_a_layout_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(word('<w:p><w:tab w:pos="4821377"/><w:t>x</w:t></w:p>'))
    (document,) = read(tmp_path / "a.docx", Settings())
    assert isinstance(document, Document)
    assert [text for _, text in document.every_field()] == ["x"]


def test_a_hyphen_that_breaks_no_line_is_part_of_a_number(tmp_path: Path) -> None:
    """Without it, "219-09-9999" would be nine digits; it is masked with them."""
    body = "<w:p><w:r><w:t>219</w:t><w:noBreakHyphen/><w:t>09</w:t></w:r></w:p>"
    (tmp_path / "a.docx").write_bytes(word(body))
    written = released(tmp_path / "a.docx", tmp_path / "out", ["219-09"])["a.docx"]
    with zipfile.ZipFile(io.BytesIO(written)) as package:
        text = package.read("word/document.xml").decode()
    assert "<w:r><w:t>[NAME]</w:t><w:t></w:t></w:r>" in text


def test_words_of_the_format_are_not_read_before_a_value(tmp_path: Path) -> None:
    """They stand nowhere in the text: masked there, the file could not be written back."""
    about = "<Properties><HyperlinkBase>C:/x</HyperlinkBase><Manager>Roth</Manager></Properties>"
    (tmp_path / "a.docx").write_bytes(word("", **{"docProps/app.xml": about}))
    (document,) = read(tmp_path / "a.docx", Settings())
    assert isinstance(document, Document)
    assert document.content == "C:/x\nname: Roth"


def test_what_stands_beside_the_parts_of_a_package_is_not_written_unread(tmp_path: Path) -> None:
    parts = {"word/": "Roth", "customXml/Bo/item1.xml": "<a/>"}
    (source := tmp_path / "in").mkdir()
    (source / "a.docx").write_bytes(word("<w:p/>", **parts))
    (source / "b.docx").write_bytes(word("<w:p/>", mimetype="Roth"))
    document, other = read(source, Settings())
    assert isinstance(document, Document)
    assert dict(document.every_field())["record/names"] == "Bo"
    assert isinstance(other, SetAside)
    written = released(source, tmp_path / "out", [])["a.docx"]
    with zipfile.ZipFile(io.BytesIO(written)) as package:
        assert package.read("word/") == b""


def run(*pieces: str, element: str = "delText") -> str:
    return "".join(f"<w:r><w:{element}>{one}</w:{element}></w:r>" for one in pieces)


@pytest.mark.parametrize(
    ("body", "field", "text"),
    [
        (f"<w:p><w:del>{run('Brand', 'vo')}</w:del><w:del>{run('ld')}</w:del></w:p>",
         "deletions", "Brandvold"),
        (f"<w:p><w:del>{run('Roth')}</w:del>{run('x', element='t')}<w:del>{run('Bo')}</w:del></w:p>"
         f"<w:p><w:del>{run('No')}</w:del></w:p>", "deletions", "Roth\nBo\nNo"),
        (f"<w:p><w:moveFrom>{run('Ro', 'th', element='t')}</w:moveFrom></w:p>"
         f"<w:p><w:moveFrom>{run('Bo', element='t')}</w:moveFrom></w:p>", "deletions", "Roth\nBo"),
        (f"<w:p>{run('HYPERLINK a@b', '.example', element='instrText')}{run('x', element='t')}"
         f"{run('PAGE', element='instrText')}</w:p>", "codes", "HYPERLINK a@b.example\nPAGE"),
    ],
)  # fmt: skip
def test_pieces_of_a_deleted_text_or_a_code_are_read_as_one(
    body: str, field: str, text: str, tmp_path: Path
) -> None:
    """Word cuts a text wherever somebody edited it; what is kept between parts two deletions."""
    (tmp_path / "a.docx").write_bytes(word(body))
    (document,) = read(tmp_path / "a.docx", Settings())
    assert isinstance(document, Document)
    assert text in [value for _, value in document.every_field()]


@pytest.mark.parametrize("name", ["CoreRoth_4821377", "by-Roth-4821377", "x@Roth"])
def test_a_name_that_is_masked_in_part_is_read_as_it_was_masked(name: str, tmp_path: Path) -> None:
    """The names of an office program's own properties are written in one word, or with lines."""
    named = f'<meta:user-defined meta:name="{name}">x</meta:user-defined>'
    (tmp_path / "a.odt").write_bytes(open_text(named))
    written = released(tmp_path / "a.odt", tmp_path / "out", ["(?i:roth)", NUMBER])["a.odt"]
    masked = name.replace("Roth", "[NAME]").replace(NUMBER, "[NAME]")
    with zipfile.ZipFile(io.BytesIO(written)) as package:
        assert f'"{masked}"'.encode() in package.read("content.xml")
