"""The files of a corpus of clusters, written cluster by cluster: nothing is held."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from linkmask.errors import OutputError

MARK = ".linkmask-generated"
"""Stands in a folder that was written here, so that only such a one is written over."""


def prepare(out: Path, *, overwrite: bool = False) -> None:
    """Make a folder ready for a corpus, and mark it as ours.

    Raises:
        OutputError: it is not empty and was not written here, or `overwrite` is not given.
    """
    if out.exists() and any(out.iterdir()):
        if not (overwrite and (out / MARK).is_file()):
            raise OutputError(f"{out} is not empty: give another folder, or --overwrite its corpus")
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text("", encoding="utf-8")


class Files:
    """The files of a corpus, written cluster by cluster."""

    def __init__(self, out: Path, long: bool) -> None:
        self.out, self.long = out, long
        names = ["mentions.jsonl", *(["clusters.jsonl", "documents.jsonl"] if long else [])]
        self.open: dict[str, TextIO] = {
            name: (out / name).open("w", encoding="utf-8", newline="\n") for name in names
        }
        self.golden = (out / "golden.json").open("w", encoding="utf-8", newline="\n")
        self.golden.write('{"golden_links": {')
        self.first = True
        if not long:
            (out / "files").mkdir()
            (out / "documents").mkdir()

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *failed: object) -> None:
        self.golden.write("\n}}\n")
        for handle in (self.golden, *self.open.values()):
            handle.close()

    def put(self, number: int, record: dict[str, Any], links: Sequence[tuple[str, str]]) -> None:
        """Write one cluster."""
        for document in record["documents"]:
            for start, end, kind, person in document.pop("mentions"):
                value = document["content"][start:end]
                line = {
                    "document": document["id"], "start": start, "end": end, "entity_type": kind,
                    "original_value": value, "normalized_value": value.casefold(),
                    "relevance": 1.0, "person": f"cluster_{person}",
                }  # fmt: skip
                self._line("mentions.jsonl", line)
            if self.long:
                self._line("documents.jsonl", document)
            else:
                name = f"{number:02}_{document['id']}.json"
                self._file(self.out / "documents" / name, document)
        if self.long:
            self._line("clusters.jsonl", record)
        else:
            self._file(self.out / "files" / f"cluster_{number:02}.json", record)
        comma = "" if self.first else ","
        self.first = False
        self.golden.write(f'{comma}\n"cluster_{number}": {json.dumps(links)}')

    def _line(self, name: str, value: Any) -> None:
        self.open[name].write(json.dumps(value, ensure_ascii=False) + "\n")

    @staticmethod
    def _file(path: Path, value: Any) -> None:
        path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
