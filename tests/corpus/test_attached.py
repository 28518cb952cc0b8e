"""A PDF file, an archive or a compressed file that is attached to a mail is read by its own reader.

What is written holds its masked text in its place: a PDF file as Markdown, by its headers too.
"""

from __future__ import annotations

import email
import email.policy
import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from attachments import archive, mail_with, masked, names_in
from linkmask.cli import main
from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.records import Document
from trap_documents import page_of

NAME = "Ottoline Brandvold"
TEXT = f"Patient: {NAME}\nA visit."


def letter(text: str) -> bytes:
    """Return a PDF file of one page with one line."""
    return page_of((50, 700, text))


def attachment(data: bytes) -> tuple[str, str, bytes]:
    """Return media type, name and content of what is attached, as a mail program reads it."""
    mail = email.message_from_bytes(data, policy=email.policy.default)
    (one,) = mail.iter_attachments()
    payload = one.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return one.get_content_type(), one.get_filename() or "", payload


def reasons(tmp_path: Path) -> list[str]:
    rows = (tmp_path / "out/set-aside.jsonl").read_text().splitlines()
    return [json.loads(row)["reason"] for row in rows]


@pytest.mark.parametrize(
    ("media", "name", "written"),
    [
        ("application/pdf", "letter.pdf", "letter.pdf.md"),
        ("application/octet-stream", "Letter 3.PDF", "Letter 3.PDF.md"),
        ("application/pdf", "Bestätigung.pdf", "Bestätigung.pdf.md"),
        ("application/x-pdf", f"{NAME}.pdf", "[NAME].pdf.md"),
        ("application/pdf", f"{'a long name of a letter ' * 6}.pdf", None),
    ],
)
def test_a_pdf_file_in_a_mail_is_read_and_written_as_markdown(
    tmp_path: Path, media: str, name: str, written: str | None
) -> None:
    new = masked(tmp_path, "a.eml", mail_with(letter(f"Patient: {NAME}"), media, name))
    found, called, held = attachment(new)
    assert (found, called) == ("text/markdown", written or f"{name}.md")
    assert b"Patient: [NAME]" in held and not held.startswith(b"%PDF")


ENCODED = "=?utf-8?B?QmVzdMOkdGlndW5nLnBkZg==?="
HEAD = (
    "Subject: The letter\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n"
    "It is attached.\n--b\n{}\nContent-Transfer-Encoding: base64\n\n"
)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (f'Content-Type: application/pdf; name="{ENCODED}"', "Bestätigung.pdf.md"),
        ("Content-Type: application/pdf\nContent-Disposition: attachment", ""),
        ("Content-Type: application/pdf;\n name*0=lett;\n name*1=er.pdf", "letter.pdf.md"),
        ('Content-Type: APPLICATION/PDF;\n\tname="a b.pdf"', "a b.pdf.md"),
    ],
)
def test_however_headers_name_a_pdf_file_they_name_its_markdown(
    tmp_path: Path, head: str, name: str
) -> None:
    body = email.message_from_bytes(mail_with(letter(TEXT), "application/pdf", "x.pdf"))
    encoded = body.get_payload(1).get_payload()  # type: ignore[union-attr]
    new = masked(tmp_path, "a.eml", (HEAD.format(head) + f"{encoded}\n--b--\n").encode())
    assert attachment(new)[:2] == ("text/markdown", name)
    assert b"[NAME]" in attachment(new)[2]


def test_a_pdf_file_whose_headers_cannot_be_changed_is_left_out_and_listed(tmp_path: Path) -> None:
    mail = mail_with(letter(TEXT), "application/octet-stream", "letter.pdf")
    new = masked(
        tmp_path, "a.eml", mail.replace(b"Type: application/o", b"Type:\n application/o"), 2
    )
    assert attachment(new)[2] == b""
    assert reasons(tmp_path) == [
        "part 2: a PDF file whose headers can't be changed to those of its text"
    ]


def test_an_archive_in_a_mail_is_read_with_the_archives_in_it(tmp_path: Path) -> None:
    """All it holds is read and masked, also names of files; a picture in it is left out."""
    files = {
        f"of {NAME}.txt": TEXT.encode(),
        "report.pdf": letter(f"Patient: {NAME}"),
        "scan.png": b"\x89PNG",
        "table.zip": archive({"report.csv": f"patient,visit\n{NAME},1\n".encode()}),
        "invoice.gz": gzip.compress(TEXT.encode()),
    }
    mail = mail_with(archive(files), "application/zip", "all.zip")
    media, name, held = attachment(masked(tmp_path, "a.eml", mail, 2))
    assert (media, name) == ("application/zip", "all.zip")
    with zipfile.ZipFile(io.BytesIO(held)) as package:
        new = {name: package.read(name) for name in package.namelist()}
    assert list(new) == ["of [NAME].txt", "report.pdf.md", "table.zip", "invoice.gz"]
    with zipfile.ZipFile(io.BytesIO(new.pop("table.zip"))) as package:
        new["report.csv"] = package.read("report.csv")
    new["invoice.gz"] = gzip.decompress(new["invoice.gz"])
    for one in new.values():
        assert b"[NAME]" in one and b"Brandvold" not in one
    assert reasons(tmp_path) == [
        "part 2: a file in it: of a kind that is not read, such as a picture: it is left out"
    ]


