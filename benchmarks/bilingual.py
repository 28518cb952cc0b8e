"""Strict and surrogate redaction in two languages, and a tagger of diseases on what is left.

    python benchmarks/bilingual.py [--config experiments/bilingual.toml] [-o bilingual.run]

Documents of our own (no part of the package has read them) are masked twice, `[REDACTED]` and
surrogates; a tagger that never saw them reads the original and both versions. English: learned from
NCBI and BC5CDR. French: from our own texts in training/texts. Raw counts are kept by document in
OUT/cells/*.json before any table is made; a cell that is there is not made again, and so are
the taggers in OUT/taggers. Needs python-crfsuite (extra `train`) and ../shared/data.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.bilingual_spans import SpanCounts, Version

import linkmask
from benchmarks import bilingual_spans
from linkmask.config import Settings
from linkmask.detect import language_of
from linkmask.records import Document
from training import data, tagger, texts

LANGUAGES = ("english", "french")
SCORES = ("string", "place", "touching")
Cells = dict[str, dict[str, Any]]
"""Version → its raw counts by document (`documents`), and the ids that were `set_aside`."""


def main() -> None:
    """Fill the cells and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--config", type=Path, default=ROOT / "experiments" / "bilingual.toml")
    parser.add_argument("-o", "--out", type=Path, default=Path("bilingual.run"))
    given = parser.parse_args()
    config = tomllib.loads(given.config.read_text("utf-8"))
    (given.out / "cells").mkdir(parents=True, exist_ok=True)
    cells = {name: fill(name, config, given.out) for name in LANGUAGES}
    cells["both"] = {
        version: {part: [row for name in LANGUAGES for row in cells[name][version][part]]
                  for part in ("documents", "set_aside")}
        for version in versions(config)
    }  # fmt: skip
    for show in (print_masks, print_scores):
        for name, of in cells.items():
            show(name, of)


def versions(config: dict[str, Any]) -> dict[str, tuple[str, int]]:
    """Return version → style ("" leaves the text as it is) and seed."""
    made = {
        f"surrogate#{seed}": (bilingual_spans.STYLES["surrogate"], seed) for seed in config["seeds"]
    }
    return {"original": ("", 0), "strict": (bilingual_spans.STYLES["strict"], 0), **made}


def fill(name: str, config: dict[str, Any], out: Path) -> Cells:
    """Return a language's cells, made where they are missing or of other settings or texts."""
    part = config[name]
    own = [one for path in part["documents"] for one in texts.read(ROOT / path)]
    digest = sha256(repr(own).encode()).hexdigest()
    fixed = {"settings": config, "version": linkmask.__version__, "texts": digest}
    wanted = versions(config)
    paths = {version: out / "cells" / f"{name}-{version}.json" for version in wanted}
    kept = {v: json.loads(p.read_text("utf-8")) for v, p in paths.items() if p.is_file()}
    cells = {v: cell for v, cell in kept.items() if cell["fixed"] == fixed}
    if missing := [version for version in wanted if version not in cells]:
        find = tagger_of(name, part, out / "taggers").find
        for version in missing:
            cells[version] = {"fixed": fixed, **measure(own, *wanted[version], find)}
            paths[version].write_text(json.dumps(cells[version], indent=1) + "\n", "utf-8")
    return cells


def tagger_of(name: str, part: dict[str, Any], out: Path) -> tagger.Tagger:
    """Return the tagger of a language, learned from other texts than those it reads."""
    if name == "english":
        rows = [row for path in part["train"] for row in tagger.from_set(path)]
    else:
        own = [one for path in part["train"] for one in texts.read(ROOT / path)]
        rows = list(tagger.from_own(own))
    return learned(rows, out / name)


Find = Callable[[str], list[bilingual_spans.Span]]
"""Text → diseases."""


def learned(rows: Sequence[data.Row], path: Path) -> tagger.Tagger:
    """Learn a tagger, or take the one kept of the same rows."""
    digest = sha256(repr([(row.words, row.labels) for row in rows]).encode()).hexdigest()[:12]
    path = path.with_name(f"{path.name}-{digest}.crfsuite")
    if path.is_file():
        return tagger.Tagger(path)
    begin = process_time()
    made = tagger.learn(rows, path)
    size = sum(len(row.words) for row in rows)
    print(f"{path.stem}: {size:,} words, {process_time() - begin:.0f} s", file=sys.stderr)
    return made


# ── a cell ──────────────────────────────────────────────────────────────────────────────────────


def measure(own: Sequence[texts.Annotated], style: str, seed: int, find: Find) -> dict[str, Any]:
    """Mask the documents in a style, read them with the tagger, and count by document."""
    read = {one.id: Version(one.text) for one in own}
    if style:
        documents = [Document(one.id, one.text) for one in own]
        settings = bilingual_spans.settings_for(style, seed=seed)
        read = bilingual_spans.versions(linkmask.mask(documents, settings).documents)
    rows = [
        {"id": one.id, **masks_of(one, read[one.id]), **scores_of(one, read[one.id], find)}
        for one in own
        if one.id in read
    ]
    return {"documents": rows, "set_aside": [one.id for one in own if one.id not in read]}


