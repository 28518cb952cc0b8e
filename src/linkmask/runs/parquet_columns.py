"""Reads a mentions file in Parquet as columns of codes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from linkmask.errors import InputError
from linkmask.runs.coded_columns import PERSON, Codes, Columns


def parquet_columns(path: Path) -> Columns:
    """Read one column after the other into codes: no Python string a row, one column in memory.

    Raises:
        InputError: it is no Parquet file with these columns.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        held = pq.read_schema(path).names
        form = "normalized_value" if "normalized_value" in held else "original_value"
        texts = ["document", form, "entity_type"]
        persons = [name for name in PERSON if name in held]
        with pq.ParquetFile(path, read_dictionary=[*texts, *persons]) as file:
            table = file.read([*texts, *persons, "relevance"])
        (documents, document), (values, value), (types, kind) = (
            _encoded(table[name]) for name in texts
        )
        relevance = _numbers(table["relevance"])
    except (OSError, pa.ArrowException, KeyError, UnicodeDecodeError) as error:
        needed = "document, normalized_value, entity_type and relevance"
        reason = type(error).__name__
        raise InputError(f"can't read {path} ({reason}): a mentions file has {needed}") from None
    whole = (document >= 0) & (value >= 0) & (kind >= 0)
    missing = Counter({"missing or wrong fields": int(np.count_nonzero(~whole))})
    rows = document, value, kind, relevance
    if missing.total():
        rows = tuple(column[whole] for column in rows)
    if len(persons) == len(PERSON):
        (named, person), (of, type_of_person) = (_encoded(table[name]) for name in persons)
        told = np.flatnonzero(whole & (person >= 0) & (type_of_person >= 0))
        values, person = _coded_as(values, named, person[told])
        types, type_of_person = _coded_as(types, of, type_of_person[told])
        more = document[told], person, type_of_person, relevance[told]
        rows = tuple(np.concatenate(both) for both in zip(rows, more, strict=True))  # type: ignore[assignment]
    documents, document = _by_appearance(documents, rows[0])
    return Columns(documents, values, types, document, *rows[1:], missing)


def _coded_as(names: list[str], others: list[str], codes: Any) -> tuple[list[str], Any]:
    """Return names with those of others that codes use, and the codes into them."""
    number = Codes({name: n for n, name in enumerate(names)})
    into = [number[others[code]] for code in codes.tolist()]
    return list(number), np.array(into, dtype=np.int32)


def _encoded(column: Any) -> tuple[list[str], Any]:
    """Return the names in a column and its codes into them, −1 for none."""
    import pyarrow as pa

    kind = column.type
    if not pa.types.is_dictionary(kind) or not pa.types.is_string(kind.value_type):
        column = column.cast(pa.string()).dictionary_encode()
    column = column.unify_dictionaries()
    if not column.num_chunks:
        return [], np.zeros(0, dtype=np.int32)
    codes = [
        (chunk.indices.fill_null(-1) if chunk.null_count else chunk.indices).to_numpy()
        for chunk in column.chunks
    ]
    return column.chunk(0).dictionary.to_pylist(), np.concatenate(codes, dtype=np.int32)


def _numbers(column: Any) -> Any:
    """Return a column as 64-bit floats, NaN for none.

    Arrow converts only other types, because loading its functions takes long.
    """
    import pyarrow as pa

    if column.type != pa.float64() or column.null_count:
        column = column.cast(pa.float64()).fill_null(float("nan"))
    return column.to_numpy()


def _by_appearance(names: list[str], codes: Any) -> tuple[list[str], Any]:
    """Number names in the order in which their codes appear; leave out those that don't."""
    highest = np.maximum.accumulate(codes, dtype=np.int32)
    if not len(codes) or (codes[0] == 0 and (np.diff(highest) <= 1).all()):
        return names[: highest[-1] + 1] if len(codes) else [], codes
    first = np.full(len(names), len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # the last one written is the first row
    order = np.argsort(first)[: np.count_nonzero(first < len(codes))]
    number = np.zeros(len(names), dtype=np.int32)
    number[order] = np.arange(len(order))
    return [names[i] for i in order.tolist()], number[codes]
