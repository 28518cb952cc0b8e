"""Tables compressed with gzip are read row by row, and logs that were rotated are logs."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.records import Document, SetAside
from trap_documents import page_of
from trap_extractors import readable

ROWS = [{"id": f"r{n}", "content": f"Patient: Ottoline Brandvold, day {n}"} for n in range(3)]
JSONL = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
CSV = b"id,content\n" + b"".join(f'{r["id"]},"{r["content"]}"\n'.encode() for r in ROWS)


def items(folder: Path, name: str, data: bytes) -> list[Document | SetAside]:
    (folder / name).write_bytes(data)
    return list(read(folder / name, Settings()))


@pytest.mark.parametrize(("name", "data"), [("a.jsonl.gz", JSONL), ("a.csv.gz", CSV)])
def test_each_row_of_a_compressed_table_is_a_document(
    name: str, data: bytes, tmp_path: Path
) -> None:
    found = items(tmp_path, name, gzip.compress(data))
    assert [one.id for one in found if isinstance(one, Document)] == ["r0", "r1", "r2"]
    assert found == items(tmp_path, name, gzip.compress(data))


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.jsonl.gz", JSONL), ("a.csv.gz", CSV), ("a.json.gz", json.dumps(ROWS[0]).encode())],
)
def test_it_is_written_compressed_with_the_same_rows(
    name: str, data: bytes, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(gzip.compress(data))
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--no-run", "--quiet"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    written = gzip.decompress((tmp_path / "out/documents" / name).read_bytes())
    assert written.count(b"day") == data.count(b"day") and b"Brandvold" not in written
    assert written.count(b"\n") == data.count(b"\n")


def test_a_damaged_one_ends_where_it_can_be_read(tmp_path: Path) -> None:
    broken = gzip.compress(JSONL * 200)[:-40]
    *_, last = items(tmp_path, "a.jsonl.gz", broken)
    assert isinstance(last, SetAside) and "damaged" in last.reason


def test_one_that_grows_too_large_is_set_aside(tmp_path: Path) -> None:
    bomb = gzip.compress(b"\n" * 50_000_000)
    [found] = items(tmp_path, "a.jsonl.gz", bomb)
    assert isinstance(found, SetAside) and "too large when it is unpacked" in found.reason


@pytest.mark.parametrize("name", ["syslog.2.gz", "app.log.1", "app.log.20260101.gz", "NEWS.gz"])
def test_a_log_that_was_rotated_is_text(name: str, tmp_path: Path) -> None:
    text = b"Jan 1 login by ottoline\n"
    [found] = items(tmp_path, name, gzip.compress(text) if name.endswith(".gz") else text)
    assert isinstance(found, Document) and found.content == text.decode()


def test_what_is_no_text_is_not_taken_for_one(tmp_path: Path) -> None:
    [found] = items(tmp_path, "backup.tar.gz", gzip.compress(b"\0ustar\x01" * 100))
    assert isinstance(found, SetAside) and "of a kind that is not read" in found.reason


def letter(name: str) -> bytes:
    """Return a PDF file of one page."""
    return page_of((50, 700, f"Patient: {name}"), (50, 600, "A visit."))


def test_a_compressed_pdf_file_is_read_as_one_that_is_not(tmp_path: Path) -> None:
    """Its text is written compressed, and a redacted PDF is not."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.pdf.gz").write_bytes(gzip.compress(letter("Ottoline Brandvold")))
    (document,) = read(tmp_path / "in", Settings())
    assert isinstance(document, Document) and document.id == "a.pdf"
    out = tmp_path / "out"
    command = ["mask", str(tmp_path / "in"), "-o", str(out), "--no-run", "--quiet"]
    done = CliRunner().invoke(main, [*command, "--redacted-pdf"])
    assert done.exit_code == 0, done.output
    written = gzip.decompress((out / "documents/a.pdf.md.gz").read_bytes())
    assert b"Patient: [NAME]\nA visit." in written
    redacted = (out / "redacted-pdf/a.pdf").read_bytes()
    assert redacted.startswith(b"%PDF") and "Brandvold" not in readable("a.pdf", redacted)


def test_pdf_files_and_tables_in_an_archive_are_masked_in_it(tmp_path: Path) -> None:
    """A PDF file as Markdown beside its name, a table as text; a broken file is left out."""
    (tmp_path / "in").mkdir()
    files = {
        "letters/from Ottoline Brandvold.pdf": letter("Ottoline Brandvold"),
        "table.csv": CSV,
        "broken.pdf": letter("Jane Doe")[:200],
        "x.parquet": b"PAR1",
    }
    with zipfile.ZipFile(tmp_path / "in" / "a.zip", "w") as package:
        for name, data in files.items():
            package.writestr(name, data)
    items = list(read(tmp_path / "in", Settings()))
    assert [one.id for one in items if isinstance(one, Document)] == [
        "a/letters/from Ottoline Brandvold",
        "a/table",
    ]
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--no-run", "--quiet"]
    assert CliRunner().invoke(main, command).exit_code == 2
    with zipfile.ZipFile(tmp_path / "out/documents/a.zip") as package:
        written = {name: package.read(name) for name in package.namelist()}
    assert list(written) == ["letters/from [NAME].pdf.md", "table.csv"]
    assert b"Patient: [NAME]\nA visit." in written["letters/from [NAME].pdf.md"]
    assert written["table.csv"].count(b"day") == 3 and b"Brandvold" not in written["table.csv"]
    rows = (tmp_path / "out/set-aside.jsonl").read_text().splitlines()
    assert [json.loads(row)["id"] for row in rows] == ["a/broken", "a/x"]
