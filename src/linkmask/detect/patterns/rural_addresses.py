"""Recognizes addresses without a street word: grids, door numbers, a name and a flat.

A place after "lives at" and the like counts, too, whatever its form.
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns.postcode_addresses import NO_STREET, NUMBER
from linkmask.detect.patterns.rule import Rule, Verdict, before
from linkmask.detect.patterns.street_context import whole_address

HEAD = r"(?<![\w.,/$€#+-].)"
WORD = r"[^\W\d_a-zß-ÿ][^\W\d_](?:[^\W\d_]|['’](?=\w)){1,20}"

# ── Wisconsin and its like: W4410 Cty Rd K, N6021 Town Line Rd ──────────────────────────────────

STREETS_EN = schema.words("streets")["en"]
ROADS = "|".join(sorted(STREETS_EN, key=len, reverse=True))
COUNTY = r"(?:County|Cty|Cnty|Co|State|US|Town|CTH|STH)\.?"
ROAD = r"(?:Road|Rd|Highway|Hwy|Route|Rte|Trunk)\.?"

# ── door numbers of India: D.No. 4-11/2, 3rd Cross, Gandhi Nagar, behind Ganesh temple ──────────

AREAS = (
    "cross|main|nagar|colony|layout|street|st|road|rd|marg|lane|bazaar|bazar|chowk|vihar|puram|pet"
    "|enclave|society|apartments?|complex|block|phase|sector|stage|floor|village|post|taluk|mandal"
    "|dist|district|extension|extn|behind|near|opp|opposite|next"
)
DOOR_PART = (
    rf"(?:,[ ]?\n?[ ]?(?:(?=[^,\n;:]{{0,40}}\b(?i:{AREAS})\b)[^,\n;:]{{3,40}}"
    rf"|{WORD}(?: {WORD}){{0,2}}(?=[,.\n;]|$)))"
)
"""A part of an address behind a door's number: one with a word of AREAS, or a place's name."""

LINK_FR = r"(?:(?:de|du|des|la|le|les|aux?|en|sur|sous)[ ]|[dDlL]['’])"

# ── a name and a flat: 2290 Fruitvale #4, 418 Larkspur Apt 12B ──────────────────────────────────


def _flat(text: str, start: int, end: int) -> Verdict:
    """Take a number, a name and a flat's, but not "Form 22 Part #4"."""
    return None if NOT_CALLED.search(text, start, end) else ("ADDRESS", 0.9)


NOT_CALLED = re.compile(
    r"(?i)(?<!\w)(?:ward|wing|bed|room|floor|tower|building|bldg|block|gate|bay|level|form|part|claim|invoice|item|order"
    r"|page|line|lot|batch|box|case|visit|check|cheque|account|policy|plan|units?|patients?|members?|step|phase"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?!\w)(?! (?:apt|unit|#))"
)

# ── said to be lived at ─────────────────────────────────────────────────────────────────────────

LIVES = (
    r"(?i:live|lives|lived|living|reside|resides|residing|staying|stays|moved|relocated"
    r"|address(?: on file)? is|home is)"
)
LIVED = re.compile(rf"(?<!\w){LIVES} (?:at|to) ?(?:,? ?(?:u[hm]m?|er),? )?$")
NO_PLACE = (NO_STREET - {"the", "old", "new", "long", "wide", "main"}) | frozenset(
    schema.words("context")["not_lived_at"]
)


GOES_ON = (
    "(?!(?:and|with|in|but|since|for|because|now|um|so|which|where|near|until|next|my|his|her) )"
)
"""Before a word behind a place: none that begins something else."""


def _lived_at(text: str, start: int, end: int) -> Verdict:
    """Take "seventeen the paddocks abergavenny" behind "I live at"."""
    if not LIVED.search(before(text, start, 48)):
        return None
    said = re.findall("[a-z]+", text[start:end].lower())
    return ("ADDRESS", 0.85) if NO_PLACE.isdisjoint(said) else None


RULES = (
    Rule(
        "street-flat",  # 2290 Fruitvale #4
        "ADDRESS",
        rf"[1-9]{HEAD}[0-9]{{1,5}} (?:[NSEW]\.? )?{WORD}(?: {WORD}){{0,2}},? "
        r"(?:#|(?i:apt|unit|suite|ste)\.? ?#?)"
        r"(?!(?:19|20)[0-9]{2})[0-9]{1,4}[A-Za-z]?(?![\w-]|[.,/][0-9])",
        judge=_flat,
        near=(
            *(
                f"{word}{mark}0"
                for word in (" apt", " unit", " suite", " ste")
                for mark in (" ", ". ", " #", ". #")
            ),
            " #0",
        ),
        reach=(72, 24),
        digit=(72, 0),
        countries="us",
        widen=whole_address,
    ),
    Rule(
        "street-grid",  # W4410 Cty Rd K, N6021 TOWN LINE RD, W3312 County Hwy QQ
        "ADDRESS",
        rf"[NSEW](?<!\w.)[0-9]{{3,5}}(?:[NSEW][0-9]{{3,5}})? "
        rf"(?:(?i:{COUNTY} {ROAD}) [A-Z0-9]{{1,3}}"
        rf"|(?:[A-Z][\w'’.]{{0,20}} ){{1,3}}(?i:{ROADS}))(?!\w)",
        0.95,
        near=tuple(f"{point}{'0' * size} " for point in "nsew" for size in (3, 4, 5)),
        reach=(12, 80),
        countries="us",
        widen=whole_address,
    ),
    Rule(
        "door-number",  # D.No. 4-11/2, 3rd Cross, Gandhi Nagar
        "ADDRESS",
        r"[DHPFdhpf](?<!\w.)(?:(?<=[DHdh])\.? ?|(?<=[Dd])(?i:oor) |(?<=[Hh])(?i:ouse) "
        r"|(?<=[Pp])(?i:lot) |(?<=[Ff])(?i:lat) )"
        rf"(?i:no)\.?:? ?[0-9][\w/-]{{0,12}}{DOOR_PART}{{1,6}}",
        0.95,
        near=("no. 0", "no 0", "no.0", "no: 0", "no.: 0", "no.:0"),
        reach=(12, 240),
        widen=whole_address,
    ),
    Rule(
        "lived-at",  # I live at seventeen the paddocks abergavenny
        "ADDRESS",
        rf"(?:[0-9]{HEAD}[0-9]{{0,4}}[a-z]?(?: 1/2)?|{NUMBER}) [A-Za-z][a-z'’]{{2,15}}"
        rf"(?: {GOES_ON}[A-Za-z][a-z'’]{{2,15}}){{0,3}}(?![\w'’-])",
        judge=_lived_at,
        near=(
            " live at ",
            "lives at ",
            "lived at ",
            "living at ",
            "reside at ",
            "resides at ",
            "residing at ",
            "staying at ",
            "moved to ",
        ),
        reach=(0, 160),
        widen=whole_address,
    ),
)
