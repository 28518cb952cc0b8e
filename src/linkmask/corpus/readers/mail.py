"""Reads mail: headers, parts and attachments; each part is written back where it stood."""

from __future__ import annotations

import binascii
import email
import email.policy
import quopri
import re
from collections.abc import Iterator
from email.message import Message
from itertools import count, pairwise
from typing import NamedTuple

from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.headers import NUMBER_OF_BOUNDARY, Headers, decoded_name
from linkmask.corpus.readers.msg import as_mail
from linkmask.corpus.readers.source import Inner, Kind, Limits, Source, fields_within, written_as
from linkmask.corpus.readers.source_view import Field

_BLANK = re.compile(rb"(?:\A|(?<=\n))\r?\n")
_BASE64 = re.compile(rb"[A-Za-z0-9+/\s]*={0,2}\s*")
_UUENCODED = re.compile(rb"^begin [0-7]{3,4} [^\r\n]+\r?\n[M#-`]", re.MULTILINE)
_FROM = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\n]*\n")
_NO_HEADER = re.compile(rb"^(?![!-9;-~]+:|[ \t]|\r?$|\AFrom )", re.MULTILINE)
"""Begins a line that is no header, such as "De : …" of a message saved as it was printed."""
_WIDTH = 57
"""Bytes a line of base64 holds."""


class Part(NamedTuple):
    """A part `[start, end)` of a mail: its content, what was read of it, and its encoding."""

    start: int
    end: int
    data: bytes
    source: Source | Headers
    coding: str = ""


class Boundary(NamedTuple):
    """The boundary of a multipart: its text, the headers that name it, and its other places."""

    text: bytes
    headers: Headers
    places: list[int]


