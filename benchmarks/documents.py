"""Whole documents in many formats: mask a folder of them, or read them alone.

    python benchmarks/documents.py FOLDER [--every N]     documents of others: a copy is masked
    python benchmarks/documents.py --made 10000           made files, nine formats mixed
    python benchmarks/documents.py --speed [--pdf FILE]   reading alone, by format

Masking is the whole command in a process of its own, with as many workers as cores. Printed are a
table by format as the report has it (read and masked, set aside and the most frequent reasons), the
wall time, and the peak memory as benchmarks/memory.py measures it. Of FOLDER, every Nth
regular file is copied as it is, in order of name; links are left out. Reading is measured in
processor time, median of three: text read in MB/s, PDF in pages/s; FILE is a PDF file of others.
DOCX is read by python-docx, too, where that is installed.
Then folders of made files are read by one process, and by two beside the command's own.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from textwrap import wrap
from time import process_time

sys.path[:0] = [str(Path(__file__).parents[1] / name) for name in (".", "tests")]

from benchmarks import endtoend
from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.corpus.readers import kinds
from linkmask.corpus.readers.source import Kind, Limits
from linkmask.records import Document
from trap_documents import FONT, WORD, WORD_PACKAGE, pdf_of, shown, zipped

TIMES = 20
"""How often a PDF file is read for one measurement."""
LINE = 90
"""Characters of a line of a made PDF page."""


def as_html(text: str) -> bytes:
    """Return a web page of some text."""
    rows = "".join(f"<p>{part}</p>\n" for part in text.split("\n"))
    head = "<head><meta charset='utf-8'><title>claim</title></head>"
    return f"<!DOCTYPE html><html>{head}<body class='a'>{rows}</body></html>".encode()


def as_mail(text: str) -> bytes:
    """Return a message with the text and the same as a web page."""
    mail = EmailMessage()
    mail["Subject"] = "a claim"
    mail.set_content(text)
    mail.add_alternative(as_html(text).decode(), subtype="html", cte="8bit")
    return mail.as_bytes()


def as_docx(text: str) -> bytes:
    """Return a document of Word."""
    parts = text.split("\n")
    body = "".join(f"<w:p><w:r><w:t>{part}</w:t></w:r></w:p>" for part in parts)
    document = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return zipped({**WORD_PACKAGE, "word/document.xml": document})


def as_pdf(text: str) -> bytes:
    """Return a PDF file of one page."""
    plain = text.replace("(", "").replace(")", "").replace("\n", " ")
    lines = wrap(plain, LINE)
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 4 0 R>>>>"
    return pdf_of(
        {
            1: "<</Type/Catalog/Pages 2 0 R>>",
            2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: f"{page}/Contents 5 0 R>>",
            4: FONT,
            5: ("<<>>", shown(*((50, 780 - 12 * n, line) for n, line in enumerate(lines)))),
        }
    )


MADE: dict[str, Callable[[str], bytes]] = {
    "html": as_html,
    "eml": as_mail,
    "docx": as_docx,
    "pdf": as_pdf,
    "txt": str.encode,
    "json": lambda text: json.dumps({"content": text}).encode(),
    "xml": lambda text: f"<claim><note>{text}</note></claim>".encode(),
    "log.gz": lambda text: gzip.compress(text.encode(), mtime=0),
    "png": lambda text: b"\x89PNG\r\n" + text.encode(),
}
"""Ending → what makes a file of a text; the last is not read, and is set aside."""


def make(folder: Path, count: int) -> None:
    """Write made files, a hundred to a folder, formats in turn."""
    for number, record in enumerate(endtoend.corpus(count)):
        ending = list(MADE)[number % len(MADE)]
        path = folder / f"{number // 100:03}" / f"{number:05}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(MADE[ending](str(record["content"])))


def copied(source: Path, folder: Path, every: int) -> None:
    """Copy regular files of a folder, one of so many."""
    paths = [path for path in sorted(source.rglob("*")) if path.is_file() and not path.is_symlink()]
    for path in paths[::every]:
        new = folder / path.relative_to(source)
        new.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, new)


def mask(source: Path, out: Path) -> None:
    """Mask a folder, and print the table by format and what it took."""
    files = [path for path in source.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    seconds, memory = endtoend.measured("mask", source, "-o", out, "--allow-unmet")
    summary = json.loads((out / "summary.json").read_text())
    print("| Format | Masked | Set aside | Most frequent reasons |")
    print("|---|---:|---:|---|")
    for ending, row in summary["counts"]["formats"].items():
        reasons = "; ".join(f"{text} ({number})" for text, number in row["reasons"].items())
        print(f"| {ending} | {row['released']} | {row['set_aside']} | {reasons} |")
    print(f"\n{len(files):,} files, {size:.1f} MB: {seconds:.0f} s, {memory:.0f} MB at most")


def rate(amount: float, work: Callable[[], object]) -> float:
    """Return how much is done in a second of processor time."""
    times = []
    for _ in range(endtoend.RUNS):
        begin = process_time()
        work()
        times.append(process_time() - begin)
    return amount / median(times)


def read_whole(data: bytes, kind: Kind) -> Sequence[object]:
    """Read a file, with a budget of its own."""
    return kinds.read(data, kind, Limits([10**9])).fields


def python_docx(data: bytes) -> str:
    """Return the paragraphs of a document of Word as python-docx reads them."""
    docx = import_module("docx")
    return "\n".join(one.text for one in docx.Document(BytesIO(data)).paragraphs)


def read_pdf(data: bytes, times: int) -> Sequence[object]:
    """Read a PDF file some times; return its pages."""
    return [kinds.read_as("pdf", data, Kind(), Limits([10**9])).read.pages for _ in range(times)][
        -1
    ]


def speed(others: Path | None) -> None:
    """Print how fast one core reads each format; nothing is detected."""
    text = "\n".join(str(one["content"]) for one in endtoend.corpus(2_000))
    for ending in ("html", "eml", "docx"):
        known = MADE[ending](text), Kind(f"a.{ending}")
        fields = kinds.read(*known, Limits([10**9])).fields
        characters = sum(len(one.text) for one in fields) / 1e6
        found = rate(characters, partial(read_whole, *known))
        print(f"{ending}: {found:.1f} MB/s of text read ({characters:.1f} MB)")
    if find_spec("docx"):
        data = as_docx(text)
        found = rate(len(python_docx(data)) / 1e6, partial(python_docx, data))
        print(f"docx, paragraphs alone by python-docx: {found:.1f} MB/s")
    page = as_pdf(text[:3000])
    made = {"a made page of 3,000 characters": page}
    if others:
        made[others.name] = others.read_bytes()
    for name, data in made.items():
        pages = len(read_pdf(data, 1))
        found = rate(TIMES * pages, partial(read_pdf, data, TIMES))
        print(f"pdf, {name}: {found:.0f} pages/s")


def read_apart() -> None:
    """Print the processor time of reading in the command's own process and in readers."""
    records = [str(one["content"]) for one in endtoend.corpus(8_000)]
    print("| Format | Read by | Own process | Readers |")
    print("|---|---|---:|---:|")
    with tempfile.TemporaryDirectory() as place:
        for ending in ("html", "eml", "docx", "pdf"):
            folder = Path(place) / ending
            folder.mkdir()
            size = 5 if ending == "pdf" else 40
            for number in range(0, len(records), size):
                data = MADE[ending]("\n".join(records[number : number + size]))
                (folder / f"{number}.{ending}").write_bytes(data)
            for workers in (1, 2):
                own, others = min(taken(folder, workers) for _ in range(endtoend.RUNS))
                by = "itself" if workers == 1 else f"{workers} processes"
                print(f"| {ending} | {by} | {own:.2f} s | {others:.2f} s |")


def taken(folder: Path, workers: int) -> tuple[float, float]:
    """Read a folder; return the seconds of the processor here and in processes that read."""
    source = Corpus(folder, Settings(workers=workers))
    source.repeated()
    begin, before = process_time(), getrusage(RUSAGE_CHILDREN)
    assert sum(isinstance(item, Document) for item in source()) == len(source.entries)
    own, after = process_time() - begin, getrusage(RUSAGE_CHILDREN)
    return own, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--made", type=int)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--pdf", type=Path)
    given = parser.parse_args()
    if given.speed:
        speed(given.pdf)
        return read_apart()
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "in"
        if given.folder:
            copied(given.folder, source, given.every)
        else:
            make(source, given.made or 10_000)
        mask(source, Path(place) / "out")


if __name__ == "__main__":
    main()
