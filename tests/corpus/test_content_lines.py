"""vCards and calendars are read as content lines, and stay such when they are masked."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main

CARD = "BEGIN:VCARD\r\nVERSION:4.0\r\nN:{}\r\nEND:VCARD\r\n"
ENCODED = (
    "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:{}\r\n"
    "FN;QUOTED-PRINTABLE:{}\r\nEND:VCARD\r\n"
)
INVITATION = (
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Visit of {}\r\n"
    'ATTENDEE;CN="{}":mailto:{}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
)


@pytest.mark.parametrize(
    ("name", "text", "written"),
    [
        ("a.vcf", CARD.format("Kowalczyk;Zbyszko;Adam;;"), CARD.format("[NAME];;")),
        ("a.vcf", CARD.format("Brandvold;Ottoline;;;"), CARD.format("[NAME];;;")),
        (
            "a.vcf",
            CARD.format("Brandvold;Ottoline;;;\r\nADR;TYPE=HOME:;;4 Mill Yard;Thornby;;TH1 9ZZ;UK"),
            CARD.format("[NAME];;;\r\nADR;TYPE=HOME:;;[ADDRESS]"),
        ),
        ("a.vcf", CARD.format("Brandvold;Otto\r\n line;;;"), CARD.format("[NAME]\r\n ;;;")),
        (
            "a.vcf",
            ENCODED.format(
                "=42rand=C3=B8=\r\nvold;=4Ftto=6Cine;;;", "=4Ftto=6Cine Brand=C3=B8vold"
            ),
            ENCODED.format("[NAME];;;", "[NAME]"),
        ),
        (
            "a.ics",
            INVITATION.format(
                "Ottoline Brand\r\n vold", "Ja\n\tne Miller", "j.miller@x.exa\r\n mple"
            ),
            INVITATION.format("[NAME]\r\n ", "[NAME]\n\t", "[EMAIL]\r\n "),
        ),
        (
            "a.ics",
            INVITATION.format("Ottoline Brandvold", "Jane Miller", "jane.miller@x.example"),
            INVITATION.format("[NAME]", "[NAME]", "[EMAIL]"),
        ),
        (
            "a.ics",
            r"LOCATION:12 Orchard Lane\, Thornby\, TH1 9ZZ" + "\r\n"
            r"DESCRIPTION:Come to\n12 Orchard Lane\nThornby TH1 9ZZ\n\nMiller\, Jane" + "\r\n",
            "LOCATION:[ADDRESS]\r\nDESCRIPTION:Come to\\n[ADDRESS]\\n\\n[NAME]\r\n",
        ),
    ],
)
def test_names_are_masked_whole_and_the_lines_of_the_format_stay(
    tmp_path: Path, name: str, text: str, written: str
) -> None:
    """A name stands in two parts of one line, and a line is folded anywhere, or encoded."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_text(text, newline="")
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet", "--no-run"]
    done = CliRunner().invoke(main, [*command, "--allow-unmet"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out/documents" / name).read_bytes().decode() == written


def test_an_encoded_line_of_another_charset_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    card = ENCODED.format("Brandvold", "=C3=28").replace("UTF-8", "ASCII")
    (tmp_path / "in" / "a.vcf").write_text(card, newline="")
    done = CliRunner().invoke(main, ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out")])
    assert done.exit_code == 2
    assert "is not utf-8" in (tmp_path / "out" / "set-aside.jsonl").read_text()
