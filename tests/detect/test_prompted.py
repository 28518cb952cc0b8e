"""Extraction by a model, without one: prompts, checks on answers, places, windows, the list."""

import hashlib
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask import schema
from linkmask.config import Settings
from linkmask.detect import prompted
from linkmask.detect.prompted import answers, prompts
from linkmask.detect.view import stored_fields
from linkmask.errors import BadAnswer, BudgetSpent, ContextTooLong, Refused, SettingsError
from linkmask.llm import windows
from linkmask.llm.delimiters import mark_for
from linkmask.llm.tokens import count, of_request
from linkmask.records import CONTENT, Document, Mention, Why
from models import Scripted, document_of, known_of, naming

SETTINGS = Settings()
FOLDER: Path = prompts.FOLDER


def entries(rows, size=1000):
    dropped = Counter()
    kept = answers.entries({"entities": rows}, schema.load("insurance").type_of, size, dropped)
    return kept, dict(dropped)


def found(content, rows, metadata=None, settings_=SETTINGS):
    """Mentions of a document by an answer's rows, and what was dropped."""
    dropped = Counter()
    document = Document("d", content, metadata or {})
    kept = answers.entries({"entities": rows}, schema.load("insurance").type_of, 1000, dropped)
    fields = list(stored_fields(document, settings_))

    def value_of(entity_type, normalized):
        return normalized.lower()

    made = prompted.mentions(document, fields, kept, settings_, value_of, "stage1/1", dropped)
    return made, dict(dropped)


# ── prompts ─────────────────────────────────────────────────────────────────────────────────────

PINNED = {"stage1": ("1", "fb05918511d4"), "stage2": ("1", "5e454da40c48")}
"""Version of each prompt, and the beginning of the digest of the files it is made of."""


@pytest.mark.parametrize("stage", PINNED)
def test_a_prompt_that_changes_takes_a_new_version(stage):
    files = [(FOLDER / f"{name}.txt").read_bytes() for name in (stage, "rules", "examples")]
    version, digest = PINNED[stage]
    assert prompts.prompt(stage, SETTINGS).name == f"{stage}/{version}"
    assert hashlib.sha256(b"\0".join(files)).hexdigest().startswith(digest)


@pytest.mark.parametrize("name", ["insurance", "general", "thesis", "thesis-v0", "regulated"])
def test_a_prompt_names_every_type_of_the_schema_with_its_definition_and_no_other(name):
    types = schema.load(name)
    said = prompts.prompt("stage1", Settings(schema=name)).instructions
    for entity_type in types.types:
        assert f"- {entity_type}: {types.definitions[entity_type]}." in said
    for block in said.split("Answer: ")[1:]:
        rows = json.loads(block.splitlines()[0])["entities"]
        assert {row[2] for row in rows} <= set(types.types)
    assert "$" not in said.replace("$38", "")


