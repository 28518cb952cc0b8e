"""What an attribute of HTML says of an element's text stands before it as a label."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.corpus.readers.html import Page


def body(markup: str) -> list[str]:
    """Return the lines of a page's text."""
    text = next((one.text for one in Page(markup).fields if one.name == ("text",)), "")
    return [line.strip() for line in text.split("\n") if line.strip()]


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        ('<td class="cell ssn">529841236</td>', ["ssn: 529841236"]),
        ('<textarea name="patient_name">Ada Voss</textarea>', ["patient name: Ada Voss"]),
        ('<input name="memberId" value="48213">', ["member id: 48213"]),
        (
            '<select id="surname"><option>Voss<option>Quist</option></select><option>Lee</option>',
            ["Voss", "surname: Quist", "Lee"],
        ),
        ('By <b class="patient-name">Ada Voss</b> at 9', ["By", "patient name: Ada Voss", "at 9"]),
        ('<i itemprop="name">Ada Voss</i>', ["full name: Ada Voss"]),
        (
            '<div itemscope itemtype="https://schema.org/Patient"><i itemprop="name">Ada Voss</i>',
            ["full name: Ada Voss"],
        ),
        ('<td data-label="SSN">529841236<td class="dob">1961-05-03</td>',
         ["529841236 | dob: 1961-05-03"]),
    ],
)  # fmt: skip
def test_a_text_is_labelled_as_an_attribute_of_its_element_names_it(
    markup: str, lines: list[str]
) -> None:
    assert body(markup) == lines


@pytest.mark.parametrize(
    "markup",
    [
        '<p class="lead name title">Ada Voss</p>',
        '<span class="badge">12</span><td class="cell mobile">0142</td>',
        '<button class="btn ssn">Save</button>',
        '<label class="ssn">Number</label>',
        '<span class="ssn">SSN:</span>',
        '<td class="ssn"></td>',
        '<div class="ssn">Ask <b>twice</b></div>',
        '<div itemtype="https://schema.org/Product"><b itemprop="name">Ada Kettle</b></div>',
        f'<p class="{"x" * 100} {"y" * 100}">Ada Voss</p>',
    ],
)
def test_other_texts_are_read_without_a_label(markup: str) -> None:
    assert not any(": " in line for line in body(markup))


PAGE = """<html><body><form>
<textarea name="ssn">529841235</textarea> <input name="member_no" value="48213377">
<table><tr><th class="ssn">SSN</th><th>City</th></tr>
<tr><td class="ssn">529841236</td><td class="dob">1961-05-03</td></tr></table>
<p>Written by <span itemprop="name">Yorick Vael</span> on Monday.</p>
</form></body></html>
"""


def test_values_that_attributes_name_are_masked_and_the_page_is_read_back(tmp_path: Path) -> None:
    """A masked text has the label that it had: nothing is left, and verification agrees."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.html").write_text(PAGE)
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    written = (tmp_path / "out/documents/a.html").read_text()
    for value in ("529841235", "48213377", "529841236", "1961", "Yorick", "Vael"):
        assert value not in written
    for kept in ('<th class="ssn">SSN</th>', '<p>Written by <span itemprop="name">[NAME]</span>'):
        assert kept in written
    assert CliRunner().invoke(main, ["verify", str(tmp_path / "out")]).exit_code == 0
