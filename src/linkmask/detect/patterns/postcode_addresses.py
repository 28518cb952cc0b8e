"""Recognizes addresses by their postcode, in any notation.

A British or Irish address may have no street. Then it is the words in capitals before its postcode,
from a house number or name on. There are few postcode areas, so postcodes are also recognized in
lower case.
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns.rule import Rule, Verdict, before, words
from linkmask.detect.patterns.street_context import CODE_CA, CODE_IE

AREAS = frozenset(schema.words("addresses")["gb_areas"])
"""Letters that British postcodes begin with (Royal Mail)."""
LAST = "[ABD-HJLNP-UW-Zabd-hjlnp-uw-z]"
"""Letters that they end with."""
NO_CODE = ("st", "nd", "rd", "th", "yr", "hr")
CUE = re.compile(r"(?i)(?<!\w)(?:post ?code|p ?code|address|eircode)(?!\w)[^\n\d]{0,24}$")


def _area(code: str) -> str:
    """Return the letters that a postcode begins with, in capitals."""
    letters = re.match("[A-Z ]+", code.upper())
    return letters[0].replace(" ", "") if letters else ""


# ── what stands before a postcode ───────────────────────────────────────────────────────────────

PIECE = re.compile(
    r"[A-Z0-9](?<![\w.'’/-].)[\w'’./-]{0,30}"
    r"(?:[ ](?:[A-Z0-9][\w'’./-]{0,30}"
    r"|(?:on|upon|by|le|the|under|next|off|near|y|na|an|(?<=sle )of)(?= ))){0,5}$"
)
"""Capitalised words at the end of a line's part."""
HOUSE = re.compile(
    r"(?:(?:Flat|Unit|Apt|Apartment|Penthouse|Suite|Room) )?[0-9]{1,4}[A-Za-z]?(?= [A-Z])"
    r"|(?:Flat|Unit|Apt|Apartment|Penthouse|Suite|Room)"
    r" (?:[0-9]{1,4}(?:/[0-9]{1,2}|[A-Za-z])?|[A-Z])$"
    r"|(?:(?:Top|Basement|Garden|Upper|Lower|First|Second|Third) (?:Floor )?|Ground Floor )Flat$"
    r"|P\.? ?O\.? Box [0-9]|The [A-Z]"
    r"|(?:[A-Z][\w'’-]{1,30} ){1,3}(?:House|Cottages?|Croft|Forge|Farm|Farmhouse|Barn"
    r"|Mill|Lodge|Villas?|Hall|Rectory|Vicarage|Manse|Court|Lofts?|Grange|Stables|Bungalow|Mews)$"
)
TITLED = re.compile(r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Rev|Sir|Dear|Re|From|To)\b")
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


def _postcode(text: str, start: int, end: int) -> Verdict:
    """Take a postcode of an area that exists; in small letters not "at4 9th" or "b1 2ss".

    A dozen households share one, so it is an address.
    """
    code = text[start:end]
    area = _area(code)
    if area not in AREAS:
        return None
    doubtful = code.lower().endswith(NO_CODE) or len(area) < 2
    if not code.isupper() and doubtful and not CUE.search(before(text, start, 48)):
        return None
    return "ADDRESS", 0.95


def _eircode(text: str, start: int, end: int) -> Verdict:
    """Take an Irish postcode, which each house has its own of: the last four are mixed."""
    tail = text[end - 4 : end]
    mixed = any(map(str.isdigit, tail)) and any(map(str.isalpha, tail))
    return ("ADDRESS", 0.95) if mixed else None


# ── words that are no street, numbers in words: for addresses in lower case ─────────────────────

NO_STREET = frozenset(schema.words("addresses")["no_street"])


IN_WORDS = schema.words("numbers")["en"]
MORE = rf"(?:[ -](?:and )?{words([*IN_WORDS, 'oh', 'zero', 'hundred', 'thousand'])})"
NUMBER = rf"(?:{words(IN_WORDS[1:])}{MORE}{{0,5}}+|{words(IN_WORDS[:1])}{MORE}{{1,5}}+)"
"""Forty-one, one oh four, twelve hundred; "one" alone counts things."""


POSTCODES = (
    Rule(
        "postcode-gb",  # BS7 8QT, bs7 8qt; 3 The Croft, Little Sutton, CH66 1NN
        "ADDRESS",
        rf"[A-Za-z](?<!\w.)[A-Za-z]?[0-9][A-Za-z0-9]? [0-9]{LAST}{{2}}(?!\w)",
        judge=_postcode,
        near=tuple(f" 0{letter}" for letter in "abdefghjlnpqrstuwxyz"),
        reach=(8, 40),
        countries="gb",
        widen=_from_house,
    ),
    Rule(
        "postcode-gb-small",  # eh128ln
        "ADDRESS",
        rf"[A-Za-z](?<!\w.)[A-Za-z][0-9]{{2,3}}{LAST}{{2}}(?!\w)",
        judge=_postcode,
        near=tuple(f"00{letter}" for letter in "abdefghjlnpqrstuwxyz"),
        reach=(4, 32),
        countries="gb",
    ),
    Rule(
        "eircode",  # H91 K7PX; Sea View, Ballybunion, V31 XK70
        "ADDRESS",
        rf"{CODE_IE[:15]}(?<!\w.){CODE_IE[15:]}(?!\w)",
        judge=_eircode,
        near=tuple(f"{letter}0{second} " for letter in "acdefhknprtvwxy" for second in "0w"),
        reach=(4, 48),
        countries="gb",
        widen=_from_house,
    ),
    Rule(
        "postcode-ca",  # V0J 3A0; Site 14, RR 2, Vanderhoof BC V0J 3A0
        "ADDRESS",
        rf"{CODE_CA[:18]}(?<!\w.){CODE_CA[18:].replace(' ?', ' ')}(?!\w)",
        0.95,
        near=tuple(f" 0{letter}0" for letter in "abceghjklmnprstvwxyz"),
        reach=(8, 40),
        widen=_from_house,
    ),
)
