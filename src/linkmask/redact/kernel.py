"""Scans texts for the spellings of masked values, in a compiled loop.

It runs compiled over arrays for large texts and uncompiled over lists for small ones, with the
same results. The cost is linear in the text, plus the words of a form at the few places where one
begins. Cache misses and mispredicted branches would take most of the time. Therefore the scan
processes the text in blocks and issues all look-ups of a block before it uses their results, so
that no look-up waits for another.

1. `read_words` hashes the words of a block; this needs no table.
2. `firsts`, small enough for the cache, has the first words of all forms. It says whether a word is
   a form by itself, and whether a form may continue after it.
3. `flags` has all longer prefixes of forms that end with a word, and says the same of them. All
   places where a form may have begun advance by one word at a time. Before that, places are
   dropped where no form has the next word after its first; `later`, as small as `firsts`, has
   these words.
4. `report` looks up each possible end and compares the form character by character. So two prefixes
   with the same hash cost time but never give a false match.

`form_table` tells what `forms` and `table` hold.
"""

from __future__ import annotations

from typing import Any

from linkmask.formulas import kernel
from linkmask.redact.form_table import GOES_ON, HEAD, WORD, flag_of, mixed, slot_of, spread

ZERO = WORD + 48
SPACE, COMMA, POINT = 32, 44, 46
LINE = 16
"""Numbers of a form that come from memory at once."""
ROW = 3
"""Numbers of a word that was read."""


@kernel
def joins_digits(text: Any, fold: Any, at: int) -> bool:
    """Tell whether a point or comma stands between digits, as in 52.5 or 1,520."""
    if fold[text[at]] not in (POINT, COMMA) or at == 0 or at + 1 == len(text):
        return False
    before, after = fold[text[at - 1]], fold[text[at + 1]]
    return bool(ZERO <= before <= ZERO + 9 and ZERO <= after <= ZERO + 9)


@kernel
def is_whole(text: Any, fold: Any, left: int, right: int) -> bool:
    """Tell whether a span is whole words and no part of a longer number (formulas.md §10.1)."""
    if left > 0 and (fold[text[left - 1]] >= WORD or joins_digits(text, fold, left - 1)):
        return False
    return right == len(text) or (fold[text[right]] < WORD and not joins_digits(text, fold, right))


@kernel
def begin_of(text: Any, fold: Any, word: int, lead: int) -> int:
    """Return where a form begins that has `lead` characters before its first word, or −1."""
    begin = word
    for _ in range(lead):
        begin -= 1
        while begin > 0 and fold[text[begin]] == SPACE and fold[text[begin - 1]] == SPACE:
            begin -= 1
        if begin < 0:
            return -1
    return begin


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
    """Hash the next words, as many as `words` has room for.

    Of each, three numbers: begin, hash, and that of what stands before it and itself.
    Return how many there are and where the next one may begin.
    """
    count = 0
    size = len(text)
    before = -1
    between = 0
    while at < size and ROW * count < len(words):
        code = fold[text[at]]
        if code < WORD:
            if code != SPACE or before != SPACE:
                between = mixed(between, code)
            before = code
            at += 1
            continue
        words[ROW * count] = at
        value = 0
        while code >= WORD:
            value = mixed(value, code)
            at += 1
            if at == size:
                break
            code = fold[text[at]]
        words[ROW * count + 1] = value
        words[ROW * count + 2] = mixed(between, value)
        count += 1
        before = -1
        between = 0
    return count, at


@kernel
def report(
    text: Any, fold: Any, forms: Any, table: Any, ends: Any, left: int, found: Any, count: int
) -> tuple[int, int]:
    """Write the forms that did end where they may have.

    Return the new number of finds, and the characters of the forms that were compared.

    Of each place, `ends` holds where the first word begins and the spread hash, then a free number.
    """
    for k in range(left):  # only to have them all fetched at once, and so below
        ends[3 * k + 2] = table[2 * (ends[3 * k + 1] & (len(table) // 2 - 1))]
    for k in range(left):
        ends[3 * k + 1] = table[2 * slot_of(ends[3 * k + 1], table) + 1]
    for k in range(left):
        head = max(ends[3 * k + 1], 0)
        ends[3 * k + 2] = forms[head] + forms[min(head + LINE, len(forms) - 1)]
    compared = 0
    for k in range(left):
        head = ends[3 * k + 1]
        while head >= 0:
            compared += forms[head]
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
    return count, compared


@kernel
def scan(
    text: Any, fold: Any, tables: Any, most: int, words: Any, begun: Any, ends: Any, found: Any,
    at: int, count: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Write every whole-word occurrence of every form in the block at `at`, overlapping ones too.

    Return where the next block begins, the new number of finds, and the steps taken: characters
    read and compared, and words by which places advanced.

    `fold[text[i]]` is the i-th folded character. `tables`: forms, table, flags, firsts and later as
    `enter` left them; `most`: words of the longest form. Scratch for a block of n words, n above
    `most` or above the words of the text: `words` 3n, `begun` 2n + 2, `ends` 6n + 3. `found` gets
    start, end and number of each hit, side by side; what does not fit is counted, not written.
    """
    forms, table, flags, firsts, later = tables
    room = len(words) // ROW
    begin = at
    read, at = read_words(text, fold, at, words)
    left = read
    if at < len(text):  # the last words begin the next block: what follows must be at hand
        left -= most
        at = words[ROW * left]
    steps = at - begin
    some = 0
    going = 0
    for index in range(left):
        value = words[ROW * index + 1]
        place = spread(value)
        flag = flag_of(place, firsts)
        begun[2 * going] = index
        begun[2 * going + 1] = value
        going += flag & GOES_ON
        ends[3 * some] = words[ROW * index]
        ends[3 * some + 1] = place
        some += flag >> 1
    for reach in range(1, most):
        if some > room:
            count, compared = report(text, fold, forms, table, ends, some, found, count)
            steps += compared
            some = 0
        left = going
        steps += going
        going = 0
        for k in range(left):
            index = begun[2 * k]
            begun[2 * going] = index
            begun[2 * going + 1] = begun[2 * k + 1]
            if index + reach < read:
                going += flag_of(spread(words[ROW * (index + reach) + 2]), later)
        left = going
        going = 0
        for k in range(left):
            index = begun[2 * k]
            value = mixed(begun[2 * k + 1], words[ROW * (index + reach) + 2])
            place = spread(value)
            flag = flag_of(place, flags)
            begun[2 * going] = index
            begun[2 * going + 1] = value
            going += flag & GOES_ON
            ends[3 * some] = words[ROW * index]
            ends[3 * some + 1] = place
            some += flag >> 1
        if not going:
            break
    count, compared = report(text, fold, forms, table, ends, some, found, count)
    return at, count, steps + compared
