"""Reading a corpus: every file and row is a document, or is set aside with a reason."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpus_items import folder_with_one, ids, items, lines
from linkmask.config import Settings
from linkmask.corpus import digest, document_id, read
from linkmask.errors import InputError
from linkmask.records import Document

SETTINGS = Settings()


# ── kinds ───────────────────────────────────────────────────────────────────────────────────────


def test_json_folder_is_read_by_name_with_its_folders(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("c.json", "a.json", "b/d.json"):
        (tmp_path / name).write_text(json.dumps({"id": name, "content": "x"}))
    found = items(tmp_path)
    assert [d.id for d in found if isinstance(d, Document)] == ["a.json", "b/d.json", "c.json"]
    assert [d.origin.file for d in found] == ["a.json", "b/d.json", "c.json"]


def test_a_document_keeps_metadata_and_all_fields_in_order(tmp_path: Path) -> None:
    lines(
        tmp_path / "a.jsonl",
        {"n": 1.10, "id": 7, "content": "x", "metadata": {"k": [1, "y"]}, "z": None},
    )
    (document,) = items(tmp_path)
    assert isinstance(document, Document)
    assert (document.id, document.metadata) == ("7", {"k": [1, "y"]})
    assert list(document.record) == ["n", "id", "content", "metadata", "z"]
    assert bytes(document.record["n"]) == b"1.1"


def test_field_names_are_settings(tmp_path: Path) -> None:
    settings = Settings(text_field="body", id_field="key", metadata_field="meta")
    for path in (tmp_path / "a.jsonl", tmp_path / "b.json"):
        lines(path, {"key": path.stem, "body": "text", "meta": {"a": "b"}})
    pq.write_table(pa.table({"key": ["p"], "body": ["text"]}), tmp_path / "c.parquet")
    (tmp_path / "d.csv").write_text('key;body;meta\nq;text;"{""a"": ""b""}"\n')
    found = items(tmp_path, settings)
    assert [(d.id, d.content) for d in found if isinstance(d, Document)] == [
        ("a", "text"),
        ("b", "text"),
        ("p", "text"),
        ("q", "text"),
    ]


def test_a_record_without_the_usual_text_is_read_whole(tmp_path: Path) -> None:
    """Its long values are running text; a field that was named must be there."""
    note = "She called about her knee on Monday morning."
    record = {"name": "Odalys Brandvold", "note": note, "visits": [{"of": "3 May"}], "n": 3}
    source = lines(tmp_path / "a.jsonl", record)
    (one,) = items(source)
    assert one.texts == ("record/note",) and one.text == note
    assert [text for _, text in one.fields()] == [
        "", "Odalys Brandvold", note, "3 May", "3",
    ]  # fmt: skip
    (aside,) = items(source, Settings(text_field="body"))
    assert "no field 'body'" in aside.reason


def test_one_field_cannot_be_text_and_id(tmp_path: Path) -> None:
    lines(tmp_path / "a.jsonl", {"content": "x"})
    with pytest.raises(InputError, match="different fields"):
        read(tmp_path, Settings(id_field="content"))


def test_text_files_are_whole_contents_named_by_their_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\r\ntwo\r\n")
    (tmp_path / "b.md").write_bytes(b"\xef\xbb\xbf# \xc3\xa9")
    found = items(tmp_path)
    assert [(d.id, d.content) for d in found if isinstance(d, Document)] == [
        ("a", "one\r\ntwo\r\n"),
        ("b", "# é"),
    ]


def test_records_without_an_id_go_by_file_and_row(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"content": "x"}\n\n{"content": "y", "id": ""}\n')
    (tmp_path / "b.csv").write_text("content\nx\ny\n")
    pq.write_table(pa.table({"content": ["x"]}), tmp_path / "c.parquet")
    (tmp_path / "d.json").write_text('{"content": "x", "id": null}')
    assert ids(tmp_path) == ["a.jsonl:1", "a.jsonl:3", "b.csv:1", "b.csv:2", "c.parquet:1", "d"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_delimiter_is_the_one_that_names_the_text_column(
    tmp_path: Path, delimiter: str
) -> None:
    rows = [["id", "content"], ["1", '"a, b; c\td|e ""q""\nnext"']]
    (tmp_path / "a.csv").write_text("\n".join(delimiter.join(row) for row in rows) + "\n")
    (document,) = items(tmp_path)
    assert isinstance(document, Document)
    assert document.content == 'a, b; c\td|e "q"\nnext'


@pytest.mark.parametrize("line", ["sep=;", '"SEP=;"'])
def test_a_line_that_tells_excel_the_delimiter_is_no_row(tmp_path: Path, line: str) -> None:
    """Its delimiter counts, whatever the header looks like."""
    (tmp_path / "a.csv").write_text(f"{line}\r\ncontent;a,b,c\r\nhello, you;x\r\n")
    (document,) = items(tmp_path)
    assert isinstance(document, Document)
    assert (document.id, document.content) == ("a.csv:1", "hello, you")
    assert list(document.record) == ["content", "a,b,c"]


def test_parquet_metadata_may_be_json_a_struct_or_a_map(tmp_path: Path) -> None:
    import datetime

    day = datetime.date(2024, 3, 1)
    mapped = pa.array([[("a", "b")]], pa.map_(pa.string(), pa.string()))
    for name, column in (
        ("a", pa.array(['{"a": "b"}'])),
        ("b", pa.array([{"a": "b", "day": day}])),
        ("c", mapped),
        ("d", pa.array([None], pa.string())),
    ):
        pq.write_table(
            pa.table({"content": ["x"], "metadata": column}), tmp_path / f"{name}.parquet"
        )
    found = [item.metadata for item in items(tmp_path) if isinstance(item, Document)]
    assert found == [{"a": "b"}, {"a": "b", "day": "2024-03-01"}, {"a": "b"}, {}]


# ── ids ─────────────────────────────────────────────────────────────────────────────────────────


def test_document_id_is_given_id_and_md5_of_the_lower_cased_text() -> None:
    assert document_id("a", "Hello") == "a5d41402abc4b2a76b9719d911017c592"
    assert document_id("a", "HELLO", separator="-") == "a-5d41402abc4b2a76b9719d911017c592"


def test_repeated_ids_get_the_hash_wherever_they_stand(tmp_path: Path) -> None:
    lines(tmp_path / "a.jsonl", {"id": "x", "content": "One"}, {"id": "y", "content": "two"})
    lines(tmp_path / "b.json", {"id": "x", "content": "three"})
    assert ids(tmp_path) == [document_id("x", "one"), "y", document_id("x", "three")]


def test_repeated_ids_are_seen_in_indented_json_and_across_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"id": 5, "content": "a"}, indent=2))
    (tmp_path / "b.csv").write_text("id,content\n5,b\n")
    pq.write_table(pa.table({"id": [5], "content": ["c"]}), tmp_path / "c.parquet")
    (tmp_path / "5.txt").write_text("d")
    assert ids(tmp_path) == [document_id("5", text) for text in "dabc"]


def test_exact_duplicates_stay_documents_with_an_ordinal(tmp_path: Path) -> None:
    row = {"id": "x", "content": "same"}
    lines(tmp_path / "a.jsonl", row, row, row)
    found = ids(tmp_path)
    assert found == [document_id(name, "same") for name in ("x", "x#2", "x#3")]
    assert len({name[-32:] for name in found}) == 1


def test_only_keeps_the_documents_asked_for(tmp_path: Path) -> None:
    lines(tmp_path / "a.jsonl", {"id": "x", "content": "1"}, "broken", {"id": "y", "content": "2"})
    assert [d.content for d in read(tmp_path, SETTINGS, only={"y"}) if isinstance(d, Document)] == [
        "2"
    ]
    assert len(list(read(tmp_path, SETTINGS, only={"y"}))) == 1


# ── digest ──────────────────────────────────────────────────────────────────────────────────────


def test_the_digest_changes_with_names_and_bytes_only(tmp_path: Path) -> None:
    source = folder_with_one(tmp_path)
    before = digest(source)
    os.utime(source / "ok.txt", (1, 1))
    assert digest(source) == before
    (source / "ok.txt").write_text("fine!")
    changed = digest(source)
    assert changed != before
    (source / "ok.txt").rename(source / "ok2.txt")
    assert digest(source) not in (before, changed)
