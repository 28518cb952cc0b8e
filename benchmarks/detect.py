"""How well detection finds what is marked: every annotated set, one table, Presidio beside it.

    python benchmarks/detect.py [SET…] [--sample N] [--only ID] [--errors TYPE] [--json]
        [--presidio PYTHON]

The sets are those of `../shared/data` that have spans, and our own texts in `training/texts`; any
other of their form is named by its file (.jsonl, .txt). A label is read as `labels.json` beside it
says (a type; null: personal, but of no certain type; IGNORE: neither missed nor wrong). Figures,
each over a whole set:

char recall, precision   characters (no blanks) of marked mentions that are found; of found ones
                         that are marked. "of its types": only finds of types the set marks at all.
mentions                 marked mentions at least half covered; below, by type.
whole                    mentions of which every word but the small ones ("of the") is covered.
always                   mentions of types that are masked whatever the plan says (the floor), found
                         whole under such a type, and in our own texts the person's own.
DIRECT, QUASI            entities all of whose mentions are covered whole (SPIA's protection).
F1, F1 touching          typed: the same span and type; a span of the type that shares a character.
MB/s                     a million characters per second of one core, the first pass alone.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from linkmask import detect
from linkmask.config import Settings
from linkmask.graph import entities
from linkmask.records import Document
from linkmask.testbench.defences import presidio_spans

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.annotated import SETS, Span, Truth, labels_of, place, read
from benchmarks.span_scores import covered_whole, figures, measure

# ── detectors ───────────────────────────────────────────────────────────────────────────────────

Find = Callable[[Sequence[Truth]], tuple[list[list[Span]], float]]
"""From texts to their finds and the processor seconds that took."""


def embedded(detector: str = "embedded") -> Find:
    """Return linkmask's first pass, each document alone."""
    settings = Settings(detector=detector)

    def find(truths: Sequence[Truth]) -> tuple[list[list[Span]], float]:
        documents = [Document(one.id, one.text, {}) for one in truths]
        for document in documents[:20]:  # lists and models are read at first use
            detect.first_pass(document, settings, entities.canonical)
        start = process_time()
        found = [detect.first_pass(each, settings, entities.canonical) for each in documents]
        taken = process_time() - start
        return [[(m.start, m.end, m.type) for m in mentions] for mentions in found], taken

    return find


def presidio(python: str) -> Find:
    """Return Presidio's own rules, run by the interpreter it is installed for."""

    def find(truths: Sequence[Truth]) -> tuple[list[list[Span]], float]:
        done = subprocess.run(
            [python, "-I", str(presidio_spans.__file__)],
            input="\n".join(json.dumps(one.text) for one in truths),
            capture_output=True,
            text=True,
            check=True,
        )
        answer = json.loads(done.stdout)
        return [[tuple(span) for span in spans] for spans in answer["spans"]], answer["seconds"]

    return find


