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

from linkmask.records import MentionTable
from linkmask.runs.coded_columns import Codes, Columns
from linkmask.runs.mentions import (
    Normalize,
    TypeOf,
    chunks,
    decode,
    is_parquet,
    lower_and_collapse,
    unchanged,
)
from linkmask.runs.parquet_columns import parquet_columns

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
    person_value: str | None = None
    person_type: str | None = None


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
    columns = parquet_columns(path) if is_parquet(path) else _json_columns(chunks(path))
    return _table(columns, type_of, normalize or lower_and_collapse, documents)


def table_of_lines(
    lines: Iterable[bytes], type_of: TypeOf, normalize: Normalize, documents: Sequence[str]
) -> tuple[MentionTable, dict[str, int]]:
    """Return the same of whole lines of a JSONL file, in any pieces, of these documents."""
    return _table(_json_columns(lines), type_of, normalize, documents)


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
        for row in rows:
            if row.person_value is not None and row.person_type is not None:
                document.append(documents[row.document])
                value.append(values[row.person_value])
                kind.append(types[row.person_type])
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
