"""Linkage: what two texts share, and how likely both are one person's."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from incidences import random_incidence, settings
from linkmask import graph
from linkmask.graph.linkage import (
    ScoredPairs,
    blocking,
    compare_texts,
    features,
    models,
    score_texts,
)
from linkmask.graph.linkage.features import NAMES, agreement_rows, nearest_texts, relative
from linkmask.graph.linkage.outcome import (
    another_probability,
    foreseen_by_attacker,
    foreseen_probability,
    found_pairs,
    pair_evidence,
    relative_evidence,
    same_person_probability,
    told_by,
)
from linkmask.graph.linkage.pairs import days_apart, sides_of, usual_of
from linkmask.graph.linkage.terms import KINDS, CorpusTerms, grams, read, term_counts
from linkmask.records import Floats, Ints
from linkmask.testbench.measures import auc

PLANTED = [
    f"The {word} file of the {other} clinic was reviewed on {day} March 2024 by the {word} team."
    for word, other in (
        ("heron", "reed"),
        ("quartz", "basalt"),
        ("saffron", "clove"),
        ("rudder", "keel"),
    )
    for day in (3, 4)
]
"""Two texts for each of four subjects, alike in all but what names the subject."""


def terms_of(found: CorpusTerms, kind: str, text: int = 0) -> dict[str, int]:
    """Return how often a text holds each term of a kind that is spelled."""
    row = found.counts(kind)[[text]]
    return {found.term(kind, c): int(n) for c, n in zip(row.indices, row.data, strict=True)}


def test_terms_are_read_by_kind() -> None:
    found = read(["", "Seen by Ines Moro on 3 March 2024, file KX-77. Seen again in March 2024."])
    assert [found.counts(kind).shape[0] for kind in KINDS] == [2] * len(KINDS)
    assert terms_of(found, "name", 1) == {"ines": 1, "moro": 1, "march": 2}
    assert terms_of(found, "date", 1) == {"2024-03-03": 1, "2024-03": 1}
    assert terms_of(found, "month", 1) == {"2024-03": 2}
    assert set(terms_of(found, "code", 1)) == {"3", "2024", "kx-77"}
    assert terms_of(found, "phrase", 1)["march 2024"] == 2
    assert terms_of(found, "phrase", 1)[" seen"] == 1
    assert not any(terms_of(found, kind) for kind in ("word", "phrase", "name", "code", "date"))
    assert found.days.start.tolist() == [0, 0, 1]
    assert found.days.day.tolist() == [738948]


def test_a_text_holds_the_ngrams_and_classes_of_its_words_as_often_as_the_words() -> None:
    found = read(["a cat, the cat 7cat"], lambda word: ("animal",) if word == "cat" else ())
    assert grams("cat") == [" cat", "cat "]
    assert sorted(found.counts("gram").data.tolist()) == [1, 1, 1, 2, 2]  # " a ", " the", "the "
    assert found.counts("sense").data.tolist() == [2]
    assert found.counts("field").data.tolist() == []


def test_a_placeholder_says_nothing_and_a_pseudonym_is_a_value() -> None:
    """Everybody is [NAME]; [NAME_0123abcd] is one person wherever it stands."""
    assert terms_of(read(["[NAME] came."]), "word") == {"came": 1}
    assert terms_of(read(["[NAME_0123abcd] came."]), "code") == {"[NAME_0123abcd]": 1}
    assert terms_of(read(["[NAME_0123abcd] came."]), "word") == {"came": 1}


def counts_of(texts: Sequence[str]) -> Any:
    """Return how often each text holds each of its words."""
    column: dict[str, int] = {}
    words = [column.setdefault(word, len(column)) for text in texts for word in text.split()]
    start = np.cumsum([0, *(len(text.split()) for text in texts)])
    return term_counts(np.array(words, dtype=np.int32), start, len(column))


def test_agreement_weighs_by_how_few_hold_a_term() -> None:
    """Of 8 texts 2 hold "x": log(8 / 2) / log(8) = 2/3. What all hold weighs nothing."""
    rows = agreement_rows(counts_of(["x y", "x y", *["y"] * 6]))
    assert (rows @ rows.T).toarray()[0, 1] == pytest.approx(2 / 3)
    assert (rows @ rows.T).toarray()[2, 3] == 0


def test_no_text_has_no_agreement_and_gives_no_warning() -> None:
    """An update whose texts all stay as they were asks so; a warning went to its user's screen."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert agreement_rows(term_counts(np.zeros(0, np.int32), np.array([0]), 3)).nnz == 0


