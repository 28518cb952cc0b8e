"""Extends a street to its address: house numbers and flats before it, towns and postcodes after it.

Each piece is found by one short expression, with at most `PIECES` on either side; a line may break
between any two.
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.fields import type_of
from linkmask.schema import expression, types_of

PIECES = 6
WINDOW = 64
"""Characters before a street in which a piece is looked for."""

STATE = expression("street_context_state")
PROVINCE = expression("street_context_province")
FLATS = expression("street_context_flats")
FLAT = (
    rf"(?:(?:{FLATS})\.?(?![^\W\d_]) ?(?:n° ?|#)?|# ?)"
    r"(?:[0-9][\w-]{0,5}(?:/[0-9]{1,2})?|[A-Za-z][0-9]{0,4}|(?i:one|two|three|four|five|six|seven|eight))(?!\w)"
)
NUMBERS: list[str] = [
    word for language in ("en", "fr") for word in schema.words("numbers")[language][1:40]
]
NUMBER_WORDS = "|".join(
    word.replace("-", "[ -]") for word in sorted(NUMBERS, key=lambda word: (-len(word), word))
)
LAST_WORDS = {part for word in NUMBERS for part in (word, word.rpartition("-")[2])}
STREETS = "|".join(schema.words("streets")["en"])
BREAK = r"(?:,? ?\n[ >?*|]{0,6},? ?|, ?| [-–] | )"
LINK = expression("street_context_link")
STOP = expression("street_context_stop")
WORD = r"[^\W\d_a-zà-öø-ÿ](?:[\w'’()-]|\.(?=\w)|(?<=[SFM]t)\.){0,30}"
TOWN = rf"{STOP}{WORD}(?:[ -](?:{LINK}){{0,2}}{WORD}){{0,4}}"
AREA = rf"(?: \((?:[A-Z]{{2}}|{WORD}(?: {WORD})?)\))?"
"""A province behind a town: 54027 Pontremoli (MS), 43500 Tortosa (Tarragona)."""
ENDS = r"(?![\w%]|[-/][0-9]|[.,][0-9])"
CODE_GB = "[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}"
CODE_CA = "[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z] ?[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
CODE_IE = "[AC-FHKNPRTV-Y][0-9][0-9W] [0-9AC-FHKNPRTV-Y]{4}"
CODE = (
    rf"(?:[0-9]{{5}}(?:-[0-9]{{4}})?|[0-9]{{2}} [0-9]{{3}}(?! [0-9])|2[AB] ?[0-9]{{3}}"
    rf"|{CODE_GB}|{CODE_CA}|{CODE_IE}|[0-9]{{3}} [0-9]{{2}}(?= [A-ZÅÄÖ])"
    rf"|[0-9]{{4}} [A-Z]{{2}}(?= [A-Z])|[0-9]{{2}}-[0-9]{{3}}|[0-9]{{4}}-[0-9]{{3}}){ENDS}"
)

COUNTRIES = expression("street_context_countries")

FLAT_BEFORE, NUMBER_BEFORE, NUMBER_WORD_BEFORE, PERSON_BEFORE, LOT_BEFORE = (
    re.compile(piece)
    for piece in (
        rf"(?i:{FLAT},?[ \n]{{1,2}})$",
        r"(?<![\w.,:/$€#-])[0-9]{1,6}[A-Za-z]?,?[ ]$",
        rf"(?i:(?<!\w)(?:{NUMBER_WORDS})[ ])$",
        r"(?i:(?<!\w)c/o) [^\n,;.]{2,40}(?:, ?|\n)$",
        r"(?i:(?<!\w)(?:lot|no\.?|number) )$",
    )
)
TOWN_BEFORE = re.compile(
    rf"(?:(?<=[\n:|;])|(?<=[\n:|;] )|(?<=wh\. )|(?<=aft )|(?<=aft in ))"
    rf"(?:[A-Z]{{1,2}}-)?[0-9]{{4,5}} {TOWN}, $"
)
"""A postcode and its town before the street: 8742 Obdach, Hauptplatz 11."""
HOUSES = (
    "résidence|rés\\.|immeuble|imm\\.|hameau|lieu-?dit|villa|hinterhaus|vorderhaus|seitenflügel"
    "|gartenhaus"
)
STOREY = expression("street_context_storey")
BEHIND = tuple(
    re.compile(piece)
    for piece in (
        rf"(?i:{BREAK}{FLAT})",
        rf"(?:{BREAK}| ?/ ?| ?\()(?i:{STOREY})",
        r",?[ ](?i:stn|station|succ\.?|rpo) [A-Z][\w-]{0,20}(?!\w)",
        rf"{BREAK}(?:[Cc]ase postale|[Bb]o[iî]te postale|B\.?P\.?|Postfach)"
        r"(?: [0-9]{1,6})?(?!\w)",
        r"(?<=[Cc]edex|CEDEX) [0-9]{1,2}(?!\w)",
        rf"\.?{BREAK}(?:(?i:{CODE_GB})|(?:EC?|NW?|SE|SW|WC?)[0-9]{{1,2}}[A-Z]?)(?![\w%]| [0-9])",
        rf"{BREAK}(?i:{HOUSES})(?: [«\"“]? ?(?:{LINK}){{0,2}}{WORD}(?: {WORD}){{0,3}}"
        r"(?: ?[»\"”])?)?(?=[,;.?!)\n]|$)",
        rf"{BREAK}(?:(?:D|DE|F|FR|CH|A|L|B)-)?(?:{CODE}|[0-9]{{4}}(?= [A-ZÀ-Þ]))"
        rf"(?:,? {TOWN}{AREA})?",
        rf"{BREAK}{TOWN}(?:,? ?[A-Z]{{2,3}})?,? {CODE}",
        rf", {TOWN}(?=, {TOWN},? (?:{CODE_GB}|{CODE_CA}|{CODE_IE})(?!\w))",  # a part of a town
        rf"[ ](?:off|near|opposite) {WORD}(?: {WORD}){{0,2}} (?:{STREETS})(?!\w)",
        rf"{BREAK}{TOWN}(?: (?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT))?,? (?!19|20)[0-9]{{4}}(?=[,.;)\n]|$)",
        rf", {TOWN}(?=, {TOWN},? (?!19|20)[0-9]{{4}}(?:[,.;)\n]|$))",
        rf"{BREAK}{TOWN},? (?:{STATE}|{PROVINCE})(?!\w)(?! [0-9])",
        rf", RD [0-9]{{1,2}}(?!\w)|[ ]in [0-9]{{5}} {TOWN}",
        rf"{BREAK}(?:{TOWN} ?,? )?(?:{COUNTRIES})(?!\w)(?:,? {CODE})?",
        rf"{BREAK}{TOWN}(?=,? ?\n[ >?*|]{{0,6}},? ?"
        rf"(?:[A-Z]{{2,3}}\n|{TOWN} [0-9]{{5}}(?!\w)|{CODE}))",
        rf"[ ]à {WORD}(?=\n)",
        rf"[ ](?:à|A) {TOWN}(?: dans le|,)? ?\(?{CODE}",
        r"[ ]?\n[ >?*|]{0,6}, [A-Z]{2,3}(?=\n)",
    )
)


def whole_address(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the whole address that a street `[start, end)` is part of."""
    for _ in range(PIECES):
        lead = text[max(0, start - WINDOW) : start]
        cut = _before(lead)
        if not cut:
            break
        start -= len(lead) - cut.start()
    for _ in range(PIECES):
        more = next((found for piece in BEHIND if (found := piece.match(text, end))), None)
        if not more or labels(more[0]):
            break
        end = more.end()
    return start, end


