"""A document is shown as it will be released, and what was missed in it is masked everywhere."""

from __future__ import annotations

import json
from itertools import accumulate
from pathlib import Path

import pytest

from linkmask import commands
from linkmask.errors import UsageError

MISSED = "Zofia Wren"


def released(run: Path, out: Path) -> dict[str, str]:
    """Release the run's plan, and return the masked texts by id."""
    commands.apply_run(run, out, {})
    lines = (out / "documents" / "in.jsonl").read_text().splitlines()
    return {row["id"]: row["content"] for row in map(json.loads, lines)}


def after(served, number: int) -> str:
    """The masked text of a document, as the page shows it."""
    (view,) = served.review.texts.view(number, served.review.estimated())
    return "".join(piece.text for piece in view.after)


def test_before_is_the_text_and_after_is_what_is_released(run, served, tmp_path):
    opened = served.review.opened
    shown = {name: after(served, n) for n, name in enumerate(opened.incidence.documents)}
    for n in range(opened.incidence.n_documents):
        (view,) = served.review.texts.view(n, served.review.estimated())
        document, _ = served.review.texts.document(n)
        assert "".join(piece.text for piece in view.before) == document.content
    assert shown == released(run, tmp_path / "out")


def test_every_value_that_was_found_is_named_masked_or_not(served):
    opened, kinds = served.review.opened, set()
    for n, name in enumerate(opened.incidence.documents):
        named = []
        for view in served.review.texts.view(n, served.review.estimated()):
            ends = [*accumulate(len(piece.text) for piece in view.before)]
            for end, piece in zip(ends, view.before, strict=True):
                if piece.label:
                    named.append((view.name, end - len(piece.text), end))
                    kinds.add(piece.kind)
        for m in opened.mentions_of(name):
            assert any(f == m.field and a < m.end and m.start < b for f, a, b in named), m
    assert len(kinds) > 1


def test_a_pending_decision_is_seen_in_the_document_before_it_is_the_plan(served):
    number = served.review.opened.values.index("Ottoline Brandvold")
    assert "Ottoline Brandvold" not in after(served, 0)
    served.review.decisions.decide(0, [number], "keep", "public knowledge")
    assert "Ottoline Brandvold" in after(served, 0)


def test_a_value_that_was_missed_is_masked_everywhere_once_it_is_the_plan(run, served, tmp_path):
    assert any(MISSED in text for text in released(run, tmp_path / "first").values())
    with served.client() as client:
        assert "2 documents hold it" in client.get("/documents", params={"q": "zofia wren"}).text
        version = served.review.decisions.kept.version
        form = {"version": version, "value": "zofia  wren", "type": "NAME", "back": "/document/4"}
        answer = client.post("/missed", data=form)
        assert (answer.status_code, answer.headers["location"]) == (303, "/document/4")
        assert "2 places of 2 documents" in client.get("/").text
        version = served.review.decisions.kept.version
        assert client.post("/apply", data={"version": version}).status_code == 303
    texts = released(run, tmp_path / "second")
    assert not any(MISSED in text for text in texts.values())
    assert "[NAME]" in texts["rules"]
    log = (run / "review-log.jsonl").read_text()
    assert [json.loads(line)["action"] for line in log.splitlines()] == ["missed", "mask", "apply"]
    assert "ofia" not in log and "wren" not in log.lower()


def test_marking_alone_changes_no_mask_and_shows_the_risk_that_was_not_known(run, served):
    before = served.review.planned
    ids = {row["entity"] for row in json.loads((run / "plan.json").read_text())["masked"]}
    served.review.mark(0, MISSED, "NAME")
    assert {row["entity"] for row in json.loads((run / "plan.json").read_text())["masked"]} == ids
    assert served.review.planned.highest > before.highest
    assert served.review.estimated().masked == before.masked + 1
    step = served.review.decisions.kept.steps[-1].number
    served.review.decisions.undo(served.review.decisions.kept.version, step)
    assert served.review.estimated().masked == before.masked


@pytest.mark.parametrize(
    ("value", "kind"), [("Nobody Here", "NAME"), ("Brandvold", "NAME"), (MISSED, "NO_TYPE")]
)
def test_what_stands_nowhere_or_is_known_or_has_no_type_is_refused(run, served, value, kind):
    before = (run / "mentions.jsonl").read_bytes()
    with pytest.raises(UsageError):
        served.review.mark(0, value, kind)
    with served.client() as client:
        form = {"version": 0, "value": value, "type": kind}
        answer = client.post("/missed", data=form)
    assert answer.status_code == 422
    assert (run / "mentions.jsonl").read_bytes() == before


def test_an_input_that_changed_is_not_shown(run, served, tmp_path):
    known = json.loads((run / "run.json").read_text())
    moved = tmp_path / "in.jsonl"
    moved.write_text(Path(known["input"]["path"]).read_text() + "\n{}")
    known["input"]["path"] = str(moved)
    (run / "run.json").write_text(json.dumps(known))
    served.review._reopen()
    with served.client() as client:
        answer = client.get("/document/1")
        assert answer.status_code == 409 and "has changed" in answer.text
        assert client.get("/").status_code == 200


def test_only_documents_of_the_run_are_shown(served):
    with served.client() as client:
        assert client.get("/document/1").status_code == 200
        assert [client.get(f"/document/{n}").status_code for n in (0, 6)] == [404, 404]


def test_hostile_text_is_inert_in_documents(served):
    with served.client() as client:
        html = client.get("/document/1").text
    assert "&lt;script&gt;" in html and "<script>document" not in html
