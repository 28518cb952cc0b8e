"""Masked headers of a mail are well-formed (RFC 5322), so that a strict reader shows the masks."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.corpus.readers.headers import Headers
from linkmask.corpus.readers.source_view import Edit

NAME = "Ottoline Brandvold"
FIRST = f"""From: {NAME} <ottoline.brandvold@acme-health.example>
To: "Whitmore, Jonathan" <jwhitmore@gmail.com>
Cc: Ottoline.Brandvold@acme-health.example, =?utf-8?q?J=C3=BCrgen_Whitmore?= <jw@gmail.com>
Message-ID: <ottoline.brandvold.77@acme-health.example>
Subject: A claim
Content-Type: text/plain; charset=utf-8; name=Ottoline.Brandvold.txt

Patient: {NAME}
"""
REPLY = f"""From: "Whitmore, Jonathan" <jwhitmore@gmail.com>
To: {NAME} <ottoline.brandvold@acme-health.example>
Message-ID: <jwhitmore.78@gmail.com>
In-Reply-To: <ottoline.brandvold.77@acme-health.example>
References: <ottoline.brandvold.77@acme-health.example>
Subject: Re: A claim

Dear {NAME}, it was received.
"""


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two mails, masked by pseudonyms."""
    folder = tmp_path_factory.mktemp("mails")
    (folder / "in").mkdir()
    (folder / "in/first.eml").write_text(FIRST)
    (folder / "in/reply.eml").write_text(REPLY)
    command = ["mask", str(folder / "in"), "-o", str(folder / "out"), "--style", "pseudonym"]
    command += ["--linkable"]
    assert CliRunner().invoke(main, [*command, "--quiet"]).exit_code == 0
    return folder


def parsed(folder: Path, name: str) -> EmailMessage:
    data = (folder / "out/documents" / name).read_bytes()
    mail = email.message_from_bytes(data, policy=email.policy.strict)
    assert isinstance(mail, EmailMessage)
    return mail


@pytest.mark.parametrize("name", ["first.eml", "reply.eml"])
def test_a_strict_reader_finds_no_fault_in_masked_addresses(masked: Path, name: str) -> None:
    """It shows a masked name and address for each, and writes the mail again."""
    mail = parsed(masked, name)
    for key in ("From", "To", "Cc", "Message-ID", "Content-Type"):
        assert key not in mail or not mail[key].defects
    for key in ("From", "To"):
        (address,) = mail[key].addresses
        assert address.display_name.startswith("[NAME_")
        assert address.domain.startswith("[EMAIL_")
    rewritten = mail.as_bytes(policy=email.policy.SMTP.clone(refold_source="all"))
    assert email.message_from_bytes(rewritten, policy=email.policy.strict)["From"] == mail["From"]


def test_a_reply_threads_with_its_parent_once_both_are_masked(masked: Path) -> None:
    first, reply = parsed(masked, "first.eml"), parsed(masked, "reply.eml")
    assert reply["In-Reply-To"] == reply["References"] == first["Message-ID"]
    assert reply["Message-ID"] != first["Message-ID"]


def test_restored_mails_are_as_they_were(masked: Path) -> None:
    """Line ends and quotes too; an encoded word is encoded in another way, with the same text."""
    command = ["unmask", str(masked / "out"), "-o", str(masked / "back"), "--quiet"]
    assert CliRunner().invoke(main, command).exit_code == 0
    assert (masked / "back/documents/reply.eml").read_text() == REPLY
    back = (masked / "back/documents/first.eml").read_text()
    encoded = "=?utf-8?b?SsO8cmdlbiBXaGl0bW9yZQ==?="
    assert back == FIRST.replace("=?utf-8?q?J=C3=BCrgen_Whitmore?=", encoded)


CASES = [
    ("From: Ann Lee <a@b.example>", {"Ann Lee": "[NAME]"}, r'From: "\[NAME]" <a@b.example>'),
    ("From: Dr.Lee <a@b.example>", {"Lee": "[NAME]"}, r'From: "Dr.\[NAME]" <a@b.example>'),
    ('From: "Lee, Ann" <a@b.example>', {"Lee, Ann": "[NAME]"}, 'From: "[NAME]" <a@b.example>'),
    ("To: a@b.example,\n c@d.example", {"c@d.example": "[E]"}, "To: a@b.example,\n masked@[E]"),
    ("To: a@b.example (Ann)", {"Ann": "[NAME]"}, "To: a@b.example ([NAME])"),
    ("To: ann.lee@b.example", {"ann": "[NAME]"}, 'To: "[NAME].lee@b.example"@[masked]'),
    ("Message-ID: <ann@mail>", {"ann@mail": "[EMAIL]"}, "Message-ID: <masked@[EMAIL]>"),
    ("References: <a@b>\n <c@d>", {"c@d": "[E]"}, "References: <a@b>\n <masked@[E]>"),
    ("To: a@b.example", {"a@b.example": "x@y.example"}, "To: x@y.example"),
    ("To: odd [x], a@b.example", {"a@b.example": "c@d.example"}, None),
    ("Subject: of Ann", {"Ann": "[NAME]"}, "Subject: of [NAME]"),
    ("Content-ID: <a@b>", {"a@b": "[EMAIL]"}, "Content-ID: <[EMAIL]>"),
    ("Content-Type: text/plain; name=ann.txt", {"ann": "[N]"}, None),
]


@pytest.mark.parametrize(("head", "masks", "written"), CASES)
def test_what_is_written_reads_as_it_was_masked(
    head: str, masks: dict[str, str], written: str | None
) -> None:
    headers = Headers(f"{head}\n".encode())
    (field,) = headers.fields
    text = field.text
    for old, new in masks.items():
        at = text.index(old)
        field.edits.append(Edit(at, at + len(old), new))
        text = text.replace(old, new)
    new = headers.write()
    assert Headers(new).fields[0].text == text
    assert written is None or new == f"{written}\n".encode()


def test_headers_that_hold_no_mask_stay_as_they_are() -> None:
    """Also those which are not well-formed."""
    odd = "To: odd [x] <a>, b\nContent-Type: text/plain; name=[x].txt\n"
    headers = Headers(f"{odd}Subject: of Ann\n".encode())
    at = headers.fields[0].text.index("Ann")
    headers.fields[0].edits.append(Edit(at, at + 3, "[NAME]"))
    assert headers.write() == f"{odd}Subject: of [NAME]\n".encode()
