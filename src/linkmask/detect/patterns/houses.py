"""Finds the house before a postcode, and widens addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkmask.detect.patterns.whole_address import whole_address
from linkmask.detect.recognizers.rule import Widen, before
from linkmask.schema import expression, words

PIECE = re.compile(
    r"[A-Z0-9](?<![\w.'’/-].)[\w'’./-]{0,30}"
    r"(?:[ ](?:[A-Z0-9][\w'’./-]{0,30}"
    r"|(?:on|upon|by|le|the|under|next|off|near|y|na|an|(?<=sle )of)(?= ))){0,5}$"
)
"""Capitalised words at the end of a line's part."""
HOUSE = re.compile(expression("houses_begin"))
TITLED = re.compile(rf"(?:{'|'.join(words('titles')['only'])}|Dr|Prof|Rev|Sir|Dear|Re|From|To)\b")
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
