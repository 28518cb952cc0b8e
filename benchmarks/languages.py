"""How much of the direct identifiers in texts of daily life detection finds, in seven languages.

    python benchmarks/languages.py [--misses]

Data: benchmarks/languages/*.jsonl (README there). The first pass reads each text alone, at the
default settings. `whole`: marked values of which every letter and digit is found, whatever the
type; `part`: values of which any is. `--misses` lists what is not found whole in `seen`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from linkmask import detect
from linkmask.config import Settings
from linkmask.graph import entities
from linkmask.records import Document

FOLDER = Path(__file__).parent / "languages"
MARK = re.compile(r"\{\{([A-Z_]+)\|(.*?)\}\}", re.DOTALL)
ROLES = frozenset({"STAFF", "CASE", "PLATE", "URL", "IP"})
"""Marks that are no direct identifiers of a private person."""


class Value(NamedTuple):
    """A marked value: its offsets in the text and the kind that the mark names."""

    start: int
    end: int
    kind: str


class Text(NamedTuple):
    """A text with its language and its marked values."""

    id: str
    language: str
    text: str
    values: tuple[Value, ...]


def texts(path: Path) -> Iterator[Text]:
    """Yield the texts of a file, without the marks."""
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        text, values, last = "", list[Value](), 0
        for mark in MARK.finditer(record["text"]):
            text += record["text"][last : mark.start()]
            values.append(Value(len(text), len(text) + len(mark[2]), mark[1]))
            text, last = text + mark[2], mark.end()
        yield Text(record["id"], record["lang"], text + record["text"][last:], tuple(values))


def found(one: Text, settings: Settings) -> list[tuple[Value, int, int]]:
    """Return each value with how many letters and digits it has, and how many are found."""
    seen: set[int] = set()
    for mention in detect.first_pass(Document(one.id, one.text), settings, entities.canonical):
        seen.update(range(mention.start, mention.end))
    said = [
        (value, [at for at in range(value.start, value.end) if one.text[at].isalnum()])
        for value in one.values
    ]
    return [(value, len(places), sum(at in seen for at in places)) for value, places in said]


def table(read: Sequence[Text], settings: Settings, list_misses: bool) -> Iterator[str]:
    """Yield the lines of the table of one file."""
    values, whole, part = Counter[str](), Counter[str](), Counter[str]()
    misses = []
    for one in read:
        for value, size, hit in found(one, settings):
            direct = ["direct identifiers"] if value.kind not in ROLES else []
            for key in ("all", *direct, one.language, value.kind):
                values[key] += 1
                whole[key] += hit == size
                part[key] += hit > 0
            if hit < size:
                misses.append((one.id, value.kind, one.text[value.start : value.end]))
    yield "| | values | whole | part |"
    yield "|---|---:|---:|---:|"
    for key in sorted(values):
        count = values[key]
        yield f"| {key} | {count} | {whole[key] / count:.3f} | {part[key] / count:.3f} |"
    if list_misses:
        yield from map(str, misses)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--misses", action="store_true", help="list what is not found whole")
    given = parser.parse_args()
    settings = Settings()
    for name in ("seen", "unseen"):
        read = list(texts(FOLDER / f"{name}.jsonl"))
        print(f"\n{name}: {len(read)} texts\n")
        print("\n".join(table(read, settings, given.misses and name == "seen")))


if __name__ == "__main__":
    main()
