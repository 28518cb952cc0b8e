"""Reads and writes files of arrays: scored incidence and links, and lookup tables.

So planning again need not read mentions or join documents, and an opened run reads only what a
question needs.

The file has a head (its length, then JSON that describes the arrays in order), and the arrays as
they are in memory, each aligned to `ALIGN` bytes. It is written without a copy, and only the arrays
that are used are read.
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from linkmask.records import Incidence, Links
from linkmask.records.ids import Ids, Strings
from linkmask.runs.damaged_file import damaged

ARRAYS = ("start", "entity", "relevance", "type", "frequency", "uniqueness", "weight")
LINKS = ("left", "right", "strength")
NAMES = ("documents", "entities", "types")
ALIGN = 64


class Header(msgspec.Struct):
    """What the file holds: (name, type, length) of each array, and how many pairs were blocked."""

    arrays: list[tuple[str, str, int]]
    blocked: int = 0
    facts: Any = None


def dump_columns(columns: Mapping[str, Any], **head: Any) -> Iterator[bytes | memoryview]:
    """Yield arrays by name, and further members of the head, as the bytes of a file."""
    named = [(name, array.dtype.str, len(array)) for name, array in columns.items()]
    text = msgspec.json.encode(Header(named, **head))
    yield len(text).to_bytes(8, "little") + text + _gap(8 + len(text))
    for column in columns.values():
        yield np.ascontiguousarray(column).data
        yield _gap(column.nbytes)


def map_columns(path: Path) -> tuple[dict[str, Any], Header]:
    """Map a file's arrays into memory; changes to them do not reach the file.

    Raises:
        RunError: the file is damaged.
    """
    held: dict[str, Any] = {}
    try:
        with path.open("rb") as handle:
            data = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_COPY)
        at = 8 + int.from_bytes(data[:8], "little")
        head = msgspec.json.decode(data[8:at], type=Header)
        at += len(_gap(at))
        for name, kind, length in head.arrays:
            held[name] = np.frombuffer(data, kind, length, at)
            at += held[name].nbytes + len(_gap(held[name].nbytes))
        if at != len(data):
            raise ValueError("another size")
    except (OSError, OverflowError, TypeError, ValueError, KeyError):
        raise damaged(path) from None
    return held, head


class TextArray(Strings):
    """Texts as arrays: their bytes one after another, and where each begins, and one more."""

    def __init__(self, data: Any, begins: Any) -> None:
        self._data, self._begins = data, begins

    def __len__(self) -> int:
        return len(self._begins) - 1

    def _at(self, index: int) -> str:
        start, stop = self._begins[index], self._begins[index + 1]
        return bytes(self._data[start:stop]).decode("utf-8", "surrogatepass")


def text_arrays(texts: Iterable[str]) -> tuple[Any, Any]:
    """Return texts as the arrays that `TextArray` reads."""
    data, ends = bytearray(), array("q", [0])  # no list of parts: there may be millions of texts
    for text in texts:
        data += text.encode("utf-8", "surrogatepass")
        ends.append(len(data))
    return np.frombuffer(data, np.uint8), np.asarray(ends)


def dump(incidence: Incidence, links: Links) -> Iterator[bytes | memoryview]:
    """Yield both as the bytes of a file. No value is in it, but document ids are."""
    held = {name: getattr(incidence, name) for name in ARRAYS}
    held |= {name: getattr(links, name) for name in LINKS}
    held |= {name: _bytes(getattr(incidence, name)) for name in NAMES}
    yield from dump_columns(held, blocked=links.blocked)


def load(path: Path) -> tuple[Incidence, Links]:
    """Read incidence and links back; changes to their arrays do not reach the file.

    Raises:
        RunError: the file is damaged.
    """
    held, head = map_columns(path)
    try:
        for name in NAMES:
            held[name] = _texts(held[name].data)
        links = Links(**{name: held.pop(name) for name in LINKS}, blocked=head.blocked)
        return Incidence(types=tuple(held.pop("types")), **held), links
    except (TypeError, ValueError, KeyError):
        raise damaged(path) from None


def _gap(size: int) -> bytes:
    return bytes(-size % ALIGN)


def _bytes(texts: Sequence[str]) -> Any:
    """Write texts as JSON, ids one after another."""
    data = texts.text.encode() if isinstance(texts, Ids) else msgspec.json.encode(list(texts))
    return np.frombuffer(data, dtype=np.uint8)


def _texts(data: memoryview) -> Sequence[str]:
    if bytes(data[:1]) == b"[":
        return msgspec.json.decode(data, type=list[str])
    return Ids(str(data, "ascii"))
