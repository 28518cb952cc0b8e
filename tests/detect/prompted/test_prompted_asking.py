"""Documents are asked about in windows that fit; a refusal is an error of one document."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from linkmask.config import Settings
from linkmask.detect import prompted
from linkmask.errors import BadAnswer, BudgetSpent, ContextTooLong, Refused, SettingsError
from linkmask.llm import windows
from linkmask.llm.token_estimate import estimated_tokens, of_request
from linkmask.records import Document
from model_answers import SETTINGS, found
from scripted_models import Scripted, document_of, naming

texts = st.text(st.sampled_from("ab .\nÄ字1"), max_size=400)


@settings(max_examples=60, deadline=None)
@example(" 111aaa 111字", 8, 3)
@example(" 111aaa 111字", 9, 4)
@given(texts, st.integers(9, 60), st.integers(0, 4))
def test_windows_cover_a_text_in_order_overlap_and_fit(text, most, overlap):
    cut = list(windows.windows(text, most, overlap))
    assert "".join(text[w.start : w.end] for w in cut) or not text
    assert (cut[0].start, cut[-1].end) == (0, len(text)) if cut else not text
    for one, after in pairwise(cut):
        assert one.start < after.start <= one.end < after.end
    assert all(estimated_tokens(text[w.start : w.end]) <= max(most, 4) for w in cut)


def test_a_value_at_a_cut_is_whole_in_one_of_two_windows():
    text = "word " * 400
    value = "Imke Verhoeven"
    for at in range(200, 1900, 15):
        whole = f"{text[:at]} {value} {text[at:]}"
        cut = windows.windows(whole, 120, 20)
        assert any(value in whole[w.start : w.end] for w in cut)


def test_halves_are_smaller_and_cover_the_window():
    text = "word " * 100
    one, other = windows.halves(text, windows.Window(50, 450), 10)
    assert (one.start, other.end) == (50, 450)
    assert one.start < other.start <= one.end < other.end


def test_time_is_linear_in_the_length_of_a_text():
    assert len(list(windows.windows("word " * 200_000, 2000, 100))) < 1000


def ask(model, content, settings_=SETTINGS, stage="stage1", metadata=None):
    document = Document("d", content, metadata or {})
    (heard,) = prompted.ask(model, [prompted.question(document, stage, settings_)], settings_)
    return heard


def test_a_model_reads_the_metadata_too_each_value_with_its_label():
    model = Scripted(naming({}))
    ask(model, "The text.", metadata={"patientName": "Jane Doe", "format": "note"})
    assert document_of(model.asked[0]) == "patient name: Jane Doe\nformat: note\n\nThe text."


def test_several_texts_are_shown_apart_and_a_value_is_found_in_each_of_its_fields():
    """No value runs from one field into the next, and none is put into another field."""
    others = {"subject": "Call of Jane Doe", "reporter": "Jane Doe", "body": "Otto Roe rang."}
    texts = ("record/subject", "record/body")
    document = Document("d", "", {}, others=others, texts=texts)
    model = Scripted(naming({"Jane Doe": "NAME", "Otto Roe": "NAME"}))
    asked = prompted.question(document, "stage1", SETTINGS)
    (heard,) = prompted.ask(model, [asked], SETTINGS)
    shown = "reporter: Jane Doe\n\nCall of Jane Doe\n\nOtto Roe rang."
    assert document_of(model.asked[0]) == shown
    named = prompted.mentions(
        document, asked.readings, heard.entries, SETTINGS, lambda _, value: value, "r", Counter()
    )
    assert {(one.field, one.original) for one in named} == {
        ("record/subject", "Jane Doe"),
        ("record/reporter", "Jane Doe"),
        ("record/body", "Otto Roe"),
    }


def test_the_thesis_shows_the_text_in_small_letters_and_the_original_is_found():
    model = Scripted(naming({"jane doe": "NAME"}))
    heard = ask(model, "Jane DOE.", Settings(llm_lowercase=True))
    assert document_of(model.asked[0]) == "jane doe."
    assert found("Jane DOE.", [list(heard.entries[0])])[0][0].original == "Jane DOE"


def test_a_long_document_is_asked_about_in_windows_that_fit_and_nothing_is_left_out():
    small = Settings(llm_context=4096, llm_max_tokens=512, llm_window=300)
    names = {f"Person{n}": "NAME" for n in range(200)}
    text = " ".join(f"Then came {name} and said a few words." for name in names)
    model = Scripted(naming(names))
    heard = ask(model, text, small)
    assert {entry.original for entry in heard.entries} == set(names)
    assert len(model.asked) == heard.requests > 5
    for request in model.asked:
        assert of_request(request) <= small.llm_context
        assert "part of a longer document" in request.messages[-1][1]


def test_an_empty_document_is_not_asked_about_and_keeps_its_place():
    model = Scripted(naming({"Jane": "NAME"}))
    given_ = [Document("a", ""), Document("b", "Jane"), Document("c", "")]
    questions = [prompted.question(one, "stage1", SETTINGS) for one in given_]
    heard = list(prompted.ask(model, questions, SETTINGS))
    assert [one.question.document.id for one in heard] == ["a", "b", "c"]
    assert [len(one.entries) for one in heard] == [0, 1, 0]
    assert len(model.asked) == 1


def refuse_long(most):
    def reply(request):
        text = document_of(request)
        return ContextTooLong("too long") if len(text) > most else naming(NAMES)(request)

    return reply


NAMES = {"Jane Doe": "NAME", "Otto Roe": "NAME"}
TALE = f"Jane Doe came. {'And so on. ' * 200} Otto Roe went."


def test_a_window_too_long_for_the_model_is_halved_until_it_fits():
    heard = ask(Scripted(refuse_long(700)), TALE)
    assert heard.error is None
    assert {entry.original for entry in heard.entries} == set(NAMES)


def test_a_model_that_takes_no_window_however_small_ends_the_run_after_a_few_tries():
    model = Scripted(refuse_long(10))
    with pytest.raises(ContextTooLong):
        ask(model, TALE)
    assert len(model.asked) < 8


def test_an_answer_that_cannot_be_used_is_asked_for_again_once_in_halves():
    def reply(request):
        return BadAnswer("bad") if len(document_of(request)) > 1500 else naming(NAMES)(request)

    model = Scripted(reply)
    heard = ask(model, TALE)
    assert heard.error is None
    assert {entry.original for entry in heard.entries} == set(NAMES)
    assert len(model.asked) == heard.requests == 3
    never = Scripted(lambda request: BadAnswer("bad"))
    assert isinstance(ask(never, TALE).error, BadAnswer)
    assert len(never.asked) == 3


def test_a_refusal_is_an_error_of_this_document_only():
    def reply(request):
        return Refused("no") if "Jane" in document_of(request) else naming(NAMES)(request)

    questions = [
        prompted.question(Document(text, text), "stage1", SETTINGS)
        for text in ("Jane Doe", "Otto Roe")
    ]
    one, other = prompted.ask(Scripted(reply), questions, SETTINGS)
    assert isinstance(one.error, Refused)
    assert (other.error, len(other.entries)) == (None, 1)


def test_what_stops_the_model_stops_the_asking():
    with pytest.raises(BudgetSpent):
        ask(Scripted(lambda request: BudgetSpent("spent")), "Jane Doe")


def test_a_context_without_room_for_a_document_is_said_before_anything_is_asked():
    with pytest.raises(SettingsError, match="llm_context 2,048 has no room"):
        prompted.question(Document("d", "text"), "stage1", Settings(llm_context=2048))


def test_costs_are_those_spent_now_not_those_of_the_cache():
    spent = ask(Scripted(naming({})), "text")
    assert (spent.requests, spent.tokens_in, spent.tokens_out, spent.seconds) == (1, 100, 10, 0.5)
    kept = ask(Scripted(naming({}), cached=True), "text")
    assert (kept.requests, kept.cached, kept.tokens_in, kept.seconds) == (1, 1, 0, 0.0)