def test_what_is_left_out_of_a_released_mail_counts_as_a_part_and_no_document(
    tmp_path: Path,
) -> None:
    masked(tmp_path, "a.eml", mail_with(b"\x89PNG", "image/png", "scan.png"), 2)
    counts = json.loads((tmp_path / "out" / "summary.json").read_text())["counts"]
    assert [counts[key] for key in ("released", "set_aside", "parts_left_out")] == [1, 0, 1]
    page = (tmp_path / "out" / "report.html").read_text()
    assert "1 part of released documents left out" in page
    assert "document set aside" not in page


TWO = archive({f"{NAME}.txt": TEXT.encode(), f"{NAME.upper()}.txt": TEXT.encode()})


@pytest.mark.parametrize("data", [TWO, archive({"first.zip": TWO})], ids=["file", "in another"])
def test_files_of_an_archive_whose_masked_names_are_one_are_numbered(
    tmp_path: Path, data: bytes
) -> None:
    """Unpacked, the second file would else replace the first."""
    new = masked(tmp_path, "a.zip", data)
    if names_in(new) == ["first.zip"]:
        with zipfile.ZipFile(io.BytesIO(new)) as package:
            new = package.read("first.zip")
    assert names_in(new) == ["[NAME].txt", "[NAME]~2.txt"]


def test_files_of_an_archive_are_named_as_before_once_they_are_restored(tmp_path: Path) -> None:
    names = [f"{NAME}.txt", f"{NAME.upper()}.txt", f"{NAME}/visit of {NAME}.txt"]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.zip").write_bytes(archive(dict.fromkeys(names, TEXT.encode())))
    commands = [
        ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--style", "pseudonym"],
        ["unmask", str(tmp_path / "out"), "-o", str(tmp_path / "back")],
    ]
    for command in commands:
        assert CliRunner().invoke(main, [*command, "--quiet"]).exit_code == 0
    assert names_in((tmp_path / "back/documents/a.zip").read_bytes()) == names


@pytest.mark.parametrize("name", [f"Dr. {NAME}.txt", f"{NAME.replace(' ', '.')}.txt"])
def test_a_file_name_with_a_dot_is_masked_as_far_as_its_ending(tmp_path: Path, name: str) -> None:
    """Only what says how the file is read is its ending: nothing of a name is."""
    (new,) = names_in(masked(tmp_path, "a.zip", archive({name: TEXT.encode()})))
    assert new.endswith("].txt") and "Brandvold" not in new


def test_an_archive_in_an_archive_is_one_document(tmp_path: Path) -> None:
    inner = archive({"a.txt": TEXT.encode(), f"{NAME}.txt": b"A second visit.\n"})
    data = archive({"first.zip": inner, "second.txt": b"A visit.\n"})
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.zip").write_bytes(data)
    found = [one for one in read(tmp_path / "in", Settings()) if isinstance(one, Document)]
    assert [one.id for one in found] == ["a/first", "a/second"]
    assert [text for _, text in found[0].fields()][:2] == [TEXT, "a"]


def nested(layers: int) -> bytes:
    data = TEXT.encode()
    for number in range(layers):
        data = archive({f"a{'.zip' if number else '.txt'}": data})
    return data


def test_archives_in_archives_are_read_to_a_bounded_depth(tmp_path: Path) -> None:
    """Beyond it, and where one unpacks to too much, the file is set aside with the reason."""
    assert b"Brandvold" not in masked(tmp_path, "a.zip", nested(5))
    bomb = archive({"a.zip": archive({"a.txt": b"\n" * 1000}), "b.zip": b"PK\3\4" + bytes(50)})
    (tmp_path / "in" / "a.zip").write_bytes(nested(20))
    (tmp_path / "in" / "b.zip").write_bytes(bomb)
    found = [one for one in read(tmp_path / "in", Settings()) if not isinstance(one, Document)]
    assert [one.reason for one in found] == [
        "a file in it: nested too deeply: more than 12 layers of files in files",
        "not a ZIP file, or a damaged one",
    ]


def test_what_a_compressed_file_was_called_is_not_in_what_is_written(tmp_path: Path) -> None:
    """gzip keeps the old name of a file, and ZIP comments, which no reader shows."""
    held = io.BytesIO()
    with gzip.GzipFile(f"{NAME}.log", "wb", fileobj=held) as file:
        file.write(b"nothing of anybody")
    new = masked(tmp_path, "a.eml", mail_with(held.getvalue(), "application/gzip", "a.log.gz"))
    assert b"Brandvold" not in attachment(new)[2]
    assert gzip.decompress(attachment(new)[2]) == b"nothing of anybody"
