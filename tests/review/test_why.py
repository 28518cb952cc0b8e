"""Why: what links a document to others is drawn as it is, with what the plan cuts."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from linkmask.report.tables import shared
from linkmask.review.clusters import clusters, drawn, members
from linkmask.review.opened import OpenedRun
from linkmask.review.why import LINKED, picture, why


def test_ties_are_the_links_of_the_document_with_all_that_both_hold(served):
    opened = served.room.opened
    links = opened.planner.analysis.risk.links
    assert len(links)
    for d in range(opened.incidence.n_documents):
        found = why(opened, opened.plan, d)
        pairs = zip(links.left.tolist(), links.right.tolist(), strict=True)
        wanted = {b if a == d else a for a, b in pairs if d in (a, b)}
        assert {tie.document for tie in found.ties} == wanted
        for tie in found.ties:
            assert set(tie.via) == set(shared(opened.incidence, d, tie.document).tolist())
            assert tie.strength[1] <= tie.strength[0] and tie.chain[1] <= tie.chain[0]


def test_the_picture_strikes_out_what_the_plan_masks_and_a_keep_brings_the_line_back(served):
    room = served.room
    opened = room.opened
    d = int(opened.planner.analysis.risk.links.left[0])
    found = why(opened, opened.plan, d)
    cut = next(e for e in found.values if e in found.masked)
    drawing = str(picture(opened, found))
    assert drawing.count('class="box value cut"') == sum(e in found.masked for e in found.values)
    room.decisions.decide(0, [cut], "keep", "public knowledge")
    again = why(opened, room.estimated().plan, d)
    assert cut not in again.masked
    assert f"/value/{opened.labels[cut]}" in str(picture(opened, again))


def test_a_picture_is_well_formed_whatever_the_values_hold(served):
    opened = served.room.opened
    opened.values = ["\"><script>alert('&')</script>\u202e"] * len(opened.values)
    for d in range(opened.incidence.n_documents):
        drawing = str(picture(opened, why(opened, opened.plan, d)))
        ElementTree.fromstring(drawing)
        assert "<script" not in drawing and "\u202e" not in drawing


def test_no_more_is_drawn_than_can_be_read(served, monkeypatch):
    monkeypatch.setattr("linkmask.review.why.LINKED", 1)
    opened = served.room.opened
    links = opened.planner.analysis.risk.links
    ends = np.concatenate([links.left, links.right])
    busiest = int(np.bincount(ends).argmax())
    found = why(opened, opened.plan, busiest)
    assert LINKED > 1 and (len(found.ties), found.linked) == (1, int((ends == busiest).sum()))


def test_clusters_are_what_links_join(planned):
    """Against a walk over the links by hand."""
    opened = OpenedRun(planned)
    links = opened.planner.analysis.risk.links
    group = list(range(opened.incidence.n_documents))
    for a, b in zip(links.left.tolist(), links.right.tolist(), strict=True):
        low, high = sorted((group[a], group[b]))
        group = [low if one == high else one for one in group]
    assert members(opened).tolist() == group
    rows, every = clusters(opened, opened.planner.after())
    assert {(one.first, one.documents) for one in rows} == {
        (g, group.count(g)) for g in set(group) if group.count(g) > 1
    }
    assert every == len(rows)
    assert all(one.after <= one.before for one in rows)


def test_a_cluster_is_drawn_by_itself(served):
    with served.client() as client:
        html = client.get("/links").text
        (first, *_) = re.findall(r"/links\?cluster=(\d+)", html)
        inside = client.get(f"/links?cluster={first}").text
        assert "Cluster of" in inside and "<svg" in inside
        assert client.get("/links?cluster=999").status_code == 200
    opened = served.room.opened
    graph = drawn(opened, opened.plan, int(first) - 1)
    names = {node.name for node in graph.nodes}
    group = members(opened)
    assert names == {
        opened.incidence.documents[d] for d in np.flatnonzero(group == int(first) - 1).tolist()
    }


@pytest.mark.parametrize("number", range(1, 6))
def test_the_page_of_a_document_says_in_a_table_what_the_picture_shows(served, number):
    opened = served.room.opened
    found = why(opened, opened.plan, number - 1)
    with served.client() as client:
        html = client.get(f"/document/{number}").text
    for tie in found.ties:
        assert f'href="/document/{tie.document + 1}"' in html.partition("The same as a table")[2]
