"""The corpus pass: which values are looked for, in which spellings, and what is found."""

import pickle

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from msgspec.structs import replace

from linkmask.config import Settings
from linkmask.detect.corpus_pass import run_corpus_pass
from linkmask.detect.corpus_pass.entry_rows import VocabularyEntry
from linkmask.detect.corpus_pass.selection import vocabulary
from linkmask.detect.corpus_pass.statistics import strong_values, value_statistics
from linkmask.detect.corpus_pass.vocabulary import Vocabulary
from linkmask.records import CONTENT, Document, Mention, Why
from linkmask.text.fold import folded_value

SETTINGS = Settings()


def canonical(entity_type, surface, *, day_first=False):
    return folded_value(surface)


def mention(document, original, entity_type="NAME", relevance=1.0, score=0.8, start=0):
    value = canonical(entity_type, original)
    return Mention(
        document,
        CONTENT,
        start,
        start + len(original),
        entity_type,
        original,
        value,
        relevance,
        Why("lexicon", "rule", score),
    )


def no_forms(entity_type, value):
    return ()


def words(*mentions, documents=100, settings=SETTINGS, forms=no_forms):
    return vocabulary(value_statistics(mentions), documents, settings, forms)


def texts(text, book):
    return [text[one.start : one.end] for one in book.search(text)]


def test_known_names_are_found_in_the_names_of_files():
    book = words(mention("a", "Tarvo"), mention("b", "Morvel"))
    assert texts("rs_tarvo_20240415.wav", book) == ["tarvo"]
    assert texts("NoteMorvel_03.docx", book) == ["Morvel"]
    assert texts("rs_tarvos_04.wav", book) == []
    assert texts("rs_voss_mona_04.wav", words(mention("a", "Voss Mona"))) == ["voss_mona"]
    assert texts("rs_voss_mona", words(mention("a", "Voss Mona"))) == []


@pytest.mark.parametrize(("sure", "found"), [(0.01, ["rs", "Tarvo", "4"]), (0.9, ["rs-Tarvo-4"])])
def test_a_known_name_is_seen_in_what_the_model_is_less_sure_of(sure, found):
    """What is left of the code around the name stays a code: no character of it is lost."""
    code = mention("b", "rs-Tarvo-4", "NON_PERSONAL_ID")
    code = replace(code, why=Why("ner", "code", sure))
    document = Document("b", "rs-Tarvo-4", {})
    book = words(mention("a", "Tarvo"))
    seen = run_corpus_pass(document, [code], book, SETTINGS, canonical)
    assert [one.original for one in seen] == found


@pytest.mark.parametrize("sure", [0.01, 0.94])
def test_a_known_birth_date_is_seen_in_a_longer_date_of_the_model(sure):
    """A date of an event may stay readable: a birth date must not hide in it."""
    born = "12.03.1980"
    text = f"{born}geboren and {born}"
    longer = replace(mention("b", text, "EVENT_DATE"), why=Why("ner", "date", sure))
    known = words(mention("a", born, "BIRTHDATE"), mention("c", text, "EVENT_DATE", score=0.02))
    seen = run_corpus_pass(Document("b", text, {}), [longer], known, SETTINGS, canonical)
    assert [(one.original, one.type) for one in seen] == [(born, "BIRTHDATE")] * 2


# ── which values ────────────────────────────────────────────────────────────────────────────────


def test_the_filter_is_inclusive_and_takes_the_largest_relevance():
    seen = [mention("a", "Mona Voss", relevance=0.1), mention("b", "Ada Finch", relevance=0.4)]
    assert [one.value for one in strong_values(value_statistics(seen), 9, SETTINGS)] == [
        "ada finch"
    ]
    seen.append(mention("c", "Mona Voss", relevance=0.9))
    assert len(strong_values(value_statistics(seen), 9, SETTINGS)) == 2


def test_frequency_counts_documents_not_mentions():
    twice = value_statistics([mention("a", "Mona Voss"), mention("a", "Mona Voss", start=30)])
    assert twice[0].documents == 1


