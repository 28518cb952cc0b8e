"""Enters the spellings of masked values into a table of hashes, in a compiled loop.

`forms` has for each form a head of four numbers and then its characters. The head is: the number of
its characters, the number of characters before its first word, the head of the next form with the
same hash (−1: none), and the number it is reported by. `table` has two numbers per slot: a hash
(−1: free) and the head of the last form entered with this hash.
"""

from __future__ import annotations

from typing import Any

from linkmask.formulas import kernel

WORD = 1 << 21
MASK = (1 << 40) - 1
FACTOR = 0x3BD1E5
"""22 bits, so that no product leaves 63: overflow of signed numbers has no defined result."""
TAG = (1 << 31) - 1
GOES_ON, ENDS = 1, 2
HEAD = 4


@kernel
def spread(value: int) -> int:
    """Return a hash with its upper bits mixed into the lower ones, which choose the place."""
    return value ^ (value >> 19)


@kernel
def slot_of(place: int, table: Any) -> int:
    """Return the slot of a spread hash in the table, or the free one where it belongs."""
    tag = place & TAG
    slot = place & (len(table) // 2 - 1)
    while table[2 * slot] != -1 and table[2 * slot] != tag:
        slot = (slot + 1) & (len(table) // 2 - 1)
    return slot


@kernel
def mixed(value: int, code: int) -> int:
    """Return a hash with one more character, or hash, behind it."""
    return (value * FACTOR + code) & MASK


@kernel
def mark(value: int, flags: Any, flag: int) -> None:
    """Set a flag of a hash; four hashes share a byte, so that all stay near at hand."""
    at = spread(value) & (4 * len(flags) - 1)
    flags[at >> 2] |= flag << (2 * (at & 3))


@kernel
def flag_of(place: int, flags: Any) -> int:
    """Return the flags of a spread hash."""
    at = place & (4 * len(flags) - 1)
    found: int = (flags[at >> 2] >> (2 * (at & 3))) & 3
    return found


@kernel
def enter(heads: Any, forms: Any, table: Any, flags: Any, firsts: Any, later: Any) -> int:
    """Enter the forms at these heads; each holds a word. The sizes of the rest: powers of 2.

    Return the number of words of the longest.
    """
    most = 0
    for head in heads:
        at = head + HEAD
        stop = at + forms[head]
        while forms[at] < WORD:
            at += 1
        while forms[stop - 1] < WORD:
            stop -= 1
        forms[head + 1] = at - head - HEAD
        value = between = words = 0
        while True:
            word = 0
            while at < stop and forms[at] >= WORD:
                word = mixed(word, forms[at])
                at += 1
            if words:
                word = mixed(between, word)
                mark(word, later, GOES_ON)
            value = mixed(value, word) if words else word
            words += 1
            if at == stop:
                break
            mark(value, flags if words > 1 else firsts, GOES_ON)
            between = 0
            while forms[at] < WORD:
                between = mixed(between, forms[at])
                at += 1
        mark(value, flags if words > 1 else firsts, ENDS)
        most = max(most, words)
        slot = slot_of(spread(value), table)
        forms[head + 2] = table[2 * slot + 1]
        table[2 * slot] = spread(value) & TAG
        table[2 * slot + 1] = head
    return most
