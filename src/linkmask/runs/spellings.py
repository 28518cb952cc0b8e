"""Reads only the spellings of values from a mentions file."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from linkmask.records import Longs
from linkmask.runs.mentions import ROWS, chunks, is_parquet


class _Spelled(msgspec.Struct, gc=False):
    """What of a line says how a value is written."""

    original_value: str
    entity_type: str
    normalized_value: str | None = None


def spellings(
    path: Path, types: Collection[str] | None = None
) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield (value, type) and the spelling of each mention that a run wrote, or adopted.

    It is `read_mentions` without all else, in a fraction of the time. With `types` it is of these
    alone; of spellings that repeat, some may then be left out.
    """
    if is_parquet(path):
        yield from _parquet_spellings(path, types)
        return
    decoder = msgspec.json.Decoder(_Spelled)
    for data in chunks(path):
        for line in data.splitlines():
            try:
                one = decoder.decode(line)
            except msgspec.DecodeError:
                continue  # no mention, as `read_mentions` has it
            if types is not None and one.entity_type not in types:
                continue
            value = one.normalized_value
            yield (
                (one.original_value if value is None else value, one.entity_type),
                one.original_value,
            )


def _parquet_spellings(
    path: Path, types: Collection[str] | None
) -> Iterator[tuple[tuple[str, str], str]]:
    import pyarrow.parquet as pq

    names = ["original_value", "entity_type", "normalized_value"]
    with pq.ParquetFile(path, read_dictionary=None if types is None else names) as file:
        held = [name for name in names if name in file.schema_arrow.names]
        for batch in file.iter_batches(batch_size=ROWS, columns=held):
            columns = [batch.column(name) for name in held]
            lists = (
                [column.to_pylist() for column in columns]
                if types is None
                else _distinct(columns, held.index("entity_type"), types)
            )
            originals, kinds, *values = lists
            for original, kind, value in zip(
                originals, kinds, *(values or [originals]), strict=True
            ):
                if original is not None and kind is not None:
                    yield (original if value is None else value, kind), original


def _distinct(columns: list[Any], kind: int, types: Collection[str]) -> list[list[str | None]]:
    """Return the distinct rows of columns whose type, in column `kind`, is wanted.

    The columns were read as dictionaries, so this compares numbers; `pyarrow.compute` would do it,
    too, but takes longer to load than all else here.
    """
    coded = [_coded(column) for column in columns]
    codes, words = coded[kind]
    wanted = np.array([word in types for word in words], dtype=bool)
    rows = np.flatnonzero(wanted[codes])
    keys = np.zeros(len(rows), dtype=np.int64)
    for codes, _ in coded:  # at most ROWS different ones each: 48 bits for three columns
        different, numbers = np.unique(codes[rows], return_inverse=True)
        keys = keys * len(different) + numbers
    first = rows[np.sort(np.unique(keys, return_index=True)[1])]
    return [[words[code] for code in codes[first]] for codes, words in coded]


def _coded(column: Any) -> tuple[Longs, list[str | None]]:
    """Return the number of each row's word, and the words, the last one None.

    A column that is no text, and so no dictionary, has a word for each row.
    """
    if not hasattr(column, "dictionary"):
        return np.arange(len(column)), [*column.to_pylist(), None]
    words = [*column.dictionary.to_pylist(), None]
    codes = column.indices.to_numpy(zero_copy_only=False)
    if column.null_count:
        codes = np.where(np.isnan(codes), len(words) - 1, codes)
    return codes.astype(np.int64), words
