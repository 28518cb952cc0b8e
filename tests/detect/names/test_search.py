"""The names of a document are found again: alone, in user names, in paths and names of files."""

import pytest

import linkmask
from linkmask.detect import first_pass
from linkmask.detect.candidates import Candidate
from linkmask.detect.names.name_parts import NameParts, parts_of_names
from linkmask.detect.names.paths import IN_PATH
from linkmask.detect.names.search import (
    AGAIN,
    ANNOUNCED,
    PART_OF_PATH,
    SMALL,
    USER,
    names_again,
)
from linkmask.graph.entities import canonical
from linkmask.records import Document

NAME = "Ottoline Brandvold"
CLINICIAN = Candidate(0, 13, "PROVIDER", "lexicon", "clinician", 0.9)


def known(*names: str) -> NameParts:
    """Return the names of a document with a form that holds these."""
    return parts_of_names((one, [told(one, one)]) for one in names)


def told(name: str, text: str) -> Candidate:
    """Return the candidate of a name that a label in a text announces."""
    start = text.index(name)
    return Candidate(start, start + len(name), "NAME", "fields", "label", 0.85)


def found(text: str, names: NameParts, *rules: str) -> list[str]:
    """Return what the search finds by these rules, in order, once for each place."""
    spans = {one[:2]: None for one in names_again(text, names, []) if one.rule in rules}
    return [text[start:end] for start, end in spans]


def alone(text: str, name: str) -> list[str]:
    """Return the words that are found alone besides a name that a form told."""
    one = told(name, text)
    again = names_again(text, parts_of_names([(text, [one])]), [one])
    return [text[o.start : o.end] for o in again if o.rule == AGAIN]


def test_the_given_name_of_a_form_is_found_in_its_text() -> None:
    """A given name that no list holds is known by the full name above."""
    text = "Requested for: Hjordys Blandal\n\nAfter the update Hjordys needs it. Blandal agrees."
    assert alone(text, "Hjordys Blandal") == ["Hjordys", "Blandal"]


def test_names_in_capitals_are_found_in_other_letters() -> None:
    """A form's capitals do not hide the name in its text."""
    assert alone("PATIENT: ZELKA THRELKELD\nZelka has asthma.", "ZELKA THRELKELD") == ["Zelka"]


def test_a_surname_of_two_words_is_found_alone() -> None:
    text = "Object: Solenne Carpental-Lambroix\n\nTitle: Carpental-Lambroix, not Carpental-Rue"
    assert alone(text, "Solenne Carpental-Lambroix") == ["Carpental-Lambroix"]


def test_a_name_of_one_word_and_its_plural_are_found_again() -> None:
    assert alone("Mr. Finch came. Finch left; the Finches stayed.", "Finch") == ["Finch", "Finches"]
    assert alone("Mr. Will came. Will it rain?", "Will") == []


def test_a_clinician_is_found_again_by_the_last_word() -> None:
    text = "Dr. Mona Voss came. Voss asked; Mona slept."
    again = names_again(text, parts_of_names([(text, [CLINICIAN])]), [CLINICIAN])
    assert [(text[one.start : one.end], one.type) for one in again] == [("Voss", "PROVIDER")]


