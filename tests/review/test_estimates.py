"""What the page says a plan would be is what the plan is, once it is made."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from linkmask.review.estimates import estimate, plan_change, with_choice
from linkmask.review.opened_run import OpenedRun
from linkmask.review.session import ReviewSession
from linkmask.schema import RARE_TERM


def plan_of(run: Path) -> list[tuple[str, str]]:
    rows = json.loads((run / "plan.json").read_text())["masked"]
    return [(row["entity"], row["stage"]) for row in rows]


def decide(review: ReviewSession, made: dict[str, str]) -> None:
    held, values = review.opened.incidence, review.opened.values
    for value, choice in made.items():
        named = [n for n, one in enumerate(values) if one == value]
        number = next(n for n in named if held.types[held.type[n]] != RARE_TERM)
        reason = "public knowledge" if choice == "keep" else ""
        review.decisions.decide(review.decisions.kept.version, [number], choice, reason)


@pytest.mark.parametrize(
    ("made", "limits"),
    [
        ({"engraver": "keep"}, {}),
        ({"Hancock": "mask", "Ottoline Brandvold": "keep"}, {}),
        ({}, {"theta_chain": 0.1, "theta_doc": 0.6}),
        ({"pulmonary proteinosis": "keep", "Calumet": "mask"}, {"theta_doc": 0.5}),
        ({"Ottoline Brandvold": "keep"}, {"theta_doc": 0.3, "theta_chain": 0.05}),
    ],
)
def test_the_estimate_equals_the_plan_that_is_made(either, made, limits):
    """Decisions, limits, and both: the same entities at the same stages, the same risks left."""
    run = either
    review = ReviewSession(run, "R. Viewer")
    decide(review, made)
    if limits:
        review.decisions.limit(review.decisions.kept.version, limits)
    said = review.estimated()
    review.apply(review.decisions.kept.version)
    review.close()
    again = OpenedRun(run)
    ids = again.incidence.entities
    assert plan_of(run) == [
        (ids[n], stage) for n, stage in zip(said.plan.masked.tolist(), said.plan.stage, strict=True)
    ]
    then = estimate(again, review.decisions.pending)
    assert (then.masked, then.exposure, then.highest) == (said.masked, said.exposure, said.highest)
    assert (then.documents_over, then.chains_over) == (said.documents_over, said.chains_over)


def test_the_page_under_other_limits_shows_what_these_limits_then_do(run, served):
    with served.client() as client:
        asked = {"theta_doc": "0.4", "theta_chain": "0.1"}
        html = client.get("/what-if", params=asked).text
        said = int(re.search(r'id="then-masked">([\d,]+)<', html)[1])
        assert client.post("/limits", data={"version": 0, **asked}).status_code == 303
        assert client.post("/apply", data={"version": 1}).status_code == 303
    assert len(plan_of(run)) == said > served.review.opened.incidence.n_entities // 2
    settings = json.loads((run / "plan.json").read_text())["settings"]
    assert (settings["theta_doc"], settings["theta_chain"]) == (0.4, 0.1)


def test_what_is_tried_changes_neither_plan_nor_decisions(run, served):
    before = (run / "plan.json").read_bytes(), served.review.decisions.kept.version
    with served.client() as client:
        assert client.get("/what-if", params={"theta_doc": "0.2"}).status_code == 200
        for label in served.review.opened.labels:
            assert client.get(f"/value/{label}").status_code == 200
    assert ((run / "plan.json").read_bytes(), served.review.decisions.kept.version) == before


@pytest.mark.parametrize("given", ["", "x", "-1", "2", "nan", "inf"])
def test_a_limit_that_is_none_is_that_of_the_plan(served, given):
    with served.client() as client:
        html = client.get("/what-if", params={"theta_doc": given}).text
    assert 'name="theta_doc" min="0.05" max="1" step="0.01" value="0.95"' in html


def test_keeping_a_value_names_those_that_are_masked_instead(served):
    """For some masked value of the corpus there are such, and the plan then holds them."""
    opened, review = served.review.opened, served.review
    review.decisions.limit(0, {"theta_doc": 0.6})
    review.apply(1)
    opened, now = review.opened, review.estimated()
    found = {
        n: plan_change(
            opened, now, with_choice(review.decisions.pending, opened.incidence.entities[n], "keep")
        )
        for n in now.plan.masked.tolist()
    }
    kept, then = next((n, one) for n, one in found.items() if one.masked)
    with served.client() as client:
        html = client.get(f"/value/{opened.labels[kept]}").text
        assert "Masked instead" in html
        assert all(opened.labels[n] in html for n in then.masked)
    decide(review, {opened.values[kept]: "keep"})
    review.apply(review.decisions.kept.version)
    assert set(then.masked) <= set(review.opened.plan.masked.tolist())
    assert kept not in review.opened.plan.masked


def test_an_unknown_value_is_said_to_be_unknown(served):
    with served.client() as client:
        assert client.get("/value/000000000000").status_code == 404


def test_documents_that_the_last_release_held_back_are_counted_as_set_aside(run, tmp_path):
    from linkmask import commands

    commands.apply_run(run, tmp_path / "out", {})
    path = run / "released.json"
    released = json.loads(path.read_text())
    (file,) = released["documents"]
    released["documents"][file].remove("note")
    path.write_text(json.dumps(released))
    review = ReviewSession(run, "R. Viewer")
    review.close()
    assert review.planned.aside == 1
