"""Style `rewrite`: what a model writes takes a document's place only after it was looked at."""

import hashlib
import json
import re

import pytest

import linkmask
from linkmask import llm
from linkmask.config import Settings, checked
from linkmask.errors import BadAnswer, BudgetSpent, SettingsError
from linkmask.pipeline.redaction.rewriting import LEFT, LOST, NEW, PLACEHOLDER
from linkmask.records import Document
from linkmask.redact import rewrite
from scripted_models import Scripted

SETTINGS = Settings(style="rewrite", llm_url="http://127.0.0.1:1/v1", llm_model="m", workers=1)
TEXT = (
    "Otto Brandvold (member ID SFH-2207-419) rang from (906) 555-0143 on 12 March 2024.\n\n"
    "He is a monument engraver and was seen for tremor at Lakeshore Clinic in Hancock."
)
PLACEHOLDERS = re.compile(r"\[[A-Z_]+\]")


def given(request):
    """The masked text in a request, between its marks."""
    user = request.messages[1][1]
    mark = user.split("\n")[1]
    return user.split(f"{mark}\n", 1)[1].rsplit(f"\n{mark}\n", 1)[0]


def well(request):
    """A model that does as it is told."""
    return {"text": PLACEHOLDERS.sub("something", given(request))}


@pytest.fixture
def masked(monkeypatch):
    """Mask documents with a scripted model; returns content, notes and faults of the first."""

    def work(reply, text=TEXT, settings=SETTINGS, metadata=None):
        work.model = Scripted(reply)
        monkeypatch.setattr(llm, "connect", lambda settings: work.model)
        result = linkmask.mask([Document("a", text, metadata or {})], settings)
        (document,) = result.documents
        work.audit = result.audit
        work.document = document
        return document.content, work.audit.model

    return work


def test_a_good_rewriting_takes_the_place_of_the_masked_text(masked):
    content, model = masked(well)
    assert content == PLACEHOLDERS.sub("something", given(masked.model.asked[0]))
    assert "Otto" not in content
    assert "\n\n" in content
    assert (model["rewritten"], model["left_in_value"]) == (1, [])
    assert len(masked.model.asked) == 1


def test_the_model_never_sees_a_masked_value(masked):
    masked(well)
    said = json.dumps([request.messages for request in masked.model.asked])
    for value in ("Otto", "Brandvold", "SFH-2207-419", "555-0143"):
        assert value not in said


def test_metadata_is_still_written_by_value(masked):
    masked(well, metadata={"patient": "Otto Brandvold"})
    assert masked.document.metadata == {"patient": "[NAME]"}


def once(bad):
    """Write something bad at first, and do as told the second time."""

    def reply(request):
        return bad(request) if len(request.messages) == 2 else well(request)

    return reply


def with_more(more):
    return lambda request: {"text": well(request)["text"] + more}


def without(word):
    return lambda request: {"text": well(request)["text"].replace(word, "that")}


BAD = [
    (with_more(" His name is OTTO  Brandvold."), LEFT),
    (with_more(" Member: sfh2207419."), LEFT),
    (lambda request: {"text": given(request)}, PLACEHOLDER),
    (with_more(" Mail: nobody.atall@example.org."), NEW),
]


