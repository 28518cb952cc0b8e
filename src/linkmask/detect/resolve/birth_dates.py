"""Takes a date right behind a person's name for the birth date if it is years before all others.

Anna Klee, 12.03.1950      John Marsh (03/12/1950)      KLEE, Anna  w  12.03.1950
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from linkmask.detect.candidates import Candidate
from linkmask.schema import types

APART = 15
"""Years between a birth date and the latest date of the text, at least."""
LATEST = 2015
"""Latest year of a text that has no other date: it may be of some years ago."""
_DATE = re.compile(
    r"(?P<first>(?:18|19|20)[0-9]{2})(?:[-/.][01]?[0-9][-/.]|, ?[01]?[0-9], ?|[01][0-9])[0-3]?[0-9]"
    r"|[0-3]?[0-9](?:[-/.][0-3]?[0-9][-/.]|-[^\W\d_]{3,5}-)(?P<last>(?:18|19|20)?[0-9]{2})"
)
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
FARTHEST = 24
"""Characters between the name and the date, at most."""
_KIN, _TICKET, _BORN = _SURE = ("kin-", "on-ticket", "*")
"""Rules of a relative's name and a passenger's (parts of them), and the sign for a birth: any date
or year behind is a birth date."""
_ALONE = "/"
"""Between name and date in a line of fields; the only date of a text is a birth date there."""
_BETWEEN = re.compile(
    r"[^\S\n]*(?:[,;/|*–-]|\(\*?)?[^\S\n]*"
    r"(?:\b(?:[FHMWfhmwb]|CHD|INF|M[RS]|MRS)\b[^\S\n]*[,;/|*.]?[^\S\n]*)?"
)
"""What stands between a name and the birth date: a mark, the sex, a title, "b" for born."""


def year_of_day(text: str, start: int = 0, end: int | None = None) -> int | None:
    """Return the year of a date that is written with marks between day, month and year, else None.

    A year of two digits is of this century up to "29".
    """
    date = _DATE.fullmatch(text, start, len(text) if end is None else end)
    if date is None:
        return None
    digits = date["first"] or date["last"]
    year = int(digits)
    return year + (2000 if year < 30 else 1900) if len(digits) == 2 else year


def beside_names(text: str, spans: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield spans, sorted and disjoint, with what is a birth date behind a name typed as one."""
    beside = dict(_dates_beside_names(text, spans))
    dates = (one for one in spans if one.type == types.EVENT_DATE and one not in beside)
    years = list(filter(None, (_year(text, one) for one in dates)))
    latest = max(years, default=LATEST)
    for one in spans:
        sure = beside.get(one) in (_SURE if years else (*_SURE, _ALONE))
        born = one in beside and (sure or (_year(text, one) or latest) <= latest - APART)
        rule = f"{one.rule}+behind a name"
        yield one._replace(type=types.BIRTHDATE, rule=rule) if born else one


def _dates_beside_names(text: str, spans: Sequence[Candidate]) -> Iterator[tuple[Candidate, str]]:
    """Yield the dates right behind names, each with the mark that shows it best."""
    for name, date in pairwise(spans):
        if (name.type, date.type) != (types.NAME, types.EVENT_DATE):
            continue
        between = text[name.end : date.start]
        if len(between) > FARTHEST or not _BETWEEN.fullmatch(between):
            continue
        if _TICKET in name.rule or (_KIN in name.rule and between.strip()):
            yield date, _KIN
        elif _BORN in between or _year_of_cell(text, date):
            yield date, next((mark for mark in (_BORN, _ALONE) if mark in between), "")


def _year_of_cell(text: str, date: Candidate) -> int | None:
    """Return the year of a date with its day, which the tagger may extend over the next column."""
    gap = text.find("  ", date.start, date.end)
    return year_of_day(text, date.start, date.end if gap < 0 else gap)


def _year(text: str, date: Candidate) -> int | None:
    whole = _YEAR.search(text, date.start, date.end)
    return _year_of_cell(text, date) or (int(whole[0]) if whole else None)
