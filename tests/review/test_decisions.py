"""Decisions are kept, logged without values, undone, refused when stale, and made the plan."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from linkmask import commands
from linkmask.commands.decide import PendingDecisions
from linkmask.errors import RunError
from linkmask.review.decisions import Decisions
from linkmask.review.opened_run import OpenedRun
from linkmask.review.session import ReviewSession
from linkmask.runs.decision_log import HEAD, DecisionLog, verified_head
from linkmask.runs.decision_log import NAME as LOG
from linkmask.runs.file_names import DECIDED as NAME

KEPT_BECAUSE = {"reason": "public knowledge"}


def label(served, value: str) -> str:
    """The label of a value."""
    opened = served.review.opened
    return opened.labels[opened.values.index(value)]


def entity(served, value: str) -> str:
    """The id of a value."""
    opened = served.review.opened
    return opened.incidence.entities[opened.values.index(value)]


def decide(client, served, *values: str, choice: str, version: int | None = None, **more: str):
    known = served.review.decisions.kept.version if version is None else version
    form = {"version": known, "entity": [label(served, v) for v in values], "choice": choice}
    return client.post("/decide", data={**form, **more})


def masked(run: Path) -> set[str]:
    """Ids that the run's plan masks."""
    return {row["entity"] for row in json.loads((run / "plan.json").read_text())["masked"]}


def test_a_keep_raises_the_exposure_shown_and_changes_the_plan_only_when_it_is_made(run, served):
    name = "Ottoline Brandvold"
    before = (run / "plan.json").read_bytes()
    with served.client() as client:
        assert decide(client, served, name, choice="keep", **KEPT_BECAUSE).status_code == 303
        review = served.review
        assert review.estimated().exposure > review.planned.exposure
        assert (run / "plan.json").read_bytes() == before
        html = client.get("/").text
        assert "1 decision pending" in html and "→" in html
        version = review.decisions.kept.version
        assert client.post("/apply", data={"version": version}).status_code == 303
    assert entity(served, name) not in masked(run)
    assert served.review.decisions.pending == PendingDecisions()
    settings = json.loads((run / "plan.json").read_text())["settings"]
    assert settings["never_mask"] == [entity(served, name)]


def test_a_second_tab_that_decides_on_an_older_state_gets_409_and_loses_nothing(served):
    with served.client() as client:
        version = served.review.decisions.kept.version
        first = decide(client, served, "Hancock", choice="mask", version=version)
        second = decide(client, served, "Calumet", choice="mask", version=version)
        assert (first.status_code, second.status_code) == (303, 409)
        assert "Nothing was changed" in second.text
    made = served.review.decisions
    choices = {
        v: made.of(served.review.opened.values.index(v)).choice for v in ("Hancock", "Calumet")
    }
    assert choices == {"Hancock": "mask", "Calumet": ""}


def test_a_plan_made_by_another_command_makes_open_tabs_stale(run, served):
    with served.client() as client:
        version = served.review.decisions.kept.version
        commands.plan_run(run, {"theta_chain": 0.9})
        assert decide(client, served, "Hancock", choice="mask", version=version).status_code == 409
        assert decide(client, served, "Hancock", choice="mask").status_code == 303


@pytest.mark.parametrize("more", [{}, {"reason": "other"}, {"reason": "because"}])
def test_to_keep_a_value_needs_a_reason(served, more):
    with served.client() as client:
        assert decide(client, served, "Hancock", choice="keep", **more).status_code == 422
    assert served.review.decisions.kept.version == 0


def test_a_reason_that_holds_a_masked_value_is_refused_since_it_is_logged(run, served):
    with served.client() as client:
        words = {"reason": "other", "words": "It was ottoline  BRANDVOLD herself who agreed"}
        answer = decide(client, served, "Hancock", choice="keep", **words)
    assert answer.status_code == 422
    assert not (run / LOG).exists()


def test_undo_takes_any_step_back_but_not_one_that_a_later_step_stands_upon(served):
    made = served.review.decisions
    values = served.review.opened.values
    one, two = values.index("Hancock"), values.index("Calumet")
    made.decide(0, [one], "mask")
    made.decide(1, [two], "mask")
    made.decide(2, [two], "keep", "public knowledge")
    with served.client() as client:
        assert client.post("/undo", data={"version": 3, "step": 2}).status_code == 422
        assert client.post("/undo", data={"version": 3, "step": 1}).status_code == 303
        assert client.post("/undo", data={"version": 4, "step": 3}).status_code == 303
        assert client.post("/undo", data={"version": 5, "step": 2}).status_code == 303
    assert served.review.decisions.pending == PendingDecisions()
    assert [made.of(n).choice for n in (one, two)] == ["", ""]


def test_a_decision_that_the_plan_holds_can_be_taken_back_and_the_limits_decide_again(run, served):
    before = masked(run)
    review = served.review
    number = review.opened.values.index("Ottoline Brandvold")
    review.decisions.decide(0, [number], "keep", "public knowledge")
    review.apply(1)
    assert masked(run) != before
    review.decisions.decide(review.decisions.kept.version, [number], "")
    review.apply(review.decisions.kept.version)
    assert masked(run) == before


