"""Reads and writes mails, web pages, office documents, archives and the like by `readers`.

A file is one document or several. The text that is shown first is the document's content. All other
texts are its further fields, named by their place: `headers`, `part 2/text`, `attributes`. Parts
that can't be read are set aside one by one, and left out of what is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple
from zipfile import ZipInfo

from linkmask.config import Settings
from linkmask.corpus.fields import shape_of
from linkmask.corpus.files import File, Flaw, UnwritableRows, byte_limit, set_aside_row
from linkmask.corpus.readers import archive, headers, kinds, mail
from linkmask.corpus.readers.package import zip_of
from linkmask.corpus.readers.source import Kind, Limits, Source
from linkmask.corpus.readers.source_view import Edit, Field, with_edits
from linkmask.records import CONTENT, RECORD, Document, Masked, Origin, SetAside, child_path
from linkmask.text.added import label_spans

_PARTING = re.compile(r"[\s|]+")


class Entry(NamedTuple):
    """One document of a file: its id, and its source or why it can't be read."""

    id: str
    source: Source | Flaw


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the documents of a file, each followed by what could not be read of it."""
    try:
        entries = _entries(file, settings)
        for row, entry in enumerate(entries):
            yield from _documents(file, row, entry, settings)
    except Flaw as flaw:
        yield set_aside_row(file.name, str(flaw), document=_stem(file.name))


def _documents(
    file: File, row: int, entry: Entry, settings: Settings
) -> Iterator[Document | SetAside]:
    source = entry.source
    try:
        if isinstance(source, Flaw):
            raise source
        if not source.fields and source.removed:
            raise Flaw(source.removed[0])
        yield _document(entry.id, source.fields, Origin(file.name, row), settings)
    except Flaw as flaw:
        yield set_aside_row(file.name, str(flaw), row, entry.id)
        return
    for reason in source.removed:
        yield set_aside_row(file.name, reason, row, entry.id)


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the id of each document; except an archive, none has to be read for it."""
    if file.kind == "zip":
        yield from (entry.id for entry in _entries(file, settings))
    elif file.kind == "mbox":
        found = mail.messages(file.read(byte_limit(settings.max_characters)))
        yield from (_message_id(file, row) for row, _ in enumerate(found))
    else:
        yield _stem(file.name)


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked documents of a file; bytes that are not masked stay the same.

    Raises:
        UnwritableRows: a field of these documents can't be written back.
    """
    entries = iter(enumerate(_entries(file, settings)))
    kept: list[tuple[ZipInfo, bytes]] = []
    broken: dict[int, str] = {}
    for masked in group:
        row = masked.origin.row
        source = next(entry.source for number, entry in entries if number == row)
        try:
            written = _written(source, masked)
            if isinstance(source, archive.Member):
                kept.append((source.info(), written))
            else:
                out.write(written)
        except Flaw as flaw:
            broken[row] = str(flaw)
    if broken:
        raise UnwritableRows(broken)
    if kept:
        out.write(zip_of(iter(kept)))


def _written(source: Source | Flaw, masked: Masked) -> bytes:
    """Return one document of a file, masked.

    Raises:
        Flaw: it can't be written back.
    """
    if isinstance(source, Flaw):
        raise source
    new = dict(masked.written.every_field())
    for name, field in _named(source.fields):
        spans = [Edit(r.start, r.end, r.text) for r in masked.replacements if r.field == name]
        field.edits = edits(field.text, new[name], spans)
    return source.write()


def comparable(name: str, text: str) -> str:
    """Return the part of a field that must be the same when it is read again.

    Blanks and separators of cells may change with the masks. Attributes that differed may become
    equal, and are then read once. Headers of a mail name the kind as which a file is written.
    """
    kind = name.rstrip("0123456789 ").rpartition("/")[2].rpartition(" ")[2]
    if kind == "headers":
        text = headers.comparable(text)
    lines = text.split("\n") if kind == "attributes" else [text]
    return "\n".join(dict.fromkeys(_PARTING.sub("", line) for line in lines))


def edits(old: str, new: str, spans: list[Edit]) -> list[Edit]:
    """Return the edits that make one text of another: the spans where they do, else one."""
    if old == new:
        return []
    if with_edits(old, spans) == new:
        return spans
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return [Edit(start, len(old) - end, new[start : len(new) - end])]


def _entries(file: File, settings: Settings) -> Iterator[Entry]:
    data = file.read(byte_limit(settings.max_characters))
    limits = limits_of(settings)
    if file.kind == "zip":
        for name, source in archive.members(data, kinds.read_beside, limits):
            yield Entry(_stem(f"{_stem(file.name)}/{name}"), source)
        return
    if file.kind != "mbox":
        yield Entry(_stem(file.name), _source(file.kind, data, file.name, limits))
        return
    for row, (start, end) in enumerate(mail.messages(data)):
        one = _source("eml", data[start:end], "", limits_of(settings))
        yield Entry(_message_id(file, row), one)


def limits_of(settings: Settings) -> Limits:
    """Return what the reader of a file must keep to."""
    most = byte_limit(settings.max_characters)
    return Limits([most], settings.encoding, ocr=settings.ocr)


def _source(kind: str, data: bytes, name: str, limits: Limits) -> Source | Flaw:
    try:
        source: Source = kinds.read_as(kind, data, Kind(name), limits)
        return source
    except Flaw as flaw:
        return flaw
    except RecursionError:
        return Flaw("nested too deeply")


def _message_id(file: File, row: int) -> str:
    return f"{file.name}:{row + 1}"


def _stem(name: str) -> str:
    return name.rsplit(".", 1)[0]


def _added(fields: Sequence[Field], labels: Iterable[tuple[str, bool]]) -> Iterator[str]:
    """Yield the labels that no line or cell of the file itself begins with, nor repeats."""
    written = Counter(text for text, _ in labels)
    repeated = {text for text, again in labels if again}
    stands = Counter[str]()
    for one in fields:
        if not one.fixed:
            stands.update(one.text[a:b] for a, b in label_spans(one.text, written)[0])
    yield from (text for text in written.keys() - repeated if stands[text] <= written[text])


def _document(name: str, fields: Sequence[Field], origin: Origin, settings: Settings) -> Document:
    """Make a document of its fields.

    Raises:
        Flaw: it is too long.
    """
    shape = shape_of(settings)
    if sum(len(one.text) for one in fields) > shape.longest:
        raise Flaw("longer than max_characters: raise it, or split the text")
    content, others, texts = "", dict[str, Any](), []
    names = frozenset(child_path(RECORD, key) for key, one in _keys(fields) if one.fixed)
    labels = [label for one in fields if not one.fixed for label in one.labels()]
    added = frozenset(_added(fields, labels))
    for key, one in _keys(fields):
        if not key:
            content = one.text
        else:
            others[key] = one.text
        if one.running:
            texts.append(child_path(RECORD, key) if key else CONTENT)
    texts = [CONTENT, *(place for place in texts if place != CONTENT)]
    document = Document(
        *(name, content, {}, origin, {}, others, tuple(texts)),
        by_place=True,
        names=names,
        labels=frozenset(text for text, _ in labels),
        repeated=frozenset(text for text, _ in labels if text not in added),
    )
    return shape.excluding(document)


def _named(fields: Sequence[Field]) -> Iterator[tuple[str, Field]]:
    """Yield the name of each field in a document; the first text is its content."""
    for key, one in _keys(fields):
        yield child_path(RECORD, key) if key else CONTENT, one


def _keys(fields: Sequence[Field]) -> Iterator[tuple[str, Field]]:
    """Yield each field after a key of its own, "" for the first text.

    Fields of one place get numbers: the headers of an attachment, and those of the mail it is.
    """
    first = next((one for one in fields if one.name[-1] == "text"), None)
    given: Counter[str] = Counter()
    for one in fields:
        key = " ".join(one.name)
        given[key] += 1
        yield "" if one is first else key if given[key] == 1 else f"{key} {given[key]}", one
