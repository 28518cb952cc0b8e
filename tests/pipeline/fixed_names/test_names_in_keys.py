"""A key that is a full name which no list knows sets its document aside."""

import pytest

from linkmask.config import Settings
from linkmask.pipeline.fixed_names.keys import keys_of
from linkmask.pipeline.fixed_names.names_in_keys import full_names, names_somebody
from linkmask.records import Document


def found(*keys: str) -> list[str]:
    """Return the details of what is found in the keys of a record."""
    document = Document("d", "The claim was paid.", dict.fromkeys(keys, "3"))
    return [one.detail for one in keys_of(Settings()).findings(document)]


@pytest.mark.parametrize("key", ["Thaddeus Quenneville", "Ottoline Brandvold", "Anna Vasquell"])
def test_a_full_name_among_keys_of_other_form_is_found(key: str) -> None:
    (detail,) = found("date", "claim_status", key)
    assert "NAME" in detail


def test_every_column_may_be_called_by_a_persons_name() -> None:
    assert len(full_names({"date", "Thaddeus Quenneville", "Ottoline Brandvold"})) == 2


@pytest.mark.parametrize(
    "key", ["Policy Number", "Sum Insured", "Creatinine Clearance", "Brandvold"]
)
def test_words_of_columns_and_single_words_are_no_full_names(key: str) -> None:
    assert not full_names({"date", key})


def test_where_all_keys_have_capitals_an_unknown_one_is_no_name() -> None:
    """The heads of a table in a language without a vocabulary are not taken for persons."""
    assert not full_names({"Numero Polizza", "Stato Pratica", "Tessera Sanitaria"})


@pytest.mark.parametrize("key", ["rosenquist_2024", "WilhelminaRosenquist", "paid by rosenquist"])
def test_a_key_with_a_word_of_a_name_that_is_masked_beside_it_is_found(key: str) -> None:
    document = Document("d", "[NAME] called.", {"date": "3", key: "3"})
    (one,) = keys_of(Settings()).findings(document, ["Solveig Rosenquist", "Mark Miller"])
    assert one.kind == "key" and "NAME" in one.detail


def test_a_key_with_an_ordinary_word_of_a_name_is_not_found() -> None:
    """A column of marks names no Mark."""
    document = Document("d", "[NAME] called.", {"mark": "3", "date_of_note": "3"})
    assert not list(keys_of(Settings()).findings(document, ["Mark Note"]))


@pytest.mark.parametrize(
    "keys", [("winter", "stone"), ("date", "Winter", "note"), ("date", "Winter", "Stone", "n", "m")]
)
def test_a_key_with_an_everyday_surname_is_found_by_the_keys_beside_it(keys: list[str]) -> None:
    document = Document("d", "[NAME] and [NAME] called.", dict.fromkeys(keys, "3"))
    (one,) = keys_of(Settings()).findings(document, ["Barnaby Winter", "Ada Stone"])
    assert one.kind == "key" and "NAME" in one.detail


@pytest.mark.parametrize(
    "keys",
    [
        ("winter", "summer", "total"),
        ("Date", "Winter", "Summer"),
        ("page", "title", "id"),
        ("date", "winter", "note"),
    ],
)
def test_an_everyday_word_among_keys_of_other_words_names_nobody(keys: list[str]) -> None:
    document = Document("d", "[NAME] and [NAME] called.", dict.fromkeys(keys, "3"))
    names = ["Barnaby Winter", "Ada Stone", "Martin Page", "Jo Price"]
    assert not list(keys_of(Settings()).findings(document, names))


@pytest.mark.parametrize(
    "name",
    [
        "claims/Brattland_Vigdis_2024.pdf",
        "Wachtendonk, Ludger - Befund.txt",
        "letter to Thaddeus Quenneville.docx",
        "cv-oskar-brandvold.txt",
        "Attest Mevrouw Quenneville.txt",
    ],
)
def test_a_file_that_is_called_by_a_full_name_names_somebody(name: str) -> None:
    """Other words, a date and a folder may stand beside it; a list need not have it."""
    assert names_somebody(name)


@pytest.mark.parametrize(
    "name",
    ["Annual Report 2024.docx", "Claim_Form_Final.pdf", "README.md", "HttpServer.py", "cluster_0"],
)
def test_other_names_of_files_name_nobody(name: str) -> None:
    assert not names_somebody(name)
