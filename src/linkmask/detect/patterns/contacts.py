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


JUDGES: Mapping[str, Judge] = {"torn-mail": _torn, "ip": _ip}
SCANS: Mapping[str, Scan] = {
    "spaced-mail": _spaced,
    "slashed-mail": _of_office,
    "mailboxes": _mailboxes,
    "hosts": _hosts,
}
