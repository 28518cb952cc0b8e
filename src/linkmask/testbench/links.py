"""Which documents does the graph join, against golden links? (SPEC §11.1)

    OUT/links.json    raw: golden entries, and every chain of two documents with its risk
    OUT/links.csv     per edge threshold and MEDIUM limit: hits, flagged, golden; three readings
    OUT/edges.csv     links within clusters and between them, per edge threshold

Readings of the golden list: `pairs`, its entries of two documents; `sets`, all entries as they
are, so that one of three documents can't be met by chains of two; `expanded`, all as pairs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from linkmask import scoring
from linkmask.releasing import write_whole
from linkmask.testbench.defences import Workshop
from linkmask.testbench.folder import versions
from linkmask.testbench.tested import Corpus, read_corpus

STEPS = [round(step / 10, 1) for step in range(11)]
READINGS = ("pairs", "sets", "expanded")

Pair = frozenset[str]


def compare(source: Path, out: Path, mentions: str = "embedded") -> dict[str, Any]:
    """Compare a corpus's chains with its golden links; write raw figures first, tables then.

    Args:
        mentions: `embedded`, or `golden`: the persons' own values stand for what is detected.

    Raises:
        InputError: there is no golden.json, or the corpus can't be read.
    """
    corpus = read_corpus(source)
    golden, skipped = read_golden(source, corpus)
    shop = Workshop(corpus)
    raw = {
        "corpus": {"name": corpus.name, "digest": corpus.digest, "mentions": mentions},
        "versions": versions(),
        "golden": [sorted(entry) for entry in golden],
        "skipped": skipped,
        "chains": {str(edge): chains(shop, mentions, edge) for edge in STEPS},
        "cluster": {d.id: n for d, n in zip(corpus.documents, corpus.cluster, strict=True)},
    }
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / "links.json", msgspec.json.encode(raw) + b"\n", 0o644)
    write_whole(out / "links.csv", "\n".join([HEAD, *_table(raw), ""]).encode(), 0o644)
    write_whole(out / "edges.csv", "\n".join([EDGES, *_edges(raw), ""]).encode(), 0o644)
    return raw


def read_golden(source: Path, corpus: Corpus) -> tuple[list[Pair], dict[str, int]]:
    """Return the golden entries that can be used, and how many were left out, by reason."""
    from linkmask.errors import InputError

    path = source / "golden.json"
    if not path.is_file():
        raise InputError(f"{source} has no golden.json to compare with")
    whole = json.loads(path.read_text(encoding="utf-8"))
    links = whole.get("golden_links", whole.get("links", {}))
    entries = [e for of in links.values() for e in of] if isinstance(links, Mapping) else links
    known = {document.id for document in corpus.documents}
    kept: dict[Pair, None] = {}
    skipped = {"unknown document": 0, "given before": 0, "fewer than two": 0}
    for entry in map(frozenset, entries):
        if len(entry) < 2:
            skipped["fewer than two"] += 1
        elif not known.issuperset(entry):
            skipped["unknown document"] += 1
        elif entry in kept:
            skipped["given before"] += 1
        else:
            kept[entry] = None
    return list(kept), skipped


def chains(shop: Workshop, mentions: str, edge: float) -> list[tuple[str, str, float]]:
    """Return every chain of two documents at an edge threshold: ids and risk."""
    settings = shop.settings("insurance", edge_threshold=edge, chain_length=2)
    scan = shop.scan(mentions)
    analysis = scoring.analyse(scan.job.run, settings, scan.job.tally)
    ids, found = analysis.incidence.documents, analysis.risk.chains
    return [
        (ids[int(row[0])], ids[int(row[1])], round(float(risk), 6))
        for row, risk in zip(found.documents, found.risk, strict=True)
    ]


HEAD = "reading,edge_threshold,medium,hits,flagged,golden,precision,recall,f1"
EDGES = "edge_threshold,between_clusters,within_clusters"


def score(raw: Mapping[str, Any], reading: str, edge: float, medium: float) -> list[float]:
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


def _table(raw: Mapping[str, Any]) -> Iterator[str]:
    for reading in READINGS:
        for edge in STEPS:
            for medium in STEPS:
                *counts, precision, recall, f1 = score(raw, reading, edge, medium)
                shares = f"{precision:.4f},{recall:.4f},{f1:.4f}"
                yield f"{reading},{edge},{medium},{','.join(map(str, counts))},{shares}"


def _edges(raw: Mapping[str, Any]) -> Iterator[str]:
    cluster = raw["cluster"]
    for edge in STEPS:
        within = [cluster[a] == cluster[b] for a, b, _ in raw["chains"][str(edge)]]
        yield f"{edge},{within.count(False)},{within.count(True)}"


def said(raw: Mapping[str, Any]) -> str:
    """Return the figures at the default limits (edge 0.5, MEDIUM 0.5) as lines."""
    lines = [f"{'reading':10} {'hits':>5} {'flagged':>8} {'golden':>7} precision recall    F1"]
    for reading in READINGS:
        hits, flagged, golden, *shares = score(raw, reading, 0.5, 0.5)
        precision, recall, f1 = shares
        lines.append(
            f"{reading:10} {hits:5} {flagged:8} {golden:7} {precision:9.3f} {recall:6.3f} {f1:5.3f}"
        )
    left_out = ", ".join(f"{n} × {reason}" for reason, n in raw["skipped"].items() if n)
    return "\n".join([*lines, f"Golden entries left out: {left_out or 'none'}."])
