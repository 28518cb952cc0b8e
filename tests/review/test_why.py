"""Why: what links a document to others is drawn as it is, with what the plan cuts."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

from linkmask import commands
from linkmask.config import load
from linkmask.formulas import uniqueness
from linkmask.records import Chains, Incidence, Links, Risk
from linkmask.report.page.graph_picture import NODES, TIES
from linkmask.review.clusters import cluster_of_documents, clusters, picture_of_cluster
from linkmask.review.opened_run import OpenedRun
from linkmask.review.why import LINKED, links_of_document, picture


def test_ties_are_the_links_of_the_document_with_all_that_both_hold(served):
    opened = served.review.opened
    links = opened.planner.analysis.risk.links
    assert len(links)
    for d in range(opened.incidence.n_documents):
        found = links_of_document(opened, opened.plan, d)
        pairs = zip(links.left.tolist(), links.right.tolist(), strict=True)
        wanted = {b if a == d else a for a, b in pairs if d in (a, b)}
        assert {tie.document for tie in found.ties} == wanted
        for tie in found.ties:
            assert set(tie.via) == set(opened.incidence.shared(d, tie.document).tolist())
            assert tie.strength[1] <= tie.strength[0] and tie.chain[1] <= tie.chain[0]


def test_the_picture_strikes_out_what_the_plan_masks_and_a_keep_brings_the_line_back(served):
    review = served.review
    opened = review.opened
    d = int(opened.planner.analysis.risk.links.left[0])
    found = links_of_document(opened, opened.plan, d)
    cut = next(e for e in found.values if e in found.masked)
    drawing = str(picture(opened, found))
    assert drawing.count('class="box value cut"') == sum(e in found.masked for e in found.values)
    review.decisions.decide(0, [cut], "keep", "public knowledge")
    again = links_of_document(opened, review.estimated().plan, d)
    assert cut not in again.masked
    assert f"/value/{opened.labels[cut]}" in str(picture(opened, again))


def test_a_picture_is_well_formed_whatever_the_values_hold(served):
    opened = served.review.opened
    opened.values = ["\"><script>alert('&')</script>\u202e"] * len(opened.values)
    for d in range(opened.incidence.n_documents):
        drawing = str(picture(opened, links_of_document(opened, opened.plan, d)))
        ElementTree.fromstring(drawing)
        assert "<script" not in drawing and "\u202e" not in drawing


def test_no_more_is_drawn_than_can_be_read(served, monkeypatch):
    monkeypatch.setattr("linkmask.review.why.LINKED", 1)
    opened = served.review.opened
    links = opened.planner.analysis.risk.links
    ends = np.concatenate([links.left, links.right])
    busiest = int(np.bincount(ends).argmax())
    found = links_of_document(opened, opened.plan, busiest)
    assert LINKED > 1 and (len(found.ties), found.linked) == (1, int((ends == busiest).sum()))


def test_clusters_are_what_links_join(planned):
    """Against a walk over the links by hand."""
    opened = OpenedRun(planned)
    links = opened.planner.analysis.risk.links
    group = list(range(opened.incidence.n_documents))
    for a, b in zip(links.left.tolist(), links.right.tolist(), strict=True):
        low, high = sorted((group[a], group[b]))
        group = [low if one == high else one for one in group]
    assert cluster_of_documents(opened).tolist() == group
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
    opened = served.review.opened
    graph = picture_of_cluster(opened, opened.plan, int(first) - 1)
    names = {node.name for node in graph.nodes}
    group = cluster_of_documents(opened)
    assert names == {
        opened.incidence.documents[d] for d in np.flatnonzero(group == int(first) - 1).tolist()
    }


@pytest.mark.parametrize("number", [1, 2])
def test_the_page_of_a_document_says_in_a_table_what_the_picture_shows(served, number):
    opened = served.review.opened
    found = links_of_document(opened, opened.plan, number - 1)
    with served.client() as client:
        html = client.get(f"/document/{number}").text
    assert found.ties
    for tie in found.ties:
        assert f'href="/document/{tie.document + 1}"' in html.partition("The same as a table")[2]


def corpus(documents: int, hub: int, name: str = "d") -> SimpleNamespace:
    """A run as the pictures see it: one hub of documents that share a value, and pairs beside it.

    A fake of an opened run: only what clusters and pictures read is there.
    """
    left = [*[0] * (hub - 1), *range(hub, documents - 1, 2)]
    right = [*range(1, hub), *range(hub + 1, documents, 2)]
    pairs = np.array([left, right], np.int32)
    order = np.lexsort((pairs[1], pairs[0]))
    links = Links(pairs[0][order], pairs[1][order], np.full(len(left), 0.9))
    entity = np.array([0] * hub + [1 + d // 2 for d in range(hub, documents)], np.int32)
    entity = np.unique(entity, return_inverse=True)[1].astype(np.int32)
    n = int(entity.max()) + 1
    frequency = np.bincount(entity, minlength=n).astype(np.int32)
    incidence = Incidence(
        [f"{name}{d}" for d in range(documents)], [f"{e:032x}" for e in range(n)], ("NAME",),
        np.arange(documents + 1, dtype=np.int64), entity, np.ones(documents),
        np.zeros(n, np.int32), frequency, uniqueness(frequency, documents), np.ones(n),
    )  # fmt: skip
    chains = Chains(np.zeros((0, 2), np.int32), np.zeros(0), {})
    risk = Risk(np.full(documents, 0.5), links, chains)
    analysis = SimpleNamespace(risk=risk)
    return SimpleNamespace(
        incidence=incidence, planner=SimpleNamespace(analysis=analysis),
        settings=load(environment={}),
    )  # fmt: skip


@pytest.mark.parametrize(("documents", "hub"), [(5, 3), (50_000, 20_000)])
def test_a_picture_has_as_many_nodes_as_can_be_told_apart_at_any_size(documents, hub):
    """The corpus, its largest cluster and a pair: bounded at 50,000 documents, whole at five."""
    opened = corpus(documents, hub)
    plan = SimpleNamespace(masked=np.zeros(0, np.int32))
    rows, every = clusters(opened, opened.planner.analysis.risk)
    assert every == 1 + (documents - hub) // 2 and len(rows) == min(every, 50)
    assert max(one.documents for one in rows) == hub
    for first, size in ((None, documents), (0, hub), (hub, 2)):
        graph = picture_of_cluster(opened, plan, first)
        assert len(graph.nodes) == min(size, NODES)
        for picture_ in graph.pictures(["before", "after"]):
            root = ElementTree.fromstring(picture_)
            found = [one.get("class", "") for one in root.iter()]
            assert sum(one.split()[:1] == ["node"] for one in found) == len(graph.nodes)
            assert sum(one.split()[:1] == ["link"] for one in found) <= TIES
            assert len(picture_) < 100_000


def test_names_of_documents_are_inert_on_every_page(tmp_path, serve):
    hostile = '"><script>document.title=1</script>\u202e'
    source, given = tmp_path / "in.jsonl", tmp_path / "given.jsonl"
    rows = [{"id": f"{hostile}{n}", "content": "An engraver of Hancock."} for n in range(3)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = [
        {"document": row["id"], "original_value": value, "entity_type": "NAME", "relevance": 1.0}
        for row in rows
        for value in ("engraver", "Hancock")
    ]
    given.write_text("".join(json.dumps(row) + "\n" for row in found))
    settings = load(overrides={"workers": 1, "detector": "patterns"}, environment={})
    commands.scan_files(source, tmp_path / "run", settings, mentions=given)
    commands.plan_run(tmp_path / "run", {})
    served = serve(tmp_path / "run")
    served.review.reading.sign_visit(0)
    label = served.review.opened.labels[0]
    with served.client() as client:
        for path in ("/documents", "/document/1", "/links", f"/value/{label}", "/riskiest",
                     "/since", "/protocol", "/documents?q=engraver"):  # fmt: skip
            html = client.get(path).text
            assert "<script>document" not in html and "\u202e" not in html
        assert "&lt;script&gt;" in client.get("/documents").text