def test_a_score_is_relative_to_what_is_usual_for_both() -> None:
    """Text 0's scores are .2 and .6, text 1's .2 and .4, text 2's .6 and .4."""
    left, right = np.array([0, 0, 1], dtype=np.int32), np.array([1, 2, 2], dtype=np.int32)
    score, sides = np.array([0.2, 0.6, 0.4]), sides_of(left, right, 3)
    assert usual_of(score, sides, 10) == pytest.approx([0.4, 0.3, 0.5])
    assert usual_of(score, sides, 1) == pytest.approx([0.6, 0.4, 0.6])
    assert relative(score, left, right, sides) == pytest.approx([0.2 - 0.35, 0.6 - 0.45, 0.4 - 0.4])


def test_of_many_texts_those_that_share_rare_terms_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every text holds "all"; texts 0 and 3, and 1 and 2, share a term of their own."""
    monkeypatch.setattr(blocking, "ALL_PAIRS", 2)
    monkeypatch.setattr(blocking, "COMMON", 3)
    left, right = blocking.candidates(counts_of(["all p", "all q", "all q", "all p"]))
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == [(0, 3), (1, 2)]


def test_no_pair_is_compared_where_nothing_rare_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocking, "ALL_PAIRS", 2)
    assert [len(side) for side in blocking.candidates(counts_of(["a", "b", ""]))] == [
        0,
        0,
    ]


def test_every_feature_has_a_weight_that_was_learned() -> None:
    model = models.shipped_model()
    assert all(model.weights)
    assert model.learned_from
    assert model.pair[0] > 0


def test_a_weight_whose_feature_is_gone_is_refused(tmp_path: Path) -> None:
    text = models.FILE.read_text("utf-8")
    gone = tmp_path / "weights.toml"
    gone.write_text(text.replace('"gram cosine" =', '"hash cosine" ='), "utf-8")
    with pytest.raises(LookupError, match="hash cosine"):
        models.read(gone)


def test_texts_about_one_subject_are_the_likeliest_pair() -> None:
    """On a planted corpus each text's likeliest is the other of its subject."""
    pairs = score_texts(PLANTED)
    sure = np.zeros((8, 8))
    sure[pairs.left, pairs.right] = sure[pairs.right, pairs.left] = (
        models.shipped_model().probabilities(pairs)
    )
    assert sure.argmax(axis=1).tolist() == [1, 0, 3, 2, 5, 4, 7, 6]


def scored(values: list[float]) -> ScoredPairs:
    """Return the pairs of three texts with scores."""
    left, right = np.triu_indices(3, k=1)
    return ScoredPairs(left.astype(np.int32), right.astype(np.int32), np.array(values), 3)


MODEL = models.LinkModel(
    np.eye(len(NAMES))[0],
    pair=(1.0, 2.0, 1.0),
    text=(0.5, 1.0, 2.0),
    known=(-1.0, 1.0, 2.0),
    both=(-2.0, 1.0, 1.0),
    apart=(-2.0, 1.0, 1.0),
)


def test_a_share_is_of_all_pairs_of_a_text() -> None:
    """Pairs (0, 1) log 3, (0, 2) and (1, 2) 0: 3 of 4 for texts 0 and 1, 1 of 4; 1 of 2 for 2."""
    pairs = scored([np.log(3), 0, 0])
    left, right = np.exp(models.shares(pairs))
    assert left == pytest.approx([3 / 4, 1 / 4, 1 / 4])
    assert right == pytest.approx([3 / 4, 1 / 2, 1 / 2])


def test_odds_are_of_score_and_share() -> None:
    """Pair (0, 1): log-odds 1 + 2 log 3 + log(3 / 4), the mean of both shares."""
    pairs = scored([np.log(3), 0, 0])
    odds = np.exp(1 + 2 * np.log(3) + np.log(3 / 4))
    assert MODEL.probabilities(pairs)[0] == pytest.approx(odds / (1 + odds))


