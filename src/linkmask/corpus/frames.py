"""Masks data frames; the result has the class, order and types of the argument.

Frames are read through Arrow's C stream, which pandas, Polars and Arrow tables offer, so that none
of these packages is imported where the caller has not. A data set of Hugging Face gives its Arrow
table.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from linkmask.config import Settings
from linkmask.corpus.arrow import (
    cells_of,
    check_columns,
    masked_table,
    readable_columns,
    record_of,
    select_rows,
)
from linkmask.corpus.column_names import check_text
from linkmask.corpus.fields import shape_of
from linkmask.corpus.files import Flaw
from linkmask.errors import InputError
from linkmask.records import Document, Masked, Origin, SetAside


def is_frame(given: object) -> bool:
    """Tell whether something is a data frame, an Arrow table or batch, or a data set."""
    streams = ("__arrow_c_stream__", "__arrow_c_array__")
    return any(hasattr(given, name) for name in streams) or _is_data_set(given)


def table_of(frame: Any) -> Any:
    """Return a frame as an Arrow table; its index, where pandas keeps one apart, is a column."""
    import pyarrow as pa

    if _is_data_set(frame):
        return pa.table(frame.with_format("arrow")[:])
    return pa.table(frame)


def table_documents(table: Any, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the rows of an Arrow table as documents; a row without an id goes by its number.

    Raises:
        InputError: a column that settings name is not there, or one can't be read.
    """
    try:
        check_text(table.schema.names, settings)
        check_columns(table.schema, settings)
    except Flaw as flaw:
        raise InputError(f"the data frame: {flaw}") from None
    shape, absent = shape_of(settings), [None] * len(table)
    columns = dict.fromkeys(table.schema.names, absent)
    columns |= {name: cells_of(table.column(name)) for name in readable_columns(table.schema)}
    for row in range(len(table)):
        origin = Origin("", row)
        try:
            cells = {name: column[row] for name, column in columns.items()}
            yield shape.document(record_of(cells, cells, settings), str(row), origin)
        except Flaw as flaw:
            yield SetAside(str(row), "read", str(flaw), origin)


def masked_frame(frame: Any, table: Any, released: Sequence[Masked], settings: Settings) -> Any:
    """Return a frame with the rows that were released, masked.

    Args:
        frame: what was given.
        table: the same as an Arrow table.
        released: documents by ascending row (`origin.row`); other rows are left out.

    Returns:
        The same class, with its columns, their order and types, and its index. A mask that a
        column's type can't hold is null.
    """
    rows = [one.origin.row for one in released]
    new = masked_table(table, 0, list(released), settings)
    if isinstance(frame, type(table)):
        return new
    touched = [
        name for name in table.schema.names if not new[name].equals(select_rows(table, rows)[name])
    ]
    if _is_data_set(frame):
        return _as_data_set(frame, new)
    for package, rebuild in (("pandas", _as_pandas), ("polars", _as_polars)):
        if package in sys.modules and isinstance(frame, sys.modules[package].DataFrame):
            return rebuild(sys.modules[package], frame, rows, touched, new)
    columns = [column.combine_chunks() for column in new.columns]
    return type(frame).from_arrays(columns, schema=new.schema)  # a record batch


def _as_pandas(pandas: Any, frame: Any, rows: list[int], touched: list[str], new: Any) -> Any:
    made = frame.iloc[rows].copy()
    for name in touched:
        if name in made.columns:
            values = new[name].to_pandas()
            made[name] = pandas.Series(values.array, made.index).astype(frame[name].dtype)
        else:
            made.index = new.to_pandas().index
    return made


def _as_polars(polars: Any, frame: Any, rows: list[int], touched: list[str], new: Any) -> Any:
    columns = [
        polars.Series(name, new[name].to_pylist(), dtype=frame.schema[name]) for name in touched
    ]
    return frame[rows].with_columns(columns)


def _is_data_set(given: object) -> bool:
    """Tell a data set of Hugging Face, or what has the same methods."""
    return all(hasattr(given, name) for name in ("with_format", "column_names", "features"))


def _as_data_set(frame: Any, new: Any) -> Any:
    """Return a data set like another, of a table."""
    info = {name: getattr(frame, name) for name in ("info", "split") if hasattr(frame, name)}
    return type(frame)(new, **info).with_format(**frame.format)
