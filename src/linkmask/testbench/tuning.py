"""Measures how strong the filter of the corpus pass may be (formulas.md §11.2).

    OUT/points/*.json      raw: per document the ROUGE-1 F1, and how many values pass the filter
    OUT/filter.csv         means by strength, without and with the type filter
    OUT/filter.html        the two curves

A document's score compares the words of what was found with those of what was annotated; where
nothing is annotated it is 1 if nothing was found, else 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from linkmask import config
from linkmask.config import Settings
from linkmask.detect.corpus_pass.statistics import strong_values, value_statistics
from linkmask.detect.prompted.existing import select
from linkmask.errors import InputError
from linkmask.pipeline.release import write_whole
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.defences.builder import ScoredCorpus
from linkmask.testbench.grid import Progress, silent
from linkmask.testbench.measures import answer_scores, mean
from linkmask.testbench.models import LanguageModels
from linkmask.testbench.page_parts import Figure, Sheet, sheet_as_html
from linkmask.testbench.pictures import Curve, lines
from linkmask.testbench.run_folder import point


class Filters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is tried; a settings file in `experiments/` has the same keys."""

    strengths: tuple[float, ...] = tuple(step / 10 for step in range(11))
    """Values of `filter_strength`."""
    detector: Literal["embedded", "llm", "embedded+llm"] = "embedded"
    """What finds values, in both passes."""
    repeats: int = 1
    """Runs a point, averaged: for a model that answers differently each time."""


def compare_filters(
    source: Path,
    out: Path,
    filters: Filters,
    settings: Settings | None = None,
    progress: Progress = silent,
) -> list[dict[str, Any]]:
    """Score extraction at each strength, and without the corpus pass; write figures.

    Raises:
        InputError: the corpus has no golden.json with entities.
        Hole: a model is to find values, and none was given.
    """
    corpus = read_corpus(source)
    golden = _golden(source, corpus)
    points = list(_points(filters))
    rows = []
    models = LanguageModels(settings)
    for number, (name, over) in enumerate(points):
        progress(name, number, len(points))
        of = {"digest": corpus.digest, "detector": filters.detector, "over": over} | models.names
        rows.append(
            point(out / "points", name, of, lambda over=over: _point(corpus, golden, models, over))  # type: ignore[misc]
            | {"name": name, "over": over}
        )
    models.close()
    progress("", len(points), len(points))
    write_whole(out / "filter.csv", _csv(rows).encode(), 0o644)
    write_whole(out / "filter.html", _page(corpus, filters, rows).encode(), 0o644)
    return rows


def _points(filters: Filters) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every point by name, with the settings that make it."""
    for turn in range(filters.repeats):
        base = {"detector": filters.detector, "repeat": turn}
        yield f"first-pass-{turn}", base | {"corpus_pass": False}
        for strength in filters.strengths:
            for typed in (False, True):
                yield (
                    f"{strength:g}-{'typed' if typed else 'all'}-{turn}",
                    base | {"filter_strength": strength, "type_filter": typed},
                )


def _point(
    corpus: BenchCorpus,
    golden: Sequence[Sequence[str]],
    models: LanguageModels,
    over: dict[str, Any],
) -> dict[str, Any]:
    changed = {name: value for name, value in over.items() if name != "repeat"}
    settings = config.load(overrides={"workers": 1, **changed}, environment={})
    model = None
    if settings.detection.prompted:
        fresh = {"llm_cache": ""} if over["repeat"] else {}
        settings, model = models.with_model(settings, **fresh), lambda: models.helper
    scan = ScoredCorpus(corpus.documents, settings, model=model)
    found: dict[str, dict[str, str]] = {document.id: {} for document in corpus.documents}
    for mention in scan.job.run.mentions():
        found[mention.document].setdefault(mention.value, mention.original)
    scores = [
        _alike(list(found[document.id].values()), wanted)
        for document, wanted in zip(corpus.documents, golden, strict=True)
    ]
    listed = select if settings.detection.prompted else strong_values
    fields = listed(
        value_statistics(scan.job.run.mentions("stage1")), len(corpus.documents), settings
    )
    return {"rouge1": scores, "values": len(fields) if settings.corpus_pass else 0}


def _alike(found: Sequence[str], wanted: Sequence[str]) -> float:
    """Return the F1 of the words of two lists of values."""
    if not wanted:
        return float(not found)
    return answer_scores(" ".join(found), " ".join(wanted))["f1"]


def _golden(source: Path, corpus: BenchCorpus) -> list[list[str]]:
    path = source / "golden.json"
    whole = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    listed = whole.get("entities")
    if not isinstance(listed, dict):
        raise InputError(f"{source} has no golden.json with `entities` to compare with")
    return [[str(value) for value in listed.get(d.id, [])] for d in corpus.documents]


HEAD = "strength,rouge1_no_type_filter,rouge1_type_filter,count_no_type_filter,count_type_filter"


def _mean_score_and_values(rows: Sequence[dict[str, Any]], **over: Any) -> tuple[float, float]:
    """Return mean score and mean number of values over the repeats of a point."""
    some = [r for r in rows if all(r["over"].get(k) == v for k, v in over.items())]
    scores = [mean(row["rouge1"]) for row in some]
    return mean(scores) or 0.0, mean([float(row["values"]) for row in some]) or 0.0


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    out = [HEAD, f"first pass alone,{_mean_score_and_values(rows, corpus_pass=False)[0]:.4f},,,"]
    for strength in _strengths(rows):
        cells = [
            _mean_score_and_values(rows, filter_strength=strength, type_filter=typed)
            for typed in (False, True)
        ]
        scores = ",".join(f"{score:.4f}" for score, _ in cells)
        out.append(f"{strength:g},{scores},{','.join(f'{count:g}' for _, count in cells)}")
    return "\n".join(out) + "\n"


def _strengths(rows: Sequence[dict[str, Any]]) -> list[float]:
    return sorted({r["over"]["filter_strength"] for r in rows if "filter_strength" in r["over"]})


def _page(corpus: BenchCorpus, filters: Filters, rows: Sequence[dict[str, Any]]) -> str:
    def curve(typed: bool, what: int) -> Curve:
        return [
            (s, _mean_score_and_values(rows, filter_strength=s, type_filter=typed)[what])
            for s in _strengths(rows)
        ]

    first = {"first pass alone": _mean_score_and_values(rows, corpus_pass=False)[0]}
    names = {"no type filter": False, "type filter": True}
    figures = [
        Figure(
            "What is found against what is annotated",
            "ROUGE-1 F1 of the values of a document, averaged over documents.",
            lines({n: curve(t, 0) for n, t in names.items()}, "filter strength", "ROUGE-1 F1",
                  "ROUGE-1 F1 by filter strength", top=1.0, level=first),
        ),
        Figure(
            "How many values are looked for everywhere",
            "Values of the first pass whose largest relevance × uniqueness reaches the strength.",
            lines({n: curve(t, 1) for n, t in names.items()}, "filter strength", "values",
                  "Values by filter strength"),
        ),
    ]  # fmt: skip
    facts = f"{len(corpus.documents)} documents, detector {filters.detector}."
    return sheet_as_html(
        Sheet(corpus.name, "How strong may the context filter be?", facts, figures, [])
    )
