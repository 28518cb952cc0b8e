"""A name of a document or file tells a masked value that stands in it as whole words."""

from collections.abc import Sequence

import pytest

from linkmask.choices import LANGUAGES
from linkmask.config import Settings
from linkmask.pipeline.fixed_names.keys import ALIKE, Keys, keys_of
from linkmask.pipeline.fixed_names.leaking_names import LeakingNames
from linkmask.pipeline.values.possible_spellings import PossibleSpellings
from linkmask.records import Document, Mention
from linkmask.redact import Target
from linkmask.text.letters import spaced_words

NAMES = {
    "jane_roe.json": True,
    "Brandvold-2024.pdf": True,
    "STRASSÉ.txt": True,
    "Jane Roe0123456789abcdef0123456789abcdef": True,  # an id that repeats
    "scan 12.json": False,
    "roe.txt": False,
    "brandvolds.txt": False,
}
TARGETS = {
    "a": Target("NAME", ["Jane Roe"]),
    "b": Target("NAME", ["Ann Brandvold"], ["Brandvold"]),
    "c": Target("LOCATION", ["Straßé"]),
    "d": Target("AGE", ["12"]),
}


@pytest.mark.parametrize("expected", [(), list(NAMES)[:2], list(NAMES)])
def test_a_name_tells_what_it_holds_whether_it_was_expected_or_not(expected: list[str]) -> None:
    holds = LeakingNames(TARGETS, PossibleSpellings(TARGETS))
    holds.expect(expected)
    assert {name: holds(spaced_words(name)) for name in NAMES} == NAMES


def test_of_ids_that_differ_in_digits_alone_some_are_read() -> None:
    read = []

    def detect(texts: Sequence[str], language: str) -> list[list[Mention]]:
        read.extend(texts)
        return [[] for _ in texts]

    keys = Keys(detect, lambda _: "en", lambda one: one.type == "NAME")
    assert keys.names(f"claim form {number}" for number in range(10_000, 20_000)) == set()
    assert len(read) == ALIKE
    assert keys.names(["15c0cdd5-9836-404c-76fb", "claim-4711"]) == set()
    assert len(read) == ALIKE, "what names nobody is not read"


def test_a_person_in_one_of_alike_ids_is_in_all_of_them() -> None:
    keys = keys_of(Settings(workers=1))
    ids = {f"letter to Jonathan Harker {number}" for number in range(100, 130)}
    assert keys.names([*ids, "letter to the editor 100"]) == ids


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_names_are_found_whatever_the_language(language: str) -> None:
    """Names of files are read in the first language of the settings, and no model is asked."""
    found = {
        "Brief_an_Jens_Vogt.docx",
        "lettre_claire_dubois.txt",
        "Monsieur Jean Dupont.eml",
        "Frau Sabine Krüger.eml",
        "Elena Vargas notes.txt",
    }
    keys = keys_of(Settings(languages=(language, *LANGUAGES)))
    asked = Keys(keys.detect, refused, keys.counts, keys.usual)
    assert asked.names([*found, "compte rendu 12.pdf", "Bericht 12.pdf", "scan 12.json"]) == found


def test_a_persons_number_counts_where_a_word_announces_it() -> None:
    told = {"MRN 4482913.json", "ssn_536-90-4399", "NHS_9434765919.pdf", "patient 4482913"}
    others = {"patient_12", "id_10000001", "letter 4482913", "invoice 2024-11-0003", "scan0001234"}
    others |= {"Patient-20240312.txt", "patients 20240101-20240331", "chart_1710239400123.txt"}
    assert keys_of(Settings()).names(told | others) == told


def refused(document: Document) -> str:
    raise AssertionError("the language of names is not looked for")
