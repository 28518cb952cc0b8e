"""Writes the masks in the headers of a mail in valid syntax, and reads them again.

A mask has brackets: `[NAME] <[EMAIL]>` holds no address (RFC 5322), and a strict reader of mail
drops it or fails. It is written `"\\[NAME]" <masked@[EMAIL]>`: a quoted name, and an address whose
domain is a literal. The backslash distinguishes these quotes from those that the mail had.
"""

from __future__ import annotations

import re

MASK = (
    r'"[^"\\\r\n]{0,2000}\\[\[\]][^"\\\r\n]{0,2000}"'
    r'|"[^"\\\r\n]{1,2000}"@\[masked\]'
    r"|\bmasked@\[[^\[\]\\\s]{1,2000}\]"
)
"""The pattern of what is written for a mask; `mask_in` returns what it stands for."""
_HEADER = re.compile(r"^([!-9;-~]{1,80}):((?:[^\n]|\n[ \t])*)", re.MULTILINE)
_ADDRESSES = re.compile(
    r"(?i)(?:resent-)?(?:from|to|cc|bcc|sender|reply-to|message-id)"
    r"|return-path|delivered-to|in-reply-to|references"
)
"""Headers of addresses and of ids of messages. A Content-ID stays, because links name it."""
_PARAMETERS = re.compile(r"(?i)content-(?:type|disposition)")
_TOKEN = re.compile(
    r'(?P<quoted>"(?:[^"\\]|\\.)*"(?:@[^\s",;:<>()]*)?)|(?P<comment>\((?:[^()\\]|\\.)*\))'
    r'|<(?P<address>[^<>]*)>|(?P<end>[,;:])|(?P<word>[^\s",;:<>()]+)',
    re.DOTALL,
)
_VALUE = re.compile(r'(;\s*[\w-]{1,40}(?:\*[0-9]{1,3})?=)([^\s";*][^";\r\n]*)')
_SPECIAL = re.compile(r"[\[\]]")
_ATOMS = r"[^\s\[\]@\"\\(),:;<>]+"
_LITERAL = r"\[[^\[\]\\\s]*\]"
_ADDRESS = re.compile(rf'(?:{_ATOMS}|"(?:[^"\\]|\\.)*")@(?:{_ATOMS}|{_LITERAL})')


def well_formed(head: str, before: str) -> str:
    """Return masked headers in their syntax; those that stand among the headers before stay."""
    kept = {found[0] for found in _HEADER.finditer(before)}
    return _HEADER.sub(
        lambda found: found[0] if found[0] in kept else _header(*found.groups()), head
    )


def mask_in(text: str) -> str:
    """Return the mask that a match of `MASK` stands for."""
    if text.startswith("masked@"):
        return text.removeprefix("masked@")
    return text.removesuffix("@[masked]").strip('"').replace("\\", "")


def _header(name: str, value: str) -> str:
    if _PARAMETERS.fullmatch(name):
        value = _VALUE.sub(lambda found: found[1] + _quoted(found[2]), value)
    elif _ADDRESSES.fullmatch(name):
        value = _addresses(value)
    return f"{name}:{value}"


def _addresses(value: str) -> str:
    """Return a list of addresses with a syntax; a word before an address in `<>` is a name."""
    new, named = list[str](), False
    at = len(value)
    for found in reversed(list(_TOKEN.finditer(value))):
        text = found[0]
        match found.lastgroup:
            case "end":
                named = False
            case "address":
                named, text = True, f"<{_address(found['address'])}>"
            case "word":
                text = _quoted(text) if named else _address(text)
        new += [value[found.end() : at], text]
        at = found.start()
    return value[:at] + "".join(reversed(new))


def _address(text: str) -> str:
    if not _SPECIAL.search(text) or '"' in text or "\\" in text or _ADDRESS.fullmatch(text):
        return text
    return f"masked@{text}" if re.fullmatch(_LITERAL, text) else f'"{text}"@[masked]'


def _quoted(text: str) -> str:
    if not _SPECIAL.search(text) or '"' in text or "\\" in text:
        return text
    return '"' + _SPECIAL.sub(r"\\\g<0>", text, count=1) + '"'