def test_bounds_of_a_models_list_keep_no_value_from_being_looked_for():
    """The type filter and top-k are for what a model reads beside a text."""
    seen = [mention("a", "Mona Voss"), mention("a", "rare disease", "MEDICAL_CONDITION")]
    bounded = Settings(type_filter=True, top_k=1, merge="stage2_only")
    book = vocabulary(value_statistics(seen), 9, bounded, lambda entity_type, value: ())
    assert book.entries.keys() == {"mona voss", "rare disease"}


def test_a_spelling_has_one_type_by_the_strongest_evidence():
    book = words(
        mention("a", "Mercy Hospital", "LOCATION", score=0.6),
        mention("b", "Mercy Hospital", "PROVIDER", score=0.9),
    )
    assert book.entries["mercy hospital"].type == "PROVIDER"


def test_a_number_has_one_type_however_it_is_spelled():
    """A claim's number taken for a member's where it was written in another way stays a claim's."""
    book = words(
        replace(mention("a", "#CLM-24-118306", "NON_PERSONAL_ID", score=0.95), value="clm24118306"),
        replace(mention("b", "CLM-24-118306", "PATIENT_ID", score=0.85), value="clm24118306"),
    )
    kinds = {book.entries[folded_value(s)].type for s in ("#CLM-24-118306", "CLM-24-118306")}
    assert kinds == {"NON_PERSONAL_ID"}


def test_a_derived_spelling_that_two_values_share_is_nobodys():
    def last_words(entity_type, value):
        return [value.split()[-1]]

    two = [mention(name, f"{name} Lane 4", "ADDRESS") for name in ("a", "b")]
    assert "4" not in words(*two, forms=last_words).entries


def test_a_surname_that_two_persons_share_is_a_name_by_itself():
    def surnames(entity_type, value):
        return [value.split()[-1].title()]

    two = words(mention("a", "Ada Finch"), mention("b", "Jo Finch"), forms=surnames)
    assert two.entries["finch"].value == "finch"
    assert texts("Mrs Finch called.", two) == ["Finch"]
    one = words(mention("a", "Ada Finch"), forms=surnames)
    assert texts("Mrs Finch called.", one) == ["Finch"]


# ── searching ───────────────────────────────────────────────────────────────────────────────────


def test_a_hit_that_is_no_whole_word_does_not_hide_a_whole_word_inside_it():
    book = Vocabulary(
        {s: VocabularyEntry(s, "NAME", 1.0, "seen", "") for s in ("abc def", "c defg", "def")}
    )
    assert texts("xabc def", book) == ["def"]


def test_a_value_that_repeats_itself_is_found_once_in_each_stretch_of_its_own_length():
    """At each word of such a text, millions of overlapping finds would need gigabytes."""
    book = Vocabulary({"x=1 x=1": VocabularyEntry("x=1 x=1", "NAME", 1.0, "seen", "")})
    assert texts("x=1 " * 5, book) == ["x=1 x=1"] * 2


def test_a_value_is_found_wherever_a_stretch_of_a_long_text_ends(monkeypatch):
    monkeypatch.setattr("linkmask.detect.corpus_pass.vocabulary.STRETCH", 7)
    book = words(mention("a", "Mona Voss"), mention("a", "Finch Roth"))
    for blanks in range(30):
        text = f"{'. ' * blanks}Mona Voss, Finch Roth, Mona Voss."
        assert texts(text, book) == ["Mona Voss", "Finch Roth", "Mona Voss"]


def test_values_are_found_in_any_case_and_across_line_breaks():
    book = words(mention("a", "Mona Voss"))
    text = "İ said MONA\r\n   VOSS; Mona Vossen did not"
    assert texts(text, book) == ["MONA\r\n   VOSS"]


@pytest.mark.parametrize("text", ["52.5 mg", "152", "1,52", "52nd"])
def test_a_number_is_not_found_inside_another(text):
    book = Vocabulary({"52": VocabularyEntry("52", "AGE", 1.0, "seen", "")})
    assert texts(text, book) == []


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("The patient, aged 52, left.", ["52"]),
        ("A 52-year-old and 52 chairs", ["52"]),
        ("Sie ist 52 Jahre alt, und 52 andere", ["52"]),
        ("Room 52", []),
    ],
)
def test_an_age_is_looked_for_only_with_its_cue(text, hits):
    assert texts(text, words(mention("a", "52", "AGE"))) == hits


