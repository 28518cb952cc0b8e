"""What two libraries would find in place of linkmask's own rows: telephone numbers and hosts.

    python benchmarks/libraries.py [--suffixes FILE]

Telephone numbers: the matcher of python-phonenumbers (`PhoneNumberMatcher`), in the numbering plans
that linkmask tries too, once for numbers that a plan has (valid) and once for those of a possible
length. Hosts without a scheme and "www": the last labels of schema/words/hosts.toml, and all of the
public suffix list (`--suffixes`: a copy of public_suffix_list.dat; its part of ICANN is read).

Texts: the annotated sets of ../shared/data and our own; texts about nobody with what was planted in
them (`domains.py`); descriptions of installed packages, which hold many addresses of code. A number
is true if it touches a mark of a telephone number, and right if it touches a mark of another type
("an account"); else it is false. The same holds for hosts and marks of web addresses.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from time import process_time

import phonenumbers

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import annotated, domains
from linkmask import detect, schema
from linkmask.config import Settings
from linkmask.detect.patterns.phones import REGIONS
from linkmask.graph import entities
from linkmask.records import Document
from linkmask.schema import types, types_of

Find = Callable[[str], Iterable[tuple[int, int]]]
"""From a text to the spans found in it."""
Marks = Sequence[tuple[int, int, str]]
HOST = re.compile(
    r"[a-zA-Z0-9](?<![\w@.-].)(?:[a-zA-Z0-9-]{0,62}\.){1,4}([a-z]{2,24})(?![\w-]|\.\w)"
)
"""The row "host" of recognizers/contacts.toml, with any last label."""


def texts() -> Iterator[tuple[str, str, Marks]]:
    """Yield the group, the text and the marks of each text."""
    for name in (*annotated.SETS, "own"):
        for one in annotated.read(name):
            marks = [(m.start, m.end, m.type) for m in one.marked if not m.ignore]
            yield "annotated", one.text, marks
    for text in domains.documents(planted=True):
        yield "nobody, planted", text.text, text.spans
    for text in domains.installed(1000):
        yield "packages", text.text, ()


def ours(text: str) -> Iterator[tuple[int, int]]:
    """Yield the telephone numbers that linkmask finds by its recognizers."""
    settings = Settings(detector="rules")
    found = detect.first_pass(Document("d", text, {}), settings, entities.canonical)
    yield from ((one.start, one.end) for one in found if one.type == types.PHONE_NUMBER)


def matcher(leniency: int) -> Find:
    """Return the matcher of phonenumbers, each numbering plan in turn."""

    def find(text: str) -> Iterator[tuple[int, int]]:
        taken: list[tuple[int, int]] = []
        for plan in REGIONS:
            region = plan.partition(":")[2]
            for one in phonenumbers.PhoneNumberMatcher(text, region, leniency=leniency):
                if not any(one.start < end and start < one.end for start, end in taken):
                    taken.append((one.start, one.end))
        yield from taken

    return find


def hosts(suffixes: frozenset[str]) -> Find:
    """Return the search for hosts that end with one of some suffixes."""

    def find(text: str) -> Iterator[tuple[int, int]]:
        for one in HOST.finditer(text):
            if one[0].lower().startswith("www."):
                continue  # the row "url" takes it
            labels = one[0].lower().split(".")
            ends = (".".join(labels[at:]) for at in range(1, len(labels)))
            if any(end in suffixes for end in ends):
                yield one.span()

    return find


def icann(path: Path) -> frozenset[str]:
    """Return the suffixes of the part of ICANN of a public suffix list."""
    listed = path.read_text("utf-8").partition("===END ICANN DOMAINS===")[0]
    lines = (line.strip() for line in listed.splitlines())
    return frozenset(line.lstrip("!*.") for line in lines if line and not line.startswith("//"))


def measured(find: Find, entity_type: str) -> tuple[Counter[str], float]:
    """Return the counts by group and judgment, and the characters read in a second."""
    counts: Counter[str] = Counter()
    read = list(texts())
    start = process_time()
    spans = [list(find(text)) for _, text, _ in read]
    speed = sum(len(text) for _, text, _ in read) / (process_time() - start)
    for (group, _, marks), found in zip(read, spans, strict=True):
        typed = [(s, e) for s, e, t in marks if t == entity_type]
        counts[f"{group}: marked"] += len(typed)
        for start_of, end_of in typed:
            overlaps = (min(e, end_of) - max(s, start_of) for s, e in found)
            within = sum(each for each in overlaps if each > 0)
            counts[f"{group}: found"] += 2 * within >= end_of - start_of
        for s, e in found:
            touched = {t for a, z, t in marks if a < e and s < z}
            kind = "true" if entity_type in touched else "right" if touched else "false"
            counts[f"{group}: {kind}"] += 1
    return counts, speed


def main() -> None:
    """Print a row for each way of finding."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--suffixes", type=Path, help="a copy of public_suffix_list.dat")
    given = parser.parse_args()
    (url,) = types_of("url")
    ways: list[tuple[str, Find, str]] = [
        ("numbers: linkmask", ours, types.PHONE_NUMBER),
        ("numbers: matcher, valid", matcher(phonenumbers.Leniency.VALID), types.PHONE_NUMBER),
        ("numbers: matcher, possible", matcher(phonenumbers.Leniency.POSSIBLE), types.PHONE_NUMBER),
        ("hosts: linkmask", hosts(frozenset(schema.words("hosts")["top"])), url),
    ]
    if given.suffixes:
        ways.append(("hosts: public suffix list", hosts(icann(given.suffixes)), url))
    for name, find, entity_type in ways:
        counts, speed = measured(find, entity_type)
        print(f"{name}: {speed / 1e6:.2f} MB/s")
        for key, count in sorted(counts.items()):
            print(f"    {key} {count}")


if __name__ == "__main__":
    main()
