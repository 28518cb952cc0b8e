"""The memory that it takes to choose which words of a corpus are rare.

    python benchmarks/rare_words.py [documents] [words]        default: 1000000 60

The words are generated hashes, no texts: each document draws so many from two million that fall off
as those of a language do, and holds each once. Prints the words that a document holds, the memory
beyond that of Python and of the generator, and the seconds of the processor, of which most go into
generating.
"""

from __future__ import annotations

import resource
import sys
from time import process_time

import numpy as np

from linkmask.pipeline.linkage.shared_words import HashedWords, parted_by_rarity

VOCABULARY = 2_000_000
TOGETHER = 10_000
"""Documents that are generated at once."""
MOST = 5
"""Documents that hold a rare word, at most: the default of `rare_terms`."""


def peak() -> float:
    """Return the most memory that this process has held, in gigabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main(documents: int, words: int) -> None:
    """Measure one corpus."""
    draw = np.random.default_rng(1)
    hashes = draw.integers(0, 1 << 64, VOCABULARY, dtype=np.uint64, endpoint=False)
    known, held, before = HashedWords(), 0, 0.0
    for begin in range(0, documents, TOGETHER):
        size = min(TOGETHER, documents - begin), words
        ranks = (draw.pareto(0.6, size) * 50).astype(np.int64)
        ranks = np.where(ranks < VOCABULARY, ranks, draw.integers(0, VOCABULARY, size))
        before = before or peak()
        for row in hashes[ranks]:
            one = np.unique(row)
            held += len(one)
            known.add(one)
    rare, common = parted_by_rarity(known, MOST)
    print(
        f"{documents:,} documents of {held / documents:.0f} words: {peak() - before:.2f} GB, "
        f"{process_time():.0f} s; {len(common):,} words are common, "
        f"{len(np.unique(rare.word)):,} rare"
    )


if __name__ == "__main__":
    main(*map(int, [*sys.argv[1:], *("1000000", "60")[len(sys.argv) - 1 :]]))
