"""Dates and periods in every common written form; by a birth word, a birth date."""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns.rule import Rule, Verdict, after, before, digits, pieces, words


def _spellings(table: str) -> list[str]:
    """Return all spellings in a table of the calendar."""
    cells = [cell for row in schema.words("calendar")[table].values() for cell in row]
    return sorted({w for cell in cells for w in ([cell] if isinstance(cell, str) else cell)})


# ── what the words around say ───────────────────────────────────────────────────────────────────

BIRTH = re.compile(
    r"(?i)(?<![^\W_])(?:born|birth(?:[ _-]?(?:date|day|year))?|(?:date|year)[ _-]of[ _-]birth"
    r"|d\.?[o0]\.?b|b\.|née?s?|date[ _](?:de[ _])?nais[a-z]*|naissance|ddn|mise? au monde|nat[io]"
    r"|geb|geboren\w*|geburts(?:datum|tag|jahr)|jahrgang|jg)(?![^\W\d_])[^;!?\d]{0,32}$|[*∗] ?$"
)
"""What stands before a birth date: up to 32 characters without a digit may lie between."""

HINTS = (
    "bor",
    "bir",
    "ob",
    "0b",
    "o.b",
    "b.",
    "né",
    "nais",
    "ddn",
    "monde",
    "nat",
    "geb",
    "jahrg",
    "jg",
    "*",
)
"""Pieces without which `BIRTH` need not be tried: it is slow, and most dates are no birth dates."""

BORN = re.compile(
    r"(?i)[\s,(]{0,3}(?:geboren\w*|born|date of birth|dob|date de naissance|née?)(?!\w)"
)
"""What stands right after one."""

ON = re.compile(
    r"(?i)(?<!\w)(?:on|by|since|from|until|till|before|after|dated?|le|du|au|dès|depuis|jusqu'au"
    r"|avant|am|vom|bis|zum|seit|ab)[ :(]{1,3}$"
)
"""What makes 03/22 and 15.03. dates."""

IN_WORDS = (
    "in since by until till from through during after before of year fiscal early late mid circa"
    " about around between and to en depuis dès avant après fin début année an courant de entre et"
    " à jahr jahre seit bis ab von nach vor anfang ende mitte und"
).split()
IN = re.compile(rf"(?i)\n?(?:[ :-]{{1,2}}(?:{'|'.join(w[::-1] for w in IN_WORDS)})(?![^\W_])|[(])")
"""What stands before it, read backwards: so one try is enough."""
SINCE = re.compile(
    r"(?i)(?<!\w)(?:in|of|by|for|from|since|during|through|until|to|and|end|late|early|mid|this|last"
    r"|next|starting|effective|after|before|au|en|du|le|im|seit|bis|ab)[ -]$"
)
COUNTED = re.compile(
    r"(?i)[ -]?(?:%|\$|€|mg|ml|kg|km|mi\b|patients?|cases?|cas\b|people|members?|participants?"
    r"|dollars?|euros?|units?|miles?|meters?|mètres?|hours?|words?|street|st\b|avenue"
    r"|[-–/.,][0-9])"
)
"""What makes 2019 a year, and what makes it a number of something."""


def _born(text: str, start: int) -> bool:
    """Tell whether a birth word stands before a date."""
    lead = before(text, start).lower()
    return any(map(lead.__contains__, HINTS)) and BIRTH.search(lead) is not None


def when(text: str, start: int, end: int) -> Verdict:
    """Tell a birth date from any other by the words around."""
    born = _born(text, start) or BORN.match(after(text, end))
    return ("BIRTHDATE", 0.95) if born else ("EVENT_DATE", 0.9)


def _numeric(text: str, start: int, end: int) -> Verdict:
    """Take a numeric date if its parts can be a day, a month and a year."""
    first, second, *rest = (int(part) for part in re.findall("[0-9]+", text[start:end])[:3])
    if first > 31:
        good = 1 <= second <= 12
    elif rest and second <= 31:
        good = 1 <= min(first, second) <= 12 and 1 <= max(first, second) <= 31
    else:
        good = 1 <= first <= 12
    return when(text, start, end) if good else None


