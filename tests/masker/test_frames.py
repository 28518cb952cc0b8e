"""Data frames and record batches come out of an opened run as the kind that went in."""

from __future__ import annotations

import json
from typing import Any

import pandas
import polars
import pyarrow as pa
import pytest
from tests.masker.conftest import DOCUMENTS, Made

import linkmask
from linkmask.errors import UnknownDocument

SCHEMA = pa.schema(
    [
        pa.field("content", pa.large_string(), metadata={"kind": "text"}),
        pa.field("id", pa.string()),
        pa.field("metadata", pa.struct([("member", pa.string())])),
    ],
    metadata={"owner": "claims"},
)


def rows() -> list[dict[str, Any]]:
    none = {"member": None}
    return [{**one, "metadata": one.get("metadata", none)} for one in DOCUMENTS]


def batch() -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(rows(), SCHEMA)


@pytest.fixture(scope="module")
def run(masked_in: Made, tmp_path_factory: pytest.TempPathFactory) -> linkmask.Masker:
    """The run of the same rows, read from JSON lines with the very fields of the batch."""
    folder = tmp_path_factory.mktemp("frames")
    (folder / "in.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows()))
    settings = linkmask.load(overrides={"style": "pseudonym", "workers": 1}, environment={})
    linkmask.commands.mask_files(folder / "in.jsonl", folder / "out", settings)
    return linkmask.open(folder / "out")


def contents(run: linkmask.Masker) -> list[str]:
    return [one.content for one in run.mask_documents(rows())]


def test_a_record_batch_keeps_schema_order_and_metadata(run: linkmask.Masker) -> None:
    made = run.mask_batch(batch())
    assert isinstance(made, pa.RecordBatch)
    assert made.schema.equals(SCHEMA, check_metadata=True)
    assert made.column("id").equals(batch().column("id"))
    assert made.column("content").to_pylist() == contents(run)
    assert made.column("metadata")[0].as_py()["member"].startswith("[")
    assert made.column("metadata")[1].as_py() == {"member": None}


def test_a_row_is_the_record_that_lacks_what_is_null_in_it(masked_in: Made) -> None:
    """Rows of records with other keys have nulls, and the run was made of the records."""
    with linkmask.open(masked_in("pseudonym")) as run:
        made = run.mask_batch(batch().select(["metadata", "id", "content"]))
        assert made.column("content").to_pylist() == contents(run)


def test_a_table_comes_out_as_a_table(run: linkmask.Masker) -> None:
    table = pa.Table.from_batches([batch().slice(0, 3), batch().slice(3)])
    made = run.mask_frame(table)
    assert isinstance(made, pa.Table)
    assert made.column("content").to_pylist() == contents(run)
    assert [one.content for one in run.mask_documents(table)] == contents(run)  # type: ignore[union-attr]


def test_unknown_rows_are_refused_masked_or_left_out(run: linkmask.Masker) -> None:
    other = pa.RecordBatch.from_pylist([*rows()[:2], {**rows()[2], "id": "new"}], SCHEMA)
    with pytest.raises(UnknownDocument, match="new"):
        run.mask_batch(other)
    assert run.mask_batch(other, on_unknown="set_aside").column("id").to_pylist() == [
        "claim",
        "memo",
    ]
    whole = run.mask_batch(other, on_unknown="mask_all")
    assert "Akinwande" not in str(whole.to_pylist())
    none = run.mask_batch(other.slice(2), on_unknown="set_aside")
    assert (none.num_rows, none.schema) == (0, SCHEMA)


def test_a_list_of_rows_is_refused_with_what_takes_it(run: linkmask.Masker) -> None:
    with pytest.raises(TypeError, match="mask_documents"):
        run.mask_batch(rows())


def test_a_row_without_a_text_is_another_than_was_released(run: linkmask.Masker) -> None:
    """Its columns are read whole; the run does not know it, so it is refused."""
    with pytest.raises(UnknownDocument):
        run.mask_frame(pa.table({"id": ["claim"]}))
    made = run.mask_frame(pa.table({"name": ["Ms. Brandvold"]}), on_unknown="mask_all")
    assert "Brandvold" not in str(made.to_pylist())


def test_a_pandas_frame_keeps_index_columns_and_types(run: linkmask.Masker) -> None:
    """linkmask does not need pandas; the tests install it."""
    frame = pandas.DataFrame(
        {"paid": [1.5, 2.0], "content": ["Ms. Brandvold was paid.", "Nobody was paid."]},
        index=[7, 3],
    )
    made = run.mask_frame(frame, on_unknown="mask_all")
    assert type(made) is type(frame)
    assert list(made.index) == [7, 3]
    assert list(made.columns) == ["paid", "content"]
    assert (made.dtypes == frame.dtypes).all()
    assert made["content"][7].startswith("[NAME_")
    assert made["content"][3] == "Nobody was paid."
    assert frame["content"][7] == "Ms. Brandvold was paid."


def test_a_polars_frame_keeps_columns_and_types(run: linkmask.Masker) -> None:
    """linkmask does not need Polars; the tests install it."""
    frame = polars.DataFrame({"paid": [1, 2], "content": ["Ms. Brandvold was paid.", "No."]})
    made = run.mask_frame(frame, on_unknown="mask_all")
    assert isinstance(made, polars.DataFrame)
    assert made.schema == frame.schema
    assert made["content"][0].startswith("[NAME_")
    assert made["content"][1] == "No."


class Rows:
    """A stand-in for a data set of Hugging Face: the methods that are used, over an Arrow table."""

    format: dict[str, Any] = {"type": None}  # noqa: RUF012

    def __init__(self, table: pa.Table, info: object = None) -> None:
        self.table, self.info = table, info

    column_names = property(lambda self: self.table.column_names)
    features = property(lambda self: self.table.schema)

    def with_format(self, type: str | None = None) -> Any:  # noqa: A002
        return self.table if type == "arrow" else self

    def __getitem__(self, key: object) -> pa.Table:
        return self.table


def test_a_data_set_comes_out_as_a_data_set(run: linkmask.Masker) -> None:
    made = run.mask_frame(Rows(pa.Table.from_batches([batch()]), info="insurance claims"))
    assert isinstance(made, Rows)
    assert made.info == "insurance claims"
    assert made.table.column("content").to_pylist() == contents(run)


def test_what_is_explained_is_what_the_command_shows(run: linkmask.Masker) -> None:
    """An entity by its value, id and label gives one answer, without its value and id."""
    (span,) = run.mask_text("brandvold").spans
    answer = run.explain(span.entity)
    assert run.explain(answer["entity"]) == answer and span.entity not in str(answer)
    assert run.explain(span.entity, show_values=True)["entity"] == span.entity
    assert run.explain("Ottoline Brandvold") == answer
    assert "randvold" not in str(answer)
    assert run.explain(document="memo")["document"] == "memo"
