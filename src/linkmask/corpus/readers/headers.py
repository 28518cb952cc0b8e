"""The headers of a mail: as one reads them, unfolded and decoded, and back."""

from __future__ import annotations

import re
from base64 import b64encode
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from urllib.parse import quote, unquote_to_bytes

from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.view import Field, View, rewritten

_WORD = r"=\?[^?\s]{1,60}\?[bBqQ]\?[^?\n]{0,2000}\?="
_FORMAT = (
    r"(?i:(?<![^\n])(?:MIME-Version:[ \t]*1\.0|Content-Transfer-Encoding:[ \t]*"
    r"(?:7bit|8bit|binary|quoted-printable|base64))(?=[ \t]*\r?\n)"
    r"|(?<![^\n])Content-Type:[ \t]*(?:text/(?:plain|html)|multipart/(?:alternative|mixed|related))"
    r"(?=[\s;])"
    r"|\bcharset=(?:\"(?:us-ascii|utf-8|iso-8859-1)\"|(?:us-ascii|utf-8|iso-8859-1)(?=[\s;])))"
)
"""What says how a part is written, in words of the format: it is nobody's, and is not read."""
_FORM = re.compile(
    rf"(?P<format>{_FORMAT})"
    rf"|(?P<words>{_WORD}(?:\s{{1,20}}{_WORD})*)"
    r"|(?P<fold>\r?\n[ \t]+)|(?P<end>\r?\n)"
    r"|(?<=\*=)(?P<charset>[\w.-]{1,40})'[\w-]{0,20}'(?P<percent>[^\s;\"']{1,2000})"
    r"|(?P<more>\"?;\s*[\w-]{1,40}\*[1-9]\d?=\"?)"
)


class Headers:
    """A block of headers, as bytes that end with a line end; one field."""

    def __init__(self, data: bytes) -> None:
        try:
            self._codec, self.source = "utf-8", data.decode()
        except UnicodeDecodeError:
            self._codec, self.source = "latin-1", data.decode("latin-1")
        view, at = View(self.source), 0
        for found in _FORM.finditer(self.source):
            view.copy(at, found.start(), "header")
            at = found.end()
            match found.lastgroup:
                case "words":
                    view.decode(_words(found[0]), *found.span(), "header")
                case "fold":
                    view.decode(" ", *found.span(), "header")
                case "end":
                    view.decode("\n", *found.span(), "end")
                case "percent":
                    view.copy(found.start(), found.start("percent"), "header")
                    value = _percent(found["percent"], found["charset"])
                    kind = f"percent {found['charset']}"
                    view.decode(value, *found.span("percent"), kind)
        view.copy(at, len(self.source), "header")
        self.removed: list[str] = []
        self.fields: list[Field] = list(view.field("headers"))

    def write(self) -> bytes:
        """Return the headers with the edits made.

        Raises:
            Flaw: a mask can't be written there.
        """
        try:
            return rewritten(self.source, self.fields, _escape).encode(self._codec)
        except (UnicodeEncodeError, LookupError):
            raise Flaw("a mask can't be written in a header") from None


def _words(text: str) -> str:
    """Return what encoded words say (RFC 2047).

    Raises:
        Flaw: they can't be decoded.
    """
    try:
        return str(make_header(decode_header(text)))
    except (HeaderParseError, LookupError, ValueError):
        raise Flaw("a header holds an encoded word that can't be decoded") from None


def _percent(text: str, charset: str) -> str:
    """Return what a parameter says that is written in percents (RFC 2231).

    Raises:
        Flaw: it can't be decoded.
    """
    try:
        return unquote_to_bytes(text).decode(charset)
    except (LookupError, ValueError):
        raise Flaw("a header holds a parameter that can't be decoded") from None


def _escape(text: str, kind: str) -> str:
    if kind.startswith("percent"):
        return quote(text, safe="", encoding=kind.partition(" ")[2])
    if kind == "end" and text == "\n":
        return text
    text = " ".join(text.split("\n"))
    if text.isascii():
        return text
    return f"=?utf-8?b?{b64encode(text.encode()).decode()}?="
