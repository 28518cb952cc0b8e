"""The two loops of the search: enter the forms, scan a text for them.

They run compiled over arrays when there is much text and as they stand, over lists, when there is
little; the results are the same. Cost: linear in the text, times the words of a form at the few
places where one begins. A word's hash goes on into the next one, and `flags` knows, by hash, all
prefixes of forms that end with a word: whether a form may end here, whether one may go on. Only
where one may end is it looked up and compared, character by character, so two prefixes with one
hash cost time and never a wrong hit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

WORD = 1 << 21
ZERO = WORD + 48
COMMA, POINT = 44, 46
BITS = 40
MASK = (1 << BITS) - 1
FACTOR = 0x5BD1E5
"""23 bits, so that no product leaves 63: overflow of signed numbers has no defined result."""
GOES_ON, ENDS = 1, 2


def enter(
    codes: Any,
    start: Any,
    end: Any,
    lead: Any,
    keys: Any,
    heads: Any,
    chain: Any,
    flags: Any,
    key_shift: int,
    flag_shift: int,
) -> None:
    """Enter form f = `codes[start[f]:end[f]]` into the table; each form holds a word.

    `keys` (−1: free) and `heads` are the table: the hash of a form up to its last word, and the
    last form entered that has it; `chain[f]` is the next such form, or −1. `lead[f]` becomes the
    number of characters before the first word.
    """
    for form in range(len(start)):
        at = start[form]
        stop = end[form]
        while codes[at] < WORD:
            at += 1
        while codes[stop - 1] < WORD:
            stop -= 1
        lead[form] = at - start[form]
        value = 0
        while True:
            while at < stop and codes[at] >= WORD:
                value = (value ^ codes[at]) * FACTOR
                value = (value ^ (value >> 31)) & MASK
                at += 1
            if at == stop:
                break
            flags[value >> flag_shift] |= GOES_ON
            while codes[at] < WORD:
                value = (value ^ codes[at]) * FACTOR
                value = (value ^ (value >> 31)) & MASK
                at += 1
        flags[value >> flag_shift] |= ENDS
        slot = value >> key_shift
        while keys[slot] != -1 and keys[slot] != value:
            slot += 1
            if slot == len(keys):
                slot = 0
        keys[slot] = value
        chain[form] = heads[slot]
        heads[slot] = form


def scan(
    text: Any,
    codes: Any,
    start: Any,
    end: Any,
    lead: Any,
    keys: Any,
    heads: Any,
    chain: Any,
    flags: Any,
    key_shift: int,
    flag_shift: int,
    longest: int,
    found_start: Any,
    found_end: Any,
    found_form: Any,
) -> int:
    """Write every whole-word occurrence of every form, overlapping ones too; return their number.

    What does not fit into the `found_` arrays is counted, not written. Whole word (SPEC §9.2): no
    word character on either side, and a digit at the edge is not part of a longer number
    such as 52.5 or 1,520.
    """
    size = len(text)
    room = len(found_start)
    count = 0
    next_word = 0
    while next_word < size:
        if text[next_word] < WORD:
            next_word += 1
            continue
        begin = next_word
        at = begin
        value = 0
        while at < size and text[at] >= WORD:
            value = (value ^ text[at]) * FACTOR
            value = (value ^ (value >> 31)) & MASK
            at += 1
        next_word = at
        while at - begin <= longest:
            flag = flags[value >> flag_shift]
            if flag & ENDS:
                slot = value >> key_shift
                while keys[slot] != -1 and keys[slot] != value:
                    slot += 1
                    if slot == len(keys):
                        slot = 0
                form = heads[slot]
                while form >= 0:
                    left = begin - lead[form]
                    right = left + end[form] - start[form]
                    whole = left >= 0 and right <= size
                    if whole and left > 0 and text[left - 1] >= WORD:
                        whole = False
                    if whole and right < size and text[right] >= WORD:
                        whole = False
                    if (
                        whole
                        and left > 1
                        and (text[left - 1] == POINT or text[left - 1] == COMMA)
                        and ZERO <= text[left] <= ZERO + 9
                        and ZERO <= text[left - 2] <= ZERO + 9
                    ):
                        whole = False
                    if (
                        whole
                        and right + 1 < size
                        and (text[right] == POINT or text[right] == COMMA)
                        and ZERO <= text[right - 1] <= ZERO + 9
                        and ZERO <= text[right + 1] <= ZERO + 9
                    ):
                        whole = False
                    if whole:
                        shift = start[form] - left
                        i = left
                        while i < right and text[i] == codes[shift + i]:
                            i += 1
                        if i == right:
                            if count < room:
                                found_start[count] = left
                                found_end[count] = right
                                found_form[count] = form
                            count += 1
                    form = chain[form]
            if not flag & GOES_ON:
                break
            while at < size and text[at] < WORD and at - begin <= longest:
                value = (value ^ text[at]) * FACTOR
                value = (value ^ (value >> 31)) & MASK
                at += 1
            if at == size or text[at] < WORD:
                break
            while at < size and text[at] >= WORD and at - begin <= longest:
                value = (value ^ text[at]) * FACTOR
                value = (value ^ (value >> 31)) & MASK
                at += 1
    return count


@cache
def compiled() -> tuple[Callable[..., None], Callable[..., int]]:
    """Return `enter` and `scan`, compiled (seconds the first time, then from numba's cache)."""
    from numba import njit

    jit = njit(cache=True, nogil=True)
    return jit(enter), jit(scan)
