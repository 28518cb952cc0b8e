"""Checks values by name: checksums of python-stdnum, numbering plans, the calendar, own functions.

A validator's name is `module:argument` or a name alone: `stdnum:be.nn`, `phonenumbers`, `date`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_address

from linkmask.errors import SettingsError, unknown_name

_MARKS = re.compile("[ .-]")
"""What parts the groups of a number: some modules know not all of it."""
Validator = Callable[[str], bool]
"""Tells whether a text is what it looks like."""


@cache
def validator(name: str) -> Validator:
    """Return a validator by its name.

    Raises:
        SettingsError: there is none of this name.
    """
    kind, _, argument = name.partition(":")
    if kind == "stdnum":
        return _stdnum(argument)
    if kind == "phonenumbers":
        return _phone(argument)
    if kind == "digits" and re.fullmatch("[0-9]+-[0-9]*", argument):
        return _digits(*argument.split("-"))
    if name not in NAMED:
        forms = ["stdnum:MODULE", "phonenumbers", "phonenumbers:REGION", "digits:2-9", *NAMED]
        raise SettingsError(unknown_name("validator", name, forms))
    return NAMED[name]


def _stdnum(module: str) -> Validator:
    """Return the check of a module of python-stdnum: `be.nn`, `luhn`."""
    parts = module.split(".")
    if not all(part.isidentifier() for part in parts) or find_spec("stdnum") is None:
        raise SettingsError(
            unknown_name("module of python-stdnum", module, ["luhn", "be.nn", "us.ssn"])
        )
    try:
        valid = import_module(f"stdnum.{module}").is_valid
    except (ImportError, AttributeError):
        raise SettingsError(
            f"python-stdnum has no module {module!r} with a check; its documentation lists them, "
            "such as be.nn or luhn"
        ) from None

    def passes(value: str) -> bool:
        try:
            return bool(valid(value))
        except LookupError:  # cn.ric looks a region up that is in no table: no number of China
            return False

    @lru_cache(maxsize=1 << 12)  # a number stands in many documents
    def holds(value: str) -> bool:
        return passes(value) or passes(_MARKS.sub("", value))

    return holds


def _phone(region: str) -> Validator:
    """Return the check of a numbering plan: of a region, or of a number with its country."""
    import phonenumbers

    def valid(value: str) -> bool:
        try:
            return phonenumbers.is_valid_number(phonenumbers.parse(value, region.upper() or None))
        except phonenumbers.NumberParseException:
            return False

    return valid


def _date(value: str) -> bool:
    """Tell whether three numbers are a day of the calendar, in one of the usual orders."""
    numbers = [int(part) for part in "".join(c if c.isdigit() else " " for c in value).split()]
    if len(numbers) != 3:
        return False
    first, second, third = numbers
    return any(
        _is_day(*order)
        for order in ((first, second, third), (third, second, first), (third, first, second))
    )


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year if year > 99 else 2000 + year, month, day)
    except ValueError:
        return False
    return True


def _digits(least: str, most: str) -> Validator:
    """Return a check for values with so many digits."""
    first, last = int(least), int(most or 1000)
    return lambda value: first <= sum(map(str.isdigit, value)) <= last


def _white_space(value: str) -> bool:
    """Tell whether a value has a blank or a line break in it."""
    return any(map(str.isspace, value))


def _ip(value: str) -> bool:
    """Tell whether a value is an address of the internet; "C::B" may be anything."""
    try:
        ip_address(value)
    except ValueError:
        return False
    return ":" not in value or len(value) > 7


def _card(value: str) -> bool:
    """Tell whether a number begins like a card's, and its check digit holds (ISO/IEC 7812)."""
    digits = "".join(filter(str.isdigit, value))
    return digits[:1] in "23456" and len(digits) > 12 and validator("stdnum:luhn")(digits)


def _iban(value: str) -> bool:
    """Tell whether the check digits of an IBAN hold (ISO 13616), over one line end at most.

    Banks are not looked up: lists of them age.
    """
    from stdnum import iban

    bare = re.sub(r"[\s>-]", "", value)
    return value.count("\n") < 2 and bool(iban.is_valid(bare, check_country=False))


_IN_DIGITS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "12345678912345678923456789")


def _rib(value: str) -> bool:
    """Tell whether the key of a French account holds (relevé d'identité bancaire)."""
    plain = _MARKS.sub("", value).upper().translate(_IN_DIGITS)
    if len(plain) != 23 or not plain.isdecimal():
        return False
    bank, branch, account, key = map(int, (plain[:5], plain[5:10], plain[10:21], plain[21:]))
    return 97 - (89 * bank + 15 * branch + 3 * account) % 97 == key


NAMED: dict[str, Validator] = {
    "date": _date,
    "white-space": _white_space,
    "ip": _ip,
    "card": _card,
    "iban": _iban,
    "rib": _rib,
}
"""Validators of linkmask by name."""
