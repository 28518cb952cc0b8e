"""Recognizes spoken e-mail addresses: "mina at example dot org"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask import schema
from linkmask.detect.patterns.contacts import TOP
from linkmask.detect.patterns.rule import (
    Rule,
    Searched,
    Verdict,
    before,
)
from linkmask.schema import types

SAID = r"(?: (?:dot|point|punkt) | ?\. ?|[ ]?(?:underscore|dash|hyphen|minus) )"
BOXES = tuple(schema.words("hosts")["mailboxes"])
OWN = re.compile(r"[^\W_][._-]?[0-9_.-]|[0-9]")
"""A figure, an underscore or a point in what stands before the sign: no word of a sentence."""
FIGURES = "zero|oh|one|two|three|four|five|six|seven|eight|nine|ten"
SIGNS = ("at", "arobase", "arobas", "arrobase", "chez", "ät")
"""Words for the sign."""
SIGN = "|".join(sorted(SIGNS, key=len, reverse=True))
ALONE = re.compile(rf" [a-z0-9] (?:[a-z0-9] )?(?:\w{{1,10}} ){{0,2}}(?:{SIGN}) ")
WRITTEN = re.compile(r"(?i)e?-?mails?(?!\w)|courriel|@|(?:reach|write|contact|address)(?!\w)")
NOBODY = frozenset(schema.words("hosts")["no_mailbox"])


def _with_at(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found where a word for the sign stands."""
    if any(seen.text.find(f" {sign} ", max(begin, 0), stop) >= 0 for sign in SIGNS):
        yield from expression.finditer(seen.text, begin, stop)


def _in_letters(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found where single letters stand before a word for the sign."""
    if ALONE.search(seen.text, max(begin, 0), stop):
        yield from expression.finditer(seen.text, begin, stop)


def _spelled_email(text: str, start: int, end: int) -> Verdict:
    """Take "anna at post dot example": with "at" alone a word before or a sign tells that it is."""
    box, _, host = re.split(rf" ({SIGN}) ", text[start:end], maxsplit=1)
    last = re.split(r"\W+", box.lower())[-1]
    if last in NOBODY:
        return None
    if "." in host and " " not in host and not OWN.search(box):
        return None  # "what we bought at store.example.com"
    certain = re.search(SAID, host) or not box.isalpha() or WRITTEN.search(before(text, start, 96))
    return (types.EMAIL, 0.95) if certain else None


LETTERED = rf"(?: (?:[a-z0-9]|[0-9]{{1,4}}|{FIGURES}|dot|underscore|dash))"

MAIL = (
    Rule(
        "email-in-letters",  # r o t h 4 4 at example dot org
        types.EMAIL,
        rf"[a-z](?<!\w.){LETTERED}{{3,30}} (?:{SIGN}) (?:[\w-]{{1,40}}+(?:{SAID}| ){{1,2}}){{0,3}}"
        rf"(?:(?<=(?:dot|int|nkt) )(?:{'|'.join(TOP)}|example)"
        rf"|(?:{'|'.join(BOXES)})(?:\.[a-z]{{2,4}})?)"
        r"(?![\w@])",
        0.95,
        near=tuple(f" {sign} " for sign in SIGNS),
        reach=(120, 64),
        scan=_in_letters,
    ),
    Rule(
        "email-said",  # anna dot roth at example dot org, anna.roth at gmail, anna at postbox-mail
        types.EMAIL,
        rf"[\w+](?<![\w.%+'-].)[\w.%+-]{{0,60}}+(?:{SAID}[\w%+-]{{1,40}}+){{0,4}}"
        rf"(?: (?:{FIGURES}|[0-9]{{1,4}})){{0,4}} (?:{SIGN}) "
        rf"(?:[\w-]{{1,40}}+(?:{SAID}| ){{1,2}}){{0,3}}"
        rf"(?:(?<=(?:dot|int|nkt) )(?:{'|'.join(TOP)}|example)"
        rf"|(?:{'|'.join(BOXES)})(?:\.[a-z]{{2,4}})?"
        rf"|[a-z][\w-]{{1,40}}\.(?:{'|'.join(TOP)})"
        r"|[\w-]{2,30}mail)"
        r"(?![\w@])",
        judge=_spelled_email,
        near=(
            *(f" {at} {box}" for at in SIGNS for box in BOXES),
            *(f" {at} " for at in SIGNS if at not in ("at", "chez")),
            " dot ",
            " point ",
            " punkt ",
            "mail",
        ),
        reach=(120, 120),
        scan=_with_at,
    ),
)
"""Tried before the plain rules, which know but what stands behind the last spelled dot."""
