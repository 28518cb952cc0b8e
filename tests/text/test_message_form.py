"""Masks leave the separators and the control segments of messages as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.records import Document, Masked, Replacement
from linkmask.text.message_form import messages, within_elements
from linkmask.verify.message_shape import added_separators

HEAD = (
    "ISA*00*          *00*          *ZZ*BRANDVOLD      *ZZ*RECEIVERID     *240102*1253*^*00501"
    "*000000905*1*T*:~\nGS*HC*SENDER*RECEIVER*20240102*0802*1*X*005010X222A1~\nST*837*0021~\n"
)
X12 = (
    HEAD.replace("BRANDVOLD ", "SUBMITTER ")
    + "NM1*IL*1*BRANDVOLD*OTTOLINE****MI*JS00111223333~\nN3*236 MAIN ST~\nN4*UTICA*NY*13501~\n"
    "DMG*D8*19430501*F~\nSE*6*0021~\nGE*1*1~\nIEA*1*000000905~\n"
)
HL7 = (
    "MSH|^~\\&|GHH LAB|ELAB-3|GHH OE|BLDG4|200202150930||ORU^R01|3456001|P|2.4\n"
    "PID|||555-44-4444||BRANDVOLD^OTTOLINE^E|JONES|19620320|F|||153 FERN DR.^^UTICA^NY^13501\n"
    "NTE|1||Ottoline Brandvold was fasting\n"
)
EDIFACT = (
    "UNB+UNOC:3+5412345678908:14+8798765432106:14+240102:1253+4711'UNH+1+MEDREQ:D:01B:UN'"
    "NAD+PAT+++BRANDVOLD:OTTOLINE'FTX+AAI+++Patientin Ottoline Brandvold ruft an'"
    "UNT+4+1'UNZ+1+4711'"
)
FILES = {"a.x12": X12, "b.hl7": HL7, "c.edi": EDIFACT}
PARTED = {"a.x12": ("~", "*:^"), "b.hl7": ("\n", "|^~&"), "c.edi": ("'", "+:")}


def counts(name: str, text: str) -> list[tuple[str, list[int]]]:
    """Return the name of each segment, and how often each separator stands in it."""
    end, separators = PARTED[name]
    return [(s.strip()[:3], [s.count(one) for one in separators]) for s in text.split(end)]


@pytest.mark.parametrize("style", ["value", "pseudonym", "surrogate"])
def test_a_masked_message_has_the_segments_and_elements_of_its_original(
    tmp_path: Path, style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every element of a message of X12, HL7 and EDIFACT is in its place, and no name is left."""
    monkeypatch.setenv("LINKMASK_KEY", "ab" * 32)
    (tmp_path / "in").mkdir()
    for name, text in FILES.items():
        (tmp_path / "in" / name).write_text(text)
    out = tmp_path / "out"
    command = ["mask", str(tmp_path / "in"), "-o", str(out), "--style", style, "--quiet"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    for name, text in FILES.items():
        written = (out / "documents" / name).read_text()
        assert counts(name, written) == counts(name, text)
        assert "BRANDVOLD" not in written.upper()
        assert "OTTOLINE" not in written.upper()
    assert (out / "documents" / "a.x12").read_text().startswith(X12[: X12.index("NM1")])
    if style != "value":
        back = ["unmask", str(out), "-o", str(tmp_path / "back"), "--quiet"]
        assert CliRunner().invoke(main, back).exit_code == 0
        for name, text in FILES.items():
            assert (tmp_path / "back" / "documents" / name).read_text() == text


def test_a_value_in_a_header_of_fixed_width_sets_the_message_aside(tmp_path: Path) -> None:
    """A masked name that is also the sender of an interchange can't be written there."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.x12").write_text(HEAD + X12[X12.index("NM1") :])
    out = tmp_path / "out"
    CliRunner().invoke(main, ["mask", str(tmp_path / "in"), "-o", str(out), "--quiet"])
    assert not (out / "documents" / "a.x12").exists()
    assert '"file":"a.x12"' in (out / "set-aside.jsonl").read_text()


NUMBERS = {"a.x12": "000000905", "b.hl7": "3456001", "c.edi": "4711"}
"""A control number in the header of each message."""


def kept_and_note(folder: Path, name: str, note: str) -> tuple[bool, bool]:
    """Whether a message is released, and whether its number is left in a note masked with it."""
    (folder / "in").mkdir()
    (folder / "in" / name).write_text(FILES[name])
    (folder / "in" / "note.txt").write_text(note)
    out = folder / "out"
    CliRunner().invoke(main, ["mask", str(folder / "in"), "-o", str(out), "--quiet"])
    left = (out / "documents" / "note.txt").read_text()
    return (out / "documents" / name).exists(), NUMBERS[name] in left


@pytest.mark.parametrize("name", FILES)
def test_a_control_number_that_equals_the_number_of_a_thing_is_no_leftover(
    tmp_path: Path, name: str
) -> None:
    """The message is released, and the number is masked where it is a claim's."""
    note = f"Mrs Agatha Roth has claim number {NUMBERS[name]} since May."
    assert kept_and_note(tmp_path, name, note) == (True, False)


@pytest.mark.parametrize("name", FILES)
def test_a_control_number_that_equals_the_number_of_a_person_sets_the_message_aside(
    tmp_path: Path, name: str
) -> None:
    """A member's number is a leftover wherever it stands, also in another document's header."""
    note = f"Mrs Agatha Roth, member number {NUMBERS[name]}, called."
    assert kept_and_note(tmp_path, name, note) == (False, False)


def test_a_control_number_that_is_a_patient_s_sets_each_message_with_it_aside(
    tmp_path: Path,
) -> None:
    """The number that one message gives to its patient is a leftover in every header."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.hl7").write_text(HL7.replace("3456001", "555444471"))
    held = HL7.replace("3456001", "555444471").replace("555-44-4444", "555444471")
    (tmp_path / "in" / "b.hl7").write_text(held)
    (tmp_path / "in" / "c.hl7").write_text(HL7)
    out = tmp_path / "out"
    CliRunner().invoke(main, ["mask", str(tmp_path / "in"), "-o", str(out), "--quiet"])
    assert [one.name for one in (out / "documents").iterdir()] == ["c.hl7"]


def test_messages_of_one_system_are_released_whatever_words_their_headers_share(
    tmp_path: Path,
) -> None:
    """A word of a header that few documents hold can't be masked, and leads to no person."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.hl7").write_text(HL7)
    other = HL7.replace("BRANDVOLD^OTTOLINE", "ROTH^AGATHA").replace("555-44-4444", "555-99-1234")
    (tmp_path / "in" / "b.hl7").write_text(other.replace("Ottoline Brandvold", "Agatha Roth"))
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["mask", str(tmp_path / "in"), "-o", str(out), "--quiet"])
    assert done.exit_code == 0, done.output
    assert len(list((out / "documents").iterdir())) == 2


