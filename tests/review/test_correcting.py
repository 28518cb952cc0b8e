"""What a person says of a value is tried, logged, undone, made the plan and saved for the next."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from linkmask import commands
from linkmask.commands.decide import PendingDecisions
from linkmask.config import load
from linkmask.pipeline.correcting import in_document, spelling_id
from linkmask.review.correction_wording import correction_of, corrections
from linkmask.review.decisions import Decisions
from linkmask.review.estimates import estimate
from linkmask.review.opened_run import OpenedRun
from linkmask.review.session import ReviewSession
from linkmask.runs.decision_log import NAME as LOG
from linkmask.schema import RARE_TERM

TEXTS = {
    "one": "Elena Vargas of Hancock, an engraver, saw Dr. Vargas on 12 March 2024.",
    "two": "The engraver E. Vargas, of Hancock, was ill on 12 March 2024; Ingrid Aas wrote.",
    "three": "Ingrid Aas, engraver, met Dr. Vargas in Calumet on 12 March 2024.",
    "four": "Calumet and Hancock have an engraver each; I. Aas knows both.",
    "five": "Ingrid Aas came to Calumet in March 2024, in spring 2024.",
}
GIVEN = {
    "Elena Vargas": ("NAME", "elena vargas", 1.0),
    "Dr. Vargas": ("NAME", "elena vargas", 0.9),
    "E. Vargas": ("NAME", "elena vargas", 0.9),
    "Ingrid Aas": ("NAME", "ingrid aas", 1.0),
    "I. Aas": ("NAME", "i. aas", 0.6),
    "engraver": ("INDIRECT_IDENTIFIER", "engraver", 0.9),
    "Hancock": ("LOCATION", "hancock", 0.9),
    "Calumet": ("LOCATION", "calumet", 0.8),
    "12 March 2024": ("EVENT_DATE", "2024-03-12", 0.95),
    "spring 2024": ("EVENT_DATE", "2024-03-12", 0.4),
    " March 2024": ("EVENT_DATE", "2024-03", 0.5),
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return made(tmp_path)


@pytest.fixture
def coarser(tmp_path: Path) -> Path:
    """A run in which exact dates and places are written coarser by rule."""
    rule = {"EVENT_DATE": "generalization:month", "LOCATION": "generalization:kind"}
    return made(tmp_path, generalize=rule)


def made(tmp_path: Path, **overrides: object) -> Path:
    source, given = tmp_path / "in.jsonl", tmp_path / "given.jsonl"
    rows = [{"id": name, "content": text} for name, text in TEXTS.items()]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = [
        {"document": name, "original_value": value, "normalized_value": normal,
         "entity_type": kind, "relevance": relevance}
        for name, text in TEXTS.items()
        for value, (kind, normal, relevance) in GIVEN.items()
        if value in text
    ]  # fmt: skip
    given.write_text("".join(json.dumps(row) + "\n" for row in found))
    chosen = {"workers": 1, "detector": "patterns", "generalize": {}} | overrides
    settings = load(overrides=chosen, environment={})
    commands.scan_files(source, tmp_path / "run", settings, mentions=given)
    commands.plan_run(tmp_path / "run", {})
    return tmp_path / "run"


def key(review: ReviewSession, value: str, spelling: str = "") -> str:
    n = review.opened.values.index(value)
    one = review.opened.incidence.entities[n]
    if spelling in TEXTS:
        return in_document(one, spelling)
    return f"{one}/{spelling_id(spelling, review.opened.type(n), '::')}" if spelling else one


def say(review: ReviewSession, value: str, said: str, spelling: str = "") -> None:
    other = review.opened.incidence.entities[review.opened.values.index(said)] \
        if said in review.opened.values else said  # fmt: skip
    review.decisions.correct(
        review.decisions.kept.version, [key(review, value, spelling)], other,
        "not about a person" if said == "nobody" else "",
    )  # fmt: skip


def decide(review: ReviewSession, value: str, choice: str) -> None:
    number = review.opened.values.index(value)
    review.decisions.decide(review.decisions.kept.version, [number], choice, "public knowledge")


def summary(opened: OpenedRun, made) -> tuple:
    ids = opened.incidence.entities
    rows = sorted(zip((ids[n] for n in made.plan.masked.tolist()), made.plan.stage, strict=True))
    return rows, made.masked, made.mentions, made.documents_over, made.chains_over


SAYINGS = [
    [("engraver", "nobody")],
    [("Hancock", "NAME")],
    [("I. Aas", "Ingrid Aas")],
    [("Elena Vargas", "apart", "Dr. Vargas")],
    [("Elena Vargas", "nobody", "E. Vargas"), ("Calumet", "Hancock")],
    [("Hancock", "Calumet"), ("Calumet", "AGE")],
    [("Elena Vargas", "another-2", "three")],
    [("Ingrid Aas", "another-2", "two"), ("Ingrid Aas", "PROVIDER"), ("engraver", "nobody", "two")],
    [("Elena Vargas", "another-2", "two"), ("Elena Vargas", "another-3", "three")],
]


@pytest.mark.parametrize("sayings", SAYINGS)
@pytest.mark.parametrize("choices", [{}, {"Hancock": "mask", "12 March 2024": "keep"}])
def test_what_if_a_value_were_something_else_equals_the_plan_that_is_made(run, sayings, choices):
    """Also with decisions about the same values, and when all of it is taken back at last."""
    review = ReviewSession(run, "R. Viewer")
    first = OpenedRun(run)
    try:
        for value, choice in choices.items():
            decide(review, value, choice)
        for value, said, *spelling in sayings:
            say(review, value, said, *spelling)
        told = review.estimated()
        review.apply(review.decisions.kept.version)
        now = estimate(review.opened, PendingDecisions())
        assert (told.masked, told.mentions) == (now.masked, now.mentions)
        assert (told.documents_over, told.chains_over) == (now.documents_over, now.chains_over)
        assert told.plan.after.tolist() == pytest.approx(now.plan.after.tolist())
        assert (told.exposure, told.utility) == pytest.approx((now.exposure, now.utility))
        keys = list(review.decisions.corrections)
        review.decisions.correct(review.decisions.kept.version, keys, "")
        told = review.estimated()
        review.apply(review.decisions.kept.version)
        now = estimate(review.opened, PendingDecisions())
        assert (told.masked, told.highest) == (now.masked, pytest.approx(now.highest))
        assert list(review.opened.incidence.entities) == list(first.incidence.entities)
        assert review.opened.mentions.tolist() == first.mentions.tolist()
    finally:
        review.close()


COARSER = [
    [("engraver", "LOCATION")],
    [("Hancock", "NAME"), ("Calumet", "nobody")],
    [("12 March 2024", "nobody", "two")],
    [("12 March 2024", "nobody")],
    [("12 March 2024", "apart", "spring 2024")],
    [("Ingrid Aas", "EVENT_DATE")],
    [("March 2024", "12 March 2024")],
    [("12 March 2024", "March 2024"), ("Hancock", "Calumet", "two")],
    [("Elena Vargas", "another-2", "three"), ("engraver", "LOCATION", "one")],
]


@pytest.mark.parametrize("sayings", COARSER)
@pytest.mark.parametrize("limits", [{}, {"theta_doc": 0.5, "theta_chain": 0.2}])
def test_what_if_foresees_what_a_correction_makes_coarser_by_rule(coarser, sayings, limits):
    """Values of another type are generalized or no longer, months are shared or no longer."""
    review = ReviewSession(coarser, "R. Viewer")
    try:
        if limits:
            review.decisions.limit(0, limits)
        for value, said, *part in sayings:
            say(review, value, said, *part)
        told = review.estimated()
        review.apply(review.decisions.kept.version)
        now = estimate(review.opened, PendingDecisions())
        ids = review.opened.incidence.entities
        assert told.masked == now.masked and told.mentions == now.mentions
        assert (told.documents_over, told.chains_over) == (now.documents_over, now.chains_over)
        assert told.plan.after.tolist() == pytest.approx(now.plan.after.tolist())
        assert (told.exposure, told.utility) == pytest.approx((now.exposure, now.utility))
        assert len(ids) == len(set(ids))
    finally:
        review.close()


def test_the_menu_of_corrections_reads_as_a_sentence_with_its_button(run, serve):
    """The label, its choices and the button say "Correct to: no identifier (nobody's)"."""
    with serve(run).client() as client:
        page = client.get("/").text
    assert re.search(
        r"<label>Correct to <select[^>]*><option[^>]*>no identifier \(nobody’s\)<", page
    )
    assert 'id="do-correct">Correct</button>' in page


def test_nobodys_needs_a_reason_is_logged_without_a_value_and_undone(run, serve):
    served = serve(run)
    review = served.review
    form = {
        "entity": review.opened.labels[review.opened.values.index("engraver")],
        "said": "nobody",
    }
    with served.client() as client:
        assert client.post("/correct", data={"version": 0, **form}).status_code == 422
        form["reason"] = "not about a person"
        assert client.post("/correct", data={"version": 0, **form}).status_code == 303
        assert "nobody’s" in client.get("/").text
        assert review.decisions.pending.correct == {key(review, "engraver"): "nobody"}
        assert client.post("/correct", data={"version": 0, **form}).status_code == 409
        assert client.post("/undo", data={"version": 1, "step": 1}).status_code == 303
    assert review.decisions.pending == PendingDecisions()
    log = (run / LOG).read_text()
    assert "engraver" not in log and key(review, "engraver") not in log
    assert [json.loads(line)["action"] for line in log.splitlines()] == ["correct", "undo"]


def words_of(made: Decisions) -> set[str]:
    """What persons said of the values, in words."""
    rows, opened = corrections(made), made.opened
    return {correction_of(rows, opened, n) for n in range(opened.incidence.n_entities)}


def test_nothing_is_said_of_values_of_which_nobody_said_anything(run, serve):
    served = serve(run)
    made, opened = served.review.decisions, served.review.opened
    assert words_of(made) == {""}
    say(served.review, "Hancock", "AGE")
    say(served.review, "I. Aas", "Ingrid Aas")
    assert words_of(made) == {"", "is AGE", "one with Ingrid Aas"}
    with served.client() as client:
        html = client.get(f"/value/{opened.labels[opened.values.index('Calumet')]}").text
    assert "Corrected:" not in html


def test_trying_shows_what_it_would_come_to_and_decides_nothing(run, serve):
    served = serve(run)
    label = served.review.opened.labels[served.review.opened.values.index("Hancock")]
    form = {"version": 0, "entity": label, "said": "NAME", "try": "1"}
    with served.client() as client:
        html = client.post("/correct", data=form).text
    assert "If it is so: <bdi>is NAME</bdi>" in html and 'id="tried-masked"' in html
    assert served.review.decisions.kept.version == 0 and not (run / LOG).exists()


def test_rows_that_are_chosen_become_one_with_the_most_frequent_of_them(run, serve):
    served = serve(run)
    review = served.review
    labels = [review.opened.labels[review.opened.values.index(v)] for v in ("I. Aas", "Ingrid Aas")]
    with served.client() as client:
        data = {"version": 0, "entity": labels, "said": "one"}
        assert client.post("/correct", data=data).status_code == 303
        other = {"version": 1, "entity": labels[1], "said": "one", "other": "I. AAS"}
        refused = client.post("/correct", data=other)
    assert review.decisions.pending.correct == {key(review, "I. Aas"): key(review, "Ingrid Aas")}
    assert refused.status_code == 422 and "united with itself" in refused.text


def test_a_decision_about_a_value_goes_along_with_its_reason_when_it_is_another_type(run):
    review = ReviewSession(run, "R. Viewer")
    try:
        decide(review, "Hancock", "keep")
        say(review, "Hancock", "AGE")
        review.apply(review.decisions.kept.version)
        now = review.opened.values.index("Hancock")
        assert review.opened.type(now) == "AGE"
        assert review.decisions.of(now).reason == "public knowledge"
        assert now not in review.opened.plan.masked and not review.decisions.pending.keep
    finally:
        review.close()


def test_what_is_saved_makes_the_same_of_the_next_run(run, serve, tmp_path):
    """Corrections by id, and what was marked as values of a recognizer.

    Rare words are left out: they are looked for in what was detected before it was corrected.
    """
    served = serve(run)
    review = served.review
    say(review, "engraver", "nobody")
    say(review, "I. Aas", "Ingrid Aas")
    review.mark(review.decisions.kept.version, "wrote", "NAME")
    review.mark(review.decisions.kept.version, "knows both", "NAME", 3)
    review.apply(review.decisions.kept.version)
    commands.apply_run(run, tmp_path / "out", {})
    with served.client() as client:
        saved = client.get("/decisions.toml").text
    config = tmp_path / "decisions.toml"
    config.write_text(saved)
    tree = tomllib.loads(saved)
    found = [(row["values"], row.get("documents")) for row in tree["recognizer"]]
    assert found == [(["wrote"], None), (["knows both"], ["four"])]
    settings = load(config, overrides={"workers": 1, "detector": "patterns"}, environment={})
    given = tmp_path / "given.jsonl"
    commands.scan_files(run.parent / "in.jsonl", tmp_path / "next", settings, mentions=given)
    with commands_run(tmp_path / "next") as again, commands_run(run) as before:
        known = {(m.value, m.type) for m in again.mentions() if m.type != RARE_TERM}
        marked = {("wrote", "NAME"), ("knows both", "NAME")}
        then = {(m.value, m.type) for m in before.mentions() if m.type != RARE_TERM}
        assert known == then - marked


def test_whoever_saves_the_decisions_reads_that_marked_values_are_among_them(run, serve):
    served = serve(run)
    served.review.mark(served.review.decisions.kept.version, "wrote", "NAME")
    with served.client() as client:
        assert "wrote" in client.get("/decisions.toml").text
        assert "it holds the values that were marked as missed" in client.get("/decisions").text


def commands_run(path: Path):
    from linkmask.runs import Run

    return Run.open(path)


def test_a_value_marked_here_is_masked_in_this_document_only(run, serve, tmp_path):
    served = serve(run)
    with served.client() as client:
        assert "Mask it here only" in client.get("/document/2").text
        form = {"version": 0, "value": "ill", "type": "MEDICAL_CONDITION", "here": "2"}
        assert client.post("/missed", data=form).status_code == 303
        version = served.review.decisions.kept.version
        assert client.post("/apply", data={"version": version}).status_code == 303
    commands.apply_run(run, tmp_path / "out", {})
    rows = (tmp_path / "out" / "documents" / "in.jsonl").read_text()
    assert "was ill" not in rows


def test_documents_that_are_chosen_on_a_names_page_speak_of_another_person(run, serve):
    """From what-if to the plan: both persons have a row, and it is logged, undone and saved."""
    served = serve(run)
    review, opened = served.review, served.review.opened
    label = opened.labels[opened.values.index("Ingrid Aas")]
    held = [opened.incidence.documents[d] for d in opened.holders(opened.numbers[label])]
    number = opened.incidence.documents.index("three") + 1
    form = {"version": 0, "entity": label, "said": "another", "in": number}
    with served.client() as client:
        page = client.get(f"/value/{label}").text
        assert f'name="in" value="{number}"' in page and "another person" in page
        tried = client.post("/correct", data=form | {"try": "1"}).text
        assert "another person of this name (2)" in tried and review.decisions.kept.version == 0
        refused = client.post("/correct", data={**form, "in": ""})
        assert refused.status_code == 422 and "choose the documents" in refused.text
        every = [opened.incidence.documents.index(name) + 1 for name in held]
        assert client.post("/correct", data={**form, "in": every}).status_code == 422
        place = opened.labels[opened.values.index("Hancock")]
        assert client.post("/correct", data={**form, "entity": place}).status_code == 422
        assert client.post("/correct", data=form).status_code == 303
        assert "in 1 document" in client.get("/decisions").text
        assert client.post("/undo", data={"version": 1, "step": 1}).status_code == 303
        assert review.decisions.pending == PendingDecisions()
        assert client.post("/correct", data=form | {"version": 2}).status_code == 303
        assert client.post("/apply", data={"version": 3}).status_code == 303
        table = client.get("/?q=aas").text
        assert "Ingrid Aas (2)" in table and ">Ingrid Aas<" in table
        saved = tomllib.loads(client.get("/decisions.toml").text)
        assert list(saved["graph"]["corrections"].values()) == ["another-2"]
        now = review.opened
        both = [n for n, value in enumerate(now.values) if value == "Ingrid Aas"]
        where = [[now.incidence.documents[d] for d in now.holders(n)] for n in both]
        assert sorted(where) == [["three"], ["two", "five"]]
        protocol = client.get("/protocol").text.partition("<main")[2]
        assert "another person of this name (2), in 1 document" in protocol
    log = (run / LOG).read_text()
    assert "Aas" not in log and json.loads(log.splitlines()[0])["to"] == "another-2"


def test_a_run_of_mentions_alone_says_why_it_can_not_be_corrected(run, serve, tmp_path):
    settings = load(overrides={"workers": 1}, environment={})
    alone = tmp_path / "alone"
    commands.scan_files(None, alone, settings, mentions=tmp_path / "given.jsonl")
    commands.plan_run(alone, {})
    served = serve(alone)
    form = {"version": 0, "entity": served.review.opened.labels[0], "said": "NAME"}
    with served.client() as client:
        answer = client.post("/correct", data=form)
    assert answer.status_code == 422 and "mentions alone" in answer.text


def test_the_protocol_says_what_persons_said_without_a_value(run, serve):
    served = serve(run)
    say(served.review, "I. Aas", "Ingrid Aas")
    say(served.review, "engraver", "nobody")
    with served.client() as client:
        html = client.get("/protocol").text.partition("<main")[2]
    assert "not about a person" in html and "one with" in html
    assert not any(value in html for value in served.review.opened.values)


def test_a_value_marked_here_is_masked_in_that_document_of_the_next_run_too(run, serve, tmp_path):
    """The saved decisions name the document; where else the value stands, it stays readable."""
    served = serve(run)
    review = served.review
    review.mark(0, "knows both", "NAME", 3)
    with served.client() as client:
        config = tmp_path / "decisions.toml"
        config.write_text(client.get("/decisions.toml").text)
    source = run.parent / "in.jsonl"
    more = {"id": "six", "content": "He knows both towns."}
    source.write_text(source.read_text() + json.dumps(more) + "\n")
    settings = load(config, overrides={"workers": 1, "detector": "patterns"}, environment={})
    commands.mask_files(source, tmp_path / "next", settings)
    rows = (tmp_path / "next" / "documents" / "in.jsonl").read_text().splitlines()
    assert ["knows both" in row for row in rows] == [False] * 5 + [True]
    assert "I. Aas [NAME]" in rows[3]
