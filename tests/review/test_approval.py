"""Where approvals are asked for, only the very plan that so many reviewers signed is released."""

from __future__ import annotations

import pytest

from linkmask import commands
from linkmask.config import load
from linkmask.errors import RunError, UsageError
from linkmask.review.session import ReviewSession
from linkmask.runs.decision_log import NAME


def approve(run, reviewer: str) -> None:
    review = ReviewSession(run, reviewer)
    try:
        review.reading.approve(review.decisions.kept.version)
    finally:
        review.close()


def test_four_eyes_release_a_plan_and_two_of_them_do_not(signed, tmp_path):
    out = tmp_path / "out"
    for reviewer, count in (("", 0), ("A. Officer", 1)):
        if reviewer:
            approve(signed, reviewer)
        with pytest.raises(RunError, match=f"2 reviewers must approve .* {count} did"):
            commands.apply_run(signed, out, {})
    with pytest.raises(UsageError, match="another one"):
        approve(signed, "A. Officer")
    assert not out.exists()
    approve(signed, "B. Officer")
    commands.apply_run(signed, out, {})
    assert (out / "documents" / "in.jsonl").exists()


def test_another_plan_or_style_needs_approval_of_its_own(signed, tmp_path):
    for reviewer in ("A. Officer", "B. Officer"):
        approve(signed, reviewer)
    with pytest.raises(RunError, match="must approve"):
        commands.apply_run(signed, tmp_path / "out", {"style": "redact"})
    commands.plan_run(signed, {}, mask=["Hancock", "Calumet"], keep=["Ottoline Brandvold"])
    with pytest.raises(RunError, match="0 did"):
        commands.apply_run(signed, tmp_path / "out", {})


def test_the_demand_is_not_switched_off_by_who_applies_or_plans(signed, tmp_path):
    with pytest.raises(RunError, match="2 reviewers"):
        commands.apply_run(signed, tmp_path / "out", {"approvals": 0})
    commands.plan_run(signed, {"approvals": 0})
    with pytest.raises(RunError, match="2 reviewers"):
        commands.apply_run(signed, tmp_path / "out", {})


def test_neither_mask_nor_update_releases(signed, tmp_path):
    source = signed.parent / "in.jsonl"
    settings = load(overrides={"approvals": 1, "detector": "patterns"}, environment={})
    with pytest.raises(UsageError, match="approvals"):
        commands.mask_files(source, tmp_path / "out", settings)
    with pytest.raises(UsageError, match="approvals"):
        commands.update_files(signed, source, tmp_path / "out", {"approvals": 0})
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.run").exists()


def test_a_broken_log_releases_nothing(signed, tmp_path):
    for reviewer in ("A. Officer", "B. Officer"):
        approve(signed, reviewer)
    log = signed / NAME
    log.write_bytes(log.read_bytes().replace(b"A. Officer", b"C. Officer"))
    with pytest.raises(RunError, match="not whole"):
        commands.apply_run(signed, tmp_path / "out", {})


def test_pending_decisions_are_not_approved_by_the_way(served):
    with served.client() as client:
        served.review.decisions.decide(0, [0], "mask")
        assert client.post("/approve", data={"version": 1}).status_code == 422
        assert client.post("/apply", data={"version": 1}).status_code == 303
        version = served.review.decisions.kept.version
        assert client.post("/approve", data={"version": version}).status_code == 303
        assert "This plan was approved by" in client.get("/decisions").text
    assert served.review.reading.approvals == {"R. Viewer"}
