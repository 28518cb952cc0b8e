"""A written corpus has the names, shape and order of what was read, to the byte."""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkmask.config import Settings
from linkmask.corpus import write
from linkmask.records import Masked, SetAside
from rewritten import SECRET, SETTINGS, changed, parquet, unmasked

pytestmark = pytest.mark.usefixtures("no_flush")


RECORD = {
    "id": "a",
    "n": 1,
    "content": f"Dr. {SECRET} é",
    "metadata": {"by": SECRET, "year": 2024, "tags": ["x", {"y": None}], "empty": {}},
    "z": {"k": [1, 2.5]},
}


@pytest.mark.parametrize(
    "style",
    [
        {"indent": 2},
        {"indent": 4, "ensure_ascii": False},
        {"indent": "\t"},
        {"separators": (",", ":")},
        {},
        {"ensure_ascii": False},
        {"indent": 0},
    ],
    ids=str,
)
def test_json_keeps_its_style_to_the_byte(tmp_path: Path, style: dict[str, Any]) -> None:
    (tmp_path / "in").mkdir()
    for tail in ("", "\n"):
        (tmp_path / "in" / "a.json").write_text(json.dumps(RECORD, **style) + tail, "utf-8")
        written = write(tmp_path / "in", tmp_path / "out", unmasked(tmp_path / "in"), SETTINGS,
                        overwrite=True)  # fmt: skip
        assert written.documents == 1
        out = (tmp_path / "out" / "documents" / "a.json").read_bytes()
        assert out == (tmp_path / "in" / "a.json").read_bytes()


@pytest.mark.parametrize("style", [{"indent": 2}, {"separators": (",", ":")}, {}], ids=str)
def test_masked_json_is_what_the_library_would_have_written(
    tmp_path: Path, style: dict[str, Any]
) -> None:
    text = json.dumps(RECORD, **style)
    (tmp_path / "a.json").write_text(text)
    write(tmp_path / "a.json", tmp_path / "out", changed(tmp_path / "a.json"), SETTINGS)
    out = (tmp_path / "out" / "documents" / "a.json").read_text()
    assert out == text.replace(SECRET, "[NAME]")


def test_numbers_escapes_and_order_of_untouched_fields_stay_to_the_byte(tmp_path: Path) -> None:
    line = (
        b'{"z":1.10,"big":123456789012345678901234567890,"e":1E5,"s":"\\u00e9\\/","content":"a",'
        b'"metadata":{"f":1.50,"t":"\\u00e9"},"nested":{"a" : [1,  2]}}\n'
    )
    (tmp_path / "a.jsonl").write_bytes(line)
    written = write(tmp_path / "a.jsonl", tmp_path / "o", changed(tmp_path / "a.jsonl"), SETTINGS)
    assert (tmp_path / "o" / "documents" / "a.jsonl").read_bytes() == line
    assert written.documents == 1


def test_jsonl_keeps_order_line_ends_and_mark(tmp_path: Path) -> None:
    data = b'\xef\xbb\xbf{"content": "b"}\r\n{"content": "a"}\r\n'
    (tmp_path / "a.ndjson").write_bytes(data)
    write(tmp_path / "a.ndjson", tmp_path / "o", unmasked(tmp_path / "a.ndjson"), SETTINGS)
    assert (tmp_path / "o" / "documents" / "a.ndjson").read_bytes() == data


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le"])
@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "txt"])
def test_files_keep_their_encoding(tmp_path: Path, codec: str, ending: str) -> None:
    text = {
        "json": '{"content": "é\U0001f600"}',
        "jsonl": '{"content": "é\U0001f600"}\n',
        "csv": "content,x\né\U0001f600,y\n",
        "txt": "é\U0001f600\r\n",
    }[ending]
    mark = b"" if codec == "utf-8-sig" else "\ufeff".encode(codec)
    source = tmp_path / f"a.{ending}"
    source.write_bytes(mark + text.encode(codec))
    write(source, tmp_path / "o", unmasked(source), SETTINGS)
    assert (tmp_path / "o" / "documents" / source.name).read_bytes() == source.read_bytes()


