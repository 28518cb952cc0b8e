"""The two loops of the search: enter the forms, scan a text for them.

They run compiled over arrays when there is much text and as they stand, over lists, when there is
little; the results are the same. Cost: linear in the text, times the words of a form at the few
places where one begins. A word's hash goes on into the next one, and `flags` knows, by hash, all
prefixes of forms that end with a word: whether a form may end here, whether one may go on. Only
where one may end is it looked up and compared, character by character, so two prefixes with one
hash cost time and never a wrong hit.

`forms` holds four numbers per form, side by side as they are read together: where its characters
start in `codes`, how many they are, how many stand before its first word, and the next form with
the same hash (−1: none). `table` holds two per slot: a hash (−1: free) and the first such form.
"""

from __future__ import annotations

from typing import Any

from linkmask.formulas import kernel

WORD = 1 << 21
ZERO = WORD + 48
COMMA, POINT = 44, 46
MASK = (1 << 40) - 1
FACTOR = 0x3BD1E5
"""22 bits, so that no product leaves 63: overflow of signed numbers has no defined result."""
GOES_ON, ENDS = 1, 2


@kernel
def slot_of(value: int, table: Any) -> int:
    """Return the slot of a hash in the table, or the free one where it belongs."""
    size = len(table) // 2
    slot = (value ^ (value >> 19)) & (size - 1)
    while table[2 * slot] != -1 and table[2 * slot] != value:
        slot = (slot + 1) & (size - 1)
    return slot


@kernel
def enter(codes: Any, forms: Any, table: Any, flags: Any) -> None:
    """Enter every form; each holds a word. Sizes of table (in slots) and flags: powers of 2."""
    for form in range(len(forms) // 4):
        start = forms[4 * form]
        at = start
        stop = start + forms[4 * form + 1]
        while codes[at] < WORD:
            at += 1
        while codes[stop - 1] < WORD:
            stop -= 1
        forms[4 * form + 2] = at - start
        value = 0
        while True:
            while at < stop and codes[at] >= WORD:
                value = (value * FACTOR + codes[at]) & MASK
                at += 1
            if at == stop:
                break
            flags[(value ^ (value >> 19)) & (len(flags) - 1)] |= GOES_ON
            while codes[at] < WORD:
                value = (value * FACTOR + codes[at]) & MASK
                at += 1
        flags[(value ^ (value >> 19)) & (len(flags) - 1)] |= ENDS
        slot = slot_of(value, table)
        table[2 * slot] = value
        forms[4 * form + 3] = table[2 * slot + 1]
        table[2 * slot + 1] = form


@kernel
def is_digit(code: int) -> bool:
    """Tell a digit from all else."""
    return ZERO <= code <= ZERO + 9


@kernel
def is_whole(text: Any, left: int, right: int) -> bool:
    """Tell whether a span is whole words and no part of a number such as 52.5 (SPEC §9.2)."""
    size = len(text)
    if left < 0 or right > size:
        return False
    if left > 0 and text[left - 1] >= WORD:
        return False
    if right < size and text[right] >= WORD:
        return False
    if left > 1 and is_digit(text[left - 2]) and is_digit(text[left]):
        before = text[left - 1]
        if before in (POINT, COMMA):
            return False
    if right + 1 < size and is_digit(text[right - 1]) and is_digit(text[right + 1]):
        after = text[right]
        if after in (POINT, COMMA):
            return False
    return True


@kernel
def scan(text: Any, tables: Any, longest: int, found: Any) -> int:
    """Write every whole-word occurrence of every form, overlapping ones too; return their number.

    `tables`: codes, forms, table and flags as `enter` left them. `found` receives start, end and
    form of each, side by side; what does not fit is counted, not written.
    """
    codes, forms, table, flags = tables
    size = len(text)
    room = len(found) // 3
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
            value = (value * FACTOR + text[at]) & MASK
            at += 1
        next_word = at
        while at - begin <= longest:
            flag = flags[(value ^ (value >> 19)) & (len(flags) - 1)]
            if flag & ENDS:
                form = table[2 * slot_of(value, table) + 1]
                while form >= 0:
                    left = begin - forms[4 * form + 2]
                    right = left + forms[4 * form + 1]
                    if is_whole(text, left, right):
                        start = forms[4 * form]
                        i = 0
                        while i < right - left and text[left + i] == codes[start + i]:
                            i += 1
                        if i == right - left:
                            if count < room:
                                found[3 * count] = left
                                found[3 * count + 1] = right
                                found[3 * count + 2] = form
                            count += 1
                    form = forms[4 * form + 3]
            if not flag & GOES_ON:
                break
            while at < size and text[at] < WORD and at - begin <= longest:
                value = (value * FACTOR + text[at]) & MASK
                at += 1
            if at == size or text[at] < WORD:
                break
            while at < size and text[at] >= WORD and at - begin <= longest:
                value = (value * FACTOR + text[at]) & MASK
                at += 1
    return count