def test_a_users_own_schema_brings_its_own_definitions(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text('[direct]\nBADGE = 1.0\nNAME = 1.0\n[definitions]\nBADGE = "a staff badge"\n')
    said = prompts.prompt("stage1", Settings(schema=str(own))).instructions
    assert "- BADGE: a staff badge." in said
    assert "PATIENT_ID:" not in said


def test_dates_are_asked_for_in_the_form_of_the_settings_also_in_the_examples():
    iso = prompts.prompt("stage1", SETTINGS).instructions
    dmy = prompts.prompt("stage1", Settings(llm_dates="dmy")).instructions
    assert "1971-05-04" in iso
    assert "04/05/1971" not in iso
    assert "04/05/1971" in dmy
    assert "1971-05-04" not in dmy


def test_the_examples_are_themselves_answers_that_pass_every_check():
    blocks = (FOLDER / "examples.txt").read_text().split("=== document\n")[1:]
    for block in blocks:
        text, _, answer = block.partition("=== answer\n")
        rows = json.loads(answer.split("=== known")[0])
        made, dropped = found(text, rows)
        assert not dropped
        assert {m.original for m in made} >= {row[0] for row in rows}


def test_the_mark_around_a_document_can_stand_neither_in_it_nor_in_the_list():
    text = "some text"
    mark = mark_for(text)
    assert mark_for(text) == mark
    assert mark_for(f"{text} {mark}") not in f"{text} {mark}"
    assert mark_for(text, mark) != mark


def test_the_list_of_stage_two_holds_values_and_types_but_no_relevance():
    asked = prompts.request("stage2", "text", SETTINGS, [("erna", "NAME")])
    assert known_of(asked) == '["erna", "NAME"]'
    assert asked.name == "stage2/1"
    assert asked.max_tokens == SETTINGS.llm_max_tokens


# ── checks ──────────────────────────────────────────────────────────────────────────────────────

ROWS = [
    (["a", "b", "NAME"], "not four items"),
    (["a", "b", "NAME", 1, 2], "not four items"),
    ("Jane Doe", "not four items"),
    ([7, "7", "AGE", 1], "value is not text"),
    (["x", "x", None, 1], "value is not text"),
    (["  ", "", "NAME", 1], "empty value"),
    (["--", "", "NAME", 1], "empty value"),
    (["x", "x", "SHOE_SIZE", 1], "unknown type"),
    (["x", "x", "NAME", "high"], "relevance is not a number"),
    (["x", "x", "NAME", None], "relevance is not a number"),
    (["x", "x", "NAME", True], "relevance is not a number"),
    (["x", "x", "NAME", float("nan")], "relevance is not a number"),
    (["x" * 241, "x", "NAME", 1], "longer than a sentence"),
    (["word " * 45, "x", "UNIQUE_FACT", 1], "longer than a sentence"),
    (
        ["She came in on Monday with a cough. Then she went home again by bus", "x", "EVENT", 1],
        "longer than a sentence",
    ),
]


@pytest.mark.parametrize(("row", "reason"), ROWS, ids=range(len(ROWS)))
def test_a_row_that_cannot_be_used_is_dropped_and_counted_and_the_others_stay(row, reason):
    kept, dropped = entries([row, ["Jane Doe", "jane doe", "NAME", 0.9]])
    assert [entry.original for entry in kept] == ["Jane Doe"]
    assert dropped == {reason: 1}
    assert reason in answers.DROPS


def test_a_span_over_half_the_document_is_dropped_but_a_short_document_may_be_one_value():
    long = "a long description of one and the same thing that goes on and on without any end to it"
    assert entries([[long, long, "UNIQUE_FACT", 1]], size=len(long) + 20)[1] == {
        "over half of the document": 1
    }
    assert len(entries([["Jane Doe", "jane doe", "NAME", 1]], size=8)[0]) == 1


def test_addresses_with_stops_in_them_are_no_sentences():
    value = "418 Quarry St. Apt. 4\nHancock, MI 49930"
    assert entries([[value, value, "ADDRESS", 1]])[1] == {}


def test_numbers_are_clamped_types_read_through_aliases_and_doubles_keep_the_larger_relevance():
    kept, _ = entries(
        [
            ["P-1", "P-1", "process id", 7],
            ["Jane", "jane", "PERSON", 0.2],
            ["Jane", "jane", "NAME", 0.8],
            ["x", 5, "NAME", -3],
        ]
    )
    assert [tuple(entry) for entry in kept] == [
        ("P-1", "P-1", "NON_PERSONAL_ID", 1.0),
        ("Jane", "jane", "NAME", 0.8),
        ("x", "x", "NAME", 0.0),
    ]


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=5)
            | st.dictionaries(st.sampled_from(["entities", "x"]), inner, max_size=2)
        ),
        max_leaves=12,
    )
)
def test_no_answer_whatever_its_form_breaks_the_checks(value):
    dropped = Counter()
    kept = answers.entries(value, schema.load("insurance").type_of, 100, dropped)
    assert all(0 <= entry.relevance <= 1 for entry in kept)
    assert set(dropped) <= set(answers.DROPS)


# ── places ──────────────────────────────────────────────────────────────────────────────────────

