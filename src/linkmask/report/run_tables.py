"""Reads and writes tables of a run: JSON for people, or Parquet where a corpus is large.

The columns hold names and numbers without a Python object for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from typing import Any

import numpy as np

from linkmask.records import Incidence, Ints
from linkmask.records.ids import WIDTH, Ids
from linkmask.runs import Run

LISTED = 100_000
"""Documents, entities, links or chains up to which tables are JSON; larger ones are Parquet."""


def fits_json(incidence: Incidence, pairs: int) -> bool:
    """Tell whether tables of a corpus are JSON, for people, and not Parquet."""
    return pairs <= LISTED and max(incidence.n_documents, incidence.n_entities) <= LISTED


def is_parquet(run: Run, name: str) -> bool:
    """Tell whether a run keeps a table as Parquet; it stays so, so that no older one is left."""
    return run.find(f"{name}.parquet").exists()


def rounded(value: Any) -> float:
    """Return a number with six decimals: finer than any limit, the same text on every machine."""
    return round(float(value), 6)


def names_column(texts: Sequence[str]) -> Any:
    """Return a column of texts; of ids without a string for each."""
    import pyarrow as pa

    if isinstance(texts, Ids):
        begin, whole = np.arange(len(texts) + 1, dtype=np.int32) * WIDTH, texts.text.encode()
    else:
        rows = [text.encode() for text in texts]
        begin = np.fromiter(accumulate(map(len, rows), initial=0), np.int32)
        whole = b"".join(rows)
    return pa.StringArray.from_buffers(len(texts), pa.py_buffer(begin), pa.py_buffer(whole))


def _column(values: Any, known: Any = None) -> Any:
    """Return an array of numbers or truth values as a column; what is not `known` is none.

    `pyarrow.array` would import pandas where that is installed, which takes a fifth of a second.
    """
    import pyarrow as pa

    held = _bits(values) if values.dtype == np.bool_ else pa.py_buffer(np.ascontiguousarray(values))
    buffers = [None if known is None else _bits(known), held]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def _bits(flags: Any) -> Any:
    """Return truth values as Arrow holds them, eight in a byte."""
    import pyarrow as pa

    return pa.py_buffer(np.packbits(flags, bitorder="little"))


def path_columns(documents: Ints, ids: Any) -> dict[str, Any]:
    """Return the documents along each chain as columns."""
    return {f"document_{k + 1}": coded_column(column, ids) for k, column in enumerate(documents.T)}


def coded_column(codes: Ints, names: Any) -> Any:
    """Return a column of names by their numbers; a negative number is no name."""
    import pyarrow as pa

    known = codes >= 0 if codes.min(initial=0) < 0 else None
    names = names if isinstance(names, pa.Array) else names_column(names)
    return pa.DictionaryArray.from_arrays(_column(codes, known), names)


def write_tables(run: Run, tables: Mapping[str, Mapping[str, Any]]) -> None:
    """Write tables into a run, two at a time: names as dictionaries, numbers as they are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def write(name: str, columns: Mapping[str, Any]) -> None:
        held = ((key, _column(c) if isinstance(c, np.ndarray) else c) for key, c in columns.items())
        table, sink = pa.table(dict(held)), pa.BufferOutputStream()
        coded = [field.name for field in table.schema if pa.types.is_dictionary(field.type)]
        # All rows in one group, so that its dictionaries are written once; and no statistics:
        # those of names take ten times as long as everything else.
        pq.write_table(
            table, sink, row_group_size=1 << 28, dictionary_pagesize_limit=1 << 30,
            use_dictionary=coded, write_statistics=False,
        )  # fmt: skip
        run.write(f"{name}.parquet", [memoryview(sink.getvalue())])

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, tables, tables.values()))
