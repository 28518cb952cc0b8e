"""Recognizes network contacts: e-mail addresses, web addresses, machines, user names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

from linkmask import schema
from linkmask.detect.patterns.rule import Rule, Searched, Verdict, before

TOP = tuple(schema.words("hosts")["top"])
"""Last labels by which a bare host name is known; others need a scheme or `www.`."""


WIDE = "com|org|net|edu|gov|info|fr|de|ch|uk|eu"
"""Last labels by which an address with blanks or a line break in it is known."""

LOCAL = r"[\w+](?<![\w%+-].)(?<!\w[.'].)[\w.%+'-]{0,80}+"
HEX = "[0-9A-Fa-f]"
LINE_END = r"(?<![.,;:!?])"
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
    return ("EMAIL", 0.95) if re.search(r"\s", text[start:end]) else None


def _ip(text: str, start: int, end: int) -> Verdict:
    """Take what is an address; `12.3.4.5` after "version" or "section" is none."""
    try:
        ip_address(text[start:end])
    except ValueError:
        return None
    if ":" in text[start:end] and end - start < 8:  # C::B
        return None
    numbered = r"(?i)(?:version|v|section|release|chapter|§)\.? ?$"
    return None if re.search(numbered, before(text, start, 12)) else ("IP_ADDRESS", 0.95)


NET = (
    Rule(
        "email-spaced",  # t.roth @ example . org; <anna. roth@example.org>
        "EMAIL",
        rf"(?:{LOCAL} ?@ ?|[a-z](?<=[<,;:\"'\[(\n].)\w{{0,30}}\. [\w.-]{{1,40}}+@)[\w-]{{1,63}}"
        rf"(?:(?: \. |\.)[\w-]{{1,63}}){{0,3}}(?: \. |\.)(?:{WIDE})(?![\w@-])",
        judge=_torn,
        near=("@",),
        reach=(130, 200),
        scan=_spaced,
    ),
    Rule(
        "email",
        "EMAIL",
        rf"{LOCAL}@@?(?:[^\W_](?:[\w-]{{0,61}}[^\W_])?\.){{1,5}}[^\W\d_]{{2,24}}(?![\w@-])",
        1.0,
        near=("@",),
        reach=(130, 200),
        scan=_mailboxes,
    ),
    Rule(
        "email-of-office",  # Anna Roth/CLAIMS/ACME@ACME
        "EMAIL",
        r"[A-Z](?<!\w.)[\w.'-]{0,24}(?: [A-Z][\w.'-]{0,24}){0,3}(?:/[A-Z][\w ]{0,20}){1,4}"
        r"@[A-Z]\w{1,30}(?![\w@.-])",
        0.95,
        near=("@",),
        reach=(130, 200),
        scan=_of_office,
    ),
    Rule(
        "url",
        "URL",
        r"[hHfFwW](?<!\w.)(?:(?:(?<=[hH])(?i:ttps?)|(?<=[fF])(?i:tps?))://|(?<=[wW])(?i:ww\.))"
        rf"[^\s<>\"'`|)\]}}]{{2,2000}}{LINE_END}",
        1.0,
        near=("://", "www."),
        reach=(8, 2100),
    ),
    Rule(
        "host",
        "URL",
        rf"{LABELS}(?:{'|'.join(TOP)})(?![\w-]|\.\w)(?:/[^\s<>\"'`|)\]}}]{{0,2000}}{LINE_END})?",
        0.85,
        near=tuple(f".{label}" for label in TOP),
        reach=(80, 2100),
        whole=True,
        scan=_hosts,
    ),
    Rule(
        "mac",
        "IP_ADDRESS",
        rf"{HEX}(?<![\w:-].){HEX}(?:(?::{HEX}{{2}}){{5}}|(?:-{HEX}{{2}}){{5}})(?![\w:-])",
        0.95,
        near=(
            *(f":{a}{b}:" for a in "0abcdef" for b in "0abcdef"),
            *("-00-", *(f"-0{x}-" for x in "abcdef"), *(f"-{x}0-" for x in "abcdef")),
        ),
        reach=(16, 48),
    ),
    Rule(
        "ipv6",
        "IP_ADDRESS",
        r"[0-9A-Fa-f:](?<![\w:.].)(?=[0-9A-Fa-f]{0,3}:)[0-9A-Fa-f:]{2,39}+(?:\.[0-9.]{3,12})?"
        r"(?!\w)",
        judge=_ip,
        near=tuple(f":{x}" for x in ":0abcdef"),
        reach=(6, 64),
    ),
    Rule(
        "ipv4",
        "IP_ADDRESS",
        r"[0-9](?<![\w.-].)[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?![\w-]|\.[0-9])",
        judge=_ip,
        near=("0.0",),
        reach=(16, 48),
    ),
)
