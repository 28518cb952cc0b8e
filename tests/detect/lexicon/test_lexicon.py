"""Hits and near misses of the lexicon, by type and language; offsets, blocks and hostile texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.detect import lexicon
from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon import word_features
from linkmask.detect.lexicon.tokens import Text
from linkmask.text.letters import word_key

# (language, text, [(type, span), …]): the spans of these types are exactly these
HITS = [
    ("en", "Patient Arlo Finch was seen.", [("NAME", "Arlo Finch")]),
    ("en", "Dear Ms. O'Neil, we write", [("NAME", "O'Neil")]),
    ("en", "Mr. Finch's claim", [("NAME", "Finch")]),
    ("en", "Marguerite V. left early.", [("NAME", "Marguerite V.")]),
    ("en", "We met Tom van der Berg there.", [("NAME", "Tom van der Berg")]),
    ("en", "J. R. Whitaker signed", [("NAME", "J. R. Whitaker")]),
    ("en", "MARCUS VEYRAT called", [("NAME", "MARCUS VEYRAT")]),
    ("en", "Best regards,\nArlo Finch", [("NAME", "Arlo Finch")]),
    ("fr", "M. Théo Rey et Mlle d'Ormesson", [("NAME", "Théo Rey"), ("NAME", "d'Ormesson")]),
    ("fr", "Assuré : Jean-Pierre Martin", [("NAME", "Jean-Pierre Martin")]),
    ("fr", "JALONNET Christine (Interne)", [("NAME", "JALONNET Christine")]),
    ("de", "Herr Jürgen von der Heide kam.", [("NAME", "Jürgen von der Heide")]),
    ("de", "Patientin: Anna-Lena Schröder", [("NAME", "Anna-Lena Schröder")]),
    # a heart or sugar, in lay words
    ("en", "he has a bad heart", [("MEDICAL_CONDITION", "bad heart")]),
    ("en", "Anna Field ID 44710", [("NAME", "Anna Field")]),
    ("en", "Dr. Mona Voss agreed.", [("PROVIDER", "Dr. Mona Voss")]),
    ("en", "Coastal Neurology Specialists asked", [("PROVIDER", "Coastal Neurology Specialists")]),
    ("en", "The Blue Ridge Health Plan denied it", [("PROVIDER", "Blue Ridge Health Plan")]),
    ("en", "Phoenix Wellness Group updated", [("PROVIDER", "Phoenix Wellness Group")]),
    (
        "fr",
        "opérée à la Clinique du Parc par le Dr méd. Favre",
        [("PROVIDER", "Clinique du Parc"), ("PROVIDER", "Dr méd. Favre")],
    ),
    ("fr", "La Mutuelle des Alpes a refusé", [("PROVIDER", "Mutuelle des Alpes")]),
    ("de", "Prof. Dr. med. Anna Roth, Praxis", [("PROVIDER", "Prof. Dr. med. Anna Roth")]),
    ("de", "Die Alpina Krankenkasse zahlt", [("PROVIDER", "Alpina Krankenkasse")]),
    ("fr", "atendida en la Clínica Montesol", [("PROVIDER", "Clínica Montesol")]),
    ("fr", "dell'Ospedale San Teodoro", [("LOCATION", "Ospedale San Teodoro")]),
    ("fr", "na Clínica do Monte Azul", [("PROVIDER", "Clínica do Monte Azul")]),
    ("de", "in de Kliniek Westerduin", [("PROVIDER", "Kliniek Westerduin")]),
    ("de", "via Thuiszorg Salland", [("PROVIDER", "Thuiszorg Salland")]),
    ("de", "in de praktijk is dat anders", []),
    ("fr", "la historia clínica del paciente", []),
    ("en", "The Hospital Course was mild", []),
    (
        "en",
        "seen at St. Mary's Hospital in Ohio",
        [("LOCATION", "St. Mary's Hospital"), ("LOCATION", "Ohio")],
    ),
    # a given name before its state is a town, which the tagger finds
    ("en", "the gala in Brandon, Manitoba", [("LOCATION", "Manitoba")]),
    (
        "en",
        "thanks to Brandon, Leonie and Ruth",
        [("NAME", "Brandon"), ("NAME", "Leonie"), ("NAME", "Ruth")],
    ),
    ("en", "University of Iowa Hospitals said", [("LOCATION", "University of Iowa Hospitals")]),
    ("fr", "suivie au CHU de Grenoble", [("LOCATION", "CHU de Grenoble")]),
    ("fr", "habite Ivry-sur-Seine", [("LOCATION", "Ivry-sur-Seine")]),
    ("de", "im Klinikum Nürnberg", [("LOCATION", "Klinikum Nürnberg")]),
    ("de", "im Klinikum rechts der Isar", [("LOCATION", "Klinikum rechts der Isar")]),
    ("de", "in der Universitätsmedizin Mainz", [("LOCATION", "Universitätsmedizin Mainz")]),
    (
        "de",
        "in der Charité – Universitätsmedizin Berlin",
        [("LOCATION", "Charité – Universitätsmedizin Berlin")],
    ),
    (
        "en",
        "seen at Our Lady of Lourdes Medical Center",
        [("LOCATION", "Our Lady of Lourdes Medical Center")],
    ),
    ("de", "wohnhaft in Tübingen", [("LOCATION", "Tübingen")]),
    (
        "en",
        "the Ankara Administrative Court held",
        [("ORGANIZATION", "Ankara Administrative Court")],
    ),
    (
        "en",
        "the Ministry of National Education",
        [("ORGANIZATION", "Ministry of National Education")],
    ),
    ("en", "the Seabrook Daily News wrote", [("ORGANIZATION", "Seabrook Daily News")]),
    (
        "en",
        "has progressive supranuclear palsy.",
        [("MEDICAL_CONDITION", "progressive supranuclear palsy")],
    ),
    ("en", "with refractory epilepsy and", [("MEDICAL_CONDITION", "refractory epilepsy")]),
    ("en", "a Duchenne muscular dystrophy", [("MEDICAL_CONDITION", "Duchenne muscular dystrophy")]),
    ("en", "a fracture of the left ankle", [("MEDICAL_CONDITION", "fracture of the left ankle")]),
    ("en", "Crohn's disease", [("MEDICAL_CONDITION", "Crohn's disease")]),
    (
        "en",
        "Zellweger palsy (ZWP); ZWP is rare",
        [
            ("MEDICAL_CONDITION", "Zellweger palsy"),
            ("MEDICAL_CONDITION", "ZWP"),
            ("MEDICAL_CONDITION", "ZWP"),
        ],
    ),
    (
        "en",
        "fibrous alveolar lipidosis; FAL is rare",
        [
            ("MEDICAL_CONDITION", "fibrous alveolar lipidosis"),
            ("MEDICAL_CONDITION", "FAL"),
        ],
    ),
    (
        "en",
        "progressive ocular palsy, the ocular palsy",
        [
            ("MEDICAL_CONDITION", "progressive ocular palsy"),
            ("MEDICAL_CONDITION", "ocular palsy"),
        ],
    ),
    ("en", "hEDS since youth", [("MEDICAL_CONDITION", "hEDS")]),
    ("en", "Maplecrest's chronic pain", [("MEDICAL_CONDITION", "chronic pain")]),
    ("en", "failed colchicine therapy", [("TREATMENT", "colchicine therapy")]),
    (
        "en",
        "a bronchial lavage, whole lung lavage",
        [("TREATMENT", "bronchial lavage"), ("TREATMENT", "whole lung lavage")],
    ),
    ("en", "glioblastoma treatment", [("MEDICAL_CONDITION", "glioblastoma")]),
    (
        "fr",
        "une insuffisance cardiaque chronique",
        [("MEDICAL_CONDITION", "insuffisance cardiaque chronique")],
    ),
    ("fr", "un cancer du sein", [("MEDICAL_CONDITION", "cancer du sein")]),
    (
        "de",
        "chronische Niereninsuffizienz",
        [("MEDICAL_CONDITION", "chronische Niereninsuffizienz")],
    ),
    ("de", "Diabetes mellitus Typ 2", [("MEDICAL_CONDITION", "Diabetes mellitus Typ 2")]),
    (
        "en",
        "vagus nerve stimulator implantation",
        [("TREATMENT", "vagus nerve stimulator implantation")],
    ),
    ("en", "a thyroidectomy", [("TREATMENT", "thyroidectomy")]),
    ("fr", "une prothèse totale de hanche", [("TREATMENT", "prothèse totale de hanche")]),
    ("de", "eine Hüftprothese", [("TREATMENT", "Hüftprothese")]),
    ("en", "a retired lighthouse keeper", [("INDIRECT_IDENTIFIER", "retired lighthouse keeper")]),
    ("en", "a middle-school teacher", [("INDIRECT_IDENTIFIER", "middle-school teacher")]),
    ("fr", "institutrice retraitée", [("INDIRECT_IDENTIFIER", "institutrice retraitée")]),
    (
        "de",
        "die pensionierte Grundschullehrerin",
        [("INDIRECT_IDENTIFIER", "pensionierte Grundschullehrerin")],
    ),
    ("en", "Ms. Kroft, 46, a bell founder, left", [("INDIRECT_IDENTIFIER", "bell founder")]),
    ("en", "The stone engraver, 61, left", [("INDIRECT_IDENTIFIER", "stone engraver")]),
    (
        "en",
        "Occupation: tower crane operator\nSex: F",
        [("INDIRECT_IDENTIFIER", "tower crane operator")],
    ),
    ("en", "I am an amateur bassoonist", [("INDIRECT_IDENTIFIER", "amateur bassoonist")]),
    ("en", "she works as a piano tuner in", [("INDIRECT_IDENTIFIER", "piano tuner")]),
    ("en", "our only bridge painter", [("INDIRECT_IDENTIFIER", "bridge painter")]),
    ("en", "a river ferry pilot was seen", [("INDIRECT_IDENTIFIER", "river ferry pilot")]),
    ("en", "Adam, a lawyer, rang", [("INDIRECT_IDENTIFIER", "lawyer")]),
    ("fr", "Jeanne Rey, 33 ans, verrière, vient", [("INDIRECT_IDENTIFIER", "verrière")]),
    ("fr", "Profession : dompteuse", [("INDIRECT_IDENTIFIER", "dompteuse")]),
    ("fr", "un guide de haute montagne a", [("INDIRECT_IDENTIFIER", "guide de haute montagne")]),
    (
        "fr",
        "elle travaille comme conductrice de bus à",
        [("INDIRECT_IDENTIFIER", "conductrice")],
    ),
    ("de", "Anna Roth, 46, Orgelbauerin, kam", [("INDIRECT_IDENTIFIER", "Orgelbauerin")]),
    ("de", "Sie arbeitet als Glasbläserin", [("INDIRECT_IDENTIFIER", "Glasbläserin")]),
    ("en", "a Hispanic female", [("DEMOGRAPHIC", "Hispanic"), ("DEMOGRAPHIC", "female")]),
    (
        "en",
        "nonhispanic white male in a black shirt",
        [("DEMOGRAPHIC", "nonhispanic"), ("DEMOGRAPHIC", "white male")],
    ),
    (
        "en",
        "Hurricane Delia and the Spring Rheumatology Summit",
        [("EVENT", "Hurricane Delia"), ("EVENT", "Spring Rheumatology Summit")],
    ),
    (
        "en",
        "PAID FOR BY THE ZORVIN FOUNDATION, NOT BY A BANK OF THE WEST INC CARD",
        [("ORGANIZATION", "ZORVIN FOUNDATION"), ("ORGANIZATION", "BANK OF THE WEST INC")],
    ),
]

# (language, text, type): no span of this type
MISSES = [
    ("en", "Patient ID: H78456", "NAME"),
    ("en", "Claim Date: March 3", "NAME"),
    ("en", "In April the May meeting was on Monday", "NAME"),
    ("en", "Will the claim be paid? May I ask?", "NAME"),
    ("en", "Prior Authorization Required", "NAME"),
    ("en", "MEDICAL RECORD NUMBER", "NAME"),
    ("en", "an off-label drug, the treatment program, its management", "TREATMENT"),
    ("en", "damage the brain, elevation of cardiac enzymes", "MEDICAL_CONDITION"),
    ("en", "a $2.1M grant, $50,000, $15", "UNIQUE_FACT"),
    ("en", "A. Proceedings\nB. Criminal Law", "NAME"),
    ("en", "2834 Oakridge Lane", "NAME"),
    ("fr", "Sécurité Sociale : néant. Médecin :", "NAME"),
    ("fr", "Nom : \nPrénom : \nAdresse :", "NAME"),
    ("de", "Die Versicherung zahlt die Behandlung", "NAME"),
    ("de", "Name des Patienten:\nGeburtsdatum:", "NAME"),
    ("fr", "Médecin : Sécurité Sociale", "PROVIDER"),
    ("en", "the doctor said the provider network", "PROVIDER"),
    ("en", "Baltimore, MD", "PROVIDER"),
    ("en", "Claims Department and Provider Network", "PROVIDER"),
    ("en", "the Regional Medical Center", "LOCATION"),
    ("en", "in March, in Phase, in General", "LOCATION"),
    ("en", "Dr. Paris Weber", "LOCATION"),
    ("en", "Elena Vargas, the", "LOCATION"),
    ("fr", "Mobile : 06", "LOCATION"),
    ("en", "code 85701", "LOCATION"),
    ("en", "MANY PEOPLE, IN ALL OF THEM", "LOCATION"),
    ("en", "his blue Ford Fiesta", "NAME"),
    ("en", "diagnosis and prognosis, diploma, Tacoma, for all purposes", "MEDICAL_CONDITION"),
    ("en", "policy conditions, market conditions", "MEDICAL_CONDITION"),
    ("en", "the idiopathic kind", "MEDICAL_CONDITION"),
    ("en", "ms and ad as words", "MEDICAL_CONDITION"),
    ("de", "ein Umbruch, ein Vorfall", "MEDICAL_CONDITION"),
    ("en", "the anatomy of a policy protocol, staff training", "TREATMENT"),
    ("en", "the pilot program, a driver license", "INDIRECT_IDENTIFIER"),
    ("en", "nurses and drivers, the driver shortage, roofers", "INDIRECT_IDENTIFIER"),
    ("en", "Ms. Kroft, 46, a case manager; Voss is a reviewer", "INDIRECT_IDENTIFIER"),
    ("en", "pilot ladders are climbed", "INDIRECT_IDENTIFIER"),
    ("en", "the provider, an insurer, a member, a caller", "INDIRECT_IDENTIFIER"),
    ("en", "she is a longer matter, a risk factor, an ulcer", "INDIRECT_IDENTIFIER"),
    ("en", "Job: Xarelto", "INDIRECT_IDENTIFIER"),
    ("en", "Occupation: unknown", "INDIRECT_IDENTIFIER"),
    ("fr", "un facteur de risque, le dernier dossier", "INDIRECT_IDENTIFIER"),
    ("de", "ein weiterer Befund, die Leber, der Kläger", "INDIRECT_IDENTIFIER"),
    ("en", "TW Imbalance, delay of coverage", "MEDICAL_CONDITION"),
    ("fr", "le délai de carence", "MEDICAL_CONDITION"),
    ("en", "to cook it", "INDIRECT_IDENTIFIER"),
    ("en", "polish the floor", "DEMOGRAPHIC"),
    ("en", "the annual conference", "EVENT"),
    ("en", "22% increase in utilization, costs over $50,000", "UNIQUE_FACT"),
    ("en", "the average cost $2,310 each, mean charges of $1,873, averaging $4,212", "UNIQUE_FACT"),
    ("en", "New Spilled Acetone Burns Two at Plant", "NAME"),
]


def spans(text: str, language: str = "en") -> list[tuple[str, str]]:
    return [(f.type, text[f.start : f.end]) for f in lexicon.find(text, Scope(language=language))]


@pytest.mark.parametrize(("language", "text", "expected"), HITS, ids=[hit[1][:40] for hit in HITS])
def test_hit(language: str, text: str, expected: list[tuple[str, str]]) -> None:
    """The value is found whole, without article, title, possessive or punctuation."""
    types = {entity_type for entity_type, _ in expected}
    assert [span for span in spans(text, language) if span[0] in types] == expected


@pytest.mark.parametrize(("language", "text", "unwanted"), MISSES, ids=[m[1][:40] for m in MISSES])
def test_near_miss(language: str, text: str, unwanted: str) -> None:
    """Labels, months, headings and everyday words are not values."""
    assert [span for span in spans(text, language) if span[0] == unwanted] == []


def test_types_belong_together() -> None:
    """A clinician is not also a person's name, nor a hospital's town a place of its own."""
    assert spans("Dr. Elena Vargas of Denver Health Clinic") == [
        ("PROVIDER", "Dr. Elena Vargas"),
        ("PROVIDER", "Denver Health Clinic"),
    ]


def test_a_title_or_label_is_surer_than_a_list() -> None:
    by_rule = {f.rule: f.score for f in lexicon.find("Mr. Kroft met Arlo Finch.", Scope())}
    assert by_rule["title"] > by_rule["listed"]


def test_an_occupation_said_of_somebody_is_surer_the_more_words_the_more() -> None:
    text = "Ms. Kroft, 46, a bell founder. A ferry pilot came. Then a pilot left."
    scores = [f.score for f in lexicon.find(text, Scope()) if f.type == "INDIRECT_IDENTIFIER"]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == 3


@pytest.mark.parametrize("word", ["pain", "allergy", "anesthesia", "hiccup", "ventilation"])
def test_an_everyday_word_of_medicine_alone_is_no_value(word: str) -> None:
    """It says nothing about anybody; the same word with one that says which does."""
    assert lexicon.find(f"with {word} then", Scope()) == []


@pytest.mark.parametrize(
    "text", ["DM me before noon.", "then DM us the list", "IV him that file", "the ECT team"]
)
def test_letters_that_are_short_for_something_else_here_are_no_condition(text: str) -> None:
    """Before a pronoun they are a verb, before "team" a desk's name."""
    assert lexicon.find(text, Scope()) == []


