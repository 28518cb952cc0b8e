"""Compound files (MS-CFB) made by code, and messages of Outlook of them (MS-OXMSG)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from itertools import count

SECTOR, SMALL, CUTOFF = 512, 64, 4096
FREE, END, TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
Tree = Mapping[str, "bytes | Tree"]


def padded(data: bytes, size: int = SECTOR) -> bytes:
    return data + bytes(-len(data) % size)


def compound(tree: Tree) -> bytes:
    """Return a file of storages and streams; those under 4,096 bytes lie in the small stream."""
    rows: list[list[object]] = []
    small, large = list[bytes](), list[tuple[int, bytes]]()

    def add(name: str, held: bytes | Tree, beside: int) -> int:
        number = len(rows)
        rows.append([name, 1, FREE, beside, FREE, 0, 0])
        if isinstance(held, bytes):
            rows[number][1], rows[number][6] = 2, len(held)
            if len(held) < CUTOFF:
                rows[number][5] = sum(map(len, small)) // SMALL if held else END
                small.append(padded(held, SMALL))
            else:
                large.append((number, held))
        else:
            child = FREE
            for inner, one in held.items():
                child = add(inner, one, child)
            rows[number][4] = child
        return number

    add("Root Entry", tree, FREE)
    rows[0][1] = 5
    chains = [-(-len(one) // SMALL) for one in small]
    starts = [sum(chains[:n]) for n in range(len(chains))]
    numbers = [
        n + 1 if n + 1 < start + size else END
        for start, size in zip(starts, chains, strict=True)
        for n in range(start, start + size)
    ]
    small_table = padded(struct.pack(f"<{len(numbers)}I", *numbers))
    blocks = [bytes(-(-len(rows) // 4) * SECTOR), small_table, padded(b"".join(small))]
    blocks += [padded(data) for _, data in large]
    sizes = [len(one) // SECTOR for one in blocks]
    tables = next(n for n in count(1) if n * SECTOR // 4 >= n + sum(sizes))
    begins = [tables + sum(sizes[:n]) for n in range(len(sizes))]
    follow = [TABLE] * tables
    for begin, size in zip(begins, sizes, strict=True):
        follow += [*range(begin + 1, begin + size), END] if size else []
    follow += [FREE] * (tables * SECTOR // 4 - len(follow))
    rows[0][5], rows[0][6] = begins[2] if sizes[2] else END, sum(map(len, small))
    for begin, (number, _) in zip(begins[3:], large, strict=True):
        rows[number][5] = begin
    blocks[0] = padded(b"".join(map(entry, rows)))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<4I", 0, tables, begins[0], 0)
    head += struct.pack("<5I", CUTOFF, begins[1] if sizes[1] else END, sizes[1], END, 0)
    head += struct.pack("<109I", *range(tables), *[FREE] * (109 - tables))
    return b"".join([head, struct.pack(f"<{len(follow)}I", *follow), *blocks])


def entry(row: list[object]) -> bytes:
    name, kind, left, right, child, start, size = row
    coded = str(name).encode("utf-16-le") + b"\0\0"
    links = struct.pack("<BB3I", kind, 1, left, right, child)
    return (
        coded.ljust(64, b"\0")
        + struct.pack("<H", len(coded))
        + links
        + bytes(36)
        + struct.pack("<IQ", start, size)
    )


def message(
    texts: Mapping[str, str],
    others: Tree | None = None,
    numbers: Mapping[int, int] | None = None,
    head: int = 32,
) -> Tree:
    """Return a message, recipient or attachment: properties that are text, others, numbers."""
    rows = [
        struct.pack("<HHIQ", 3 if value < 1 << 32 else 0x40, tag, 6, value)
        for tag, value in (numbers or {}).items()
    ]
    fixed = {"__properties_version1.0": bytes(head) + b"".join(rows)}
    held = {f"__substg1.0_{tag}001F": text.encode("utf-16-le") for tag, text in texts.items()}
    return {**fixed, **held, **(others or {})}
