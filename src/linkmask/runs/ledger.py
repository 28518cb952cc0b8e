"""Records what a language model was asked and what it cost, a line per document and stage."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from linkmask.errors import RunError
from linkmask.runs.file_names import ASKED
from linkmask.runs.log import private

TOP = 20
"""Documents that the summary lists one by one."""


class LedgerLine(msgspec.Struct, omit_defaults=True):
    """One document at one stage. Tokens and seconds are those spent now, not the cache's.

    `requests`: questions, each once however often it was tried; tokens and seconds are those of
    all tries that were answered. `dropped`: rows of the answer that could not be used, by reason;
    of a rewritten text, its faults. `notes`: what became of the document where that is not the
    usual. `cut`: known values for which there was no room in the prompt.
    """

    document: str
    stage: str
    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    dropped: dict[str, int] = {}
    notes: list[str] = []
    cut: int = 0


REVIEW = "review"
"""The model found far less than patterns do."""
EMBEDDED = "embedded only"
"""The model gave no complete answer; the mentions of the embedded detector stay."""
SET_ASIDE = "set aside"
REWRITTEN = "rewritten"
VALUE = "left in style value"
"""No rewritten text passed the check."""


class Ledger:
    """Lines appended as documents are done; a run that goes on appends further ones."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / ASKED
        self._out = private(self.path, os.O_APPEND)

    def add(self, line: LedgerLine) -> None:
        """Append a line.

        Raises:
            RunError: the file can't be written.
        """
        data = msgspec.json.encode(line) + b"\n"
        try:
            os.write(self._out, data)
        except OSError as error:
            raise RunError(f"can't write {self.path}: {error.strerror}") from None

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *failure: object) -> None:
        os.close(self._out)


def lines(folder: Path) -> Iterator[LedgerLine]:
    """Yield the lines of a run; one that was torn by a crash is passed over."""
    path = folder / ASKED
    if not path.exists():
        return
    decoder = msgspec.json.Decoder(LedgerLine)
    with path.open("rb") as handle:
        for line in handle:
            try:
                yield decoder.decode(line)
            except ValueError:
                continue


def summary(folder: Path, named: Mapping[str, str] = {}) -> dict[str, Any]:
    """Sum up a run's lines, as plain data; empty where no model was asked.

    `named`: what documents are called, where that is not their id.

    Costs are summed over all lines; of a document that was done again at a stage, the last line
    tells what was dropped and what became of it.
    """
    cost: dict[str, list[float]] = {}
    total: Counter[str] = Counter()
    seconds = 0.0
    last: dict[tuple[str, str], LedgerLine] = {}
    for line in lines(folder):
        name = named.get(line.document, line.document)
        last[name, line.stage] = line
        own = cost.setdefault(name, [0, 0.0])
        own[0] += line.tokens_in + line.tokens_out
        own[1] += line.seconds
        seconds += line.seconds
        for kind in ("requests", "cached", "tokens_in", "tokens_out"):
            total[kind] += getattr(line, kind)
    if not last:
        return {}
    dropped: Counter[str] = Counter()
    noted: dict[str, set[str]] = {}
    faults: Counter[str] = Counter()
    for (name, stage), line in last.items():
        (faults if stage == "rewrite" else dropped).update(line.dropped)
        for note in line.notes:
            noted.setdefault(note, set()).add(name)
    dearest = sorted(cost, key=lambda name: (-cost[name][0], name))[:TOP]
    tokens, times = zip(*cost.values(), strict=True)
    return {
        "stages": sorted({line.stage for line in last.values()}),
        "documents": len(cost),
        **{name: total[name] for name in ("requests", "cached", "tokens_in", "tokens_out")},
        "seconds": round(seconds, 3),
        "tokens_per_document": {"median": int(median(tokens)), "most": max(tokens)},
        "seconds_per_document": {"median": round(median(times), 3), "most": round(max(times), 3)},
        "dearest": [
            {"document": name, "tokens": cost[name][0], "seconds": round(cost[name][1], 3)}
            for name in dearest
            if cost[name][0]
        ],
        "dropped": dict(sorted(dropped.items())),
        "review": sorted(noted.get(REVIEW, ())),
        "embedded_only": sorted(noted.get(EMBEDDED, ())),
        "set_aside": len(noted.get(SET_ASIDE, ())),
        "rewritten": len(noted.get(REWRITTEN, ())),
        "left_in_value": sorted(noted.get(VALUE, ())),
        "rewriting_faults": dict(sorted(faults.items())),
        "known_values_cut": sum(line.cut for line in last.values()),
    }
