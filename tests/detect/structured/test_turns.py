"""In a transcript, what was asked in the turn before tells what an answer is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.config import Settings, load
from linkmask.detect.view.readings import stored_fields
from linkmask.pipeline.detection.detector import Detector
from linkmask.records import Document

SETTINGS = load(overrides={"workers": 1}, environment={})


def transcript(*turns: str, key: str = "content", texts: bool = True) -> Document:
    roles = ("agent", "customer")
    rows = [{"role": roles[n % 2], key: turn} for n, turn in enumerate(turns)]
    names = tuple(f"record/messages/{n}/{key}" for n in range(len(turns))) if texts else ()
    return Document("chat", "", {}, others={"messages": rows}, texts=names or ("content",))


def found(document: Document) -> dict[str, str]:
    """Return the types found in the last turn, by value."""
    (mentions,) = Detector(SETTINGS).first_passes([(document, [])])
    last = list(document.fields())[-1][0]
    return {one.original: one.type for one in mentions if one.field == last}


@pytest.mark.parametrize("texts", [True, False])
@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("What is your member ID?", "48213", {"48213": "PATIENT_ID"}),
        ("Thank you. What is your member ID?", "it's 48213", {"48213": "PATIENT_ID"}),
        ("And your date of birth?", "3/5/61", {"3/5/61": "BIRTHDATE"}),
        ("Wie lautet Ihre Versichertennummer?", "48213", {"48213": "PATIENT_ID"}),
        ("Quel est votre numéro d'adhérent ?", "48213", {"48213": "PATIENT_ID"}),
        ("Is there anything else?", "no", {}),
    ],
)
def test_an_answer_is_what_the_turn_before_asked_for(
    question: str, answer: str, expected: dict[str, str], texts: bool
) -> None:
    """Whether the turns are named as texts (`--text-field`) or not."""
    assert found(transcript("Hello.", "Hi.", question, answer, texts=texts)) == expected


def test_the_same_turn_after_another_question_is_not_that() -> None:
    assert "PATIENT_ID" not in found(transcript("How many pills are left?", "48")).values()


def test_an_answer_is_read_after_its_question_and_no_other_turn_is() -> None:
    """A long turn says itself what it is about; a list of other things has no questions."""
    turns = ("Hello. What is your name?", "Ottoline", "Thank you.", "x " * 100 + "?", "yes " * 40)
    labels = [one.label for one in stored_fields(transcript(*turns), Settings())]
    labels = [label for label in labels[1:] if not label.startswith("role")]
    assert labels == ["", "What is your name?\n", "", "", ""]
    things = Document("d", "", {"items": [{"title": "Blue"}, {"title": "Red"}]})
    labels = [one.label for one in stored_fields(things, Settings())]
    assert labels == ["", "title: ", "title: "]


def test_turns_in_parts_are_read_after_the_turn_before() -> None:
    rows = [{"parts": [{"text": text}]} for text in ("What is your member ID?", "48213")]
    document = Document("chat", "", {}, others={"turns": rows}, texts=("content",))
    assert found(document) == {"48213": "PATIENT_ID"}


def test_the_command_masks_an_answer_in_a_transcript(tmp_path: Path) -> None:
    rows = [
        {"role": "agent", "content": "What is your member ID?"},
        {"role": "customer", "content": "48213"},
    ]
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "messages": rows}) + "\n")
    command = ["mask", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out"), "--quiet"]
    done = CliRunner().invoke(main, [*command, "--text-field", "messages[].content"])
    assert done.exit_code == 0, done.output
    (written,) = (tmp_path / "out/documents").iterdir()
    turns = json.loads(written.read_text())["messages"]
    assert [one["content"] for one in turns] == ["What is your member ID?", "[PATIENT_ID]"]