@pytest.mark.parametrize(
    "data",
    [
        b'id;content;metadata;n\r\n1;"a;b";"{""k"": ""v""}";01\r\n2;;;\r\n',
        b'"id","content"\n"1","x"\n"2",""\n',
        b"content\ta\nx y\t1\n",
        b'content\n""\n"a\rb"\n',
        b'sep=;\r\nid;content\r\n1;"a; b, c"\r\n',
        b'"sep=^"\nid^content\n1^x, y\n',
    ],
)
def test_csv_keeps_its_layout_to_the_byte(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(data)
    write(tmp_path / "a.csv", tmp_path / "o", unmasked(tmp_path / "a.csv"), SETTINGS)
    assert (tmp_path / "o" / "documents" / "a.csv").read_bytes() == data


def test_csv_metadata_is_masked_inside_its_cell(tmp_path: Path) -> None:
    rows = [["id", "metadata", "content"], ["1", json.dumps(RECORD["metadata"]), "x"]]
    with (tmp_path / "a.csv").open("w", newline="") as handle:
        csv.writer(handle).writerows(rows)
    write(tmp_path / "a.csv", tmp_path / "o", changed(tmp_path / "a.csv"), SETTINGS)
    with (tmp_path / "o" / "documents" / "a.csv").open(newline="") as handle:
        (_, row) = csv.reader(handle)
    assert row == ["1", json.dumps(RECORD["metadata"]).replace(SECRET, "[NAME]"), "x"]


def test_notes_in_the_schema_of_a_parquet_file_are_not_written(tmp_path: Path) -> None:
    """Nothing reads them: of the file, of a column, and of a field within a column."""
    note = {"author": SECRET}
    inner = pa.field("n", pa.string(), metadata=note)
    kinds = [
        pa.struct([inner]),
        pa.list_(pa.field("item", pa.struct([inner]), metadata=note)),
        pa.large_list(inner),
        pa.list_(inner, 1),
        pa.map_(pa.string(), pa.field("value", pa.string(), metadata=note)),
        pa.dictionary(pa.int32(), pa.string()),
    ]
    values: list[Any] = [{"n": "a"}, [{"n": "a"}], ["a"], ["a"], [("k", "a")], "a"]
    fields = [pa.field(f"f{n}", kind, metadata=note) for n, kind in enumerate(kinds)]
    schema = pa.schema([pa.field("content", pa.string(), metadata=note), *fields], metadata=note)
    row = {"content": "x"} | {f"f{n}": value for n, value in enumerate(values)}
    pq.write_table(pa.Table.from_pylist([row], schema), tmp_path / "a.parquet")
    write(tmp_path / "a.parquet", tmp_path / "o", unmasked(tmp_path / "a.parquet"), SETTINGS)
    out = tmp_path / "o" / "documents" / "a.parquet"
    assert pq.read_table(out).to_pylist() == pq.read_table(tmp_path / "a.parquet").to_pylist()
    assert pq.read_schema(out).equals(schema)
    held = out.read_bytes()
    stored = pq.ParquetFile(out).metadata.metadata.get(b"ARROW:schema", b"")
    assert SECRET.encode() not in held + base64.b64decode(stored)


def test_parquet_keeps_schema_groups_and_compression(tmp_path: Path) -> None:
    table = parquet(tmp_path / "a.parquet")
    write(tmp_path / "a.parquet", tmp_path / "o", unmasked(tmp_path / "a.parquet"), SETTINGS)
    out = pq.ParquetFile(tmp_path / "o" / "documents" / "a.parquet")
    before = pq.read_schema(tmp_path / "a.parquet")
    assert out.schema_arrow.equals(before)
    assert out.read().to_pylist() == table.to_pylist()
    groups = [out.metadata.row_group(n) for n in range(out.num_row_groups)]
    assert [group.num_rows for group in groups] == [3, 3, 1]
    assert {group.column(0).compression for group in groups} == {"ZSTD"}


def test_parquet_columns_of_views_are_written_without_the_rows_left_out(tmp_path: Path) -> None:
    """PyArrow takes single rows of no table that holds views."""
    names = [f"the long name of {SECRET} {n}" for n in range(5)]
    columns = {"content": names, "else": [name.encode() for name in names]}
    kinds = [pa.string_view(), pa.binary_view()]
    table = pa.table([pa.array(c, k) for c, k in zip(columns.values(), kinds, strict=True)],
                     names=list(columns))  # fmt: skip
    pq.write_table(table, tmp_path / "a.parquet")
    settings = Settings(exclude_fields=("else",))
    rows = list(unmasked(tmp_path / "a.parquet", settings))
    write(tmp_path / "a.parquet", tmp_path / "o", [rows[0], rows[1], rows[4]], settings)
    path = tmp_path / "o" / "documents" / "a.parquet"
    assert pq.read_table(path).to_pydict() == {
        name: [cells[0], cells[1], cells[4]] for name, cells in columns.items()
    }
    assert f"{SECRET} 2".encode() not in path.read_bytes()


def test_parquet_masks_typed_metadata_and_forgets_rows_left_out(tmp_path: Path) -> None:
    parquet(tmp_path / "a.parquet")

    def masked() -> Iterator[Masked | SetAside]:
        for item in changed(tmp_path / "a.parquet"):
            assert isinstance(item, Masked)
            if item.id in ("1", "6"):
                yield SetAside(item.id, "verify", "leftover", item.origin)
            else:
                yield Masked(item.original, item.written.with_fields({"metadata/age": "[AGE]"}), ())

    written = write(tmp_path / "a.parquet", tmp_path / "o", masked(), SETTINGS)
    path = tmp_path / "o" / "documents" / "a.parquet"
    assert (written.documents, len(written.set_aside)) == (5, 2)
    table = pq.read_table(path)
    assert table["id"].to_pylist() == [0, 2, 3, 4, 5]
    assert table["metadata"].to_pylist()[0] == {
        "by": "[NAME] 0",
        "age": None,
        "tags": ["[NAME] 0", None],
    }
    assert b"Quist" not in path.read_bytes()
    for number in range(pq.ParquetFile(path).num_row_groups):
        labels = pq.ParquetFile(path).read_row_group(number)["label"].combine_chunks()
        assert not {"label 1", "label 6"} & set(labels.dictionary.to_pylist())
