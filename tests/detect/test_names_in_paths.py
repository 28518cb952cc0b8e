"""Names in paths, host names and names of files: of the document's persons, and by gazetteers."""

import pytest

import linkmask
from linkmask.detect import first_pass
from linkmask.detect.names_in_paths import names_in_paths, persons_of
from linkmask.graph.entities import canonical
from linkmask.records import Document

PERSONS = persons_of(["Solveig Brandvold"], ["solveig", "brandvold"], {"sbrandvold"})
NOBODY = persons_of([], [], set())


def found(text: str, persons: object = PERSONS) -> list[str]:
    spans = dict.fromkeys(one[:2] for one in names_in_paths(text, persons))  # type: ignore[arg-type]
    return [text[start:end] for start, end in spans]


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
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "Solveig Brandvold came and/or went.",
        "a Brandvold-like plan",
        "brandvolds.example",
        "mail solveig@example.org",
    ],
)
def test_prose_and_longer_words_are_no_paths_that_hold_a_name(text: str) -> None:
    assert found(text) == []


def test_an_everyday_word_names_nobody_in_a_path_by_itself() -> None:
    persons = persons_of(["Ada Stone"], ["stone"], set())
    assert found("/img/stone-wall.png", persons) == []
    assert found("/img/ada-stone.png", persons) == ["ada-stone"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("https://example.org/people/theodora-papanikolaou", ["theodora-papanikolaou"]),
        ("https://uni.example/~theodora.papanikolaou/index.html", ["theodora.papanikolaou"]),
        ("https://example.org/blog/martin-schmidt", ["martin-schmidt"]),
        ("https://example.org/team/lioba-brandvold", ["lioba-brandvold"]),
        ("https://uni.example/~lbrandvold/a.html", ["lbrandvold"]),
        ("\\\\nas\\users\\hrothgar.brandvold\\tax.xlsx", ["hrothgar.brandvold"]),
    ],
)
def test_a_path_alone_names_a_person_by_gazetteers_or_a_segment_of_people(
    text: str, names: list[str]
) -> None:
    assert found(text, NOBODY) == names


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/blog/getting-started",
        "https://example.org/people/about-us",
        "https://example.org/repo/theodora-papanikolaou",
        "/lib/jquery.min.js",
        "https://example.org/team/sales-emea",
        "https://example.org/users/sign-in",
        "https://uni.example/~root/a.html",
        "about ~floor of it and/or.html",
    ],
)
def test_other_words_of_a_path_name_nobody(text: str) -> None:
    assert found(text, NOBODY) == []


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
    page = persons_of(["https://forge.example/brandvold"], [], set())
    assert found("See https://forge.example/docs and brandvold/forge.example/a.", page) == []
