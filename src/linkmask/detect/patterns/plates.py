"""Number plates: British ones by their form, any after a word for one."""

from __future__ import annotations

import re

from linkmask.detect.patterns.rule import Rule, Verdict, before

PLATED = re.compile(
    r"(?i)(?<![^\W\d_])(?:reg|regn|regd|registration|plates?|vrm|lp|tag|kennzeichen|kfz|immat\w*|plaque)"
    r"(?![^\W\d_])[^\n\d]{0,16}$"
)
NO_PLATE = re.compile("(?:HRS?|DAY|MIN|THE|AND|FOR|MAR|MAY|JUN|JUL|AUG|SEP|NOV|DEC|JAN|FEB|APR)$")


def _plate_gb(text: str, start: int, end: int) -> Verdict:
    """Take a British plate; "IN24 HRS" and "WK12 MAY" are none."""
    return None if NO_PLATE.search(text[start:end]) else ("NON_PERSONAL_ID", 0.85)


def _plate(text: str, start: int, end: int) -> Verdict:
    """Take what looks like a plate after a word for one."""
    return ("NON_PERSONAL_ID", 0.85) if PLATED.search(before(text, start, 32)) else None


RULES = (
    Rule(
        "plate-gb",  # SK19 WLT
        "NON_PERSONAL_ID",
        r"[A-HJ-PR-Y](?<![\w-].)[A-HJ-PR-Y][0-25-7][0-9] [A-HJ-PR-Z]{3}(?![\w-])",
        judge=_plate_gb,
        near=tuple(f"{letter}00 " for letter in "abcdefghjklmnoprstuvwxy"),
        reach=(2, 32),
        countries="gb",
    ),
    Rule(
        "plate",  # Kennzeichen: GL-R 418
        "NON_PERSONAL_ID",
        r"[A-ZÄÖÜ](?<![\w-].)(?!(?<=L)P |(?<=T)AG |(?<=R)EG |(?<=V)RM )[A-ZÄÖÜ0-9]{0,3}[ -]"
        r"[A-Z0-9]{1,4}(?:[ -][A-Z0-9]{1,4})?(?![\w-])",
        judge=_plate,
        near=("reg", "plate", "vrm", " lp ", " tag ", "kennzeichen", "kfz", "immat", "plaque"),
        reach=(0, 40),
        digit=(0, 40),
    ),
)
