"""Recognizes dates in words: "the third of May nineteen sixty-one", "le trois novembre".

Transcripts and notaries write dates in words. A rule is tried at words that occur only in dates: a
month after an ordinal, a century.
"""

from __future__ import annotations

from linkmask import schema
from linkmask.detect.patterns import date_triggers
from linkmask.detect.patterns.rule import Rule, Verdict, before, words
from linkmask.schema import types

NUMBERS = schema.words("numbers")
MONTHS: dict[str, list[list[str]]] = schema.words("calendar")["months"]

# ── English ─────────────────────────────────────────────────────────────────────────────────────

TWELVE = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
).split()
DAYS = [
    *TWELVE,
    *(
        f"{teen}th"
        for teen in "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
    ),
    *("twentieth", *(f"twenty-{day}" for day in TWELVE[:9]), "thirtieth", "thirty-first"),
]
NAMES = [row[0].lower() for row in MONTHS["en"]]
MONTH = words(NAMES)
DAY = words(DAYS)
TWO = words(NUMBERS["en"][9:])
"""Ten to ninety-nine."""
SINCE_1800 = rf"(?i:eighteen|nineteen|twenty)[ -](?:(?i:hundred|oh[ -][a-z]{{3,5}})(?!\w)|{TWO})"
THOUSAND = rf"(?i:two thousand)(?!\w)(?:(?i: and)? {words(NUMBERS['en'])})?"
CENTURY = rf"(?:{SINCE_1800}|{THOUSAND})"
YEAR = rf"(?:{CENTURY}|{TWO}|(?:1[89]|20)[0-9]{{2}}(?![0-9]))"

# ── French: le trois novembre mil neuf cent soixante-huit ───────────────────────────────────────

DAYS_FR = ["premier", *NUMBERS["fr"][:31]]
NAMES_FR = [row[0] for row in MONTHS["fr"]]
LASTS_FR = sorted({day[-2:] for day in DAYS_FR})
TEENS_FR = [*NUMBERS["fr"][:9], "et-un"]
NUMBERS_FR = [
    *NUMBERS["fr"],
    *(
        ten if not one else f"{ten}-{one}"
        for ten in ("septante", "huitante", "octante", "nonante")
        for one in ("", *TEENS_FR)
    ),
]
"""Also as Belgians and the Swiss say them."""
CENTURY_FR = rf"(?i:mil(?:le)? neuf cents?|deux mille)(?!\w)(?: {words(NUMBERS_FR)})?"


def _month_first(text: str, start: int, end: int) -> Verdict:
    """Drop "on 30 April the Fourth Section": the day is another."""
    dated_already = before(text, start, 3).rstrip(" .")[-1:].isdigit()
    return None if dated_already else date_triggers.when(text, start, end)


RULES = (
    Rule(
        "day-said",  # the third of May, nineteen sixty-one; twelfth August seventy-four
        types.EVENT_DATE,
        rf"{DAY}(?: day)?(?: of)? {MONTH}(?:,? {YEAR})?",
        judge=date_triggers.when,
        near=tuple(f"{mark} {name}" for name in NAMES for mark in ("of", "st", "nd", "rd", "th")),
        reach=(32, 64),
    ),
    Rule(
        "month-said",  # May the third, nineteen sixty-one
        types.EVENT_DATE,
        rf"{MONTH} (?:the )?{DAY}(?:,? {YEAR})?",
        judge=_month_first,
        near=tuple(f"{name} {day}" for name in NAMES for day in ("the ", *TWELVE, "thir", "twen")),
        reach=(2, 80),
    ),
    Rule(
        "day-said-fr",
        types.EVENT_DATE,
        rf"{words(DAYS_FR)} {words([name for row in MONTHS['fr'] for name in row])} {CENTURY_FR}",
        judge=date_triggers.when,
        near=("mil neuf cent", "mille neuf cent", "deux mille"),
        reach=(40, 64),
    ),
    Rule(
        "day-said-fr-short",  # le quinze août quatre-vingt-un
        types.EVENT_DATE,
        rf"{words(DAYS_FR)} {words(NAMES_FR)}(?: {words(NUMBERS_FR)})?",
        judge=date_triggers.when,
        near=tuple(f"{last} {name}" for name in NAMES_FR for last in LASTS_FR),
        reach=(32, 64),
        languages="fr",
    ),
)
