"""Dates and periods in every common written form; a birth date is one that stands by a birth word."""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns.rule import Rule, Verdict, after, before, words

CALENDAR = schema.words("calendar")

BIRTH = re.compile(
    r"(?i)(?<![^\W_])(?:born|birth[ _-]?date|birth[ _-]?day|date[ _-]of[ _-]birth|d\.?o\.?b|birth[ _-]year"
    r"|year[ _-]of[ _-]birth|b\.|née?s?|date[ _](?:de[ _])?nais[a-z]*|naissance|ddn|mise? au monde|nat[io]"
    r"|geb|geboren\w*|geburts(?:datum|tag|jahr)|jahrgang|birth)(?![^\W\d_])[^;!?\d]{0,32}$|[*∗] ?$"
)
"""What stands before a birth date: up to 32 characters without a digit may lie between."""

BIRTH_AFTER = re.compile(
    r"(?i)[\s,(]{0,3}(?:geboren\w*|born|date of birth|dob|date de naissance|née?)(?!\w)"
)


def _when(text: str, start: int, end: int) -> Verdict:
    """Tell a birth date from any other by the words around."""
    born = BIRTH.search(before(text, start)) or BIRTH_AFTER.match(after(text, end))
    return ("BIRTHDATE", 0.95) if born else ("EVENT_DATE", 0.9)


def _numeric(text: str, start: int, end: int) -> Verdict:
    """Take a numeric date if its parts can be a day, a month and a year."""
    first, second, *rest = (int(part) for part in re.findall("[0-9]+", text[start:end])[:3])
    if first > 31:
        good = 1 <= second <= 12
    elif rest:
        good = 1 <= min(first, second) <= 12 and 1 <= max(first, second) <= 31
    else:
        good = 1 <= first <= 12
    return _when(text, start, end) if good else None


def _short(text: str, start: int, end: int) -> Verdict:
    """Take day and month without a year only where a word says that it is a date."""
    cue = re.search(
        r"(?i)(?<!\w)(?:on|by|since|from|until|till|before|after|dated?|le|du|au|dès|depuis|jusqu'au|avant"
        r"|am|vom|bis|zum|seit|ab)[ :(]{1,3}$",
        before(text, start, 12),
    )
    return _numeric(text, start, end) and ("EVENT_DATE", 0.75) if cue else None


def _year(text: str, start: int, end: int) -> Verdict:
    """Take a bare year by the word before it; what follows may say that it counts something."""
    if BIRTH.search(before(text, start)):
        return "BIRTHDATE", 0.85
    if YEAR_UNIT.match(after(text, end)):
        return None
    lead = before(text, start, 24)
    return ("EVENT_DATE", 0.7) if YEAR_CUE.search(lead) else None


YEAR_CUE = re.compile(
    r"(?i)(?<![^\W_])(?:in|since|by|until|till|from|through|during|after|before|of|year|fiscal|early|late|mid"
    r"|circa|about|around|between|and|to|en|depuis|dès|avant|après|jusqu'en|fin|début|année|an|courant|de|entre"
    r"|et|à|im jahre?|jahre?|seit|bis|ab|von|nach|vor|anfang|ende|mitte|und)[ :-]{1,2}$|[(]$"
)
YEAR_UNIT = re.compile(
    r"(?i)[ -]?(?:%|\$|€|mg|ml|kg|km|mi\b|patients?|cases?|cas\b|people|members?|participants?|dollars?|euros?"
    r"|units?|miles?|meters?|mètres?|hours?|words?|street|st\b|avenue|[-–/.,][0-9])"
)


def _spellings(table: str) -> list[str]:
    """Return all spellings in a table of the calendar."""
    rows = CALENDAR[table].values()
    return sorted(
        {w for row in rows for cell in row for w in ([cell] if isinstance(cell, str) else cell)}
    )


MONTH = words(_spellings("months"), point=True)
SEASON = words(_spellings("seasons"))
ORDINAL = words(_spellings("ordinals"))
PART = rf"(?:{words(_spellings('parts'))}[ -])?"
YEAR = r"(?:1[89]|20)[0-9]{2}(?![0-9])"
DAY = r"(?:0?[1-9]|[12][0-9]|3[01])(?![0-9])(?i:st|nd|rd|th|er|ère)?"
TO = r"(?:[ ]?[-–—/][ ]?|[ ](?i:to|through|thru|until|and|au|à|et|bis|und)[ ])"
OF = r"(?:[ ](?i:of|de|in|im)|,)?[ ]?"
EDGE = r"(?!\w)"
THEN = r"(?![\w/-]|[.,][0-9])"
"""After a numeric date: no further part of a longer number."""

