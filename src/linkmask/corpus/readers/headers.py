"""Decodes and unfolds the headers of a mail, and encodes them again."""

from __future__ import annotations

import email
import email.policy
import re
from base64 import b64encode
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from urllib.parse import quote, unquote_to_bytes

from linkmask.corpus.file_kinds import KINDS, MARKDOWN, written_name
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.header_syntax import MASK, mask_in, well_formed
from linkmask.corpus.readers.html import vocabulary
from linkmask.corpus.readers.source_view import Field, View, with_field_edits

_WORD = r"=\?[^?\s]{1,60}\?[bBqQ]\?[^?\n]{0,2000}\?="
_MEDIA = [media for kind in KINDS.values() for media in kind.media]
_CHARSETS, _SUBTYPES = (
    "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    for names in (
        vocabulary("charsets"),
        vocabulary("subtypes").union(media.partition("/")[2] for media in _MEDIA),
    )
)
_FORMAT = (
    r"(?i:(?<![^\n])(?:MIME-Version:[ \t]*1\.0|Content-Transfer-Encoding:[ \t]*"
    r"(?:7bit|8bit|binary|quoted-printable|base64))(?=[ \t]*\r?\n)"
    rf"|(?<![^\n])Content-Type:[ \t]*(?:{MARKDOWN[1]}"
    r"|(?:text|multipart|message|application|image|audio|video)"
    rf"(?:/(?:{_SUBTYPES})(?=[\s;]|\Z)|(?=/)))"
    rf"|\bcharset=(?:\"(?:{_CHARSETS})\"|(?:{_CHARSETS})(?=[\s;]|\Z))"
    r"|(?<![^\n])Content-Disposition:[ \t]*(?:attachment|inline)(?=[\s;]|\Z)"
    r"|(?<=[;\s])(?:boundary|filename)=)|\AFrom "
)
"""Words of the format for how parts begin, end and are encoded; they identify nobody and are not
read."""
_QUOTED = r"\"(?:[^\"\\\r\n]|\\.|\r?\n[ \t]){0,2000}\""
_SECTION_FORM = rf"\*(?:[0-9]{{1,3}}\*?)?=(?:{_QUOTED}|[^\s;\"]{{0,2000}})"
_FORM = re.compile(
    rf"(?P<parameter>(?<=[;\s])(?P<name>[\w-]{{1,40}}){_SECTION_FORM}"
    rf"(?:\s{{0,20}};\s{{0,20}}(?i:(?P=name)){_SECTION_FORM}){{0,999}})"
    rf"|(?P<format>{_FORMAT})|(?P<mask>{MASK})"
    rf"|(?P<words>{_WORD}(?:\s{{1,20}}{_WORD})*)"
    r"|(?P<fold>\r?\n[ \t]+)|(?P<end>\r?\n)"
)
_SECTION = re.compile(rf"\*([0-9]{{0,3}})(\*?)=(?:({_QUOTED})|([^\s;\"]*))")
"""A section of a parameter: its number, whether it is percent-encoded, its value."""
_ESCAPED = re.compile(r"\r?\n|\\(.)")
"""What is written otherwise between quotes: folds and quoted pairs (RFC 5322, 2.2.3 and 3.2.1)."""
_WITH_PARAMETERS = re.compile("(?i)Content-")
"""How the headers begin that have parameters (RFC 2045)."""
_CHARSET = re.compile(r"([\w.-]{0,40})'(?:[A-Za-z]{2}(?:-[A-Za-z]{2,4})?)?'")
"""What stands before a value: its charset, and a language in two letters; "Ott" may be a name."""
_BESIDE = {name: (kind, *kind.written) for name, kind in KINDS.items() if kind.written}
"""Name of a kind that is written as another → it, and ending and media type of the other."""
_OWN_TYPES = "|".join(re.escape(media) for kind, _, _ in _BESIDE.values() for media in kind.media)
_TYPE = re.compile(
    rf"(?im)^(Content-Type:[ \t]*)(?:{_OWN_TYPES}|application/octet-stream)(?=[\s;]|\Z)"
)
_BEHIND_NAME = re.compile(
    "(?i)"
    + "|".join(
        rf"(?<={re.escape(ending)}){re.escape(new)}\b"
        for kind, new, _ in _BESIDE.values()
        for ending in kind.endings
    )
)
"""What is written after the name of such a file; its type is not in the text of the headers."""
NUMBER_OF_BOUNDARY = "._"
"""What stands between the number of a masked boundary and the rest of it."""
_NUMBERED = re.compile(rf'(?<=")\d+{re.escape(NUMBER_OF_BOUNDARY)}(?=[^"\n]{{0,200}}\])')
_BOUNDARY = re.compile(r"(?i)(\bboundary=\")[^\"\n]*")
_FILE_NAME = re.compile(
    r"(?i)\b((?:file)?name(?:\*[0-9]{0,3}\*?)?=)(\"[^\"]{0,2000}\"|[^\s;\"]{1,2000})"
)