@pytest.mark.parametrize(
    ("span", "entity_type", "words"),
    [
        ("Blandal und Threlkeld", "ORGANIZATION", ["Blandal", "Threlkeld"]),
        ("Blandal & Threlkeld", "PROVIDER", ["Blandal", "Threlkeld"]),
        ("Blandal, Threlkeld e Yilmaz", "LOCATION", ["Blandal", "Threlkeld"]),
        ("Termin mit Blandal", "EVENT", ["Blandal"]),
        ("Kanzlei Blandal & Partner", "ORGANIZATION", []),
        ("Blandal and Sons", "ORGANIZATION", []),
        ("Blandal Threlkeld", "ORGANIZATION", []),
        ("Blandal Straße", "LOCATION", []),
    ],
)
def test_names_that_the_tagger_takes_for_a_body_are_found_again_in_a_list_alone(
    span: str, entity_type: str, words: list[str]
) -> None:
    """A firm's name is not cut; two persons are no firm, and a fact does not hide a name."""
    head = "Anwesend: Hjordys Blandal, Zelka Threlkeld.\n"
    text = head + span + " in Wien."
    told_of = [told("Hjordys Blandal", text), told("Zelka Threlkeld", text)]
    body = Candidate(len(head), len(head + span), entity_type, "ner", "r", 0.94)
    again = names_again(text, parts_of_names([(text, told_of)]), [*told_of, body], "de")
    assert [text[one.start : one.end] for one in again if one.rule == AGAIN] == words


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Name: Rusk Blandal\nRusk is dry; she ate rusk.", "Rusk Blandal"),
        ("Name: Mary Lake\nThe Lake is deep.", "Mary Lake"),
        ("Name: Zelka Threlkeld\nthe Threlkeld Inn, zelka@threlkeld.example", "Zelka Threlkeld"),
    ],
)
def test_words_of_the_language_and_other_names_are_left(text: str, name: str) -> None:
    """A word that also stands in small letters, a listed thing and a longer name are left."""
    assert alone(text, name) == []


@pytest.mark.parametrize(
    "word",
    "obrandvold obrandvold92 o.brandvold ottoline_brandvold BrandvoldO brandvold-ottoline7"
    " brandvold1980 ottoline_92".split(),
)
def test_name_and_initial_or_number_make_a_user_name(word: str) -> None:
    """Given name or initial joined with the surname, or a number behind one of them, is found."""
    text = f"Logged in as {word}, (then @{word}). See a.org/in/{word}"
    assert found(text, known(NAME), USER) == [word] * 3


@pytest.mark.parametrize(
    "text",
    [
        "Brandvold called, and Ottoline too.",
        "brandvold5",  # a single digit may be the mark of a footnote
        "brandvolds brandvoldlane obrandvoldx",
        "li2024 is a cited work",
    ],
)
def test_a_name_alone_and_longer_words_are_no_user_names(text: str) -> None:
    """A name by itself is left to other recognizers, and a word that goes on is another word."""
    assert found(text, known(NAME, "Wei Li"), USER) == []


@pytest.mark.parametrize(
    ("name", "word"), [("Peter Rice", "price"), ("Susan Pace", "space"), ("Bernd Rown", "brown")]
)
def test_an_initial_and_a_surname_that_make_a_word_are_no_user_name(name: str, word: str) -> None:
    assert found(f"the {word} of it", known(name), USER) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Entered by price on 4 May, sorted by price; the price of rice", ["price"]),
        ("Note signed by rice. The rice was cooked.", ["rice"]),
        ("2 May, unterschrieben von rice", ["rice"]),
        ("created_by: price, unit: price", ["price"]),
    ],
)
def test_a_word_of_prose_is_a_user_name_where_a_user_is_announced(
    text: str, names: list[str]
) -> None:
    assert found(text, known("Peter Rice"), ANNOUNCED) == names


def test_a_surname_in_small_letters_is_one_if_it_is_no_word_of_the_text() -> None:
    """A surname may be a word of a language whose words no vocabulary has: "virta", a stream."""
    assert found("I met brandvold yesterday", known(NAME), SMALL) == ["brandvold"]
    assert found("the rice and the price of it", known("Peter Rice"), SMALL) == []
    finnish = "Laturin virta katkesi heti käynnistyksen jälkeen."
    assert found(finnish, known("Aino Virta"), SMALL) == []


def test_a_word_of_prose_that_is_a_user_name_is_masked_nowhere_else() -> None:
    corpus = [
        Document("1", "Mr Peter Rice has asthma. Entered by price on Monday."),
        Document("2", "The price of rice, sorted by price. The note was signed by rice."),
    ]
    masked = linkmask.mask(corpus, {"rare_terms": 0})
    assert [one.written.content for one in masked.documents] == [
        "Mr [NAME] has asthma. Entered by [NAME] on Monday.",
        "The price of rice, sorted by price. The note was signed by [NAME].",
    ]


