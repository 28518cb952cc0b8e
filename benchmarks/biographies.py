"""Are masked biographies found among public articles? What is found over the words that are kept.

    python benchmarks/biographies.py [BIOGRAPHIES ARTICLES] [--attackers]

Two files of JSON lines with `id` and `text`; a biography's `spans` labelled MASK are what people
masked in it. Without them: the development part of `../shared/data/wiki_bios`. The attacker holds
every article, knows that each biography's person has one, and takes the most alike.

kept        share of the biography's words that can still be read, the mean over biographies
TF-IDF      share of biographies whose nearest article is their person's, by TF-IDF of words
linker      the same by the shipped linker
expected    what the linker expects to find, as `linkmask bench certify --background` says

With --attackers the table has two figures for each attacker: the share of biographies whose nearest
article is their person's, and the share that a certificate of a run with these articles as setting
`background` counts as found. In the last row, half of the biographies are compared with articles
about the persons of the other half.

"candidates" rows also mask, by setting `background`, the words by which a biography leads to an
article, until 1 or 5 others are as near; "by name" rows do so without limits and without
generalization by rule, so that names and numbers alone are masked beside them. The setting knows
the articles that the attacker holds.

"readable" rows mask, by setting `readable_share`, the words that the language uses least, with
names and numbers, until such a share is left. The setting knows no article.

"everyday words alone" also takes out what no list of everyday words of public language holds
(`detect/lexicon/everyday.toml`). `@` rows take out words of a biography at random, as many as the
row they are named after, wherever these stand in it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from linkmask import schema
from linkmask.detect.lexicon import clusters
from linkmask.detect.lexicon.everyday import is_everyday
from linkmask.graph.linkage import models, terms
from linkmask.graph.linkage.features import NAMES, compare
from linkmask.graph.linkage.terms import WORD
from linkmask.pipeline.linkage.certificate import BothTexts
from linkmask.pipeline.linkage.public_certificate import found_public, public_certificate
from linkmask.records import Document, Floats, Ints
from linkmask.testbench.corpus import BenchCorpus, corpus_of
from linkmask.testbench.datasets import HiddenPerson, PersonCluster
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.defences.builder import ScoredCorpus, linking_words

DATA = Path(__file__).parents[2] / "shared" / "data" / "wiki_bios"
FILES = DATA / "wiki_bios_dev.jsonl", DATA / "wiki_bios_dev_background.jsonl"
PLANS = {
    "default": {},
    "strict": {"preset": "strict"},
    "theta_doc 0.6": {"theta_doc": 0.6},
}
NO_LIMITS = {"theta_doc": 1.0, "theta_chain": 1.0, "high": 1.0, "medium": 1.0}
BY_NAME = {"generalize": {}, **NO_LIMITS}
CANDIDATES = (1, 5)
SHARES = (0.7, 0.64, 0.5)
CONTROLLED = (
    *("people's masks", "default", "everything"),
    *("by name, 0.64 readable", "by name, 5 candidates"),
)
MARKS = schema.placeholders(schema.load("insurance").types)


def corpus(rows: Sequence[dict[str, Any]]) -> BenchCorpus:
    """Return biographies as a corpus, one document a person."""
    nobody = HiddenPerson(())
    documents = [Document(row["id"], row["text"]) for row in rows]
    return corpus_of(
        "biographies",
        [PersonCluster(one.id, "HIGH", "", (one,), nobody, ()) for one in documents],
    )


def masked(
    rows: Sequence[dict[str, Any]], articles: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the biographies masked in each way."""
    texts = [row["text"] for row in rows]
    yield "nothing masked", texts
    yield "people's masks", [by_hand(row) for row in rows]
    builder = DefenceBuilder(corpus(rows))
    for name, given in PLANS.items():
        settings = builder.settings(**{"preset": "insurance", **given})
        scan = builder.scan("embedded", "insurance", *linking_words(settings))
        yield name, list(scan.mask(scan.choose(settings), settings).texts)
    scan = builder.scan("embedded")
    everything = range(scan.job.analysis.incidence.n_entities)
    left = list(scan.mask(scan.masking(everything)).texts)
    yield "everything", left
    yield "everyday words alone", [WORD.sub(everyday, MARKS.sub(" ", text)) for text in left]
    for share in SHARES:
        settings = builder.settings("insurance", **BY_NAME, rare_terms=0, readable_share=share)
        scan = ScoredCorpus(builder.corpus.documents, settings)
        yield f"by name, {share:g} readable", list(scan.mask(scan.choose(settings)).texts)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "articles.jsonl"
        lines = (
            json.dumps({"id": str(n), "content": text}) + "\n" for n, text in enumerate(articles)
        )
        path.write_text("".join(lines), encoding="utf-8")
        for kind, given in {"": {}, "by name, ": BY_NAME}.items():
            for candidates in CANDIDATES:
                known = {"background": str(path), "candidates": candidates}
                settings = builder.settings("insurance", **given, **known)
                scan = ScoredCorpus(builder.corpus.documents, settings)
                texts = list(scan.mask(scan.choose(settings)).texts)
                yield f"{kind}{candidates} candidate{'s' * (candidates > 1)}", texts