def memory() -> float:
    """Return the megabytes a fresh process has held with the detector loaded and used."""
    code = (
        "from linkmask import detect; from linkmask.config import Settings;"
        "from linkmask.graph import entities; from linkmask.records import Document\n"
        "for text in ('Dr. Ann Lee saw him on 2 May. ', 'Le Dr Paul Morel, 3 mai 2020, Lyon. '):\n"
        "  for _ in range(40):\n"
        "    detect.first_pass(Document('d', text * 100, {}), Settings(), entities.canonical)\n"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024


# ── the command ─────────────────────────────────────────────────────────────────────────────────


def errors(
    truths: Sequence[Truth], finds: Sequence[Sequence[Span]], wanted: str
) -> Iterator[tuple[str, str]]:
    """Yield misses (-) and false finds (+) of a type or label, each in its surroundings."""
    for one, found in zip(truths, finds, strict=True):
        known = bytearray(len(one.text))
        marks = bytearray(len(one.text))
        for start, end, _ in found:
            known[start:end] = b"\x01" * (end - start)
        for m in one.marked:
            marks[m.start : m.end] = b"\x01" * (m.end - m.start)
        misses = [
            (m.start, m.end, "-")
            for m in one.marked
            if wanted in {m.type, m.label, m.identifier}
            and not m.ignore
            and not covered_whole(one.text, m, known)
        ]
        false = [(s, e, "+") for s, e, t in found if t == wanted and not any(marks[s:e])]
        for start, end, sign in sorted(misses + false):
            before, after = one.text[max(start - 50, 0) : start], one.text[end : end + 40]
            line = f"{sign} …{before}⟦{one.text[start:end]}⟧{after}…"
            yield one.text[start:end].lower(), re.sub(r"\s+", " ", line)


COLUMNS = (
    ("char_recall", "char.rec"),
    ("char_precision", "prec"),
    ("char_precision_of_its_types", "(types)"),
    ("mentions", "mentions"),
    ("whole", "whole"),
    ("always", "always"),
    ("direct", "DIRECT"),
    ("quasi", "QUASI"),
    ("f1", "F1"),
    ("f1_touching", "touching"),
    ("mb_per_second", "MB/s"),
)


def line(name: str, row: Mapping[str, Any]) -> str:
    """Return one line of the table."""
    cells = ("      · " if row[key] is None else f"{row[key]:8.3f}" for key, _ in COLUMNS)
    return f"{name:26} " + " ".join(cells)


def main() -> None:
    """Score the sets and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument(
        "sets", nargs="*", help=f"of {', '.join(SETS)}, own, or files (.jsonl, .txt)"
    )
    parser.add_argument("--sample", type=int, default=0, help="documents per set; 0: all")
    parser.add_argument("--only", metavar="ID", default="", help="expression their ids match")
    parser.add_argument("--errors", metavar="TYPE", help="list what of a type is missed or false")
    parser.add_argument("--detector", default="embedded")
    parser.add_argument("--presidio", metavar="PYTHON", help="interpreter that has Presidio")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    detectors: dict[str, Find] = {"": embedded(given.detector)}
    if given.presidio:
        detectors["presidio"] = presidio(given.presidio)
    rows: dict[str, Any] = {}
    if not given.json and not given.errors:
        print(f"{'set':26} " + " ".join(f"{head:>8}" for _, head in COLUMNS))
    for name in given.sets or [*SETS, "own"]:
        if name in SETS and not place(name).is_file():
            continue
        try:
            truths = [t for t in read(name, given.sample) if re.search(given.only, t.id)]
            merge = set(labels_of(name).get("_merge", ()))
        except (KeyError, OSError) as error:
            parser.error(f"no set {name}: {error}")
        for detector, find in detectors.items():
            if not truths:
                continue
            finds, seconds = find(truths)
            if given.errors:
                if not detector:
                    show(name, errors(truths, finds, given.errors))
                continue
            score = measure(truths, finds, merge)
            score.seconds = seconds
            title = f"{name} {detector}".strip()
            rows[title] = figures(score)
            if not given.json:
                print(line(title, rows[title]), flush=True)
                if not detector:
                    print(by_type(rows[title]["types"]), flush=True)
    if given.json:
        print(json.dumps({"sets": rows, "memory_mb": round(memory())}, indent=1))
    elif not given.errors:
        print(f"memory, detector loaded and used: {memory():.0f} MB")


def by_type(types: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the recall of each type on one line, with the typed F1 where there is one."""
    cells = []
    for name, row in sorted(types.items(), key=lambda item: -item[1]["mentions"]):
        more = f" F1 {row['f1']:.2f}/{row['f1_touching']:.2f}" if row["f1"] is not None else ""
        if row["always"] is not None:
            more += f" always {row['always']:.2f}"
        cells.append(f"{name} {row['half']:.2f}/{row['whole']:.2f} of {row['mentions']}{more}")
    return "    " + "; ".join(cells)


def show(name: str, found: Iterable[tuple[str, str]]) -> None:
    """Print errors, the most frequent values first."""
    by_value: dict[tuple[str, str], list[str]] = defaultdict(list)
    for value, text in found:
        by_value[value, text[0]].append(text)
    for (_, _), lines in sorted(by_value.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"{name} {len(lines):4} {lines[0]}")


if __name__ == "__main__":
    main()
