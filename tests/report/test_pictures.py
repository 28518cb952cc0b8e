"""Pictures and their layout: deterministic, apart, escaped, told in words too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.report.layout import layout
from linkmask.report.pictures import Node, Tie, bar, compact, graphs, histograms


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0"), (999, "999"), (1000, "1.0k"), (9949, "9.9k"), (9950, "10k"), (999_999, "1000k"),
     (1_250_000, "1.2M"), (20_000_000, "20M")],
)  # fmt: skip
def test_counts_on_bars_are_short(number, said):
    assert compact(number) == said


def test_distribution_is_drawn_to_one_scale_and_said_in_words():
    picture = histograms("p", "Title", [("before", [0, 4]), ("after", [2, 0])], {"limit": 0.5})
    assert picture.count('class="bar"') == 2
    assert "before: 4 from 0.50 to 1.00; after: 2 from 0.00 to 0.50" in picture
    tall = [float(part.split('height="')[1].split('"')[0]) for part in picture.split("<rect")[1:]]
    assert tall[0] == pytest.approx(2 * tall[1])


def test_stacked_parts_add_up():
    picture = bar([("floor", 1), ("chain", 0), ("kept", 3)], most=8)
    assert 'width="12.50"' in picture
    assert 'x="12.50" width="37.50"' in picture
    assert "chain" not in picture


def test_labels_in_pictures_are_escaped():
    (picture,) = graphs(
        "g",
        [("<b>", "&", [Node("<i>", "over"), Node("x", "calm")], [Tie(0, 1, "high", '"<u>')])],
    )
    assert not {"<b>", "<i>", "<u>"} & {picture[k : k + 3] for k in range(len(picture))}


def test_a_link_with_nothing_left_is_not_drawn_and_a_weak_one_lies_below_the_others():
    nodes = [Node("a", "calm"), Node("b", "calm"), Node("c", "over")]
    before = [Tie(0, 1, "high", "x"), Tie(1, 2, "low", "y"), Tie(0, 2, "low", "z")]
    after = [Tie(0, 1, "low", "x"), Tie(1, 2, "weak", "y"), Tie(0, 2, "gone", "z")]
    first, second = graphs("g", [("t", "d", nodes, before), ("t", "d", nodes, after)])
    assert first.count('class="link') == 3
    assert second.count('class="link') == 2
    assert second.index("link weak") < second.index("link low")


graph_of = st.integers(2, 14).flatmap(
    lambda n: st.lists(
        st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] < p[1]),
        min_size=1, max_size=25, unique=True,
    )
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(graph_of)
def test_layout_fits_is_the_same_each_time_and_keeps_documents_apart(pairs):
    nodes = sorted({node for pair in pairs for node in pair})
    links = [(nodes.index(a), nodes.index(b)) for a, b in pairs]
    place, tall = layout(len(nodes), links, 560.0)
    again, _ = layout(len(nodes), links, 560.0)
    assert np.array_equal(place, again)
    assert place.min() >= 0
    assert place[:, 0].max() <= 560.0
    assert place[:, 1].max() <= tall
    between = np.linalg.norm(place[:, None] - place[None], axis=2)
    np.fill_diagonal(between, np.inf)
    assert between.min() > 15.0
