"""Collects what rows of recognizers name: judges and widenings of their own."""

from __future__ import annotations

from collections.abc import Mapping

from linkmask.detect.name_words import JUDGES as NAME_WORDS
from linkmask.detect.patterns import date_triggers, houses, ids, labelled_numbers, phones
from linkmask.detect.patterns.rule import Judge, Widen
from linkmask.detect.user_names import JUDGES as USER_NAMES

JUDGES: Mapping[str, Judge] = {
    **date_triggers.JUDGES,
    **ids.JUDGES,
    **labelled_numbers.JUDGES,
    **NAME_WORDS,
    **phones.JUDGES,
    **USER_NAMES,
}
"""Judges by the names that rows use."""
WIDENINGS: Mapping[str, Widen] = {**houses.WIDENINGS, **ids.WIDENINGS, **date_triggers.WIDENINGS}
"""What extends a match to what it is part of, by the names that rows use."""
