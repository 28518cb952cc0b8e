"""Fields that a reader names by their place ("part 1 headers") have no key of the input."""

import json
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main


def mail() -> bytes:
    message = EmailMessage()
    message["Subject"] = "A letter"
    message.set_content("It is attached.\n")
    message.add_attachment("A second text.\n", filename="a.txt")
    return message.as_bytes()


def name_in(folder: Path, document: str, value: str) -> None:
    """Write a file of mentions with one name."""
    keys = ("document", "original_value", "normalized_value", "entity_type", "relevance")
    row = dict(zip(keys, (document, value, value.lower(), "NAME", 1.0), strict=True))
    (folder / "mentions.jsonl").write_text(json.dumps(row) + "\n")


@pytest.mark.parametrize("value", ["Headers", "Part", "Attributes"])
def test_a_value_that_is_called_as_a_place_sets_no_document_aside(
    tmp_path: Path, value: str
) -> None:
    """Who is called as a place is masked, and mails and web pages are released all the same."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.eml").write_bytes(mail())
    (tmp_path / "in" / "b.html").write_text("<p title='one'>A page.</p>")
    (tmp_path / "in" / "c.txt").write_text(f"She is called {value}.")
    name_in(tmp_path, "c", value)
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet"]
    done = CliRunner().invoke(main, [*command, "--mentions", str(tmp_path / "mentions.jsonl")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out/documents/c.txt").read_text() == "She is called [NAME]."
    checked = CliRunner().invoke(main, ["verify", str(tmp_path / "out"), "--json"])
    assert "leftover" not in checked.output


def test_a_value_that_is_called_as_a_media_type_leaves_the_type_as_it_is(tmp_path: Path) -> None:
    """Masked, the type would make a part unreadable, and the mail could not be written back."""
    (tmp_path / "in").mkdir()
    odd = mail().replace(b"Content-Type: text/plain", b"Content-Type: text/x-one")
    (tmp_path / "in" / "a.eml").write_bytes(odd)
    (tmp_path / "in" / "c.txt").write_text("She is called Ottoline Text.")
    name_in(tmp_path, "c", "Text")
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet"]
    done = CliRunner().invoke(main, [*command, "--mentions", str(tmp_path / "mentions.jsonl")])
    assert done.exit_code == 0, (tmp_path / "out/set-aside.jsonl").read_text()
    written = (tmp_path / "out/documents/a.eml").read_bytes()
    assert written.count(b"Content-Type: text/x-one") == 2
    assert b"A second [NAME]." in written


def test_a_value_in_a_key_of_the_input_still_sets_its_document_aside(tmp_path: Path) -> None:
    record = {"id": "a", "content": "She is called Headers.", "of Headers": "x"}
    (tmp_path / "in.jsonl").write_text(json.dumps(record) + "\n")
    name_in(tmp_path, "a", "Headers")
    command = ["mask", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out"), "--quiet"]
    done = CliRunner().invoke(main, [*command, "--mentions", str(tmp_path / "mentions.jsonl")])
    assert done.exit_code == 2
    assert "leftover" in (tmp_path / "out/set-aside.jsonl").read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", "<table><tr><th>First name<th>Last name<tr><td>Hesper<td>Lockhartson</table>"),
        ("a.html", "<input name=first-name value=Hesper><input name=last-name value=Lockhartson>"),
        ("a.html", "<b data-first-name=Hesper data-last-name=Lockhartson>x</b>"),
        ("a.csv", "content,first_name,last_name\nShe came.,Hesper,Lockhartson\n"),
        ("a.xml", "<a><given value='Hesper'/><family value='Lockhartson'/></a>"),
        ("a.txt", "First name: Hesper\nLast name: Lockhartson\n"),
    ],
)
def test_a_name_over_two_fields_is_masked_in_both_and_their_labels_stay(
    tmp_path: Path, name: str, text: str
) -> None:
    """What stands beside a label "First name" is no name where it is the label "Last name"."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_text(text)
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet", "--no-run"]
    done = CliRunner().invoke(main, [*command, "--allow-unmet"])
    written = (tmp_path / "out/documents" / name).read_text()
    assert done.exit_code == 0, done.output
    assert "Hesper" not in written and "Lockhartson" not in written
    assert ("irst" in written) == ("irst" in text) and ("ast" in written) == ("ast" in text)
