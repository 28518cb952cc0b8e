"""Holds the judges of addresses, and what finds the house before a postcode."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from linkmask import schema
from linkmask.detect.patterns.rule import Judge, Verdict, Widen, after, before
from linkmask.detect.patterns.whole_address import labels, whole_address
from linkmask.schema import expression, types

STREETS_FR: list[str] = schema.words("streets")["fr"]
STREETS_DE: list[str] = schema.words("streets")["de"]
STATE = expression("address_judges_state")
WORDS = re.compile(r"[^\W\d_]{2,}")
LINE = re.compile("\n")

# ── streets ─────────────────────────────────────────────────────────────────────────────────────

NUMBERED = re.compile(
    r"(?:County|State|US|Township|Ranch|Farm|Twp) (?:Road|Rd|Highway|Hwy|Route|Rte)\.?$"
)


def _street_en(text: str, start: int, end: int) -> Verdict:
    """Drop "12 Senior Dr. Smith" and "3 Old St. Mary": the last word begins a name there."""
    if NUMBERED.search(text[start:end]) and re.match(" [0-9]", after(text, end, 2)):
        return None  # the road is called by a number, which another rule knows
    short = re.search(r" (?:Dr|St|Ct|Pl)\.?$", text[start:end])
    named = short and re.match(r"\.? [A-Z][a-z]", after(text, end, 4))
    return None if named else (types.ADDRESS, 0.95)


def _street_de(text: str, start: int, end: int) -> Verdict:
    """Drop "Weg 3": a street's name is more than the word for a street."""
    name = re.split(r" (?=[0-9])", text[start:end], maxsplit=1)[0]
    return None if name.lower() in STREETS_DE else (types.ADDRESS, 0.95)


COUNTED = re.compile(expression("address_judges_counted"))


POSTCODE = re.compile(r"(?<![0-9])[0-9]{4,5}(?:-[0-9]{3}| ?[A-Z]{2})?(?= )")
NEAR = 48
"""Characters behind a street in which its postcode is looked for."""


def _street_before(text: str, start: int, end: int) -> Verdict:
    """Take "Via Roma 12", yet not "sent via Roma 12" nor "the Via Christi 5 study".

    In small letters a postcode must follow.
    """
    street = text[start].isupper() or text[start : start + 2] == "ul"
    street = street or POSTCODE.search(text, start, end + NEAR) is not None
    return (types.ADDRESS, 0.9) if street and not COUNTED.match(text, end) else None


# ── in any letter case, and across line ends ────────────────────────────────────────────────────

SENTENCE = frozenset(schema.words("addresses")["sentence_en"])
"""What stands in no address, but in a sentence with a number."""
BETWEEN = frozenset(schema.words("addresses")["between"])
"""What stands in the name of a town now and then, if a state is behind it."""
SENTENCE_FR = frozenset(schema.words("addresses")["sentence_fr"])
AS_USUAL_FR = frozenset([*STREETS_FR, "sous", "cedex", "appt", "étage", "saint"])


def _is_unusual(value: str, small: Collection[str] = ()) -> bool:
    """Is an address not in one line with capitals where they belong, and no label in it?"""
    if any(labels(value[line.start() :]) for line in LINE.finditer(value)):
        return False
    return "\n" in value or any(
        len(word) > 3 and not word.istitle() and word not in small for word in WORDS.findall(value)
    )


def _address_en(text: str, start: int, end: int) -> Verdict:
    """Drop "2 turns on the road, then 12000": streets and towns are called something."""
    value = text[start:end]
    said = set(WORDS.findall(value.lower()))
    sure = re.search(rf"(?i)(?:{STATE}\.?,?\s{{1,6}}[0-9-]{{5,10}}|[a-z]{{2}})$", value)
    if not said.isdisjoint(SENTENCE) or not (sure or said.isdisjoint(BETWEEN)):
        return None
    return (types.ADDRESS, 0.95) if _is_unusual(value) else None


def _address_fr(text: str, start: int, end: int) -> Verdict:
    value = text[start:end]
    if not SENTENCE_FR.isdisjoint(WORDS.findall(value.lower())):
        return None
    return (types.ADDRESS, 0.95) if _is_unusual(value, AS_USUAL_FR) else None


def _address_de(text: str, start: int, end: int) -> Verdict:
    """Drop "weg 3, 10000 …": a street's name is more than the word for a street."""
    value = text[start:end]
    alone = value.lower().startswith(tuple(f"{street} " for street in STREETS_DE))
    return (types.ADDRESS, 0.95) if not alone and _is_unusual(value) else None


# ── without a word for a street ─────────────────────────────────────────────────────────────────


