"""Writes a corpus of clusters to files, cluster by cluster."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from linkmask.errors import OutputError
from linkmask.testbench.generate.links import Mentioned, Pair

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


class Truth:
    """mentions.jsonl and golden.json: who is meant where, and which documents that links."""

    def __init__(self, out: Path) -> None:
        with ExitStack() as opened:
            self.mentions = opened.enter_context(_fresh(out / "mentions.jsonl"))
            self.golden = opened.enter_context(_fresh(out / "golden.json"))
            self._opened = opened.pop_all()
        self.golden.write('{"golden_links": {')
        self._comma = ""

    def __enter__(self) -> Truth:
        return self

    def __exit__(self, *failed: object) -> None:
        self.golden.write("\n}}\n")
        self._opened.close()

    def put(self, number: int, documents: Sequence[Mentioned], links: Sequence[Pair]) -> None:
        """Write a cluster's."""
        for document, content, mentions in documents:
            for start, end, kind, person in mentions:
                value = content[start:end]
                line = {
                    "document": document, "start": start, "end": end, "entity_type": kind,
                    "original_value": value, "normalized_value": value.casefold(),
                    "relevance": 1.0, "person": f"cluster_{person}",
                }  # fmt: skip
                self.mentions.write(_line(line))
        self.golden.write(f'{self._comma}\n"cluster_{number}": {json.dumps(links)}')
        self._comma = ","


class Files:
    """The documents of a corpus: a file each beside one for each cluster, or two long files."""

    def __init__(self, out: Path, long: bool) -> None:
        self.out = out
        self.long: list[TextIO] = []
        if long:
            self.long = [_fresh(out / f"{name}.jsonl") for name in ("documents", "clusters")]
        else:
            (out / "files").mkdir()
            (out / "documents").mkdir()

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *failed: object) -> None:
        for handle in self.long:
            handle.close()

    def put(self, number: int, record: dict[str, Any]) -> None:
        """Write one cluster."""
        if self.long:
            documents, clusters = self.long
            documents.writelines(map(_line, record["documents"]))
            clusters.write(_line(record))
            return
        for path, value in files_of(self.out, number, record):
            path.write_text(pretty(value), encoding="utf-8")


def files_of(out: Path, number: int, record: dict[str, Any]) -> list[tuple[Path, Any]]:
    """Return the files that a cluster becomes and what they hold; the cluster's own is last."""
    singles = [
        (out / "documents" / f"{number:02}_{document['id']}.json", document)
        for document in record["documents"]
    ]
    return [*singles, (out / "files" / f"cluster_{number:02}.json", record)]


def pretty(value: Any) -> str:
    """Return a file's text: JSON for people."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _fresh(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", newline="\n")