def _misread(text: str, start: int, end: int) -> Verdict:
    """Take a date after a birth word in which a letter was read for a digit."""
    value = text[start:end]
    misread = not MISREAD.isdisjoint(value) and len(digits(value)) >= 4
    return ("BIRTHDATE", 0.95) if misread and _born(text, start) else None


def _month_day(text: str, start: int, end: int) -> Verdict:
    """Take "March 3", yet not "may 3" and "march 3": small, they are words."""
    value = text[start:end]
    verbs = value.startswith(("may ", "march ", "mar ")) and len(digits(value)) < 5
    return None if verbs else when(text, start, end)


def _quarter(text: str, start: int, end: int) -> Verdict:
    """Take a quarter without a year only within a sentence; "Q1" may head a question."""
    if end - start > 5 or SINCE.search(before(text, start, 12)):
        return "EVENT_DATE", 0.85
    return None


def _short(text: str, start: int, end: int) -> Verdict:
    """Take day and month without a year only where a word says that it is a date."""
    said = ON.search(before(text, start, 12))
    return ("EVENT_DATE", 0.75) if said and _numeric(text, start, end) else None


def _year(text: str, start: int, end: int) -> Verdict:
    """Take a bare year by the word before it, unless what follows is counted by it."""
    if _born(text, start):
        return "BIRTHDATE", 0.85
    said = IN.match(before(text, start, 24)[::-1]) and not COUNTED.match(after(text, end))
    return ("EVENT_DATE", 0.7) if said else None


def _day(text: str, start: int, end: int) -> Verdict:
    """Take "on the 14th.": of a date finer than a year, a day is an element."""
    said = re.search(r"(?i)(?<!\w)(?:on|until|till|since|by|from) the $", before(text, start, 12))
    return ("EVENT_DATE", 0.75) if said else None


MISREAD = frozenset("OolI")

# ── how dates are written ───────────────────────────────────────────────────────────────────────

MONTHS = _spellings("months")
SEASONS = _spellings("seasons")
ORDINALS = _spellings("ordinals")
MONTH = words(MONTHS, point=True)
SEASON = words(SEASONS)
ORDINAL = words(ORDINALS)
YEAR = r"(?:1[89]|20)[0-9]{2}(?![0-9])"
DAY = r"(?:0?[1-9]|[12][0-9]|3[01])(?![0-9])(?i:st|nd|rd|th|er|ère)?"
TO = r"(?:[ ]?[-–—/][ ]?|[ ](?i:to|through|thru|until|au|à|bis)[ ])"
AND = r"(?:[ ]?[-–—/&][ ]?|[ ](?i:to|and|or|au|à|et|ou|bis|und|oder)[ ])"
OF = r"(?:[ ](?i:of|de|in|im)|,)?[ ]?"
END = r"(?!\w)"
THEN = r"(?![\w/-]|[.,][0-9])"
"""After a numeric date: no further part of a longer number."""
HEAD = r"(?<![\w.,/$€-].)"
D = rf"[0-9]{HEAD}[0-9]?"
DMY = r"[0-3]?[0-9][/.][0-3]?[0-9][/.](?:[0-9]{4}|[0-9]{2})"
NEAR_MONTH = pieces(MONTHS)
NUMERIC = tuple(f"{mark}{day}{mark}0" for mark in "/.-|" for day in ("0", "00"))