def _flat(text: str, start: int, end: int) -> Verdict:
    """Take a number, a name and a flat's, but not "Form 22 Part #4"."""
    return None if NOT_CALLED.search(text, start, end) else (types.ADDRESS, 0.9)


NOT_CALLED = re.compile(expression("address_judges_not_called"))


def _flat_elsewhere(text: str, start: int, end: int) -> Verdict:
    """Drop "30 of the patients in unit 4": a street has a capital, or ends with its line."""
    named = re.match(r"\S+ (?:[0-9]\S* )?[^\W\d_a-zà-ÿ]|[^\n]{4,60}\n", text[start:end])
    return (types.ADDRESS, 0.95) if named else None


NO_STREET = frozenset(schema.words("addresses")["no_street"])
LIVES = expression("address_judges_lives")
LIVED = re.compile(rf"(?<!\w){LIVES} (?:at|to) ?(?:,? ?(?:u[hm]m?|er),? )?$")
NO_PLACE = (NO_STREET - {"the", "old", "new", "long", "wide", "main"}) | frozenset(
    schema.words("context")["not_lived_at"]
)


def _lived_at(text: str, start: int, end: int) -> Verdict:
    """Take "seventeen the paddocks abergavenny" behind "I live at"."""
    if not LIVED.search(before(text, start, 48)):
        return None
    said = re.findall("[a-z]+", text[start:end].lower())
    return (types.ADDRESS, 0.85) if NO_PLACE.isdisjoint(said) else None


TRIGGER_BEFORE = re.compile(expression("address_judges_triggers"))
ENDS = frozenset(schema.words("addresses")["trigger_ends"])
"""Words of which one stands last in them; the search is slow, and most words are none of these."""


def _behind_trigger(text: str, start: int, end: int) -> Verdict:
    """Take a name and a number, in this order or the other, after words for where one lives."""
    lead = before(text, start, 56)
    last = (lead.rsplit(maxsplit=1) or [""])[-1].lower()
    triggered = (last in ENDS or last.endswith(":")) and TRIGGER_BEFORE.search(lead)
    return (types.ADDRESS, 0.9) if triggered else None


# ── postcodes ───────────────────────────────────────────────────────────────────────────────────

AREAS = frozenset(schema.words("addresses")["gb_areas"])
"""Letters that British postcodes begin with (Royal Mail)."""
NO_CODE = ("st", "nd", "rd", "th", "yr", "hr")
POSTCODE_TRIGGER = re.compile(
    r"(?i)(?<!\w)(?:post ?code|p ?code|address|eircode)(?!\w)[^\n\d]{0,24}$"
)


def _area(code: str) -> str:
    """Return the letters that a postcode begins with, in capitals."""
    letters = re.match("[A-Z ]+", code.upper())
    return letters[0].replace(" ", "") if letters else ""


def _postcode_gb(text: str, start: int, end: int) -> Verdict:
    """Take a postcode of an area that exists; in small letters not "at4 9th" or "b1 2ss".

    A dozen households share one, so it is an address.
    """
    code = text[start:end]
    area = _area(code)
    if area not in AREAS:
        return None
    doubtful = code.lower().endswith(NO_CODE) or len(area) < 2
    if not code.isupper() and doubtful and not POSTCODE_TRIGGER.search(before(text, start, 48)):
        return None
    return types.ADDRESS, 0.95


def _eircode(text: str, start: int, end: int) -> Verdict:
    """Take an Irish postcode, which each house has its own of: the last four are mixed."""
    tail = text[end - 4 : end]
    mixed = any(map(str.isdigit, tail)) and any(map(str.isalpha, tail))
    return (types.ADDRESS, 0.95) if mixed else None


PIECE = re.compile(
    r"[A-Z0-9](?<![\w.'’/-].)[\w'’./-]{0,30}"
    r"(?:[ ](?:[A-Z0-9][\w'’./-]{0,30}"
    r"|(?:on|upon|by|le|the|under|next|off|near|y|na|an|(?<=sle )of)(?= ))){0,5}$"
)
"""Capitalised words at the end of a line's part."""
HOUSE = re.compile(expression("address_judges_house"))
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


JUDGES: Mapping[str, Judge] = {
    "street-en": _street_en,
    "street-de": _street_de,
    "street-before": _street_before,
    "address-en": _address_en,
    "address-fr": _address_fr,
    "address-de": _address_de,
    "flat": _flat,
    "flat-elsewhere": _flat_elsewhere,
    "lived-at": _lived_at,
    "behind-trigger": _behind_trigger,
    "postcode-gb": _postcode_gb,
    "eircode": _eircode,
}
"""Judges of addresses by the names that rows use."""

WIDENINGS: Mapping[str, Widen] = {"address": whole_address, "house": _from_house}
"""What extends a match to the address that it is part of, by the names that rows use."""
