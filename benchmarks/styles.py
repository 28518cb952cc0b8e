"""Does a style link more than `value` does? What is found of a person's documents, by style.

    python benchmarks/styles.py [FOLDER…] [--presets insurance,release]

Each FOLDER holds a corpus of clusters (docs/formulas.md §13.2). Without one: dev25 and old10 of
`../shared/data/insurance`, where they are there. The same values are masked in every style, so that
what differs is how they are written. Shares are of documents whose nearest is the same person's:

tokens      by TF-IDF of all words, with what masks leave: codes, surrogates and `[TYPE]`
words       by TF-IDF of words, without masks and codes
linker      by the shipped linker
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from frontier import DATA, SETS
from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import compare_texts, models
from linkmask.graph.linkage.features import NAMES, cosine_rows
from linkmask.graph.linkage.terms import term_counts
from linkmask.records import Floats, Ints
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.defences.builder import linking_words
from linkmask.testbench.ranking import Ranking

WHOLE = ("value", "redact", "pseudonym", "token", "surrogate")
STYLES: Mapping[str, Mapping[str, object]] = {style: {"style": style} for style in WHOLE} | {
    f"{style}, linkable": {"style": style, "linkable": True} for style in ("pseudonym", "surrogate")
}
"""Settings by what is measured."""
TOKEN = re.compile(r"\[\w+\]|\w+(?:[-.'’/@:]\w+)*")


def token_cosines(texts: Sequence[str], left: Ints, right: Ints) -> Floats:
    """Return for each pair of texts the cosine of their TF-IDF, each mask being a word."""
    column: dict[str, int] = {}
    terms, start = list[int](), [0]
    for text in texts:
        found = TOKEN.findall(text.casefold())
        terms += [column.setdefault(word, len(column)) for word in found]
        start.append(len(terms))
    counts = term_counts(np.array(terms, np.int32), np.array(start, np.int64), len(column))
    rows = cosine_rows(counts)
    return np.asarray((rows @ rows.T).toarray()[left, right])


def rows(corpus: BenchCorpus, presets: Sequence[str]) -> Iterator[str]:
    """Yield a row for each preset and style."""
    builder, model = DefenceBuilder(corpus), models.shipped_model()
    for preset in presets:
        for style, given in STYLES.items():
            settings = builder.settings(preset=preset, **given)
            scan = builder.scan("embedded", "insurance", *linking_words(settings))
            texts = scan.mask(scan.choose(settings), settings).texts
            pairs = compare_texts(texts, clusters.names)
            left, right = pairs.left, pairs.right
            scores = (
                token_cosines(texts, left, right),
                pairs.features[:, NAMES.index("word cosine")],
                model.score(pairs).scores,
            )
            found = (Ranking(left, right, by, corpus.cluster).rank1 for by in scores)
            cells = " | ".join(f"{one:.3f}" for one in found)
            yield f"| {corpus.name}, {preset}, {style} | {cells} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--presets", default="insurance")
    given = parser.parse_args()
    print("| | tokens | words | linker |\n|---|---|---|---|")
    for folder in given.folders or [DATA / name for name in SETS if (DATA / name).is_dir()]:
        print("\n".join(rows(read_corpus(folder), given.presets.split(","))), flush=True)


if __name__ == "__main__":
    main()
