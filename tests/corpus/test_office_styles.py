"""Documents as LibreOffice writes them: names of attributes are no words."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.records import Document
from trap_documents import OASIS, zipped

TEXT = "Patient: Ottoline Brandvold. See the text."
TABLE = "<table><tr><td>MRN</td><td>4821377</td></tr></table>"
"""LibreOffice writes the widths of its columns as numbers that the model takes for an address."""
STYLES = """<style:default-style style:family="graphic"><style:paragraph-properties
 style:text-autospace="ideograph-alpha" style:line-break="strict" fo:text-align="center"
 style:flow-with-text="false" style:justify-single-word="false" style:writing-mode="lr-tb"/>
<style:text-properties style:text-underline-style="solid" style:text-underline-color="font-color"/>
</style:default-style><style:style style:name="Text_20_body" style:display-name="Text body"/>
<style:style style:name="Internet_20_link" style:display-name="Internet link"
 style:family="text"/>"""
"""As in the styles that LibreOffice writes into every file."""


def letter() -> bytes:
    """Return an ODT file with these styles."""
    own = ("office", "text", "style")
    spaces = " ".join(f'xmlns:{name}="{OASIS}:{name}:1.0"' for name in own)
    spaces += f' xmlns:fo="{OASIS}:xsl-fo-compatible:1.0"'
    body = f"<office:body><office:text><text:p>{TEXT}</text:p></office:text></office:body>"
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<office:document-content {spaces}>{body}</office:document-content>",
            "styles.xml": f"<office:document-styles {spaces}><office:styles>{STYLES}"
            "</office:styles></office:document-styles>",
        }
    )


def by_libreoffice(folder: Path) -> bytes:
    """Return an ODT file that LibreOffice wrote."""
    if not (program := shutil.which("soffice")):
        pytest.skip("LibreOffice is not installed")
    (folder / "a.html").write_text(f"<h1>Report</h1><p>{TEXT}</p><ul><li>One</ul>{TABLE}")
    profile = f"-env:UserInstallation=file://{folder}/profile"
    form = ["--infilter=HTML (StarWriter)", "--convert-to", "odt:writer8", "--outdir", str(folder)]
    command = [program, profile, "--headless", *form, str(folder / "a.html")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return (folder / "a.odt").read_bytes()


def test_names_of_styles_attributes_are_not_read_as_words(tmp_path: Path) -> None:
    """What an attribute holds is read; of its name, only such as "author" are read before it."""
    (tmp_path / "a.odt").write_bytes(letter())
    (document,) = read(tmp_path, Settings())
    assert isinstance(document, Document)
    lines = dict(document.every_field())["record/styles attributes"].split("\n")
    assert "Internet link" in lines and "ideograph-alpha" in lines
    assert not [line for line in lines if ": " in line]


def test_a_document_of_libreoffice_is_masked_and_written_back(tmp_path: Path) -> None:
    """Read before their values, names of attributes as `text-align` were taken for words of it."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.odt").write_bytes(by_libreoffice(tmp_path))
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet"]
    done = CliRunner().invoke(main, [*command, "--allow-unmet"])
    written = tmp_path / "out/documents/a.odt"
    assert written.exists(), done.output
    with zipfile.ZipFile(io.BytesIO(written.read_bytes())) as package:
        content = package.read("content.xml").decode()
    assert "Patient: [NAME]. See the text." in content
    assert "Brandvold" not in content
