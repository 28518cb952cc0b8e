"""Compares the graph's links with golden ones (formulas.md §12.1).

    OUT/points/*.json   raw, by mentions: golden entries, and every chain of two with its risk
    OUT/links.csv       per edge threshold and MEDIUM limit: hits, flagged, golden; three readings
    OUT/edges.csv       links within clusters and between them, per edge threshold
    OUT/links.html      both as pictures, and the figures at the default limits

Readings of the golden list: `pairs`, its entries of two documents; `sets`, all entries as they
are, so that one of three documents can't be met by chains of two; `expanded`, all as pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import msgspec

from linkmask.config import Settings
from linkmask.pipeline.planning import scoring
from linkmask.pipeline.release import write_whole
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.datasets import read_golden
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.models import LanguageModels
from linkmask.testbench.page_parts import (
    Figure,
    PageLine,
    PageTable,
    Sheet,
    ShownFigure,
    sheet_as_html,
)
from linkmask.testbench.pictures import lines, squares
from linkmask.testbench.run_folder import point

STEPS = [round(step / 10, 1) for step in range(11)]
READINGS = ("pairs", "sets", "expanded")

Raw = Mapping[str, Any]


class LinkComparison(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is compared; a settings file in `experiments/` has the same keys."""

    mentions: tuple[Literal["embedded", "golden", "llm", "presidio"], ...] = ("embedded",)
    """What the graph is made of: values detected, or the persons' own (`golden`)."""
    edge: float = 0.5
    """Edge threshold of the figures in the summary."""
    medium: float = 0.5
    """Their MEDIUM limit."""


def compare(
    source: Path, out: Path, asked: LinkComparison, settings: Settings | None = None
) -> dict[str, Raw]:
    """Compare a corpus's chains with its golden links; write raw figures first, tables then.

    Returns the raw figures by the mentions they are of.

    Raises:
        InputError: there is no golden.json, or the corpus can't be read.
        Hole: a model is to find values, and none was given.
    """
    corpus = read_corpus(source)
    links, skipped = read_golden(source, [document.id for document in corpus.documents])
    entries = [list(link) for link in links]
    models = LanguageModels(settings)
    builder = DefenceBuilder(corpus, models=models, snapshots=out / "snapshots")

    def raw_figures(mentions: str) -> dict[str, Any]:
        return {
            "golden": entries,
            "skipped": skipped,
            "chains": {str(edge): chains(builder, mentions, edge) for edge in STEPS},
            "cluster": {d.id: n for d, n in zip(corpus.documents, corpus.cluster, strict=True)},
        }

    of = {"corpus": corpus.digest, "golden": entries}
    found: dict[str, Raw] = {
        name: point(out / "points", name, of | {"mentions": name}, partial(raw_figures, name))
        for name in asked.mentions
    }
    models.close()
    tables = {"links.csv": [HEAD, *_table(found)], "edges.csv": [EDGES, *_edges(found)]}
    for name, rows in tables.items():
        write_whole(out / name, "\n".join([*rows, ""]).encode(), 0o644)
    write_whole(out / "links.html", _page(corpus, found, asked).encode(), 0o644)
    return found


def chains(builder: DefenceBuilder, mentions: str, edge: float) -> list[tuple[str, str, float]]:
    """Return every chain of two documents at an edge threshold: ids and risk."""
    settings = builder.settings("insurance", edge_threshold=edge, chain_length=2)
    scan = builder.scan(mentions)
    analysis = scoring.analyse(scan.job.run, settings, scan.job.counted)
    ids, found = analysis.incidence.documents, analysis.risk.chains
    return [
        (ids[int(row[0])], ids[int(row[1])], round(float(risk), 6))
        for row, risk in zip(found.documents, found.risk, strict=True)
    ]


HEAD = "mentions,reading,edge_threshold,medium,hits,flagged,golden,precision,recall,f1"
EDGES = "mentions,edge_threshold,between_clusters,within_clusters"


def score(raw: Raw, reading: str, edge: float, medium: float) -> list[float]:
    """Return hits, flagged, golden, precision, recall and F1 of one point."""
    entries = [frozenset(entry) for entry in raw["golden"]]
    golden = {
        "pairs": {entry for entry in entries if len(entry) == 2},
        "sets": set(entries),
        "expanded": {frozenset(p) for entry in entries for p in combinations(sorted(entry), 2)},
    }[reading]
    flagged = {frozenset((a, b)) for a, b, risk in raw["chains"][str(edge)] if risk >= medium}
    hits = len(golden & flagged)
    precision = hits / len(flagged) if flagged else 0.0
    recall = hits / len(golden) if golden else 0.0
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return [hits, len(flagged), len(golden), precision, recall, f1]


