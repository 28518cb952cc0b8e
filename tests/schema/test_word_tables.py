"""The word tables are whole: what is looked up by its place is at its place."""

import pytest

from linkmask import schema
from linkmask.errors import SettingsError

LANGUAGES = ("en", "fr", "de")


@pytest.mark.parametrize("language", schema.words("calendar")["months"])
def test_months_are_twelve_different_words(language: str) -> None:
    months = schema.words("calendar")["months"][language]
    assert len(months) == len(set(map(str, months))) == 12


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_run_from_one_to_ninety_nine_without_repeats(language: str) -> None:
    numbers = schema.words("numbers")[language]
    assert len(numbers) == len(set(numbers)) == 99


def test_the_kinds_of_id_words_do_not_contradict() -> None:
    """A word decides one thing; only a thing may also be weak."""
    ids = schema.words("ids")
    kinds = [set(ids[kind]) for kind in ("patient", "thing", "national", "code")]
    assert sum(len(kind) for kind in kinds) == len(set().union(*kinds))
    assert set(ids["weak"]) <= set(ids["thing"])


def test_usual_titles_are_titles() -> None:
    titles = schema.words("titles")
    known = {word for row in titles["titles"].values() for word in row}
    assert {title.rstrip(".") for title in titles["usual"]} <= known
    assert {*titles["only"], *titles["initials"]} <= known


def test_words_do_not_disturb_the_schemas() -> None:
    """Tables of words lie beside the schemas and are none."""
    assert "NAME" in schema.load("insurance").weights
    with pytest.raises(SettingsError, match="calendar"):
        schema.load("calendar")
