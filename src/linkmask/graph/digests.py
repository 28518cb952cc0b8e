"""Computes the entity ids of a whole corpus at once: MD5 as a compiled loop over bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkmask.formulas import compiling, fast, in_parts, kernel
from linkmask.records import Ints, entity_digest

LOW = 0xFFFFFFFF
"""The bits of a word; words stand in 64 bits, whose upper half is cut off."""
TURN = np.array([7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]).reshape(4, 4)
"""How far each step of a round turns its word left (RFC 1321, section 3.4)."""
SINE = np.floor(np.abs(np.sin(np.arange(1, 65))) * 2.0**32).astype(np.int64)
START = np.array([0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476])


def digests(
    values: Sequence[str], types: Sequence[str], value: Any, kind: Ints, separator: str
) -> Any:
    """Return the ids of entities, `values[value[i]]` of type `types[kind[i]]`, as rows of 16 bytes.

    They equal those of `entity_digest`, which is used for few values.

    References:
        R. Rivest, "The MD5 Message-Digest Algorithm", RFC 1321 (1992).
    """
    if len(value) < compiling.COMPILE_FROM:
        pairs = zip(value.tolist(), kind.tolist(), strict=True)
        each = b"".join(entity_digest(values[v], types[k], separator) for v, k in pairs)
        return np.frombuffer(each, dtype=np.uint8).reshape(-1, 16)
    return hashed(values, types, value, kind, separator)


def hashed(
    values: Sequence[str], types: Sequence[str], value: Any, kind: Ints, separator: str
) -> Any:
    """Return the same by a compiled loop."""
    text, begin = _packed(values)
    ends, end_begin = _packed([separator + name for name in types])
    found = np.empty((len(value), 16), dtype=np.uint8)
    loop = fast(_digests, len(value))
    given = text, begin, ends, end_begin, value, kind, TURN, SINE, START, found
    in_parts(lambda a, b: loop(*given, a, b), len(value), len(value))
    return found


def _packed(texts: Sequence[str]) -> tuple[Any, Any]:
    """Return texts as bytes one after another, and where each begins and the last one ends."""
    whole = "".join(texts)
    begin = np.zeros(len(texts) + 1, dtype=np.int64)
    if whole.isascii():
        size, data = map(len, texts), whole.encode()
    else:
        pieces = [text.encode("utf-8", "surrogatepass") for text in texts]
        size, data = map(len, pieces), b"".join(pieces)
    np.cumsum(np.fromiter(size, np.int64, len(texts)), out=begin[1:])
    return np.frombuffer(data, dtype=np.uint8), begin


@kernel
def _digests(
    text: Any, begin: Any, ends: Any, end_begin: Any, value: Any, kind: Any, turn: Any, sine: Any,
    start: Any, found: Any, first: int, last: int,
) -> None:  # fmt: skip
    """Write the digests of [first, last)."""
    block = np.empty(64, dtype=np.uint8)
    word = np.empty(16, dtype=np.int64)
    state = np.empty(4, dtype=np.int64)
    for i in range(first, last):
        head, end = begin[value[i]], end_begin[kind[i]]
        split = begin[value[i] + 1] - head
        size = split + end_begin[kind[i] + 1] - end
        state[:] = start
        for base in range(0, size + 9, 64):
            for k in range(64):
                at = base + k
                block[k] = 0
                if at < split:
                    block[k] = text[head + at]
                elif at < size:
                    block[k] = ends[end + at - split]
                elif at == size:
                    block[k] = 0x80
            if base + 64 >= size + 9:  # the last block ends with the length in bits
                for k in range(8):
                    block[56 + k] = size * 8 >> 8 * k & 0xFF
            for k in range(16):
                word[k] = (
                    int(block[4 * k])
                    | int(block[4 * k + 1]) << 8
                    | int(block[4 * k + 2]) << 16
                    | int(block[4 * k + 3]) << 24
                )
            _stir(state, word, turn, sine)
        for k in range(16):
            found[i, k] = state[k // 4] >> 8 * (k % 4) & 0xFF


@kernel
def _stir(state: Any, word: Any, turn: Any, sine: Any) -> None:
    """Work one block into the state: four rounds of sixteen steps."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    for k in range(64):
        stage = k >> 4
        if stage == 0:
            mixed, at = b & c | ~b & d, k
        elif stage == 1:
            mixed, at = d & b | ~d & c, 5 * k + 1
        elif stage == 2:
            mixed, at = b ^ c ^ d, 3 * k + 5
        else:
            mixed, at = c ^ (b | LOW ^ d), 7 * k
        total = a + (mixed & LOW) + sine[k] + word[at & 15] & LOW
        by = turn[stage, k & 3]
        a, d, c = d, c, b
        b = b + (total << by | total >> 32 - by) & LOW
    state[0], state[1] = state[0] + a & LOW, state[1] + b & LOW
    state[2], state[3] = state[2] + c & LOW, state[3] + d & LOW