def labels(piece: str) -> bool:
    """Tell whether a piece begins with the label of something else: a line break, "Mob 98765"."""
    said = LABEL.match(piece) if "\n" in piece else None
    return bool(said and type_of(said[1]) not in NO_LABEL)


LABEL = re.compile(r"[\s,>?*|-]{0,10}([^\W\d_][^\d\n:,]{0,30}?)[ .:#]{0,3}(?:[\d:]|$)")
NO_LABEL = types_of("place", "address") | {""}


def _before(lead: str) -> re.Match[str] | None:
    """Return the piece that `lead` ends with; most end with a word that can be none."""
    if lead.endswith(", ") and (town := TOWN_BEFORE.search(lead)):
        return town
    last = (lead.rsplit(maxsplit=1) or [""])[-1].rstrip(",").lower()
    if last in ("lot", "no", "no.", "number"):
        return LOT_BEFORE.search(lead)
    in_words = last in LAST_WORDS
    if not in_words and len(last) != 1 and not any(map(str.isdigit, last)) and "c/o" not in lead:
        return None
    pieces = [FLAT_BEFORE, NUMBER_BEFORE, NUMBER_WORD_BEFORE, PERSON_BEFORE]
    if "c/o" not in lead.lower():
        if in_words:
            pieces = [FLAT_BEFORE, NUMBER_WORD_BEFORE]
        elif not lead.rstrip()[-1:].isalpha():
            pieces = [FLAT_BEFORE, NUMBER_BEFORE]
    return next((found for piece in pieces if (found := piece.search(lead))), None)
