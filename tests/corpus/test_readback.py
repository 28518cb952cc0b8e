"""What was written is read again before it is released: a writer's fault releases nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from linkmask import config
from linkmask.commands import mask_files
from linkmask.corpus import jsonstyle, tables
from linkmask.records import Masked

MAIL = "o.brandvold@example.org"


def test_a_cell_of_metadata_that_is_no_json_is_masked(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    broken = '"{"""", ""contact"": ""o.brandvold@example.org""}"'
    source.write_text(f"id,content,metadata\n1,One.,{broken}\n2,Two.,contact: {MAIL}\n")
    mask_files(source, tmp_path / "out", config.load(environment={}))
    written = (tmp_path / "out" / "documents" / "in.csv").read_text()
    assert MAIL not in written and written.count("[EMAIL]") == 2


def as_it_was(masked: Masked, *_: Any) -> bytes:
    """Write a record as it was read: the fault of a writer that forgets to mask."""
    return (
        b"{"
        + b",".join(b'"%s":%s' % (k.encode(), v) for k, v in masked.original.record.items())
        + b"}\n"
    )


def one_too_few(file: Any, out: BinaryIO, group: Iterator[Masked], settings: Any) -> None:
    """Write all rows but the last."""
    tables_write(file, out, iter(list(group)[:-1]), settings)


tables_write = tables.write


def test_a_file_whose_writer_forgets_to_mask_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.jsonl").write_text(f'{{"id": "1", "content": "Write to {MAIL}."}}\n')
    (source / "b.txt").write_text("Nothing here.")
    monkeypatch.setattr(jsonstyle, "render", as_it_was)
    audit = mask_files(source, tmp_path / "out", config.load(environment={}))
    assert [path.name for path in (tmp_path / "out" / "documents").iterdir()] == ["b.txt"]
    assert [item["document"] for item in audit.set_aside] == ["1"]


def test_a_file_whose_writer_loses_a_row_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.csv").write_text("id,content\n1,One.\n2,Two.\n")
    (source / "b.txt").write_text("Nothing here.")
    monkeypatch.setattr(tables, "write", one_too_few)
    mask_files(source, tmp_path / "out", config.load(environment={}))
    assert [path.name for path in (tmp_path / "out" / "documents").iterdir()] == ["b.txt"]
