"""Parameters of mail headers: names of files in sections (RFC 2231), and boundaries (RFC 2046)."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from linkmask.corpus.readers.headers import Headers
from trap_masking import released

VALUES = ["Ottoline Brandvold", "Brandvold", "4821377", "48213"]
FORMS = [
    "filename*=utf-8'en-GB'Ottoline%20Brandvold.txt",
    "filename*=Ottoline%20Brandvold.txt",
    "filename*=iso-8859-1''%4Fttoline%20Br%61ndvold.txt",
    "filename*0*=utf-8''Ottoline%20Brand;\n filename*1*=vold.txt",
    "FileName*0*=UTF-8''Ottoline%20;\n\tfilename*1=\"Brandvold.txt\"; size=12",
    'filename*0="Ottoline Brand";\n filename*1="vold.txt"',
    'filename*1="vold.txt";\n filename*0="Ottoline Brand"',
    'filename*0="Ottoline\n Brandvold.txt"',
    'filename*0*="utf-8\'\'Ottoline%20Brand";\n filename*1*="vold.txt"',
]
MAIL = """From: a@b.example
Content-Type: multipart/mixed; boundary="{outer}"

--{outer}
Content-Type: multipart/alternative; boundary="{inner}"

--{inner}
Content-Type: text/plain

Patient: Ottoline Brandvold. MRN 4821377.
--{inner}
Content-Type: text/plain
Content-Disposition: attachment; {parameter}

See above.
--{inner}--
--{outer}--
"""


def masked(folder: Path, **parts: str) -> EmailMessage:
    (folder / "in").mkdir()
    given = {"outer": "qq", "inner": "rr", "parameter": "filename=a.txt"} | parts
    (folder / "in/a.eml").write_text(MAIL.format(**given))
    data = released(folder / "in", folder / "out", VALUES)["a.eml"]
    assert b"vold" not in data
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


@pytest.mark.parametrize("form", FORMS)
def test_a_name_of_a_file_is_masked_however_it_is_cut_into_sections(
    form: str, tmp_path: Path
) -> None:
    *_, attached = masked(tmp_path, parameter=form).walk()
    assert attached.get_filename() == "[NAME].txt"


def test_a_character_that_two_sections_share_is_read() -> None:
    head = "Content-Disposition: attachment;\n filename*0*=utf-8''J%C3;\n filename*1*=%BCrgen\n"
    assert Headers(head.encode()).fields[0].text.endswith("Jürgen\n")


@pytest.mark.parametrize(
    ("outer", "inner"),
    [("Brandvold", "Brandvold-48213"), ("4821377", "4821377 x"), ("48213", "Ottoline Brandvold")],
)
def test_no_masked_boundary_is_the_beginning_of_another(
    outer: str, inner: str, tmp_path: Path
) -> None:
    message = masked(tmp_path, outer=outer, inner=inner)
    first, second = (part.get_boundary() or "" for part in message.walk() if part.is_multipart())
    assert not first.startswith(second) and not second.startswith(first)
    assert "[" in first and "[" in second


def test_a_subject_that_looks_like_a_section_is_no_reason_to_set_a_mail_aside() -> None:
    head = b"Subject: x; item*1=3; a*=%ff\n"
    assert Headers(head).fields[0].text == head.decode()


@pytest.mark.parametrize("subject", ["grep name*1=foo", "of Brandvold*0=a; Brandvold*=b", "x*=[A]"])
def test_a_subject_has_no_parameters(subject: str) -> None:
    assert Headers(f"Subject: {subject}\n".encode()).fields[0].text == f"Subject: {subject}\n"


def test_a_short_name_is_no_language() -> None:
    head = "Content-Disposition: attachment; filename*=utf-8'Ott'x.txt\n"
    assert "Ott" in Headers(head.encode()).fields[0].text
