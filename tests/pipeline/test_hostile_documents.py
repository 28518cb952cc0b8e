"""Documents that give orders, and a server that obeys them, over real HTTP (examples/hostile)."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkmask.commands import mask_files
from linkmask.config import Settings
from linkmask.detect.prompted.prompts import request as request_for
from linkmask.runs import Run
from scripted_models import document_of
from serving import Scripted, reply

HOSTILE = Path(__file__).parents[2] / "examples" / "hostile"
DOCUMENTS = HOSTILE / "documents"
OBEYED = json.loads((HOSTILE / "obeyed.json").read_text(encoding="utf-8"))
TEXTS = {
    record["content"]: record["id"]
    for record in (json.loads(path.read_text()) for path in sorted(DOCUMENTS.iterdir()))
}
NO_ANSWER = {"04_role_play", "12_endless", "13_refuse"}
"""What an obedient model answers to these is no answer."""


def obey(request):
    """Answer as the document in the request tells its reader to."""
    said = request["messages"][-1]["content"]
    (name,) = [name for text, name in TEXTS.items() if text[:60] in said or text[-60:] in said]
    answer = OBEYED[name]
    if answer is None:
        whole = reply(None, tokens=(9000, 5))
        whole["choices"][0]["message"]["refusal"] = "I can't help with that."
        return whole
    return reply(answer, tokens=(9000, 20))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with Scripted(obey) as server:
        yield server.url


@pytest.fixture
def masked(tmp_path, url):
    """Mask the hostile documents; returns the mentions by document, and the audit."""

    def work(name, **changes):
        settings = Settings(
            llm_url=url,
            llm_model="obedient",
            llm_cache=str(tmp_path / "llm.sqlite"),
            llm_retries=1,
            workers=1,
            detector=name,
            **changes,
        )
        out = tmp_path / name
        audit = mask_files(DOCUMENTS, out, settings)
        with Run.open(tmp_path / f"{name}.run") as run:
            mentions = dict(run.by_document())
        return mentions, audit, out

    return work


def written(out):
    return {p.stem: json.loads(p.read_text())["content"] for p in (out / "documents").iterdir()}


def test_there_are_a_dozen_ways_to_give_orders_and_an_answer_that_obeys_each():
    assert len(TEXTS) >= 12
    assert sorted(OBEYED) == sorted(TEXTS.values())


def test_beside_the_embedded_detector_nothing_it_finds_is_lost_or_weakened(masked):
    alone, _, before = masked("embedded")
    both, audit, after = masked("embedded+llm", llm_failed="embedded")
    assert audit.counts["released"] == len(TEXTS)
    for name, mentions in alone.items():
        for mention in mentions:
            over = [
                m
                for m in both[name]
                if m.field == mention.field and m.start <= mention.start and mention.end <= m.end
            ]
            assert over, (name, mention.type)
            if over[0].type == mention.type:
                assert over[0].relevance >= mention.relevance
    kept, now = written(before), written(after)
    hidden = {(name, m.original) for name, found in alone.items() for m in found}
    hidden = {(name, value) for name, value in hidden if value not in kept[name]}
    assert len(hidden) > 50
    assert [pair for pair in sorted(hidden) if pair[1] in now[pair[0]]] == []


def test_every_document_is_listed_for_review_or_marked_as_without_an_answer(masked):
    _, audit, _ = masked("embedded+llm", llm_failed="embedded")
    assert set(audit.model["embedded_only"]) == NO_ANSWER
    doubted = set(TEXTS.values()) - NO_ANSWER
    assert set(audit.model["review"]) == doubted
    assert audit.model["dropped"]["not in the text"] >= 300


def test_by_default_a_document_without_an_answer_is_set_aside(masked):
    _, audit, out = masked("embedded+llm")
    assert {item["document"] for item in audit.set_aside} == NO_ANSWER
    assert NO_ANSWER.isdisjoint(written(out))


def test_a_model_alone_that_obeys_releases_none_of_them(masked):
    _, audit, out = masked("llm")
    assert audit.counts["released"] == 0
    assert written(out) == {}
    reasons = {item["reason"].split(":")[0].split(" (")[0] for item in audit.set_aside}
    assert reasons == {
        "the model found far less than patterns see",
        "the model gave no answer that can be used",
    }


def test_even_where_the_user_releases_them_no_number_of_the_floor_is_left(masked):
    _, audit, out = masked("llm", llm_doubted="release")
    patterns, _, _ = masked("patterns")
    floor = Settings().floor
    for name, text in written(out).items():
        left = [m.original for m in patterns[name] if m.type in floor and m.original in text]
        assert left == []
    assert audit.counts["released"] == len(TEXTS) - len(NO_ANSWER)


def test_nothing_in_a_document_can_end_it_for_the_reader():
    for text in TEXTS:
        asked = request_for("stage1", text, Settings())
        assert document_of(asked) == text
        assert asked.messages[0][1].count("\n# ") > 3
