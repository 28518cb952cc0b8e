"""The next visit shows what changed since the reviewer signed the last one."""

from __future__ import annotations

import json

import pytest

from linkmask import commands
from linkmask.config import load
from linkmask.review.room import ReviewRoom
from linkmask.runs.names import VISITS


def sign(room: ReviewRoom) -> None:
    room.reading.sign_visit(room.decisions.kept.version)


def values(room: ReviewRoom, numbers: list[int]) -> set[str]:
    return {room.opened.values[n] for n in numbers}


def test_who_has_signed_no_visit_is_told_so_and_a_visit_just_signed_shows_no_change(served):
    with served.client() as client:
        assert "signed no visit" in client.get("/since").text
        version = served.room.decisions.kept.version
        assert client.post("/visit", data={"version": version}).status_code == 303
        assert "No document and no value changed" in client.get("/since").text
    assert served.room.reading.since_visit.nothing
    line = served.room.decisions.log.entries()[-1]
    assert (line["action"], line["plan"]) == ("visit", served.room.opened.digest)


def test_a_value_that_became_readable_and_what_others_did_are_shown(served):
    room = served.room
    sign(room)
    number = room.opened.values.index("Ottoline Brandvold")
    room.decisions.reviewer = "B. Officer"
    room.decisions.decide(room.decisions.kept.version, [number], "keep", "public knowledge")
    room.apply(room.decisions.kept.version)
    room.decisions.reviewer = "R. Viewer"
    found = room.reading.since_visit
    assert values(room, found.readable) == {"Ottoline Brandvold"}
    assert not (found.added or found.changed or found.fresh or found.gone or found.lost)
    with served.client() as client:
        html = client.get("/since").text
    assert "Readable now, masked then (1)" in html and "B. Officer</bdi>, keep (1 value)" in html


def test_a_value_that_was_marked_since_makes_its_documents_changed(served):
    room = served.room
    sign(room)
    room.mark(room.decisions.kept.version, "Zofia Wren", "NAME")
    found = room.reading.since_visit
    assert values(room, found.fresh) == {"Zofia Wren"}
    names = {room.opened.incidence.documents[n] for n in found.changed}
    assert names == {"note", "rules"}


def test_each_reviewer_has_a_visit_of_their_own(served):
    sign(served.room)
    served.room.decisions.reviewer = "B. Officer"
    assert served.room.reading.since_visit is None


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
    room = ReviewRoom(run, "R. Viewer")
    number = room.opened.values.index("Ottoline Brandvold")
    room.decisions.decide(0, [number], "keep", "public knowledge")
    sign(room)
    room.close()
    (source / "a.json").write_text(json.dumps({"id": "a", "content": "Nobody came on that day."}))
    (source / "c.json").write_text(json.dumps({"id": "c", "content": "Mrs. Zofia Wren wrote."}))
    (source / "b.json").write_text(
        json.dumps({"id": "b", "content": "Mr. Ingrid Aas called. Ms. Ottoline Brandvold left."})
    )
    commands.update_files(run, source, out, {})
    room = ReviewRoom(run, "R. Viewer")
    try:
        found, names = room.reading.since_visit, room.opened.incidence.documents
        assert [names[n] for n in found.added] == ["c"]
        assert [names[n] for n in found.changed] == ["a", "b"]
        assert "Zofia Wren" in values(room, found.fresh)
        kept = room.opened.values.index("Ottoline Brandvold")
        assert room.decisions.of(kept).reason == "public knowledge"
    finally:
        room.close()


def test_what_was_seen_is_kept_without_a_value_or_an_id(served, run):
    sign(served.room)
    kept = (run / VISITS).read_bytes()
    names = [*served.room.opened.values, *served.room.opened.incidence.entities]
    assert not any(name.encode() in kept for name in [*names, "claim"])
    assert (run / VISITS).stat().st_mode & 0o077 == 0


def test_forgetting_a_person_forgets_what_was_seen(run):
    room = ReviewRoom(run, "R. Viewer")
    sign(room)
    room.close()
    commands.forget_subject(run, ["Ingrid Aas"])
    assert not (run / VISITS).exists()