RULES = (
    Rule(
        "iso",
        "EVENT_DATE",
        r"[12](?<![\w.,/-].)(?:[0-9]{3})([-/.])[0-9]{1,2}\1[0-9]{1,2}"
        r"(?:T[0-9]{2}:?[0-9]{2}[0-9:.]{0,12}(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?" + THEN,
        judge=_numeric,
    ),
    Rule(
        "numeric-range",
        "EVENT_DATE",
        r"[0-3]?[0-9](?<![\w.,/$-].)(?<![\w.,/$-]..)[/.][0-3]?[0-9][/.](?:[0-9]{4}|[0-9]{2})[ ]?[-–—][ ]?"
        r"[0-3]?[0-9][/.][0-3]?[0-9][/.](?:[0-9]{4}|[0-9]{2})" + THEN,
        judge=_numeric,
    ),
    Rule(
        "numeric",
        "EVENT_DATE",
        r"[0-9](?<![\w.,/$€-].)[0-9]?([/.|-])[0-3]?[0-9]\1(?:[0-9]{4}|[0-9]{2})" + THEN,
        judge=_numeric,
    ),
    Rule(
        "month-year-range",
        "EVENT_DATE",
        rf"[01]?[0-9](?<![\w.,/$-].)(?<![\w.,/$-]..)/{YEAR}{TO}[01]?[0-9]/{YEAR}{THEN}",
        judge=_numeric,
    ),
    Rule(
        "month-year",
        "EVENT_DATE",
        rf"[0-9](?<![\w.,/$-].)[0-9]?/{YEAR}{THEN}|[12](?<![\w.,/$-].)[0-9]{{3}}-(?:0[1-9]|1[0-2]){THEN}",
        judge=_numeric,
    ),
    Rule(
        "day-month",  # 15 March 2024, 15.–17. März, 3 au 5 mars 2024, 1er avril, 15 March – 2 April
        "EVENT_DATE",
        rf"[0-9](?<![\w.,/$-].)[0-9]?(?![0-9])(?i:st|nd|rd|th|er|ère)?\.?(?:[ ]?(?i:{MONTH})(?:[ ]{YEAR})?)?"
        rf"(?:{TO}{DAY}\.?)?(?:[ ](?i:of|de|day of))?[ -]?{MONTH}(?:(?:[ ]?[,./-]?[ ]?|{OF}){YEAR}|[ ]?['’][0-9]{{2}})?{EDGE}",
        judge=_when,
    ),
    Rule(
        "month-day",  # March 15, 2024; November 15-30; Mar 15th – Apr 2, 2024
        "EVENT_DATE",
        rf"{MONTH}[ ]?(?i:the )?{DAY}(?:,?[ ]{YEAR})?(?:{TO}(?:{MONTH}[ ])?{DAY}(?!:))?(?:,?[ ]?{YEAR})?{EDGE}(?![%/])",
        judge=_when,
    ),
    Rule(
        "month",  # March 2024, January-October 2023, June 2023 to March 2024, mid-March 2024
        "EVENT_DATE",
        rf"{MONTH}(?:{OF}{YEAR})?(?:{TO}{MONTH})?{OF}{YEAR}{EDGE}",
        judge=_when,
    ),
    Rule(
        "quarter",
        "EVENT_DATE",
        rf"[QqHT](?<![\w-].)(?:(?<=[Qq])[1-4](?:{TO}Q?[1-4](?!\w))?(?:(?:[ ]?[-/][ ]?|[ ](?i:of )?(?i:FY ?)?|[ ]?['’]){YEAR}"
        rf"|[ ]?['’]?[0-9]{{2}}(?![\w%]))?|(?<=[HT])[1-4][ /-]{YEAR}){EDGE}"
        rf"|[Ff](?<!\w.)[Yy] ?(?:{YEAR}|['’]?[0-9]{{2}})(?:[/-][0-9]{{2}})?{EDGE}"
        rf"|[12](?<![\w.,/$-].)[0-9]{{3}}[ /-]?[QqT][1-4]{EDGE}",
        0.85,
    ),
    Rule(
        "quarter-in-words",
        "EVENT_DATE",
        rf"{ORDINAL}[ -](?i:quarter|half|trimestre|semestre|quartal|halbjahr)(?i: of| de| d'| des Jahres)?[ ]?(?i:the )?"
        rf"(?:(?i:fiscal|fiscal year|FY|l'année) )?{YEAR}{EDGE}|[1-4](?<![\w.,].)(?:\.|e|er|ème) ?(?i:quartal|trimestre|semestre) {YEAR}{EDGE}",
        0.85,
    ),
    Rule("season", "EVENT_DATE", rf"{SEASON}{OF}{YEAR}(?:[-–/](?:{YEAR}|[0-9]{{2}}))?{EDGE}", 0.85),
)

YEARS = (
    Rule(
        "day-month-short",
        "EVENT_DATE",
        r"[0-9](?<![\w.,/$€-].)[0-9]?(?:/[0-3][0-9]|\.[01]?[0-9]\.)(?![\w/%]|[.,-][0-9])",
        judge=_short,
    ),
    Rule(
        "year-range",
        "EVENT_DATE",
        rf"[12](?<![\w.,/$€#-].)(?:(?<=1)[89]|(?<=2)0)[0-9]{{2}}{TO}(?:{YEAR}|[0-9]{{2}}(?![0-9])){EDGE}(?!-)",
        0.85,
    ),
    Rule(
        "year",
        "EVENT_DATE",
        r"[12](?<![\w.,/$€#-].)(?:(?<=1)[89]|(?<=2)0)[0-9]{2}(?![\w%]|[.,-][0-9])",
        judge=_year,
    ),
)
"""Tried last: what is left of four-digit numbers when addresses, ids and phones are taken."""
