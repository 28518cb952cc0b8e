"""The two loops of the search: enter the forms, scan a text for them.

They run compiled over arrays when there is much text and as they stand, over lists, when there is
little; the results are the same. Cost: linear in the text, times the words of a form at the few
places where one begins. A word's hash goes on into the next one, and `flags` knows, by hash, all
prefixes of forms that end with a word: whether a form may end here, whether one may go on. Only
where one may end is it looked up and compared, character by character, so two prefixes with one
hash cost time and never a wrong hit.

What belongs together lies together, since most of the time goes into fetching it: `forms` holds
for each form a head of four numbers and then its characters. The head: how many characters it has,
how many of them stand before its first word, the head of the next form with the same hash (−1:
none), and the number it is reported by. `table` holds two numbers per slot: a hash (−1: free) and
the head of the last form entered that has it.
"""

from __future__ import annotations

from typing import Any

from linkmask.formulas import kernel

WORD = 1 << 21
ZERO = WORD + 48
SPACE, COMMA, POINT = 32, 44, 46
MASK = (1 << 40) - 1
FACTOR = 0x3BD1E5
"""22 bits, so that no product leaves 63: overflow of signed numbers has no defined result."""
GOES_ON, ENDS = 1, 2
HEAD = 4


@kernel
def slot_of(value: int, table: Any) -> int:
    """Return the slot of a hash in the table, or the free one where it belongs."""
    size = len(table) // 2
    slot = (value ^ (value >> 19)) & (size - 1)
    while table[2 * slot] != -1 and table[2 * slot] != value:
        slot = (slot + 1) & (size - 1)
    return slot


@kernel
def mark(value: int, flags: Any, flag: int) -> None:
    """Set a flag of a hash; four hashes share a byte, so that all flags stay near at hand."""
    place = (value ^ (value >> 19)) & (4 * len(flags) - 1)
    flags[place >> 2] |= flag << (2 * (place & 3))


@kernel
def flag_of(value: int, flags: Any) -> int:
    """Return the flags of a hash."""
    place = (value ^ (value >> 19)) & (4 * len(flags) - 1)
    found: int = (flags[place >> 2] >> (2 * (place & 3))) & 3
    return found


@kernel
def enter(heads: Any, forms: Any, table: Any, flags: Any) -> None:
    """Enter the forms at these heads; each holds a word. Slots and flags: powers of 2."""
    for head in heads:
        at = head + HEAD
        stop = at + forms[head]
        while forms[at] < WORD:
            at += 1
        while forms[stop - 1] < WORD:
            stop -= 1
        forms[head + 1] = at - head - HEAD
        value = 0
        while True:
            while at < stop and forms[at] >= WORD:
                value = (value * FACTOR + forms[at]) & MASK
                at += 1
            if at == stop:
                break
            mark(value, flags, GOES_ON)
            while forms[at] < WORD:
                value = (value * FACTOR + forms[at]) & MASK
                at += 1
        mark(value, flags, ENDS)
        slot = slot_of(value, table)
        forms[head + 2] = table[2 * slot + 1]
        table[2 * slot] = value
        table[2 * slot + 1] = head


@kernel
def joins_digits(text: Any, fold: Any, at: int) -> bool:
    """Tell whether a point or comma stands between digits, as in 52.5 or 1,520."""
    if fold[text[at]] not in (POINT, COMMA) or at == 0 or at + 1 == len(text):
        return False
    before, after = fold[text[at - 1]], fold[text[at + 1]]
    return bool(ZERO <= before <= ZERO + 9 and ZERO <= after <= ZERO + 9)


@kernel
def is_whole(text: Any, fold: Any, left: int, right: int) -> bool:
    """Tell whether a span is whole words and no part of a longer number (SPEC §9.2)."""
    if left > 0 and (fold[text[left - 1]] >= WORD or joins_digits(text, fold, left - 1)):
        return False
    return right == len(text) or (fold[text[right]] < WORD and not joins_digits(text, fold, right))


@kernel
def begin_of(text: Any, fold: Any, word: int, lead: int) -> int:
    """Return where a form begins that has `lead` characters before its first word, or −1."""
    left = word
    for _ in range(lead):
        left -= 1
        while left > 0 and fold[text[left]] == SPACE and fold[text[left - 1]] == SPACE:
            left -= 1
        if left < 0:
            return -1
    return left


@kernel
def end_of(text: Any, fold: Any, left: int, codes: Any, start: int, stop: int) -> int:
    """Return where `codes[start:stop]` ends in the text if it stands at `left`, else −1.

    A run of white space is one space.
    """
    at = left
    before = -1
    while start < stop:
        if at == len(text):
            return -1
        code = fold[text[at]]
        if code != SPACE or before != SPACE:
            if code != codes[start]:
                return -1
            start += 1
        before = code
        at += 1
    return at


@kernel
def report(text: Any, fold: Any, tables: Any, word: int, value: int, found: Any, count: int) -> int:
    """Write the forms with this hash that stand at a word; return the new number of finds."""
    forms, table, _ = tables
    head = table[2 * slot_of(value, table) + 1]
    while head >= 0:
        left = begin_of(text, fold, word, forms[head + 1])
        if left >= 0:
            right = end_of(text, fold, left, forms, head + HEAD, head + HEAD + forms[head])
            if right >= 0 and is_whole(text, fold, left, right):
                if 3 * count < len(found):
                    found[3 * count] = left
                    found[3 * count + 1] = right
                    found[3 * count + 2] = forms[head + 3]
                count += 1
        head = forms[head + 2]
    return count


@kernel
def follow(
    text: Any, fold: Any, tables: Any, word: int, at: int, value: int, longest: int, found: Any,
    count: int,
) -> int:  # fmt: skip
    """Go on from the end of a first word for as long as some form does; as `report`."""
    flags = tables[2]
    length = at - word
    while length <= longest:
        flag = flag_of(value, flags)
        if flag & ENDS:
            count = report(text, fold, tables, word, value, found, count)
        if not flag & GOES_ON:
            break
        before = -1
        while at < len(text) and length <= longest and fold[text[at]] < WORD:
            code = fold[text[at]]
            if code != SPACE or before != SPACE:
                value = (value * FACTOR + code) & MASK
                length += 1
            before = code
            at += 1
        if at == len(text):
            break
        while at < len(text) and length <= longest and fold[text[at]] >= WORD:
            value = (value * FACTOR + fold[text[at]]) & MASK
            length += 1
            at += 1
    return count


@kernel
def scan(text: Any, fold: Any, tables: Any, longest: int, found: Any) -> int:
    """Write every whole-word occurrence of every form, overlapping ones too; return their number.

    `fold[text[i]]` is the i-th folded character. `tables`: forms, table and flags as `enter` left
    them. `found` receives start, end and number of each, side by side; what does not fit is
    counted, not written.
    """
    flags = tables[2]
    count = 0
    at = 0
    while at < len(text):
        code = fold[text[at]]
        at += 1
        if code < WORD:
            continue
        word = at - 1
        value = 0
        while code >= WORD:
            value = (value * FACTOR + code) & MASK
            if at == len(text):
                at += 1
                break
            code = fold[text[at]]
            at += 1
        if flag_of(value, flags):
            count = follow(text, fold, tables, word, at - 1, value, longest, found, count)
    return count
