"""Valid files of every format that is read, with planted values, and ways to break their bytes.

A planted value is known to nobody else: found readable in what was released, it was let through.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterable
from email.message import EmailMessage
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from compound_files import compound, message
from trap_documents import FONT, OASIS, pdf_of, shown

FIRST = ("Mary", "John", "Linda", "Robert", "Susan", "Peter", "Karen", "David")
ONSET = ("Bran", "Quil", "Thorn", "Mar", "Vel", "Hart", "Os", "Kel", "Dun", "Ash", "Win", "Gar")
CODA = ("mere", "field", "wick", "stead", "burn", "dale", "worth", "ham", "ley", "combe")
ROWS = 4
"""Documents of a seed that is a table or a list."""


class Planted(NamedTuple):
    """A value and the line it was planted in, which says to a reader what it is."""

    value: str
    line: str


class Seed(NamedTuple):
    """A valid file: the ending of its name, its bytes, and what was planted in it."""

    ending: str
    data: bytes
    planted: list[Planted]


class Document(NamedTuple):
    """What a seed's document holds: its id, metadata and text, and what was planted there."""

    id: str
    metadata: dict[str, object]
    content: str
    planted: list[Planted]


def document(number: int) -> Document:
    """Return a document of its own name, e-mail and social security number."""
    onset, coda = divmod(number // len(FIRST), len(CODA))
    last = f"{ONSET[onset % len(ONSET)]}{'aeiou'[onset // len(ONSET) % 5]}{CODA[coda]}"
    name = f"{FIRST[number % len(FIRST)]} {last}{'x' * (onset // len(ONSET) // 5)}"
    email = f"{last.lower()}.{number}@post{number}.example.org"
    ssn = f"{100 + number % 500:03}-{10 + number // 500 % 80:02}-{1000 + number:04}"
    lines = [f"Patient name: {name}", f"E-mail: {email}", f"SSN: {ssn}"]
    rest = ["Reason for the call: a question about the plan.", "Amount: 120.50"]
    planted = [Planted(v, line) for v, line in zip((name, email, ssn), lines, strict=True)]
    metadata: dict[str, object] = {"topic": "claims", "pages": 2, "contact": email}
    return Document(f"doc-{number}", metadata, "\n".join([*lines, *rest, ""]), planted)


def _record(one: Document) -> dict[str, object]:
    return {"id": one.id, "metadata": one.metadata, "content": one.content, "rank": 1.5}


def _json(documents: list[Document]) -> bytes:
    return json.dumps(_record(documents[0]), indent=2).encode()


def _jsonl(documents: list[Document]) -> bytes:
    return b"".join(json.dumps(_record(one)).encode() + b"\n" for one in documents)


def _csv(documents: list[Document], delimiter: str = ",") -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(("id", "metadata", "content", "rank"))
    writer.writerows((d.id, json.dumps(d.metadata), d.content, "1.5") for d in documents)
    return out.getvalue().encode()


def _tsv(documents: list[Document]) -> bytes:
    return _csv(documents, "\t")


def _parquet(documents: list[Document], **how: object) -> bytes:
    out = io.BytesIO()
    rows = [{**_record(d), "rank": n, "tags": ["a", None]} for n, d in enumerate(documents)]
    pq.write_table(pa.Table.from_pylist(rows), out, **how)
    return out.getvalue()


def _plain_parquet(documents: list[Document]) -> bytes:
    how = {"compression": "none", "use_dictionary": False, "row_group_size": 2}
    return _parquet(documents, **how)


def _text(documents: list[Document]) -> bytes:
    return documents[0].content.encode()


def _html(documents: list[Document]) -> bytes:
    lines = "<br>\n".join(documents[0].content.split("\n"))
    return f"<html><head><title>claim</title></head><body><p>{lines}</p></body></html>".encode()


def _mail(documents: list[Document]) -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "a claim"
    mail.set_content(documents[0].content)
    mail.add_alternative(_html(documents).decode(), subtype="html")
    return mail.as_bytes()


def _mbox(documents: list[Document]) -> bytes:
    line = b"From claims@example.org Thu Jan  1 00:00:00 2026\n"
    return b"".join(line + _mail([one]) + b"\n" for one in documents)


def _xml(documents: list[Document]) -> bytes:
    lines = (line.partition(": ") for line in documents[0].content.strip().split("\n"))
    rows = (f"<line>{label}: {value}</line>" for label, _, value in lines)
    return f"<claim>{''.join(rows)}</claim>".encode()


def _zipped(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return out.getvalue()


def _docx(documents: list[Document]) -> bytes:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    lines = documents[0].content.split("\n")
    body = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines)
    text = f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'
    return _zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": text.encode()})


def _odt(documents: list[Document]) -> bytes:
    spaces = " ".join(f'xmlns:{name}="{OASIS}:{name}:1.0"' for name in ("office", "text"))
    body = "".join(f"<text:p>{line}</text:p>" for line in documents[0].content.split("\n"))
    content = f"<office:document-content {spaces}><office:body><office:text>{body}"
    content += "</office:text></office:body></office:document-content>"
    media = b"application/vnd.oasis.opendocument.text"
    return _zipped({"mimetype": media, "content.xml": content.encode()})


def _yaml(documents: list[Document]) -> bytes:
    return b"claim:\n" + b"".join(b"  " + line for line in _text(documents).splitlines(True))


def _pdf(documents: list[Document]) -> bytes:
    lines = documents[0].content.strip().split("\n")
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 4 0 R>>>>"
    title = documents[0].planted[0].line
    return pdf_of(
        {
            1: "<</Type/Catalog/Pages 2 0 R>>",
            2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: f"{page}/Contents 5 0 R>>",
            4: FONT,
            5: ("<<>>", shown(*((50, 700 - 20 * n, line) for n, line in enumerate(lines)))),
            6: f"<</Title({title})>>",
        },
        info=6,
    )


def _zip(documents: list[Document]) -> bytes:
    return _zipped({f"{n}.txt": _text([one]) for n, one in enumerate(documents)})


def _gzip(documents: list[Document]) -> bytes:
    return gzip.compress(_text(documents), mtime=0)


def _csv_gz(documents: list[Document]) -> bytes:
    return gzip.compress(_csv(documents), mtime=0)


def _msg(documents: list[Document]) -> bytes:
    text = documents[0].content.replace("\n", "\r\n")
    return compound(message({"001A": "IPM.Note", "0037": "a claim", "1000": text}))


def _rtf(documents: list[Document]) -> bytes:
    lines = documents[0].content.strip().split("\n")
    signs = ("".join(c if c.isascii() else f"\\u{ord(c)}?" for c in line) for line in lines)
    author = documents[0].planted[0].line
    body = "".join(f"{line}\\par\n" for line in signs)
    return f"{{\\rtf1\\ansi{{\\info{{\\title {author}}}}}\n{body}}}".encode()


FORMATS: dict[str, tuple[str, Callable[[list[Document]], bytes]]] = {
    "json": (".json", _json),
    "jsonl": (".jsonl", _jsonl),
    "csv": (".csv", _csv),
    "tsv": (".tsv", _tsv),
    "parquet": (".parquet", _parquet),
    "plain parquet": (".parquet", _plain_parquet),
    "text": (".txt", _text),
    "markdown": (".md", _text),
    "html": (".html", _html),
    "mail": (".eml", _mail),
    "mailbox": (".mbox", _mbox),
    "xml": (".xml", _xml),
    "yaml": (".yaml", _yaml),
    "pdf": (".pdf", _pdf),
    "word": (".docx", _docx),
    "opendocument": (".odt", _odt),
    "archive": (".zip", _zip),
    "gzip": (".txt.gz", _gzip),
    "compressed table": (".csv.gz", _csv_gz),
    "message": (".msg", _msg),
    "rtf": (".rtf", _rtf),
}
TABLES = ("json", "jsonl", "csv", "tsv", "parquet", "plain parquet")
"""Formats of records; a file of the others is read whole."""
LONE = frozenset(FORMATS) - {*TABLES, "mailbox", "archive"} | {"json"}
"""Formats of which a file is one document."""


def seed(kind: str, number: int) -> Seed:
    """Return a valid file of a format, whose planted values no other number has."""
    ending, write = FORMATS[kind]
    times = 1 if kind in LONE else ROWS
    documents = [document(number * ROWS + n) for n in range(times)]
    return Seed(ending, write(documents), [p for one in documents for p in one.planted])


# ── mutations ───────────────────────────────────────────────────────────────────────────────────


def _span(data: bytes, rng: random.Random, most: int = 64) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.randint(1, most))


