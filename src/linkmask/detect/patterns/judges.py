"""Collects what rows of recognizers name: judges, widenings and scans of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkmask.detect.patterns import (
    address_judges,
    ages,
    banks,
    contacts,
    date_triggers,
    phones,
)
from linkmask.detect.patterns.rule import Judge, Scan, Verdict, Widen, before, digits
from linkmask.detect.recognizers.validators import validator
from linkmask.schema import expression, types

CARD = expression("judges_card")
"""Words that stand before a card's number."""


def _card(text: str, start: int, end: int) -> Verdict:
    """Take a Luhn number that begins like a card's, in groups or whole; or any after a trigger."""
    value = digits(text[start:end])
    triggered = CARD_BEFORE.search(before(text, start)) is not None
    if value[0] in "23456" and len(value) >= 13 and LUHN(value):
        return types.CREDIT_CARD, 1.0 if triggered or len(value) in (15, 16) else 0.8
    return (types.CREDIT_CARD, 0.95) if triggered else None


LUHN = validator("stdnum:luhn")
CARD_BEFORE = re.compile(rf"(?i)(?:{CARD})[^\n\d]{{0,24}}$")

CARD_NAMED = (
    r"card|carte|karte|kreditkarte|visa|mastercard|amex|cb|cvv2?|cvc2?|(?:[0-9]{4}[ -]?){4}"
)
EXPIRY = expression("judges_expiry")
PIN = r"pin|pin code|pin number|code pin|code (?:secret|confidentiel)|geheimzahl|pin-code"
VEHICLE = expression("judges_vehicle")


def _expiry(text: str, start: int, end: int) -> Verdict:
    """Take 09/27 after "exp" where a card was named: policies expire as well."""
    lead = before(text, start, 160)
    dated = re.search(rf"(?i)(?<![^\W_])(?:{EXPIRY})(?![^\W_])[^\n\d]{{0,16}}$", lead)
    card = re.search(rf"(?i)(?<![^\W_])(?:{CARD_NAMED})(?![^\W_])", lead)
    return (types.CARD_EXPIRY, 0.95) if dated and card else None


def _pin(text: str, start: int, end: int) -> Verdict:
    """Take four to six digits after "PIN"; an Indian postal PIN is an address."""
    lead = before(text, start, 64)
    said = re.search(rf"(?i)(?<![^\W_])(?:{PIN})(?![^\W_])[^\n\d]{{0,16}}$", lead)
    postal = re.search(r"(?i)postal|post|zip|address", lead)
    return (types.CARD_PIN, 0.95) if said and not postal else None


def _named_plate(text: str, start: int, end: int) -> Verdict:
    """Take a plate of any country right behind a word for one."""
    named = PLATE_BEFORE.search(before(text, start, 64))
    return (types.VEHICLE_ID, 0.95) if named and len(digits(text[start:end])) >= 2 else None


PLATE_BEFORE = re.compile(
    rf"(?i)(?<![^\W_])(?:{VEHICLE})(?![^\W_])"
    r"(?:[^\n\w]|(?i:no|number|nr|n|id|is|hash|template)\b){0,8}$"
)

JUDGES: Mapping[str, Judge] = {
    "card": _card,
    "card-expiry": _expiry,
    "card-pin": _pin,
    "named-plate": _named_plate,
    **ages.JUDGES,
    **banks.JUDGES,
    **contacts.JUDGES,
    **date_triggers.JUDGES,
    **phones.JUDGES,
    **address_judges.JUDGES,
}
"""Judges by the names that rows use."""
WIDENINGS: Mapping[str, Widen] = {**address_judges.WIDENINGS, **date_triggers.WIDENINGS}
"""What extends a match to what it is part of, by the names that rows use."""
SCANS: Mapping[str, Scan] = {**banks.SCANS, **contacts.SCANS, **date_triggers.SCANS}
"""What finds matches where a plain search would take too long, by the names that rows use."""
