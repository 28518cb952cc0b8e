"""Parquet files: one document a row, row group by row group; unchanged columns stay in Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from linkmask.config import Settings
from linkmask.corpus import fields
from linkmask.corpus.fields import Record, as_json_value, changed, check_text, place_of, shape_of
from linkmask.corpus.files import File, Flaw
from linkmask.corpus.jsons import metadata_of
from linkmask.corpus.jsonstyle import metadata_text
from linkmask.records import Document, Masked, SetAside

ROWS = 256
"""Rows decoded at once: at 3 MB each still under a gigabyte."""


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the documents of a Parquet file, and what can't be one with its reason."""
    rows = records(file, settings)
    try:
        with file.open() as handle:
            check_text(_open(handle).schema_arrow.names, settings)
    except Flaw as flaw:
        rows = iter([(0, flaw)])
    return fields.documents(rows, file, settings)


def records(file: File, settings: Settings) -> Iterator[tuple[int, Record | Flaw]]:
    """Yield (row from 0, record) of a Parquet file, or why there is none.

    Structs, maps and lists are read as such, dates and decimals as text. Metadata may be JSON
    text. A column that can't be read must be excluded; then it holds null.
    """
    name = settings.metadata_field
    for row, cells, columns in _rows(file, settings):
        try:
            if isinstance(cells, Flaw):
                raise cells
            values = {column: as_json_value(unmapped(cells.get(column))) for column in columns}
            if isinstance(held := values.get(name), str):
                values[name] = metadata_of(held)
        except Flaw as flaw:
            yield row, flaw
        else:
            yield row, Record(values, columns)


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
        yield row, flaw, columns
    except Exception:  # a damaged file is told by more kinds of error than Arrow documents
        yield row, Flaw("a damaged Parquet file: the rest of it is not read"), columns


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


def check_columns(schema: Any, settings: Settings) -> None:
    """See that the columns hold what they are named for.

    Raises:
        Flaw: the text column is missing or not text, or another column can't be read.
    """
    import pyarrow.types as t

    if len(set(schema.names)) != len(schema.names):
        raise Flaw("two columns have one name: rename one")
    for name in shape_of(settings).texts:
        kind = _type(schema, name)
        if kind is not None and not _is_text(kind):
            raise Flaw(f"the column {name!r} holds {kind}, not text")
    kind = _type(schema, settings.id_field)
    if kind is not None and not (_is_text(kind) or t.is_integer(kind) or t.is_null(kind)):
        raise Flaw(f"the column {settings.id_field!r} holds {kind}, not text or whole numbers")
    for name in set(schema.names) - {*readable_columns(schema), *settings.exclude_fields}:
        kind = _type(schema, name)
        raise Flaw(
            f"the column {name!r} holds {kind}, which can't be read: leave it out, or name it "
            "with --exclude-field"
        )


def readable_columns(schema: Any) -> list[str]:
    """Return the names of the columns that can be read, and so masked."""
    return [field.name for field in schema if _is_readable(field.type)]


def _type(schema: Any, name: str) -> Any:
    """Return a column's type, of its values where it is dictionary-encoded; None if missing."""
    import pyarrow.types as t

    if name not in schema.names:
        return None
    kind = schema.field(name).type
    return kind.value_type if t.is_dictionary(kind) else kind


def _is_text(kind: Any) -> bool:
    import pyarrow.types as t

    return bool(t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind))


def _is_readable(kind: Any) -> bool:
    """Tell whether every leaf is a text, a number or a date: what can't be read can't be masked."""
    import pyarrow.types as t

    if t.is_struct(kind):
        names = {field.name for field in kind}
        return len(names) == kind.num_fields and all(_is_readable(field.type) for field in kind)
    if t.is_map(kind):
        return _is_text(kind.key_type) and _is_readable(kind.item_type)
    if _is_list(kind) or t.is_dictionary(kind):
        return _is_readable(kind.value_type)
    leaves = (t.is_integer, t.is_floating, t.is_decimal, t.is_boolean, t.is_temporal, t.is_null)
    return _is_text(kind) or any(is_leaf(kind) for is_leaf in leaves)


def _is_list(kind: Any) -> bool:
    import pyarrow.types as t

    lists = (t.is_list, t.is_large_list, t.is_fixed_size_list, t.is_list_view, t.is_large_list_view)
    return any(is_one(kind) for is_one in lists)


def cells_of(column: Any) -> list[Any]:
    """Return a column's values; those that Python can't hold as flaws."""
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        return [_cell(value) for value in column]


def _cell(value: Any) -> Any:
    """Return a cell's value; a time finer than Python's as text."""
    import pyarrow as pa

    try:
        return value.as_py()
    except UnicodeDecodeError:
        return Flaw("not UTF-8")
    except (ValueError, OverflowError):
        try:
            return value.cast(pa.string()).as_py()
        except pa.ArrowException:
            return Flaw("holds a time out of range")


