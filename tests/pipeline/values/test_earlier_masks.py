"""What was masked yesterday and would be readable today is said, or kept masked."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from linkmask import cli
from linkmask.runs import Run, lower_and_collapse
from linkmask.schema import RARE_TERM

DOCUMENTS = Path(__file__).parents[3] / "examples" / "insurance" / "documents"
FLOORLESS = ["--set", "floor=NAME,PATIENT_ID", "--workers", "1"]


def mask(source: Path, out: Path, *more: object) -> Result:
    """Mask a corpus with the run beside, so that it can be read."""
    given = ["mask", source, "-o", out, "--run", out.with_suffix(".r"), *FLOORLESS, *more]
    return CliRunner().invoke(cli.main, [str(part) for part in given])


def readable(run: Path, spelled: set[str]) -> set[str]:
    """Which spellings stand for an entity that a run leaves readable."""
    masked = {row["entity"] for row in json.loads((run / "plan.json").read_text())["masked"]}
    with Run.open(run) as opened:
        left = {
            lower_and_collapse("", m.original) for m in opened.mentions() if m.entity not in masked
        }
    return left & spelled


def masked(run: Path) -> set[str]:
    """Every spelling of a value that a run masks; rare words are masked in one document alone."""
    ids = {row["entity"] for row in json.loads((run / "plan.json").read_text())["masked"]}
    with Run.open(run) as opened:
        values = [m for m in opened.mentions() if m.entity in ids and m.type != RARE_TERM]
        return {lower_and_collapse("", m.original) for m in values}


def rare_words(run: Path) -> set[tuple[str, str]]:
    """The rare words that a run masks, each with its document."""
    with Run.open(run) as opened:
        return {(m.document, m.value) for m in opened.mentions() if m.type == RARE_TERM}


@pytest.fixture(scope="module")
def yesterday(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus, masked with limits of yesterday, out.r its run."""
    folder = tmp_path_factory.mktemp("yesterday")
    shutil.copytree(DOCUMENTS, folder / "in")
    done = mask(folder / "in", folder / "out", "--theta-chain", "0.2")
    assert done.exit_code == 0, done.stderr
    return folder


@pytest.fixture
def here(yesterday: Path, tmp_path: Path) -> Path:
    """A copy of that folder to mask in again."""
    return Path(shutil.copytree(yesterday, tmp_path / "here"))


def test_what_was_masked_yesterday_and_is_readable_today_is_said_with_its_status(
    here: Path,
) -> None:
    before = masked(here / "out.r")
    done = mask(here / "in", here / "out", "--overwrite")
    assert readable(here / "out.r", before)
    assert done.exit_code == 2
    changed = json.loads((here / "out" / "summary.json").read_text())["changed"]
    assert changed["since"] == "release"
    assert changed["readable"]
    assert f"readable now, masked in the last release ({len(changed['readable'])}):" in done.stdout
    assert "--keep-masked RUN" in done.stderr
    assert not any(value in done.stdout.lower() for value in before if len(value) > 4)


def test_a_rare_word_that_was_masked_yesterday_and_is_readable_today_is_said(here: Path) -> None:
    """Beside it are said only values that yesterday's plan masked and today's leaves readable."""
    before, words = masked(here / "out.r"), rare_words(here / "out.r")
    fewer = "--theta-chain", "0.2", "--set", "rare_terms=2"
    done = mask(here / "in", here / "out", "--overwrite", *fewer)
    lost = {word for _, word in words - rare_words(here / "out.r")}
    assert done.exit_code == 2 and lost
    changed = json.loads((here / "out" / "summary.json").read_text())["changed"]["readable"]
    rare = [row for row in changed if row["type"] == RARE_TERM]
    assert len(rare) == len(lost)
    assert len(changed) - len(rare) == len(readable(here / "out.r", before))


def test_keep_masked_masks_again_all_that_an_earlier_run_masked(here: Path) -> None:
    before, words = masked(here / "out.r"), rare_words(here / "out.r")
    more = "--keep-masked", here / "out.r", "--set", "rare_terms=2"
    done = mask(here / "in", here / "out", "--overwrite", *more)
    assert done.exit_code == 0, done.stderr
    assert before <= masked(here / "out.r")
    assert words and words <= rare_words(here / "out.r")
    assert readable(here / "out.r", before) == set()
    assert json.loads((here / "out" / "summary.json").read_text())["changed"]["readable"] == []


def test_keep_masked_finds_what_is_detected_no_more(here: Path) -> None:
    """A name that only yesterday's mentions held is masked in a document that comes today."""
    mention = {"document": "a", "original_value": "Quillfeather", "entity_type": "NAME"}
    (here / "mentions.jsonl").write_text(json.dumps({**mention, "relevance": 1}) + "\n")
    first, second = here / "first", here / "second"
    for folder, name, text in (
        (first, "a", "Quillfeather called."), (second, "b", "We saw Quillfeather again."),
    ):  # fmt: skip
        folder.mkdir()
        record = {"id": name, "content": text, "metadata": {}}
        (folder / f"{name}.json").write_text(json.dumps(record))
    done = mask(first, here / "one", "--mentions", here / "mentions.jsonl")
    assert done.exit_code == 0, done.stderr
    mask(second, here / "two", "--detector", "patterns")
    assert "Quillfeather" in (here / "two" / "documents" / "b.json").read_text()
    again = mask(second, here / "three", "--detector", "patterns", "--keep-masked", here / "one.r")
    assert again.exit_code == 0, again.stderr
    assert "Quillfeather" not in (here / "three" / "documents" / "b.json").read_text()


def test_what_holds_a_value_that_was_masked_yesterday_is_said_and_masked(here: Path) -> None:
    """A name of yesterday stands today in a clinic's name alone."""
    rows = [("a", "Quillfeather", "NAME"), ("b", "Quillfeather Clinic", "ORGANIZATION")]
    for name, value, kind in rows:
        (here / name).mkdir()
        record = {"id": name, "content": f"We saw {value} again.", "metadata": {}}
        (here / name / f"{name}.json").write_text(json.dumps(record))
        mention = {"document": name, "original_value": value, "entity_type": kind}
        (here / f"{name}.jsonl").write_text(json.dumps({**mention, "relevance": 0.1}) + "\n")
    mask(here / "a", here / "one", "--mentions", here / "a.jsonl")
    given = here / "b", here / "one", "--overwrite", "--mentions", here / "b.jsonl"
    copy = shutil.copytree(here / "one.r", here / "kept.r")
    done = mask(*given)
    assert "readable now, masked in the last release (1):" in done.stdout
    mask(*given, "--keep-masked", copy)
    assert "Quillfeather" not in (here / "one" / "documents" / "b.json").read_text()


def test_the_same_corpus_masked_again_says_nothing(here: Path) -> None:
    done = mask(here / "in", here / "out", "--overwrite", "--theta-chain", "0.2")
    assert done.exit_code == 0, done.stderr
    assert "readable now" not in done.stdout
