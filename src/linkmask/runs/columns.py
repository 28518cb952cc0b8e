"""The mentions file as columns: the only form in which millions of mentions exist at once."""

from __future__ import annotations

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
    forms: dict[str, int] = {}
    value = np.full(len(kind), -1, dtype=np.int32)
    for number, name in enumerate(types):
        rows = keep & (kind == number)
        used = np.zeros(len(columns.values), dtype=bool)
        used[columns.value[rows]] = True
        new = np.full(len(columns.values), -1, dtype=np.int32)
        for code in np.flatnonzero(used).tolist():
            form = normalize(name, columns.values[code])
            if form:
                new[code] = forms.setdefault(form, len(forms))
        value[rows] = new[columns.value[rows]]
    return value, list(forms)


def _codes(numbers: list[int]) -> Any:
    return np.asarray(numbers, dtype=np.int32)


# ── Parquet ─────────────────────────────────────────────────────────────────────────────────────


def _parquet_columns(path: Path) -> Columns:
    """Read the four columns dictionary-encoded: as codes, never a Python string a row."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = ["document", "normalized_value", "entity_type"]
    table = _parquet(path, [*names, "relevance"], dictionary=names)
    dropped: Counter[str] = Counter()
    whole = pc.and_(
        pc.and_(table["document"].is_valid(), table["normalized_value"].is_valid()),
        table["entity_type"].is_valid(),
    )
    missing = len(table) - pc.sum(whole).as_py() if len(table) else 0
    if missing:
        dropped["missing or wrong fields"] = missing
        table = table.filter(whole)
    documents, document = _encoded(table["document"])
    values, value = _encoded(table["normalized_value"])
    types, kind = _encoded(table["entity_type"])
    relevance = table["relevance"].cast(pa.float64()).fill_null(float("nan")).to_numpy()
    return Columns(documents, values, types, document, value, kind, relevance, dropped)


def _encoded(column: Any) -> tuple[list[str], Any]:
    """Return a column's distinct values and its codes into them."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = column.unify_dictionaries()
    if not column.num_chunks:
        return [], np.zeros(0, dtype=np.int32)
    codes = [chunk.indices.to_numpy(zero_copy_only=False) for chunk in column.chunks]
    names = column.chunk(0).dictionary.cast(pa.string()).to_pylist()
    return names, np.concatenate(codes).astype(np.int32, copy=False)


def _parquet(path: Path, columns: list[str], dictionary: list[str]) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(path, columns=columns, read_dictionary=dictionary)
    except (OSError, pa.ArrowException, KeyError) as error:
        kind = type(error).__name__
        needed = ", ".join(columns)
        raise InputError(f"can't read mentions from {path} ({kind}): it needs {needed}") from None
