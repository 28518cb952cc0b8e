"""Reads the mentions file as columns, the only form in which millions of mentions exist."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from linkmask.errors import InputError
from linkmask.records import MentionTable
from linkmask.runs.mentions import (
    Normalize,
    TypeOf,
    chunks,
    decode,
    is_parquet,
    lower_and_collapse,
    unchanged,
)

WHITE = re.compile(r"[^\S \n]")
WHITE_ASCII = re.compile(r"[\t\r\x0b\x0c\x1c-\x1f]")
"""White space that `_all_plain` does not search for by itself."""


class MentionRow(msgspec.Struct, gc=False):
    """The part of a line that the engine needs."""

    document: str | int
    entity_type: str
    relevance: float
    normalized_value: str | None = None
    original_value: str | None = None


ROW = msgspec.json.Decoder(MentionRow)


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
    collapsed (`lower_and_collapse`; `unchanged` leaves them). `documents` lists the corpus in
    input order, so that documents without a mention count too; without it they are the file's, in
    order of first appearance.

    Raises:
        InputError: the file can't be read, or is neither JSONL nor Parquet.
    """
    columns = _parquet_columns(path) if is_parquet(path) else _json_columns(chunks(path))
    return _table(columns, type_of, normalize or lower_and_collapse, documents)


def table_of_lines(
    lines: Iterable[bytes], type_of: TypeOf, normalize: Normalize, documents: Sequence[str]
) -> tuple[MentionTable, dict[str, int]]:
    """Return the same of whole lines of a JSONL file, in any pieces, of these documents."""
    return _table(_json_columns(lines), type_of, normalize, documents)


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


class Codes(dict[Any, int]):
    """Numbers names in the order in which they are asked for."""

    def __missing__(self, name: Any) -> int:
        """Give a new name the next number."""
        number = self[name] = len(self)
        return number


def _json_columns(pieces: Iterable[bytes]) -> Columns:
    documents, values, types = Codes(), Codes(), Codes()
    document, value, kind = array("i"), array("i"), array("i")
    relevance = array("d")
    dropped: Counter[str] = Counter()
    for rows in _rows(pieces, dropped):
        texts = [
            row.original_value or "" if row.normalized_value is None else row.normalized_value
            for row in rows
        ]
        document.extend([documents[row.document] for row in rows])
        value.extend([values[text] for text in texts])
        kind.extend([types[row.entity_type] for row in rows])
        relevance.extend([row.relevance for row in rows])
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


def _rows(pieces: Iterable[bytes], dropped: Counter[str]) -> Iterator[list[MentionRow]]:
    """Decode a piece at a time; line by line only where one of its lines is broken."""
    for chunk in pieces:
        try:
            yield ROW.decode_lines(chunk)
        except (msgspec.MsgspecError, RecursionError):
            rows = [decode(ROW, line) for line in chunk.splitlines() if line.strip()]
            dropped.update(row for row in rows if isinstance(row, str))
            yield [row for row in rows if not isinstance(row, str)]


def _table(
    columns: Columns, type_of: TypeOf, normalize: Normalize, given: Sequence[str] | None
) -> tuple[MentionTable, dict[str, int]]:
    """Drop rows that are no mention, normalize types and values, number the documents."""
    dropped = columns.dropped
    documents = list(dict.fromkeys(columns.documents if given is None else given))
    document = columns.document
    if documents != columns.documents:
        place = {name: number for number, name in enumerate(documents)}
        document = _codes([place.get(name, -1) for name in columns.documents])[document]
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

    rows = document, value, kind, columns.relevance
    if not keep.all():
        rows = tuple(column[keep] for column in rows)
    document, value, kind, relevance = rows
    table = MentionTable(
        documents, values, types, document, value, kind, np.clip(relevance, 0.0, 1.0)
    )
    return table, {reason: count for reason, count in sorted(dropped.items()) if count}


def _one_form(
    columns: Columns, kind: Any, keep: Any, types: tuple[str, ...], normalize: Normalize
) -> tuple[Any, list[str]]:
    """Number the values by their normalized form, which may depend on the type; −1 if empty."""
    if normalize in TIDY and TIDY[normalize](columns.values):
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
    whole = "\n".join(["", *values, ""])
    ends = (" \n", "\n ", "\n\n", "  ")
    return (
        whole.count("\n") == len(values) + 1
        and not any(end in whole for end in ends)
        and not (WHITE_ASCII if whole.isascii() else WHITE).search(whole)
        and whole == whole.lower()
    )


def _none_empty(values: list[str]) -> bool:
    return "" not in values


TIDY: dict[Normalize, Callable[[list[str]], bool]] = {
    lower_and_collapse: _all_plain,
    unchanged: _none_empty,
}
"""Check whether values are normalized already, by normalizing function."""


def _codes(numbers: list[int]) -> Any:
    return np.asarray(numbers, dtype=np.int32)


# ── Parquet ─────────────────────────────────────────────────────────────────────────────────────


def _parquet_columns(path: Path) -> Columns:
    """Read one column after the other into codes: no Python string a row, one column in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        held = pq.read_schema(path).names
        form = "normalized_value" if "normalized_value" in held else "original_value"
        texts = ["document", form, "entity_type"]
        with pq.ParquetFile(path, read_dictionary=texts) as file:
            table = file.read([*texts, "relevance"])
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
    documents, document = _by_appearance(documents, rows[0])
    return Columns(documents, values, types, document, *rows[1:], missing)


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