def test_months_and_lone_common_words_are_not_looked_for_but_rare_words_are():
    book = words(
        mention("a", "May", "EVENT_DATE"),
        mention("a", "male", "DEMOGRAPHIC"),
        mention("a", "glioblastoma", "MEDICAL_CONDITION"),
        mention("a", "Golden", "LOCATION"),
        mention("a", "2024", "EVENT_DATE"),
        mention("a", "NO", "TREATMENT"),
    )
    text = "May 2024: a male, No. 5, with Glioblastoma. Golden hours in Golden, a golden day"
    assert texts(text, book) == ["Glioblastoma", "Golden"]


def test_a_short_name_is_not_looked_for_where_a_sentence_begins():
    book = words(mention("a", "Grant"), mention("a", "Villeneuve"))
    text = "Grant money went to Grant. Villeneuve paid"
    assert texts(text, book) == ["Grant", "Villeneuve"]


def test_a_vocabulary_reaches_a_worker_whole():
    book = words(mention("a", "Mona Voss"))
    list(book.search("warm up"))
    assert texts("mona voss", pickle.loads(pickle.dumps(book))) == ["mona voss"]


@examples(max_examples=60, deadline=None)
@given(
    st.lists(st.text("ab c", min_size=1, max_size=4).map(folded_value).filter(bool), max_size=5),
    st.text("abC  \n", max_size=30),
)
def test_the_search_finds_what_a_plain_reading_finds(surfaces, text):
    book = Vocabulary(
        {s: VocabularyEntry(s, "NAME", 1.0, "seen", "") for s in sorted(set(surfaces))}
    )
    plain = {
        folded_value(text[i:j])
        for i in range(len(text))
        for j in range(i + 1, len(text) + 1)
        if not text[i:j][:1].isspace()
        and not text[i:j][-1:].isspace()
        and (i == 0 or not text[i - 1].isalnum())
        and (j == len(text) or not text[j].isalnum())
    }
    assert {folded_value(hit) for hit in texts(text, book)} == plain & set(surfaces)


# ── one document ────────────────────────────────────────────────────────────────────────────────

DOCUMENT = Document("b", "Mona Voss of Mercy Hospital saw Ada Finch.", {"seen by": "Mona Voss"})


def spans(mentions):
    return [(one.field, one.original, one.type, one.value) for one in mentions]


def test_the_union_keeps_the_first_pass_and_adds_what_the_corpus_knows():
    book = words(mention("a", "mona voss", score=0.9))
    found = [mention("b", "Ada Finch", start=32)]
    both = [
        (CONTENT, "Mona Voss", "NAME", "mona voss"),
        (CONTENT, "Ada Finch", "NAME", "ada finch"),
        ("metadata/seen by", "Mona Voss", "NAME", "mona voss"),
    ]
    assert spans(run_corpus_pass(DOCUMENT, found, book, SETTINGS, canonical)) == both


def test_what_only_the_first_pass_can_see_stays_whatever_is_merged():
    """A search for listed values is no second reading: `merge` is for a model's two stages."""
    found = [mention("b", "Ada Finch", start=32)]
    only = Settings(merge="stage2_only", type_filter=True)
    assert spans(run_corpus_pass(DOCUMENT, found, words(), only, canonical)) == [
        (CONTENT, "Ada Finch", "NAME", "ada finch")
    ]


def test_no_digit_of_a_direct_identifier_is_lost_between_two_longer_finds() -> None:
    """Values that overlap one another are found from the text's begin on; the last is cut."""
    text = " ".join("7" * 13)
    learned = Why("ner", "patient_id", 0.94)
    last = Mention("1", CONTENT, 16, 25, "PATIENT_ID", text[16:25], "77777", 1.0, learned)
    book = Vocabulary({text[:9]: VocabularyEntry("77777", "PATIENT_ID", 0.9, "seen", "")})
    document = Document("1", text)
    found = run_corpus_pass(document, [last], book, Settings(), lambda kind, said, **_: said)
    assert [(one.start, one.end) for one in found] == [(0, 9), (10, 19), (20, 25)]


