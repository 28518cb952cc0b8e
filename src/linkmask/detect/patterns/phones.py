"""Judges phone and fax numbers: clear groups, numbering plans, any digits after a label."""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkmask import schema
from linkmask.detect.recognizers.rule import Judge, Verdict, before, digits
from linkmask.detect.recognizers.validators import validator
from linkmask.schema import compiled, expression, types

REGIONS = tuple(f"phonenumbers:{region}" for region in ("DE", "US", "GB", "FR", "CH", "BE"))
"""Numbering plans a national number is tried in, the one with most numbers first."""

TRIGGERS = expression("phones_triggers")
TRIGGER = compiled("phones_before")
HINTS = tuple(schema.words("context")["phone_hints"])
"""Pieces without which `TRIGGER` need not be tried: it is slow, and most numbers are no phones."""

US = compiled("phones_us")
FR = re.compile(r"0[1-9](?:[ .-]?[0-9]{2}){4}$")
FORM_GB = compiled("phones_gb")
"""Numbers as they are written in Britain, also those kept for stories, which no plan has."""
CAPITALS = re.compile(r"(?<!\w)[A-Z]{2,4} $")
"""What a member's number may begin with: IBX 0044 71820."""
EXTENSION = re.compile(r"(?i)[\s,;]{0,2}(?:x|e|p|d|#)")


def _phone(text: str, start: int, end: int) -> Verdict:
    """Take unmistakable groupings, then what a numbering plan allows, then any after a trigger."""
    main, *more = EXTENSION.split(text[start:end], maxsplit=1)
    count = len(digits(main))
    if not 6 <= count <= 15 or len(re.findall("[0-9]+", main)) > 7:
        return None
    if US.match(main) or FR.match(main) or (more and count >= 10):
        return types.PHONE_NUMBER, 0.95
    triggered = has_trigger(before(text, start, 44))
    if main.startswith("+") or re.match(r"00[1-9]|\(\+?[1-9]", main):
        prefixed = main.startswith("0") and CAPITALS.search(before(text, start, 6))
        good = count >= 8 and (triggered or (not prefixed and _is_possible(main)))
        return (types.PHONE_NUMBER, 0.95) if good else None
    if triggered:
        return types.PHONE_NUMBER, 0.9
    if FORM_GB.fullmatch(main):
        return types.PHONE_NUMBER, 0.7
    sure = main.startswith(("0", "(0")) or count == 10
    if sure and len(main) > count >= 9 and any(plan(main) for plan in map(validator, REGIONS)):
        return types.PHONE_NUMBER, 0.75
    return None


def _is_possible(value: str) -> bool:
    """Tell whether an international number has a prefix and a length that exist."""
    import phonenumbers

    bare = digits(value.replace("(0)", ""))
    try:
        number = phonenumbers.parse("+" + bare.removeprefix("00"))
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_possible_number(number)


def has_trigger(lead: str) -> bool:
    """Tell whether a number after these words is one to call."""
    small = lead.casefold()
    return any(map(small.__contains__, HINTS)) and TRIGGER.search(lead) is not None


JUDGES: Mapping[str, Judge] = {"phone": _phone}
