"""Which spellings are searched for everywhere."""

import re
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.config import Settings
from linkmask.records import CapitalizedSpelling
from linkmask.redact import Target, searched_spellings, sweep, sweepable
from linkmask.redact.search import Search

WORDS = ["will", "Grace", "year", "Mar", "12", "1520", "52-year-old", "Dr.", "A-77382", "é", "²³½¾"]


@pytest.mark.parametrize("kind", ["NAME", "LOCATION", "AGE", "PATIENT_ID", "EVENT_DATE"])
@given(st.lists(st.sampled_from(WORDS), max_size=4), st.sampled_from([" ", "\t", "", ", "]))
def test_most_spellings_are_decided_early_as_the_whole_rule_decides(
    kind: str, words: list[str], between: str
) -> None:
    surface = between.join(words)
    with patch.object(sweep, "_is_sure", lambda *_: False):
        whole = sweepable(kind, surface)
    assert sweepable(kind, surface) == whole


@pytest.mark.parametrize("order", [1, -1])
def test_a_surname_that_another_entity_has_in_any_case_is_masked_in_any_case(order: int) -> None:
    """What the check reads as a leftover is masked, in whichever order the entities come."""
    both = [[CapitalizedSpelling("Banks"), "Anna Banks"], ["Banks"]][::order]
    search = Search(both, re.compile(r"\[NAME\]"), anywhere=True)
    text = "Banks and the banks"
    columns = (column.tolist() for column in search._columns(text))
    assert [text[start:end] for start, end, _ in zip(*columns, strict=True)] == ["Banks", "banks"]


def test_a_name_that_is_a_stopword_elsewhere_is_searched_for_with_a_capital() -> None:
    """Portuguese "sem" is no Sem; "appelman" is Appelman in any case."""
    targets = {"a": Target("NAME", ("Sem", "Appelman"), ())}
    (found,) = searched_spellings(targets, Settings()).values()
    assert [type(spelling) for spelling in found] == [CapitalizedSpelling, str]


def test_a_name_that_stands_twice_is_no_name_in_its_other_order_between() -> None:
    """One mask over both would write over what separates them, such as the end of an attribute."""
    spellings = [["Anna Banks", "Banks Anna"], ["Anna"]]
    text = "Anna Banks\nAnna Banks  Anna Banks"

    def spans(anywhere: bool) -> list[str]:
        search = Search(spellings, re.compile(r"\[NAME\]"), anywhere)
        found = zip(*(column.tolist() for column in search.many([text]).found), strict=True)
        own = search.spans(text, [], list(found), {0})
        return [text[start:end] for start, end, _ in own]

    assert spans(True) == ["Anna Banks"] * 3
    assert spans(False) == [text]


@given(
    st.lists(st.sampled_from(["a b", "b a", "a", "b a b", "c b", "a\nc"]), min_size=1, max_size=4),
    st.text("abc \n", max_size=24),
)
def test_spans_across_two_values_are_left_out_where_others_cover_them(
    forms: list[str], text: str
) -> None:
    search = Search([[form] for form in forms], re.compile(r"\[NAME\]"), anywhere=True)
    starts, ends, _ = search._matcher.search(text)
    every = {at for start, end in zip(starts, ends, strict=True) for at in range(start, end)}
    starts, ends, _ = search._columns(text)
    kept = {at for start, end in zip(starts, ends, strict=True) for at in range(start, end)}
    assert {text[at] for at in every - kept} <= {" ", "\n"}
