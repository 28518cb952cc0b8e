"""A message of Outlook and a compressed PDF file are read by their own readers within others."""

from __future__ import annotations

import email
import email.policy
import gzip
import io
import zipfile
from email.message import EmailMessage, Message
from pathlib import Path

import pytest

from attachments import archive, mail_with, masked
from compound_files import compound, message
from trap_documents import page_of

NAME = "Ottoline Brandvold"


def outlook() -> bytes:
    """Return a message of Outlook."""
    return compound(message({"001A": "IPM.Note", "0037": "A claim", "1000": f"Patient: {NAME}\n"}))


def packed() -> bytes:
    """Return a compressed PDF file of one line."""
    return gzip.compress(page_of((50, 700, f"Patient: {NAME}")), mtime=0)


def body(data: bytes) -> str:
    """Return the text of a mail, or of a compressed text."""
    if data.startswith(b"\x1f\x8b"):
        return gzip.decompress(data).decode()
    mail = email.message_from_bytes(data, policy=email.policy.compat32)
    (text,) = mail.get_payload() if mail.is_multipart() else [mail]
    assert isinstance(text, Message)
    return bytes(text.get_payload(decode=True)).decode()  # type: ignore[arg-type]


CASES = [
    (outlook(), "application/vnd.ms-outlook", "visit.msg", "visit.msg.eml"),
    (outlook(), "application/octet-stream", "visit.msg", "visit.msg.eml"),
    (packed(), "application/gzip", "letter.pdf.gz", "letter.pdf.md.gz"),
    (packed(), "application/octet-stream", "letter.pdf.gz", "letter.pdf.md.gz"),
]


@pytest.mark.parametrize(("data", "media", "name", "written"), CASES)
def test_it_is_masked_in_a_mail_and_named_as_what_is_written(
    tmp_path: Path, data: bytes, media: str, name: str, written: str
) -> None:
    new = masked(tmp_path, "a.eml", mail_with(data, media, name))
    (one,) = email.message_from_bytes(new, policy=email.policy.default).iter_attachments()
    held = one.get_payload(decode=True)
    assert isinstance(held, bytes)
    assert one.get_filename() == written
    assert "Patient: [NAME]" in body(held) and b"Brandvold" not in new


@pytest.mark.parametrize(("data", "name", "written"), [(c[0], *c[2:]) for c in CASES[1:3]])
def test_it_is_masked_in_an_archive_and_named_as_what_is_written(
    tmp_path: Path, data: bytes, name: str, written: str
) -> None:
    new = masked(tmp_path, "a.zip", archive({name: data}))
    with zipfile.ZipFile(io.BytesIO(new)) as package:
        assert [name.split(".", 1)[1] for name in package.namelist()] == [written.split(".", 1)[1]]
        assert "Patient: [NAME]" in body(package.read(package.namelist()[0]))


def test_an_attached_mail_hides_no_header_of_its_attachment(tmp_path: Path) -> None:
    """Both have headers at one place; the file name stands in those of the attachment."""
    inner = EmailMessage()
    inner["Subject"] = "A claim"
    inner.set_content(f"Patient: {NAME}\n")
    data = mail_with(inner.as_bytes(), "application/octet-stream", f"{NAME}.eml")
    new = masked(tmp_path, "a.eml", data)
    (one,) = email.message_from_bytes(new, policy=email.policy.default).iter_attachments()
    held = one.get_payload(decode=True)
    assert isinstance(held, bytes)
    assert one.get_filename() == "[NAME].eml"
    assert "Patient: [NAME]" in body(held)
    assert b"Brandvold" not in new
