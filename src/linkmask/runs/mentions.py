"""Reads and writes the mentions file: one mention a line (JSONL) or row (Parquet).

Columns (docs/files.md): document, original_value, normalized_value, entity_type, relevance, and
where known start, end, detector; linkmask adds field, rule and score, and value and type of the
person whom an address names. `start` and `end` are −1 where a file doesn't say where the value
stands: it is then found by search (formulas.md §10.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from linkmask.errors import InputError, RunError
from linkmask.records import CONTENT, Mention, Why
from linkmask.runs.damaged_file import damaged

TypeOf = Callable[[str], str | None]
Normalize = Callable[[str, str], str]

CHUNK = 1 << 22
ROWS = 1 << 16


class MentionLine(msgspec.Struct, omit_defaults=True, gc=False):
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
    person_value: str | None = None
    person_type: str | None = None


class Named(msgspec.Struct, gc=False):
    """The document that a line belongs to."""

    document: str | int


LINE = msgspec.json.Decoder(MentionLine)
NAMED = msgspec.json.Decoder(Named)
ENCODER = msgspec.json.Encoder()
COLUMNS = ("document", "original_value", "normalized_value", "entity_type", "relevance",
           "start", "end", "detector", "field", "rule", "score",
           "person_value", "person_type")  # fmt: skip


def lower_and_collapse(entity_type: str, value: str) -> str:
    """Lower-case a value and collapse its white space (formulas.md §2.3), whatever its type."""
    return " ".join(value.lower().split())


def unchanged(entity_type: str, value: str) -> str:
    """Leave a value that a run wrote: it has its one form."""
    return value


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
    if mention.person is not None:
        line["person_type"], line["person_value"] = mention.person
    return ENCODER.encode(line) + b"\n"


def line_head(document: str) -> bytes:
    """Return what all lines of a document begin with."""
    return b'{"document":' + ENCODER.encode(document) + b","


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
    `dropped` (formulas.md §2.2); relevance is clamped to [0, 1].

    Raises:
        InputError: the file can't be read, or is neither JSONL nor Parquet.
    """
    dropped = Counter() if dropped is None else dropped
    for line in _parquet_lines(path) if is_parquet(path) else _json_lines(path):
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
            yield _mention(line, entity_type, normalize(entity_type, value) if normalize else value)


def mentions_in(lines: bytes) -> list[Mention]:
    """Return the mentions in some lines of a run's log.

    Raises:
        RunError: a line is damaged.
    """
    try:
        found = LINE.decode_lines(lines)
    except (msgspec.MsgspecError, RecursionError):
        raise RunError(
            "a line of mentions.jsonl or stage1.jsonl in the run is damaged: start a new run"
        ) from None
    return [
        _mention(
            one, one.entity_type,
            one.original_value if one.normalized_value is None else one.normalized_value,
        )
        for one in found
    ]  # fmt: skip


def place(mention: Mention) -> tuple[str, int]:
    """Return the place by which a document's mentions are sorted in a log."""
    return mention.field, mention.start


def joined(lines: bytes, fresh: Sequence[Mention] | None) -> bytes:
    """Return a document's lines of a log with those of further mentions, in the order of places."""
    if not fresh:
        return lines
    mentions = sorted([*mentions_in(lines), *fresh], key=place)
    return b"".join(map(encode, mentions))


def places_of(path: Path) -> dict[str, tuple[int, int]]:
    """Return where in a run's log the mentions of each document stand: first byte and size.

    Raises:
        RunError: the log is damaged.
    """
    places: dict[str, tuple[int, int]] = {}
    at = 0
    for data in chunks(path):
        for line in data.splitlines(keepends=True):
            try:
                name = str(NAMED.decode(line).document)
            except (msgspec.MsgspecError, RecursionError):
                raise damaged(path) from None
            first, size = places.get(name, (at, 0))
            places[name] = first, size + len(line)
            at += len(line)
    return places


def _mention(line: MentionLine, entity_type: str, value: str) -> Mention:
    located = line.start is not None and line.end is not None
    return Mention(
        str(line.document),
        line.field or CONTENT,
        line.start if located else -1,  # type: ignore[arg-type]
        line.end if located else -1,  # type: ignore[arg-type]
        entity_type,
        line.original_value,
        value,
        min(max(line.relevance, 0.0), 1.0),
        Why(line.detector or "file", line.rule or "", 1.0 if line.score is None else line.score),
        (line.person_type, line.person_value) if line.person_type and line.person_value else None,
    )


def _json_lines(path: Path) -> Iterator[MentionLine | str]:
    """Decode a chunk at a time; line by line only where one of its lines is broken."""
    for chunk in chunks(path):
        try:
            yield from LINE.decode_lines(chunk)
        except (msgspec.MsgspecError, RecursionError):
            yield from (decode(LINE, line) for line in chunk.splitlines() if line.strip())


def chunks(path: Path) -> Iterator[bytes]:
    """Yield the file in pieces of whole lines.

    Raises:
        InputError: the file can't be read.
    """
    try:
        with path.open("rb") as handle:
            while chunk := handle.read(CHUNK):
                yield chunk + handle.readline()
    except OSError as error:
        raise InputError(f"can't read the mentions file {path}: {error.strerror}") from None


def decode(decoder: Any, line: bytes) -> Any:
    """Decode a line, or say in a word why it is no mention."""
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        relevance = "$.relevance" in str(error)
        return "relevance is not a number" if relevance else "missing or wrong fields"
    except (msgspec.DecodeError, RecursionError):
        return "not JSON"


def is_parquet(path: Path) -> bool:
    """Tell by the name's ending whether a mentions file is Parquet."""
    return path.suffix.lower() == ".parquet"


def _parquet_lines(path: Path) -> Iterator[MentionLine | str]:
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


def _convert(row: dict[str, Any]) -> MentionLine | str:
    try:
        return msgspec.convert(row, MentionLine)
    except msgspec.ValidationError as error:
        relevance = "$.relevance" in str(error)
        return "relevance is not a number" if relevance else "missing or wrong fields"


def leaving_out(path: Path, documents: Container[str]) -> Iterator[bytes]:
    """Yield a JSONL or Parquet mentions file again, without some documents and what is no mention.

    Raises:
        InputError: the file can't be read.
    """
    if is_parquet(path):
        import pyarrow as pa
        import pyarrow.parquet as pq

        table, sink = pq.read_table(path), pa.BufferOutputStream()
        names = table.column("document").cast(pa.string()).to_pylist()
        pq.write_table(table.filter(pa.array([name not in documents for name in names])), sink)
        yield sink.getvalue().to_pybytes()
        return
    for chunk in chunks(path):
        for line in chunk.splitlines():
            found = _line_or_reason(line)
            if found and found["document"] not in documents:
                yield line + b"\n"


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
    found = decode(LINE, line) if line.strip() else ""
    if isinstance(found, str):
        return None
    return msgspec.structs.asdict(found) | {"document": str(found.document)}
