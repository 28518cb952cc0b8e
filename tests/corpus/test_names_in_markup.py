"""Names of elements and attributes are keys of the input: searched as keys are, never written."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from linkmask.cli import main
from linkmask.detect.candidates import Candidate
from linkmask.detect.structured.written_labels import beside_labels, within_lines

KEYS = """patientName dateOfBirth planName deviceId specimenId primaryPhone icd10 orderId nurseNotes
    attendingPhysician priceList wardName effectiveDate userAgent""".split()
ELEMENTS = "".join(f"<{key}>pending</{key}>" for key in KEYS)
SNAKE = [key.replace("N", "_n").replace("I", "_i").lower() for key in KEYS]
ATTRIBUTES = " ".join(f'{key}s="none"' for key in KEYS)
XML = f"<record {ATTRIBUTES}><a>Mr. Hal Roth</a>{ELEMENTS}</record>"
HTML = (
    "<h1>Claim of Mr. Hal Roth</h1><form>"
    + "".join(f'<label>{key}</label><input name="{key}" value="x">' for key in SNAKE[:5])
    + "".join(f'<input type="hidden" name="{key}" value="none">' for key in SNAKE[5:])
    + "".join(f'<b data-{key.replace("_", "-")}="none"></b>' for key in SNAKE)
    + "</form>"
)


def mail() -> bytes:
    message = EmailMessage()
    message["Subject"] = "A claim"
    message.set_content("It is attached, Mr. Hal Roth.\n")
    message.add_attachment(
        json.dumps({"ward": "B", "status": "open"}).encode(),
        maintype="application",
        subtype="json",
        filename="a.json",
    )
    return message.as_bytes()


def masked(folder: Path, files: dict[str, bytes]) -> tuple[Result, dict[str, str]]:
    """Mask files; return the command's result, and the text of each that was released."""
    (folder / "in").mkdir()
    for name, data in files.items():
        (folder / "in" / name).write_bytes(data)
    command = ["mask", str(folder / "in"), "-o", str(folder / "out"), "--quiet", "--no-run"]
    done = CliRunner().invoke(main, command)
    released = (folder / "out" / "documents").glob("*")
    return done, {one.name: one.read_text() for one in released}


def test_a_form_is_released_whatever_its_elements_and_attributes_are_called(tmp_path: Path) -> None:
    """The model took some of these names for a place or a code, which can't be written over."""
    files = {"a.xml": XML.encode(), "b.html": HTML.encode(), "c.eml": mail()}
    done, released = masked(tmp_path, files)
    assert done.exit_code == 0, (tmp_path / "out" / "set-aside.jsonl").read_text()
    assert len(released) == len(files)
    assert not any("Roth" in text for text in released.values())
    assert released["a.xml"] == XML.replace("Hal Roth", "[NAME]")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.xml", "<votes><Hannah_Meier><n>3</n></Hannah_Meier></votes>"),
        ("a.xml", "<votes HannahMeier='3'/>"),
        ("a.html", "<p data-hannah-meier='3'>Votes.</p>"),
    ],
)
def test_a_person_who_gives_an_element_its_name_keeps_the_document_back(
    tmp_path: Path, name: str, text: str
) -> None:
    done, released = masked(tmp_path, {name: text.encode()})
    assert done.exit_code == 2
    assert not released
    assert "key" in (tmp_path / "out" / "set-aside.jsonl").read_text()


def test_a_masked_value_that_is_the_name_of_an_element_keeps_the_document_back(
    tmp_path: Path,
) -> None:
    """Also one word, of an element that holds elements alone and so labels no value."""
    files = {
        "a.txt": b"The patient is Mr. Hal Brandvold.",
        "b.xml": b"<Brandvold><n>3</n></Brandvold>",
    }
    done, released = masked(tmp_path, files)
    assert done.exit_code == 2
    assert list(released) == ["a.txt"]


def test_a_person_whose_name_an_input_has_is_masked(tmp_path: Path) -> None:
    text = '<input name="Hannah Meier"><p>Votes.</p>'
    done, released = masked(tmp_path, {"a.html": text.encode()})
    assert done.exit_code == 0, done.output
    assert released["a.html"] == text.replace("Hannah Meier", "[NAME]")


def test_a_span_over_a_label_is_cut_into_what_stands_beside_it() -> None:
    text = "attributes: street: 9 Mill Lane\ncity: Harwick\npatient_name\n"
    labels = {"street: ", "city: ", "patient_name: "}

    def found(value: str, detector: str = "ner") -> Candidate:
        return Candidate(at := text.index(value), at + len(value), "ADDRESS", detector, "", 0.9)

    def left(*candidates: Candidate) -> list[str]:
        kept = beside_labels(text, labels, len("attributes: "), list(candidates))
        return [text[one.start : one.end] for one in kept]

    assert left(found("9 Mill Lane\ncity: Harwick")) == ["9 Mill Lane", "Harwick"]
    assert left(found("street: 9 Mill Lane")) == ["9 Mill Lane"]
    assert left(found("city"), found("city: "), found("patient_name")) == []
    assert left(found("Mill Lane"), found("patient_name", "lexicon")) == [
        "Mill Lane",
        "patient_name",
    ]


def test_a_span_over_lines_of_values_is_cut_into_what_each_holds() -> None:
    text = "Hannah Meier\n32767*\n*\n32768"
    found = [Candidate(7, len(text), "ADDRESS", "ner", "", 0.9)]
    parts = [text[one.start : one.end] for one in within_lines(text, found)]
    assert parts == ["Meier", "32767*", "32768"]


def test_a_value_of_several_lines_in_an_attribute_is_masked_whole(tmp_path: Path) -> None:
    """Line ends part the values of a list, and not what one of them holds."""
    text = '<note alt="Ottoline Brandvold, born 12&#xA;March 1961"><p>Seen today.</p></note>'
    done, released = masked(tmp_path, {"a.xml": text.encode()})
    assert done.exit_code == 0, done.output
    assert "12" not in released["a.xml"] and "Brandvold" not in released["a.xml"]


def test_a_person_in_the_name_of_a_vocabulary_is_masked(tmp_path: Path) -> None:
    text = (
        '<note u="http://openoffice.org/people/Marguerite-Okonkwo"><p>Mrs Okonkwo rang.</p></note>'
    )
    done, released = masked(tmp_path, {"a.xml": text.encode()})
    assert done.exit_code == 0, done.output
    assert "Okonkwo" not in released["a.xml"]
