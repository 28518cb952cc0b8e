"""What can't be written back is set aside alone: a message of a mailbox, a file of an archive."""

from __future__ import annotations

import io
import json
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main

NAME = "Ottoline Brandvold"
TEXT = f"Patient: {NAME}\nA visit.\n"
FIXED = '<p>Patient: Otto Dob. Mr. Dob came.</p><p class="Dob">seen</p>'
"""A value is also what the text is labelled by: once it is masked, the file reads differently."""


def mailbox() -> bytes:
    """Return three messages; to the second, a record is attached that can't be written back."""
    box = b""
    for number in range(3):
        mail = EmailMessage()
        mail["Subject"] = f"Visit {number}"
        mail.set_content(TEXT)
        if number == 1:
            mail.add_attachment(FIXED, subtype="html", filename="a.html")
        box += b"From ward@x.example Thu Jan  1 00:00:00 2026\n" + mail.as_bytes() + b"\n"
    return box


def archive() -> bytes:
    """Return an archive of three files, the second of which can't be written back."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as package:
        for name, text in (("1.txt", TEXT), ("2.html", FIXED), ("3.txt", TEXT)):
            package.writestr(name, text)
    return held.getvalue()


def texts(name: str, data: bytes) -> list[str]:
    """Return what is written of each document of a file."""
    if name == "a.mbox":
        return data.decode().split("\nFrom ")
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return [package.read(one).decode() for one in package.namelist()]


@pytest.mark.parametrize(
    ("name", "data", "aside"),
    [("a.mbox", mailbox(), "a.mbox:2"), ("b.zip", archive(), "b/2")],
)
def test_one_document_that_cannot_be_written_back_is_set_aside_and_the_others_are_released(
    tmp_path: Path, name: str, data: bytes, aside: str
) -> None:
    """The list of what was set aside names it, and nothing of it is in what is written."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(data)
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2, done.output
    rows = (tmp_path / "out/set-aside.jsonl").read_text().splitlines()
    assert [(row["id"], row["step"]) for row in map(json.loads, rows)] == [(aside, "write")]
    written = texts(name, (tmp_path / "out/documents" / name).read_bytes())
    assert len(written) == 2
    for text in written:
        assert "[NAME]" in text and "Brandvold" not in text and "seen" not in text
