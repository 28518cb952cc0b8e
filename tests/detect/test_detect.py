"""The first pass: fields, labels, languages, and what a mention holds."""

import re

import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.register.language import language
from linkmask.detect.view.readings import day_first, label_of, readings, scope_of
from linkmask.errors import SettingsError
from linkmask.records import CONTENT, Document

SETTINGS = Settings()


def canonical(entity_type, surface, *, day_first=False):
    return f"{surface.lower()}/{day_first}"


@pytest.fixture
def finder(monkeypatch):
    """Install one finder that takes what a pattern matches for a type; returns the installer."""

    def install(pattern, entity_type="NAME", seen=None):
        def find(text, scope):
            if seen is not None:
                seen.append((text, scope))
            for match in re.finditer(pattern, text):
                yield Candidate(match.start(), match.end(), entity_type, "lexicon", "rule", 0.8)

        monkeypatch.setattr(detect, "finders", lambda name: (find,))

    return install


def pass_one(content, metadata=None, settings=SETTINGS):
    return detect.first_pass(Document("d", content, metadata or {}), settings, canonical)


def test_a_mention_says_where_what_and_why(finder):
    finder(r"Ada \w+")
    (mention,) = pass_one("İt was Ada Finch.")
    assert "İt was Ada Finch."[mention.start : mention.end] == mention.original == "Ada Finch"
    assert (mention.document, mention.field, mention.type) == ("d", CONTENT, "NAME")
    assert mention.value == "ada finch/False"
    assert (mention.why.detector, mention.why.rule, mention.why.score) == ("lexicon", "rule", 0.8)
    assert 0 <= mention.relevance <= 1


def test_metadata_is_read_with_its_key_as_label_and_offsets_lie_in_the_value(finder):
    seen = []
    finder(r"\d+|date", seen=seen)
    mentions = pass_one("", {"patient": {"firstSeen": "in 1980"}, "room": 12, "format": "x"})
    assert sorted(text for text, _ in seen) == ["", "first seen: in 1980", "format: x", "room: 12"]
    assert [(m.field, m.start, m.end, m.original) for m in mentions] == [
        ("metadata/patient/firstSeen", 3, 7, "1980"),
        ("metadata/room", 0, 2, "12"),
    ]


def test_a_span_over_label_and_value_keeps_the_value(finder):
    finder(r"name: .*")
    (mention,) = pass_one("", {"name": "Ada"})
    assert (mention.start, mention.end, mention.original) == (0, 3, "Ada")


@pytest.mark.parametrize(
    ("field", "label"),
    [
        ("metadata/patient/birthDate", "birth date"),
        ("metadata/notes/0", "notes"),
        ("metadata/claim_no.", "claim no"),
    ],
)
def test_a_key_is_read_as_words(field, label):
    assert label_of(field) == label


def test_a_number_that_counts_a_key_is_no_part_of_its_label():
    """But where a known label ends in one; and a key that stands in its own field is a header."""
    metadata = {
        "phone 2": "x",
        "Visit_3": "visit 3",
        "address line 2": "x",
        "7 x": "x",
        "a 1 b": "x",
    }
    read = [one.label for one in readings(Document("1", "", metadata), SETTINGS)]
    assert read == ["", "phone: ", "address line 2: ", "7 x: ", "a 1 b: "]


def test_masks_of_an_earlier_run_are_no_values(finder):
    finder(r"[A-Z]{4,}\w*|Dr \S+ \w+", "NAME")
    text = "[NAME] met Dr [NAME_1a2b3c4d] again, [REDACTED] and [ENTERPRISE]; ADAM stayed"
    assert [m.original for m in pass_one(text)] == ["ENTERPRISE", "ADAM"]


def test_a_label_that_says_what_the_value_is_takes_it_whole(finder):
    finder(r"Ada")
    mentions = pass_one("", {"patientName": " ada de LUNE ", "age": 48, "title": "Ada"})
    assert [(m.type, m.original) for m in mentions] == [
        ("NAME", "ada de LUNE"),
        ("AGE", "48"),
        ("NAME", "Ada"),
    ]
    assert pass_one("", {"address": "x" * 500}) == []


def test_types_that_the_schema_does_not_know_are_left_out(finder):
    finder(r"\w+", "STARSHIP")
    assert pass_one("Enterprise") == []


def test_the_language_is_told_by_document_among_those_of_the_settings(finder):
    seen = []
    finder("x", seen=seen)
    pass_one("La patiente a été admise à l'hôpital pour une fracture du poignet.")
    pass_one("Der Patient wurde wegen einer Fraktur in die Klinik eingewiesen.")
    assert [scope.language for _, scope in seen] == ["fr", "de"]
    assert language("Der Patient wurde eingewiesen.", ("en",)) == "en"
    assert language("", ("fr", "en")) == "fr"


@pytest.mark.parametrize(
    ("languages", "countries", "expected"),
    [(("en",), ("us", "gb"), False), (("en",), ("gb",), True), (("fr",), ("us",), True)],
)
def test_dates_are_read_month_first_only_in_english_where_the_us_is_expected(
    languages, countries, expected
):
    settings = Settings(languages=languages, countries=countries)
    assert day_first(scope_of(Document("d", "03/04"), settings)) is expected


def test_an_unknown_detector_is_named_with_those_there_are():
    with pytest.raises(SettingsError, match=r"embedded, rules, patterns, llm"):
        detect.finders("psychic")


def test_documents_read_together_are_read_as_each_alone():
    """Neither order nor neighbours change what is found in a document."""
    texts = ("Mr. Arlo Finch was born on 03/04/1961.", "", "Le 03/04/2024, Mme Roth est venue.")
    metadata = {"patient_name": "Arlo Finch", "note": "call 617-555-0184 " * 20}
    documents = [Document(f"d{n}", text, metadata) for n, text in enumerate(texts)]
    alone = [detect.first_pass(each, Settings(), canonical) for each in documents]
    assert detect.first_passes(documents, Settings(), canonical) == alone
    assert detect.first_passes(documents[::-1], Settings(), canonical) == alone[::-1]
    assert detect.first_passes([], Settings(), canonical) == []


def test_the_tagger_does_not_guess_at_a_single_word_of_a_record():
    """It reads sentences: "cluster" was a condition to it, and the section "Local" a place."""
    record = {"category": "cluster", "section": "Local", "topic": "mastocytosis", "city": "Bath"}
    found = detect.first_pass(Document("d", "", others=record), Settings(), canonical)
    assert [one.original for one in found] == ["mastocytosis", "Bath"]
