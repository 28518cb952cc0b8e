"""Recognizes addresses with a postcode in any letter case, and across line ends.

    PATIENT LIVES AT 418 JUNIPER LANE, DULUTH, MN 55802; 12 rue des lilas 69003 lyon

A house number, a street word and a postcode are an address whatever the case. These rules are tried
before the streets of single countries, which rely on capitals, and leave the usual notation to
them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.patterns.postcode_addresses import (
    AREAS,
)
from linkmask.detect.patterns.rule import Rule, Verdict, pieces, words
from linkmask.detect.patterns.street_context import ENDS, FLAT, STATE, STOP, labels, whole_address

GAP = r"(?:[ ]|[ ]?\n[ >]{0,4})"
PART = rf"(?:,?{GAP}|[ ][-–]{GAP})"
FLAT_OVER = FLAT.replace(" ?", r"[ \n]?")
NAME = r"[^\W_][\w.'’-]{0,24}"
"""A word of a street's name."""
WORDS = re.compile(r"[^\W\d_]{2,}")


LINE = re.compile("\n")


def _unusual(value: str, small: Collection[str] = ()) -> bool:
    """Is an address not in one line with capitals where they belong, and no label in it?"""
    if any(labels(value[line.start() :]) for line in LINE.finditer(value)):
        return False
    return "\n" in value or any(
        len(word) > 3 and not word.istitle() and word not in small for word in WORDS.findall(value)
    )


# ── English ─────────────────────────────────────────────────────────────────────────────────────

STREETS_EN: list[str] = schema.words("streets")["en"]
STREET_EN = "|".join(sorted(STREETS_EN, key=lambda word: (-len(word), word)))
TOWN_EN = rf"{STOP}[^\W\d_][\w.'’-]{{1,24}}(?:{GAP}[^\W\d_][\w.'’-]{{1,24}}){{0,2}}"
ZIP = rf"[0-9]{{5}}(?:-[0-9]{{4}})?{ENDS}"
CODE_GB = (
    rf"(?:{'|'.join(sorted(AREAS, key=lambda area: (-len(area), area)))})[0-9][0-9a-z]?{GAP}?"
    r"[0-9][a-z]{2}(?!\w)"
)
SENTENCE = frozenset(schema.words("addresses")["sentence_en"])
"""What stands in no address, but in a sentence with a number."""
BETWEEN = frozenset(schema.words("addresses")["between"])
"""What stands in the name of a town now and then, if a state is behind it."""


def _english(text: str, start: int, end: int) -> Verdict:
    """Drop "2 turns on the road, then 12000": streets and towns are called something."""
    value = text[start:end]
    said = set(WORDS.findall(value.lower()))
    sure = re.search(rf"(?i)(?:{STATE}\.?,?\s{{1,6}}[0-9-]{{5,10}}|[a-z]{{2}})$", value)
    if not said.isdisjoint(SENTENCE) or not (sure or said.isdisjoint(BETWEEN)):
        return None
    return ("ADDRESS", 0.95) if _unusual(value) else None


# ── French ──────────────────────────────────────────────────────────────────────────────────────

STREETS_FR: list[str] = schema.words("streets")["fr"]
LINK_FR = rf"(?:(?:de|du|des|la|le|les|aux?|en|sur|sous|saint|sainte|st|ste){GAP}|[dl]['’])"
NAME_FR = rf"(?:{GAP}(?:{LINK_FR}){{0,3}}{NAME}){{1,4}}?"
CODE_FR = r"(?:f-|ch-)?(?:[0-9]{5}|[0-9]{2} [0-9]{3}|2[ab] ?[0-9]{3}|[0-9]{4})"
NO_TOWN_FR = r"(?!(?:euros?|fois|km|francs?|personnes|chf|cas|jours|pas|et|ou)(?!\w))"
TOWN_FR = (
    rf"(?:{LINK_FR}){{0,3}}{NO_TOWN_FR}[^\W\d_]{{2,25}}(?:['’-][^\W\d_]{{1,20}}){{0,4}}"
    r"(?:[ ](?-i:[A-ZÀ-Þ][a-zà-ÿ]{1,20}))?(?: cedex(?: [0-9]{1,2})?)?(?!\w)"
)
SENTENCE_FR = frozenset(schema.words("addresses")["sentence_fr"])
AS_USUAL_FR = frozenset([*STREETS_FR, "sous", "cedex", "appt", "étage", "saint"])


def _french(text: str, start: int, end: int) -> Verdict:
    value = text[start:end]
    if not SENTENCE_FR.isdisjoint(WORDS.findall(value.lower())):
        return None
    return ("ADDRESS", 0.95) if _unusual(value, AS_USUAL_FR) else None


# ── German ──────────────────────────────────────────────────────────────────────────────────────

