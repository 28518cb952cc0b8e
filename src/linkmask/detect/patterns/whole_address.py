"""Widens an address over the parts of it that stand right beside it.

Flats, floors, postcodes, towns and countries are parts of an address. Each is a row of
`recognizers/addresses/beside.toml`; at most `PIECES` are taken in on either side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.patterns.ids import grouped
from linkmask.detect.recognizers.rule import Widen, before
from linkmask.detect.recognizers.shipped import AddressPiece, address_pieces
from linkmask.detect.structured.fields import type_of
from linkmask.schema import compiled, expression, types, types_of

PIECES = 6
WINDOW = 64
"""Characters before an address in which a piece is looked for."""
TO_CODE = 60
"""Characters between a street and its postcode, at most, and words."""
MOST_WORDS = 8
WORDS = re.compile(r"[^\W\d_]+")
SENTENCE = frozenset(
    schema.words("addresses")["sentence_en"] + schema.words("addresses")["sentence_fr"]
)
ENDED = compiled("whole_address_ended")
"""What ends a sentence or begins another field."""
WORD_END = re.compile(r"\w{0,8}")
LAST_WORD = re.compile(r",?\s[^\W\d_]{1,16}\.?\Z")
LABEL = compiled("whole_address_label")
NO_LABEL = types_of("place", "address") | {""}
NUMBERS = types_of("id")


@cache
def _pieces(side: Literal["before", "behind", "apart"]) -> tuple[re.Pattern[str], ...]:
    """Return the expressions of the pieces on one side, in the order in which they are tried."""
    end = "$" if side == "before" else ""
    of_side: list[AddressPiece] = [one for one in address_pieces() if one.side == side]
    return tuple(re.compile(f"(?:{one.pattern}){end}") for one in of_side)


def whole_address(text: str, start: int, end: int, first: int = 0) -> tuple[int, int]:
    """Return the span of the whole address that `[start, end)` is part of, from `first` on."""
    for _ in range(PIECES):
        lead = text[max(first, start - WINDOW) : start]
        cut = next((found for one in _pieces("before") if (found := one.search(lead))), None)
        if not cut:
            break
        start -= len(lead) - cut.start()
    for _ in range(PIECES):
        more = next((found for one in _pieces("behind") if (found := one.match(text, end))), None)
        if not more or more.end() == end or labels(more[0]):
            break
        end = more.end()
    return start, end


def labels(piece: str) -> bool:
    """Tell whether a piece begins with the label of something else: a line break, "Mob 98765"."""
    label = LABEL.match(piece) if "\n" in piece else None
    return bool(label and type_of(label[1]) not in NO_LABEL)


def with_parts_beside(text: str, spans: Iterable[Candidate]) -> list[Candidate]:
    """Return the spans, disjoint and sorted, with the parts that stand beside them.

    Such are the flat and the town of an ADDRESS, and the other groups of a number.
    """
    whole, end = list[Candidate](), 0
    for span in spans:
        if span.end <= end:
            continue
        one = span
        if span.type == types.ADDRESS:
            one = _with_parts(text, span, end)
        elif span.type in NUMBERS:
            one = span._replace(end=grouped(text, span.start, span.end)[1])
        start, end = max(one.start, end), one.end
        whole.append(one._replace(start=start))
    return whole


def _with_parts(text: str, one: Candidate, first: int) -> Candidate:
    stop = WORD_END.match(text, one.end).end()  # type: ignore[union-attr]
    last = LAST_WORD.search(text, one.start, stop)  # "bâtiment", of which the tagger left "C"
    start, end = whole_address(text, one.start, last.start() if last else stop, first)
    if end < stop:
        start, end = whole_address(text, one.start, stop, first)
    for postcode in _pieces("apart"):
        code = postcode.search(text, end, end + TO_CODE)
        if code and code.start() > end and _is_within_address(text, end, code.start()):
            end = code.end()
    return one._replace(start=start, end=end)


def _is_within_address(text: str, start: int, end: int) -> bool:
    """Tell whether what stands between a street and a postcode is more of the address."""
    words = [word.lower() for word in WORDS.findall(text, start, end)]
    if len(words) > MOST_WORDS or not SENTENCE.isdisjoint(words):
        return False
    return not ENDED.search(text, start - 1, end)


# ── the house before a postcode ───────────────────────────────────────────────────────────────

PIECE = compiled("whole_address_piece")
"""Capitalised words at the end of a line's part."""
HOUSE = re.compile(expression("houses_begin"))
TITLED = compiled("whole_address_titled")
PARTS = 6
"""Parts between commas that an address has, at most."""


def _from_house(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the address that ends with a postcode.

    It begins with a house; where none is seen, with one of the two names before the town's.
    """
    lead = before(text, start, 120).rstrip(" ,\n")
    base = max(0, start - 120)
    if start - base - len(lead) > 4:
        return start, end
    begin = named = start
    stop = len(lead)
    for parts in range(1, PARTS + 1):
        cut = max(lead.rfind(",", 0, stop), lead.rfind("\n", 0, stop)) + 1
        part = PIECE.search(lead[cut:stop])
        if not part:
            break
        if house := HOUSE.search(part[0]):
            begin = base + cut + part.start() + house.start()
        elif begin == start and parts in (2, 3) and not TITLED.match(part[0]):
            named = base + cut + part.start()
        new_line = begin < start and lead[cut - 1 : cut] == "\n"
        if new_line or not cut or lead[cut : cut + part.start()].strip():
            break
        if lead[:cut].endswith("\n\n"):
            break
        stop = len(lead[: cut - 1].rstrip())
    return min(begin, named), end


WIDENINGS: Mapping[str, Widen] = {"address": whole_address, "house": _from_house}
"""What extends a match to the address that it is part of, by the names that rows use."""
