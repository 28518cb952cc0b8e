"""Judges mail addresses in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkmask import schema
from linkmask.detect.patterns.rule import Judge, Verdict, before
from linkmask.schema import types

SIGNS: tuple[str, ...] = tuple(schema.words("hosts")["signs"])
"""Words for "@", as addresses are spoken."""
SIGN = "|".join(SIGNS)
SAID = re.compile(r" (?:dot|point|punkt) | ?\. ?| ?(?:underscore|dash|hyphen|minus) ")
FIGURE = re.compile(r"[^\W_][._-]?[0-9_.-]|[0-9]")
"""A figure, an underscore or a point in what stands before the sign: no word of a sentence."""
WRITTEN = re.compile(r"(?i)e?-?mails?(?!\w)|courriel|@|(?:reach|write|contact|address)(?!\w)")
NO_MAILBOX = frozenset(schema.words("hosts")["no_mailbox"])


def _spoken_mail(text: str, start: int, end: int) -> Verdict:
    """Take "anna at post dot example": with "at" alone a word before or a sign tells that it is."""
    box, _, host = re.split(rf" ({SIGN}) ", text[start:end], maxsplit=1)
    if re.split(r"\W+", box.lower())[-1] in NO_MAILBOX:
        return None
    if "." in host and " " not in host and not FIGURE.search(box):
        return None  # "what we bought at store.example.com"
    certain = SAID.search(host) or not box.isalpha() or WRITTEN.search(before(text, start, 96))
    return (types.EMAIL, 0.95) if certain else None


JUDGES: Mapping[str, Judge] = {"spoken-mail": _spoken_mail}
