"""Loads the SQL statements by name, and fills in numbers and formulas."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from linkmask.formulas import SLACK, noisyor
from linkmask.formulas.risks import HOP_IN_SQL
from linkmask.plan.cover import SHARE

UNIT = 2**46
"""Units of z in 1: a term is off by 7e-15 at most, and 3,000 certain values of a document add up
in 64 bits."""
HIGH = 2**32
"""Two numbers are packed into one: the first times this, plus the second."""
NUMBERS = {
    "unit": f"{float(UNIT)!r}e0",
    "high": str(HIGH),
    "slack": repr(SLACK),
    "share": f"{SHARE!r}e0",
    "help": f"{float(2**30)!r}e0",
}
"""What all statements know. A literal with an exponent is a double on every engine."""
FORMULAS = noisyor.IN_SQL | {
    "hop": HOP_IN_SQL.format(strength=noisyor.IN_SQL["risk"], left="low_risk", right="up_risk")
}
"""Formulas that statements use, written `{z:share}`; one may stand in another."""
FIELD = re.compile(r"\{(\w+)(?::([^{}]+))?\}")


def statement(name: str, **given: float | str) -> str:
    """Return a statement with numbers, names of tables and formulas filled in."""
    fields = NUMBERS | {key: _literal(one) for key, one in given.items()}

    def filled(field: re.Match[str]) -> str:
        key, of = field.groups()
        if of is None:
            return fields[key]
        return FORMULAS[key].format(of, **fields)

    text = _text(name)
    while FIELD.search(text):  # the innermost first
        text = FIELD.sub(filled, text)
    return text


@cache
def _text(name: str) -> str:
    return (Path(__file__).parent / f"{name}.sql").read_text(encoding="utf-8")


def _literal(value: float | str) -> str:
    if isinstance(value, float):
        text = repr(value)
        return text if "e" in text else f"{text}e0"
    return str(value)
