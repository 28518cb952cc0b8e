"""A language model beside the policies, over real HTTP: what it may decide, and what it may not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import linkmask
from linkmask import detect
from linkmask.records import Mention, Why
from serving import BROKEN, Fault, Scripted

TEXT = "Martha Quill called. Her neighbour is ansgar of the lighthouse."
SIZE = "Martha Quill wears EU 43."


def masked(server: Scripted, texts: list[Any], tmp_path: Path, **given: object) -> linkmask.Result:
    """Mask texts under GDPR with a model behind the server."""
    settings = linkmask.load(
        overrides={
            "policy": "gdpr",
            "policy_model": True,
            "llm_url": server.url,
            "llm_model": "scripted",
            "llm_cache": str(tmp_path / "cache.sqlite"),
            "llm_retries": 0,
            "workers": 1,
            **given,
        },
        environment={},
    )
    return linkmask.mask(texts, settings)


def said(request: dict[str, Any]) -> str:
    """Return which of the three prompts a request is."""
    text = request["messages"][-1]["content"]
    heads = {"detector found": "type", "privacy officer": "reason", "two marks": "remaining"}
    return next(name for words, name in heads.items() if words in text)


def answering(type_: str = "UNKNOWN", values: tuple[tuple[str, str], ...] = ()) -> Any:
    def answer(request: dict[str, Any]) -> Any:
        if said(request) == "type":
            return {"type": type_}
        if said(request) == "reason":
            facts = request["messages"][-1]["content"]
            citation = re.search(r"Art\. [^:]+(?=: it was)", facts)
            return {"sentence": f"As {citation[0] if citation else ''} asks, this was so treated."}
        return {"values": [{"value": value, "type": kind} for value, kind in values]}

    return answer


def test_a_value_that_a_model_still_sees_is_masked(tmp_path: Path) -> None:
    """It becomes a mention of the run; what does not stand in the text is dropped."""
    answer = answering(values=(("ansgar", "NAME"), ("Nobody Else", "NAME")))
    with Scripted(answer) as server:
        result = masked(server, [TEXT], tmp_path, detector="rules")
        (text,) = (one.content for one in result.documents)
    assert "ansgar" not in text and "lighthouse" in text
    assert result.scan.job.retries == 1


ODD = "Her neighbour is ansgar of the lighthouse"
RECORDS = {
    "another field": {"content": "Martha Quill called.", "remark": ODD},
    "metadata": {"content": "Martha Quill called.", "metadata": {"odd": {"remark": ODD}}},
    "one of several texts": {"body": "Martha Quill called.", "replies": [{"text": ODD}]},
}


@pytest.mark.parametrize("where", RECORDS)
def test_the_last_look_reads_every_field(tmp_path: Path, where: str) -> None:
    """A value that a model sees is masked where it stands: in a field, metadata or another text."""
    fields = {"text_field": ("body", "replies[].text")} if "several" in where else {}
    with Scripted(answering(values=(("ansgar", "NAME"),))) as server:
        result = masked(server, [RECORDS[where]], tmp_path, detector="rules", **fields)
        (written,) = result.records
        asked = [str(one) for one in server.seen if said(one) == "remaining"]
    assert "ansgar" in asked[0] and "ansgar" not in str(written)
    assert "lighthouse" in str(written)


def test_a_value_that_a_model_names_with_its_label_is_masked_in_its_field(tmp_path: Path) -> None:
    """What stands in no field as the model wrote it is looked for part by part."""
    record = {"content": "Martha Quill called.", "remark": ODD}
    seen = answering(values=((f"remark: {ODD}", "NAME"),))
    with Scripted(seen) as server:
        (written,) = masked(server, [record], tmp_path, detector="rules").records
    assert "ansgar" not in str(written)


def test_the_last_look_tells_of_values_in_excluded_fields(tmp_path: Path) -> None:
    """An excluded field stays as it is, and what a model sees in it is a finding."""
    record = {"content": "Martha Quill called.", "remark": ODD}
    with Scripted(answering(values=(("ansgar", "NAME"),))) as server:
        kept = {"detector": "rules", "exclude_fields": ("remark",)}
        result = masked(server, [record], tmp_path, **kept)
    assert [one["remark"] for one in result.records] == [ODD]
    (finding,) = [one for one in result.findings if one.kind == "excluded"]
    assert not finding.blocking and "NAME" in finding.detail


def test_what_a_model_names_inside_a_mask_is_no_value(tmp_path: Path) -> None:
    """A placeholder is not mistaken for a value, so there is no second try."""
    with Scripted(answering(values=(("NAME", "NAME"),))) as server:
        result = masked(server, ["Martha Quill called."], tmp_path)
    assert result.scan.job.retries == 0 and result.set_aside == []


def test_a_document_that_the_model_can_not_look_at_is_set_aside(tmp_path: Path) -> None:
    """No answer is no pass."""

    def answer(request: dict[str, Any]) -> Any:
        return Fault(400, {"error": {"message": "no"}}) if said(request) == "remaining" else {}

    with Scripted(answer) as server:
        result = masked(server, [TEXT], tmp_path)
        assert list(result.documents) == []
    (aside,) = result.set_aside
    assert aside.step == "verify" and "ansgar" not in aside.reason


@pytest.fixture
def sized(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A schema with a type no policy knows, and a detector that finds it."""
    find = detect.first_passes

    def first_pass(document, settings, canonical):  # type: ignore[no-untyped-def]
        at = document.content.find("EU 43")
        why = Why("test")
        size = Mention(document.id, "content", at, at + 5, "SHOE", "EU 43", "eu 43", 0.5, why)
        return [*find([document], settings, canonical)[0], *([size] if at >= 0 else [])]

    def first_passes(documents, *rest):  # type: ignore[no-untyped-def]
        return [first_pass(document, *rest) for document in documents]

    monkeypatch.setattr(detect, "first_passes", first_passes)
    table = tmp_path / "own.toml"
    table.write_text('extends = "regulated"\n[added]\nSHOE = 0.2\n')
    return str(table)


