"""Recognizes addresses by a postcode, a house name or a number word, and postcodes in any notation.

A British or Irish address may have no street. Then it is the words in capitals before its postcode,
from a house number or name on. There are few postcode areas, so postcodes are also recognized in
lower case and spelled letter by letter.
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns.rule import Rule, Verdict, before, words
from linkmask.detect.patterns.street_context import CODE_CA, CODE_IE, whole_address

AREAS = frozenset(
    "AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E"
    " EC EH EN EX FK FY G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL"
    " LN LS LU M ME MK ML N NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM"
    " SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO ZE".split()
)
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


# ── English streets in small letters, with a number in words or behind ──────────────────────────

STREET_SMALL = (
    "street|road|avenue|lane|close|drive|crescent|terrace|court|gardens|grove|mews|parade|st|rd|ave"
    "|boulevard|blvd|parkway|pkwy|circle|cir|trail|trl|ln|ct"
)
STREET_LONG = tuple(
    word
    for word in schema.words("streets")["en"]
    if word.lower() not in schema.words("streets")["short"] and word not in ("View", "Run", "Path")
)
NAMED = r"(?:[A-Z][\w.'’-]{0,30} ){1,3}"
TOWN = (
    r"(?:, (?!Dear|Re|Tel|Phone)[A-Z][\w'’-]{2,24}(?: [A-Z][\w'’-]{2,24}){0,2}"
    r"(?=[.,;:)\n]|$| [a-z]))?"
)
ASKED = re.compile(
    r"(?i)(?:^|\n|[:>] {0,4}"
    r"|(?<!\w)(?:at|address|is|was|its|it['’]s|lives?|from|to|of|on|still|home)"
    r" |, )(?:(?:u[hm]m?|er|erm|like),? )?$"
)
NO_STREET = frozenset(
    "the of and more main other long busy next miles mile days years minutes people cars lanes"
    " times out off down up per new old open wide short way from over under weeks hours doors"
    " blocks metres meters feet yards were was are very so too quite in at on for with by".split()
)


def _lowercase_street(text: str, start: int, end: int) -> Verdict:
    """Take "41 larkspur close" where an address may begin."""
    return street_where_address_begins(text, start) if has_street_name(text[start:end]) else None


def has_street_name(street: str) -> bool:
    """Tell whether a lower-case street has a name, unlike "miles of the road"."""
    return NO_STREET.isdisjoint(re.findall("[a-z]+", street)[:-1])


def street_where_address_begins(text: str, start: int) -> Verdict:
    """Take a street where an address may begin."""
    return ("ADDRESS", 0.85) if ASKED.search(before(text, start, 24)) else None


IN_WORDS = schema.words("numbers")["en"]
MORE = rf"(?:[ -](?:and )?{words([*IN_WORDS, 'oh', 'zero', 'hundred', 'thousand'])})"
NUMBER = rf"(?:{words(IN_WORDS[1:])}{MORE}{{0,5}}+|{words(IN_WORDS[:1])}{MORE}{{1,5}}+)"
"""Forty-one, one oh four, twelve hundred; "one" alone counts things."""
THINKING = r"(?:,? (?i:u[hm]m?|er|erm)(?!\w),?)?"
SAID_SMALL = (
    "street|road|avenue|lane|close|drive|crescent|terrace|court|gardens|grove|mews|boulevard"
    "|parkway|circle|trail"
)
ALSO_A_WORD = re.compile("(?:close|drive|court|grove|circle|trail)$")
GOES_ON = re.compile(
    r" (?!in |and |um |uh |apt |apartment |unit |flat |off |near |with |since )[a-z]"
)
IN_WORDS_FIRST = re.compile(rf"(?:{NUMBER}){THINKING}")


def _said_small(text: str, start: int, end: int) -> Verdict:
    """Take "forty two maple street" where an address may begin; no "two very close friends"."""
    number = IN_WORDS_FIRST.match(text, start, end)
    if not number or (ALSO_A_WORD.search(text[start:end]) and GOES_ON.match(text, end)):
        return None
    return (
        street_where_address_begins(text, start)
        if has_street_name(text[number.end() : end])
        else None
    )


SAID = (
    "Street|Road|Avenue|Lane|Drive|Close|Crescent|Terrace|Gardens|Row|Mews|Grove|Parade|Boulevard"
    "|Cottages"
)

SAID_RULES = (
    Rule(
        "street-in-words",  # forty-one Wattle Street
        "ADDRESS",
        rf"{NUMBER}{THINKING},? {NAMED}(?:{SAID})(?!\w){TOWN}",
        0.9,
        near=tuple(f" {street.lower()}" for street in SAID.split("|")),
        reach=(120, 72),
        whole=True,
        widen=whole_address,
    ),
    Rule(
        "street-in-words-small",  # one oh four north birch lane
        "ADDRESS",
        rf"{NUMBER}{THINKING} [a-z]{{3,15}}(?: [a-z]{{3,15}}){{0,2}}? (?:{SAID_SMALL})(?![\w'’-])",
        judge=_said_small,
        near=tuple(f" {street}" for street in SAID_SMALL.split("|")),
        reach=(120, 96),
        whole=True,
        widen=whole_address,
    ),
)
"""Tried before dates: a house may be said as a year is, "nineteen sixty-two Cedar Road"."""

RULES = (
    Rule(
        "street-number-said",  # number nine, Chapel Row; No. 9, The Terrace
        "ADDRESS",
        rf"[nN](?<!\w.)(?:umber|o\.) ?(?:[0-9]{{1,4}}[A-Za-z]?|{NUMBER}|one),? {NAMED}"
        rf"(?:{'|'.join(STREET_LONG)})(?!\w){TOWN}",
        0.9,
        near=("number ", "no. 0"),
        reach=(2, 120),
        widen=whole_address,
    ),
    Rule(
        "street-number-behind",  # Pepys Cottages, number 14a, Mousehole
        "ADDRESS",
        rf"[A-Z](?<!\w.)[\w.'’-]{{0,30}} (?:[A-Z][\w.'’-]{{0,30}} ){{0,2}}"
        rf"(?:{'|'.join(STREET_LONG)}),? (?i:number|no\.?|nr\.?) ?"
        rf"[0-9]{{1,4}}[A-Za-z]?(?!\w){TOWN}",
        0.9,
        near=("number 0", "no. 0", "no 0", "nr 0", "nr. 0", "no.0"),
        reach=(110, 64),
        widen=whole_address,
    ),
    Rule(
        "street-small",  # 41 larkspur close
        "ADDRESS",
        r"[0-9](?<![\w.,/$€£#-].)[0-9]{0,4}[a-z]?(?: 1/2)? "
        r"(?:(?:[nsew]|north|south|east|west)\.? )?"
        r"(?:[a-z]{3,15}(?: [a-z]{3,15})?|[0-9]{1,3}(?:st|nd|rd|th))"
        rf" (?:{STREET_SMALL})(?![\w'’-])",
        judge=_lowercase_street,
        near=tuple(f" {street}" for street in STREET_SMALL.split("|")),
        reach=(40, 64),
        digit=(40, 0),
        whole=True,
        widen=whole_address,
    ),
    Rule(
        "lieu-dit",
        "ADDRESS",
        r"[lL](?<!\w.)ieu-?dit [«\"]? ?(?:[A-ZÀ-Þ][\w'’-]{0,30}|[lL]['’]\w{1,30}"
        r"|(?:le|la|les|du|de) )"
        r"(?: ?[A-ZÀ-Þ][\w'’-]{1,30}){0,3}",
        0.9,
        near=("lieu-dit ", "lieudit "),
        reach=(2, 96),
        countries="fr ch",
        widen=whole_address,
    ),
)

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
        "postcode-gb-together",  # postcode bs78qt
        "ADDRESS",
        r"(?i:post ?code|p ?code)(?!\w)[^\n\d]{0,16}?"
        rf"(?<!\w)(?P<v>[A-Za-z]{{1,2}}[0-9][A-Za-z0-9]?[0-9]{LAST}{{2}})(?!\w)",
        judge=_postcode,
        near=("postcode", "post code", "pcode"),
        reach=(2, 40),
        digit=(0, 32),
        countries="gb",
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
        "postcode-gb-said",  # B S 7, 8 Q T
        "ADDRESS",
        r"[A-Za-z](?<!\w.)(?: [A-Za-z])? [0-9]{1,2}(?: [A-Za-z0-9])?,? [0-9] "
        rf"{LAST} {LAST}(?!\w)",
        judge=_postcode,
        near=tuple(f" 0 {letter} " for letter in "abdefghjlnpqrstuwxyz"),
        reach=(16, 48),
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
