"""Reads office documents (DOCX, ODT) part by part, and writes each part back.

A package is a ZIP file. All of its XML parts are read, and inner documents by their own readers.
Pictures are written blank, and are set aside. A package with macros, embedded programs or a part of
any other kind is set aside whole. The package is packed anew, without bytes between the parts.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from zipfile import ZipInfo

from linkmask.corpus.file_kinds import KINDS
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.package import zip_entries, zip_of
from linkmask.corpus.readers.png import COLOURS_WITH_ALPHA, png
from linkmask.corpus.readers.source import (
    Encoded,
    Inner,
    Kind,
    Limits,
    Source,
    decode_bytes,
    fields_within,
)
from linkmask.corpus.readers.source_view import CELL, GAP, LINE, NONE, ROW, TAB, Field, View
from linkmask.corpus.readers.xml import NAMESPACE, ElementLayout, Xml, declared_encoding, style_key

MAIN = ("word/document.xml", "content.xml")
"""The part that is shown first."""
_MEDIA = {media.encode() for kind in KINDS.values() for media in kind.media}
MACROS = re.compile(
    r"vbaProject|vbaData|(^|/)(Basic|Scripts|ObjectReplacements)/|activeX|\.bin$", re.I
)
"""Names of parts that are programs or embedded objects."""
PROPERTIES = re.compile(r"docProps/.*|meta\.xml")
"""Names of parts that list properties, such as author and company: each is a value of its own."""
_MARKS = {"lines": LINE, "rows": ROW, "cells": CELL, "tabs": TAB, "gaps": GAP, "inline": NONE}
_NUMBER = (
    r"-?[0-9.]{1,7}(pt|in|cm|mm|px|em|%|dxa|\*)?|#?[0-9A-Fa-f]{6}|[0-9A-F]{8}|rId[0-9]{1,4}"
    r"|preserve"
)
_PART = r"/?((word|docProps|customXml|theme)/)?[A-Za-z]{2,30}[0-9]{0,4}\.xml|application/[\w.+-]+"
_PREFIXES = r"wp?1[0-9][a-z]{0,9}( wp?1[0-9][a-z]{0,9})*"
"""Prefixes of the names that a version of Word added: a part that declares others is damaged."""
_VOCABULARY = r"(http://openoffice\.org/|urn:(openoffice|org:documentfoundation):)[\w./:#-]*"
_SKIP = re.compile(rf"{NAMESPACE}|{_VOCABULARY}|{_NUMBER}|{_PART}|{_PREFIXES}")


@cache
def _words(kind: str) -> frozenset[str]:
    text = files(__package__).joinpath("office.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)[kind].split())


@cache
def _builtin() -> frozenset[str]:
    data = tomllib.loads(files(__package__).joinpath("office.toml").read_text(encoding="utf-8"))
    listed = f"{data['builtin']},{data['fonts_brought']}"
    return frozenset(filter(None, map(style_key, re.split(r"[,\n]+", listed))))


@cache
def layout(names: bool) -> ElementLayout:
    """Return how the elements of office documents are read; `names`: authors may choose them."""
    marks = {name: mark for kind, mark in _MARKS.items() for name in _words(kind)}
    apart, characters, labels = (
        dict(pair.split(":") for pair in _words(kind)) for kind in ("apart", "characters", "labels")
    )
    if names:
        return ElementLayout(marks, apart, NONE)
    entered, styles = map(_words, ("entered", "styles"))
    return ElementLayout(
        *(marks, apart, NONE, names, _SKIP, labels, entered, characters, styles, _builtin())
    )


@cache
def blank_picture() -> bytes:
    """Return a PNG of one transparent pixel."""
    return png(1, 1, COLOURS_WITH_ALPHA, bytes(4))


class Fixed:
    """Bytes without a field; `removed` says which part of them is not written."""

    def __init__(self, data: bytes, *removed: str) -> None:
        self.fields: list[Field] = []
        self.data, self.removed = data, list(removed)

    def write(self) -> bytes:
        """Return the bytes."""
        return self.data


class Package:
    """An office document.

    Raises:
        Flaw: it is damaged, encrypted, too large, or holds what can't be read.
    """

    def __init__(self, data: bytes, inner: Inner, limits: Limits) -> None:
        self.data, self._inner, self._limits = data, inner, limits.inner()
        self._parts: list[tuple[ZipInfo, Source]] = []
        names = View("")
        for info, part in zip_entries(data, limits):
            self._parts.append((info, self._read(info.filename, part)))
            for named in PurePosixPath(info.filename).parts:
                stem = named.partition(".")[0]
                if stem.rstrip("0123456789 ") not in _words("names") and stem:
                    names.part(LINE)
                    names.label(stem)
        if not any(info.filename in MAIN for info, _ in self._parts):
            raise Flaw("not a document, as the ending of its name says: its text is missing")
        order = sorted(self._parts, key=lambda part: part[0].filename not in MAIN)
        self.fields = [one for _, source in order for one in source.fields]
        self.fields += names.field("names", running=False, fixed=True)
        self.removed = [reason for _, source in order for reason in source.removed]

    def write(self) -> bytes:
        """Return the package with the edits of its fields made."""
        return zip_of((info, source.write()) for info, source in self._parts)

    def _read(self, name: str, data: bytes) -> Source:
        path = PurePosixPath(name)
        ending = "." + path.name.lower().rpartition(".")[2]
        place = path.name.removesuffix(".xml")
        if ending in _words("fonts") or (name == "mimetype" and data in _MEDIA):
            return Fixed(data)
        if path.stem in _words("made") or name.endswith("/"):
            return Fixed(b"")
        if ending in _words("pictures"):
            blank = data == blank_picture() or not data
            return Fixed(data) if blank else Fixed(blank_picture(), _PICTURE)
        if MACROS.search(name):
            raise Flaw("it holds macros or embedded objects: remove them, or save it without")
        if ending in (".xml", ".rels", ".rdf") or name.startswith("META-INF/"):
            if not data:
                return Fixed(data)
            encoding, text = decode_bytes(data, declared_encoding(data[:200]), self._limits)
            page = Xml(text, layout(name.startswith("customXml/")))
            if PROPERTIES.fullmatch(name):
                for one in page.fields:
                    one.running = False
            source: Source = Encoded(data, encoding, page, "xmlcharrefreplace")
        else:
            source = self._inner(data, Kind(path.name), self._limits)
        fields_within(place, source.fields)
        return source


_PICTURE = "a picture in it: it is not read, and a blank one is written"
