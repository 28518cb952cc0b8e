"""Reads and writes Parquet files: one document a row, a row group at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from linkmask.config import Settings
from linkmask.corpus import fields
from linkmask.corpus.arrow import (
    cells_of,
    check_columns,
    masked_table,
    readable_columns,
    record_of,
    without_metadata,
)
from linkmask.corpus.column_names import check_text
from linkmask.corpus.fields import Record, place_of
from linkmask.corpus.files import WHOLE, File, Flaw
from linkmask.records import Document, Masked, SetAside

ROWS = 256
"""Rows that are decoded at once; at 3 MB each they take less than a gigabyte."""


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the documents of a Parquet file, and what can't be one with its reason."""
    rows = records(file, settings)
    try:
        with file.open() as handle:
            check_text(_open(handle).schema_arrow.names, settings)
    except Flaw as flaw:
        rows = iter([(WHOLE, flaw)])
    return fields.documents(rows, file, settings)


def records(file: File, settings: Settings) -> Iterator[tuple[int, Record | Flaw]]:
    """Yield (row from 0, record) of a Parquet file, or why there is none.

    A column that can't be read must be excluded; then it holds null.
    """
    for row, cells, columns in _rows(file, settings):
        try:
            if isinstance(cells, Flaw):
                raise cells
            yield row, record_of(cells, columns, settings)
        except Flaw as flaw:
            yield row, flaw


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the id of each row."""
    for row, cells, _ in _rows(file, settings, [settings.id_field]):
        if not isinstance(cells, Flaw):
            given = cells.get(settings.id_field)
            yield place_of(file, row) if given is None or given == "" else str(given)


def _rows(
    file: File, settings: Settings, wanted: list[str] | None = None
) -> Iterator[tuple[int, dict[str, Any] | Flaw, Mapping[str, None]]]:
    """Yield (row from 0, its cells in the wanted columns, all columns' names).

    Without `wanted` they are those of all columns that can be read. A row group is read whole then
    before a row of it is yielded: the writer copies all columns of a group, or none of its rows.
    """
    row = 0
    columns: Mapping[str, None] = {}
    try:
        with file.open() as handle:
            source = _open(handle)
            check_columns(source.schema_arrow, settings)
            columns = dict.fromkeys(source.schema_arrow.names)
            readable = readable_columns(source.schema_arrow)
            present = [name for name in readable if wanted is None or name in wanted]
            for batch in _batches(source, None if wanted is None else present):
                held = [cells_of(batch.column(name)) for name in present]
                for number in range(len(batch)):
                    cells = {name: cell[number] for name, cell in zip(present, held, strict=True)}
                    flaws = [cell for cell in cells.values() if isinstance(cell, Flaw)]
                    yield row, flaws[0] if flaws else cells, columns
                    row += 1
    except Flaw as flaw:
        yield row or WHOLE, flaw, columns
    except Exception:  # a damaged file is told by more kinds of error than Arrow documents
        yield row or WHOLE, Flaw("a damaged Parquet file: the rest of it is not read"), columns


def _batches(source: Any, names: list[str] | None) -> Iterator[Any]:
    """Yield some columns of a file `ROWS` at a time, or all of a row group that can be read."""
    if names is not None:
        yield from source.iter_batches(ROWS, columns=names)
        return
    for number in range(source.num_row_groups):
        yield from _row_group(source, number).to_batches(ROWS)


def _row_group(source: Any, number: int) -> Any:
    """Return all columns of a row group.

    Raises:
        Flaw: it has not as many rows as the file says.
    """
    table = source.read_row_group(number)
    if len(table) != source.metadata.row_group(number).num_rows:
        raise Flaw("a damaged Parquet file: the rest of it is not read")
    return table


def _open(handle: Any) -> Any:
    import pyarrow.parquet as pq

    try:
        source = pq.ParquetFile(handle)
        source.schema_arrow.names  # noqa: B018 - a damaged name fails here
    except Exception:
        raise Flaw("not a Parquet file, or a damaged or encrypted one") from None
    return source


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked rows with the schema, row groups and compression of their file.

    Key-value metadata of the schema (of pandas and others) are not masked, so they are not written.

    Raises:
        Flaw: the file is not the one that was read.
    """
    import pyarrow.parquet as pq

    with file.open() as handle:
        source = _open(handle)
        check_columns(source.schema_arrow, settings)
        codec = _compression(source)
        ahead = next(group, None)
        first = 0
        schema = without_metadata(source.schema_arrow)
        with pq.ParquetWriter(out, schema, compression=codec) as writer:
            for number in range(source.num_row_groups):
                end = first + source.metadata.row_group(number).num_rows
                released: list[Masked] = []
                while ahead is not None and ahead.origin.row < end:
                    released.append(ahead)
                    ahead = next(group, None)
                if released:
                    table = masked_table(_row_group(source, number), first, released, settings)
                    writer.write_table(table.cast(schema), row_group_size=len(table))
                first = end
        if ahead is not None:
            raise Flaw("it has fewer rows than were read")


def _compression(source: Any) -> str:
    """Return the codec of the first column; one that can't be written becomes snappy."""
    if not source.num_row_groups or not source.metadata.num_columns:
        return "snappy"
    codec = source.metadata.row_group(0).column(0).compression.lower()
    codecs = {"uncompressed": "none", "snappy": "snappy", "gzip": "gzip", "zstd": "zstd"}
    return {**codecs, "brotli": "brotli", "lz4": "lz4"}.get(codec, "snappy")
