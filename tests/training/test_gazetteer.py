"""The gazetteer of names is made from lists and counts of several kinds."""

import gzip
import json
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from linkmask.detect.lexicon.listed_names import COMMON, RARE, USUAL
from training import gazetteer


def test_how_common_a_name_is_comes_from_its_counts_and_never_falls() -> None:
    """Accents and case do not matter; each word of a name counts; other scripts are left out."""
    names: gazetteer.Names = {}
    gazetteer._add_counted(names, {"SELMA": 900, "ZORA": 12, "ANNA": 90_000}, (5000, 200))
    gazetteer._add(names, ["Žora", "Anna-Karin", "Ольга"], RARE)
    assert names == {"selma": USUAL, "zora": RARE, "anna": COMMON, "karin": RARE}


def test_two_surnames_written_as_one_word_are_no_surname() -> None:
    """Both parts must be usual surnames of some length."""
    surnames = {"ramirez": COMMON, "molina": USUAL, "lee": COMMON}
    assert gazetteer._is_joined("RAMIREZMOLINA", surnames)
    assert not gazetteer._is_joined("LEEMOLINA", surnames)


def test_a_name_that_texts_use_in_small_letters_is_an_everyday_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In German, where nouns have capitals, an article before it tells the same."""
    texts = [("the baker met Baker, a baker", False), ("Kunz sah den Weber, der Weber kam", True)]
    monkeypatch.setattr(gazetteer, "_texts", lambda: texts)
    monkeypatch.setattr(gazetteer.glosses, "nouns", lambda listed: [])
    assert gazetteer.everyday_words({"baker", "weber", "kunz"}) == {"baker", "weber"}


def test_a_word_that_only_a_dictionary_has_is_no_common_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dictionaries hold names. Of two languages, the one in which a word is commoner counts."""
    counts = {"de": {"Geld": 900_000, "müller": 50}, "nl": {"geld": 80, "boek": 999_920}}
    package = tmp_path / "pyspellchecker-0.whl"
    with zipfile.ZipFile(package, "w") as stored:
        for language in gazetteer.SUBTITLES:
            packed = gzip.compress(json.dumps(counts.get(language, {"a": 99})).encode())
            stored.writestr(f"spellchecker/resources/{language}.json.gz", packed)
    monkeypatch.setattr(gazetteer, "_package", lambda name: package)
    assert gazetteer.common_words() == {"geld": COMMON, "boek": COMMON}
