"""Extraction by a model, without one: prompts, checks on answers, places, windows, the list."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask import schema
from linkmask.detect import prompted
from linkmask.detect.prompted import answer_rows
from linkmask.records import CONTENT, Mention, Why
from model_answers import SETTINGS, entries, found

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


REASONS = {"over half of the document", *(reason for _, reason in ROWS)}
"""Why a row is dropped, before it is looked for in the text: never a value."""


@pytest.mark.parametrize(("row", "reason"), ROWS, ids=range(len(ROWS)))
def test_a_row_that_cannot_be_used_is_dropped_and_counted_and_the_others_stay(row, reason):
    kept, dropped = entries([row, ["Jane Doe", "jane doe", "NAME", 0.9]])
    assert [entry.original for entry in kept] == ["Jane Doe"]
    assert dropped == {reason: 1}


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
    kept = answer_rows.entries(value, schema.load("insurance").type_of, 100, dropped)
    assert all(0 <= entry.relevance <= 1 for entry in kept)
    assert set(dropped) <= REASONS


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
