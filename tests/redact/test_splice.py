"""Cutting a text once: kept pieces and replacements, from left to right."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.records import Replacement
from linkmask.redact.splice import disjoint_spans, spans_outside, splice

TEXTS = st.text(st.sampled_from("aB é\u0301İß\r\n😀1."), max_size=30)
SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 8), st.integers(0, 3)).map(
        lambda t: (t[0], t[0] + t[1], t[2])
    ),
    max_size=8,
)


def piece(start: int, end: int, text: str) -> Replacement:
    return Replacement("content", start, end, "e", "NAME", text)


def test_keeping_everything_gives_back_the_same_string() -> None:
    text = "nothing here"
    assert splice(text, []) is text


def test_pieces_are_replaced_at_their_places() -> None:
    assert splice("abcdef", [piece(0, 1, "XX"), piece(1, 3, ""), piece(5, 6, "y")]) == "XXdey"


def test_pieces_that_overlap_or_reach_outside_are_refused() -> None:
    for bad in ([piece(0, 3, ""), piece(2, 4, "")], [piece(3, 2, "")], [piece(5, 9, "")]):
        with pytest.raises(ValueError):
            splice("abcdef", bad)


@given(TEXTS, SPANS)
def test_nothing_outside_the_spans_changes(text: str, spans: list[tuple[int, int, int]]) -> None:
    """What was kept stands in order, and each replacement stands once between it."""
    inside = [(s, min(e, len(text)), n) for s, e, n in spans if s < len(text)]
    cut = disjoint_spans(inside)
    result = splice(text, [piece(s, e, "\x00") for s, e, _ in cut])
    edges = [0, *(edge for s, e, _ in cut for edge in (s, e)), len(text)]
    assert result.split("\x00") == [
        text[low:high] for low, high in zip(edges[::2], edges[1::2], strict=True)
    ]


@given(SPANS)
def test_united_spans_are_disjoint_and_cover_what_was_covered(
    spans: list[tuple[int, int, int]],
) -> None:
    united = disjoint_spans(spans)
    assert all(a[1] <= b[0] for a, b in pairwise(united))
    cover = {place for start, end, _ in spans for place in range(start, end)}
    assert {place for start, end, _ in united for place in range(start, end)} == cover


def test_the_longest_span_names_a_union_then_the_smallest_number() -> None:
    assert disjoint_spans([(0, 4, 1), (2, 9, 2)]) == [(0, 9, 2)]
    assert disjoint_spans([(0, 4, 2), (2, 6, 1)]) == [(0, 6, 1)]
    assert disjoint_spans([(0, 9, 3), (2, 4, 1)]) == [(0, 9, 3)]
    assert disjoint_spans([(0, 4, 1), (4, 6, 2)]) == [(0, 4, 1), (4, 6, 2)]


def test_kept_stretches_are_taken_out_of_spans() -> None:
    assert spans_outside([(0, 10, 1)], [(2, 4), (6, 7)]) == [(0, 2, 1), (4, 6, 1), (7, 10, 1)]
    assert spans_outside([(2, 4, 1)], [(0, 9)]) == []