def test_decisions_are_private_and_stay_when_the_review_is_opened_again(run, served):
    made = served.review.decisions
    made.decide(0, [0, 1], "mask")
    for name in (NAME, LOG, HEAD):
        assert stat.S_IMODE((run / name).stat().st_mode) == 0o600
    pending = made.pending
    made.close()
    again = Decisions(OpenedRun(run), "Other")
    assert again.pending == pending
    again.close()


def test_forget_leaves_no_decision_about_the_person(run, served):
    made = served.review.decisions
    made.decide(0, range(len(served.review.opened.values)), "mask")
    gone = entity(served, "Ottoline Brandvold")
    assert gone in (run / NAME).read_text()
    commands.forget_subject(run, ["Ottoline Brandvold"])
    assert gone not in (run / NAME).read_text()
    with served.client() as client:
        assert client.get("/").status_code == 200
    made.decide(made.kept.version, [0], "mask")
    assert gone not in (run / NAME).read_text()


def test_one_review_of_a_run_is_open_at_a_time(run, served):
    with pytest.raises(RunError, match="another review"):
        ReviewSession(run, "Second")


def test_the_log_names_reviewer_time_and_labels_and_holds_no_value(run, served):
    made, values = served.review.decisions, served.review.opened.values
    made.decide(0, range(len(values)), "mask")
    made.undo(1, 1)
    text = (run / LOG).read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [(one["action"], one["reviewer"]) for one in lines] == [
        ("mask", "R. Viewer"),
        ("undo", "R. Viewer"),
    ]
    assert {one["entity"] for one in lines[0]["entities"]} == set(served.review.opened.labels)
    assert not any(value in text for value in values)
    assert not any(entity in text for entity in served.review.opened.incidence.entities)


def test_decisions_are_exported_for_the_next_run_of_the_same_corpus(run, another, served, tmp_path):
    """Another run of it, planned with the file, masks and keeps the same; the file has no value."""
    made, values = served.review.decisions, served.review.opened.values
    made.decide(0, [values.index("Ottoline Brandvold")], "keep", "other", 'she "agreed"\n[plan]')
    made.decide(1, [values.index("Hancock")], "mask")
    made.limit(2, {"theta_doc": 0.7})
    with served.client() as client:
        answer = client.get("/decisions.toml")
        (tmp_path / "decisions.toml").write_text(answer.text)
        assert client.get("/decisions").text.count("<tr>") >= 3
    assert not any(value in answer.text for value in values)
    commands.plan_run(another, {"config": tmp_path / "decisions.toml"})
    served.review.apply(3)
    assert masked(another) == masked(run)
    settings = [json.loads((one / "plan.json").read_text())["settings"] for one in (run, another)]
    names = ("always_mask", "never_mask", "theta_doc", "theta_chain")
    assert [settings[0][name] for name in names] == [settings[1][name] for name in names]


def long_log(run: Path) -> Path:
    log = DecisionLog(run)
    for action in ("mask", "keep", "undo", "apply"):
        log.append(action, "R. Viewer", entities=[])
    return run / LOG


def test_a_whole_log_verifies(run):
    long_log(run)
    assert verified_head(run).lines == 4


@pytest.mark.parametrize(
    "harm",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[1:],
        lambda lines: [lines[0], lines[2], lines[1], lines[3]],
        lambda lines: [lines[0].replace(b"mask", b"keep"), *lines[1:]],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [*lines[:-1], b"{"],
        lambda lines: [],
    ],
    ids=["cut", "beheaded", "reordered", "changed", "repeated", "torn", "emptied"],
)
def test_a_log_that_was_cut_or_changed_is_refused_and_nothing_is_decided_on_it(run, harm):
    path = long_log(run)
    path.write_bytes(b"".join(line + b"\n" for line in harm(path.read_bytes().splitlines())))
    with pytest.raises(RunError, match="not whole"):
        ReviewSession(run, "R. Viewer")


@pytest.mark.parametrize("name", [LOG, HEAD])
def test_a_log_without_its_other_file_is_refused(run, name):
    long_log(run)
    (run / name).unlink()
    with pytest.raises(RunError, match="not whole"):
        verified_head(run)


def test_a_line_written_by_a_command_that_was_killed_then_is_taken_on(run):
    path = long_log(run)
    head = (run / HEAD).read_bytes()
    DecisionLog(run).append("mask", "R. Viewer")
    (run / HEAD).write_bytes(head)
    assert DecisionLog(run).head.lines == 5
    assert path.read_bytes().count(b"\n") == 5


def test_what_can_not_be_logged_is_not_decided(run, served, monkeypatch):
    made = served.review.decisions
    monkeypatch.setattr(
        "linkmask.runs.decision_log.private", lambda *_: (_ for _ in ()).throw(OSError(28, "full"))
    )
    with pytest.raises(RunError, match="nothing done"):
        made.decide(0, [0], "mask")
    assert made.pending == PendingDecisions() and not (run / NAME).exists()
