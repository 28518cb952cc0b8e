"""The texts that a stronger attacker learns from (training/sentence_attacker.py).

Training itself needs torch and is not run here.
"""

from __future__ import annotations

import random

import pytest

from linkmask.graph.linkage.terms import placeholders
from linkmask.records import Document
from linkmask.testbench.corpus import corpus_of
from linkmask.testbench.datasets import HiddenPerson, PersonCluster
from training import sentence_attacker as attacker

VISITS = {
    "a": ("Jane Doe, 42, called on 3 May 2024.", "Jane Doe came back on 9 May 2024."),
    "b": ("Karl Meier wrote to us.", "Karl Meier lives in Bonn."),
}


@pytest.fixture
def masked() -> dict[str, attacker.Masked]:
    """Two persons with two texts each, masked in every way."""
    clusters = [
        PersonCluster(
            name,
            "HIGH",
            "",
            tuple(Document(f"{name}{at}", text) for at, text in enumerate(texts)),
            HiddenPerson(()),
            (),
        )
        for name, texts in VISITS.items()
    ]
    return {one.way: one for one in attacker.ways_of("visits", corpus_of("visits", clusters))}


def test_texts_stay_with_their_person(masked: dict[str, attacker.Masked]) -> None:
    """Unmasked, the groups are the persons' texts."""
    assert masked["std"].groups == [list(texts) for texts in VISITS.values()]


def test_what_is_masked_is_not_learned_from(masked: dict[str, attacker.Masked]) -> None:
    """With all masked, neither the names nor what stands in their place are left."""
    texts = " ".join(text for group in masked["mask-all"].groups for text in group)
    assert not placeholders().search(texts)
    assert not {"Doe", "Meier"} & set(texts.replace(",", " ").split())


def test_a_batch_is_of_one_corpus_and_holds_two_texts_of_each_group() -> None:
    """An anchor always has a text of its own group, and no text of another corpus."""
    corpora = [
        attacker.Masked(name, "std", [[f"{name}{group}{at}" for at in range(4)] for group in "xyz"])
        for name in "ab"
    ]
    for _, (texts, owner) in zip(
        range(20), attacker.batches(corpora, random.Random(3)), strict=False
    ):
        whole = [text for text in texts if text]
        assert len({text[0] for text in whole}) == 1
        assert all(owner.count(one) >= 2 for one in owner)


def test_a_share_of_words_is_left_out_in_their_order() -> None:
    """What is left of a text are words of it, in order, about nine in ten."""
    words = [str(at) for at in range(1000)]
    left = attacker.shortened(" ".join(words), random.Random(1)).split()
    assert left == sorted(left, key=int)
    assert 870 <= len(left) <= 930