RULES = (
    Rule(
        "iso",  # 2024-03-15, 2024/03/15, 2024-03-15T10:30:00Z
        "EVENT_DATE",
        rf"[12]{HEAD}(?:[0-9]{{3}})([-/.])[0-9]{{1,2}}\1[0-9]{{1,2}}"
        r"(?:T[0-9]{2}:?[0-9]{2}[0-9:.]{0,12}(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?" + THEN,
        judge=_numeric,
        near=("0000-0", "0000/0", "0000.0"),
        reach=(8, 56),
    ),
    Rule(
        "numeric-range",  # 10/15/2023-11/03/2023
        "EVENT_DATE",
        rf"{D}[/.][0-3]?[0-9][/.](?:[0-9]{{4}}|[0-9]{{2}})[ ]?[-–—][ ]?{DMY}{THEN}",
        judge=_numeric,
        near=NUMERIC,
        reach=(24, 48),
    ),
    Rule(
        "numeric",  # 03/15/2024, 15.03.24, 15-03-2024
        "EVENT_DATE",
        rf"{D}([/.|-])[0-3]?[0-9]\1(?:[0-9]{{4}}|[0-9]{{2}}){THEN}",
        judge=_numeric,
        near=NUMERIC,
        reach=(24, 48),
    ),
    Rule(
        "numeric-misread",  # O3/l4/1961
        "BIRTHDATE",
        r"[0-9OolI](?<![\w.,/$€-].)[0-9OolI]?([/.-])[0-9OolI]{1,2}\1[0-9OolI]{4}(?![\w/-])",
        judge=_misread,
        near=("d0b", "dob", "birth", "born", "naissance", "née", "geb"),
        reach=(0, 48),
        digit=(0, 48),
    ),
    Rule(
        "month-year-range",  # 03/2023-10/2023
        "EVENT_DATE",
        rf"{D}/{YEAR}{TO}[01]?[0-9]/{YEAR}{THEN}",
        judge=_numeric,
        near=("0/0000",),
        reach=(8, 48),
    ),
    Rule(
        "month-year",  # 03/2023, 2023-03
        "EVENT_DATE",
        rf"[0-9]{HEAD}(?:[0-9]?/{YEAR}|[0-9]{{3}}-(?:0[1-9]|1[0-2])){THEN}",
        judge=_numeric,
        near=("0/0000", "0000-00"),
        reach=(8, 48),
    ),
    Rule(
        "day-month",  # 15 March 2024, 15.–17. März, 3 au 5 mars 2024, 1er avril, 15 March – 2 April
        "EVENT_DATE",
        rf"{D}(?![0-9])(?i:st|nd|rd|th|er|ère)?\.?"
        rf"(?:{AND}{DAY}\.?|[ ]?{MONTH}(?:[ ]{YEAR})?{TO}{DAY}\.?)?"
        rf"(?:[ ](?i:of|de|day of))?[ -]?{MONTH}"
        rf"(?:(?:[ ]?[,./-]?[ ]?|{OF}){YEAR}|[ ]?['’][0-9]{{2}})?{END}",
        judge=when,
        near=NEAR_MONTH,
        reach=(32, 96),
        digit=(12, 16),
        whole=True,
    ),
    Rule(
        "roman-month",  # 14.V.2024, 3. XII. 1999
        "EVENT_DATE",
        rf"{D}(?:[.] ?|/)(?:I{{1,3}}|I[VX]|VI{{0,3}}|XI{{0,2}})(?:[.] ?|/){YEAR}{END}",
        judge=when,
        near=tuple(f"0{mark}{first}" for mark in (".", ". ", "/") for first in "ivx"),
        reach=(8, 48),
        digit=(0, 12),
    ),
    Rule(
        "month-day",  # March 15, 2024; November 15-30; Mar 15th – Apr 2, 2024
        "EVENT_DATE",
        rf"{MONTH}[ ]?(?i:the )?{DAY}(?:,?[ ]{YEAR})?(?:{TO}(?:{MONTH}[ ])?{DAY}(?!:))?"
        rf"(?:,?[ ]?{YEAR})?{END}(?![%/])",
        judge=_month_day,
        near=NEAR_MONTH,
        reach=(32, 96),
        digit=(12, 16),
        whole=True,
    ),
    Rule(
        "month",  # March 2024, January-October 2023, June 2023 to March 2024
        "EVENT_DATE",
        rf"{MONTH}(?:{OF}{YEAR})?(?:{TO}{MONTH})?{OF}{YEAR}{END}",
        judge=when,
        near=NEAR_MONTH,
        reach=(32, 96),
        digit=(12, 16),
        whole=True,
    ),
    Rule(
        "quarter",  # Q4 2023, Q2-Q3 2023, 2023 Q4, T2 2023, H1 2024, FY2023
        "EVENT_DATE",
        rf"[QqHT](?<![\w-].)(?:(?<=[Qq])[1-4](?:{TO}Q?[1-4](?!\w))?"
        rf"(?:(?:[ ]?[-/][ ]?|[ ](?i:of )?(?i:FY ?)?|[ ]?['’]){YEAR}|[ ]?['’][0-9]{{2}}(?![\w%]))?"
        rf"|(?<=[HT])[1-4][ /-]{YEAR}){END}"
        rf"|[Ff](?<!\w.)[Yy] ?(?:{YEAR}|['’]?[0-9]{{2}})(?:[/-][0-9]{{2}})?{END}"
        rf"|[12]{HEAD}[0-9]{{3}}[ /-]?[QqT][1-4]{END}",
        judge=_quarter,
        near=("q0", "h0", "t0", "fy"),
        reach=(24, 48),
        digit=(0, 4),
    ),
    Rule(
        "quarter-in-words",  # third quarter of 2023, 2e semestre 2024, 4. Quartal 2023
        "EVENT_DATE",
        rf"(?:{ORDINAL}|[1-4](?<![\w.,].)(?:\.|e|er|ème))[ -]"
        r"(?i:quarter|half|trimestre|semestre|quartal|halbjahr)(?i: of| de| d'| des Jahres)?[ ]?"
        rf"(?i:the )?(?:(?i:fiscal|fiscal year|FY|l'année) )?{YEAR}{END}",
        0.85,
        near=("quarter", " half", "trimestre", "semestre", "quartal", "halbjahr"),
        reach=(24, 64),
        digit=(0, 64),
    ),
    Rule(
        "season",  # spring 2023, Fall of 2022, hiver 2022-2023
        "EVENT_DATE",
        rf"{SEASON}{OF}{YEAR}(?:[-–/](?:{YEAR}|[0-9]{{2}}))?{END}",
        0.85,
        near=pieces(SEASONS),
        reach=(8, 56),
        digit=(0, 24),
        whole=True,
    ),
)

