"""Parquet files: one document a row, row group by row group; other columns never leave Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from linkmask.config import Settings
from linkmask.corpus.files import File, Flaw, aside, no_text
from linkmask.corpus.jsons import metadata_of
from linkmask.corpus.jsonstyle import metadata_text
from linkmask.records import Document, Masked, Origin, SetAside

ROWS = 256
"""Rows decoded at once: at 3 MB each still under a gigabyte."""


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the documents of a Parquet file, and what can't be one with its reason.

    A metadata column is JSON text, or a struct or map of texts, numbers and dates.
    """
    names = (settings.text_field, settings.id_field, settings.metadata_field)
    for row, cells, columns in _rows(file, settings, names, whole=True):
        place = f"{file.name}:{row + 1}"
        if isinstance(cells, Flaw):
            yield aside(file.name, str(cells), row, place)
            continue
        content, given, held = cells
        identity = place if given is None or given == "" else str(given)
        try:
            if isinstance(held, Flaw):
                raise held
            if not isinstance(content, str):
                raise Flaw(f"the field {settings.text_field!r} is null, not text")
            if len(content) > settings.max_characters:
                raise Flaw("longer than max_characters: raise it, or split the text")
            metadata = readable(held, settings.metadata_field)
        except Flaw as flaw:
            yield aside(file.name, str(flaw), row, identity)
        else:
            yield Document(identity, content, metadata, Origin(file.name, row), columns)


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the id of each row."""
    for row, cells, _ in _rows(file, settings, (settings.id_field,)):
        if not isinstance(cells, Flaw):
            given = cells[0]
            yield f"{file.name}:{row + 1}" if given is None or given == "" else str(given)


def _rows(
    file: File, settings: Settings, names: tuple[str, ...], whole: bool = False
) -> Iterator[tuple[int, tuple[Any, ...] | Flaw, Mapping[str, None]]]:
    """Yield (row from 0, its cells by name, all columns' names); a missing column is all null.

    `whole`: a row group is read with all its columns before a row of it is yielded. What is damaged
    in any column shows by then: the writer copies all columns of a group, or none of its rows.
    """
    row = 0
    columns: Mapping[str, None] = {}
    try:
        with file.open() as handle:
            source = _open(handle)
            _check(source.schema_arrow, settings)
            columns = dict.fromkeys(source.schema_arrow.names)
            present = [name for name in names if name in columns]
            for batch in _batches(source, None if whole else present):
                held = {name: _cells(batch.column(name)) for name in present}
                empty = [None] * len(batch)
                for cells in zip(*(held.get(name, empty) for name in names), strict=True):
                    flaw = next((cell for cell in cells if isinstance(cell, Flaw)), None)
                    yield row, flaw or cells, columns
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


def _check(schema: Any, settings: Settings) -> None:
    """See that the columns hold what they are named for.

    Raises:
        Flaw: the text column is missing or not text, or another column can't be read.
    """
    import pyarrow.types as t

    if len(set(schema.names)) != len(schema.names):
        raise Flaw("two columns have one name: rename one")
    if settings.text_field not in schema.names:
        raise Flaw(no_text(f"column {settings.text_field!r}"))
    kind = _type(schema, settings.text_field)
    if not _is_text(kind):
        raise Flaw(f"the column {settings.text_field!r} holds {kind}, not text")
    kind = _type(schema, settings.id_field)
    if kind is not None and not (_is_text(kind) or t.is_integer(kind) or t.is_null(kind)):
        raise Flaw(f"the column {settings.id_field!r} holds {kind}, not text or whole numbers")
    kind = _type(schema, settings.metadata_field)
    tree = kind is not None and _is_tree(kind) and _is_readable(kind)
    if kind is not None and not (tree or _is_text(kind) or t.is_null(kind)):
        name = settings.metadata_field
        raise Flaw(f"the column {name!r} can't be read as metadata: name another, or none")


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


def _is_tree(kind: Any) -> bool:
    import pyarrow.types as t

    return bool(t.is_struct(kind) or t.is_map(kind))


def _is_readable(kind: Any) -> bool:
    """Tell whether every leaf is a text, a number or a date: what can't be read can't be masked."""
    import pyarrow.types as t

    if t.is_struct(kind):
        names = {field.name for field in kind}
        return len(names) == kind.num_fields and all(_is_readable(field.type) for field in kind)
    if t.is_map(kind):
        return _is_text(kind.key_type) and _is_readable(kind.item_type)
    if t.is_list(kind) or t.is_large_list(kind) or t.is_dictionary(kind):
        return _is_readable(kind.value_type)
    leaves = (t.is_integer, t.is_floating, t.is_decimal, t.is_boolean, t.is_temporal, t.is_null)
    return _is_text(kind) or any(is_leaf(kind) for is_leaf in leaves)


def _cells(column: Any) -> list[Any]:
    """Return a column's values; those that Python can't hold as flaws."""
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        return [_cell(value) for value in column]


def _cell(value: Any) -> Any:
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return Flaw("not UTF-8")
    except (ValueError, OverflowError):
        return Flaw("holds a time out of range")


def readable(held: Any, name: str) -> Mapping[str, Any]:
    """Return metadata as plain data: JSON text decoded, dates and decimals as text."""
    if held is None:
        return {}
    if isinstance(held, str):
        return metadata_of(held, name)
    return dict(_plain(held if isinstance(held, dict) else _mapping(held)))


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict of a map column's cell; of a key said twice, one value would slip out unread."""
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise Flaw("a key of its metadata occurs twice")
    return mapping


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(item, tuple) for item in value):
            return _plain(_mapping(value))
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


