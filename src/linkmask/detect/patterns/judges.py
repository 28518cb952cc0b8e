"""Collects what rows of recognizers name: judges and widenings of their own."""

from __future__ import annotations

from collections.abc import Mapping

from linkmask.detect.names import name_judges
from linkmask.detect.patterns import date_triggers, houses, ids, labelled_numbers, phones
from linkmask.detect.recognizers.rule import Judge, Widen

JUDGES: Mapping[str, Judge] = {
    **date_triggers.JUDGES,
    **ids.JUDGES,
    **labelled_numbers.JUDGES,
    **name_judges.JUDGES,
    **phones.JUDGES,
}
"""Judges by the names that rows use."""
WIDENINGS: Mapping[str, Widen] = {
    **houses.WIDENINGS,
    **ids.WIDENINGS,
    **date_triggers.WIDENINGS,
    **name_judges.WIDENINGS,
}
"""What extends a match to what it is part of, by the names that rows use."""