STREETS_DE: list[str] = schema.words("streets")["de"]
ENDS_DE = "|".join(f"(?<={re.escape(end)})" for end in STREETS_DE)
NO_TOWN_DE = (
    "(?!(?:euro?|chf|franken|patienten?|versicherten?|fälle|stück|mal|tage|stunden|männer|frauen"
    "|kinder|kilometer|personen|menschen|schritte|einheiten|uhr|und)(?!\\w))"
)
TOWN_DE = (
    rf"(?:(?:bad|sankt|st\.){GAP})?{NO_TOWN_DE}[^\W\d_][\w-]{{1,30}}"
    r"(?:[ ](?-i:[A-ZÄÖÜ(][a-zäöüß)-]{1,30}))?(?!\w)"
)
NO_LEAD_DE = (
    "(?!(?:de[rnms]|die|das|eine[rs]?|diese[rs]?|seine[rs]?|ihre[rs]?|jede[rs]?|alle|keine|unsere[rs]?"
    "|aus|bis|als|hinter|unter|über)(?!\\w))"
)
LEAD_DE = rf"{NO_LEAD_DE}[^\W\d_](?<!\w.)[^\W\d_]{{2,20}}(?:(?<=e)|(?<=e[rn])|(?<=s))"
"""What a street's name may have before it: "Alte", "Berliner"."""


def _german(text: str, start: int, end: int) -> Verdict:
    """Drop "weg 3, 10000 …": a street's name is more than the word for a street."""
    value = text[start:end]
    alone = value.lower().startswith(tuple(f"{street} " for street in STREETS_DE))
    return ("ADDRESS", 0.95) if not alone and _unusual(value) else None


# ── in capitals, without a postcode ─────────────────────────────────────────────────────────────


RULES = (
    Rule(
        "postal-en",
        "ADDRESS",
        rf"(?i)[0-9](?<![\w.,/$€£#-].)[0-9]{{0,5}}(?:-[0-9]{{1,4}})?[a-z]?{GAP}"
        rf"(?:{NAME}{GAP}){{1,4}}?(?:{STREET_EN})\.?(?!\w)(?:{GAP}[nsew]{{1,2}}(?!\w)\.?)?"
        rf"(?:{PART}{FLAT_OVER})?(?:{PART}{TOWN_EN},?{GAP}(?:{STATE}\.?,?{GAP}{ZIP}|{CODE_GB})"
        rf"|,{GAP}{TOWN_EN},?{GAP}{ZIP})",
        judge=_english,
        near=tuple(f" {street.lower()}" for street in STREETS_EN),
        reach=(96, 160),
        digit=(96, 0),
        whole=True,
        widen=whole_address,
    ),
    Rule(
        "postal-fr",
        "ADDRESS",
        r"(?i)[0-9](?<![0-9.,/$€].)[0-9]{0,3}(?:[-/][0-9]{1,4})?"
        rf"(?:[ \n]?(?:bis|ter|quater|[a-d])(?!\w))?,?{GAP}{words(STREETS_FR, point=True)}{NAME_FR}"
        rf"{PART}{CODE_FR}{GAP}{TOWN_FR}",
        judge=_french,
        near=tuple(f" {street}" for street in pieces(STREETS_FR)),
        reach=(24, 240),
        digit=(24, 0),
        whole=True,
        countries="fr ch",
        widen=whole_address,
    ),
    Rule(
        "postal-de",
        "ADDRESS",
        rf"(?i)(?:{LEAD_DE}{GAP})?[^\W\d_](?<!\w.)[\w.'’-]{{2,40}}+(?:{ENDS_DE}){GAP}"
        rf"[0-9]{{1,3}}(?:[-/][0-9]{{1,4}})?(?: ?[a-z](?!\w))?{PART}(?:(?:d|de|ch|a)-)?[0-9]{{4,5}}"
        rf"{GAP}{TOWN_DE}",
        judge=_german,
        near=tuple(f"{end} 0" for end in STREETS_DE),
        reach=(96, 128),
        countries="de ch",
        widen=whole_address,
    ),
)


# ── what others take for a place ────────────────────────────────────────────────────────────────

HOUSE = re.compile(
    rf"(?i)(?<![\w.,/$€£#-])(?:[0-9]{{1,6}}[a-z]?,?\s{{1,3}}(?:(?:{NAME}\s{{1,3}}){{1,4}}?(?:{STREET_EN})"
    rf"|{words(STREETS_FR, point=True)}\s{{1,3}}{NAME})(?!\w)"
    rf"|[^\W\d_][\w.'’-]{{2,40}}+(?:{ENDS_DE})\s{{1,3}}[0-9]{{1,3}}(?!\w))"
)


def with_multiline_addresses(text: str, spans: Iterable[Candidate]) -> list[Candidate]:
    """Return the spans; a place with a house number and a street word becomes an ADDRESS."""
    return [
        one._replace(type="ADDRESS")
        if one.type == "LOCATION" and HOUSE.search(text[one.start : one.end])
        else one
        for one in spans
    ]