@pytest.mark.parametrize(("bad", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_a_bad_rewriting_gets_a_second_try_with_the_findings(masked, bad, reason):
    content, model = masked(once(bad))
    assert content == well(masked.model.asked[0])["text"]
    assert model["rewritten"] == 1
    first, second = masked.model.asked
    assert [role for role, _ in second.messages] == ["system", "user", "assistant", "user"]
    assert second.messages[:2] == first.messages
    assert "This text has faults:" in second.messages[3][1]


@pytest.mark.parametrize(("bad", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_after_the_second_try_the_document_stays_in_value_and_that_is_reported(masked, bad, reason):
    content, model = masked(bad)
    assert content == given(masked.model.asked[0])
    assert "[NAME]" in content
    assert (model["rewritten"], model["left_in_value"]) == (0, ["a"])
    assert reason in model["rewriting_faults"]
    assert "Otto" not in json.dumps(model)


def test_a_kept_value_must_still_stand_in_a_known_form(masked):
    settings = Settings(
        **{**SETTINGS_GIVEN, "theta_doc": 1.0, "theta_chain": 1.0, "generalize": {}}
    )
    content, model = masked(without("Lakeshore Clinic"), settings=settings)
    assert "Lakeshore Clinic" in content
    assert LOST in model["rewriting_faults"]
    assert "Lakeshore Clinic" in masked.model.asked[1].messages[3][1]
    content, model = masked(without("12 March 2024"), settings=settings)
    assert LOST in model["rewriting_faults"]
    other = lambda r: {"text": well(r)["text"].replace("12 March 2024", "March 12, 2024")}  # noqa: E731
    assert "March 12, 2024" in masked(other, settings=settings)[0]


SETTINGS_GIVEN = {
    "style": "rewrite",
    "llm_url": "http://127.0.0.1:1/v1",
    "llm_model": "m",
    "workers": 1,
}


def test_a_model_that_gives_no_answer_leaves_the_document_in_value(masked):
    content, model = masked(lambda request: BadAnswer("bad"))
    assert "[NAME]" in content
    assert model["rewriting_faults"] == {"no answer (BadAnswer)": 1}


def test_what_stops_the_model_stops_the_release(masked):
    with pytest.raises(BudgetSpent):
        masked(lambda request: BudgetSpent("spent"))


def test_a_document_without_a_mask_is_not_asked_about(masked):
    assert masked(well, "The plan pays for home infusion.")[0] == "The plan pays for home infusion."
    assert masked.model.asked == []


def test_a_long_document_is_rewritten_in_parts_and_only_where_something_was_masked(masked):
    long = TEXT + "\n\n" + "The plan pays for rides in all counties.\n" * 80 + TEXT
    settings = Settings(**SETTINGS_GIVEN, llm_window=200)
    content, model = masked(well, long, settings)
    assert model["rewritten"] == 1
    assert 1 < len(masked.model.asked) < len(rewrite.split_text(long, settings))
    assert content.count("rides in all counties.\n") == 80
    assert not PLACEHOLDERS.search(content)


def test_rewriting_goes_with_no_other_style_and_needs_a_model():
    with pytest.raises(SettingsError, match="whole documents"):
        checked(Settings(**SETTINGS_GIVEN, styles={"NAME": "pseudonym"}))
    with pytest.raises(SettingsError, match="--llm-url"):
        checked(Settings(style="rewrite"))


def test_a_context_without_room_is_said():
    with pytest.raises(SettingsError, match="no room"):
        rewrite.split_text("text", Settings(llm_context=512))


def test_the_prompt_that_changes_takes_a_new_version():
    digest = hashlib.sha256(rewrite.FILE.read_bytes()).hexdigest()
    assert (rewrite.prompt()[0], digest[:12]) == ("rewrite/1", "6e9588247b25")


def test_costs_are_noted_by_document(masked):
    _, model = masked(well)
    assert (model["stages"], model["requests"], model["tokens_in"]) == (["rewrite"], 1, 100)


def test_each_of_several_texts_is_rewritten_and_its_document_noted_once(monkeypatch):
    """Where several fields hold text, none of them stays unread, and none takes another's place."""
    model = Scripted(well)
    monkeypatch.setattr(llm, "connect", lambda settings: model)
    settings = Settings(**SETTINGS_GIVEN, text_field=("subject", "turns[].body"))
    turns = [{"body": "The plan pays for rides."}, {"body": TEXT}]
    record = {"id": "a", "subject": "Call of Otto Brandvold", "turns": turns}
    result = linkmask.mask([record], settings)
    (written,) = result.records
    assert written["subject"] == "Call of something"
    assert written["turns"][0] == turns[0]
    assert written["turns"][1]["body"].startswith("something")
    assert not PLACEHOLDERS.search(str(written)) and "Brandvold" not in str(written)
    assert result.audit.model["rewritten"] == 1
    assert len(model.asked) == 2


def test_one_text_that_is_not_rewritten_well_leaves_the_others_rewritten(monkeypatch):
    """The bad one stays in style `value`, and its document is listed."""
    bad = with_more(" Member: sfh2207419.")
    model = Scripted(lambda request: (well if "Call of" in given(request) else bad)(request))
    monkeypatch.setattr(llm, "connect", lambda settings: model)
    settings = Settings(**SETTINGS_GIVEN, text_field=("subject", "body"))
    result = linkmask.mask([{"subject": "Call of Otto Brandvold", "body": TEXT}], settings)
    (written,) = result.records
    assert written["subject"] == "Call of something"
    assert written["body"].startswith("[NAME]")
    assert result.audit.model["left_in_value"] == ["0"]
    assert LEFT in result.audit.model["rewriting_faults"]
