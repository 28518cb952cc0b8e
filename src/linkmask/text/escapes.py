"""Decodes characters that a text spells as escapes: `%20`, `&uuml;`, `\\u00fc`, `\\n`, `=C3=BC`.

Logs, addresses of the web, records within a text and mails as they were sent write them so. Only
what stands for one printable character or a blank counts; all else stays as it is spelled. A mail
as it was sent also breaks its lines in the middle of a word (RFC 2045, 6.7); these breaks count as
escapes of nothing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_ESCAPES = re.compile(
    r"""(?<![^\s(])[0-9.,]++%  # a percentage: "5%20" holds no escape
    | &(?:amp;)*(?P<entity>(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)
    | (?P<colour>\x1b\[[0-9;]{0,20}[A-Za-z])  # a terminal's (ECMA-48)
    | \\{1,4}(?P<blank>[nrt])(?![a-zß-öø-ÿ])  # before a small letter, it may begin a folder
    | \\{1,4}u(?P<first>[0-9a-fA-F]{4})(?:(?<=[dD][89abAB]..)\\{1,4}u(?P<second>[0-9a-fA-F]{4}))?
    | (?P<bytes>(?:%(?:25)*[0-9a-fA-F]{2})++ | (?:\\{1,4}x[0-9a-fA-F]{2})++
        | (?:=[89A-F][0-9A-F]){2,}+)
    | (?<=[^\W\d_])=(?P<mail>20(?=[A-Z][a-z=])|[C-F][0-9A-F](?=[a-z][a-z\s.,]))
    | (?<=[^\n]{60})(?<!=)=(?P<break>\r?\n)(?=\S)""",
    re.VERBOSE,
)
BLANKS = {"n": "\n", "t": "\t"}
"""Letter of an escape → the blank that it is read as, if it is no space."""
_BYTE = re.compile(r"(?:%(?:25)*|=)([0-9a-fA-F]{2})|\\{1,4}x([0-9a-fA-F]{2})")


def may_hold(text: str) -> bool:
    """Tell whether a text has a character that begins an escape."""
    return any(sign in text for sign in "%&=\\\x1b")


def escapes(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start and end of each escape in a text, and the one character that it stands for.

    The break of a line in the middle of a word, and the colour of a text, stand for nothing: "".
    """
    if not may_hold(text):
        return
    for run in _ESCAPES.finditer(text):
        if run["colour"]:
            yield *run.span(), ""
        if run["break"] and " " in text[run.start() - 60 : run.start()]:  # no Base64
            yield *run.span(), ""
        for start, end, spelled in _decoded(run):
            if len(spelled) == 1 and (spelled.isprintable() or spelled.isspace()):
                blank = BLANKS.get(run["blank"], " ")
                yield start, end, blank if spelled.isspace() else spelled


def _decoded(run: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Yield what each escape of a run stands for; nothing where it stands for no character."""
    if run["blank"]:
        yield *run.span(), " "
    elif run["entity"]:
        yield *run.span(), html.unescape("&" + run["entity"])
    elif run["first"]:
        units = bytes.fromhex(run["first"] + (run["second"] or ""))
        yield *run.span(), units.decode("utf-16-be", "ignore")
    elif run["mail"]:
        yield *run.span(), bytes.fromhex(run["mail"]).decode("cp1252")
    elif run["bytes"]:
        spelled = list(_BYTE.finditer(run[0]))
        data = bytes(int(one[1] or one[2], 16) for one in spelled)
        at = 0
        while at < len(data):
            size = _length(data[at])
            try:
                character = data[at : at + size].decode()
            except UnicodeDecodeError:
                at += 1
                continue
            last = spelled[at + size - 1]
            yield run.start() + spelled[at].start(), run.start() + last.end(), character
            at += size


def _length(lead: int) -> int:
    """Return how many bytes a character has in UTF-8 by its first one."""
    return 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
