"""Recognizes digits that were written one per box of a form."""

from __future__ import annotations

import re

from linkmask.detect.patterns.date_triggers import when
from linkmask.detect.patterns.rule import Rule, Verdict, digits


def _boxed(text: str, start: int, end: int) -> Verdict:
    """Tell what digits written one per box are: a date, a phone number, or a French NIR."""
    value = digits(text[start:end])
    if len(value) == 8 and 1 <= int(value[:2]) <= 31 and 1 <= int(value[2:4]) <= 12:
        return when(text, start, end)
    if re.fullmatch("0[0-9]{9}|330?[1-9][0-9]{8}", value):
        return "PHONE_NUMBER", 0.95
    return ("NATIONAL_ID", 0.95) if len(value) >= 12 else None


def _boxes(count: int | str) -> str:
    """Return an expression for that many further digits, one per box."""
    return f"(?: [0-9]){{{count}}}"


MONTH_YEAR = "(?:0 [1-9]|1 [0-2]) (?:1 9|2 0) [0-9] [0-9]"
BOXED_DATE = f"(?:0 [1-9]|[12] [0-9]|3 [01]) {MONTH_YEAR}"
DATE = f"(?:(?<=0) [1-9]|(?<=[12]) [0-9]|(?<=3) [01]) {MONTH_YEAR}"
"""A date when its first digit has been read."""
ALONE = r"(?!\w| [0-9](?!\w))"
NEXT = (
    rf"(?:(?<!\b[0-9] .)|(?<={BOXED_DATE} .)|(?<=[12]{_boxes(12)} .)|(?<=[12]{_boxes(14)} .)"
    rf"|(?<=0{_boxes(9)} .)|(?={DATE}{ALONE}))"
)
"""A number begins where boxes begin, or behind another number."""
RULES = (
    Rule(
        "boxed-digits",  # 1 9 0 2 1 9 7 5 1 7 8 0 3 7 5 1 1 6 0 2 5: one number after another
        "NATIONAL_ID",
        rf"[0-9](?<![\w.,-].){NEXT}(?:(?<=[12]){_boxes(12)}(?:{_boxes(2)})?{ALONE}"
        rf"|{DATE}{ALONE}|(?<=0){_boxes(9)}{ALONE}|{DATE}(?={_boxes(7)})"
        rf"|(?<=[12]){_boxes(12)}(?:{_boxes(2)})?(?= {BOXED_DATE})|(?<=0){_boxes(9)}(?={_boxes(7)})"
        rf"|{_boxes('7,17')}?(?:{ALONE}|(?= {BOXED_DATE}{ALONE})))",
        judge=_boxed,
        near=("0 0 0 0",),
        reach=(32, 96),
        countries="fr",
    ),
)