YEARS = (
    Rule(
        "day-month-short",  # on 03/22, am 15.03.
        "EVENT_DATE",
        rf"{D}(?:/[0-3][0-9]|\.[01]?[0-9]\.)(?![\w/%]|[.,-][0-9])",
        judge=_short,
        near=("0/00", ".0.", ".00."),
        reach=(8, 40),
    ),
    Rule(
        "year-of-birth",  # Jg. 31, Jahrgang 58
        "BIRTHDATE",
        r"J(?<!\w.)(?:g|ahrgang)[.:]{0,2} ?(?P<v>[2-9][0-9])(?![\w.-]|,? ?(?:\(|Heft|H\.|Nr|S\.))",
        0.85,
        near=("jg", "jahrgang"),
        reach=(2, 40),
        digit=(0, 8),
        whole=True,
    ),
    Rule(
        "day",  # on the 14th.
        "EVENT_DATE",
        r"[1-9](?<= .)[0-9]?(?:st|nd|rd|th)(?=[.,;)]|\s*$)",
        judge=_day,
        near=("0st", "0nd", "0rd", "0th"),
        reach=(8, 16),
    ),
    Rule(
        "year-range",  # 2020-2023, 2022-23
        "EVENT_DATE",
        rf"[12](?<![\w.,/$€#-].)(?:(?<=1)[89]|(?<=2)0)[0-9]{{2}}{TO}"
        rf"(?:{YEAR}|[0-9]{{2}}(?![0-9])){END}(?!-)",
        0.85,
        near=("0000-0", "0000 -", "0000- ", "0000/0", "0000 to ", "0000 a", "0000 bis", "0000 t"),
        reach=(4, 48),
    ),
    Rule(
        "year",
        "EVENT_DATE",
        r"[12](?<![\w.,/$€#-].)(?:(?<=1)[89]|(?<=2)0)[0-9]{2}(?![\w%]|[.,-][0-9])",
        judge=_year,
        near=("0000",),
        reach=(8, 48),
    ),
)
"""Tried last: what is left of four-digit numbers when addresses, ids and phones are taken."""