class Mail:
    """One message (RFC 5322, MIME), with all that it holds."""

    written_as = ""

    def __init__(self, data: bytes, inner: Inner, limits: Limits) -> None:
        self.data = data
        self._inner, self._limits = inner, limits
        self.removed: list[str] = []
        self._parts: list[Part] = []
        self._boundaries: list[Boundary] = []
        self._payloads: list[bytes] = []
        self._number = 0
        self._line_end = b"\r\n" if b"\r\n" in data else b"\n"
        self._read(0, len(data), "")
        _check_parts(data, self._payloads)
        self.fields = [field for part in self._parts for field in part.source.fields]

    def write(self) -> bytes:
        """Return the message with the edits of its fields made."""
        renamed = [*self._renamed()]
        written = [
            (start, end, _encode(new, coding, self._line_end))
            for start, end, data, source, coding in self._parts
            if (new := source.write()) != data
        ]
        pieces, at = [], 0
        for start, end, new in sorted([*written, *renamed]):
            pieces += [self.data[at:start], new]
            at = end
        return b"".join([*pieces, self.data[at:]])

    def _renamed(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield the places of a boundary that is masked in its headers, and its new text.

        Detection can't tell a boundary from another number or name. None may be the beginning of
        another (RFC 2046, 5.1.2); otherwise, those that were masked begin with a number.
        """
        for _, headers, _ in self._boundaries:
            headers.boundary = ""
        masked = [_boundary_of(_parsed_headers(one.headers.write())) for one in self._boundaries]
        clash = any(after.startswith(one) for one, after in pairwise(sorted(masked)))
        for number, (one, new) in enumerate(zip(self._boundaries, masked, strict=True), 1):
            if new == one.text:
                continue
            numbered = f"{number}{NUMBER_OF_BOUNDARY}".encode() + new if clash else new
            one.headers.boundary = numbered.decode() if clash else ""
            yield from ((at, at + len(one.text), numbered) for at in one.places)

    def _read(self, start: int, end: int, place: str) -> None:
        """Read the headers of a message or part, and what follows them."""
        blank = _BLANK.search(self.data, start, end)
        body = blank.end() if blank else end
        head = self.data[start : blank.start() if blank else end]
        if (text := _NO_HEADER.search(head)) and text.start() < len(head) and _plain(head):
            head, body = head[: text.start()], start + text.start()
        block = Headers(head)
        if place:
            fields_within(place, block.fields)
        self._parts.append(Part(start, start + len(head), head, block))
        self._body(body, end, block, _parsed_headers(head), place)

    def _body(self, start: int, end: int, headers: Headers, message: Message, place: str) -> None:
        media = message.get_content_type()
        if media == "multipart/encrypted" or media == "application/pkcs7-mime":
            raise Flaw("encrypted: decrypt it first")
        named = _boundary_of(message) if message.get_content_maintype() == "multipart" else b""
        if named and (marks := self._marks(start, end, named)):
            self._boundaries.append(Boundary(named, headers, [at + 2 for at, _, _ in marks]))
            self._read_outside_parts(start, marks[0][0], place)
            for (_, begin, last), (stop, _, _) in pairwise(marks):
                if last:
                    break
                self._number += 1
                self._limits.inner()
                self._read(begin, _before_line_end(self.data, begin, stop), f"part {self._number}")
            self._read_outside_parts(marks[-1][1], end, place)
        elif message.get_content_maintype() == "message" and media != "message/delivery-status":
            self._number += 1
            self._read(start, end, f"part {self._number}")
        else:
            self._leaf(start, end, headers, message, place)

    def _marks(self, start: int, end: int, boundary: bytes) -> list[tuple[int, int, bool]]:
        """Return where each boundary line begins and ends, and whether it is the last one."""
        line = rb"(?:^|(?<=\n))--" + re.escape(boundary) + rb"(--)?[ \t]*(?:\r?\n|\Z)"
        marks = []
        for found in re.compile(line).finditer(self.data, start, end):
            marks.append((found.start(), found.end(), bool(found[1])))
            if found[1]:
                break
        if marks and not marks[-1][2]:
            raise Flaw("a mail that breaks off: its last part is not closed")
        return marks

    def _read_outside_parts(self, start: int, end: int, place: str) -> None:
        """Read what stands before or after all parts, which no reader of mail shows."""
        if text := self.data[start:end].strip():
            start = self.data.index(text, start)
            self._add(start, start + len(text), text, Kind("", "text/plain"), "", place)

    def _leaf(self, start: int, end: int, headers: Headers, message: Message, place: str) -> None:
        coding = _coding(message)
        data = _decode(self.data[start:end], coding)
        if message.get_content_type() != "message/delivery-status":  # read as headers by others
            self._payloads.append(data)
        name = decoded_name(message.get_filename() or "")
        kind = Kind(name, message.get_content_type(), str(message.get_content_charset() or ""))
        if _UUENCODED.search(data):
            raise Flaw("it holds a uuencoded file: unpack it first")
        self._limits.spend(len(data))
        self._add(start, end, data, kind, coding, place, headers)

    def _add(
        self,
        start: int,
        end: int,
        data: bytes,
        kind: Kind,
        coding: str,
        place: str,
        headers: Headers | None = None,
    ) -> None:
        """Read the content of a part; if it is written as another kind, its headers name that."""
        if not data.strip():
            return
        try:
            source = self._inner(data, kind, self._limits.inner())
            if headers and (other := written_as(source)):
                headers.name_as(other)
        except Flaw as flaw:
            source = Removed(str(flaw))
        fields_within(place, source.fields) if place else None
        self.removed += [f"{place or 'its body'}: {reason}" for reason in source.removed]
        self._parts.append(Part(start, end, data, source, coding))


def read_mail(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Mail:
    """Read a message with its parts and attachments."""
    return Mail(data, inner, limits)


def read_outlook(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Mail:
    """Read a message of Outlook; it is written as the mail that it is."""
    return Mail(as_mail(data, limits), inner, limits)


def read_mailbox(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Source:
    """Read a mailbox that lies in another file as one document."""
    return Mailbox(data, inner, limits)


class Removed:
    """A part that could not be read, and is not written."""

    def __init__(self, reason: str) -> None:
        self.fields: list[Field] = []
        self.removed = [reason]

    def write(self) -> bytes:
        """Return nothing."""
        return b""


def messages(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each message of a mailbox begins, its "From " line included, and ends.

    Raises:
        Flaw: it does not begin as a mailbox does.
    """
    starts = [found.start() for found in _FROM.finditer(data)]
    if not starts or data[: starts[0]].strip():
        raise Flaw("not a mailbox: it does not begin with a line 'From '")
    yield from zip(starts, [*starts[1:], len(data)], strict=True)


def _parsed_headers(head: bytes) -> Message:
    """Return what headers say of the body that follows them."""
    return email.message_from_bytes(head + b"\n\n", policy=email.policy.compat32)


def _boundary_of(message: Message) -> bytes:
    """Return the boundary that headers name, empty if they name none."""
    return (message.get_boundary() or "").encode(errors="replace")


def _coding(message: Message) -> str:
    return str(message.get("content-transfer-encoding", "")).strip().lower()


def _decode(data: bytes, coding: str) -> bytes:
    """Return what the body of a part holds.

    Raises:
        Flaw: it is not encoded as it says, or in no known way.
    """
    if coding in ("", "7bit", "8bit", "binary"):
        return data
    if coding == "quoted-printable":
        return quopri.decodestring(data)
    if coding == "base64" and _BASE64.fullmatch(data):
        try:
            return binascii.a2b_base64(b"".join(data.split()))
        except binascii.Error:
            pass
    raise Flaw("a part of it is not encoded as it says")


def _encode(data: bytes, coding: str, line_end: bytes) -> bytes:
    """Return a part's body as its transfer encoding writes it."""
    if coding == "quoted-printable":
        lines = data.replace(b"\r\n", b"\n").split(b"\n")
        return b"\n".join(map(quopri.encodestring, lines)).replace(b"\n", line_end)
    if coding != "base64":
        return data
    pieces = (data[at : at + _WIDTH] for at in range(0, len(data), _WIDTH))
    return b"".join(map(binascii.b2a_base64, pieces)).replace(b"\n", line_end)


def _plain(head: bytes) -> bool:
    """Tell whether no line declares a kind or an encoding, by any program's way to read it."""
    return b"content-" not in head.lower()


def _before_line_end(data: bytes, start: int, end: int) -> int:
    """Return the end of a part without the line end that belongs to the boundary after it."""
    if data[max(start, end - 2) : end] == b"\r\n":
        return end - 2
    return max(start, end - 1)


def _check_parts(data: bytes, payloads: list[bytes]) -> None:
    """Check that the standard library finds the same parts.

    Raises:
        Flaw: it finds others: programs for mail may show something that was not read.
    """
    told = email.message_from_bytes(data, policy=email.policy.compat32)
    leaves = [part for part in told.walk() if not part.is_multipart()]
    theirs = [part.get_payload(decode=True) for part in leaves]
    seen = [one.strip() for one in theirs if isinstance(one, bytes) and one.strip()]
    if seen != [one.strip() for one in payloads if one.strip()]:
        raise Flaw("programs for mail disagree about its parts")


class Mailbox:
    """The messages of a mailbox as one document, with the lines that part them."""

    def __init__(self, data: bytes, inner: Inner, limits: Limits) -> None:
        self._messages = [Mail(data[a:b], inner, limits.inner()) for a, b in messages(data)]
        places = zip(count(1), self._messages, strict=False)
        self.fields = [f for n, one in places for f in fields_within(f"message {n}", one.fields)]
        self.removed = [reason for one in self._messages for reason in one.removed]

    def write(self) -> bytes:
        """Return the mailbox with the edits of its fields made."""
        return b"".join(one.write() for one in self._messages)
