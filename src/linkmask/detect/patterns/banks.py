"""Holds the judges of bank accounts: an IBAN by its country's length, others by their label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from linkmask import schema
from linkmask.detect.patterns.date_triggers import COUNTED
from linkmask.detect.patterns.rule import Judge, Scan, Searched, Verdict, before, digits
from linkmask.schema import types

LENGTHS: dict[str, int] = schema.words("ibans")["lengths"]
"""Characters of an IBAN, by country (SWIFT, IBAN registry)."""
BREAK = r"(?:[ -]|[ -]?\n[ >]{0,4})?"
WHOLE = {
    size: re.compile(rf"[A-Z]{{2}} ?[0-9]{{2}}(?:{BREAK}[A-Z0-9]){{{size - 4}}}(?!\w)")
    for size in set(LENGTHS.values())
}


def _whole(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield, for each head of an IBAN, as many characters as its country has."""
    for head in expression.finditer(seen.text, begin, stop):
        size = LENGTHS.get(head[0][:2])
        match = WHOLE[size].match(seen.text, head.start(), stop) if size else None
        if match:
            yield match


GROUPED = re.compile(r"[A-Z]{2}[0-9]{2}(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?")
"""An IBAN as it is printed, in fours."""


def _iban(text: str, start: int, end: int) -> Verdict:
    """Take an IBAN over one line end at most whose checksum holds (ISO 13616), or one in fours.

    Banks are not looked up: lists of them age. One in fours has been mistyped, but not made up.
    """
    from stdnum import iban

    value = text[start:end]
    bare = re.sub(r"[\s>-]", "", value)
    if value.count("\n") < 2 and iban.is_valid(bare, check_country=False):
        return types.IBAN, 1.0
    grouped = GROUPED.fullmatch(value) and value[:2] in LENGTHS and len(digits(value)) > 9
    return (types.IBAN, 0.95) if grouped else None


def _part(text: str, start: int, end: int) -> Verdict:
    """Take fours behind a country's letters, two of them figures at least: nothing else has any."""
    groups = text[start:end].split()
    figures = sum(set(group) <= set("0123456789OIl") for group in groups[1:])
    return (types.IBAN, 0.95) if groups[0][:2] in LENGTHS and figures > 1 else None


LABEL = (
    r"[ .-]{0,2}(?i:(?:nos?|nr|num(?:ber|mer|éro)?|code|n°)\.?)?[ :#=]{0,4}"
    r"(?i:is |was |est |ist )?$"
)
"""What may stand between a word and its number."""
ACCOUNT = re.compile(
    rf"(?i:(?<!\w)(?:accounts?|acct|acc|a/c|konto|kontonummer|kto|compte|folio)){LABEL[:-1]}"
    r"(?:[0-9][0-9 -]{5,20}(?:,| and| &| et| und) )?$"
)
"""What stands before an account, or before the second of two."""
END_OF = {
    word: kind for kind, listed in schema.words("ids")["last_digits"].items() for word in listed
}
ENDING = re.compile(rf"(?i)(?<!\w)({'|'.join(END_OF)})(?!\w)[^\n\d]{{0,24}}$")
"""Whose end is told."""


def _starred(text: str, start: int, end: int) -> Verdict:
    """Take the last digits of a number of which the rest is stars, for what it is called."""
    lead = before(text, start, 64)
    stars = STARS.search(lead)
    if not stars:
        return None
    groups = len(re.findall(r"[^\s-]+", stars[0]))
    if groups == 1 and len(stars[0]) < 4 and not ENDING.search(lead[: stars.start()]):
        return None  # a note's mark
    named = ENDING.search(lead[: stars.start()])
    if named:
        return END_OF[named[1].lower()], 0.95
    return (types.CREDIT_CARD if groups > 2 and end - start == 4 else types.PATIENT_ID), 0.85


STARS = re.compile(
    r"(?<!\w)(?:(?:(?:[*x•]{2,8}|X{2,8})[ -]){0,3}(?:[*x•]{2,8}|X{2,8})-?"
    r"|(?:(?:[*x•]{4}|X{4})[ -]){1,3})$"
)


def _account(text: str, start: int, end: int) -> Verdict:
    """Take seven to seventeen digits right after a word for an account, no amount."""
    if not 7 <= len(digits(text[start:end])) <= 17 or COUNTED.match(text, end):
        return None
    return (types.PATIENT_ID, 0.95) if ACCOUNT.search(before(text, start)) else None


JUDGES: Mapping[str, Judge] = {
    "iban": _iban,
    "iban-part": _part,
    "starred": _starred,
    "account": _account,
}
SCANS: Mapping[str, Scan] = {"iban": _whole}