def test_a_text_is_found_by_its_nearest_and_its_share() -> None:
    """Text 2's nearest score 0, each with a share of one half: log-odds ½ + 2 log ½."""
    pairs = scored([np.log(3), 0, 0])
    odds = np.exp(0.5 + 2 * np.log(1 / 2))
    assert MODEL.found(pairs)[2] == pytest.approx(odds / (1 + odds))


def test_a_text_that_is_compared_with_none_is_not_found() -> None:
    pairs = scored([3, 1, 0])._replace(texts=4)
    assert MODEL.found(pairs)[3] == 0
    assert (MODEL.found(pairs)[:3] > 0).all()


def test_where_nothing_tells_texts_apart_every_pair_is_as_likely() -> None:
    pairs = score_texts(["The claim was paid."] * 6)
    sure = models.shipped_model().probabilities(pairs)
    assert sure == pytest.approx(np.full(15, sure[0]))


def drawn(count: int) -> list[str]:
    """Return texts of words drawn at random, half of them with dates."""
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 90, (count, 12)).tolist()
    days = rng.integers(1, 28, count).tolist()
    return [
        " ".join(chr(97 + n % 26) * 3 + chr(97 + n // 26) for n in row)
        + (f" Seen on {day} March 2024." if day % 2 else "")
        for row, day in zip(rows, days, strict=True)
    ]


def test_a_score_is_the_weighted_sum_of_features() -> None:
    texts, model = drawn(40), models.shipped_model()
    assert score_texts(texts).scores == pytest.approx(model.score(compare_texts(texts)).scores)


def test_products_are_the_same_pair_by_pair_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many texts only the pairs that are compared are multiplied, in compiled loops."""
    texts = drawn(60)
    at_once = compare_texts(texts).features
    monkeypatch.setattr(features, "DENSE", 10)
    assert compare_texts(texts).features == pytest.approx(at_once, abs=1e-8)


def test_a_text_is_compared_with_those_that_share_the_largest_sums(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same as by multiplying all texts with all; of equal sums the lower numbers are taken."""
    terms = read(drawn(80)).counts("word")
    monkeypatch.setattr(blocking, "ALL_PAIRS", 2)
    monkeypatch.setattr(blocking, "MOST", 3)
    held = terms.toarray() > 0
    weight = np.log(80 / np.maximum(1, held.sum(axis=0)))
    sums = np.round((held * weight) @ held.T, 9)
    np.fill_diagonal(sums, 0)
    near = {
        (min(text, other), max(text, other))
        for text in range(80)
        for other in sorted(range(80), key=lambda other: (-sums[text, other], other))[:3]
    }
    left, right = blocking.candidates(terms)
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == sorted(near)


def test_days_between_the_nearest_dates_are_infinite_where_a_text_has_none() -> None:
    found = read(["On 3 March 2024, 9 March 2024.", "On 12 March 2024.", "Never."]).days
    left, right = np.array([0, 0]), np.array([1, 2])
    assert days_apart(*found, left, right).tolist() == [3, np.inf]


def test_the_originals_say_how_likely_a_nearest_is_the_same_persons() -> None:
    """Text 0's nearest is 1: a share of 3/4 in the originals, and 1/8 more by way of text 2.

    Its link with text 2 is stronger, and text 1's links are equally strong: both ranks are 2. Text
    2's person has another text with probability 1/2.
    """
    after, before = scored([0, -1, -2]), scored([np.log(3), 0, 0])
    another = np.array([1, 1, 0.5])
    sure = foreseen_probability(
        MODEL, after, before, lambda left, right: 0.5 * (right - left), another
    )
    odds = np.exp(-1 + np.log(3 / 4 + 1 / 8) - 2 * np.log(2))
    assert nearest_texts(after).tolist() == [1, 0, 0]
    assert sure[0] == pytest.approx(odds / (1 + odds))
    odds = np.exp(-1 + np.log(8**-0.5 * (1 + 3 / 4)))
    assert sure[2] == pytest.approx(0.5 * odds / (1 + odds))


def test_originals_that_are_not_compared_may_both_be_near_to_a_third() -> None:
    """Text 1 is compared with 0 and 2, which are not compared with each other."""
    pair = np.array([0, 1], np.int32), np.array([1, 2], np.int32)
    before = ScoredPairs(*pair, np.zeros(2), 3)
    left, right = np.array([0], np.int32), np.array([2], np.int32)

    def strength(one: Ints, other: Ints) -> Floats:
        return np.where(other - one == 1, 0.5, 0.0)

    share, strong = pair_evidence(before, strength, left, right)
    assert np.exp(share[0]) == pytest.approx(1 / 2)
    assert strong[0] == pytest.approx(1 - np.exp(-0.25))


def test_a_strong_link_tells_less_where_a_text_has_others_as_strong() -> None:
    """Text 0 is linked with all others, and with 3 least. None of these are linked."""
    left, right = (side.astype(np.int32) for side in np.triu_indices(4, 1))
    before, pair = ScoredPairs(left, right, np.zeros(6), 4), (left[:3], right[:3])

    def rank(*strengths: float) -> list[float]:
        by_number = np.array([0.0, *strengths])
        strength = lambda a, b: np.where(a == 0, by_number[b], 0.0)  # noqa: E731
        return np.exp(-2 * relative_evidence(before, strength, *pair)[1]).tolist()

    assert rank(0.9, 0.5, 0.1) == pytest.approx([1 * 1, 2 * 1, 3 * 1])
    assert rank(0.9, 0.9, 0.9) == pytest.approx([3, 3, 3])
    assert rank(0.9, 0.0, 0.0) == pytest.approx([1, 3 * 3, 3 * 3])


def test_a_link_of_originals_weighs_like_a_score() -> None:
    """A link of strength 1 between texts 0 and 1 is worth a score of log 3."""
    pair = np.array([0], np.int32), np.array([1], np.int32)

    def strength(left: Ints, right: Ints) -> Floats:
        return np.where((left == 0) & (right == 1), 1.0, 0.0)

    linked, _ = pair_evidence(scored([0, 0, 0]), strength, *pair, float(np.log(3)))
    alike, _ = pair_evidence(scored([np.log(3), 0, 0]), strength, *pair)
    assert linked == pytest.approx(alike)
    words = MODEL._replace(known=(-1.0, 1.0, 0.0))
    joint, after, sure = words._replace(link_weight=float(np.log(3))), scored([2, 1, 0]), np.ones(3)
    assert foreseen_probability(joint, after, scored([0, 0, 0]), strength, sure) == pytest.approx(
        foreseen_probability(words, after, scored([np.log(3), 0, 0]), strength, sure)
    )


def test_where_rare_words_are_chosen_a_link_makes_no_other_pair_less_likely() -> None:
    """Texts 0 and 1 share words. In one score, a link from 0 to 2 takes most of their share."""
    pairs, linker = scored([4, 0, 0]), models.shipped_model()

    def likely(model: models.LinkModel, strongest: float) -> float:
        strength = lambda left, right: strongest * ((left == 0) & (right == 2))  # noqa: E731
        return float(same_person_probability(model, pairs, strength)[0])

    for model, stays in ((linker, False), (linker.words_and_links_apart, True)):
        assert (likely(model, 0.9) >= likely(model, 0.0)) == stays


def test_few_pairs_have_the_same_third_texts_as_all_pairs_at_once() -> None:
    """Sums of few pairs are made one by one, and those of all from whole matrices."""
    rng = np.random.default_rng(0)
    left, right = (side.astype(np.int32) for side in np.triu_indices(30, 1))
    pairs = ScoredPairs(left, right, rng.normal(size=len(left)), 30)
    strength = np.zeros((30, 30))
    strength[left, right] = rng.random(len(left)) ** 4

    def linked(one: Ints, other: Ints) -> Floats:
        return np.asarray(strength[one, other])

    whole = pair_evidence(pairs, linked, left, right)
    for at in range(0, len(left), 20):
        part = slice(at, at + 20)
        few = pair_evidence(pairs, linked, left[part], right[part])
        assert few[0] == pytest.approx(whole[0][part])
        assert few[1] == pytest.approx(whole[1][part])


def test_a_nearest_that_the_originals_are_not_compared_with_is_not_the_same_persons() -> None:
    """Blocking brings masked texts together that share what few originals did not."""
    after = scored([0, -1, -2])
    before = ScoredPairs(np.array([0], np.int32), np.array([2], np.int32), np.array([1.0]), 3)
    known = lambda left, right: np.zeros(len(left)), np.ones(3)
    sure = foreseen_probability(MODEL, after, before, *known)
    assert sure[:2] == pytest.approx([0, 0])
    assert sure[2] > 0
    assert foreseen_probability(MODEL, before, after, *known)[1] == 0


SPREAD = models.shipped_model()._replace(another=(-2.0, 4.0), another_share=0.75)


def test_how_many_texts_have_another_is_estimated_from_the_links_of_the_corpus() -> None:
    """Strongest links are drawn as the model has them, for few, half and most of 2,000 texts."""
    rng = np.random.default_rng(0)
    strength = np.linspace(0, 1, 101)
    likelier = np.exp(-2 + 4 * strength)  # where the person has another text than where not
    alone = 1 / (1 + likelier)
    alone /= alone.sum()
    alone_weight = 1 / (likelier @ alone)  # so that both are distributions
    for share in (0.05, 0.5, 0.9):
        has = rng.random(2000) < share
        drawn = np.where(
            has,
            rng.choice(strength, 2000, p=likelier * alone * alone_weight),
            rng.choice(strength, 2000, p=alone),
        )
        model = SPREAD._replace(another=(-2.0 + float(np.log(alone_weight)), 4.0))
        sure = model.another_probability(drawn, np.ones(2000))
        assert sure.mean() == pytest.approx(share, abs=0.06)
        assert auc(sure[has].tolist(), sure[~has].tolist()) > 0.75  # type: ignore[operator]


def test_a_text_without_values_is_as_likely_to_have_another_as_the_corpus_has_it() -> None:
    """Its lack of links tells nothing: all texts are as in the fit, or half as likely as others."""
    none, full = np.zeros(50), np.ones(50)
    assert SPREAD.another_probability(none, none) == pytest.approx(0.75, abs=0.01)
    mixed = SPREAD.another_probability(np.append(none, none), np.append(none, full))
    assert mixed[:50].max() < 0.75 and mixed[50:].max() < mixed[:50].min()
    assert SPREAD.another_probability(none, full).mean() < 0.1
    assert SPREAD.another_probability(np.full(50, 0.9), full).mean() > 0.95


def test_no_pair_is_likelier_than_that_the_persons_of_both_have_another_text() -> None:
    """The second text has another with probability 1/4: its pairs are a fourth as likely."""
    pairs, another = scored([np.log(3), 0, 0]), np.array([1, 0.25, 0.5])

    def strength(left: Ints, right: Ints) -> Floats:
        return 0.5 * (right - left)

    whole = same_person_probability(MODEL, pairs, strength)
    less = same_person_probability(MODEL, pairs, strength, another)
    assert less == pytest.approx(whole * [0.25, 0.5, 0.25])


def test_the_strongest_link_of_a_text_is_that_of_its_compared_pairs() -> None:
    """Of three texts, the first two share values, and the last is linked to none."""
    pairs = scored([0, 0, 0])

    def strength(left: Ints, right: Ints) -> Floats:
        return np.where(left + right == 1, 0.9, 0.0)

    sure = another_probability(SPREAD, pairs, strength, np.ones(3))
    assert sure[0] == sure[1] > sure[2]


def test_values_of_a_document_tell_as_much_as_its_risk_and_of_an_unknown_one_nothing() -> None:
    held = random_incidence(3)
    risks = graph.assess(held, settings()).documents
    told = told_by(held, [*reversed(held.documents), "gone"])
    assert told == pytest.approx([*risks[::-1], 0])


def test_the_nearest_of_a_text_has_the_highest_score_and_of_equals_the_lowest_number() -> None:
    """Against a search through all pairs, with many ties and texts that are not compared."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        n = int(rng.integers(2, 9))
        left, right = np.triu_indices(n, k=1)
        kept = rng.random(len(left)) < 0.5
        scores = rng.integers(0, 3, size=kept.sum()).astype(float)
        pairs = ScoredPairs(left[kept].astype(np.int32), right[kept].astype(np.int32), scores, n)
        rows = list(zip(left[kept].tolist(), right[kept].tolist(), scores.tolist(), strict=True))
        around = [
            [(-score, a + b - text) for a, b, score in rows if text in (a, b)] for text in range(n)
        ]
        assert nearest_texts(pairs).tolist() == [min(some)[1] if some else -1 for some in around]


def test_an_attacker_by_one_feature_takes_no_text_for_near_that_shares_nothing() -> None:
    """Each planted text has one other of its subject; a text of other words has none."""
    terms = read([*PLANTED, "Zwölf Boxkämpfer jagen."])
    found = dict(features.attacks(terms, models.shipped_model().weights))
    assert found.keys() == features.ATTACKERS.keys() - {"sentence model"} | {"linker"}
    by_words = nearest_texts(found["TF-IDF"]).tolist()
    assert by_words == [number ^ 1 for number in range(len(PLANTED))] + [-1]
    assert nearest_texts(found["linker"])[-1] >= 0


def test_what_is_foreseen_of_an_attacker_does_not_depend_on_the_others() -> None:
    rng = np.random.default_rng(0)
    left, right = (side.astype(np.int32) for side in np.triu_indices(8, 1))
    before, one, other = (ScoredPairs(left, right, rng.normal(size=len(left)), 8) for _ in range(3))
    strength, another = lambda a, b: 0.1 * (b - a), rng.random(8)
    nearest = {"one": nearest_texts(one), "other": nearest_texts(other)}
    both = foreseen_by_attacker(MODEL, nearest, before, strength, another)
    for name, masked in (("one", one), ("other", other)):
        alone = foreseen_probability(MODEL, masked, before, strength, another)
        assert both[name] == pytest.approx(alone)


def test_a_pair_that_two_texts_find_counts_once_by_the_larger_probability() -> None:
    """Texts 0 and 1 are each other's nearest, 2's is 1, and 3 is compared with none."""
    nearest = np.array([1, 0, 1, -1], np.int32)
    found = found_pairs(nearest, np.array([0.2, 0.6, 0.5, 0.0]))
    rows = zip(found.left.tolist(), found.right.tolist(), found.scores.tolist(), strict=True)
    assert list(rows) == [(0, 1, 0.6), (1, 2, 0.5)]


def test_probabilities_are_adapted_to_a_corpus_in_which_fewer_are_found() -> None:
    """Evidence is drawn for 4 texts found of 20 where the fit had half: the mean nears a fifth."""
    rng = np.random.default_rng(0)
    found = rng.random(2000) < 0.2
    probability = 1 / (1 + np.exp(-2 * rng.normal(np.where(found, 1, -1))))
    assert probability.mean() > 0.3
    assert models.adapted(probability, 0.5, 3.0).mean() == pytest.approx(0.2, abs=0.03)


def test_no_probability_is_adapted_by_more_than_the_limit() -> None:
    """A text that is surely found stays so, however many others are not."""
    probability = np.append(np.full(999, 0.01), 0.9)
    adapted = models.adapted(probability, 0.5, 1.0)
    odds = adapted / (1 - adapted)
    assert odds[-1] == pytest.approx(9 * np.exp(-1))
    assert models.adapted(probability, 0.5, 0.0) == pytest.approx(probability)
    assert models.adapted(np.zeros(3), 0.5, 1.0).tolist() == [0, 0, 0]


def test_topics_are_found_where_arpack_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 12,000 texts, many of them alike, ARPACK gave up; its error is raised by hand here."""
    import scipy.sparse.linalg as library

    def gives_up(*matrix: object, **options: object) -> None:
        raise library.ArpackError(3)

    draw = np.random.default_rng(0)
    alike = draw.random((12, 500)) * (draw.random((12, 500)) < 0.1)
    matrix = scipy.sparse.csr_array(alike[draw.integers(0, 12, 400)])
    monkeypatch.setattr(library, "svds", gives_up)
    topics = features.largest_topics(matrix, 8)
    _, sizes, right = np.linalg.svd(matrix.toarray(), full_matrices=False)
    assert np.allclose(np.linalg.norm(matrix @ topics, axis=0)[::-1], sizes[:8])
    assert np.allclose(np.abs(topics.T[::-1] @ right[:8].T), np.eye(8), atol=1e-6)
    assert features.largest_topics(matrix, 48).shape == (500, 12)
