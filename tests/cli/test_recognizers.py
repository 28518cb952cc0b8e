"""Recognizers of the user's own, as the commands run them: real files, exit statuses."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from linkmask.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "recognizers"
ROW = '[[recognizer]]\nid = "employee"\ntype = "PATIENT_ID"\npattern = \'EMP-[0-9]{6}\'\n'


def linkmask(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two documents; the second holds a deny-listed project and an allow-listed name."""
    folder = tmp_path / "in"
    folder.mkdir()
    texts = {
        "a": "Anna Brandvold (EMP-123456) moved to Blue Heron in May; EMP-123456 signed.",
        "b": "John Miller, EMP-654321, wrote to Mercy Support about the blue heron budget.",
    }
    for name, text in texts.items():
        record = {"id": name, "content": text, "metadata": {"staff": "EMP-123456"}}
        (folder / f"{name}.json").write_text(json.dumps(record), "utf-8")
    return folder


def written(out: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(out.glob("documents/*.json")))


def test_three_lines_find_employee_numbers(corpus: Path, tmp_path: Path) -> None:
    """The README of recognizers: id, type and pattern are enough, and every step knows them."""
    (tmp_path / "house.toml").write_text(ROW, "utf-8")
    out = tmp_path / "out"
    done = linkmask("mask", corpus, "-o", out, "--recognizers", tmp_path / "house.toml")
    assert done.exit_code == 0, done.output
    assert "EMP-" not in written(out)
    mentions = (tmp_path / "out.run" / "mentions.jsonl").read_text("utf-8").splitlines()
    assert any('"recognizers"' in line and '"employee"' in line for line in mentions)


def test_a_rare_word_within_an_allow_list_stays(tmp_path: Path) -> None:
    """A word that few documents share links them, but the user said that it may be read."""
    corpus = tmp_path / "in"
    corpus.mkdir()
    for name, other in (("a", "born 12 March 1980"), ("b", "member ID 4821377")):
        text = f"John Miller ({other}) has lupus, and wrote to the Quartzvale Foundation."
        (corpus / f"{name}.txt").write_text(text, "utf-8")
    listed = tmp_path / "public.toml"
    listed.write_text(
        '[[recognizer]]\nid = "ours"\nkeep = true\nvalues = ["Quartzvale Foundation"]\n', "utf-8"
    )
    for out, options, times in (("bare", (), 1), ("kept", ("--recognizers", listed), 2)):
        done = linkmask("mask", corpus, "-o", tmp_path / out, "--no-run", *options)
        assert done.exit_code == 0, done.output
        texts = [path.read_text("utf-8") for path in (tmp_path / out).glob("documents/*.txt")]
        assert sum("Quartzvale" in text for text in texts) == times


