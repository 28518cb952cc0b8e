"""The capital of a first word says nothing where no vocabulary covers the text."""

from __future__ import annotations

import pytest

from benchmarks import first_words
from linkmask import detect
from linkmask.config import Settings
from linkmask.graph import entities
from linkmask.records import Document
from linkmask.schema import types

MOST = 30
"""Sentences of 360 in which a name was found when the test was written, and a few more; without the
rule there were 41, with a tagger that did not see the gazetteer."""


def _names(text: str) -> set[str]:
    found = detect.first_pass(Document("one", text), Settings(), entities.canonical)
    return {text[one.start : one.end] for one in found if one.type == types.NAME}


def test_few_ordinary_sentences_in_eighteen_languages_have_a_name() -> None:
    read = first_words.sentences(first_words.FOLDER / "seen.txt")
    assert len(first_words.count(read, first_words.TOGETHER, Settings())) <= MOST


@pytest.mark.parametrize(
    "text",
    [
        "Ayrıca bodrumda su birikmiş.",
        "Grinda de peste pridvor este putredă.",
        "Brakuje instrukcji pompy.",
        "Ilma virtaa suodattimen läpi.",
        "Raam op de begane grond is stuk.",
    ],
)
def test_an_ordinary_word_that_opens_a_sentence_is_no_name(text: str) -> None:
    assert not _names(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Octavia called about the leak in the kitchen.", "Octavia"),
        ("Ana ligou por causa da porta da cozinha.", "Ana"),
        ("Ayşe Yılmaz kapıyı açtı ve bodruma indi.", "Ayşe Yılmaz"),
        ("Wiersma belde gisteren over de schade aan het dak.", "Wiersma"),
        ("Horvat je jučer zvao zbog štete na krovu.", "Horvat"),
        ("Smith: chown passwd sudo systemctl journalctl kubelet", "Smith"),
        ("Patient: Nomvula thandi khwezi mthembu.", "Nomvula thandi khwezi mthembu"),
        ("Presentes: Lena Obermoser.\nObermoser pide presupuestos.", "Obermoser"),
        ("Quennell sshed into nginx, grepped stdout, then sigkilled postgres.", "Quennell"),
    ],
    ids=[
        "in a covered language", "listed by hand", "two words with capitals", "a usual surname",
        "one listed by hand", "one in jargon", "one behind a label", "a word of a name above",
        "a rare name in jargon with function words",
    ],
)  # fmt: skip
def test_a_name_that_opens_a_sentence_and_has_other_evidence_is_one(text: str, name: str) -> None:
    assert name in _names(text)