def unmapped(value: Any) -> Any:
    """Return a cell with its maps, which Arrow gives as pairs, as mappings.

    Raises:
        Flaw: a map says a key twice: one of its values would slip out unread.
    """
    if isinstance(value, dict):
        return {key: unmapped(inner) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    if not value or not all(isinstance(item, tuple) for item in value):
        return [unmapped(inner) for inner in value]
    mapping = {key: unmapped(inner) for key, inner in value}
    if len(mapping) != len(value):
        raise Flaw("a key of a map occurs twice")
    return mapping


# ── writing ─────────────────────────────────────────────────────────────────────────────────────


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked rows with the schema, row groups and compression of their file.

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
        with pq.ParquetWriter(out, source.schema_arrow, compression=codec) as writer:
            for number in range(source.num_row_groups):
                end = first + source.metadata.row_group(number).num_rows
                released: list[Masked] = []
                while ahead is not None and ahead.origin.row < end:
                    released.append(ahead)
                    ahead = next(group, None)
                if released:
                    table = masked_table(_row_group(source, number), first, released, settings)
                    writer.write_table(table, row_group_size=len(table))
                first = end
        if ahead is not None:
            raise Flaw("it has fewer rows than were read")


def _compression(source: Any) -> str:
    """Return the codec of the first column; one that can't be written becomes snappy."""
    if not source.num_row_groups or not source.metadata.num_columns:
        return "snappy"
    codec = source.metadata.row_group(0).column(0).compression.lower()
    known = {"uncompressed": "none", "snappy": "snappy", "gzip": "gzip", "zstd": "zstd"}
    return {**known, "brotli": "brotli", "lz4": "lz4"}.get(codec, "snappy")


def masked_table(table: Any, first: int, released: list[Masked], settings: Settings) -> Any:
    """Return the released rows of a table, masked; its first row is row `first` of its file."""
    import pyarrow as pa

    table = select_rows(table, [item.origin.row - first for item in released])
    new = [changed(item, settings) for item in released]
    touched = {name for row in new for name in row}
    touched |= {settings.metadata_field} if _is_json(table.schema, settings) else set()
    for index, field in enumerate(table.schema):
        column = table.column(index)
        if field.name in touched:
            rows = zip(cells_of(column), released, new, strict=True)
            cells = [_written(field, cell, item, row, settings) for cell, item, row in rows]
            column = pa.array(cells, field.type)
        elif _has_dictionary(field.type):  # still holds the values of rows that were left out
            column = pa.array(column.to_pylist(), field.type)
        else:
            continue
        table = table.set_column(index, field, column)
    return table


def _is_json(schema: Any, settings: Settings) -> bool:
    """Tell whether metadata stands in a column as JSON text."""
    kind = _type(schema, settings.metadata_field)
    return kind is not None and _is_text(kind)


def _written(
    field: Any, cell: Any, item: Masked, new: Mapping[str, Any], settings: Settings
) -> Any:
    """Return what a cell of a column holds after masking."""
    document, kind = item.original, field.type
    if field.name == settings.metadata_field and document.metadata:
        read, written = document.metadata, item.written.metadata
        if isinstance(cell, str):
            return metadata_text(cell, read, written)
        return _fit(kind, cell, read, written)
    if field.name not in new:
        return _fit(kind, cell, None, None)
    return _fit(kind, cell, document.others.get(field.name, cell), new[field.name])


def select_rows(table: Any, rows: list[int]) -> Any:
    """Return these rows of a table, ascending: slices know every type, `take` does not."""
    import pyarrow as pa

    if len(rows) == len(table):
        return table
    if not rows:
        return table.slice(0, 0)
    begins = [at for at, row in enumerate(rows) if not at or rows[at - 1] + 1 < row]
    ends = [*begins[1:], len(rows)]
    runs = zip(begins, ends, strict=True)
    return pa.concat_tables([table.slice(rows[begin], end - begin) for begin, end in runs])


def _has_dictionary(kind: Any) -> bool:
    import pyarrow.types as t

    inner = [kind.field(number).type for number in range(kind.num_fields)]
    return bool(t.is_dictionary(kind)) or any(_has_dictionary(part) for part in inner)


def _fit(kind: Any, held: Any, read: Any, masked: Any) -> Any:
    """Put masked values back into a typed column; what its type can't hold becomes null there."""
    import pyarrow as pa
    import pyarrow.types as t

    if t.is_dictionary(kind):
        return _fit(kind.value_type, held, read, masked)
    if masked == read:
        masked = held
    elif t.is_struct(kind):
        return {
            field.name: _fit(field.type, held[field.name], read[field.name], masked[field.name])
            for field in kind
        }
    elif t.is_map(kind):
        return [(key, _fit(kind.item_type, v, read[key], masked[key])) for key, v in held]
    elif _is_list(kind):
        return [_fit(kind.value_type, *cells) for cells in zip(held, read, masked, strict=True)]
    if not isinstance(masked, str) or _is_text(kind):
        return masked
    try:
        return pa.scalar(masked).cast(kind)
    except pa.ArrowException:
        return None