def test_a_model_names_an_unknown_type_and_its_rule_is_carried_out(
    sized: str, tmp_path: Path
) -> None:
    """A shoe size is a demographic fact, the model says: GDPR keeps it, nobody is asked."""
    with Scripted(answering("DEMOGRAPHIC")) as server:
        result = masked(server, [SIZE], tmp_path, schema=sized)
        assert result.set_aside == []
        types = [one for one in server.seen if said(one) == "type"]
    assert len(types) == 1 and "EU 43" not in str(types)
    assert {why.type for why in result.scan.job.reasons().values()} == {"NAME", "DEMOGRAPHIC"}


@pytest.mark.parametrize("answer", [answering("UNKNOWN"), lambda request: BROKEN])
def test_without_a_models_answer_a_person_is_asked(sized: str, tmp_path: Path, answer: Any) -> None:
    """Unsure or silent, the model decides nothing."""
    with Scripted(answer) as server:
        result = masked(server, [SIZE], tmp_path, schema=sized)
    assert [aside.step for aside in result.set_aside] == ["policy"]


def test_the_models_sentence_stands_where_it_agrees(tmp_path: Path) -> None:
    """It cites the rule and names no other technique or number."""
    with Scripted(answering()) as server:
        result = masked(server, ["Martha Quill called."], tmp_path)
        (why,) = result.scan.job.reasons().values()
    assert why.sentence == f"As {why.citation} asks, this was so treated."


def test_embeddings_find_the_example_where_the_server_has_them(tmp_path: Path) -> None:
    """Asked once for each case; without an answer likeness is by words."""
    likened = {"policy_model": False, "policy_embeddings": True}
    with Scripted() as server:
        result = masked(server, ["Martha Quill has asthma."], tmp_path, **likened)
        examples = {why.example for why in result.scan.job.reasons().values()}
        asked = [one["input"] for one in server.seen]
    assert asked and "Quill" not in str(asked) and all(examples)
    result = masked(server, ["Martha Quill paid."], tmp_path, **likened)  # the server is gone
    assert all(why.example for why in result.scan.job.reasons().values())
