"""Relevance: whose a value is counts, not only its type; every score is explained by its rules."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.relevance import LOOKS, WEIGHTS, rarity_factor, score
from linkmask.detect.relevance.discourse import document_context, read_sentences
from linkmask.records import Document
from relevance_rules import explain

PERSON = (
    "The patient was admitted to Elm Park Clinic on 03/15/2024 for severe asthma. "
    "She reported dizziness."
)
POLICY = (
    "Policy update: effective 03/15/2024, all claims from Elm Park Clinic for severe asthma must "
    "include a form. Members with 20% higher costs are covered."
)


def spans(text, **values):
    found = []
    for entity_type, value in values.items():
        start = text.index(value)
        found.append(Candidate(start, start + len(value), entity_type, "lexicon", "rule", 0.8))
    return sorted(found, key=lambda one: one.start)


def relevance(text, entity_type, value, metadata=None, language="en", way="rules"):
    found = spans(text, **{entity_type: value})
    person = document_context(Document("d", text, metadata or {}), Scope(language), way)
    return score(text, found, person)[0]


def rules_of(text, value):
    person = document_context(Document("d", text, {}), Scope("en"))
    return explain(text, spans(text, MEDICAL_CONDITION=value), person)[0]


@pytest.mark.parametrize(
    ("entity_type", "value"),
    [
        ("EVENT_DATE", "03/15/2024"),
        ("PROVIDER", "Elm Park Clinic"),
        ("MEDICAL_CONDITION", "severe asthma"),
    ],
)
@pytest.mark.parametrize("way", ["rules", "learned"])
def test_the_same_value_counts_more_where_a_person_is_spoken_of(entity_type, value, way):
    near = relevance(PERSON, entity_type, value, way=way)
    assert near > relevance(POLICY, entity_type, value, way=way) + 0.2


@pytest.mark.parametrize(
    ("language", "person", "policy", "value"),
    [
        (
            "fr",
            "L'assurée souffre de sclérose depuis mars.",
            "La directive sur la sclérose est obligatoire pour tous les assurés.",
            "sclérose",
        ),
        (
            "de",
            "Die Patientin leidet an Multipler Sklerose.",
            "Die Richtlinie zur Multipler Sklerose gilt für alle Patienten.",
            "Multipler Sklerose",
        ),
    ],
)
def test_cues_are_heard_in_the_documents_language(language, person, policy, value):
    near = relevance(person, "MEDICAL_CONDITION", value, language=language)
    assert near > relevance(policy, "MEDICAL_CONDITION", value, language=language) + 0.2


RULES = (
    "Coverage rule on gout. Covered when the diagnosis is confirmed by synovial biopsy. Members "
    "must apply by May. Appeals are reviewed within 30 days."
)


def test_a_requirement_that_speaks_of_nobody_scores_low_whatever_the_metadata_say():
    for metadata in ({}, {"format": "policy_document"}):
        assert relevance(RULES, "TREATMENT", "synovial biopsy", metadata) < 0.3


@pytest.mark.parametrize(
    "text",
    [
        "Underwent synovial biopsy in May. Tolerated well.",
        "Patient underwent synovial biopsy. Coverage rules apply.",
        "The insured reported pain after synovial biopsy. Members must apply.",
        "A 46-year-old had a synovial biopsy. Members must apply. Coverage rules apply.",
    ],
)
def test_one_unnamed_person_is_somebody(text):
    assert relevance(text, "TREATMENT", "synovial biopsy") > 0.8


def test_a_named_subject_in_the_metadata_is_somebody():
    text = "Average dose of colchicine. Study rate per quarter. Members must apply."
    without = relevance(text, "TREATMENT", "colchicine")
    assert relevance(text, "TREATMENT", "colchicine", {"patient": "K."}) > without


def test_a_person_named_among_rules_is_somebody():
    found = spans(RULES + " Ada Kroft asked.", NAME="Ada Kroft", TREATMENT="synovial biopsy")
    text = RULES + " Ada Kroft asked."
    assert score(text, found, document_context(Document("d", text), Scope()))[0] > 0.4


def test_the_number_of_a_notice_is_nobodys():
    text = "Claim paid under policy memorandum XQ-2291. See claim XQ-7710."
    notice = relevance(text, "NON_PERSONAL_ID", "XQ-2291")
    assert notice < relevance(text, "NON_PERSONAL_ID", "XQ-7710") - 0.2


def test_an_everyday_word_counts_less_than_a_rare_one():
    text = "The patient had pain."
    person = document_context(Document("d", text), Scope())
    plain, everyday = (
        Candidate(16, 20, "MEDICAL_CONDITION", "lexicon", rule, 0.8)
        for rule in ("condition", "everyday condition")
    )
    assert score(text, [plain], person)[0] > score(text, [everyday], person)[0]


def test_an_occupation_said_of_one_person_counts_more_than_the_word():
    text = "A bell founder called."
    said, heard = (
        Candidate(2, 14, "INDIRECT_IDENTIFIER", "lexicon", rule, 0.8)
        for rule in ("occupation, said", "occupation")
    )
    person = document_context(Document("d", text), Scope())
    assert score(text, [said], person)[0] > score(text, [heard], person)[0]


def test_a_range_of_ages_is_nobodys_age():
    text = "The patient is 48. Patients aged 40-50 are covered."
    assert relevance(text, "AGE", "48") > relevance(text, "AGE", "40-50") + 0.2


def test_a_month_or_year_alone_is_vaguer_than_a_day():
    text = "The patient was seen on May 3, 2023 and in June 2021."
    assert relevance(text, "EVENT_DATE", "May 3, 2023") > relevance(text, "EVENT_DATE", "June 2021")


def test_an_identifier_raises_what_stands_in_its_document():
    text = "File H78456 was closed. Severe asthma was noted."
    alone = score(
        text,
        spans(text, MEDICAL_CONDITION="Severe asthma"),
        document_context(Document("d", text), Scope()),
    )
    both = spans(text, PATIENT_ID="H78456", MEDICAL_CONDITION="Severe asthma")
    assert score(text, both, document_context(Document("d", text), Scope()))[1] > alone[0]


def test_a_score_by_hand_is_the_logistic_of_the_rules_that_explain_it():
    found = spans(PERSON, EVENT_DATE="03/15/2024", MEDICAL_CONDITION="severe asthma")
    person = document_context(Document("d", PERSON), Scope(), "rules")
    for rules, value in zip(
        explain(PERSON, found, person), score(PERSON, found, person), strict=True
    ):
        assert value == pytest.approx(1 / (1 + math.exp(-sum(rules.values()))), abs=1e-3)
        assert all(weight == pytest.approx(WEIGHTS[rule]) for rule, weight in rules.items())


def test_a_learned_score_is_the_lifted_chance_of_its_rules_times_how_telling_the_value_is():
    text = "Members must apply by 03/15/2024 for pain."
    found = spans(text, EVENT_DATE="03/15/2024", MEDICAL_CONDITION="pain")
    person = document_context(Document("d", text), Scope(), "learned")
    chances = [1 / (1 + math.exp(-sum(rules.values()))) for rules in explain(text, found, person)]
    date, pain = score(text, found, person)
    assert date == pytest.approx(1 - (1 - chances[0]) ** LOOKS, abs=1e-3)
    assert pain == pytest.approx(
        (1 - (1 - chances[1]) ** LOOKS) * rarity_factor("pain", "en"), abs=1e-3
    )


def test_by_hand_a_score_is_the_chance_of_its_rules_times_how_telling_the_value_is():
    text = "The patient was seen for pain."
    found = spans(text, MEDICAL_CONDITION="pain")
    person = document_context(Document("d", text), Scope())
    chance = 1 / (1 + math.exp(-sum(explain(text, found, person)[0].values())))
    assert score(text, found, person) == [
        pytest.approx(chance * rarity_factor("pain", "en"), abs=1e-3)
    ]


def test_by_type_alone_every_mention_counts_fully():
    found = spans(POLICY, EVENT_DATE="03/15/2024")
    assert score(POLICY, found, document_context(Document("d", POLICY), Scope(), "type")) == [1.0]


def test_a_word_that_everybody_says_tells_less_than_a_rare_one_beside_it():
    assert rarity_factor("pain", "en") < 0.75
    assert rarity_factor("Trochlear pain", "en") == rarity_factor("trochlear", "en") == 1.0
    assert rarity_factor("et", "fr") < rarity_factor("douleur", "fr")


@pytest.mark.parametrize(
    ("language", "value"),
    [("en", "trochlear therapy"), ("fr", "thérapie trochléaire"), ("de", "trochleare Behandlung")],
)
def test_a_kind_of_treatment_tells_less_than_its_rare_word(language, value):
    assert rarity_factor(value, language) == pytest.approx(
        0.8 * rarity_factor("trochlear", language)
    )


def test_what_many_go_by_is_not_one_persons():
    text = "The patient was seen among sclerosis patients. She has sclerosis, patients wait."
    found = [
        Candidate(at, at + 9, "MEDICAL_CONDITION", "lexicon", "rule", 0.8)
        for at in (text.index("sclerosis"), text.rindex("sclerosis"))
    ]
    many, hers = explain(text, found, document_context(Document("d", text), Scope()))
    assert "after:plural" in many
    assert "after:plural" not in hers


@pytest.mark.parametrize("name", ["Dr. Vela", "Docteur Vela", "Prof. Vela"])
def test_a_clinician_tells_less_than_a_clinic(name):
    clinician, clinic = f"The patient saw {name}.", "The patient saw Vela Clinic."
    assert relevance(clinician, "PROVIDER", name) < relevance(clinic, "PROVIDER", "Vela Clinic")


def test_a_time_that_lasts_is_no_date_of_the_persons():
    text = "The patient was seen on May 3, 2023 after a delay of 32 days, a 6-week wait."
    day = relevance(text, "EVENT_DATE", "May 3, 2023")
    assert all(relevance(text, "EVENT_DATE", value) < day for value in ("32 days", "6-week"))


def test_a_word_cut_by_the_window_is_no_cue():
    """Of "nonpatient", eighty characters before a value, "patient" may be left: it is not heard."""
    for between in range(60, 90):
        text = "a nonpatient " + "-" * between + " asthma"
        assert "nearest:singular" not in rules_of(text, "asthma")
    assert "nearest:singular" in rules_of("a patient " + "-" * 60 + " asthma", "asthma")


def test_sentences_end_at_full_stops_and_line_breaks_but_not_after_titles():
    text = "Dr. Mona Voss came.\nShe left! J. Doe stayed"
    assert [text[start : start + 3] for start in read_sentences(text, "en").starts] == [
        "Dr.",
        "She",
        "J. ",
    ]


@settings(max_examples=100, deadline=None)
@given(st.text("aP .!?\n%3patient", max_size=60), st.data())
def test_any_text_gives_a_relevance_for_each_span_in_the_unit_interval(text, data):
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    found = [Candidate(start, end, "NAME", "lexicon", "r", 0.5)]
    (value,) = score(text, found, document_context(Document("d", "other"), Scope()))
    assert 0 <= value <= 1


@pytest.mark.parametrize(
    ("language", "many", "few", "value", "fewer"),
    [
        (
            "en",
            "It is one of 12,000 births.",
            "It is one of 12 births.",
            "12,000 births",
            "12 births",
        ),
        ("fr", "Parmi 4 500 salariés.", "Parmi 5 salariés.", "4 500 salariés", "5 salariés"),
        ("de", "Eine von 203 Frauen.", "Eine von 3 Frauen.", "203 Frauen", "3 Frauen"),
    ],
)
def test_a_count_of_a_hundred_and_more_people_tells_of_nobody(language, many, few, value, fewer):
    near = relevance(few, "INDIRECT_IDENTIFIER", fewer, language=language)
    assert relevance(many, "INDIRECT_IDENTIFIER", value, language=language) < near - 0.2


def test_the_day_of_somebodys_surgery_counts_as_ever():
    texts = ("Her surgery takes place on 22 March.", "Her surgery was on 22 March.")
    first, second = (relevance(text, "EVENT_DATE", "22 March") for text in texts)
    assert first > 0.9 and second > 0.9
