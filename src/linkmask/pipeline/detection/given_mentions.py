"""Takes mentions that were given, instead of detecting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from linkmask import runs
from linkmask.config import Settings
from linkmask.errors import InputError
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.reading import readable
from linkmask.records import Mention
from linkmask.redact import ValueLocator
from linkmask.runs import Run


def place_given_mentions(
    source: Source,
    run: Run,
    settings: Settings,
    given: Mapping[str, Sequence[Mention]],
    progress: Progress = silent,
) -> CorpusCounts:
    """Take mentions that were given, by document id, instead of detecting.

    If a mention has no offsets, or wrong ones, every whole-word occurrence of its value in the
    document is a mention (formulas.md §10.1). A value without an occurrence is dropped and counted.
    """
    counted = CorpusCounts()
    everything = {m.original for mentions in given.values() for m in mentions}
    finder = ValueLocator(sorted(everything))
    placed = 0
    with run.log("mentions") as log:
        for document, _ in readable(source, counted):
            found, lost = finder.place(document, given.get(document.id, ()))
            log.add(document.id, found)
            if lost:
                counted.dropped["value not in the text"] = (
                    counted.dropped.get("value not in the text", 0) + lost
                )
            placed += document.id in given
            counted.documents += 1
            progress("locate", counted.documents, None)
        log.finish()
    if foreign := len(given) - placed:
        counted.dropped["document not in the corpus"] = foreign
    return counted


def read_given(path: Path, settings: Settings) -> tuple[dict[str, list[Mention]], dict[str, int]]:
    """Read a mentions file by document, and count the rows dropped, by reason.

    Raises:
        InputError: no row can be used, so that everything would be released as it is.
    """
    types = settings.entity_types
    dropped: Counter[str] = Counter()
    by_document: dict[str, list[Mention]] = {}
    for mention in runs.read_mentions(path, types.type_of, runs.lower_and_collapse, dropped):
        by_document.setdefault(mention.document, []).append(mention)
    if not by_document:
        reasons = ", ".join(f"{n} × {reason}" for reason, n in sorted(dropped.items()))
        raise InputError(
            f"no row of {path} is a mention ({reasons or 'it is empty'}): a row needs document, "
            "original_value, entity_type and relevance"
        )
    return by_document, dict(sorted(dropped.items()))
