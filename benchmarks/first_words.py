"""How often the first word of an ordinary sentence is taken for a name, in eighteen languages.

    python benchmarks/first_words.py [--list]

Data: benchmarks/first_words/{seen,unseen}.txt, sentences about nobody: damage reports, manuals,
notices, recipes. The first pass reads each at the default settings: alone, as in a cell of a table,
and in a text of five. A row: `first`, sentences whose first word is (in) a NAME; `names`, sentences
with any NAME. `--list` lists the names that are found in `seen`.

The other table has what is lost: sentences that a surname opens (first_words/opening.toml), each
read alone, and in how many of them every letter of it is in a NAME.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from linkmask import detect
from linkmask.config import Settings
from linkmask.graph import entities
from linkmask.records import Document
from linkmask.schema import types

FOLDER = Path(__file__).parent / "first_words"
TOGETHER = 5
"""Sentences of a text."""
_WORD = re.compile(r"\w+")


class FalseName(NamedTuple):
    """A NAME found in a sentence about nobody: the sentence's language, the name, and whether it
    holds the first word.
    """

    language: str
    name: str
    first: bool


def sentences(path: Path) -> dict[str, list[str]]:
    """Return the sentences of a file by language ("== xx", then a line each)."""
    parts = re.split(r"(?m)^== (\w+)\n", path.read_text("utf-8"))[1:]
    return {
        language: body.strip().split("\n")
        for language, body in zip(parts[::2], parts[1::2], strict=True)
    }


def false_names(language: str, together: Sequence[str], settings: Settings) -> Iterator[FalseName]:
    """Yield the names found in a text of some sentences about nobody; of each sentence, one."""
    text = " ".join(together)
    found = [
        one
        for one in detect.first_pass(Document("one", text), settings, entities.canonical)
        if one.type == types.NAME
    ]
    start = 0
    for sentence in together:
        first = _WORD.search(text, start)
        inside = [one for one in found if start <= one.start < start + len(sentence)]
        if inside and first:
            one = inside[0]
            yield FalseName(language, one.value, one.start < first.end())
        start += len(sentence) + 1


def count(by_language: dict[str, list[str]], together: int, settings: Settings) -> list[FalseName]:
    """Return the false names of all sentences, read so many at a time."""
    return [
        one
        for language, own in by_language.items()
        for at in range(0, len(own), together)
        for one in false_names(language, own[at : at + together], settings)
    ]


def opened() -> Iterator[tuple[str, str, str]]:
    """Yield language, surname and the sentence that it opens."""
    read = tomllib.loads((FOLDER / "opening.toml").read_text("utf-8"))
    for language, own in read.items():
        for sentence in own["sentences"].strip().split("\n"):
            for surname in own["surnames"].split(", "):
                yield language, surname, sentence.replace("…", surname)


def missed(settings: Settings) -> list[tuple[str, str]]:
    """Return language and surname of each sentence in which its first word is not found."""
    lost = list[tuple[str, str]]()
    for language, surname, text in opened():
        found = detect.first_pass(Document("one", text), settings, entities.canonical)
        names = (one for one in found if one.type == types.NAME and one.start == 0)
        if not any(one.end >= len(surname) for one in names):
            lost.append((language, surname))
    return lost


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--list", action="store_true", help="list the names found in `seen`")
    given = parser.parse_args()
    settings = Settings()
    print("| | sentences | first | names | languages |\n|---|---:|---:|---:|---|")
    listed: list[FalseName] = []
    for half in ("seen", "unseen"):
        read = sentences(FOLDER / f"{half}.txt")
        total = sum(map(len, read.values()))
        for together, name in ((1, "alone"), (TOGETHER, "in a text")):
            found = count(read, together, settings)
            by = Counter(one.language for one in found)
            each = " ".join(f"{language} {n}" for language, n in by.most_common())
            first = sum(one.first for one in found)
            print(f"| {half}, {name} | {total} | {first} | {len(found)} | {each} |")
            listed += found if half == "seen" else []
    lost = missed(settings)
    each = " ".join(f"{one} {n}" for one, n in Counter(one for one, _ in lost).most_common())
    print("\n| sentences that a surname opens | found | missed in |\n|---:|---:|---|")
    print(f"| {len(list(opened()))} | {len(list(opened())) - len(lost)} | {each} |")
    if given.list:
        for one in dict.fromkeys(listed):
            print(f"{one.language} {one.name!r}" + " (first word)" * one.first)


if __name__ == "__main__":
    main()
