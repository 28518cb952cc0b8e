"""Messages of Outlook are read into the fields of a mail, and written as a masked mail."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from click.testing import CliRunner

from compound_files import Tree, compound, message
from linkmask.cli import main
from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.records import Document, SetAside

VALUES = "Ottoline Brandvold|Jane Doeberling|Maren Tolvanen|Aline Quilewick|Tobias Grishol".split(
    "|"
)
SENDER, RECIPIENT, IN_TEXT, ATTACHED, INNER = VALUES
ADDRESS = "o.brandvold@post.example.org"


def letter() -> bytes:
    """A message with recipients, two bodies, a text, a picture and a message attached."""
    inner = message({"0037": "Re: a claim", "1000": f"Patient: {INNER}\r\n"}, head=24)
    note = f"Patient name: {ATTACHED}\n" + "The visit took an hour.\n" * 300
    first = "__attach_version1.0_#0000000"
    return compound(
        message(
            {
                "001A": "IPM.Note",
                "0037": f"Claim of {IN_TEXT} \u2013 closed",
                "0C1A": SENDER,
                "5D01": ADDRESS,
                "1000": f"Dear Ms Doeberling,\r\nthe patient {IN_TEXT} called.\r\n",
            },
            {
                "__substg1.0_10130102": f"<p>the patient <b>{IN_TEXT}</b> called</p>".encode(),
                "__recip_version1.0_#00000000": message(
                    {"3001": RECIPIENT, "39FE": "j.d@post.example.org"}, {}, {0x0C15: 2}, 8
                ),
                f"{first}0": attached(f"note of {ATTACHED}.txt", note.encode()),
                f"{first}1": attached("scan.png", b"\x89PNG"),
                f"{first}2": message({}, {"__substg1.0_3701000D": inner}, head=8),
            },
            {0x0039: 133_500_000_000_000_000},
        )
    )


def attached(name: str, data: bytes) -> Tree:
    return message({"3707": name}, {"__substg1.0_37010102": data}, head=8)


def items(folder: Path, data: bytes) -> list[Document | SetAside]:
    (folder / "a.msg").write_bytes(data)
    return list(read(folder / "a.msg", Settings()))


def test_each_place_of_a_message_is_in_a_field(tmp_path: Path) -> None:
    document, aside = items(tmp_path, letter())
    assert isinstance(document, Document) and isinstance(aside, SetAside)
    assert document.id == "a.msg" and "picture" in aside.reason
    texts = dict(document.every_field())
    headers = texts["record/headers"]
    assert f"From: {SENDER} <{ADDRESS}>" in headers and f"Cc: {RECIPIENT} <" in headers
    assert f"Subject: Claim of {IN_TEXT} \u2013 closed" in headers and "2024" in headers
    found = "\n".join(texts.values())
    assert [found.count(value) for value in VALUES] == [1, 1, 3, 2, 1]


def test_what_is_written_is_a_masked_mail(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.msg").write_bytes(letter())
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["mask", str(tmp_path / "in"), "-o", str(out), "--quiet"])
    assert done.exit_code == 2, done.output
    written = (out / "documents/a.msg.eml").read_bytes()
    mail = message_from_bytes(written, policy=default)
    parts = [part.get_content() for part in mail.walk() if not part.is_multipart()]
    text = "\n".join([str(mail), *map(str, parts)])
    assert not [value for value in VALUES if value.split()[-1] in text]
    assert mail["Subject"].startswith("Claim of [NAME]")
    assert mail["From"].addresses[0].display_name == "[NAME]"
    assert "took an hour" in text and "[NAME]" in parts[0]
    assert mail.get_content_type() == "multipart/mixed" and len(list(mail.walk())) == 8


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (letter()[:3000], "damaged"),
        (letter()[:512] + bytes(4096), "damaged"),
        (compound(message({}, {"__substg1.0_10090102": b"{rtf"})), "RTF alone"),
        (compound(message({"001A": "IPM.Note.SMIME"})), "encrypted"),
        (b"From: a mail by another name", ""),
    ],
)
def test_what_cannot_be_read_of_it_is_set_aside(data: bytes, reason: str, tmp_path: Path) -> None:
    found = [one.reason for one in items(tmp_path, data) if isinstance(one, SetAside)]
    assert bool(found) == bool(reason) and reason in "".join(found)


def test_a_message_broken_anywhere_ends_in_a_document_or_a_reason(tmp_path: Path) -> None:
    """Each byte of its header and tables is turned; no chain is followed without end."""
    whole = letter()
    for at in [*range(24, 120), *range(512, 1024, 7)]:
        data = bytearray(whole)
        data[at] ^= 0xFF
        assert items(tmp_path, bytes(data))