TOLERANT = [
    ("Seen: JANE DOE.", "Jane Doe", "JANE DOE"),
    ("Seen: Jane\n   Doe.", "Jane Doe", "Jane\n   Doe"),
    ("a follow-\nup visit", "follow-up", "follow-\nup"),
    ("a followup visit", "follow-up", "followup"),
    ("his “quiet” uncle", 'his "quiet" uncle', "his “quiet” uncle"),
    ("O’Brien called", "O'Brien", "O’Brien"),
    ("Jane Doe called", "“Jane Doe”,", "Jane Doe"),
    ("née Müller", "Mu\u0308ller", "Müller"),
    ("Jаne Dое called", "Jane Doe", "Jаne Dое"),  # Cyrillic letters in the text
    ("Jane Doe called", "Jаnе Dое", "Jane Doe"),  # and in the answer
    ("Ｊａｎｅ Doe called", "Jane Doe", "Ｊａｎｅ Doe"),
    ("id AB\u00ad-12\u200b34 there", "AB-1234", "AB\u00ad-12\u200b34"),
    ("İt was İrem there", "irem", "İrem"),
]


@pytest.mark.parametrize(("text", "value", "original"), TOLERANT, ids=range(len(TOLERANT)))
def test_a_value_is_found_whatever_the_model_made_of_its_spelling(text, value, original):
    (mention,), dropped = found(text, [[value, value, "NAME", 1]])
    assert mention.original == text[mention.start : mention.end] == original
    assert not dropped


@pytest.mark.parametrize(
    ("text", "value"),
    [("Jane Doe", "John Roe"), ("152 mg", "52"), ("52.5 mg", "52"), ("Annabel", "Anna"), ("", "x")],
)
def test_what_is_not_in_the_text_as_whole_words_is_dropped_and_counted(text, value):
    assert found(text, [[value, value, "NAME", 1]]) == ([], {"not in the text": 1})


def test_every_place_of_a_value_is_a_mention_also_in_the_metadata():
    made, _ = found("Jane Doe. Yes, JANE DOE!", [["Jane Doe", "x", "NAME", 1]], {"who": "jane doe"})
    assert [(m.field, m.original) for m in made] == [
        (CONTENT, "Jane Doe"),
        (CONTENT, "JANE DOE"),
        ("metadata/who", "jane doe"),
    ]
    assert {m.why for m in made} == {Why("llm", "stage1/1", 0.8)}


def test_a_word_that_stands_as_it_is_written_is_taken_there_only():
    made, _ = found("Will said he will.", [["Will", "will", "NAME", 1]])
    assert [m.original for m in made] == ["Will"]


def test_masks_of_an_earlier_run_are_no_values():
    assert found("Ask [NAME] now", [["NAME", "name", "NAME", 1]])[0] == []


# ── windows ─────────────────────────────────────────────────────────────────────────────────────

texts = st.text(st.sampled_from("ab .\nÄ字1"), max_size=400)


@settings(max_examples=60, deadline=None)
@given(texts, st.integers(8, 60), st.integers(0, 4))
def test_windows_cover_a_text_in_order_overlap_and_fit(text, most, overlap):
    cut = list(windows.windows(text, most, overlap))
    assert "".join(text[w.start : w.end] for w in cut) or not text
    assert (cut[0].start, cut[-1].end) == (0, len(text)) if cut else not text
    for one, after in pairwise(cut):
        assert one.start < after.start <= one.end < after.end
    assert all(count(text[w.start : w.end]) <= max(most, 4) for w in cut)


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


# ── asking ──────────────────────────────────────────────────────────────────────────────────────


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


# ── the list of stage 2 ─────────────────────────────────────────────────────────────────────────


def mention(document, value, entity_type="LOCATION", relevance=0.9):
    place = (document, CONTENT, 0, len(value))
    return Mention(*place, entity_type, value, value, relevance, Why("llm", "stage1/1"))


CORPUS = [
    mention("a", "lakeshore clinic", relevance=0.9),
    mention("a", "jane doe", "NAME", 1.0),
    mention("b", "weak spot", relevance=0.2),
    mention("b", "harbour ward", relevance=0.6),
    mention("c", "late entry", relevance=0.5),
]


def shown(text="", **changes):
    settings_ = Settings(llm_existing="corpus", **changes)
    rows, cut = prompted.existing(CORPUS, 100, settings_).near(text, settings_, 10_000)
    assert not cut
    return {value for value, _ in rows}


