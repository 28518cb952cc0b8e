"""Collects what rows of recognizers name: judges and widenings of their own."""

from __future__ import annotations

from collections.abc import Mapping

from linkmask.detect.patterns import address_judges, contacts, date_triggers, phones
from linkmask.detect.patterns.rule import Judge, Widen

JUDGES: Mapping[str, Judge] = {
    **contacts.JUDGES,
    **date_triggers.JUDGES,
    **phones.JUDGES,
    **address_judges.JUDGES,
}
"""Judges by the names that rows use."""
WIDENINGS: Mapping[str, Widen] = {**address_judges.WIDENINGS, **date_triggers.WIDENINGS}
"""What extends a match to what it is part of, by the names that rows use."""