def parts(text: str) -> list[str]:
    """Return what may be masked of a text."""
    return [text[a:b] for a, b in within_elements(text, 0, len(text), messages(text))]


def test_separators_are_those_that_the_header_declares() -> None:
    head = HEAD.replace("*", "|").replace("~\n", "!").replace(":", ">")
    assert parts(head + "NM1|IL|1|ROTH*A~B>C!")[-4:] == ["IL", "1", "ROTH*A~B", "C"]


def test_segments_without_a_header_are_read_with_the_usual_separators() -> None:
    assert parts("NM1*IL*1*ROTH*ANNA~N3*14 CANAL ST~") == ["IL", "1", "ROTH", "ANNA", "14 CANAL ST"]


def test_a_released_separator_is_part_of_a_value() -> None:
    assert parts("UNB+X'NAD+PAT+O?'BRIEN:ANN??'")[-3:] == ["PAT", "O?'BRIEN", "ANN??"]


def test_other_texts_hold_no_message() -> None:
    for text in ("* A list\n* NM1* of ~ three", "PID | name", "ISA*00*" * 99, "UNBOUND: MSH|"):
        assert parts(text) == [text]


def test_a_mask_with_a_separator_of_the_message_is_a_finding() -> None:
    at = X12.index("UTICA")
    for mask, found in (("12 Elm St: Troy", 1), ("12 Elm St, Troy", 0)):
        document = Document("a", X12)
        new = Document("a", X12.replace("UTICA", mask))
        masked = Masked(document, new, [Replacement("content", at, at + 5, "e", "ADDRESS", mask)])
        assert len(list(added_separators(masked))) == found


@pytest.mark.parametrize(
    "sender",
    [
        "GHH_ADT|||",
        "ADT1|MCM|LABADT|MCM",
        "EPIC|EPICADT|SMS|SMSADT",
        "ADT|CLINIC|LAB|HOSP",
        "HIS|RIH|EKG|EKG",
    ],
)
def test_a_program_that_sends_a_message_is_no_person(tmp_path: Path, sender: str) -> None:
    """As a name it would be masked, and could not be where the kind of message repeats it."""
    text = HL7.replace("GHH LAB|ELAB-3|GHH OE|BLDG4", sender).replace("ORU^R01", "ADT^A01^ADT_A01")
    (tmp_path / "a.hl7").write_text(text)
    done = CliRunner().invoke(main, ["mask", str(tmp_path / "a.hl7"), "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert not next((tmp_path / "out" / "documents").iterdir()).read_text().count("Brandvold")