def test_the_strength_filter_keeps_what_is_relevant_and_rare():
    assert shown(filter_strength=0.4) == {
        "lakeshore clinic",
        "jane doe",
        "harbour ward",
        "late entry",
    }
    assert shown(filter_strength=0.95) == {"jane doe"}


def test_the_type_filter_leaves_out_direct_identifiers():
    assert "jane doe" not in shown(type_filter=True)


@pytest.mark.parametrize(
    ("by", "first"),
    [("most_relevant", "jane doe"), ("least_relevant", "weak spot"), ("most_recent", "late entry")],
)
def test_top_k_takes_the_most_or_least_relevant_or_most_recent(by, first):
    assert shown(filter_strength=0.0, top_k=1, top_k_by=by) == {first}


def test_near_shows_a_document_only_what_shares_words_with_it():
    known = prompted.existing(CORPUS, 100, SETTINGS)
    assert known.near("At the Lakeshore, a clinic.", SETTINGS, 1000)[0] == [
        ("lakeshore clinic", "LOCATION")
    ]
    assert known.near("Nothing of it.", SETTINGS, 1000) == ([], 0)


def test_known_values_without_room_are_counted_the_least_relevant_first():
    settings_ = Settings(llm_existing="corpus")
    rows, cut = prompted.existing(CORPUS, 100, settings_).near("", settings_, 14)
    assert rows == [("jane doe", "NAME")]
    assert cut == 3


# ── together ────────────────────────────────────────────────────────────────────────────────────


def span(start, end, entity_type, relevance, detector="lexicon", value=""):
    return Mention("d", CONTENT, start, end, entity_type, "x", value, relevance, Why(detector, "r"))


def test_beside_patterns_a_model_can_only_add_or_raise():
    patterns = [span(0, 10, "LOCATION", 0.8, value="p"), span(20, 25, "NAME", 0.9)]
    dropped = Counter()
    model = [
        span(0, 10, "LOCATION", 0.1, "llm", value="m"),
        span(0, 30, "DEMOGRAPHIC", 0.2, "llm"),
        span(40, 50, "EVENT", 0.3, "llm"),
    ]
    made = prompted.beside(patterns, model, SETTINGS, dropped)
    assert [(m.start, m.end, m.type, m.relevance, m.value) for m in made] == [
        (0, 10, "LOCATION", 0.8, "p"),
        (20, 25, "NAME", 0.9, ""),
        (40, 50, "EVENT", 0.3, ""),
    ]
    assert dropped == {"weaker than what patterns saw there": 1}


def test_a_longer_span_of_the_same_type_wins_and_keeps_both_reasons():
    made = prompted.beside(
        [span(5, 10, "LOCATION", 0.8)], [span(0, 10, "LOCATION", 0.4, "llm")], SETTINGS, Counter()
    )
    assert [(m.start, m.end, m.why.detector) for m in made] == [(0, 10, "llm")]


def test_the_second_stage_scores_afresh_and_what_only_the_first_named_stays():
    first = [span(0, 4, "EVENT", 0.9, "llm", "a"), span(10, 14, "NAME", 0.7, "llm", "b")]
    second = [span(0, 4, "EVENT", 0.2, "llm", "a")]
    made = prompted.after(first, second, SETTINGS)
    assert [(m.start, m.relevance) for m in made] == [(0, 0.2), (10, 0.7)]


@pytest.mark.parametrize("detector", ["patterns", "lexicon", "ner", "context", "fields"])
def test_spans_of_any_detector_are_united_with_a_models_and_keep_their_reason(detector):
    given_ = [span(0, 10, "LOCATION", 0.8, detector), span(20, 25, "PROVIDER", 0.8, detector)]
    model = [span(5, 15, "PROVIDER", 0.9, "llm"), span(20, 25, "PROVIDER", 0.9, "llm")]
    made = prompted.beside(given_, model, SETTINGS, Counter())
    assert {m.why.detector for m in made if (m.start, m.end) == (20, 25)} == {detector}
    assert all(a.end <= b.start for a, b in pairwise(made))
