"""Documents as Word writes them: styles, fonts and prefixes that it brings along name nobody."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.corpus.readers.xml import style_key
from linkmask.records import Document
from trap_documents import zipped

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
HEAD = (
    f'xmlns:w="{WORD}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:w14="urn:schemas:14" xmlns:wp14="urn:schemas:wp14" mc:Ignorable="w14 wp14"'
)
BUILTIN = [
    *("heading 1", "Dark List", "Colorful List", "Colorful Shading Accent 3", "Medium Grid 2"),
    *("Light List Accent 6", "Body Text 2", "Subtle Emphasis", "Quote", "Table 3D effects 1"),
]
STYLES = "".join(f'<w:lsdException w:name="{name}"/>' for name in BUILTIN) + "".join(
    f'<w:style w:type="table" w:styleId="{name.title().replace(" ", "")}">'
    f'<w:name w:val="{name}"/><w:link w:val="{name.title().replace(" ", "")}Char"/></w:style>'
    for name in BUILTIN
)
FONTS = (
    '<w:font w:name="Calibri"><w:panose1 w:val="020F0502020204030204"/></w:font>'
    '<w:font w:name="Times New Roman"><w:panose1 w:val="00000000000000000000"/></w:font>'
)
THEME = "".join(
    f'<a:font script="{script}" typeface="{face}"/>'
    for script, face in (("Hans", "宋体"), ("Khmr", "MoolBoran"), ("Cher", "Plantagenet Cherokee"))
)
OWN = '<w:style w:styleId="OttolineBrandvold"><w:name w:val="Ottoline Brandvold"/></w:style>'
TEXT = "Patient: Ottoline Brandvold. See the text."


def letter(own: str = "") -> bytes:
    """Return a DOCX file with such styles and fonts, and those of somebody's own."""
    body = f"<w:body><w:p><w:r><w:t>{TEXT}</w:t></w:r></w:p></w:body>"
    return zipped(
        {
            "word/document.xml": f"<w:document {HEAD}>{body}</w:document>",
            "word/styles.xml": f"<w:styles {HEAD}>{STYLES}{own}</w:styles>",
            "word/fontTable.xml": f"<w:fonts {HEAD}>{FONTS}</w:fonts>",
            "word/theme/theme1.xml": f'<a:theme xmlns:a="{DRAWING}">{THEME}</a:theme>',
        }
    )


def test_a_document_of_word_keeps_its_styles_fonts_and_prefixes(tmp_path: Path) -> None:
    """Taken for names, they were masked: the file was set aside, or Word could not open it."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.docx").write_bytes(letter())
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet"]
    done = CliRunner().invoke(main, [*command, "--allow-unmet"])
    written = tmp_path / "out/documents/a.docx"
    assert written.exists(), done.output
    with (
        zipfile.ZipFile(written) as package,
        zipfile.ZipFile(io.BytesIO(letter())) as original,
    ):
        for name in ("word/styles.xml", "word/fontTable.xml", "word/theme/theme1.xml"):
            assert package.read(name) == original.read(name)
        document = package.read("word/document.xml").decode()
    assert 'mc:Ignorable="w14 wp14"' in document
    assert "Patient: [NAME]. See the text." in document


def test_a_style_of_somebodys_own_is_still_read(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(letter(OWN))
    (document,) = read(tmp_path, Settings())
    assert isinstance(document, Document)
    fields = dict(document.every_field())
    assert fields["record/styles attributes"].split("\n")[-2:] == [
        "OttolineBrandvold",
        "Ottoline Brandvold",
    ]


def test_what_names_an_author_is_read_though_a_style_is_called_so(tmp_path: Path) -> None:
    note = '<w:comments {}><w:comment w:author="Strong" w:initials="Quote"/></w:comments>'
    data = io.BytesIO(letter())
    with zipfile.ZipFile(data, "a") as package:
        package.writestr("word/comments.xml", note.format(HEAD))
    (tmp_path / "a.docx").write_bytes(data.getvalue())
    (document,) = read(tmp_path, Settings())
    assert isinstance(document, Document)
    text = dict(document.every_field())["record/comments attributes"]
    assert re.findall(r": (\w+)", text) == ["Strong", "Quote"]


@pytest.mark.parametrize("form", ["Heading 2 Char", "heading 1", "Heading2Char", "heading"])
def test_name_and_id_of_a_style_have_one_key(form: str) -> None:
    assert style_key(form) == "heading"
