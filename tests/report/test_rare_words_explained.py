"""A readable value of which rare words are masked is not called readable where it is not."""

from dataclasses import replace

import pytest

from linkmask.records import Mention, Why, entity_id
from linkmask.report.explain import explain
from linkmask.report.explain.rare_words import under_rare_words
from linkmask.schema import RARE_TERM

TOWN = "Harbour Town"


def town(document: str, start: int = 10) -> Mention:
    place = start, start + len(TOWN)
    return Mention(document, "content", *place, "LOCATION", TOWN, TOWN.lower(), 1.0, Why("given"))


def rare(document: str, start: int, end: int, field: str = "content") -> Mention:
    return Mention(
        document, field, start, end, RARE_TERM, "harbour", "harbour", 0.0, Why("linkage")
    )


@pytest.mark.parametrize(
    ("words", "covered"),
    [
        ([(10, 17)], True),
        ([(18, 22)], True),
        ([(0, 9), (18, 22)], True),
        ([(0, 10)], False),
        ([(22, 30)], False),
        ([], False),
    ],
)
def test_a_value_is_masked_where_a_rare_word_covers_a_part_of_it(
    words: list[tuple[int, int]], covered: bool
) -> None:
    mentions = [town("a"), *(rare("a", *word) for word in words)]
    found = {entity_id(TOWN.lower(), "LOCATION"): {"a"}} if covered else {}
    assert under_rare_words(mentions, "::") == under_rare_words(mentions[::-1], "::") == found


def test_one_readable_mention_makes_the_value_readable_in_its_document() -> None:
    assert under_rare_words([town("a"), town("a", 40), rare("a", 10, 17)], "::") == {}
    assert under_rare_words([town("a"), rare("a", 10, 17, "metadata/x")], "::") == {}


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        (["a1"], "kept, still readable in 2 of 3 documents; in the others words of it are masked"),
        (["a1", "b2", "c3"], "kept, but words of it are masked as rare terms in each of them"),
        ([], "kept, still readable"),
    ],
)
def test_explain_says_where_rare_words_mask_a_value_that_is_kept(
    small, documents: list[str], said: str
) -> None:
    mentions = [
        one
        for name in ("a1", "b2", "c3")
        for one in (town(name), *([rare(name, 10, 17)] if name in documents else []))
    ]
    incidence = replace(small.incidence, types=(*small.incidence.types, RARE_TERM))
    known = incidence, small.before, small.plan, lambda: iter(mentions), small.settings
    answer = explain({"entity": TOWN}, *known)
    assert said in answer.text.replace("\n", " ")
    assert sorted(answer.data.get("rare_words_in", [])) == documents
    if documents:
        one = explain({"document": "a1"}, *known).text
        two = explain({"pair": ("a1", "b2")}, *known).text
        hidden = "Kept by the plan, but masked with a rare word; "
        assert f"{hidden}R counts them (1):\n  LOCATION" in one
        assert f"{hidden}the strength counts them (1):\n  LOCATION" in two
        assert "kept, masked in a1" in one
        assert f"kept, masked in {', '.join(documents[:2])}" in two