def test_a_mention_takes_the_type_of_its_spelling_where_that_is_surer():
    book = words(mention("a", "Mercy Hospital", "PROVIDER", score=0.9))
    found = [mention("b", "Mercy Hospital", "LOCATION", score=0.6, start=13)]
    second = run_corpus_pass(DOCUMENT, found, book, SETTINGS, canonical)
    assert [(m.type, m.value) for m in second] == [("PROVIDER", "mercy hospital")]
    sure = [mention("b", "Mercy Hospital", "LOCATION", score=1.0, start=13)]
    assert run_corpus_pass(DOCUMENT, sure, book, SETTINGS, canonical)[0].type == "LOCATION"


def test_what_is_always_masked_keeps_its_type_whatever_other_documents_say():
    """Whoever adds documents about a firm of that name must not unmask a person."""
    found = [mention("b", "Mercy", "NAME", score=0.6, start=13)]
    for kind, kept in (("ORGANIZATION", "NAME"), ("LOCATION", "LOCATION")):
        book = words(mention("a", "Mercy", kind, score=0.9))
        assert run_corpus_pass(DOCUMENT, found, book, SETTINGS, canonical)[0].type == kept


@pytest.mark.parametrize("given", ["Elise", "Elise MD"])
def test_a_name_that_the_corpus_knows_takes_the_place_of_its_parts(given):
    """With two people of one surname, the parts alone would stand for nobody."""
    book = Vocabulary({"varga, elise": VocabularyEntry("elise varga", "NAME", 0.8, "form", "")})
    found = [mention("b", "Varga", start=5), mention("b", given, start=12)]
    document = Document("b", f"Seen Varga, {given} and left")
    joined = run_corpus_pass(document, found, book, SETTINGS, canonical)
    assert [m.original for m in joined] == [f"Varga, {given}"]


def test_masks_of_an_earlier_run_are_not_searched():
    book = Vocabulary({"name": VocabularyEntry("name", "EVENT", 1.0, "seen", "")})
    document = Document("b", "[NAME] had a name")
    assert [m.start for m in run_corpus_pass(document, [], book, SETTINGS, canonical)] == [13]


def test_aliases_are_resolved_by_what_is_handed_in():
    found = [mention("b", "Mona Voss")]
    resolved = run_corpus_pass(
        DOCUMENT,
        found,
        words(),
        SETTINGS,
        canonical,
        lambda kind, value: ("PROVIDER", "dr " + value, None),
    )
    assert (resolved[0].type, resolved[0].value) == ("PROVIDER", "dr mona voss")


def test_initials_of_three_letters_are_found_only_where_a_bodys_name_stands():
    book = words(
        mention("a", "Quarrymead Rehabilitation Center", "PROVIDER"),
        forms=lambda entity_type, value: ("QRC",),
    )
    told = "Seen at QRC. The QRC radiology department wrote, QRC's nurses called."
    assert texts(told, book) == ["QRC"] * 3
    assert not texts("The QRC was high; QRC rose with it, and so did the qrc at home.", book)


def test_a_derived_short_name_is_found_only_in_the_capitals_it_has():
    book = words(
        mention("a", "Tolling Vale Memorial Hospital", "PROVIDER"),
        forms=lambda entity_type, value: ("Tolling Vale", "Quarrymead", "TVMH"),
    )
    text = "At Quarrymead, TVMH, Tolling Vale; a tolling vale, tvmh, Tvmh, quarrymead. Quarrymead"
    assert texts(text, book) == ["Quarrymead", "TVMH", "Tolling Vale"]


def test_relevance_is_scored_afresh_where_the_corpus_adds_something():
    book = words(mention("a", "Mercy Hospital", "PROVIDER", score=0.9))
    found = [mention("b", "Mona Voss", relevance=0.123)]
    assert run_corpus_pass(DOCUMENT, found, book, SETTINGS, canonical)[0].relevance != 0.123


def test_what_the_corpus_adds_nothing_to_stays_as_it_is():
    book = words(mention("a", "Mona Voss"), mention("a", "Voss", score=0.5))
    found = [
        mention("b", "Mona Voss"),
        replace(mention("b", "Mona Voss"), field="metadata/seen by"),
    ]
    assert run_corpus_pass(DOCUMENT, found, book, SETTINGS, canonical) == found
