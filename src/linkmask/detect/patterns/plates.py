"""Recognizes number plates: British ones by their form, others after a trigger."""

from __future__ import annotations

import re

from linkmask.detect.patterns.rule import Rule, Verdict, before

PLATED = re.compile(
    r"(?i)(?<![^\W\d_])(?:reg|regn|regd|registration|plates?|vrm|lp|tag|kennzeichen|kfz|immat\w*|plaque"
    r"|kontrollschild\w{0,2}|nummernschild\w{0,2}|minéralogique)"
    r"(?![^\W\d_])[^\n\d]{0,16}$"
)
SAYS_SO = re.compile(
    r"(?i)(?<![^\W\d_])(?:plates?|lp|tags?)(?![^\W\d_])"
    r"(?: (?:numbers?|nos?\.?|num\.?|nr\.?|is|was|read|reads|reading|registered|as|of|the))*"
    r"\W{0,4}(?:[A-Z]{2}(?: |[:-] ?))?$"
)
"""What an American plate stands right behind, a state between."""
OF_SOMETHING = re.compile(
    "AM|PM|HRS?|MIN|HOLES?|[CTLS][0-9]{1,2}|MG|ML|MCG|KG|CM|MM|LB|H2O|CSF|WBC|RBC"
    "|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"
)
NO_PLATE = re.compile("(?:HRS?|DAY|MIN|THE|AND|FOR|MAR|MAY|JUN|JUL|AUG|SEP|NOV|DEC|JAN|FEB|APR)$")


def _plate_gb(text: str, start: int, end: int) -> Verdict:
    """Take a British plate; "IN24 HRS" and "WK12 MAY" are none."""
    return None if NO_PLATE.search(text[start:end]) else ("NON_PERSONAL_ID", 0.85)


def _plate(text: str, start: int, end: int) -> Verdict:
    """Take what looks like a plate after a word for one; no "plate L4-L5"."""
    if any(map(OF_SOMETHING.fullmatch, re.split("[ -]", text[start:end]))):
        return None
    return ("NON_PERSONAL_ID", 0.85) if PLATED.search(before(text, start, 32)) else None


def _plate_us(text: str, start: int, end: int) -> Verdict:
    """Take letters and digits right behind "license plate" or "LP"; not "LP 12 CM"."""
    value = text[start:end].upper()
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    count = sum(map(str.isalnum, value))
    parts = re.split("[ -]", value)
    if not mixed or not 4 <= count <= 8 or any(map(OF_SOMETHING.fullmatch, parts)):
        return None
    return ("NON_PERSONAL_ID", 0.85) if SAYS_SO.search(before(text, start, 40)) else None


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
        near=(
            "reg",
            "plate",
            "vrm",
            " lp ",
            " tag ",
            "kennzeichen",
            "kfz",
            "immat",
            "plaque",
            "schild",
            "minéralogique",
        ),
        reach=(0, 56),
        digit=(0, 40),
    ),
    Rule(
        "plate-us",  # license plate 7XYZ 392, LP 481-KLM, plate: 8abc123
        "NON_PERSONAL_ID",
        r"[A-Za-z0-9](?<![\w.,/$-].)"
        r"(?!(?:(?<=L)P|(?<=[TP])(?:AG|LATE)S?|(?<=L)ICEN[CS]E|(?<=N)(?:O|UMBER))(?!\w))"
        r"(?:[A-Z0-9]{0,7}(?:[ -][A-Z0-9]{1,6})?"
        r"|(?=[a-z]{0,4}[0-9])(?=[0-9]{0,4}[a-z])[a-z0-9]{3,7})(?![\w-]|[.,/][0-9])",
        judge=_plate_us,
        near=("plate", " lp", "lp:", "lp#", "tag"),
        reach=(0, 64),
        digit=(0, 56),
    ),
)
