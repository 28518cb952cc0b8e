"""The mentions file: one mention a line (JSONL) or row (Parquet), also from other detectors.

Columns (DESIGN §3): document, original_value, normalized_value, entity_type, relevance, and where
known start, end, detector; linkmask adds field, rule and score. `start` and `end` are −1 where a
file doesn't say where the value stands: it is then found by search (SPEC §9.2).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from linkmask.errors import InputError
from linkmask.records import CONTENT, Mention, MentionTable, Why

TypeOf = Callable[[str], str | None]
Normalize = Callable[[str, str], str]

CHUNK = 1 << 22
ROWS = 1 << 16


class Line(msgspec.Struct, omit_defaults=True, gc=False):
    """One mention as it stands in a file."""

    document: str | int
    original_value: str
    entity_type: str
    relevance: float
    normalized_value: str | None = None
    start: int | None = None
    end: int | None = None
    detector: str | None = None
    field: str | None = None
    rule: str | None = None
    score: float | None = None


class Row(msgspec.Struct, gc=False):
    """The part of a line that the engine needs."""

    document: str | int
    entity_type: str
    relevance: float
    normalized_value: str | None = None
    original_value: str | None = None


LINE = msgspec.json.Decoder(Line)
ROW = msgspec.json.Decoder(Row)
ENCODER = msgspec.json.Encoder()
COLUMNS = ("document", "original_value", "normalized_value", "entity_type", "relevance",
           "start", "end", "detector", "field", "rule", "score")  # fmt: skip


def plain(entity_type: str, value: str) -> str:
    """Lower-case a value and collapse its white space (SPEC §4.1), whatever its type."""
    return " ".join(value.lower().split())


def encode(mention: Mention) -> bytes:
    """Write a mention as a line of JSON."""
    line = {
        "document": mention.document,
        "original_value": mention.original,
        "normalized_value": mention.value,
        "entity_type": mention.type,
        "relevance": mention.relevance,
        "start": mention.start,
        "end": mention.end,
        "detector": mention.why.detector,
        "field": mention.field,
        "rule": mention.why.rule,
        "score": mention.why.score,
    }
    return ENCODER.encode(line) + b"\n"


# ── one by one ──────────────────────────────────────────────────────────────────────────────────


def read_mentions(
    path: Path,
    type_of: TypeOf | None = None,
    normalize: Normalize | None = None,
    dropped: Counter[str] | None = None,
) -> Iterator[Mention]:
    """Yield the mentions of a JSONL or Parquet file in its order.

    With `type_of` (a schema's), types are read through its aliases; with `normalize(type, value)`
    values are brought to one form. Rows that are no mention are left out and counted by reason in
    `dropped` (SPEC §4.1); relevance is clamped to [0, 1].

    Raises:
        InputError: the file can't be read, or is neither JSONL nor Parquet.
    """
    dropped = Counter() if dropped is None else dropped
    for line in _parquet_lines(path) if _is_parquet(path) else _json_lines(path):
        if isinstance(line, str):
            dropped[line] += 1
            continue
        entity_type = type_of(line.entity_type) if type_of else line.entity_type
        value = line.original_value if line.normalized_value is None else line.normalized_value
        if entity_type is None:
            dropped["unknown type"] += 1
        elif line.relevance != line.relevance:
            dropped["relevance is not a number"] += 1
        elif not line.original_value.strip():
            dropped["empty value"] += 1
        else:
            located = line.start is not None and line.end is not None
            yield Mention(
                str(line.document),
                line.field or CONTENT,
                line.start if located else -1,  # type: ignore[arg-type]
                line.end if located else -1,  # type: ignore[arg-type]
                entity_type,
                line.original_value,
                normalize(entity_type, value) if normalize else value,
                min(max(line.relevance, 0.0), 1.0),
                Why(
                    line.detector or "file",
                    line.rule or "",
                    1.0 if line.score is None else line.score,
                ),
            )


def _json_lines(path: Path) -> Iterator[Line | str]:
    for lines in chunks(path):
        for line in lines.splitlines():
            if line.strip():
                yield _decode(LINE, line)


def chunks(path: Path) -> Iterator[bytes]:
    """Yield the file in pieces of whole lines."""
    try:
        with path.open("rb") as handle:
            while chunk := handle.read(CHUNK):
                yield chunk + handle.readline()
    except OSError as error:
        raise InputError(f"can't read the mentions file {path}: {error.strerror}") from None


def _decode(decoder: Any, line: bytes) -> Any:
    """Decode a line, or say in a word why it is no mention."""
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        relevance = "$.relevance" in str(error)
        return "relevance is not a number" if relevance else "missing or wrong fields"
    except (msgspec.DecodeError, RecursionError):
        return "not JSON"


# ── as columns ──────────────────────────────────────────────────────────────────────────────────


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
    columns = _parquet_columns(path) if _is_parquet(path) else _json_columns(path)
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
            rows = [_decode(ROW, line) for line in chunk.splitlines() if line.strip()]
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


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() == ".parquet"


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


def _parquet_lines(path: Path) -> Iterator[Line | str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = [name for name in COLUMNS if name in file.schema_arrow.names]
            for batch in file.iter_batches(batch_size=ROWS, columns=names):
                for row in batch.to_pylist():
                    yield _convert(row)
    except (OSError, pa.ArrowException) as error:
        kind = type(error).__name__
        raise InputError(f"can't read mentions from {path} ({kind})") from None


def _convert(row: dict[str, Any]) -> Line | str:
    try:
        return msgspec.convert(row, Line)
    except msgspec.ValidationError as error:
        relevance = "$.relevance" in str(error)
        return "relevance is not a number" if relevance else "missing or wrong fields"


def to_parquet(source: Path, target: Path) -> None:
    """Write a JSONL mentions file as Parquet with the same columns, a piece at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = {"relevance": pa.float64(), "score": pa.float64()}
    numbers |= {"start": pa.int32(), "end": pa.int32()}
    schema = pa.schema([(name, numbers.get(name, pa.string())) for name in COLUMNS])
    partial = target.with_name(f".{target.name}.partial")
    partial.unlink(missing_ok=True)
    with partial.open("xb") as handle:
        partial.chmod(0o600)
        with pq.ParquetWriter(handle, schema, compression="zstd") as writer:
            for chunk in chunks(source):
                rows = [line for line in map(_line_or_reason, chunk.splitlines()) if line]
                writer.write_table(pa.Table.from_pylist(rows, schema))
    partial.replace(target)


def _line_or_reason(line: bytes) -> dict[str, Any] | None:
    found = _decode(LINE, line) if line.strip() else ""
    if isinstance(found, str):
        return None
    return msgspec.structs.asdict(found) | {"document": str(found.document)}
