"""What a plan keeps of the answers, and what a linker still finds: a line per plan and corpus.

    python benchmarks/frontier.py [FOLDER…] [--no-oracle | --ages] [--weights FILE] [--plans NAME;…]
        [--questions general|specific|all]

Each FOLDER holds a corpus of clusters (docs/formulas.md §13.2). Without one: dev25 and old10 of
`../shared/data/insurance`, where they are there.

rank-1      share of documents whose nearest is the same person's, by TF-IDF, by the linker, by a
            sentence model (all-MiniLM-L6-v2), and by the linker with that model; empty without it
pairs       AUC of the linker's probability for "both are one person's"
utility     share of the answers' content words left in the questions' source documents, relative
            to nothing masked: general and specific questions (benchmarks/exposure.py)
readable    share of the persons' values that can still be read somewhere (benchmarks/exposure.py)
intervals   95 % over persons, of the linker's rank-1 and of general questions
entities    how many are masked
oracle      AUC for "this value is in the corpus", for whoever adds a line and reads its mask;
            with --ages, for whoever adds few lines at a time, each with an age (`oracle-person`)

Rows behind "no rare words" mask more than it does: `@` rows choose further entities by another
rank, as many as the number says, or as preset release masks, and write them as their type. "words@"
is the control of rare words: as many masks of a word, at random among those that few documents
share; with "sentence model", as many further masks as the model adds, among all words that are not
of everyday. "By values" rows do not ask the linker which documents must share no rare word. "Rules
where relevant" masks by rule only where the value's relevance is 0.5 or more.
With --questions, plans spare what answers these questions of the corpus.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

import exposure
from controls import (
    MASK,
    at_random,
    deeper,
    orders,
    suppressed,
    where_relevant,
    without,
)
from linkmask.config import Settings
from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import compare_texts, models
from linkmask.graph.linkage.features import NAMES
from linkmask.graph.linkage.sentences import SentenceModel
from linkmask.records import Floats, Plan
from linkmask.schema import RARE_TERM
from linkmask.testbench.attacks.oracle import PARTS, ROUNDS, rounds_of
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.datasets import read_clusters
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.defences.builder import ScoredCorpus, linking_words
from linkmask.testbench.measures import Interval, auc, interval
from linkmask.testbench.ranking import Ranking
from plans import PLANS, STEPS
from risk import installed

DATA = Path(__file__).parents[2] / "shared" / "data" / "insurance"
SETS = ("dev25", "old10")
WITHOUT: Mapping[str, Callable[[str, int], bool]] = {
    "words that 2 or 3 documents hold": lambda word, held: held in (2, 3),
    "words that one document holds": lambda word, held: held == 1,
    "words with digits": lambda word, held: any(map(str.isdigit, word)),
    "capitalised words": lambda word, held: word[:1].isupper(),
}
"""Words by how they are written and how many documents hold them."""
SEEDS = 2
"""Controls of rare terms that are drawn."""
MORE = (20, 40, 80)
"""Entities that the `@` rows mask beyond the default plan."""


class Row(NamedTuple):
    """The figures of one plan."""

    by_words: float
    by_linker: float
    by_sentences: float | None
    by_both: float | None
    pairs: float
    general: float
    specific: float
    entities: int
    oracle: float | None
    readable: float
    linker_interval: Interval | None
    general_interval: Interval | None


class Measured:
    """A corpus and the means to measure plans of it."""

    def __init__(
        self, folder: Path, oracle: bool, weights: Path = models.FILE, ages: bool = False
    ) -> None:
        self.model, model = models.read(weights), installed()
        self.embed = SentenceModel(model).embed if model else None
        self.corpus: BenchCorpus = read_corpus(folder)
        self.builder = DefenceBuilder(self.corpus)
        self._scans: dict[str, ScoredCorpus] = {}
        self.scan = self.builder.scan("embedded")
        self._clusters = read_clusters(folder, strict=False)
        self._files = [d.origin.file for one in self._clusters for d in one.documents]
        asked = (ROUNDS, True) if ages else (PARTS, False)
        self._rounds = rounds_of(self.builder, *asked) if oracle else []
        self.questions = ""

    def spare(self, kind: str, file: Path) -> None:
        """Let plans spare what answers the corpus's questions of a kind, written to a file."""
        rows = [
            {"answer": one.a, "documents": list(one.sources)}
            for cluster in self._clusters
            for one in cluster.questions
            if kind in (one.type, "all")
        ]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        self.questions = str(file)

    def row(self, texts: Sequence[str], entities: int, oracle: float | None = None) -> Row:
        """Measure masked texts, in the order of the corpus."""
        pairs = compare_texts(texts, clusters.names, self.embed)
        columns, many = pairs.features, len(NAMES)
        plain = pairs._replace(features=columns[:, :many])
        scores = [columns[:, NAMES.index("word cosine")], self.model.score(plain).scores]
        if self.embed:
            both = models.shipped_model(sentences=True).score(pairs).scores
            scores += [columns[:, many], both]
        by = [Ranking(pairs.left, pairs.right, one, self.corpus.cluster) for one in scores]
        before, after = (
            dict(zip(self._files, some, strict=True)) for some in (self.corpus.texts, texts)
        )
        left = exposure.score(self._clusters, before, after)
        general, specific = (
            kept / whole for whole, kept in (left.utility[kind] for kind in ("general", "specific"))
        )
        ranks = [*(one.rank1 for one in by), None, None][:4]
        figures = by[1].auc() or 0.0, general, specific, entities, oracle, left.exposure
        return Row(*ranks, *figures, *self.intervals(by[1].hits(), before, after))

    def intervals(
        self, hits: Floats, before: Mapping[str, str], after: Mapping[str, str]
    ) -> Iterator[Interval | None]:
        """Yield the intervals over persons of the mean of `hits` and of general answers kept."""
        kept = [exposure.answers([one], before, after).get("general", ()) for one in self._clusters]
        own = [hits[list(one.documents)] for one in self.corpus.persons]
        for parts in (
            [(np.sum(~np.isnan(one)), np.nansum(one)) for one in own],
            [(sum(a for a, _ in one), sum(b for _, b in one)) for one in kept],
        ):
            whole, part = np.array(parts, dtype=float).T
            yield interval(
                lambda some, whole=whole, part=part: part[some].sum() / whole[some].sum(),
                len(parts),
            )

    def scan_for(self, builder: DefenceBuilder, settings: Settings) -> ScoredCorpus:
        """Return the corpus as it is scanned for a plan: rare words are of what its rules leave."""
        rules = sorted(settings.generalize.items()), settings.floor
        found_in = settings.corpus_pass, settings.scope, settings.readable_share
        found_in += settings.linking_limit, settings.questions
        key = f"{id(builder)} {rules} {linking_words(settings)} {found_in}"
        if key not in self._scans:
            found = builder.scan("embedded").job.run.mentions
            given = (lambda: list(found())) if settings.corpus_pass else None
            self._scans[key] = ScoredCorpus(builder.corpus.documents, settings, given)
        return self._scans[key]

    def oracle(self, settings: Settings) -> float | None:
        """Return how surely an added line's mask tells whether its value is in the corpus."""
        if not self._rounds:
            return None
        both = list[tuple[bool, float]]()
        for one in self._rounds:
            scan = self.scan_for(one.builder, settings)
            answers = one.answers(scan.mask(scan.choose(settings), settings).texts)
            both += zip((probe.member for probe in one.probes), answers, strict=True)
        return auc(*([said for member, said in both if member is of] for of in (True, False)))

    def plans(self, names: Sequence[str]) -> Iterator[tuple[str, Row]]:
        """Yield the rows of plans."""
        for name in names:
            given = {**PLANS, **STEPS}[name]
            if given.get("sentence_model") == "":
                continue
            asked = {"questions": self.questions} if self.questions else {}
            settings = self.builder.settings(**{"preset": "insurance", **given, **asked})
            scan = self.scan_for(self.builder, settings)
            plan = scan.choose(settings)
            texts = scan.mask(plan, settings).texts
            yield name, self.row(texts, len(plan.masked), self.oracle(settings))
            if name == "default":
                yield f"{name}, whole sentences", self.row(suppressed(texts), len(plan.masked))
            if name in ("default", "release"):
                some = where_relevant(scan, plan, settings)
                yield f"{name}, rules where relevant", self.row(some, len(plan.masked))
            if name == "release":
                yield from self.controls(len(plan.masked), scan)
            if name == "release, sentence model":
                yield from self.further_words(name, texts, plan)

    def controls(self, entities: int, rare: ScoredCorpus) -> Iterator[tuple[str, Row]]:
        """Yield the default with as many entities, and with as many words, as preset release."""
        settings = self.builder.settings("insurance")
        plan = self.scan.choose(settings)
        for name, texts, count in self.more(plan, [entities - len(plan.masked)], settings):
            yield f"{name}@release", self.row(texts, count)
        yield from self.words(plan, rare, "release")

    def more(
        self, plan: Plan, counts: Sequence[int], settings: Settings
    ) -> Iterator[tuple[str, Sequence[str], int]]:
        """Yield a control's name, its texts and entities: those of a plan and so many further."""
        rest = np.setdiff1d(np.arange(self.scan.job.analysis.incidence.n_entities), plan.masked)
        for count in counts:
            for name, order in orders(self.scan, rest.tolist()).items():
                further = deeper(self.scan, plan, order[: max(0, count)], settings)
                yield name, self.scan.mask(further, settings).texts, len(further.masked)

    def words(self, plan: Plan, rare: ScoredCorpus, name: str) -> Iterator[tuple[str, Row]]:
        """Yield a plan with as many words masked at random as a corpus has rare terms."""
        left = self.scan.mask(plan, self.builder.settings("insurance")).texts
        count = sum(one.type == RARE_TERM for one in rare.job.run.mentions())
        for seed in range(SEEDS):
            texts = at_random(left, count, random.Random(seed))
            yield f"words@{name}, seed {seed}", self.row(texts, len(plan.masked))

    def further_words(
        self, name: str, masked: Sequence[str], plan: Plan
    ) -> Iterator[tuple[str, Row]]:
        """Yield preset release with as many further words masked at random as texts have."""
        settings = self.builder.settings("release")
        scan, anywhere = self.scan_for(self.builder, settings), range(1, len(masked) + 1)
        left = scan.mask(scan.choose(settings), settings).texts
        count = sum(text.count(MASK) for text in masked) - sum(text.count(MASK) for text in left)
        for seed in range(SEEDS):
            texts = at_random(left, max(0, count), random.Random(seed), anywhere)
            yield f"words@{name}, seed {seed}", self.row(texts, len(plan.masked))

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Yield the rows of all plans, of what masks more than the default, and of all and none."""
        yield "nothing masked", self.row(self.corpus.texts, 0)
        yield from self.plans(list(PLANS))
        settings = self.builder.settings("insurance")
        plan = self.scan.choose(settings)
        for name, texts, count in self.more(plan, MORE, settings):
            yield f"{name}@no rare words + {count - len(plan.masked)}", self.row(texts, count)
        left = self.scan.mask(plan, settings).texts
        for name, drop in WITHOUT.items():
            yield f"no rare words, without {name}", self.row(without(left, drop), len(plan.masked))
        yield from self.words(
            plan, self.builder.scan("embedded", "insurance", settings.rare_terms), "default"
        )
        everything = self.scan.masking(range(self.scan.job.analysis.incidence.n_entities))
        texts = self.scan.mask(everything).texts
        yield "everything", self.row(texts, len(everything.masked))


def cells(row: Row) -> str:
    """Return the cells of a table's row."""
    *shares, entities, oracle, readable, by_linker, general = row
    shown = ["–" if one is None else f"{one:.3f}" for one in (*shares, oracle, readable)]
    ranges = ["–" if one is None else f"{one[0]:.2f}–{one[1]:.2f}" for one in (by_linker, general)]
    return " | ".join([*shown[:-2], str(entities), *shown[-2:], *ranges])


