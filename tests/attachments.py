"""Archives and mails with a file in them, and what the command writes of them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path

from click.testing import CliRunner

from linkmask.cli import main


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP file of these files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as package:
        for name, data in files.items():
            package.writestr(name, data)
    return held.getvalue()


def names_in(data: bytes) -> list[str]:
    """Return the names of the files in a ZIP file."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return package.namelist()


def mail_with(data: bytes, media: str, name: str) -> bytes:
    """Return a mail with a file attached, in Python's own way of writing it."""
    mail = EmailMessage()
    mail["Subject"] = "The letter"
    mail.set_content("It is attached.\n")
    maintype, subtype = media.split("/")
    mail.add_attachment(data, maintype=maintype, subtype=subtype, filename=name)
    return mail.as_bytes()


def masked(tmp_path: Path, name: str, data: bytes, status: int = 0) -> bytes:
    """Return what the command writes for a file."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(data)
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--no-run", "--quiet"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == status, (done.output, (tmp_path / "out/set-aside.jsonl").read_text())
    return (tmp_path / "out" / "documents" / name).read_bytes()