class Headers:
    """A block of headers, as bytes that end with a line end; one field.

    `boundary` is that of the parts, if another one is to be written than masking makes.
    """

    def __init__(self, data: bytes) -> None:
        self._written_as = self.boundary = ""
        try:
            self._codec, self.source = "utf-8", data.decode()
        except UnicodeDecodeError:
            self._codec, self.source = "latin-1", data.decode("latin-1")
        view, at, header = View(self.source), 0, 0
        for found in _FORM.finditer(self.source):
            view.copy(at, found.start(), "header")
            at = found.end()
            match found.lastgroup:
                case "words":
                    view.decode(_words(found[0]), *found.span(), "header")
                case "mask":
                    view.decode(decoded_name(mask_in(found[0])), *found.span(), "header")
                case "fold":
                    view.decode(" ", *found.span(), "header")
                case "end":
                    view.decode("\n", *found.span(), "end")
                    header = at
                case "parameter" if _WITH_PARAMETERS.match(self.source, header):
                    _read_parameter(view, found["name"], *found.span())
                case "parameter":
                    view.copy(*found.span(), "header")
        view.copy(at, len(self.source), "header")
        self.removed: list[str] = []
        self.fields: list[Field] = list(view.field("headers"))

    def write(self) -> bytes:
        """Return the headers with the edits made.

        Raises:
            Flaw: a mask can't be written there.
        """
        try:
            text = with_field_edits(self.source, self.fields, _escape)
            if text != self.source:
                text = well_formed(text, self.source)
            if self.boundary:
                text = _BOUNDARY.sub(lambda found: found[1] + self.boundary, text)
            return _renamed(text, self._written_as).encode(self._codec)
        except (UnicodeEncodeError, LookupError):
            raise Flaw("a mask can't be written in a header") from None

    def name_as(self, kind: str) -> None:
        """Write headers for the kind as which this kind is written (`FileKind.written`).

        Raises:
            Flaw: the headers don't name the kind in a way that can be changed.
        """
        self._written_as = kind
        new = _renamed(self.source, kind)
        message = email.message_from_string(new, policy=email.policy.compat32)
        name = decoded_name(message.get_filename() or "").lower()
        packed = name.endswith(".gz")
        media = message.get_content_type()
        own, ending, written = _BESIDE[kind]
        typed = packed or media == written.partition(";")[0]
        if not typed or (name and not name.removesuffix(".gz").endswith(ending)):
            raise Flaw(f"a {own.title} whose headers can't be changed to those of its text")


def comparable(text: str) -> str:
    """Return headers in a form that is equal before and after the file is written."""
    return _BEHIND_NAME.sub("", _NUMBERED.sub("", text))


def decoded_name(name: str) -> str:
    """Return the name of a file, decoded where it is written in encoded words."""
    return _words(name) if "=?" in name and re.search(_WORD, name) else name


def _renamed(head: str, kind: str) -> str:
    """Return a file's headers as they are for the kind that is written; "" keeps them."""
    if not kind:
        return head

    def new_name(found: re.Match[str]) -> str:
        key, name = found.groups()
        mark = '"' if name.startswith('"') else ""
        name = decoded_name(" ".join(name.strip('"').split()))
        if not name.lower().removesuffix(".gz").endswith(KINDS[kind].endings):
            return found[0]
        return key + mark + _escape(written_name(name, kind), "header") + mark

    return _FILE_NAME.sub(new_name, _TYPE.sub(_new_type(head, kind), head))


def _new_type(head: str, kind: str) -> str:
    """Return the pattern's replacement for the media type; what is compressed keeps its own."""
    own, _, written = _BESIDE[kind]
    endings = "|".join(map(re.escape, own.endings))
    packed = re.search(rf"(?i)(?:{endings})\.gz\b", head)
    return r"\g<0>" if packed else rf"\g<1>{written}"


def _words(text: str) -> str:
    """Return the text of encoded words (RFC 2047).

    Raises:
        Flaw: they can't be decoded.
    """
    try:
        return str(make_header(decode_header(text)))
    except (HeaderParseError, LookupError, ValueError):
        raise Flaw("a header holds an encoded word that can't be decoded") from None


def _read_parameter(view: View, name: str, start: int, end: int) -> None:
    """Read the value of a parameter that is percent-encoded or in sections (RFC 2231).

    Raises:
        Flaw: the name of a file can't be joined or decoded.
    """
    sections = sorted(
        (int(number or 0), bool(coded or not number), _ESCAPED.sub(r"\1", quoted[1:-1]) or plain)
        for number, coded, quoted, plain in _SECTION.findall(view.source, start, end)
    )
    charset, data = "utf-8", b""
    for number, coded, value in sections:
        if coded and not number and (declared := _CHARSET.match(value)):
            charset = declared[1] or charset
            data += unquote_to_bytes(value[declared.end() :])
        else:
            data += unquote_to_bytes(value) if coded else value.encode()
    try:
        if [number for number, *_ in sections] != [*range(len(sections))]:
            raise ValueError
        text = data.decode(charset)
    except (LookupError, ValueError):
        if name.lower() in ("name", "filename"):
            raise Flaw("a header holds a name of a file that can't be decoded") from None
        view.copy(start, end, "header")
    else:
        if name.lower() != "filename":
            view.label(f"{name}=")
        view.decode(text, start, end, f"{name} {charset}")


def _escape(text: str, kind: str) -> str:
    if " " in kind:  # name and charset of a parameter
        name, _, charset = kind.partition(" ")
        return f"{name}*={charset}''{quote(text, safe='', encoding=charset)}"
    if kind == "end" and text == "\n":
        return text
    text = " ".join(text.split("\n"))
    if text.isascii():
        return text
    return f"=?utf-8?b?{b64encode(text.encode()).decode()}?="