HEAD = (
    "| | rank-1, TF-IDF | rank-1, linker | rank-1, sentences | rank-1, both | pairs | general "
    "| specific | entities | oracle | readable | interval of linker | interval of general |\n"
    + "|---" * 13
    + "|"
)


def main() -> None:
    """Print a table per corpus."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--no-oracle", action="store_true", help="leave the oracle out: it is slow")
    parser.add_argument("--ages", action="store_true", help="the oracle's lines also say an age")
    parser.add_argument("--weights", type=Path, default=models.FILE, help="a linker's weights")
    parser.add_argument("--plans", default="", help="rows of these plans alone, by semicolons")
    parser.add_argument("--questions", choices=("general", "specific", "all"))
    given = parser.parse_args()
    scratch = tempfile.TemporaryDirectory()
    for folder in given.folders or [DATA / name for name in SETS if (DATA / name).is_dir()]:
        print(f"{folder.name}\n\n{HEAD}", flush=True)
        measured = Measured(folder, not given.no_oracle, given.weights, given.ages)
        if given.questions:
            measured.spare(given.questions, Path(scratch.name) / f"{folder.name}.jsonl")
        rows = measured.plans(given.plans.split(";")) if given.plans else measured.rows()
        for name, row in rows:
            print(f"| {name} | {cells(row)} |", flush=True)
        print()


if __name__ == "__main__":
    main()
