"""Reads cells of Arrow tables as plain values, and writes masked rows back into their types.

Columns that masking does not touch stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkmask.config import Settings
from linkmask.corpus.fields import Record, as_json_value, changed_fields, shape_of
from linkmask.corpus.files import Flaw
from linkmask.corpus.json_read import metadata_of
from linkmask.corpus.json_write import metadata_text
from linkmask.records import Masked


def check_columns(schema: Any, settings: Settings) -> None:
    """Check that the columns hold what they are named for.

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


def _unmapped(value: Any) -> Any:
    """Return a cell with its maps, which Arrow gives as pairs, as mappings.

    Raises:
        Flaw: a map has a key twice, so that one of its values would not be read.
    """
    if isinstance(value, dict):
        return {key: _unmapped(inner) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    if not value or not all(isinstance(item, tuple) for item in value):
        return [_unmapped(inner) for inner in value]
    mapping = {key: _unmapped(inner) for key, inner in value}
    if len(mapping) != len(value):
        raise Flaw("a key of a map occurs twice")
    return mapping


def record_of(cells: Mapping[str, Any], columns: Mapping[str, Any], settings: Settings) -> Record:
    """Return a row as a record; a column without a cell holds None.

    Structs, maps and lists stay such, dates and decimals become text. Metadata may be JSON text.

    Raises:
        Flaw: Python can't hold a cell, a map has a key twice, or metadata is no JSON object.
    """
    values = {name: _plain(cells.get(name)) for name in columns}
    if isinstance(held := values.get(settings.metadata_field), str):
        values[settings.metadata_field] = metadata_of(held)
    return Record(values, columns)


def _plain(cell: Any) -> Any:
    if isinstance(cell, Flaw):
        raise cell
    return as_json_value(_unmapped(cell))


def masked_table(table: Any, first: int, released: list[Masked], settings: Settings) -> Any:
    """Return the released rows of a table, masked; its first row is row `first` of its file."""
    import pyarrow as pa

    table = select_rows(table, [item.origin.row - first for item in released])
    new = [changed_fields(item, settings) for item in released]
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


def without_metadata(schema: Any) -> Any:
    """Return a schema without its key-value metadata, which are not masked."""
    import pyarrow as pa

    return pa.schema([_without_notes(field) for field in schema])


def _without_notes(field: Any) -> Any:
    import pyarrow as pa
    import pyarrow.types as t

    kind = field.type
    if t.is_struct(kind):
        kind = pa.struct([_without_notes(inner) for inner in kind])
    elif t.is_map(kind):
        kind = pa.map_(_without_notes(kind.key_field), _without_notes(kind.item_field))
    elif t.is_fixed_size_list(kind):
        kind = pa.list_(_without_notes(kind.value_field), kind.list_size)
    elif t.is_large_list(kind):
        kind = pa.large_list(_without_notes(kind.value_field))
    elif t.is_list(kind):
        kind = pa.list_(_without_notes(kind.value_field))
    return pa.field(field.name, kind, field.nullable)


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
