"""Writes pictures in the PNG format from their pixels."""

from __future__ import annotations

import struct
import zlib

GREY, COLOURS_WITH_ALPHA = 0, 6
"""How a pixel is written: in one byte, or in four."""
_BYTES = {GREY: 1, COLOURS_WITH_ALPHA: 4}


def png(width: int, height: int, kind: int, pixels: bytes) -> bytes:
    """Return a PNG file; `pixels` are its rows from the top, one after the other."""
    row = width * _BYTES[kind]
    lines = b"".join(b"\0" + pixels[at : at + row] for at in range(0, height * row, row))
    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(name + data))
    return struct.pack(">I", len(data)) + name + data + check