def count_links(raw: Raw, edge: float) -> tuple[int, int]:
    """Return how many links there are between clusters and within them."""
    cluster = raw["cluster"]
    within = [cluster[a] == cluster[b] for a, b, _ in raw["chains"][str(edge)]]
    return within.count(False), within.count(True)


def _table(found: Mapping[str, Raw]) -> Iterator[str]:
    for name, raw in found.items():
        for reading in READINGS:
            for edge in STEPS:
                for medium in STEPS:
                    *counts, precision, recall, f1 = score(raw, reading, edge, medium)
                    shares = f"{precision:.4f},{recall:.4f},{f1:.4f}"
                    yield f"{name},{reading},{edge},{medium},{','.join(map(str, counts))},{shares}"


def _edges(found: Mapping[str, Raw]) -> Iterator[str]:
    for name, raw in found.items():
        for edge in STEPS:
            between, within = count_links(raw, edge)
            yield f"{name},{edge},{between},{within}"


def _page(corpus: BenchCorpus, found: Mapping[str, Raw], asked: LinkComparison) -> str:
    figures = []
    for name, raw in found.items():
        counts = {edge: count_links(raw, edge) for edge in STEPS}
        curves = {
            "between clusters": [(edge, float(counts[edge][0])) for edge in STEPS],
            "within clusters": [(edge, float(counts[edge][1])) for edge in STEPS],
        }
        rows = [edge for edge in STEPS if edge <= 0.6]
        marks = [[score(raw, "pairs", edge, medium)[5] for medium in STEPS] for edge in rows]
        figures += [
            Figure(
                f"Links by edge threshold: {name} mentions",
                "Figure 4.3 of the thesis has the same axes.",
                lines(curves, "edge threshold", "links", "Links by edge threshold"),
            ),
            Figure(
                f"F1 against the golden pairs: {name} mentions",
                "Chains of two documents flagged at an edge threshold and a MEDIUM limit; Figure "
                "4.4 of the thesis has the same axes.",
                squares(list(map(str, rows)), list(map(str, STEPS)), marks, "edge threshold",
                        "MEDIUM limit", "F1 by edge threshold and MEDIUM limit"),
            ),
        ]  # fmt: skip
    rows_ = [
        PageLine(f"{name}, {reading}", [ShownFigure(_as_text(value)) for value in values])
        for name, raw in found.items()
        for reading in READINGS
        for values in [score(raw, reading, asked.edge, asked.medium)]
    ]
    table = PageTable(
        f"At edge threshold {asked.edge:g} and MEDIUM {asked.medium:g}",
        "pairs: golden entries of two documents; sets: all entries as they are; expanded: all as "
        f"pairs. Entries left out: {_skipped(found)}.",
        ["Mentions, reading", "hits", "flagged", "golden", "precision", "recall", "F1"],
        rows_,
    )
    facts = f"{len(corpus.documents)} documents, {len(corpus.persons)} clusters."
    title = "Does the graph find the links that matter?"
    return sheet_as_html(Sheet(corpus.name, title, facts, figures, [table]))


def _as_text(value: float) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _skipped(found: Mapping[str, Raw]) -> str:
    skipped = next(iter(found.values()))["skipped"]
    return ", ".join(f"{n} × {reason}" for reason, n in skipped.items() if n) or "none"


def summary_lines(found: Mapping[str, Raw], asked: LinkComparison) -> str:
    """Return the figures at the limits asked for as lines."""
    lines: list[str] = [
        f"{'mentions':9} {'reading':9} {'hits':>5} {'flagged':>8} {'golden':>7} precision recall"
        "    F1"
    ]
    for name, raw in found.items():
        for reading in READINGS:
            hits, flagged, golden, *shares = score(raw, reading, asked.edge, asked.medium)
            lines.append(f"{name:9} {reading:9} {hits:5} {flagged:8} {golden:7} {_three(shares)}")
    return "\n".join([*lines, f"Golden entries left out: {_skipped(found)}."])


def _three(shares: Sequence[float]) -> str:
    precision, recall, f1 = shares
    return f"{precision:9.3f} {recall:6.3f} {f1:5.3f}"