def test_accents_and_capitals_may_be_dropped() -> None:
    """A user name is written without accents."""
    assert found("squemeneur29", known("Solène Quéméneur"), USER) == ["squemeneur29"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see https://example.org/people/solveig-brandvold now", ["solveig-brandvold"]),
        ("Received: from pc-brandvold (10.0.0.4)", ["brandvold"]),
        ("file brandvold_solveig_cv.pdf", ["brandvold_solveig"]),
        ("C:\\files\\Brandvold%20Solveig\\a.txt", ["Brandvold%20Solveig"]),
        ("host=ws-solveig.lan", ["solveig"]),
        ("/srv/SolveigBrandvold/notes", ["SolveigBrandvold"]),
        ("/home/sbrandvold/x", ["sbrandvold"]),
    ],
)
def test_a_name_of_the_document_is_found_in_a_path_in_all_its_forms(
    text: str, names: list[str]
) -> None:
    assert found(text, known("Solveig Brandvold"), PART_OF_PATH) == names


@pytest.mark.parametrize(
    "text",
    [
        "Solveig Brandvold came and/or went.",
        "a Brandvold-like plan",
        "brandvoldlane.example",
        "mail solveig@example.org",
    ],
)
def test_prose_and_longer_words_are_no_paths_that_hold_a_name(text: str) -> None:
    assert found(text, known("Solveig Brandvold"), PART_OF_PATH) == []


def test_an_everyday_word_names_nobody_in_a_path_by_itself() -> None:
    assert found("/img/stone-wall.png", known("Ada Stone"), PART_OF_PATH) == []
    assert found("/img/ada-stone.png", known("Ada Stone"), PART_OF_PATH) == ["ada-stone"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("https://example.org/people/theodora-papanikolaou", ["theodora-papanikolaou"]),
        ("https://uni.example/~theodora.papanikolaou/index.html", ["theodora.papanikolaou"]),
        ("https://example.org/blog/martin-schmidt", ["martin-schmidt"]),
        ("https://example.org/repo/theodora-papanikolaou", ["theodora-papanikolaou"]),
        ("https://example.org/team/lioba-brandvold", ["lioba-brandvold"]),
        ("https://uni.example/~lbrandvold/a.html", ["lbrandvold"]),
        ("\\\\nas\\users\\hrothgar.brandvold\\tax.xlsx", ["hrothgar.brandvold"]),
    ],
)
def test_a_path_alone_names_a_person_by_gazetteers_or_a_segment_of_people(
    text: str, names: list[str]
) -> None:
    assert found(text, known(), IN_PATH) == names


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/blog/getting-started",
        "https://example.org/people/about-us",
        "https://example.org/repo/release-notes-zorkmid",
        "/lib/jquery.min.js",
        "https://example.org/team/sales-emea",
        "https://example.org/users/sign-in",
        "https://uni.example/~root/a.html",
        "about ~floor of it and/or.html",
    ],
)
def test_other_words_of_a_path_name_nobody(text: str) -> None:
    assert found(text, known(), IN_PATH) == []


def test_of_a_url_that_holds_a_name_the_name_is_masked() -> None:
    document = Document(
        "a", "Ms Solveig Brandvold wrote https://cloud.example/u/solveig.brandvold/a"
    )
    mentions = first_pass(document, linkmask.load(), canonical)
    assert [one.original for one in mentions] == [
        "Solveig Brandvold",
        "solveig.brandvold",
    ]


def test_a_name_in_small_letters_in_a_path_does_not_hide_that_the_word_is_a_name() -> None:
    document = Document("a", "From: Torbjorn Brandvold\n\nThe host is pc-torbjorn.\n\nTorbjorn\n")
    mentions = first_pass(document, linkmask.load(), canonical)
    assert [one.original for one in mentions] == ["Torbjorn Brandvold", "torbjorn", "Torbjorn"]


def test_the_address_of_a_users_page_makes_no_names_of_its_host() -> None:
    """Its words stand beside one another, but a site is no person."""
    page = known("https://forge.example/brandvold")
    text = "See https://forge.example/docs and brandvold/forge.example/a."
    assert found(text, page, PART_OF_PATH) == []