def _put(data: bytes, rng: random.Random, piece: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + piece + data[at:]


def truncated(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 32))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def flipped_at_the_end(data: bytes, rng: random.Random) -> bytes:
    """Flip bits near the end, where Parquet keeps its schema and offsets."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        changed[-rng.randint(1, min(len(changed), 1500))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def inserted(data: bytes, rng: random.Random) -> bytes:
    return _put(data, rng, rng.randbytes(rng.randint(1, 40)))


def cut(data: bytes, rng: random.Random) -> bytes:
    start, end = _span(data, rng, 400)
    return data[:start] + data[end:]


def doubled(data: bytes, rng: random.Random) -> bytes:
    start, end = _span(data, rng, 400)
    return data[:end] + data[start:]


def moved(data: bytes, rng: random.Random) -> bytes:
    start, end = _span(data, rng, 200)
    return _put(data[:start] + data[end:], rng, data[start:end])


def spliced(data: bytes, rng: random.Random) -> bytes:
    """Put the beginning of this file before the end of one of another format."""
    other = seed(rng.choice(list(FORMATS)), 9_000 + rng.randrange(100)).data
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other)) :]


def overwritten(data: bytes, rng: random.Random) -> bytes:
    start, end = _span(data, rng, 100)
    return data[:start] + rng.choice((b"\0", b"\xff", b" ")) * (end - start) + data[end:]


def with_nul(data: bytes, rng: random.Random) -> bytes:
    return _put(data, rng, rng.choice((b"\0", b"\\u0000", b"\0" * 300)))


def encoded_otherwise(data: bytes, rng: random.Random) -> bytes:
    codec = rng.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7", "cp037"))
    return data.decode("latin-1").encode(codec)


def half_a_character(data: bytes, rng: random.Random) -> bytes:
    halves = (b"\xed\xa0\x80", b"\\ud800", b"\\udfff\\ud800", b"\xc3", b"\xe2\x80", b"\xf4\x90")
    return _put(data, rng, rng.choice(halves))


def with_mark(data: bytes, rng: random.Random) -> bytes:
    marks = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\x1f\x8b", b"PK\3\4")
    return rng.choice(marks) + data


def huge_number(data: bytes, rng: random.Random) -> bytes:
    huge = (b"9" * 400, b"1e999", b"-0", b"1" + b"0" * 30, b"0.1e-400", b"18446744073709551616")
    return _instead(data, rng, rb"\d+(\.\d+)?", rng.choice(huge))


def no_number(data: bytes, rng: random.Random) -> bytes:
    words = (b"NaN", b"-Infinity", b"null", b"true", b"[]", b"{}", b"undefined", b'""')
    return _instead(data, rng, rb"\d+(\.\d+)?|\"[^\"]*\"", rng.choice(words))


def _instead(data: bytes, rng: random.Random, pattern: bytes, piece: bytes) -> bytes:
    found = list(re.finditer(pattern, data))
    if not found:
        return _put(data, rng, piece)
    one = rng.choice(found)
    return data[: one.start()] + piece + data[one.end() :]


def doubled_key(data: bytes, rng: random.Random) -> bytes:
    """Say a key twice, or name two columns alike."""
    keys = (b"id", b"content", b"metadata", b"rank", b"contact")
    one, other = rng.sample(keys, 2)
    twice = b'"' + one + b'": ' + rng.choice((b'"doc-1"', b"null", b"7", b"{}")) + b", "
    members = [m.start() for m in re.finditer(rb'"\w+":', data)]
    if members:
        at = rng.choice(members)
        return data[:at] + twice + data[at:]
    return data.replace(one, other, 1)


def another_id(data: bytes, rng: random.Random) -> bytes:
    """Give a document an id that another may have, or that is odd."""
    ids = (b'"doc-1"', b"1", b'"1"', b"1.0", b"0", b'""', b'" "', b"null", b'"a\\nb"', b'"\\u2028"')
    odd = (b'"../x"', b'"doc-1#2"', b"-0", b"1e2", b"true", b'["a"]', b'"' + b"i" * 5000 + b'"')
    piece = rng.choice(ids + odd)
    return re.sub(rb'"?doc-\d+"?', lambda _: piece, data, count=rng.choice((0, 1)))


def deep(data: bytes, rng: random.Random) -> bytes:
    depth = rng.choice((200, 1200, 100_000))
    nest = rng.choice((b"[" * depth, b'{"a":' * depth, b"[" * depth + b"]" * depth))
    return _instead(data, rng, rb'"[^"]*"(?=\s*[,}])', nest)


def other_ends(data: bytes, rng: random.Random) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r", b"\r\n", b"\n\n", b"\x0b", b"\xe2\x80\xa8", b"")))


def stray_quotes(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 2, 5))):
        data = _put(
            data, rng, rng.choice((b'"', b"'", b'\\"', b",", b";", b"\t", b"|", b"}", b"]"))
        )
    return data


def something_else(data: bytes, rng: random.Random) -> bytes:
    whole = (b"", b"\xef\xbb\xbf", b"\xff\xfe", b" ", b"\n\n", b"[]", b"{}", b"null", b"7", b'"x"')
    return rng.choice((*whole, b"[" + data + b"]", data + data, data[::-1], b"PAR1PAR1"))


MUTATIONS: Iterable[Callable[[bytes, random.Random], bytes]] = (
    truncated, flipped, flipped_at_the_end, inserted, cut, doubled, moved, spliced, overwritten,
    with_nul, encoded_otherwise, half_a_character, with_mark, huge_number, no_number, doubled_key,
    another_id, deep, other_ends, stray_quotes, something_else,
)  # fmt: skip


def mutate(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    """Break some bytes in one way, seldom in two; return what was done and what came of it."""
    ways = rng.choices(list(MUTATIONS), k=rng.choice((1, 1, 1, 2)))
    for way in ways:
        data = way(data or b" ", rng)
    return "+".join(way.__name__ for way in ways), data


def mutate_within(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    """Break what is compressed, or one part of a package, and pack it anew; else the bytes."""
    try:
        if data[:2] == b"\x1f\x8b":
            how, broken = mutate(gzip.decompress(data), rng)
            return f"within: {how}", gzip.compress(broken, mtime=0)
        if data[:2] != b"PK":
            return mutate(data, rng)
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            parts = {name: package.read(name) for name in package.namelist()}
    except (zipfile.BadZipFile, OSError):
        return mutate(data, rng)
    chosen = rng.choice(list(parts))
    how, parts[chosen] = mutate(parts[chosen], rng)
    return f"within: {how}", _zipped(parts)
