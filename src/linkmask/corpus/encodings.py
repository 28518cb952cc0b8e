"""Determines how the text of a file is encoded, and decodes it."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from string import ascii_letters

from linkmask.corpus.files import Flaw


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file's text is encoded: a codec, and the byte order mark in front of it."""

    codec: str = "utf-8"
    mark: bytes = b""

    @property
    def is_plain_utf8(self) -> bool:
        """True for UTF-8 without a mark."""
        return self.codec == "utf-8" and not self.mark


ENCODINGS = (  # the longer marks first: UTF-32's begins with UTF-16's
    Encoding("utf-32-le", codecs.BOM_UTF32_LE),
    Encoding("utf-32-be", codecs.BOM_UTF32_BE),
    Encoding("utf-8", codecs.BOM_UTF8),
    Encoding("utf-16-le", codecs.BOM_UTF16_LE),
    Encoding("utf-16-be", codecs.BOM_UTF16_BE),
)


HEAD = 4096
"""Bytes at the beginning of a file from which its encoding is recognized."""

ASCII = frozenset(bytes(range(0x20, 0x7F)) + b"\t\n\r")
CONTROLS = frozenset(range(1, 0x20)) - ASCII
KANA = frozenset(b"\x000")
"""Zero, and the byte that kana begin with in UTF-16."""
CODECS = {"utf-16": "utf-16-le", "utf-32": "utf-32-le", "utf-8-sig": "utf-8"}
"""Names of two codecs, or of one with a byte order mark → the codec for text without a mark."""
SPARSE = 0.1
"""Share of zeros among every second byte above which text is UTF-16, and share of pairs without a
zero, per byte, up to which it is.
"""
MOSTLY = 0.8
"""Share of ASCII pairs among those without a zero that no text in UTF-16 reaches."""


def encoding_of(head: bytes, given: str = "") -> Encoding:
    """Tell the encoding by the byte order mark in front; without one it is the one `given`.

    If none is given either, text is UTF-16 if every second byte of its Latin letters, digits and
    blanks is zero, and UTF-8 otherwise.

    Raises:
        Flaw: the mark or `given` means UTF-16, UTF-32 or EBCDIC, and the text is not. Decoding
        would give wrong characters, in which nothing is found.
    """
    marked = next((e for e in ENCODINGS if head.startswith(e.mark)), None)
    found = marked or Encoding(CODECS.get(given, given) or _unmarked(head[:HEAD]))
    if not _extends_ascii(found.codec) and _is_single_bytes(head[len(found.mark) : HEAD]):
        declared = (
            "its byte order mark says: remove the mark"
            if marked
            else "it is said to be: correct that"
        )
        raise Flaw(f"not {found.codec.upper()}, as {declared}")
    return found


def _unmarked(head: bytes) -> str:
    """Return the codec of text without a mark: UTF-16 where only every second byte is zero."""
    for codec, zeros, letters in (
        ("utf-16-le", head[1::2], head[::2]),
        ("utf-16-be", head[::2], head[1::2]),
    ):
        if not letters.count(0) and zeros.count(0) > SPARSE * len(zeros):
            return "utf-8" if _is_single_bytes(head) else codec
    return "utf-8"


def _extends_ascii(codec: str) -> bool:
    return ascii_letters.encode().decode(codec, "replace") == ascii_letters


def _is_single_bytes(head: bytes) -> bool:
    """Tell whether bytes are text in UTF-8 or ASCII, also if it has zeros between its words.

    In UTF-16 most pairs of Latin text have a zero, and those of other alphabets a control
    character. Pairs of East Asian text are seldom UTF-8, and those of kana have the byte of the
    digit 0, so such pairs do not count.
    """
    pairs = [pair for pair in zip(head[::2], head[1::2], strict=False) if not KANA & {*pair}]
    if len(pairs) <= SPARSE * len(head):
        return False
    if sum(ASCII.issuperset(pair) for pair in pairs) > MOSTLY * len(pairs):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return not CONTROLS & {*head}


def decode(data: bytes, encoding: Encoding) -> str:
    """Decode strictly, without the byte order mark.

    Raises:
        Flaw: the bytes are not text in this encoding; the reason says what to do.
    """
    try:
        return data[len(encoding.mark) :].decode(encoding.codec)
    except UnicodeDecodeError as error:
        raise Flaw(not_encoded(encoding.codec, error.start + len(encoding.mark))) from None


def not_encoded(codec: str, position: int | None = None) -> str:
    """Say that bytes are not text, and what to do about it."""
    at = "" if position is None else f" at byte {position}"
    hint = "; name its encoding, as in --encoding cp1252, or: iconv -f WINDOWS-1252 -t UTF-8"
    return f"not {codec.upper()}{at}{hint if codec == 'utf-8' else ''}"
