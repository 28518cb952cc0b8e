"""Which documents linkage joins, against the golden links of a cluster corpus.

    python benchmarks/links.py [FOLDER…] [--edge 0.5]

Each FOLDER holds `files/`, `documents/` and `golden.json` (formulas.md §13.2); without one, those
of `../shared/data/insurance` that are there. A golden group of three counts as its three pairs; a
link is found where the corpus, read without its clusters, joins two documents at default limits.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

import linkmask
from linkmask.config import Settings
from linkmask.testbench.datasets import read_clusters, read_links

DATA = Path(__file__).parents[2] / "shared" / "data" / "insurance"


def compare(folder: Path, settings: Settings) -> tuple[int, int, int]:
    """Return how many pairs are golden, found, and both."""
    clusters = read_clusters(folder, strict=False)
    golden = {
        pair for group in read_links(folder, clusters) for pair in combinations(sorted(group), 2)
    }
    documents = [document for cluster in clusters for document in cluster.documents]
    scan = linkmask.scan(documents, settings)
    names, links = scan.incidence.documents, scan.risk.links
    found = {
        tuple(sorted((names[a], names[b])))
        for a, b in zip(links.left.tolist(), links.right.tolist(), strict=True)
    }
    return len(golden), len(found), len(golden & found)


def main() -> None:
    """Print a line per corpus."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--edge", default="0.5", help="edge thresholds, by commas")
    given = parser.parse_args()
    folders = given.folders or sorted(path.parent for path in DATA.glob("*/golden.json"))
    print(f"{'corpus, edge threshold':28} golden  found   both  precision recall     F1")
    for folder in folders:
        for edge in given.edge.split(","):
            golden, found, both = compare(folder, Settings(edge_threshold=float(edge)))
            precision, recall = both / found if found else 0.0, both / golden if golden else 0.0
            f1 = 2 * both / (golden + found) if golden + found else 0.0
            print(
                f"{folder.name + ' ' + edge:28} {golden:6} {found:6} {both:6} "
                f"{precision:9.3f} {recall:6.3f} {f1:6.3f}"
            )


if __name__ == "__main__":
    main()