def scores_of(one: texts.Annotated, version: Version, find: Find) -> dict[str, Any]:
    """Return [TP, FP, FN] of a document by each way to score; no value stands in it."""
    found = find(version.text)
    truth = [(m.start, m.end) for m in one.marks if m.type == tagger.DISEASE]
    places = [version.original(*span) for span in found]
    names, said = [one.text[a:b] for a, b in truth], [version.text[a:b] for a, b in found]
    unmoved = (bilingual_spans.normal(version.text[a:b]) for a, b in truth)
    return {
        "string": bilingual_spans.by_string(names, said).row,
        "place": bilingual_spans.by_place(truth, places).row,
        "touching": bilingual_spans.touching(truth, places).row,
        "in_masks": places.count(None),
        "shifted": sum(a != bilingual_spans.normal(b) for a, b in zip(unmoved, names, strict=True)),
    }


def masks_of(one: texts.Annotated, version: Version) -> dict[str, Any]:
    """Return counts of what was written over in a document."""
    pieces = version.pieces
    values = [m for m in one.marks if m.type in bilingual_spans.KINDS]
    shares = [bilingual_spans.covered((m.start, m.end), pieces) / (m.end - m.start) for m in values]
    diseases = [(m.start, m.end) for m in one.marks if m.type == tagger.DISEASE]
    labels = [
        span
        for span in bilingual_spans.labels(one.text)
        if not any(m.start < span[1] and span[0] < m.end for m in one.marks)
    ]
    return {
        "language": language_of(Document(one.id, one.text), Settings()) == one.lang,
        "values": Counter(m.type for m in values),
        "hidden": Counter(m.type for m, share in zip(values, shares, strict=True) if share == 1),
        "partly": sum(0 < share < 1 for share in shares),
        "pieces": len(pieces),
        "unmarked": sum(
            not any(m.start < piece.end and piece.start < m.end for m in one.marks)
            for piece in pieces
        ),
        "labels": len(labels),
        "labels_touched": sum(bilingual_spans.covered(span, pieces) > 0 for span in labels),
        "diseases": len(diseases),
        "diseases_touched": sum(bilingual_spans.covered(span, pieces) > 0 for span in diseases),
    }


# ── tables ──────────────────────────────────────────────────────────────────────────────────────


def print_masks(name: str, cells: Cells) -> None:
    """Print what masking did in a language."""
    print(f"\n{name}: what was masked")
    hidden = values = Counter()
    for version in cells:
        rows = cells[version]["documents"]
        known = sum(row["language"] for row in rows)
        total = {key: sum(row[key] for row in rows) for key in
                 ("partly", "pieces", "unmarked", "labels", "labels_touched", "diseases",
                  "diseases_touched")}  # fmt: skip
        if version == "original":
            print(f"  language told rightly: {known} of {len(rows)} documents")
            continue
        values, hidden = (
            sum((Counter(row[key]) for row in rows), Counter()) for key in ("values", "hidden")
        )
        print(
            f"  {version}: {len(rows)} documents, {len(cells[version]['set_aside'])} set aside;"
            f" values hidden {hidden.total()} of {values.total()} ({total['partly']} in part);"
            f" {total['pieces']} pieces, {total['unmarked']} where nothing is marked;"
            f" labels {total['labels_touched']} of {total['labels']},"
            f" diseases {total['diseases_touched']} of {total['diseases']} touched"
        )
    kinds = [(kind, hidden[kind], values[kind]) for kind in bilingual_spans.KINDS if values[kind]]
    print("  hidden by type: " + ", ".join(f"{kind} {a}/{b}" for kind, a, b in kinds))


def print_scores(name: str, cells: Cells) -> None:
    """Print what the tagger finds in each version, over documents that are in all of them."""
    rows = {version: {row["id"]: row for row in of["documents"]} for version, of in cells.items()}
    shared = sorted(set.intersection(*map(set, rows.values())))
    print(f"\n{name}: diseases found, {len(shared)} documents\n")
    print("| scored by | version | precision | recall | F1 | TP | FP | FN | change of F1 (95 %) |")
    print("|---|---|---|---|---|---|---|---|---|")
    for score in SCORES:
        counts = {v: [SpanCounts(*of[i][score]) for i in shared] for v, of in rows.items()}
        for version, each in counts.items():
            c = sum(each, SpanCounts())
            change, low, high = bilingual_spans.f1_interval(counts["original"], each)
            print(
                f"| {score} | {version} | {c.precision:.4f} | {c.recall:.4f} | {c.f1:.4f} | {c.tp} "
                f"| {c.fp} | {c.fn} | {change:+.4f} ({low:+.3f} … {high:+.3f}) |"
            )
    for version, of in rows.items():
        sums = [sum(of[i][key] for i in shared) for key in ("in_masks", "shifted", "diseases")]
        print("{}: {} finds touch a mask; {} of {} diseases do not stand at the original's offsets"
              .format(version, *sums))  # fmt: skip


if __name__ == "__main__":
    main()
