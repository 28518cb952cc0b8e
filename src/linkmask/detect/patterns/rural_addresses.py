"""Recognizes addresses without a street word: grids, rural routes, door numbers, named houses.

A place after "lives at" and the like counts, too, whatever its form.
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns.postcode_addresses import ASKED, NO_STREET, NUMBER, STREET_LONG
from linkmask.detect.patterns.rule import Rule, Verdict, before, pieces, words
from linkmask.detect.patterns.street_context import BREAK, FLAT, PROVINCE, STATE, whole_address

HEAD = r"(?<![\w.,/$€#+-].)"
WORD = r"[^\W\d_a-zß-ÿ][^\W\d_](?:[^\W\d_]|['’](?=\w)){1,20}"

# ── a number and a point of the compass: 1208 W Olive, 88 n canal unit 4c ───────────────────────

NO_STREET_BEHIND = frozenset(
    "coli africa korea america american korean african laser light power bulb lamp wing ward tower"
    " building campus side entrance region end and or of to the is was at on in by for from with"
    " patients cases saline pole".split()
)
"""What no street is called by behind a letter: 12 E. coli, 60 W lamp."""


def _compass(text: str, start: int, end: int) -> Verdict:
    """Take "1208 W Olive"; in small letters where an address may begin, or before a flat."""
    parts = re.findall(r"[^\W\d_]{2,}", text[start:end])
    if not parts or {parts[0].lower(), parts[-1].lower()} & NO_STREET_BEHIND:
        return None
    if text[start:end].lower() == text[start:end]:
        flat = re.match(rf"(?i:{BREAK}{FLAT})", text[end : end + 24])
        return ("ADDRESS", 0.85) if flat or ASKED.search(before(text, start, 24)) else None
    return "ADDRESS", 0.9


# ── Wisconsin and its like: W4410 Cty Rd K, N6021 Town Line Rd ──────────────────────────────────

STREETS_EN = schema.words("streets")["en"]
ROADS = "|".join(sorted(STREETS_EN, key=len, reverse=True))
COUNTY = r"(?:County|Cty|Cnty|Co|State|US|Town|CTH|STH)\.?"
ROAD = r"(?:Road|Rd|Highway|Hwy|Route|Rte|Trunk)\.?"

# ── rural routes: RR#4, Site 12, Comp 7, Powell River BC; Star Rte 2 ────────────────────────────

SITES = r"(?:,? (?i:site|comp|box|group|grp|stn|compartment)\.? #?[0-9]{1,5}[A-Za-z]?)"
TOWN = rf"(?:,[ \n]?| |\n){WORD}(?:[ -]{WORD}){{0,2}}"


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

# ── houses with a name: The Old Byre, Nether Stowey Road; Clos des Lilas, 88500 Mirecourt ───────

HOUSES_EN = (
    "House|Cottages?|Byre|Barn|Farm|Farmhouse|Lodge|Croft|Mill|Forge|Rectory|Vicarage|Manse|Grange"
    "|Stables|Bungalow|Villa"
)
HOUSES_FR = (
    "ferme", "mas", "clos", "domaine", "moulin", "manoir", "hameau", "villa", "bastide", "cité",
    "chalet", "lotissement", "immeuble", "résidence", "résid", "rés",
)  # fmt: skip
LINK_FR = r"(?:(?:de|du|des|la|le|les|aux?|en|sur|sous)[ ]|[dDlL]['’])"
NAME_FR = rf"(?:[ ](?i:{LINK_FR}){{0,3}}[A-ZÀ-Þ][\w'’-]{{1,24}}){{1,3}}"
STREET_WORD_FR = "|".join(sorted(schema.words("streets")["fr"], key=len, reverse=True))
GOES_ON_FR = (
    r"(?=,? ?(?:[-–] ?)?(?i:bât|esc|appt?|ent|porte|étage)(?!\w)\.? ?\w{1,3}(?!\w)"
    r"|,?[ ]?\n?[ ]?(?:[0-9]{5}|[0-9]{2} [0-9]{3}) [A-ZÀ-Þ]"
    rf"|,?[ ]?\n?[ ]?(?i:{STREET_WORD_FR})\.? )"
)

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
    "different other place places home homes house houses address addresses locations sites hours"
    " percent months week month year day degrees level levels rate rates least most risk".split()
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
        "street-compass",  # 1208 W Olive, 77 1/2 N Quarry
        "ADDRESS",
        rf"[1-9]{HEAD}[0-9]{{1,5}}(?: 1/2)? (?:[NSEWnsew]|N[EW]|S[EW]|n[ew]|s[ew])\.? "
        rf"(?:{WORD}(?: {WORD})?|[a-z]{{3,15}}(?=[ ,.;\n]|$)(?: (?:{ROADS.lower()})(?!\w))?"
        rf"|[0-9]{{1,3}}(?:st|nd|rd|th|ST|ND|RD|TH)(?: (?i:{ROADS})(?!\w))?)(?![\w'’-])",
        judge=_compass,
        near=tuple(
            f"0 {point}{mark} "
            for point in ("n", "s", "e", "w", "ne", "nw", "se", "sw")
            for mark in ("", ".")
        ),
        reach=(16, 80),
        languages="en",
        countries="us",
        widen=whole_address,
    ),
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
        "street-rural",  # RR#4, Site 12, Comp 7, Powell River BC; Star Rte 2; RR 2, Wingham ON
        "ADDRESS",
        rf"[RrSs](?<!\w.)(?:(?<=[Rr])(?i:\.?r\.?|ural route|te)\.? ?(?:#|no\.? )? ?[0-9]{{1,3}}"
        rf"(?:{SITES}{{1,4}}(?:{TOWN},? (?:{PROVINCE}|{STATE})(?!\w))?|{TOWN},? {PROVINCE}(?!\w))"
        rf"|(?<=R)D ?[0-9]{{1,2}},[ \n]?{WORD}(?: {WORD})?(?= [0-9]{{4}}(?!\w)|[ ]?(?:\n|$))"
        rf"|(?<=[Ss])(?i:tar r(?:ou)?te?)\.? ?#?[0-9]{{1,3}}(?:,? (?i:box) [0-9]{{1,5}})?)(?!\w)",
        0.9,
        near=(
            "rd 0,",
            "rd 00,",
            "rr 0",
            "rr #0",
            "rr#0",
            "rr0",
            "r.r. 0",
            "r.r. #0",
            "route 0",
            "star rte 0",
            "star rt 0",
        ),
        reach=(16, 96),
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
        "house-en",  # The Old Byre, Nether Stowey Road; Kirkbrae Cottage, by Aberlour
        "ADDRESS",
        rf"[A-Z](?<!\w.)[\w'’-]{{0,20}} (?:[A-Z][\w'’-]{{1,20}} ){{0,2}}?(?:{HOUSES_EN})(?:, ?|\n)"
        rf"(?:(?:by|near|nr|off) {WORD}(?: {WORD}){{0,2}}"
        rf"|{WORD}(?: {WORD}){{0,2}} (?:{'|'.join(STREET_LONG)}))(?: (?i:{ROADS}))?(?!\w)",
        0.85,
        near=tuple(
            f" {house.lower()}{mark}"
            for house in HOUSES_EN.replace("s?", "").split("|")
            for mark in (",", " ", "s,", "s ")
        ),
        reach=(72, 96),
        countries="gb",
        widen=whole_address,
    ),
    Rule(
        "house-fr",  # Clos des Lilas, 88500 Mirecourt; Ferme de la Croix⏎Route de …
        "ADDRESS",
        rf"{words(HOUSES_FR, point=True)}{NAME_FR}{GOES_ON_FR}",
        0.85,
        near=tuple(f"{house}{mark} " for house in pieces(HOUSES_FR) for mark in ("", ".")),
        reach=(2, 120),
        whole=True,
        countries="fr ch",
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
