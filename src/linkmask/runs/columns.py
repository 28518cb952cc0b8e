"""The mentions file as columns: the only form in which millions of mentions exist at once."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from linkmask.errors import InputError
from linkmask.records import MentionTable
from linkmask.runs.mentions import Normalize, TypeOf, chunks, decode, is_parquet, plain


class Row(msgspec.Struct, gc=False):
    """The part of a line that the engine needs."""

    document: str | int
    entity_type: str
    relevance: float
    normalized_value: str | None = None
    original_value: str | None = None


ROW = msgspec.json.Decoder(Row)


def mention_table(
    path: Path,
    type_of: TypeOf,
    normalize: Normalize | None = None,
    *,
    documents: Sequence[str] | None = None,
) -> tuple[MentionTable, dict[str, int]]:
    """Read a mentions file as columns, and count the rows that were dropped, by reason.

    `type_of` maps type names to the schema's (None: unknown). `normalize(type, value)` brings each
    distinct value to its one form; without it values are lower-cased and their white space
    collapsed (`plain`). `documents` lists the corpus in input order, so that documents without a
    mention count too; without it they are the file's, in order of first appearance.

    Raises:
        InputError: the file can't be read, or is neither JSONL nor Parquet.
    """
    columns = _parquet_columns(path) if is_parquet(path) else _json_columns(path)
    return _table(columns, type_of, normalize or plain, documents)


class Columns(msgspec.Struct):
    """Codes into distinct names, row by row, as read; nothing dropped yet but broken rows."""

    documents: list[str]
    values: list[str]
    types: list[str]
    document: Any
    value: Any
    type: Any
    relevance: Any
    dropped: Counter[str]


def _json_columns(path: Path) -> Columns:
    documents: dict[str | int, int] = {}
    values: dict[str, int] = {}
    types: dict[str, int] = {}
    document, value, kind = array("i"), array("i"), array("i")
    relevance = array("d")
    dropped: Counter[str] = Counter()
    for rows in _rows(path, dropped):
        for row in rows:
            text = row.normalized_value
            if text is None:
                text = row.original_value or ""
            document.append(documents.setdefault(row.document, len(documents)))
            value.append(values.setdefault(text, len(values)))
            kind.append(types.setdefault(row.entity_type, len(types)))
            relevance.append(row.relevance)
    return Columns(
        documents=[str(d) for d in documents],
        values=list(values),
        types=list(types),
        document=np.frombuffer(document, dtype=np.int32),
        value=np.frombuffer(value, dtype=np.int32),
        type=np.frombuffer(kind, dtype=np.int32),
        relevance=np.frombuffer(relevance, dtype=np.float64),
        dropped=dropped,
    )


def _rows(path: Path, dropped: Counter[str]) -> Iterator[list[Row]]:
    """Decode a chunk at a time; line by line only where one of its lines is broken."""
    for chunk in chunks(path):
        try:
            yield ROW.decode_lines(chunk)
        except (msgspec.MsgspecError, RecursionError):
            rows = [decode(ROW, line) for line in chunk.splitlines() if line.strip()]
            dropped.update(row for row in rows if isinstance(row, str))
            yield [row for row in rows if not isinstance(row, str)]


def _table(
    columns: Columns, type_of: TypeOf, normalize: Normalize, given: Sequence[str] | None
) -> tuple[MentionTable, dict[str, int]]:
    """Drop what is no mention, put types and values in their one form, number the documents."""
    dropped = columns.dropped
    documents = list(dict.fromkeys(columns.documents if given is None else given))
    place = {name: number for number, name in enumerate(documents)}
    document = _codes([place.get(name, -1) for name in columns.documents])[columns.document]
    known = [type_of(name) for name in columns.types]
    types = tuple(sorted({name for name in known if name is not None}))
    kind = _codes([-1 if name is None else types.index(name) for name in known])[columns.type]

    keep = np.ones(len(document), dtype=bool)
    reasons = (
        ("unknown type", kind < 0),
        ("relevance is not a number", np.isnan(columns.relevance)),
        ("unknown document", document < 0),
    )
    for reason, bad in reasons:
        dropped[reason] += int(np.count_nonzero(bad & keep))
        keep &= ~bad
    value, values = _one_form(columns, kind, keep, types, normalize)
    dropped["empty value"] += int(np.count_nonzero((value < 0) & keep))
    keep &= value >= 0

    table = MentionTable(
        documents,
        values,
        types,
        document[keep],
        value[keep],
        kind[keep],
        np.clip(columns.relevance[keep], 0.0, 1.0),
    )
    return table, {reason: count for reason, count in sorted(dropped.items()) if count}


def _one_form(
    columns: Columns, kind: Any, keep: Any, types: tuple[str, ...], normalize: Normalize
) -> tuple[Any, list[str]]:
    """Number the values anew by their one form, which may depend on the type; −1 where empty."""
    if normalize is plain and _all_plain(columns.values):
        return np.where(keep, columns.value, -1), columns.values
    width = max(len(types), 1)
    pair = columns.value.astype(np.int64) * width + np.where(keep, kind, 0)
    form = np.full(len(columns.values) * width, -1, dtype=np.int32)
    form[pair[keep]] = 0
    forms: dict[str, int] = {}
    for number in np.flatnonzero(form == 0).tolist():
        text = normalize(types[number % width], columns.values[number // width])
        form[number] = forms.setdefault(text, len(forms)) if text else -1
    return np.where(keep, form[pair], -1), list(forms)


def _all_plain(values: list[str]) -> bool:
    """Tell at once whether all values are in plain form already, the usual case."""
    whole = "\n".join(values)
    tidy = not re.search(r"[^\S \n]|  | \n|\n |\n\n|^\s|\s$|^$", whole)
    return tidy and whole.count("\n") < len(values) and whole == whole.lower()


def _codes(numbers: list[int]) -> Any:
    return np.asarray(numbers, dtype=np.int32)


# ── Parquet ─────────────────────────────────────────────────────────────────────────────────────


def _parquet_columns(path: Path) -> Columns:
    """Read one column after the other into codes: no Python string a row, one column in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            held = set(file.schema_arrow.names)
            value = "normalized_value" if "normalized_value" in held else "original_value"
            documents, document = _encoded(file, "document")
            values, value_code = _encoded(file, value)
            types, kind = _encoded(file, "entity_type")
            scores = file.read(["relevance"])["relevance"].cast(pa.float64())
    except (OSError, pa.ArrowException, KeyError) as error:
        needed = "document, normalized_value, entity_type and relevance"
        reason = type(error).__name__
        raise InputError(f"can't read {path} ({reason}): a mentions file has {needed}") from None
    whole = (document >= 0) & (value_code >= 0) & (kind >= 0)
    missing = Counter({"missing or wrong fields": int(np.count_nonzero(~whole))})
    relevance = scores.fill_null(float("nan")).to_numpy()
    rows = document, value_code, kind, relevance
    if missing.total():
        rows = tuple(column[whole] for column in rows)
    return Columns(documents, values, types, *rows, missing)


def _encoded(file: Any, name: str) -> tuple[list[str], Any]:
    """Return a column's distinct values in order of first appearance, and its codes into them."""
    import pyarrow as pa

    column = file.read([name])[name].cast(pa.string()).dictionary_encode()
    if not column.num_chunks:
        return [], np.zeros(0, dtype=np.int32)
    codes = [chunk.indices.fill_null(-1).to_numpy() for chunk in column.chunks]
    return column.chunk(0).dictionary.to_pylist(), np.concatenate(codes)
