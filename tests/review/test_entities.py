"""The table finds, filters, sorts and pages as asked, and answers odd addresses."""

from __future__ import annotations

import pytest

from linkmask.review.entities import Query, table
from linkmask.schema import RARE_TERM


def rows(served, **asked: str):
    review = served.review
    return table(review.decisions, review.estimated().plan, Query.of(asked)).rows


def test_every_value_is_one_row_with_documents_mentions_and_a_share_of_the_risk(served):
    every = rows(served)
    found = {row.value: row for row in every if row.type != RARE_TERM}
    assert len(every) == served.review.opened.incidence.n_entities
    assert (found["Hancock"].documents, found["Hancock"].mentions) == (3, 3)
    assert sum(row.share for row in every) == pytest.approx(1)


def test_search_is_without_case_and_accents_and_takes_ids(served):
    assert {row.value for row in rows(served, q="óttoline")} == {"Ottoline Brandvold"}
    label = rows(served, q="óttoline")[0].label
    assert {row.value for row in rows(served, q=label)} == {"Ottoline Brandvold"}


def test_filters_narrow_by_type_place_in_the_plan_and_decision(served):
    assert {row.type for row in rows(served, type="LOCATION")} == {"LOCATION"}
    assert {row.state for row in rows(served, state="floor")} == {"floor"}
    served.review.decisions.decide(0, [0], "mask")
    assert [row.label for row in rows(served, decided="pending")] == [
        served.review.opened.labels[0]
    ]
    assert len(rows(served, decided="undecided")) == served.review.opened.incidence.n_entities - 1


@pytest.mark.parametrize("column", ["share", "value", "type", "state", "documents", "mentions"])
def test_each_column_sorts_both_ways(served, column):
    there = [row.label for row in rows(served, sort=column)]
    back = [row.label for row in rows(served, sort=column, turned="1")]
    assert sorted(there) == sorted(back)
    known = {row.label: row for row in rows(served)}
    first, last = (getattr(known[one], column) for one in (there[0], there[-1]))
    assert (first, last) == tuple(getattr(known[one], column) for one in (back[-1], back[0]))


@pytest.mark.parametrize(
    "address",
    [
        "/?page=99999999999",
        "/?page=-1&size=x&sort=q&turned=7",
        "/?state=none&type=%00&q=%ff",
        "/?q=([",
    ],
)
def test_odd_addresses_are_answered(served, address):
    with served.client() as client:
        assert client.get(address).status_code == 200
