"""How many single given names and surnames in running prose are found, in fourteen languages.

    python benchmarks/single_names.py [--misses]

Data: benchmarks/languages/single_{seen,unseen}.jsonl, notes, mails and chats with one name or two,
neither behind a label nor beside the other half of the name. The first pass reads each at the
default settings: alone, and between four ordinary sentences of its language, which are those of
benchmarks/first_words. A row: names found whole, of how many. `--misses` lists those of `seen` that
are not.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import first_words, languages
from linkmask.config import Settings

BEFORE, BEHIND = 2, 2
"""Ordinary sentences before a text and behind it."""


def in_texts(read: list[languages.Text], fillers: dict[str, list[str]]) -> Iterator[languages.Text]:
    """Yield texts between ordinary sentences of their language, each time others."""
    for number, one in enumerate(read):
        own = fillers[one.language]
        first = number * (BEFORE + BEHIND)
        chosen = [own[(first + n) % len(own)] for n in range(BEFORE + BEHIND)]
        lead = " ".join([*chosen[:BEFORE], ""])
        moved = tuple(
            value._replace(start=value.start + len(lead), end=value.end + len(lead))
            for value in one.values
        )
        yield one._replace(text=" ".join([lead + one.text, *chosen[BEFORE:]]), values=moved)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--misses", action="store_true", help="list what is not found in `seen`")
    given = parser.parse_args()
    settings, misses = Settings(), list[str]()
    print("| | names | found | missed in |\n|---|---:|---:|---|")
    for half in ("seen", "unseen"):
        read = list(languages.texts(languages.FOLDER / f"single_{half}.jsonl"))
        fillers = first_words.sentences(first_words.FOLDER / f"{half}.txt")
        for name, texts in (("alone", read), ("in a text", list(in_texts(read, fillers)))):
            total, missed = 0, Counter[str]()
            for one in texts:
                for value, size, hit in languages.found(one, settings):
                    total += 1
                    if hit < size:
                        missed[one.language] += 1
                        surface = one.text[value.start : value.end]
                        misses += [f"{one.id} {name}: {surface}"] * (half == "seen")
            each = " ".join(f"{language} {n}" for language, n in missed.most_common())
            print(f"| {half}, {name} | {total} | {total - missed.total()} | {each} |")
    if given.misses:
        print("\n".join(misses))


if __name__ == "__main__":
    main()
