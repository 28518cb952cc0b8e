"""How much of the direct identifiers in texts of daily life detection finds, in seven languages.

    python benchmarks/languages.py [--misses] [--rare N [--unlisted]]

Data: benchmarks/languages/*.jsonl (README there). The first pass reads each text alone, at the
default settings. `whole`: marked values of which every letter and digit is found, whatever the
type; `part`: values of which any is. `--misses` lists what is not found whole in `seen`.

`--rare N` reads languages/rare_names.jsonl N times instead, each time with other names: rare ones
of the lists from which the gazetteer is made (`make gazetteer` fetches these), drawn at random and
no everyday words. `--unlisted` reads them with a gazetteer that lacks just these names.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.lexicon import listed_names, word_features
from linkmask.graph import entities
from linkmask.records import Document
from training import gazetteer

FOLDER = Path(__file__).parent / "languages"
MARK = re.compile(r"\{\{([A-Z_]+)\|(.*?)\}\}", re.DOTALL)
SLOT = re.compile(r"\{(GIVEN|SURNAME)\}")
RARE = {(3, 0), (0, 3)}
"""Names that fewer than 200 (given) or 500 (surnames) bore in the US Census of 2020, or that only
older lists have."""
SEED, POOL, SHORTEST = 2026, 2000, 4
"""Number of rare names of each kind to draw from, and letters of each at least."""
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
    yield from _texts(path.read_text("utf-8").splitlines())


def _texts(lines: Iterable[str]) -> Iterator[Text]:
    for line in lines:
        record = json.loads(line)
        text, values, last = "", list[Value](), 0
        for mark in MARK.finditer(record["text"]):
            text += record["text"][last : mark.start()]
            values.append(Value(len(text), len(text) + len(mark[2]), mark[1]))
            text, last = text + mark[2], mark.end()
        yield Text(record["id"], record["lang"], text + record["text"][last:], tuple(values))


def _is_rare(name: str) -> bool:
    """Tell whether a name is rare as a given name or a surname, in no list by hand, and no word."""
    one = listed_names.listed(name)
    by_hand = word_features.FEATURES[name.title()] & (word_features.GIVEN | word_features.SURNAME)
    return len(name) >= SHORTEST and not (by_hand or one.everyday) and one[:2] in RARE


def with_rare_names(path: Path, times: int) -> tuple[list[Text], set[int]]:
    """Return the texts of a file with rare names in its slots, and the numbers of these names."""
    given, surnames = gazetteer.gather()
    draw = Random(SEED)
    pools = {
        slot: draw.sample(sorted(filter(_is_rare, names)), POOL)
        for slot, names in (("GIVEN", given), ("SURNAME", surnames))
    }
    used: set[int] = set()

    def fill(slot: re.Match[str]) -> str:
        name = draw.choice(pools[slot[1]])
        used.add(listed_names.number(name))
        return name.title()

    rows = path.read_text("utf-8").splitlines() * times
    filled = [SLOT.sub(fill, row) for row in rows]
    return list(_texts(filled)), used


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
    parser.add_argument("--rare", metavar="N", type=int, help="rare names, N times in each text")
    parser.add_argument(
        "--unlisted", action="store_true", help="as if no gazetteer had these names"
    )
    given = parser.parse_args()
    settings = Settings()
    if given.rare:
        read, names = with_rare_names(FOLDER / "rare_names.jsonl", given.rare)
        if given.unlisted:
            gazetteer.forget(lambda number, _: number in names)
        print(f"\n{len(names)} rare names in {len(read)} texts\n")
        print("\n".join(table(read, settings, given.misses)))
        return
    for name in ("seen", "unseen"):
        read = list(texts(FOLDER / f"{name}.jsonl"))
        print(f"\n{name}: {len(read)} texts\n")
        print("\n".join(table(read, settings, given.misses and name == "seen")))


if __name__ == "__main__":
    main()
