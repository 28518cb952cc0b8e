"""What detection finds in Spanish, Italian, Dutch and Portuguese texts about persons, by type.

    python benchmarks/locales.py [--language es,it] [--errors TYPE]

Data: benchmarks/locales/*.txt (README there). The first pass reads each text alone, at the default
settings. Columns, as in benchmarks/detect.py:

found      share of the marks of which some find covers half
whole      share of the marks of which every word but small ones is covered
typed F1   harmonic mean of precision and recall; a find counts if it has the type and shares a
           character with the mark
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.annotated import Truth, read
from benchmarks.detect import embedded, errors
from benchmarks.span_scores import figures, measure

FOLDER = Path(__file__).parent / "locales"
CELLS = ("half", "whole", "f1_touching")


def table(truths: Sequence[Truth]) -> Iterator[str]:
    """Yield the lines of the table of one file: all, each language, each type in all and each."""
    finds = dict(zip([one.id for one in truths], embedded()(truths)[0], strict=True))
    groups = {"all": [*truths]}
    for one in truths:
        groups.setdefault(one.id[:2], []).append(one)
    rows = {
        name: figures(measure(of, [finds[one.id] for one in of], set()))
        for name, of in groups.items()
    }
    yield "| | marks | recall of characters | precision | found | whole | typed F1 |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name, row in rows.items():
        marks = sum(one["mentions"] for one in row["types"].values())
        cells = ("char_recall", "char_precision", "mentions", "whole", "f1_touching")
        yield f"| {name} | {marks} |" + "".join(f" {row[cell]:.3f} |" for cell in cells)
    yield ""
    yield f"| found | marks | {' | '.join(rows)} | whole | typed F1 |"
    yield "|---|---:|" + "---:|" * (len(rows) + 2)
    types: Mapping[str, Any] = rows["all"]["types"]
    for name, row in sorted(types.items(), key=lambda item: -item[1]["mentions"]):
        by_language = (_cell(each["types"].get(name, {}).get("half")) for each in rows.values())
        more = (_cell(row[cell]) for cell in CELLS[1:])
        yield f"| {name} | {row['mentions']} | {' | '.join([*by_language, *more])} |"


def _cell(share: float | None) -> str:
    return "–" if share is None else f"{share:.2f}"


def main() -> None:
    """Print the tables, or what of a type is missed or found falsely in the seen texts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--language", default="es,it,nl,pt")
    parser.add_argument("--errors", metavar="TYPE", help="of the seen texts only")
    given = parser.parse_args()
    only = tuple(given.language.split(","))
    for name in ("seen", "unseen"):
        truths = [one for one in read(str(FOLDER / f"{name}.txt")) if one.id.startswith(only)]
        if not given.errors:
            print(f"\n{name}: {len(truths)} texts\n")
            print("\n".join(table(truths)))
        elif name == "seen":
            finds = embedded()(truths)[0]
            print("\n".join(line for _, line in sorted(errors(truths, finds, given.errors))))


if __name__ == "__main__":
    main()
