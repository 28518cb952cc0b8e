"""Recognizes addresses without a street word: rural and army boxes, corners, any with a flat.

The words before a name and a number ("lives at Hovedgaden 17"), or the flat after them, show that
they are an address.
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns.rule import Rule, Verdict, before, pieces, words
from linkmask.detect.patterns.street_context import FLAT, whole_address

HEAD = r"(?<![\w.,/$€-].)"


def _flat(text: str, start: int, end: int) -> Verdict:
    """Drop "30 of the patients in unit 4": a street has a capital, or ends with its line."""
    named = re.match(r"\S+ (?:[0-9]\S* )?[^\W\d_a-zà-ÿ]|[^\n]{4,60}\n", text[start:end])
    return ("ADDRESS", 0.95) if named else None


CUED = re.compile(
    r"(?i)(?<!\w)(?:(?:address|adresse|anschrift)(?: of [^\n:]{2,30}| here)?"
    r"(?: is(?: at)?|:| :| to| with| est)?"
    r"|(?:lives?|living|lived|resid\w{1,4}|located|residence|home|office is|arrived?"
    r"|meet(?: me| you)?|staying|housed) at"
    r"|(?:sen[dt](?: \w{1,9}){0,3}|mail(?:ed)?|ship(?:ped)?|deliver(?:ed)?|move[ds]?|return"
    r"|relocated) to(?: me at)?"
    r"|wohnt|wohnhaft|habite|demeurant|domicilié[es]?)(?: at| in| au| à)?\s{0,2}:?\s{1,3}$"
)
ENDS = frozenset(schema.words("addresses")["trigger_ends"])
"""Words of which one stands last in them; `CUED` is slow, and most words are none of these."""


def _behind_trigger(text: str, start: int, end: int) -> Verdict:
    """Take a name and a number, in this order or the other, after words for where one lives."""
    lead = before(text, start, 56)
    last = (lead.rsplit(maxsplit=1) or [""])[-1].lower()
    cued = (last in ENDS or last.endswith(":")) and CUED.search(lead)
    return ("ADDRESS", 0.9) if cued else None


STREETS = tuple(schema.words("addresses")["streets_before"])
ENDINGS = tuple(schema.words("addresses")["street_endings"])
BEHIND = "(?:" + "|".join(f"(?<={end})" for end in ENDINGS) + ")"
LINKS = (
    "(?:(?:de|del|della|di|da|do|dos|das|la|las|los|dei|degli|delle|dell|św\\.) |d['’]|dell['’])"
)
NAMED = r"[^\W\d_a-zà-öø-ÿ][\w'’.-]{1,30}"
HOUSE = r",? (?:n[º°.] ?|#)?[0-9]{1,4} ?[a-zA-Z]?(?![\w%]|[.,/-][0-9])"


COUNTED = re.compile(
    r" (?:times|study|trials?|patients?|days|weeks|years|miles|minutes|hours|people|percent|fois)\b"
)


def _before(text: str, start: int, end: int) -> Verdict:
    """Take "Via Roma 12", yet not "sent via Roma 12" nor "the Via Christi 5 study"."""
    street = text[start].isupper() or text[start : start + 2] == "ul"
    return ("ADDRESS", 0.9) if street and not COUNTED.match(text, end) else None


PART = r"(?: (?:(?:de|da|do|di|du|des|delle|la|le|van|der) ){0,2}[^\W\d_a-zà-ÿ][\w'’.-]{1,30})"

RULES = (
    Rule(
        "street-road",  # N4521 County Road K
        "ADDRESS",
        rf"[NSEW0-9]{HEAD}[0-9]{{0,6}}[A-Z]? (?:(?:North|South|East|West|[NSEW])\.? )?"
        r"(?:County|Cty|Cnty|State|US|U\.S\.|Township|Ranch|Farm(?: to Market)?|Old) "
        r"(?:Road|Rd|Highway|Hwy|Route|Rte|Trunk)\.? [A-Z0-9]{1,5}(?!\w)",
        0.95,
        near=(" road ", " rd ", " highway ", " hwy ", " route ", " rte ", " trunk "),
        reach=(48, 64),
        countries="us",
        widen=whole_address,
    ),
    Rule(
        "street-box",  # RR 2 Box 118; Unit 4719 Box 7394, APO AP 70942; PSC 3294, Box 9168
        "ADDRESS",
        r"[RHUP](?<!\w.)(?:(?<=R)(?:R|te?|oute|FD)\.?|(?<=R)ural (?i:route)|(?<=H)C|(?<=U)nit"
        r"|(?<=P)SC)"
        r" #?[0-9]{1,5},? Box #?[0-9]{1,5}[A-Za-z]?(?!\w)(?:,?[ \n]{1,2}[AFD]PO,? A[AEP])?",
        0.95,
        near=("0 box 0", "0, box 0", "0 box #0", "0, box #0"),
        reach=(24, 64),
        countries="us",
        widen=whole_address,
    ),
    Rule(
        "street-corner",  # the corner of Mill Avenue and 3rd Street
        "ADDRESS",
        r"[cCiI](?<!\w.)(?i:(?<=c)orner|(?<=i)ntersection|(?<=c)rossing) of (?:the )?"
        r"(?P<v>(?:[A-Z0-9][\w.'’-]{0,30} ){1,5}(?:and|&)(?: [A-Z0-9][\w'’-]{0,30}){1,4})",
        0.9,
        near=("corner of", "intersection of", "crossing of"),
        reach=(4, 180),
    ),
    Rule(
        "street-flat-elsewhere",  # 31195 Piazza Bellini 35⏎Apt. 329
        "ADDRESS",
        rf"[0-9]{HEAD}[0-9]{{0,5}}[A-Za-z]?(?: [^\s,;:|\[\]]{{1,24}}){{1,6}}"
        rf"(?:,? ?\n?[ >?*]{{0,5}}|, )(?i:{FLAT})",
        judge=_flat,
        near=tuple(f" {flat}" for flat in ("apt", "apartment", "suite", "unit", "flat", "studio")),
        reach=(120, 32),
        digit=(120, 0),
        widen=whole_address,
    ),
    Rule(
        "street-before",  # Via Roma 12, Calle Mayor 5, ul. Zamkowa 33
        "ADDRESS",
        rf"{words(STREETS)}\.? (?:{LINKS}){{0,2}}{NAMED}"
        rf"(?: (?:{LINKS}){{0,2}}{NAMED}){{0,3}}{HOUSE}",
        judge=_before,
        near=pieces(STREETS),
        reach=(4, 120),
        digit=(0, 100),
        whole=True,
        widen=whole_address,
    ),
    Rule(
        "street-behind",  # Storgatan 4, Keizersgracht 12
        "ADDRESS",
        rf"[A-ZÅÄÖØÆ](?<!\w.)[\w'’-]{{3,34}}+{BEHIND}{HOUSE}",
        0.9,
        near=tuple(f"{end} 0" for end in ENDINGS),
        reach=(40, 48),
        widen=whole_address,
    ),
    Rule(
        "street-after-words",  # lives at 34 Skolegyden 99; address: Jagerij 64
        "ADDRESS",
        rf"[0-9A-ZÀ-Þ]{HEAD}(?:(?<=[0-9])[0-9]{{0,5}}[A-Za-z]?(?: [0-9]{{1,5}})?"
        rf"(?:{PART}{{1,4}} [0-9]{{1,5}}[a-z]?|{PART}{{2,4}})"
        rf"|[\w'’.-]{{1,30}}{PART}{{0,3}} [0-9]{{1,5}}[a-z]?)(?![\w%]|[.,/-][0-9])",
        judge=_behind_trigger,
        near=tuple(schema.words("context")["address_hints"]),
        reach=(0, 120),
        digit=(0, 120),
        widen=whole_address,
    ),
)  # fmt: skip
