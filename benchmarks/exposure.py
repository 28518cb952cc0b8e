"""What masking leaves of the persons, and of the answers: exposure and utility on cluster corpora.

    python benchmarks/exposure.py [FOLDER…] [--preset P] [--theta-doc 0.95,0.9] [--theta-chain 0.5]
                                  [--relevance rules,learned,type] [--cost count]

Each FOLDER holds `files/cluster_*.json` and `documents/` (formulas.md §13.2); without one, the sets
of `../shared/data/insurance` that are there. `linkmask mask` runs on `documents/` as a user would
run it, and only what it wrote is read.

exposure    per cluster the share, by schema weight, of the person's values that can still be read
            anywhere in the whole masked corpus (whole words, any case, any whitespace), averaged
            over clusters; a value that no document held to begin with counts as not exposed.
direct      how many of the persons' values of the floor's types can still be read.
utility     per question the share of the reference answer's content words found in the question's
            source documents, averaged: before, after, and after relative to before.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from linkmask import config, schema
from linkmask.pipeline.answers.questions import content_words
from linkmask.testbench.datasets import CorpusQuestion, PersonCluster, read_clusters

DATA = Path(__file__).parents[2] / "shared" / "data" / "insurance"
SETS = ("dev25", "dev5", "old10", "tune_chains", "tune_entities")


@dataclass(frozen=True)
class Score:
    """The figures of one corpus before and after."""

    exposure: float
    direct: tuple[int, int]
    utility: Mapping[str, tuple[float, float]]


def pattern(value: str) -> re.Pattern[str]:
    """Match a value as whole words, in any case and spacing (formulas.md §10.1)."""
    body = r"\s+".join(map(re.escape, value.split()))
    before = r"(?<!\w)(?<!\d[.,])" if value[:1].isdigit() else r"(?<!\w)"
    after = r"(?!\w)(?![.,]\d)" if value[-1:].isdigit() else r"(?!\w)"
    return re.compile(before + body + after, re.IGNORECASE)


def score(
    clusters: Sequence[PersonCluster], before: Mapping[str, str], after: Mapping[str, str]
) -> Score:
    """Compare texts by document key (`key`) before and after masking."""
    weights = schema.load("insurance").weights
    floor = set(config.Settings().floor)
    left = "\n\n".join(after.values())
    shares, readable, direct = [], 0, 0
    for cluster in clusters:
        total = exposed = 0.0
        for value, entity_type in cluster.person.entities:
            found = bool(pattern(value).search(left))
            total += weights[entity_type]
            exposed += weights[entity_type] * found
            direct += entity_type in floor
            readable += found and entity_type in floor
        if total:
            shares.append(exposed / total)
    return Score(fmean(shares), (readable, direct), _utility(clusters, before, after))


def _utility(
    clusters: Sequence[PersonCluster], before: Mapping[str, str], after: Mapping[str, str]
) -> dict[str, tuple[float, float]]:
    return {
        group: (fmean(a for a, _ in pairs), fmean(b for _, b in pairs))
        for group, pairs in sorted(answers(clusters, before, after).items())
    }


def answers(
    clusters: Sequence[PersonCluster], before: Mapping[str, str], after: Mapping[str, str]
) -> Mapping[str, Sequence[tuple[float, float]]]:
    """Return by kind of question the shares of each answer's words, before and after masking."""
    shares: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for cluster in clusters:
        keys = {document.id: document.origin.file for document in cluster.documents}
        for question in cluster.questions:
            answer = content_words(question.a)
            sources = [keys[source] for source in question.sources if source in keys]
            if answer and sources:
                pair = tuple(
                    fmean(word in words for word in answer)
                    for texts in (before, after)
                    for words in [set(content_words(" ".join(texts[key] for key in sources)))]
                )
                for group in _groups(question):
                    shares[group].append(pair)  # type: ignore[arg-type]
    return shares


def _groups(question: CorpusQuestion) -> tuple[str, str]:
    return question.type, f"{question.type}/{'multi' if question.multi else 'single'}"


