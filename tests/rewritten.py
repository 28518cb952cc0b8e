"""Yields a corpus as a writer gets it: nothing masked, or every text changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.records import CONTENT, Masked, SetAside

SETTINGS = Settings()
SECRET = "Zebulon Quist"


def unmasked(source: Path, settings: Settings = SETTINGS) -> Iterator[Masked | SetAside]:
    """The corpus with nothing masked."""
    for item in read(source, settings):
        yield item if isinstance(item, SetAside) else Masked(item, item, ())


def changed(
    source: Path, change: Callable[[str], str] = lambda text: text.replace(SECRET, "[NAME]")
) -> Iterator[Masked | SetAside]:
    """The corpus with every text changed."""
    for item in read(source, SETTINGS):
        if isinstance(item, SetAside):
            yield item
            continue
        held = [(CONTENT, item.content), *item.leaves()]
        new = {name: change(value) for name, value in held if isinstance(value, str)}
        yield Masked(item, item.with_fields(new), ())


def parquet(path: Path, rows: int = 7) -> pa.Table:
    names = [f"{SECRET} {n}" for n in range(rows)]
    table = pa.table(
        {
            "id": pa.array(range(rows), pa.int32()),
            "content": pa.array([f"text of {name}" for name in names], pa.large_string()),
            "label": pa.array([f"label {n}" for n in range(rows)]).dictionary_encode(),
            "metadata": pa.array(
                [{"by": name, "age": 40, "tags": [name, None]} for name in names],
                pa.struct(
                    [("by", pa.string()), ("age", pa.int8()), ("tags", pa.list_(pa.string()))]
                ),
            ),
            "vector": pa.array([[1.0, 2.0]] * rows, pa.list_(pa.float32(), 2)),
        }
    ).replace_schema_metadata({"made": "by hand"})
    pq.write_table(table, path, row_group_size=3, compression="zstd")
    return table
