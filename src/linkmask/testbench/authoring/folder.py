"""Stores a corpus that a model writes: finished clusters, and what was discarded.

OUT/.linkmask-generated   the order, model and prompts: another order needs another folder
OUT/refused.jsonl         discarded drafts: cluster, stage, complaints; no values
OUT/documents, files      as of any corpus; a cluster's file is written last, whole or not
OUT/mentions.jsonl, golden.json   made anew from the clusters whenever work ends
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from linkmask.errors import OutputError
from linkmask.pipeline.release import write_whole
from linkmask.testbench.authoring.briefs import Brief, Order
from linkmask.testbench.authoring.stages import Record, Refusal
from linkmask.testbench.generate import Generated
from linkmask.testbench.generate.files import MARK, Truth, files_of, prepare, pretty
from linkmask.testbench.generate.links import Mentioned, Place, holders, links

ALLOWED = {"attempts"}
"""Of an order, what may differ when work goes on."""


class Folder:
    """The clusters that are there, by number.

    Raises:
        OutputError: the folder holds something else, or a corpus of another order.
    """

    def __init__(
        self, out: Path, order: Order, models: tuple[str, str], prompts: str, overwrite: bool
    ) -> None:
        self.out = out
        fixed = {k: v for k, v in asdict(order).items() if k not in ALLOWED}
        mark = pretty({**fixed, "models": models, "prompts": prompts})
        if overwrite or not (out / MARK).is_file():
            prepare(out, overwrite=overwrite)
            for name in ("files", "documents"):
                (out / name).mkdir()
            (out / MARK).write_text(mark, encoding="utf-8")
        elif (out / MARK).read_text(encoding="utf-8") != mark:
            raise OutputError(
                f"{out} holds a corpus of other options or another model: give another folder, "
                "the same options to go on, or --overwrite"
            )
        self._kept = {number: json.loads(path.read_text("utf-8")) for number, path in self._files()}
        self._refused = self._log()

    def _files(self) -> list[tuple[int, Path]]:
        paths = (self.out / "files").glob("cluster_*.json")
        return sorted((int(path.stem.removeprefix("cluster_")), path) for path in paths)

    def _log(self) -> dict[int, list[Refusal]]:
        """Read the discarded drafts; a line cut short by a crash is passed over."""
        path = self.out / "refused.jsonl"
        log: dict[int, list[Refusal]] = {}
        for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            refusal = Refusal(entry["stage"], entry["complaints"])
            log.setdefault(entry["cluster"], []).append(refusal)
        return log

    def has(self, brief: Brief) -> bool:
        """Return whether a cluster is finished."""
        return brief.number in self._kept

    def before(self, number: int) -> list[Record]:
        """Return the finished clusters with smaller numbers, in order."""
        return [self._kept[n] for n in sorted(self._kept) if n < number]

    def refusals(self, number: int) -> Sequence[Refusal]:
        """Return the discarded drafts of a cluster."""
        return self._refused.get(number, [])

    def noting(self, number: int) -> Callable[[Refusal], None]:
        """Return a function that notes a discarded draft of a cluster."""

        def note(refusal: Refusal) -> None:
            self._refused.setdefault(number, []).append(refusal)
            entry = {"cluster": number, **refusal._asdict()}
            with (self.out / "refused.jsonl").open("a", encoding="utf-8", newline="\n") as log:
                log.write(json.dumps(entry, ensure_ascii=False) + "\n")

        return note

    def refused(self) -> dict[str, int]:
        """Count discarded drafts by stage and the first check that failed."""
        return dict(
            Counter(
                f"{refusal.stage}: {refusal.complaints[0].partition(':')[0]}"
                for refusals in self._refused.values()
                for refusal in refusals
            )
        )

    def keep(self, number: int, record: Record) -> None:
        """Write a finished cluster; only its own file makes it count."""
        for path, value in files_of(self.out, number, record):
            write_whole(path, pretty(value).encode(), 0o644)
        self._kept[number] = record

    def truth(self, plan: Sequence[Brief]) -> Generated:
        """Write mentions.jsonl and golden.json of what is there; return what there is."""
        written = Generated()
        with Truth(self.out) as truth:
            for brief in plan:
                if record := self._kept.get(brief.number):
                    documents = mentioned(record, brief.number)
                    joined = links(brief.number, holders(documents))
                    truth.put(brief.number, documents, joined)
                    written.add(documents, joined)
        return written


def mentioned(record: Record, number: int) -> list[Mentioned]:
    """Return a cluster's documents with every place of its person's values, in any case."""
    patterns = [
        (re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE), kind)
        for value, kind in record["metadata"]["person"]["entities"]
    ]

    def places(text: str) -> list[Place]:
        found = ((m, kind) for pattern, kind in patterns for m in pattern.finditer(text))
        return sorted((m.start(), m.end(), kind, number) for m, kind in found)

    return [(d["id"], d["content"], places(d["content"])) for d in record["documents"]]
