"""Linkage: what two texts share, and how likely both are one person's."""

import numpy as np
import pytest

from linkmask.graph.linkage import Pairs, blocking, compare_texts, models
from linkmask.graph.linkage.features import (
    NAMES,
    agreement_rows,
    relative,
    term_counts,
    usual_of,
)
from linkmask.graph.linkage.terms import KINDS, grams, read

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


def test_terms_are_read_by_kind() -> None:
    found = read("Seen by Ines Moro on 3 March 2024, file KX-77. Seen again in March 2024.")
    assert set(found.counts) == set(KINDS)
    assert dict(found.counts["name"]) == {"ines": 1, "moro": 1, "march": 2}
    assert dict(found.counts["date"]) == {"2024-03-03": 1, "2024-03": 1}
    assert found.counts["month"]["2024-03"] == 2
    assert set(found.counts["code"]) == {"3", "2024", "kx-77"}
    assert found.days == (738948,)
    assert grams("cat") == [" cat", "cat "]


def test_a_placeholder_says_nothing_and_a_pseudonym_is_a_value() -> None:
    """Everybody is [NAME]; [NAME_0123abcd] is one person wherever it stands."""
    assert read("[NAME] came.").counts == read(" came.").counts
    assert dict(read("[NAME_0123abcd] came.").counts["code"]) == {"[NAME_0123abcd]": 1}


def test_agreement_weighs_by_how_few_hold_a_term() -> None:
    """Of 8 texts 2 hold "x": log(8 / 2) / log(8) = 2/3. What all hold weighs nothing."""
    texts = [{"x": 1, "y": 1}, {"x": 1, "y": 1}, *({"y": 1},) * 6]
    rows = agreement_rows(term_counts(texts))
    assert (rows @ rows.T).toarray()[0, 1] == pytest.approx(2 / 3)
    assert (rows @ rows.T).toarray()[2, 3] == 0


def test_a_score_is_relative_to_what_is_usual_for_both() -> None:
    """Text 0's scores are .2 and .6, text 1's .2 and .4, text 2's .6 and .4."""
    left, right = np.array([0, 0, 1], dtype=np.int32), np.array([1, 2, 2], dtype=np.int32)
    score = np.array([0.2, 0.6, 0.4])
    assert usual_of(score, left, right, 3) == pytest.approx([0.4, 0.3, 0.5])
    assert relative(score, left, right, 3) == pytest.approx([0.2 - 0.35, 0.6 - 0.45, 0.4 - 0.4])


def test_of_many_texts_those_that_share_rare_terms_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every text holds "all"; texts 0 and 3, and 1 and 2, share a term of their own."""
    monkeypatch.setattr(blocking, "ALL_PAIRS", 2)
    monkeypatch.setattr(blocking, "COMMON", 3)
    shared = [{"all": 1, "p": 1}, {"all": 1, "q": 1}, {"all": 1, "q": 1}, {"all": 1, "p": 1}]
    left, right = blocking.candidates(term_counts(shared))
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == [(0, 3), (1, 2)]


def test_no_pair_is_compared_where_nothing_rare_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocking, "ALL_PAIRS", 2)
    assert [len(side) for side in blocking.candidates(term_counts([{"a": 1}, {"b": 1}, {}]))] == [
        0,
        0,
    ]


def test_every_feature_has_a_weight_that_was_learned() -> None:
    model = models.shipped()
    assert len(model.weights) == len(NAMES)
    assert model.learned_from
    assert model.pair[0] > 0


def test_texts_about_one_subject_are_the_likeliest_pair() -> None:
    """On a planted corpus each text's likeliest is the other of its subject."""
    pairs = compare_texts(PLANTED)
    sure = np.zeros((8, 8))
    sure[pairs.left, pairs.right] = sure[pairs.right, pairs.left] = models.shipped().probabilities(
        pairs
    )
    assert sure.argmax(axis=1).tolist() == [1, 0, 3, 2, 5, 4, 7, 6]


def one_feature(values: list[float]) -> Pairs:
    """Return the pairs of three texts with one feature that is not 0."""
    features = np.zeros((3, len(NAMES)))
    features[:, 0] = values
    left, right = np.triu_indices(3, k=1)
    return Pairs(left.astype(np.int32), right.astype(np.int32), features, 3)


MODEL = models.LinkModel(np.eye(len(NAMES))[0], (1.0, 2.0, 1.0), (0.5, 1.0, 2.0))
"""Weighs the first feature alone."""


def test_a_share_is_of_all_pairs_of_a_text() -> None:
    """Pairs (0, 1) log 3, (0, 2) and (1, 2) 0: 3 of 4 for texts 0 and 1, 1 of 4; 1 of 2 for 2."""
    pairs = one_feature([np.log(3), 0, 0])
    left, right = np.exp(models.shares(pairs, MODEL.scores(pairs)))
    assert left == pytest.approx([3 / 4, 1 / 4, 1 / 4])
    assert right == pytest.approx([3 / 4, 1 / 2, 1 / 2])


def test_odds_are_of_score_and_share() -> None:
    """Pair (0, 1): log-odds 1 + 2 log 3 + log(3 / 4), the mean of both shares."""
    pairs = one_feature([np.log(3), 0, 0])
    odds = np.exp(1 + 2 * np.log(3) + np.log(3 / 4))
    assert MODEL.probabilities(pairs)[0] == pytest.approx(odds / (1 + odds))


def test_a_text_is_found_by_its_nearest_and_its_share() -> None:
    """Text 2's nearest score 0, each with a share of one half: log-odds ½ + 2 log ½."""
    pairs = one_feature([np.log(3), 0, 0])
    odds = np.exp(0.5 + 2 * np.log(1 / 2))
    assert MODEL.found(pairs)[2] == pytest.approx(odds / (1 + odds))


def test_a_text_that_is_compared_with_none_is_not_found() -> None:
    pairs = one_feature([3, 1, 0])._replace(texts=4)
    assert MODEL.found(pairs)[3] == 0
    assert (MODEL.found(pairs)[:3] > 0).all()


def test_where_nothing_tells_texts_apart_every_pair_is_as_likely() -> None:
    pairs = compare_texts(["The claim was paid."] * 6)
    sure = models.shipped().probabilities(pairs)
    assert sure == pytest.approx(np.full(15, sure[0]))