def test_offsets_hold_in_every_block() -> None:
    """A text longer than a block is cut, and what is found far behind stands where it says."""
    line = "Then Dr. Mona Voss of Tucson saw Arlo Finch for epilepsy.\n"
    text = line * (2 * lexicon.BLOCK // len(line) + 2)
    found = list(lexicon.find(text, Scope()))
    assert len(found) == 4 * text.count("\n")
    expected = {"Dr. Mona Voss", "Tucson", "Arlo Finch", "epilepsy"}
    assert {text[f.start : f.end] for f in found} == expected


@pytest.mark.parametrize("block", [5_003, 7_001])
def test_what_is_found_does_not_hang_on_where_a_block_ends(
    monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """Each name is two words, with one between: a block that begins with the second finds less."""
    text = "then Dr. Mona Voss of Tucson saw Arlo Finch for epilepsy " * 500
    whole = lexicon.find(text, Scope())
    monkeypatch.setattr(lexicon, "BLOCK", block)
    assert lexicon.find(text, Scope()) == whole
    monkeypatch.setattr(lexicon, "AROUND", 0)
    assert lexicon.find(text, Scope()) != whole


def test_blocks_cover_the_text_without_a_blank_in_it() -> None:
    text = "x" * (3 * lexicon.BLOCK + 7)
    parts = list(lexicon.blocks(text))
    assert "".join(text[start:end] for start, end in parts) == text
    assert all(end - start <= lexicon.BLOCK for start, end in parts)


@pytest.mark.parametrize(
    "piece",
    ["A ", "A", "Dr ", "Dr. ", "Hospital of ", "type ", "de la ", "a-", "'s", "’", "\u0301", "İ ",
     "chronic ", "cancer ", "Finch, ", "a ", "46, ", "Job: ", "is a driver ",
     "Patient: ", "M. ", "Aetna Health ", "retired teacher ",
     "$1,", "(", "and ", "County ", "Marie ", "MARIE ", "\n", " "],
)  # fmt: skip
def test_hostile_repetition_is_read_in_one_pass(piece: str) -> None:
    """Hundreds of thousands of one piece end, with spans inside the text."""
    text = piece * (200_000 // len(piece))
    assert all(0 <= f.start < f.end <= len(text) for f in lexicon.find(text, Scope(language="fr")))


WORDS = st.sampled_from(
    [
        *("Dr.", "Mona", "Finch", "Mr", "O'Neil", "of", "the", "Hospital", "Tucson", ",", "AZ"),
        *("cancer", "chronic", "type", "2", "therapy", "İstanbul", "ß", "é", "e\u0301", "Médecin"),
        *(":", "(", ")", "\n", "retired", "teacher", "60", "mg", "M.", "de", "la", "Weber", "MD"),
        *("Klinikum", "😀", "’s", "-"),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_spans_are_words_of_the_text(text: str) -> None:
    """Each span lies in the text, begins and ends with a word, and is found again the same."""
    found = list(lexicon.find(text, Scope()))
    for f in found:
        span = text[f.start : f.end]
        assert span == span.strip() != ""
        assert span[0] not in ",.;:()'’" and span[-1] not in ",;:('’"
        assert 0 < f.score <= 1 and f.detector == "lexicon" and f.rule
    assert found == list(lexicon.find(text, Scope()))


def test_a_text_answers_alike_before_and_after_a_question_is_known() -> None:
    """The first text asked, also twice, and one read later give the same words."""
    bits = word_features.GIVEN | word_features.DOSE | word_features.CLOSING
    first = Text("Thanks, Anna took 60 mg. Regards")
    asked = [first.words_with(bits), first.words_with(bits), Text(first.text).words_with(bits)]
    words = [[first.words[i] for i in places] for places in asked]
    assert words == [["Thanks", "Anna", "mg", "Regards"]] * 3


def test_lists_are_read_whole() -> None:
    """Each table that sets a bit has entries, and no table of the data files is forgotten."""
    import tomllib

    features = word_features.tables("features")
    endings = features.pop("endings")
    extra = {table for held in endings.values() for table in held} | {"not_clinical"}
    extra |= {"no_answer", "verbs", "after", "roles", "things"}  # of work.toml
    extra |= {f"agent_endings_{language}" for language in ("en", "fr", "de")}
    extra |= {"he", "being", "between", "articles", "anybody", "stops", "somebody"}
    extra |= {"insured", "usual"}  # of unique_facts.toml
    extra |= {"relieved"}  # of facts.toml
    extra |= {"labels", "asking", "deeds", "anywhere", "undergone", "private", "of_others"}
    extra |= {"only_en", "only_fr", "only_de"}  # of conditions.toml, treatments.toml
    titles = features.pop("titles")  # of schema/words, with tables for others
    assert all(word_features.entries(word_features.tables("titles")[name]) for name in titles)
    for name, tables in features.items():
        data = tomllib.loads((word_features.DATA / f"{name}.toml").read_text("utf-8"))
        assert set(data) == set(tables) | (extra & set(data))
        assert all(word_features.entries(text) for text in data.values())
        assert (word_features.DATA / f"{name}.toml").stat().st_size < 60_000


def test_words_are_looked_up_without_case_or_accents() -> None:
    assert word_key("Québec") == word_key("QUEBEC") == "quebec"
    assert word_features.features_of("TÜBINGEN") & word_features.PLACE


def test_words_that_are_asked_for_first_are_gathered_once_for_all_texts_read_together() -> None:
    """Else each of ten thousand fields would go through the words of all others."""
    text = Text("Name: Anna", "Name: Eva")
    bits = 1 << 62 | 1
    assert text.words_with(bits) is text.words_with(bits)


def test_a_body_ends_before_a_person_with_a_title() -> None:
    """What is always masked must not hide in the name of an authority."""
    assert spans("for the Commission Zorvin Adler, Delegate")[0][0] == "ORGANIZATION"
    assert spans("for the Commission Mr Zorvin Adler, Delegate") == [("NAME", "Zorvin Adler")]


CLINICAL = word_features.CONDITION | word_features.TREATMENT


@pytest.mark.parametrize(
    "word",
    [
        *("metformina", "levofloxacino", "methotrexaat", "amoxicilina", "ibuprofeno"),
        *("ipertensione", "hipotiroidismo", "neumonía", "taquicardia", "osteoporosi", "dementie"),
    ],
)
def test_a_listed_clinical_word_is_known_in_the_spelling_of_another_language(word: str) -> None:
    """Also without its capital, and with the endings of the language."""
    assert word_features.FEATURES[word] & CLINICAL
    assert word_features.FEATURES[word.capitalize()] & CLINICAL


@pytest.mark.parametrize(
    "word", ["prochaine", "invalidity", "single", "correo", "fortes", "Annahme"]
)
def test_a_word_that_only_sounds_like_a_clinical_one_is_none(word: str) -> None:
    assert not word_features.FEATURES[word] & CLINICAL
