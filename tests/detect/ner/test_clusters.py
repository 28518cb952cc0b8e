"""The table of word clusters: known words have theirs, unknown ones none; the file is small."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.detect.lexicon import clusters
from linkmask.detect.ner import features


def near(word: str) -> set[str]:
    """What the word beside a word sees of its clusters."""
    return {name for name in features.attributes(word)[1] if name[:3] in ("c0=", "c1=", "c2=")}


def test_a_known_word_has_a_cluster_of_each_size() -> None:
    for word in ("asthma", "plumber", "tribunal", "maison"):
        assert [name[:3] for name in clusters.names(word)] == ["c0=", "c1=", "c2="]


def test_words_used_alike_share_a_cluster_and_others_do_not() -> None:
    def middle(word: str) -> str:
        return clusters.names(word)[1]

    assert middle("march") == middle("june")
    assert middle("london") == middle("manchester")
    assert middle("march") != middle("london") != middle("asthma")


@pytest.mark.parametrize("word", ["", "qzxwvk", "12", ",", "Asthma", "\ud800", "0" * 50])
def test_an_unknown_word_has_none(word: str) -> None:
    assert clusters.names(word) == ()


@given(st.text(min_size=1, max_size=12))
def test_any_word_can_be_asked_for_and_has_all_or_none(word: str) -> None:
    assert len(clusters.names(features.key(word))) in (0, 3)


def test_case_and_accents_do_not_matter() -> None:
    assert near("Kidney") == near("KIDNEY") == near("kidney") != set()
    assert near("Hôpital") == near("hopital") != set()


def test_a_cluster_is_seen_from_all_places() -> None:
    for names in features.attributes("kidney"):
        assert set(clusters.names("kidney")) <= set(names)


def test_every_word_has_a_cluster_and_every_cluster_a_coarser_one() -> None:
    table = clusters.shipped()
    assert len(table.keys) == len(table.clusters) and max(table.clusters) < len(table.names)
    assert all(a < b for a, b in zip(table.keys, table.keys[1:], strict=False))
    fine, coarser, coarsest = zip(*table.names, strict=True)
    assert len(set(fine)) > len(set(coarser)) > len(set(coarsest)) > 10


def test_the_file_is_small() -> None:
    assert clusters.FILE.stat().st_size < 500_000
