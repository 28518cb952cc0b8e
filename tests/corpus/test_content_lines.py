"""vCards and calendars are read as content lines, and stay such when they are masked."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main

CARD = "BEGIN:VCARD\r\nVERSION:4.0\r\nN:{}\r\nEND:VCARD\r\n"
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
            "a.ics",
            INVITATION.format("Ottoline Brandvold", "Jane Miller", "jane.miller@x.example"),
            INVITATION.format("[NAME]", "[NAME]", "[EMAIL]"),
        ),
    ],
)
def test_names_are_masked_whole_and_the_lines_of_the_format_stay(
    tmp_path: Path, name: str, text: str, written: str
) -> None:
    """Family and given name stand in two parts of one line, and are one name."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_text(text, newline="")
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet", "--no-run"]
    done = CliRunner().invoke(main, [*command, "--allow-unmet"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out/documents" / name).read_bytes().decode() == written
