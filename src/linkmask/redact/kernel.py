"""The two loops of the search: enter the forms, scan a text for them.

They run compiled over arrays when there is much text and as they stand, over lists, when there is
little; the results are the same. Cost: linear in the text, times the words of a form at the few
places where one begins. Waiting for memory would take most of the time, so the scan goes through
the text by blocks and asks each table about a whole block before it uses an answer: the questions
do not wait for one another.

1. `read_words` hashes the words of a block; that needs no table.
2. `firsts`, one bit per hash and small enough to stay near at hand, knows how forms begin.
3. `follow` goes on from the few words left, the hash of one word into the next. `flags` knows all
   prefixes of forms that end with a word: whether a form may end here, whether one may go on.
4. `report` looks up what may have ended and compares it, character by character. So two prefixes
   with one hash cost time and never a wrong hit.

`forms` holds for each form a head of four numbers and then its characters. The head: how many
characters it has, how many of them stand before its first word, the head of the next form with the
same hash (−1: none), and the number it is reported by. `table` holds two numbers per slot: a hash
(−1: free) and the head of the last form entered that has it.
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
def mark(place: int, flags: Any, flag: int) -> None:
    """Set a flag of a spread hash; four hashes share a byte, so that all stay near at hand."""
    at = place & (4 * len(flags) - 1)
    flags[at >> 2] |= flag << (2 * (at & 3))


@kernel
def flag_of(place: int, flags: Any) -> int:
    """Return the flags of a spread hash."""
    at = place & (4 * len(flags) - 1)
    found: int = (flags[at >> 2] >> (2 * (at & 3))) & 3
    return found


@kernel
def begins(place: int, firsts: Any) -> int:
    """Return 1 if a form may begin with the word of this spread hash, else 0."""
    at = place & (8 * len(firsts) - 1)
    bit: int = (firsts[at >> 3] >> (at & 7)) & 1
    return bit


@kernel
def enter(heads: Any, forms: Any, table: Any, flags: Any, firsts: Any) -> None:
    """Enter the forms at these heads; each holds a word. The sizes of the rest: powers of 2."""
    for head in heads:
        at = head + HEAD
        stop = at + forms[head]
        while forms[at] < WORD:
            at += 1
        while forms[stop - 1] < WORD:
            stop -= 1
        forms[head + 1] = at - head - HEAD
        value = 0
        first = True
        while True:
            while at < stop and forms[at] >= WORD:
                value = (value * FACTOR + forms[at]) & MASK
                at += 1
            if first:
                place = spread(value) & (8 * len(firsts) - 1)
                firsts[place >> 3] |= 1 << (place & 7)
                first = False
            if at == stop:
                break
            mark(spread(value), flags, GOES_ON)
            while forms[at] < WORD:
                value = (value * FACTOR + forms[at]) & MASK
                at += 1
        mark(spread(value), flags, ENDS)
        slot = slot_of(spread(value), table)
        forms[head + 2] = table[2 * slot + 1]
        table[2 * slot] = spread(value) & TAG
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
def read_words(text: Any, fold: Any, at: int, words: Any) -> tuple[int, int]:
    """Hash the next words, as many as `words` has room for: begin, end and hash of each.

    Return their number and where the next one may begin.
    """
    count = 0
    size = len(text)
    while at < size and 3 * count < len(words):
        code = fold[text[at]]
        if code < WORD:
            at += 1
            continue
        words[3 * count] = at
        value = 0
        while code >= WORD:
            value = (value * FACTOR + code) & MASK
            at += 1
            if at == size:
                break
            code = fold[text[at]]
        words[3 * count + 1] = at
        words[3 * count + 2] = value
        count += 1
    return count, at


@kernel
def follow(
    text: Any, fold: Any, flags: Any, word: int, at: int, value: int, longest: int, ends: Any,
    count: int,
) -> int:  # fmt: skip
    """Go on from the end of a first word for as long as some form does.

    Write where one may have ended: begin of the first word and spread hash, three numbers apart.
    Return the new number of these.
    """
    length = at - word
    while length <= longest:
        flag = flag_of(spread(value), flags)
        if flag & ENDS:
            ends[3 * count] = word
            ends[3 * count + 1] = spread(value)
            count += 1
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
def report(
    text: Any, fold: Any, forms: Any, table: Any, ends: Any, left: int, found: Any, count: int
) -> int:
    """Write the forms that did end where `follow` says; return the new number of finds."""
    for k in range(left):  # only to have them all fetched at once, and so below
        ends[3 * k + 2] = table[2 * (ends[3 * k + 1] & (len(table) // 2 - 1))]
    for k in range(left):
        ends[3 * k + 1] = table[2 * slot_of(ends[3 * k + 1], table) + 1]
    for k in range(left):
        ends[3 * k + 2] = forms[max(ends[3 * k + 1], 0)]
    for k in range(left):
        head = ends[3 * k + 1]
        while head >= 0:
            start = begin_of(text, fold, ends[3 * k], forms[head + 1])
            if start >= 0:
                stop = end_of(text, fold, start, forms, head + HEAD, head + HEAD + forms[head])
                if stop >= 0 and is_whole(text, fold, start, stop):
                    if 3 * count < len(found):
                        found[3 * count] = start
                        found[3 * count + 1] = stop
                        found[3 * count + 2] = forms[head + 3]
                    count += 1
            head = forms[head + 2]
    return count


@kernel
def scan(
    text: Any, fold: Any, tables: Any, longest: int, words: Any, likely: Any, ends: Any, found: Any
) -> int:
    """Write every whole-word occurrence of every form, overlapping ones too; return their number.

    `fold[text[i]]` is the i-th folded character. `tables`: forms, table, flags and firsts as
    `enter` left them. Scratch for a block of n words: `words` 3n, `likely` n + 1, `ends` three
    times n + longest. `found` receives start, end and number of each hit, side by side; what does
    not fit is counted, not written.
    """
    forms, table, flags, firsts = tables
    count = 0
    at = 0
    while at < len(text):
        read, at = read_words(text, fold, at, words)
        left = 0
        for index in range(read):
            likely[left] = index
            left += begins(spread(words[3 * index + 2]), firsts)
        some = 0
        for index in likely[:left]:
            word, end, value = words[3 * index], words[3 * index + 1], words[3 * index + 2]
            some = follow(text, fold, flags, word, end, value, longest, ends, some)
            if 3 * some >= len(words):
                count = report(text, fold, forms, table, ends, some, found, count)
                some = 0
        count = report(text, fold, forms, table, ends, some, found, count)
    return count
