"""Tables compressed with gzip are read row by row, and logs that were rotated are logs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.records import Document, SetAside

ROWS = [{"id": f"r{n}", "content": f"Patient: Ottoline Brandvold, visit {n}"} for n in range(3)]
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
    assert written.count(b"visit") == data.count(b"visit") and b"Brandvold" not in written
    assert written.count(b"\n") == data.count(b"\n")


def test_a_damaged_one_ends_where_it_can_be_read(tmp_path: Path) -> None:
    broken = gzip.compress(JSONL * 200)[:-40]
    *_, last = items(tmp_path, "a.jsonl.gz", broken)
    assert isinstance(last, SetAside)


def test_one_that_grows_too_large_is_set_aside(tmp_path: Path) -> None:
    bomb = gzip.compress(b"\n" * 50_000_000)
    [found] = items(tmp_path, "a.jsonl.gz", bomb)
    assert isinstance(found, SetAside) and found.step == "read"


@pytest.mark.parametrize("name", ["syslog.2.gz", "app.log.1", "app.log.20260101.gz", "NEWS.gz"])
def test_a_log_that_was_rotated_is_text(name: str, tmp_path: Path) -> None:
    text = b"Jan 1 login by ottoline\n"
    [found] = items(tmp_path, name, gzip.compress(text) if name.endswith(".gz") else text)
    assert isinstance(found, Document) and found.content == text.decode()


def test_what_is_no_text_is_not_taken_for_one(tmp_path: Path) -> None:
    [found] = items(tmp_path, "backup.tar.gz", gzip.compress(b"\0ustar\x01" * 100))
    assert isinstance(found, SetAside)