def by_hand(row: dict[str, Any]) -> str:
    """Return a text with what people masked taken out."""
    text = row["text"]
    for span in sorted(row["spans"], key=lambda span: -span["start"]):
        text = text[: span["start"]] + " " + text[span["end"] :]
    return text


def everyday(match: re.Match[str]) -> str:
    """Return a word that public language uses every day, else nothing."""
    return match.group() if is_everyday(match.group().casefold()) else ""


def words(text: str) -> list[str]:
    """Return the words that can be read."""
    return WORD.findall(MARKS.sub(" ", text))


def at_random(original: Sequence[str], left: Sequence[str], rng: random.Random) -> list[str]:
    """Return originals of which as many words are kept as are left, drawn at random."""
    drawn = []
    for before, after in zip(original, left, strict=True):
        whole = words(before)
        kept = rng.sample(range(len(whole)), min(len(whole), len(words(after))))
        drawn.append(" ".join(whole[at] for at in sorted(kept)))
    return drawn


def found(
    biographies: Sequence[str], articles: Sequence[str], own: Ints
) -> tuple[float, float, float]:
    """Return the share of biographies whose nearest article is theirs: by TF-IDF, by the linker.

    The third number is the share that the linker expects.

    Args:
        own: the number of each biography's article.
    """
    n = len(biographies)
    pairs = compare(terms.read([*biographies, *articles], clusters.names), own=n)
    left, right = pairs.left, pairs.right - n

    def rank1(score: Floats) -> float:
        whole = np.full((n, len(articles)), -np.inf)
        whole[left, right] = score
        best = whole.max(axis=1, keepdims=True)
        tied = whole == best
        return float((tied[np.arange(n), own] / tied.sum(axis=1)).mean())

    model, words_alike = models.shipped_model(), NAMES.index("word cosine")
    scored = model.score(pairs)
    expected = float(model.found(scored)[:n].mean())
    return rank1(pairs.features[:, words_alike]), rank1(scored.scores), expected


def by_attacker(files: Sequence[Path]) -> Iterator[str]:
    """Yield what each attacker finds, and what a certificate counts as found."""
    rows, public, own = read(files)
    originals = [row["text"] for row in rows]
    for name, texts in masked(rows, public):
        both = list(map(BothTexts, originals, texts))
        yield f"| {name} | {_cells(both, public, own)} |"
    some = [BothTexts(one, one) for one, at in zip(originals, own, strict=True) if at % 2]
    nobody = np.full(len(some), -1)
    yield f"| articles about others | {_cells(some, public[::2], nobody)} |"


def _cells(both: Sequence[BothTexts], public: Sequence[str], own: Ints) -> str:
    stated = public_certificate(both, public)["attackers"]
    counted = {one["attacker"]: one["found"] for one in stated}
    return " | ".join(
        f"{chance.mean():.2f}, {counted[attacker]:.2f}"
        for attacker, chance in found_public([one.released for one in both], public, own).items()
    )


def read(files: Sequence[Path]) -> tuple[list[dict[str, Any]], list[str], Ints]:
    """Return biographies that have an article, all articles, and the number of each one's."""
    biographies, articles = (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in files
    )
    number = {row["id"]: at for at, row in enumerate(articles)}
    rows = [row for row in biographies if row["id"] in number]
    own = np.array([number[row["id"]] for row in rows])
    return rows, [row["text"] for row in articles], own


def table(files: Sequence[Path]) -> Iterator[str]:
    """Yield the rows of two files: biographies and articles."""
    rows, public, own = read(files)
    originals = [row["text"] for row in rows]
    for name, texts in masked(rows, public):
        some = {name: texts}
        if name in CONTROLLED:
            some[f"random@{name}"] = at_random(originals, texts, random.Random(0))
        for title, left in some.items():
            pairs = zip(originals, left, strict=True)
            kept = np.mean(
                [len(words(after)) / max(1, len(words(before))) for before, after in pairs]
            )
            cells = " | ".join(f"{one:.2f}" for one in (kept, *found(left, public, own)))
            yield f"| {title} | {cells} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="*", type=Path, default=FILES)
    parser.add_argument("--attackers", action="store_true", help="what each attacker finds")
    given = parser.parse_args()
    if given.attackers:
        head = "| | TF-IDF | character n-grams | pairs of words | word classes | LSA | rare words "
        print(f"{head}| linker |\n{'|---' * 8}|")
    else:
        print("| | kept | TF-IDF | linker | expected |\n|---|---|---|---|---|")
    for row in (by_attacker if given.attackers else table)(given.files):
        print(row, flush=True)


if __name__ == "__main__":
    main()
