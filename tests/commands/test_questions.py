"""With `--questions` a plan spares the values of answers; a release says what is left of these."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from linkmask.cli import main
from linkmask.errors import InputError
from linkmask.pipeline.answers.questions import read_questions

TEXT = "She takes rituximab and methotrexate. Ask Orla Brandvold."
DRUGS = ("rituximab", "methotrexate")


def corpus(folder: Path) -> Path:
    """One document that must lose one of two drugs: 1 − (1 − 0.9 w)² is above the limit."""
    rows = [{"id": "a", "content": TEXT}, *({"id": f"d{n}", "content": "-"} for n in range(9))]
    found = [
        {"document": "a", "original_value": drug, "entity_type": "TREATMENT", "relevance": 0.9}
        for drug in DRUGS
    ]
    name = {"document": "a", "original_value": "Orla Brandvold", "entity_type": "NAME"}
    for file, lines in (("in", rows), ("mentions", [*found, name | {"relevance": 1.0}])):
        text = "".join(json.dumps(row) + "\n" for row in lines)
        (folder / f"{file}.jsonl").write_text(text, encoding="utf-8")
    return folder / "in.jsonl"


def asking(folder: Path, *answers: str) -> Path:
    path = folder / "questions.jsonl"
    rows = ({"question": "What?", "answer": one, "documents": ["a"]} for one in answers)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def mask(folder: Path, *options: object) -> Result:
    given = [corpus(folder), "-o", folder / "out", "--mentions", folder / "mentions.jsonl"]
    limits = ["--theta-doc", "0.8", "--set", "rare_terms=0", "--workers", "1"]
    return CliRunner().invoke(main, ["mask", *map(str, [*given, *options]), *limits])


@pytest.mark.parametrize("asked", DRUGS)
def test_the_value_of_an_answer_stays_where_another_suffices(asked: str, tmp_path: Path) -> None:
    """Without questions one of the two is masked; with them it is the other one."""
    result = mask(tmp_path, "--questions", asking(tmp_path, asked, "Orla Brandvold", "nothing"))
    assert result.exit_code == 0, result.output
    (file,) = (tmp_path / "out" / "documents").iterdir()
    text = json.loads(file.read_text(encoding="utf-8").splitlines()[0])["content"]
    (other,) = set(DRUGS) - {asked}
    assert asked in text
    assert other not in text
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    counts = ("whole", "in_part", "gone", "unanswered")
    assert [summary["answers"][one] for one in counts] == [1, 0, 1, 1]
    assert summary["answers"]["taken"] == {"NAME": {"floor": 1}}
    assert summary["settings"]["questions"] == "questions.jsonl"
    words = "3 questions: the release holds 1 of the answers whole"
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert words in " ".join(result.output.split())
    assert words in page


@pytest.mark.parametrize(
    "line", ["[]", "{}", "no", '{"answer": ["80"]}', '{"answer": "80", "documents": {"a": 1}}']
)
def test_a_line_that_is_no_question_stops_the_command_before_it_detects(
    line: str, tmp_path: Path
) -> None:
    (tmp_path / "questions.jsonl").write_text(f'{{"answer": "80"}}\n\n{line}\n', encoding="utf-8")
    result = mask(tmp_path, "--questions", tmp_path / "questions.jsonl")
    assert result.exit_code == 1
    assert "line 3" in result.output
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "out.run").exists()


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.jsonl"):
        read_questions(tmp_path / "missing.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"answer": "caf\xe9"}')
    with pytest.raises(InputError, match="UTF-8"):
        read_questions(tmp_path / "latin.jsonl")
    with pytest.raises(InputError, match="no path"):
        read_questions(Path("a\0b"))


def test_a_line_ends_only_where_json_lines_end(tmp_path: Path) -> None:
    """Other characters that end lines may stand in a text."""
    path = tmp_path / "questions.jsonl"
    path.write_bytes('{"answer": "rituximab\u2028\x85"}\r\n{"answer": "b"}\r\n'.encode())
    assert [(one.line, one.answer[:9]) for one in read_questions(path)] == [
        (1, "rituximab"),
        (2, "b"),
    ]


def test_a_stored_plan_is_applied_without_the_questions(tmp_path: Path) -> None:
    path = asking(tmp_path, "rituximab")
    assert mask(tmp_path, "--questions", path).exit_code == 0
    path.unlink()
    again = ["apply", tmp_path / "out.run", "-o", tmp_path / "again"]
    result = CliRunner().invoke(main, list(map(str, again)))
    assert result.exit_code == 0, result.output
    (first, second) = (next((tmp_path / one / "documents").iterdir()) for one in ("out", "again"))
    assert first.read_bytes() == second.read_bytes()
