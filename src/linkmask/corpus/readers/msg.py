"""Reads Outlook's messages (.msg, MS-OXMSG) as mail, and writes them as mail.

It reads sender, recipients, subject, date, the body as text and as HTML, and attachments, also
messages. The mail has nothing else, such as transport headers and Outlook's own properties.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.header import Header
from email.utils import format_datetime
from hashlib import sha256

from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.cfb import MAGIC, Compound
from linkmask.corpus.readers.source import Limits

_STREAM = "__substg1.0_"
_PROPERTIES = "__properties_version1.0"
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
CLASS, SUBJECT, BODY, HTML, RTF = "001A", "0037", "1000", "1013", "1009"
SENDER, SENDER_ADDRESSES = "0C1A", ("5D01", "0C1F")
NAME, ADDRESSES, KIND = "3001", ("39FE", "3003"), 0x0C15
DATES = (0x0039, 0x0E06)
FILE_NAMES, ATTACHED = ("3707", "3704", "3001"), "3701"
CODE_PAGES = (0x3FFD, 0x3FDE)
NAMED_PAGES = {20127: "ascii", 28591: "latin-1", 65001: "utf-8"}
"""Code pages that Python knows by a name."""
RECIPIENTS = {1: "To", 2: "Cc", 3: "Bcc"}


def as_mail(data: bytes, limits: Limits) -> bytes:
    """Return a message of Outlook as mail; a mail stays as it is.

    Raises:
        Flaw: it is damaged or encrypted, or its body is RTF alone.
    """
    if not data.startswith(MAGIC):
        return data
    return _Message(Compound(data, limits), 0, limits, 32).mail()


class _Message:
    """A storage with the properties of a message, a recipient or an attachment.

    `head`: bytes before its properties that are numbers: 32 in the file's own message, 24 in one
    that is attached, 8 in all others.
    """

    def __init__(self, file: Compound, storage: int, limits: Limits, head: int) -> None:
        self._file, self._limits = file, limits
        self._held = file.children(storage)
        self._numbers = dict(self._fixed(head))

    def mail(self) -> bytes:
        """Return the message as a mail."""
        if self.text(CLASS).upper().startswith("IPM.NOTE.SMIME"):
            raise Flaw("encrypted or signed: save it decrypted, as EML")
        lines = [
            _header("From", _address(self.text(SENDER), self._first(SENDER_ADDRESSES))),
            *self._recipients(),
            _header("Subject", self.text(SUBJECT)),
            _header("Date", self._date()),
        ]
        parts = [*self._bodies(), *self._attachments()]
        mark = "=_" + sha256(b"".join(parts)).hexdigest()[:24]
        lines += ["MIME-Version: 1.0\n", f'Content-Type: multipart/mixed; boundary="{mark}"\n\n']
        body = b"".join(b"--%s\n%s\n" % (mark.encode(), part) for part in parts)
        return "".join(lines).encode() + body + f"--{mark}--\n".encode()

    def text(self, tag: str) -> str:
        """Return a property that is text, "" where it is not there."""
        if (number := self._held.get(f"{_STREAM}{tag}001F")) is not None:
            return self._file.stream(number).decode("utf-16-le", "replace").rstrip("\0")
        if (number := self._held.get(f"{_STREAM}{tag}001E")) is not None:
            return self._file.stream(number).decode(self._codec(), "replace").rstrip("\0")
        return ""

    def number(self, tag: int) -> int:
        """Return a property that is a number or a time, 0 where it is not there."""
        return self._numbers.get(tag, 0)

    def binary(self, tag: str) -> bytes:
        """Return a property that is bytes."""
        number = self._held.get(f"{_STREAM}{tag}0102")
        return b"" if number is None else self._file.stream(number)

    def _first(self, tags: tuple[str, ...]) -> str:
        return next(filter(None, map(self.text, tags)), "")

    def _fixed(self, head: int) -> Iterator[tuple[int, int]]:
        number = self._held.get(_PROPERTIES)
        rows = b"" if number is None else self._file.stream(number)[head:]
        for at in range(0, len(rows) - 15, 16):
            kind, tag, _, value = struct.unpack_from("<HHIQ", rows, at)
            yield tag, value if kind == 0x40 else value & 0xFFFFFFFF

    def _codec(self) -> str:
        page = next(filter(None, map(self.number, CODE_PAGES)), 1252)
        return NAMED_PAGES.get(page, f"cp{page}")

    def _date(self) -> str:
        ticks = next(filter(None, map(self.number, DATES)), 0)
        return format_datetime(_EPOCH + timedelta(microseconds=ticks // 10)) if ticks else ""

    def _parts(self, name: str) -> Iterator[_Message]:
        for held, number in self._held.items():
            if held.startswith(name) and self._file.is_storage(number):
                yield _Message(self._file, number, self._limits, 8)

    def _recipients(self) -> Iterator[str]:
        for one in self._parts("__recip_version1.0_"):
            kind = RECIPIENTS.get(one.number(KIND), "To")
            yield _header(kind, _address(one.text(NAME), one._first(ADDRESSES)))

    def _bodies(self) -> Iterator[bytes]:
        plain, page = self.text(BODY), self.text(HTML).encode() or self.binary(HTML)
        if not plain and not page and self.binary(RTF):
            raise Flaw("its text is RTF alone: save it as EML")
        if plain or not page:
            yield _part("text/plain; charset=utf-8", plain.encode("utf-8", "replace"))
        if page:
            charset = "; charset=utf-8" if self.text(HTML) else ""
            yield _part(f"text/html{charset}", page)

    def _attachments(self) -> Iterator[bytes]:
        for one in self._parts("__attach_version1.0_"):
            inner = one._held.get(f"{_STREAM}{ATTACHED}000D")
            if inner is not None and self._file.is_storage(inner):
                held = _Message(self._file, inner, self._limits.inner(), 24)
                yield b"Content-Type: message/rfc822\n\n" + held.mail()
            else:
                name = _encoded(one._first(FILE_NAMES).replace('"', "'").replace("\\", "/"))
                place = f'Content-Disposition: attachment; filename="{name}"\n'
                yield _part("application/octet-stream", one.binary(ATTACHED), place)


def _part(media: str, data: bytes, more: str = "") -> bytes:
    head = f"Content-Type: {media}\nContent-Transfer-Encoding: base64\n{more}\n"
    return head.encode() + base64.encodebytes(data).rstrip(b"\n")


def _header(name: str, text: str) -> str:
    return f"{name}: {_encoded(text)}\n" if text else ""


def _encoded(text: str) -> str:
    """Return a text as a header writes it, in one line."""
    line = " ".join(text.replace("\0", " ").split())
    return line if line.isascii() else Header(line, "utf-8").encode()


def _address(name: str, address: str) -> str:
    return f"{name} <{address}>" if name and address and name != address else name or address
