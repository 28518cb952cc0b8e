"""What masking costs a reader is measured on words, on sentences and on the user's questions."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from linkmask.cli import main

ORIGINAL = "Brandvold had surgery in March. The plan pays 80 % after a deductible of 500 euros."
MASKED = "[NAME] had surgery in March. The plan pays 80 % after a deductible of [AMOUNT] euros."
QUESTIONS = [
    {
        "question": "What does the plan pay?",
        "answer": "80 % after a deductible",
        "documents": ["a"],
    },
    {"question": "Which deductible is there?", "answer": "500"},
    {"question": "Who asks?", "answer": "nobody says so"},
]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path, Path]:
    for name, text in (("in", ORIGINAL), ("out", MASKED)):
        (tmp_path / name).mkdir()
        rows = {"a": text, "b": "Nothing else is due."}
        for key, content in rows.items():
            row = json.dumps({"id": key, "content": content})
            (tmp_path / name / f"{key}.json").write_text(row, encoding="utf-8")
    lines = "\n".join(map(json.dumps, QUESTIONS))
    (tmp_path / "questions.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path / "in", tmp_path / "out", tmp_path / "questions.jsonl"


def kept(*options: object) -> Result:
    return CliRunner().invoke(main, ["bench", "kept", *map(str, options)])


def test_words_and_whole_sentences_that_are_left_are_counted(
    folders: tuple[Path, Path, Path],
) -> None:
    """Of 10 content words in the first document 8 are left, of those in the second all."""
    found = json.loads(kept(*folders[:2], "--json").stdout)
    assert found == {
        "documents": 2,
        "missing": 0,
        "words": 0.9,
        "sentences": 0.3333,
    }


def test_a_question_that_names_no_document_is_answered_by_the_one_that_says_most_of_it(
    folders: tuple[Path, Path, Path],
) -> None:
    """The third question is one that the originals do not answer, either."""
    found = json.loads(kept(*folders[:2], "--questions", folders[2], "--json").stdout)
    assert (found["questions"], found["answers"], found["lost"]) == (2, 0.5, [2])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (QUESTIONS[:1], "1 question: 100.0% of the answers are left; less than half for none."),
        (QUESTIONS[1:2], "1 question: 0.0% of the answers are left; less than half for line 1."),
        (QUESTIONS, "2 questions: 50.0% of the answers are left; less than half for line 2."),
    ],
)
def test_a_number_agrees_with_its_noun(
    asked: list[object], said: str, folders: tuple[Path, Path, Path]
) -> None:
    folders[2].write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    assert kept(*folders[:2], "--questions", folders[2]).output.splitlines()[-1] == said


def test_the_status_says_whether_enough_is_left(folders: tuple[Path, Path, Path]) -> None:
    asked = (*folders[:2], "--questions", folders[2])
    assert kept(*asked, "--least", 0.5).exit_code == 0
    assert kept(*asked, "--least", 0.51).exit_code == 2


def test_a_document_that_was_not_released_is_lost_whole(folders: tuple[Path, Path, Path]) -> None:
    (folders[1] / "b.json").unlink()
    found = json.loads(kept(*folders[:2], "--json").stdout)
    assert found["missing"] == 1
    assert found["words"] == 0.4


@pytest.mark.parametrize("line", ["[]", "{}", "no", "3"])
def test_a_line_that_is_no_question_is_refused_by_its_number(
    line: str, folders: tuple[Path, Path, Path]
) -> None:
    folders[2].write_text(f'{{"answer": "80"}}\n{line}', encoding="utf-8")
    result = kept(*folders[:2], "--questions", folders[2])
    assert result.exit_code == 1
    assert "line 2" in result.output
