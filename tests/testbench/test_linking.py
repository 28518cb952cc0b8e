"""Record linkage: which masked documents still find each other."""

import pytest

from linkmask.records import Document
from linkmask.testbench import linking
from linkmask.testbench.corpus import BenchCorpus, corpus_of
from linkmask.testbench.datasets import HiddenPerson, PersonCluster

TOPICS = ("heron reed pond", "heron reed lake", "claim form stamp", "claim form letter",
          "rail track signal", "rail track bridge", "bread oven flour")  # fmt: skip


def corpus(*bodies: tuple[str, ...]) -> BenchCorpus:
    """Return a corpus of one cluster per tuple of texts; each hides a name of its own."""
    clusters = [
        PersonCluster(
            f"c{number}",
            "HIGH",
            "",
            tuple(Document(f"{number}-{i}", text, {}) for i, text in enumerate(texts)),
            HiddenPerson(((f"Name{number}", "NAME"),)),
            (),
        )
        for number, texts in enumerate(bodies)
    ]
    return corpus_of("made", clusters)


def test_documents_find_each_other_by_their_words() -> None:
    made = corpus(("heron reed", "heron pond"), ("claim form", "claim stamp"))
    found = linking.among(made.texts, made)
    assert [(row["hits"], row["of"]) for row in found["persons"]] == [(2, 2), (2, 2)]
    assert found["pooled"]["auc"] == 1


def test_what_masks_leave_links_nobody() -> None:
    """All share [NAME]; with it taken out, the second person's documents have no word in common."""
    made = corpus(("[NAME] heron", "[NAME] heron"), ("[NAME] claim", "[NAME] rail claim"))
    assert [row["hits"] for row in linking.among(made.texts, made)["persons"]] == [2, 2]
    bare = ["[NAME] [NAME]", "[NAME]", "[NAME] [NAME]", "[NAME]"]
    assert linking.among(bare, made)["pooled"]["auc"] == 0.5


def test_one_known_document_finds_the_masked_others_and_not_itself() -> None:
    """Two are found; for the two others no text is any nearer, and one guess in three is right."""
    made = corpus(("heron reed", "heron pond"), ("claim form", "claim stamp"))
    masked = ["[NAME] reed", "heron pond", "claim form", "[NAME] stamp"]
    found = linking.against(made.texts, masked, made)
    assert [row["hits"] for row in found["persons"]] == [pytest.approx(4 / 3)] * 2


def test_decoys_are_the_persons_nearest_in_topic() -> None:
    made = corpus(*((topic,) for topic in TOPICS))
    decoys = linking.decoys_of(made)
    assert [some[0] for some in decoys[:6]] == [1, 0, 3, 2, 5, 4]
    assert all(len(some) == linking.DECOYS for some in decoys)
    assert all(number not in some for number, some in enumerate(decoys))


def test_a_persons_own_values_are_no_topic() -> None:
    """Name0 stands often in the first one's document, and once in the third's."""
    made = corpus(("Name0 Name0 heron",), ("heron reed",), ("Name0 claim",))
    assert linking.decoys_of(made)[0][0] == 1


def test_fewer_to_be_told_from_can_only_help() -> None:
    made = corpus(*((topic, f"{topic.split()[0]} {topic.split()[2]}") for topic in TOPICS))
    for row in linking.among(made.texts, made)["persons"]:
        assert row["decoys"] >= row["hits"]