def mask(documents: Path, out: Path, options: Iterable[str]) -> dict[str, Any]:
    """Run `linkmask mask` and return its summary."""
    from linkmask.cli import main

    try:
        main(["mask", str(documents), "-o", str(out), "--quiet", *options])
    except SystemExit as end:
        if end.code not in (0, 2):
            raise
    return json.loads((out / "summary.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def texts_of(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Read the content of each document by file name; one that was set aside is empty."""
    texts = {}
    for name in names:
        path = folder / name
        record = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        texts[name] = str(record.get("content", ""))
    return texts


def measure(folder: Path, options: Sequence[str]) -> tuple[Score, dict[str, Any]]:
    """Mask one corpus and score what was written."""
    clusters = read_clusters(folder, strict=False)
    names = [document.origin.file for cluster in clusters for document in cluster.documents]
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        summary = mask(folder / "documents", out, options)
        after = texts_of(out / "documents", names)
    return score(clusters, texts_of(folder / "documents", names), after), summary


def row(name: str, result: Score, summary: Mapping[str, Any]) -> str:
    """Return one line of the table."""
    cells = [
        f"{before:.3f} {after:.3f} {after / before if before else 1:5.3f}"
        for kind in ("general", "specific")
        for before, after in [result.utility.get(kind, (0.0, 0.0))]
    ]
    readable, direct = result.direct
    given = summary["counts"]
    counts = " ".join(
        f"{given[key]:>8}"
        for key in ("masked_entities", "masked_mentions", "masked_characters", "set_aside")
    )
    return f"{name:28} {result.exposure:8.3f} {readable:4}/{direct:<4} {' | '.join(cells)} {counts}"


def main() -> None:
    """Print a line per corpus and pair of limits."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument(
        "--theta-doc", default="", help="limits in place of the preset's; by commas"
    )
    parser.add_argument("--theta-chain", default="")
    parser.add_argument("--preset", default="insurance")
    parser.add_argument("--relevance", default="learned", help="learned, rules, type; by commas")
    parser.add_argument("--cost", default="count", help="count, mentions or utility")
    given = parser.parse_args()
    folders = given.folders or [DATA / name for name in SETS if (DATA / name).is_dir()]
    if not folders:
        print("no cluster corpora here: give a folder with files/ and documents/")
    print(
        f"{'corpus, theta_doc/theta_chain':28} {'exposure':>8} {'direct':>9} "
        f"{'general: before after ratio':17} | {'specific':17} entities mentions characters aside"
    )
    usual = config.load(preset=given.preset, environment={})
    given.theta_doc = given.theta_doc or str(usual.theta_doc)
    given.theta_chain = given.theta_chain or str(usual.theta_chain)
    for relevance in given.relevance.split(","):
        sweep(folders, given, relevance)


def sweep(folders: Sequence[Path], given: argparse.Namespace, relevance: str) -> None:
    """Print the lines of one kind of relevance, and for each pair of limits the sets' mean."""
    results: dict[str, list[tuple[float, float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as scratch:
        config = Path(scratch) / "relevance.toml"
        config.write_text(
            f'preset = "{given.preset}"\n[detect]\nrelevance = "{relevance}"\n'
            f'[plan]\ncost = "{given.cost}"\n'
        )
        for folder in folders:
            for doc, link in product(given.theta_doc.split(","), given.theta_chain.split(",")):
                limits = ["--theta-doc", doc, "--theta-chain", link]
                result, summary = measure(folder, ["--config", str(config), *limits])
                print(row(f"{folder.name} {doc}/{link} {relevance}", result, summary), flush=True)
                for group, (before, after) in result.utility.items():
                    if "/" in group:
                        print(f"    {group:18} {before:.3f} → {after:.3f}")
                before, after = result.utility.get("general", (1.0, 1.0))
                results[f"{doc}/{link}"].append((result.exposure, after / before))
    for limit, pairs in results.items():
        exposure, kept = (fmean(column) for column in zip(*pairs, strict=True))
        print(f"{f'mean {limit} {relevance}':28} {exposure:8.3f} exposed, {kept:.3f} of general")


if __name__ == "__main__":
    main()
