"""Reads files in Rich Text Format (.rtf) as Markdown, with striprtf of the extra `documents`.

striprtf reads the running text, and drops headers, notes, comments, properties and text boxes
(`rtf.toml`). So the file is first divided into its groups, and each of these is read by itself.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.source import CONTROLS, Inner, Kind, Limits, Markdown, MarkdownText

_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?[0-9]{1,10})? ?|\\'[0-9A-Fa-f]{2}|\\(?P<sign>.)"
    r"|(?P<brace>[{}])|(?P<end>[\r\n]+)|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_BYTE, _ANY_BYTE = re.compile(r"[\x80-\xff]"), re.compile(r".", re.DOTALL)
_WIDE = ("128", "129", "134", "136", "cp932", "cp949", "cp936", "cp950")
"""Charsets and encodings in which the second byte of a character may be an ASCII letter."""
_ENCODINGS = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
_HEADER = b"{\\rtf"
DEEPEST = 500
"""Groups that may lie in one another; office programs write a few dozen."""
BROKEN = "a damaged RTF file"


def read_rtf(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Markdown:
    """Read an RTF file; its text is written, as Markdown. Nothing in it is read by `inner`.

    Raises:
        Flaw: it is no RTF file, damaged, holds no text, or the extra is missing.
    """
    if not data.startswith(_HEADER):
        raise Flaw("not an RTF file, as its ending says")
    try:
        from striprtf.striprtf import rtf_to_text
    except ModuleNotFoundError:
        raise Flaw('RTF files need an extra: pip install "linkmask[documents]"') from None
    parts = _Parts(data.decode("latin-1"))
    found: dict[str, list[str]] = {heading: [] for heading in ("", *_words("parts").values())}
    try:
        for piece in parts.pieces:
            text = rtf_to_text(parts.alone(piece), parts.encoding)
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
            text = CONTROLS.sub(" ", text.replace(" | \n", "\n")).strip()
            named = f"{piece.word}: {text}" if piece.heading == "Properties" else text
            found[piece.heading] += [named] if text else []
    except UnicodeError:
        raise Flaw("a text in it is not in the encoding that it declares") from None
    except Exception as error:  # striprtf documents no set of errors for damaged files
        raise Flaw(f"{BROKEN} ({type(error).__name__})") from None
    if not any(found.values()):
        raise Flaw("it holds no text")
    lines = [
        (f"## {heading}\n\n" if heading else "") + "\n".join(texts)
        for heading, texts in found.items()
        if texts
    ]
    return Markdown(MarkdownText("\n\n".join(lines) + "\n", [*dict.fromkeys(parts.left)]))


class _Piece(NamedTuple):
    """A text of its own: its heading, the word of its group, its source, the fonts it names."""

    heading: str
    word: str
    source: list[str]
    fonts: set[str]


class _State(NamedTuple):
    """What holds until a group ends: where its source goes, the font, what follows a `\\u`."""

    piece: _Piece
    font: str
    skip: str


class _Parts:
    """The groups of a file that hold texts of their own; `left` says what is not read.

    Raises:
        Flaw: the file is damaged, nested too deeply, or in an encoding that is not known.
    """

    def __init__(self, source: str) -> None:
        self.encoding, self.left = "cp1252", list[str]()
        self.pieces = [_Piece("", "", [], set())]
        self._charsets: dict[str, str] = {}
        self._font = ""
        self._state = _State(self.pieces[0], "", "1")
        self._outer: list[_State] = []
        at = 0
        while at < len(source):
            found = _TOKEN.match(source, at)
            if not found:
                raise Flaw(f"{BROKEN}: it ends within a word")
            at = found.end()
            if found["word"] == "bin":
                at += max(int(found["number"] or 0), 0)
            else:
                self._token(found)
            if found["brace"] == "}" and not self._outer:
                break
        if self._outer or at > len(source):
            raise Flaw(f"{BROKEN}: it ends within a group")
        if source[at:].strip("\0 \t\r\n\x1a"):
            self.left.append("what stands behind its end is not read: it is left out")
        try:
            codecs.lookup(self.encoding)
        except LookupError:
            raise Flaw("it declares an encoding that is not known") from None

    def alone(self, piece: _Piece) -> str:
        """Return a piece as a file of its own, with the fonts that it names."""
        fonts = "".join(
            rf"{{\f{font}\fcharset{self._charsets[font]} x;}}"
            for font in sorted(piece.fonts & self._charsets.keys())
        )
        return rf"{{\rtf1{{\fonttbl{fonts}}}" + "".join(piece.source) + "}"

    def _token(self, found: re.Match[str]) -> None:
        if found["brace"] == "{":
            if len(self._outer) == DEEPEST:
                raise Flaw("nested too deeply: save it as DOCX")
            self._write("{")
            self._outer.append(self._state)
        elif found["brace"]:
            self._state = self._outer.pop()
            self._write("}")
        elif found["word"]:
            self._word(found["word"], found["number"] or "")
        elif found["text"]:
            charset = self._charsets.get(self._state.font, "")
            wide = charset in _WIDE or self.encoding in _WIDE
            encoded = _ANY_BYTE if wide else _BYTE
            self._write(encoded.sub(lambda one: rf"\'{ord(one[0]):02x}", found["text"]))
        elif found["sign"] in ("\r", "\n"):
            self._write("\\line ")
        elif found["sign"] != "-" and not found["end"]:  # a hyphen that may be, and is not read
            self._write(found[0])

    def _word(self, word: str, number: str) -> None:
        if heading := _words("parts").get(word, ""):
            self._begin(_Piece(heading, word, [], set()))
            self.pieces.append(self._state.piece)
            return
        if what := _words("left").get(word, ""):
            self.left.append(f"its {what} are not read: they are left out")
        if what or word == "fonttbl":
            self._state = self._state._replace(piece=_Piece("", "", [], set()))
            return
        if word in _ENCODINGS:
            self.encoding = _ENCODINGS[word]
        elif word == "ansicpg":
            self.encoding = f"cp{number}"
            return
        elif word == "fcharset":
            self._charsets[self._state.font] = number
        elif word == "deff":
            self._font = number
            self._set_font(number)
        elif word == "f":
            self._set_font(number)
            return
        elif word == "uc":
            self._state = self._state._replace(skip=number)
        self._write(_blanks().get(word, rf"\{word}{number} "))
        if word == "plain":
            self._set_font(self._font)

    def _begin(self, piece: _Piece) -> None:
        """Write to a piece of its own from now on, to the end of the group."""
        self._state = self._state._replace(piece=piece)
        self._write(rf"\uc{self._state.skip} ")
        self._set_font(self._state.font)

    def _set_font(self, font: str) -> None:
        self._state = self._state._replace(font=font)
        if font:
            self._state.piece.fonts.add(font)
            self._write(rf"\f{font} ")

    def _write(self, source: str) -> None:
        self._state.piece.source.append(source)


@cache
def _tables() -> dict[str, dict[str, str]]:
    text = files(__package__).joinpath("rtf.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _words(table: str) -> dict[str, str]:
    """Return which heading, or kind of what is left out, each word stands for."""
    return {word: what for what, words in _tables()[table].items() for word in words.split()}


def _blanks() -> dict[str, str]:
    return _tables()["blank"]