def test_rows_in_the_configuration_are_used(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(f'style = "redact"\n{ROW}', "utf-8")
    done = linkmask("mask", corpus, "-o", tmp_path / "out", "--config", tmp_path / "c.toml")
    assert done.exit_code == 0, done.output
    text = written(tmp_path / "out")
    assert "EMP-" not in text and "[REDACTED]" in text


def test_a_run_needs_the_files_no_more(corpus: Path, tmp_path: Path) -> None:
    """Values, types and allow lists are in the run: verify, plan, apply and explain know them."""
    rows = Path(shutil.copytree(EXAMPLES, tmp_path / "rows"))
    out, run = tmp_path / "out", tmp_path / "out.run"
    more = ["--set", "floor=NAME,UNIQUE_FACT", "--style", "value"]
    done = linkmask("mask", corpus, "-o", out, "--recognizers", rows / "house.toml", *more)
    assert done.exit_code == 0, done.output
    shutil.rmtree(rows)
    for again in (
        linkmask("verify", out),
        linkmask("explain", run, "--document", "a"),
        linkmask("plan", run, "--theta-doc", "0.2"),
        linkmask("apply", run, "-o", tmp_path / "out2"),
        linkmask("verify", tmp_path / "out2", "--run", run),
    ):
        assert again.exit_code == 0, again.output
    for folder in (out, tmp_path / "out2"):
        text = written(folder)
        assert "[EMPLOYEE_ID]" in text and "[UNIQUE_FACT]" in text
        assert "Mercy Support" in text
        assert "EMP-" not in text.upper() and "heron" not in text.lower()


def test_reports_hold_neither_values_nor_their_digest(corpus: Path, tmp_path: Path) -> None:
    """A digest of a short list of names tells whoever guesses the list."""
    out = tmp_path / "out"
    done = linkmask("mask", corpus, "-o", out, "--recognizers", EXAMPLES / "house.toml")
    assert done.exit_code == 0, done.output
    settings = json.loads((out / "summary.json").read_text("utf-8"))["settings"]
    assert settings["recognizers"] == ["house.toml"]
    assert "recognizers_digest" not in settings
    for name in ("summary.json", "report.html"):
        assert "Heron" not in (out / name).read_text("utf-8")


def test_a_run_is_not_continued_with_other_recognizers(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(ROW, "utf-8")
    scan = ["scan", corpus, "-o", tmp_path / "run", "--recognizers", file]
    assert linkmask(*scan).exit_code == 0
    assert linkmask(*scan).exit_code == 0
    file.write_text(ROW.replace("{6}", "{7}"), "utf-8")
    done = linkmask(*scan)
    assert done.exit_code == 1 and "recognizers_digest" in done.output


@pytest.mark.parametrize("style", ["redact", "value", "pseudonym", "surrogate", "token"])
def test_every_style_writes_a_type_of_ones_own(corpus: Path, tmp_path: Path, style: str) -> None:
    out = tmp_path / "out"
    rows = ["--recognizers", EXAMPLES / "house.toml"]
    done = linkmask("mask", corpus, "-o", out, *rows, "--style", style)
    assert done.exit_code == 0, done.output
    assert "123456" not in written(out)


def test_check_prints_what_examples_find(tmp_path: Path) -> None:
    done = linkmask("recognizers", "check", EXAMPLES / "house.toml", "-t", "EMP-000001 x")
    assert done.exit_code == 0, done.output
    assert "ok    example 'EMP-123456 called again': EMP-123456" in done.output
    assert "EMP-000001 (EMPLOYEE_ID, employee-number)" in done.output
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(ROW + 'examples = ["EMP-12"]\n', "utf-8")
    done = linkmask("recognizers", "check", wrong)
    assert done.exit_code == 1 and "WRONG example 'EMP-12': nothing" in done.output


def test_a_file_without_a_recognizer_does_not_pass_the_check(tmp_path: Path) -> None:
    """Else no number would be found."""
    file = tmp_path / "own.toml"
    file.write_text("[fragments]\n", "utf-8")
    checked = linkmask("recognizers", "check", file)
    assert checked.exit_code == 1 and "[[recognizer]]" in checked.output


def test_a_misspelled_heading_beside_right_ones_is_refused(corpus: Path, tmp_path: Path) -> None:
    """Else the numbers of its recognizer would stay readable, and nobody would know."""
    file = tmp_path / "own.toml"
    other = ROW.replace("[[recognizer]]", "[[recogniser]]").replace("EMP-", "BADGE-")
    file.write_text(ROW + "\n" + other, "utf-8")
    mask = ("mask", corpus, "-o", tmp_path / "out", "--recognizers", file)
    for args in (("recognizers", "check", file), mask):
        done = linkmask(*args)
        assert done.exit_code == 1
        assert "recogniser: there is no such table; did you mean 'recognizer'?" in done.output
    assert not (tmp_path / "out").exists()


def test_a_file_of_recognizers_may_be_the_settings_file(tmp_path: Path) -> None:
    file = tmp_path / "linkmask.toml"
    file.write_text('[corpus]\nid_field = "number"\n\n' + ROW, "utf-8")
    assert linkmask("recognizers", "check", file).exit_code == 0


def test_a_mistake_is_one_line_and_no_traceback(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(ROW.replace("pattern", "patern"), "utf-8")
    for args in (
        ["recognizers", "check", tmp_path / "bad.toml"],
        ["mask", corpus, "-o", tmp_path / "out", "--recognizers", tmp_path / "bad.toml"],
    ):
        done = linkmask(*args)
        assert done.exit_code == 1
        assert "line 4: recognizer.patern: there is no such key; did you mean 'pattern'?" in (
            done.output
        )
    assert not (tmp_path / "out").exists()
    slow = ROW.replace("EMP-[0-9]{6}", r"(\w+\s?)+$")
    (tmp_path / "slow.toml").write_text(slow, "utf-8")
    done = linkmask("mask", corpus, "-o", tmp_path / "out", "--recognizers", tmp_path / "slow.toml")
    assert done.exit_code == 1 and "100,000 steps" in done.output


def test_what_is_converted_goes_to_standard_output_or_into_the_file_that_is_named(
    tmp_path: Path,
) -> None:
    """As TOML that `recognizers check` accepts; with a file, the counts alone are printed."""
    row = {"name": "badge", "supported_entity": "BADGE", "supported_language": "en"}
    row |= {"patterns": [{"name": "badge", "regex": "QX-[0-9]{4}", "score": 0.8}]}
    source, out = tmp_path / "presidio.yaml", tmp_path / "house.toml"
    source.write_text(json.dumps({"recognizers": [row]}), "utf-8")  # JSON is YAML
    printed, counted = (linkmask("recognizers", "convert", source, *to) for to in ((), ("-o", out)))
    assert printed.exit_code == counted.exit_code == 0, printed.output + counted.output
    assert printed.output == out.read_text("utf-8") and "[[recognizer]]" in printed.output
    assert "1 recognizer" in counted.output and "[[recognizer]]" not in counted.output
    assert linkmask("recognizers", "check", out).exit_code == 0


@pytest.mark.parametrize(("language", "status"), [("es", 0), ("pl", 1)])
def test_a_language_of_presidio_is_taken_or_refused_by_every_command(
    language: str, status: int, tmp_path: Path
) -> None:
    """Presidio's example of ZIP codes names two; `convert` writes none that `check` refuses."""
    languages = [{"language": "en", "context": ["zip"]}]
    languages += [{"language": language, "context": ["código", "postal"]}]
    row = {"name": "ZIP", "supported_entity": "ZIP", "supported_languages": languages}
    row |= {"patterns": [{"name": "zip (weak)", "regex": "[0-9]{5}", "score": 0.01}]}
    source, out = tmp_path / "presidio.yaml", tmp_path / "house.toml"
    source.write_text(json.dumps({"recognizers": [row]}), "utf-8")
    text = "El código postal es 41004."
    checked = linkmask("recognizers", "check", source, "-t", text)
    converted = linkmask("recognizers", "convert", source, "-o", out)
    assert checked.exit_code == converted.exit_code == status, checked.output + converted.output
    assert out.exists() == (status == 0)
    if status:
        assert all("no language 'pl'; there are: en" in one.output for one in (checked, converted))
    else:
        assert "41004 (ZIP" in checked.output
        assert linkmask("recognizers", "check", out).exit_code == 0