# ── writing ─────────────────────────────────────────────────────────────────────────────────────


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked rows with the schema, row groups and compression of their file.

    Raises:
        Flaw: the file is not the one that was read.
    """
    import pyarrow.parquet as pq

    with file.open() as handle:
        source = _open(handle)
        _check(source.schema_arrow, settings)
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
                    table = _masked(_row_group(source, number), first, released, settings)
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


def _masked(table: Any, first: int, released: list[Masked], settings: Settings) -> Any:
    """Return the released rows of a row group, with texts and metadata masked."""
    import pyarrow as pa

    table = _left(table, [item.origin.row - first for item in released])
    new: dict[str, list[Any]] = {settings.text_field: [item.content for item in released]}
    name = settings.metadata_field
    same = all(item.metadata == item.original.metadata for item in released)
    if name in table.schema.names and not (same and _is_tree(_type(table.schema, name))):
        held = table.column(name).to_pylist()
        kind = table.schema.field(name).type
        new[name] = [_metadata(kind, cell, item) for cell, item in zip(held, released, strict=True)]
    for index, field in enumerate(table.schema):
        if field.name in new:
            column = pa.array(new[field.name], field.type)
        elif _has_dictionary(field.type):  # still holds the values of rows that were left out
            column = pa.array(table.column(index).to_pylist(), field.type)
        else:
            continue
        table = table.set_column(index, field, column)
    return table


def _left(table: Any, rows: list[int]) -> Any:
    """Return these rows of a table, ascending: slices know every type, `take` does not."""
    import pyarrow as pa

    if len(rows) == len(table):
        return table
    begins = [at for at, row in enumerate(rows) if not at or rows[at - 1] + 1 < row]
    ends = [*begins[1:], len(rows)]
    runs = zip(begins, ends, strict=True)
    return pa.concat_tables([table.slice(rows[begin], end - begin) for begin, end in runs])


def _has_dictionary(kind: Any) -> bool:
    import pyarrow.types as t

    inner = [kind.field(number).type for number in range(kind.num_fields)]
    return bool(t.is_dictionary(kind)) or any(_has_dictionary(part) for part in inner)


def _metadata(kind: Any, cell: Any, item: Masked) -> Any:
    if cell is None:
        return None
    if isinstance(cell, str):
        return metadata_text(cell, item) if cell.strip() else cell
    return _fit(kind, cell, item.original.metadata, item.metadata)


def _fit(kind: Any, held: Any, read: Any, masked: Any) -> Any:
    """Put masked values back into a typed column; a number that was masked becomes null there."""
    import pyarrow.types as t

    if masked == read:
        return held
    if t.is_struct(kind):
        return {
            field.name: _fit(field.type, held[field.name], read[field.name], masked[field.name])
            for field in kind
        }
    if t.is_map(kind):
        return [(key, _fit(kind.item_type, v, read[key], masked[key])) for key, v in held]
    if t.is_list(kind) or t.is_large_list(kind):
        return [_fit(kind.value_type, *cells) for cells in zip(held, read, masked, strict=True)]
    if t.is_dictionary(kind):
        return _fit(kind.value_type, held, read, masked)
    return str(masked) if _is_text(kind) else None
