"""The next visit shows what changed since the reviewer signed the last one."""

from __future__ import annotations

import json

import pytest

from linkmask import commands
from linkmask.config import load
from linkmask.review.session import ReviewSession
from linkmask.runs.file_names import VISITS


def sign(review: ReviewSession) -> None:
    review.reading.sign_visit(review.decisions.kept.version)


def values(review: ReviewSession, numbers: list[int]) -> set[str]:
    return {review.opened.values[n] for n in numbers}


def test_who_has_signed_no_visit_is_told_so_and_a_visit_just_signed_shows_no_change(served):
    with served.client() as client:
        assert "signed no visit" in client.get("/since").text
        version = served.review.decisions.kept.version
        assert client.post("/visit", data={"version": version}).status_code == 303
        assert "No document and no value changed" in client.get("/since").text
    assert served.review.reading.since_visit.nothing
    line = served.review.decisions.log.entries()[-1]
    assert (line["action"], line["plan"]) == ("visit", served.review.opened.digest)


def test_a_value_that_became_readable_and_what_others_did_are_shown(served):
    review = served.review
    sign(review)
    number = review.opened.values.index("Ottoline Brandvold")
    review.decisions.reviewer = "B. Officer"
    review.decisions.decide(review.decisions.kept.version, [number], "keep", "public knowledge")
    review.apply(review.decisions.kept.version)
    review.decisions.reviewer = "R. Viewer"
    found = review.reading.since_visit
    assert values(review, found.readable) == {"Ottoline Brandvold"}
    assert not (found.added or found.changed or found.fresh or found.gone or found.lost)
    with served.client() as client:
        html = client.get("/since").text
    assert "Readable now, masked then (1)" in html and "B. Officer</bdi>, keep (1 value)" in html


def test_a_value_that_was_marked_since_makes_its_documents_changed(served):
    review = served.review
    sign(review)
    review.mark(review.decisions.kept.version, "Zofia Wren", "NAME")
    found = review.reading.since_visit
    assert values(review, found.fresh) == {"Zofia Wren"}
    names = {review.opened.incidence.documents[n] for n in found.changed}
    assert names == {"note", "rules"}


def test_each_reviewer_has_a_visit_of_their_own(served):
    sign(served.review)
    served.review.decisions.reviewer = "B. Officer"
    assert served.review.reading.since_visit is None


@pytest.fixture
def released(tmp_path):
    """A corpus of two letters, released, whose run lives on."""
    source = tmp_path / "letters"
    source.mkdir()
    for name, text in (("a", "Ms. Ottoline Brandvold came."), ("b", "Mr. Ingrid Aas called.")):
        (source / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))
    settings = load(overrides={"workers": 1, "detector": "rules"}, environment={})
    commands.mask_files(source, tmp_path / "out", settings)
    return source, tmp_path / "out", tmp_path / "out.run"


def test_after_an_update_the_new_and_the_changed_documents_are_shown(released):
    """Signed visits and decisions of the last edition outlive the run's next one."""
    source, out, run = released
    review = ReviewSession(run, "R. Viewer")
    number = review.opened.values.index("Ottoline Brandvold")
    review.decisions.decide(0, [number], "keep", "public knowledge")
    sign(review)
    review.close()
    (source / "a.json").write_text(json.dumps({"id": "a", "content": "Nobody came on that day."}))
    (source / "c.json").write_text(json.dumps({"id": "c", "content": "Mrs. Zofia Wren wrote."}))
    (source / "b.json").write_text(
        json.dumps({"id": "b", "content": "Mr. Ingrid Aas called. Ms. Ottoline Brandvold left."})
    )
    commands.update_files(run, source, out, {})
    review = ReviewSession(run, "R. Viewer")
    try:
        found, names = review.reading.since_visit, review.opened.incidence.documents
        assert [names[n] for n in found.added] == ["c"]
        assert [names[n] for n in found.changed] == ["a", "b"]
        assert "Zofia Wren" in values(review, found.fresh)
        kept = review.opened.values.index("Ottoline Brandvold")
        assert review.decisions.of(kept).reason == "public knowledge"
    finally:
        review.close()


def test_what_was_seen_is_kept_without_a_value_or_an_id(served, run):
    sign(served.review)
    kept = (run / VISITS).read_bytes()
    names = [*served.review.opened.values, *served.review.opened.incidence.entities]
    assert not any(name.encode() in kept for name in [*names, "claim"])
    assert (run / VISITS).stat().st_mode & 0o077 == 0


def test_forgetting_a_person_forgets_what_was_seen(run):
    review = ReviewSession(run, "R. Viewer")
    sign(review)
    review.close()
    commands.forget_subject(run, ["Ingrid Aas"])
    assert not (run / VISITS).exists()
