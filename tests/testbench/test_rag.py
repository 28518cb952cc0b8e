"""Retrieval and generators that need no model."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.testbench.generators import GENERATORS, extractive, parrot
from linkmask.testbench.models import LanguageModels
from linkmask.testbench.rag import Guard, System, SystemQuery
from linkmask.testbench.retrievers import Retrieval

WITHOUT_MORE = ("bm25", "lsa")
index = Retrieval(LanguageModels().embedder).index
TEXTS = [
    "The heron nests by the lake. It eats fish.",
    "A claim was filed in March. The heron is not mentioned.",
    "Nothing of note.",
    "",
]


@pytest.mark.parametrize("name", WITHOUT_MORE)
def test_what_is_about_the_query_comes_first(name: str) -> None:
    system = System(TEXTS, index(name, TEXTS), parrot, k=2)
    assert system.retrieve("claim filed")[0] == 1
    assert system.ask([SystemQuery("heron lake")])[0].parts[0] == TEXTS[0]


def test_bm25_gives_only_what_matches() -> None:
    assert System(TEXTS, index("bm25", TEXTS), parrot).retrieve("zebra") == ()


@pytest.mark.parametrize("name", WITHOUT_MORE)
def test_an_index_over_nothing_answers(name: str) -> None:
    assert System(["", ""], index(name, ["", ""]), parrot).ask([SystemQuery("who?")])


@settings(max_examples=40, deadline=None)
@given(st.text("ab. \nX", max_size=60), st.text("abX ", max_size=12))
def test_every_part_of_an_extract_is_a_slice_of_its_context(text: str, query: str) -> None:
    """So nothing can be read in it that parrot does not give."""
    for part in extractive([SystemQuery(query)], [[text]])[0]:
        assert part
        assert part in text


def test_guards_refuse_before_and_after() -> None:
    bm25 = index("bm25", TEXTS)
    asks = [SystemQuery("heron"), SystemQuery("heron lake secret")]
    query = System(TEXTS, bm25, parrot, guard=Guard(query=lambda text: "secret" not in text))
    assert [response.refused for response in query.ask(asks)] == [False, True]
    output = System(TEXTS, bm25, parrot, guard=Guard(output=lambda said, context: False))
    assert all(response.refused and not response.parts for response in output.ask(asks))


def test_no_index_no_context() -> None:
    for generator in GENERATORS.values():
        assert System(TEXTS, None, generator).ask([SystemQuery("heron")])[0].parts == ()
