"""Finds matches of network contacts around the sign that each has, and judges them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address

from linkmask import schema
from linkmask.detect.patterns.rule import Judge, Scan, Searched, Verdict, before
from linkmask.schema import types

TOP = tuple(schema.words("hosts")["top"])
"""Last labels by which a bare host name is known; others need a scheme or `www.`."""

LOCAL = r"[\w+](?<![\w%+-].)(?<!\w[.'].)[\w.%+'-]{0,80}+"
SPACED = re.compile(r"[ @.](?:(?<= )[@.] |(?<= )@|(?<=@) |(?<=\.) [\w.-]{1,40}+@)")
"""Blanks in an address: around "@" or a point, or behind a point of what is before "@"."""
MAILBOX = re.compile(rf"{LOCAL}@")
BOX = 81
"""Characters before the "@" of an address, at most."""
LABELS = r"[a-zA-Z0-9](?<![\w@.-].)(?:[a-zA-Z0-9-]{0,62}\.){1,4}"
HOST = re.compile(f"{LABELS}$")
LAST_LABEL = re.compile(rf"\.(?=[a-z])(?:{'|'.join(TOP)})(?![\w-]|\.\w)")
NAME = 4 * 63
"""Characters of a host's name before its last label, at most."""


def _spaced(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found where a blank stands as it may in an address."""
    text = seen.text
    if SPACED.search(text, begin, stop):
        yield from expression.finditer(text, begin, stop)


def _of_office(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found where a slash stands."""
    if seen.text.find("/", max(begin, 0), stop) >= 0:
        yield from expression.finditer(seen.text, begin, stop)


def _mailboxes(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found around each "@": what stands before it first, then what is behind."""
    text = seen.text
    end = max(begin, 0)
    at = text.find("@", end, stop)
    while at >= 0:
        box = MAILBOX.search(text, max(end, at - BOX), at + 1)
        match = expression.match(text, box.start(), stop) if box else None
        if match:
            yield match
        end = match.end() if match else at + 1
        at = text.find("@", end, stop)


def _hosts(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found around each last label of a host's name."""
    end = max(begin, 0)
    while dot := LAST_LABEL.search(seen.text, end, stop):
        head = HOST.search(seen.text, max(end, dot.start() - NAME), dot.start() + 1)
        match = expression.match(seen.text, head.start(), stop) if head else None
        if match:
            yield match
        end = match.end() if match else dot.end()


SIGNS: tuple[str, ...] = tuple(schema.words("hosts")["signs"])
"""Words for "@", as addresses are spoken."""
SIGN = "|".join(SIGNS)
ALONE = re.compile(rf" [a-z0-9] (?:[a-z0-9] )?(?:\w{{1,10}} ){{0,2}}(?:{SIGN}) ")


def _lettered(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found where single letters stand before a word for the sign."""
    if ALONE.search(seen.text, max(begin, 0), stop):
        yield from expression.finditer(seen.text, begin, stop)


def _spoken(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found where a word for the sign stands."""
    if any(seen.text.find(f" {sign} ", max(begin, 0), stop) >= 0 for sign in SIGNS):
        yield from expression.finditer(seen.text, begin, stop)


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


def _torn(text: str, start: int, end: int) -> Verdict:
    """Take an address with blanks or a line break in it; others are left to the plain rule."""
    return (types.EMAIL, 0.95) if re.search(r"\s", text[start:end]) else None


def _ip(text: str, start: int, end: int) -> Verdict:
    """Take what is an address; `12.3.4.5` after "version" or "section" is none."""
    try:
        ip_address(text[start:end])
    except ValueError:
        return None
    if ":" in text[start:end] and end - start < 8:  # C::B
        return None
    numbered = r"(?i)(?:version|v|section|release|chapter|§)\.? ?$"
    return None if re.search(numbered, before(text, start, 12)) else (types.IP_ADDRESS, 0.95)


JUDGES: Mapping[str, Judge] = {"torn-mail": _torn, "spoken-mail": _spoken_mail, "ip": _ip}
SCANS: Mapping[str, Scan] = {
    "spaced-mail": _spaced,
    "lettered-mail": _lettered,
    "spoken-mail": _spoken,
    "slashed-mail": _of_office,
    "mailboxes": _mailboxes,
    "hosts": _hosts,
}
