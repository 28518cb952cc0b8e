"""Digests of how masked entities are found and written: what a later edition compares."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec


def digest_of(rule: tuple[Any, ...]) -> str:
    """Return a digest of a rule for masks, 16 hexadecimal digits."""
    return blake2b(_encoded(rule), digest_size=8).hexdigest()


def _encoded(rule: tuple[Any, ...]) -> bytes:
    try:
        return msgspec.msgpack.encode(rule, enc_hook=str)  # a `CapitalizedSpelling`
    except UnicodeEncodeError:  # half a character
        return repr(rule).encode("utf-8", "surrogatepass")
