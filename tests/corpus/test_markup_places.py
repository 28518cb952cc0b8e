"""Places of markup in which a value ran into another, or in which a mask broke the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.records import Document
from trap_masking import released

MAIL = "ada@mail.example"


def document(folder: Path, name: str, text: str) -> Document:
    (folder / name).write_text(text)
    (found,) = read(folder / name, Settings())
    assert isinstance(found, Document)
    return found


@pytest.mark.parametrize("name", ["xmp", "listing", "marquee", "noembed", "plaintext"])
def test_an_obsolete_block_begins_a_line(name: str, tmp_path: Path) -> None:
    assert document(tmp_path, "a.html", f"4821377<{name}>{MAIL}").content == f"4821377\n{MAIL}"


def test_each_text_of_a_picture_is_a_line(tmp_path: Path) -> None:
    picture = "<svg><desc>Roth</desc><text>Otto<tspan>line</tspan></text><text>4821377</text></svg>"
    assert document(tmp_path, "a.html", picture).content == "Roth\nOttoline\n4821377"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            "<b>MRN</b><span>4821377</span><a>Ann Lee</a><a>Bob Roth</a>",
            "MRN 4821377 Ann Lee Bob Roth",
        ),
        ("<span>Brand</span><span>vold</span> <i>482</i><i>1377</i>", "Brandvold 4821377"),
        ("H<sub>2</sub>O <b>O</b><i>ttoline</i> 4<sup>th</sup>", "H2O Ottoline 4th"),
        ("Ann Lee<i class='icon'></i>4821377<img src='a.png'>Roth", "Ann Lee 4821377 Roth"),
        ("<b>3</b><sup>rd</sup> March, le <b>1</b><i>er</i> mai", "3rd March, le 1er mai"),
        ("<b>otto</b><i>85@mail.example</i>", "otto85@mail.example"),
        ("<my-cell>4821377</my-cell><my-cell>1961</my-cell>", "4821377 1961"),
    ],
)
def test_values_in_elements_side_by_side_are_apart_and_cut_words_are_whole(
    markup: str, text: str, tmp_path: Path
) -> None:
    assert document(tmp_path, "a.html", f"<div>{markup}</div>").content == text


def test_a_line_break_in_a_clinical_document_ends_a_line(tmp_path: Path) -> None:
    text = "<text>Patient: Ottoline Brandvold<br/>4821377<br/>Asthma</text>"
    content = document(tmp_path, "a.xml", text).content
    assert content == "Patient: Ottoline Brandvold\n4821377\nAsthma"


def test_a_word_goes_on_behind_a_break_that_says_so(tmp_path: Path) -> None:
    """A text of the Text Encoding Initiative keeps the lines of its source."""
    text = '<TEI><p>Jo Whit<lb break="no"/>more, 4821<lb break="no"/>377</p></TEI>'
    assert document(tmp_path, "a.xml", text).content == "Jo Whitmore, 4821377"


def test_a_property_whose_name_is_an_address_is_written_back(tmp_path: Path) -> None:
    """Once it is masked, its name is read in the same way as before."""
    (source := tmp_path / "in").mkdir()
    text = f'<r><property name="{MAIL}"><v>x</v></property><property name="n"/></r>'
    (source / "a.xml").write_text(text)
    written = released(source, tmp_path / "out", [MAIL])
    assert written["a.xml"].decode() == text.replace(MAIL, "[NAME]")


def test_the_target_of_an_instruction_is_not_read(tmp_path: Path) -> None:
    """As a rare word, it could be masked, and the file would be no XML any more."""
    one = document(tmp_path, "a.xml", '<?xml-stylesheet href="4821377.css"?><r>x</r>')
    assert dict(one.every_field())["record/comments"] == ' href="4821377.css"?'
