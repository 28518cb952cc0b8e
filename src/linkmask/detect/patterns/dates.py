"""Recognizes dates and periods in every common notation; a birth word makes one a birth date."""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask import schema
from linkmask.detect.patterns import date_triggers, spelled_dates
from linkmask.detect.patterns.rule import Rule, Searched, pieces, words


def _spellings(table: str) -> list[str]:
    """Return all spellings in a table of the calendar."""
    cells = [cell for row in schema.words("calendar")[table].values() for cell in row]
    return sorted({w for cell in cells for w in ([cell] if isinstance(cell, str) else cell)})


# ── how dates are written ───────────────────────────────────────────────────────────────────────

MONTHS = _spellings("months")
SEASONS = _spellings("seasons")
MONTH = words(MONTHS, point=True)
SEASON = words(SEASONS)
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
NUMERIC = tuple(f"{mark}{day}{mark}0" for mark in "/.-" for day in ("0", "00"))


def _with_year(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found where a year is left: with a day most are taken."""
    text, outline, taken, _ = seen
    at = outline.find("0000", max(begin, 0), stop)
    while at >= 0:
        if not taken[at] and text.startswith(("18", "19", "20"), at):
            yield from expression.finditer(text, begin, stop)
            return
        at = outline.find("0000", at + 1, stop)


SHORT = r"[ -][0-9]{2}(?=[.,;)]?(?:\s*$|\s*\n)|[,;)]|\. [A-Z]| and )"
"""A year of two digits behind a month's name: 5 march 88, 3-MAY-49."""

RULES = (
    *spelled_dates.RULES,
    Rule(
        "iso",  # 2024-03-15, 2024/03/15, 2024-03-15T10:30:00Z
        "EVENT_DATE",
        rf"[12]{HEAD}(?:[0-9]{{3}})([-/.])[0-9]{{1,2}}\1[0-9]{{1,2}}"
        r"(?:T[0-9]{2}:?[0-9]{2}[0-9:.]{0,12}(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?" + THEN,
        judge=date_triggers.numeric,
        near=("0000-0", "0000/0", "0000.0"),
        reach=(8, 56),
    ),
    Rule(
        "numeric-range",  # 10/15/2023-11/03/2023
        "EVENT_DATE",
        rf"{D}[/.][0-3]?[0-9][/.](?:[0-9]{{4}}|[0-9]{{2}})[ ]?[-–—][ ]?{DMY}{THEN}",
        judge=date_triggers.numeric,
        near=NUMERIC,
        reach=(24, 48),
    ),
    Rule(
        "numeric",  # 03/15/2024, 15.03.24, 15-03-2024
        "EVENT_DATE",
        rf"{D}([/.-])[0-3]?[0-9]\1(?:[0-9]{{4}}|[0-9]{{2}}){THEN}",
        judge=date_triggers.numeric,
        near=NUMERIC,
        reach=(24, 48),
    ),
    Rule(
        "numeric-misread",  # O3/l4/1961
        "BIRTHDATE",
        r"[0-9OolI](?<![\w.,/$€-].)[0-9OolI]? ?([/.-]) ?[0-9OolI]{1,2} ?\1 ?[0-9OolI]{4}(?![\w/-])",
        judge=date_triggers.misread,
        near=("d0b", "dob", "d.o.b", "d.0.b", "birth", "born", "naissance", "née", "né(", "geb"),
        reach=(0, 48),
        digit=(0, 48),
    ),
    Rule(
        "day-month",  # 15 March 2024, 15.–17. März, 3 au 5 mars 2024, 1er avril, 15 March – 2 April
        "EVENT_DATE",
        rf"{D}(?![0-9])(?i:st|nd|rd|th|er|ère)?\.?"
        rf"(?:{AND}{DAY}\.?|[ ]?{MONTH}(?:[ ]{YEAR})?{TO}{DAY}\.?)?"
        rf"(?:[ ](?i:of|de|day of))?(?:[ ]{{1,2}}|-)?{MONTH}"
        rf"(?:(?:[ ]?[,./-]?[ ]?|{OF}){YEAR}|[ ]?['’][0-9]{{2}}|{SHORT})?{END}",
        judge=date_triggers.day_month,
        widen=date_triggers.with_short_year,
        near=NEAR_MONTH,
        reach=(32, 96),
        digit=(12, 16),
        whole=True,
    ),
    Rule(
        "month-day",  # March 15, 2024; November 15-30; Mar 15th – Apr 2, 2024
        "EVENT_DATE",
        rf"{MONTH}[ ]?(?i:the )?{DAY}(?:,?[ ]{YEAR})?(?:{TO}(?:{MONTH}[ ])?{DAY}(?!:))?"
        rf"(?:,?[ ]?{YEAR}|,?[ ]['’][0-9]{{2}}(?![0-9%]))?{END}(?![%/])",
        judge=date_triggers.month_day,
        near=NEAR_MONTH,
        reach=(32, 96),
        digit=(12, 16),
        whole=True,
        widen=date_triggers.with_short_year,
    ),
    Rule(
        "month",  # March 2024, January-October 2023, June 2023 to March 2024
        "EVENT_DATE",
        rf"{MONTH}(?:{OF}{YEAR})?(?:{TO}{MONTH})?{OF}{YEAR}{END}",
        judge=date_triggers.when,
        near=NEAR_MONTH,
        reach=(32, 96),
        digit=(12, 16),
        whole=True,
        scan=_with_year,
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
        "day-month-year-spaced",  # jusqu'au 20 12 2003
        "EVENT_DATE",
        rf"{D} [01]?[0-9] {YEAR}(?![\w/-]|[., ][0-9])",
        judge=date_triggers.spaced,
        near=(" 0 0000", " 00 0000"),
        reach=(4, 40),
    ),
    Rule(
        "decade",  # the 1990s, mid-1960s
        "EVENT_DATE",
        r"[12](?<![\w.,/$€#].)(?:(?<=1)[89]|(?<=2)0)[0-9]0['’]?s(?!\w)",
        0.8,
        near=("0000s", "0000's"),
        reach=(4, 16),
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
        judge=date_triggers.judge_year,
        near=("0000",),
        reach=(8, 48),
    ),
)
"""Tried last: what is left of four-digit numbers when addresses, ids and phones are taken."""
