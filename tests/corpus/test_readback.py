"""What was written is read again before it is released: a writer's fault releases nothing."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import pytest

from linkmask import config
from linkmask.commands import mask_files
from linkmask.corpus import csv_tables, json_write, record_digest
from linkmask.records import Document, Masked

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


tables_write = csv_tables.write


def test_a_file_whose_writer_forgets_to_mask_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.jsonl").write_text(f'{{"id": "1", "content": "Write to {MAIL}."}}\n')
    (source / "b.txt").write_text("Nothing here.")
    monkeypatch.setattr(json_write, "render", as_it_was)
    audit = mask_files(source, tmp_path / "out", config.load(environment={}))
    assert [path.name for path in (tmp_path / "out" / "documents").iterdir()] == ["b.txt"]
    assert [item["document"] for item in audit.set_aside] == ["1"]


def _faulty(change: Callable[[dict[str, Any]], list[dict[str, Any]]]) -> Callable[..., bytes]:
    """Make a writer of records that changes each as it is told."""

    def render(masked: Masked, *_: Any) -> bytes:
        record = {"id": masked.id, **masked.written.others, "content": masked.content}
        return b"".join(json.dumps(one).encode() + b"\n" for one in change(record))

    return render


@pytest.mark.parametrize(
    ("change", "released"),
    [
        (lambda record: [record], ["a.jsonl", "b.txt"]),
        (lambda record: [{**record, "id": "another"}], ["a.jsonl", "b.txt"]),
        (lambda record: [], ["b.txt"]),
        (lambda record: [record, record], ["b.txt"]),
        (lambda record: [{**record, "age": str(record["age"])}], ["b.txt"]),
        (lambda record: [{**record, "to": {"mail": [MAIL]}}], ["b.txt"]),
        (lambda record: [{**record, "more": MAIL}], ["b.txt"]),
        (lambda record: [{k: v for k, v in record.items() if k != "to"}], ["b.txt"]),
    ],
    ids=["right", "id", "lost", "twice", "number as text", "nested", "one more", "one less"],
)
def test_a_json_file_is_released_only_if_each_record_holds_what_was_masked(
    change: Any, released: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    record = {"id": "1", "age": 212, "to": {"mail": ["none"]}, "content": f"Write to {MAIL}."}
    (source / "a.jsonl").write_text(json.dumps(record) + "\n")
    (source / "b.txt").write_text("Nothing here.")
    monkeypatch.setattr(json_write, "render", _faulty(change))
    mask_files(source, tmp_path / "out", config.load(environment={}))
    assert sorted(path.name for path in (tmp_path / "out" / "documents").iterdir()) == released


def test_a_digest_does_not_depend_on_the_order_of_keys_nor_on_keys_without_a_value() -> None:
    """A table of records that have other keys has all of them in each row, as nulls."""
    record = Document("d", "A.", {"b": [{"x": 1}, None], "a": {"c": 2}})
    row = Document(
        "d", "A.", {"a": {"c": 2, "d": None}, "b": [{"x": 1, "y": None}, None], "e": None}
    )
    assert record_digest(record) == record_digest(row)
    other = Document("d", "A.", {"a": {"c": 2}, "b": [None, {"x": 1}]})
    assert record_digest(record) != record_digest(other)


def test_a_digest_depends_on_values_and_not_on_their_containers() -> None:
    plain = Document("d", "A \ud800.", {"a": [1, {"b": None}]}, others={"n": 2**70})
    other = Document(
        "e", "A \ud800.", MappingProxyType({"a": (1, {"b": None})}), others={"n": 2**70}
    )
    assert record_digest(plain) == record_digest(other)
    digests = {
        record_digest(Document("d", "A.", {"a": a})) for a in (1, "1", 1.0, True, [1], {"1": 1})
    }
    assert len(digests) == 6


def test_a_file_whose_writer_loses_a_row_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.csv").write_text("id,content\n1,One.\n2,Two.\n")
    (source / "b.txt").write_text("Nothing here.")
    monkeypatch.setattr(csv_tables, "write", one_too_few)
    mask_files(source, tmp_path / "out", config.load(environment={}))
    assert [path.name for path in (tmp_path / "out" / "documents").iterdir()] == ["b.txt"]
