"""What commands say: of an earlier OUT, of what was forgotten, while they load."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from linkmask import cli, commands
from linkmask.config import load
from linkmask.errors import UsageError
from linkmask.report import terminal

DOCUMENTS = Path(__file__).parents[2] / "examples" / "insurance" / "documents"
ALONE = {"workers": 1}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scanned run, and OUT written by its first plan."""
    folder = tmp_path_factory.mktemp("says")
    commands.scan_files(DOCUMENTS, folder / "run", load(overrides=ALONE, environment={}))
    commands.plan_run(folder / "run", {"theta_chain": 0.2})
    commands.apply_run(folder / "run", folder / "first", {})
    return folder


@pytest.fixture
def here(made: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return Path(shutil.copytree(made, tmp_path / "here"))


def verify(here: Path, out: str) -> tuple[int, dict[str, bool]]:
    """Exit status of verify, and the kinds it finds with whether they block."""
    given = ["verify", str(here / out), "--run", str(here / "run"), "--json"]
    done = CliRunner().invoke(cli.main, given)
    return done.exit_code, {row["kind"]: row["blocking"] for row in json.loads(done.stdout)}


def test_an_out_of_an_earlier_plan_is_checked_against_that_and_the_change_is_said(
    here: Path,
) -> None:
    """The plan changed since: no leftover, also where the later plan was released elsewhere."""
    assert "earlier-plan" not in verify(here, "first")[1]
    before = json.loads((here / "run" / "plan.json").read_text())["masked"]
    left = json.loads((here / "run" / "risk.json").read_text())["entities"]
    masked = {row["entity"] for row in before}
    more = [row["entity"] for row in left if row["entity"] not in masked][:5]
    commands.plan_run(here / "run", {}, mask=more)
    assert verify(here, "first") == (0, {**verify(here, "first")[1], "earlier-plan": False})
    commands.apply_run(here / "run", here / "second", {})
    status, kinds = verify(here, "first")
    assert (status, kinds["earlier-plan"], "leftover" in kinds) == (0, False, False)
    assert "earlier-plan" not in verify(here, "second")[1]


def test_a_leftover_in_an_out_of_an_earlier_plan_still_blocks(here: Path) -> None:
    left = json.loads((here / "run" / "risk.json").read_text())["entities"]
    commands.plan_run(here / "run", {"theta_chain": 0.1}, mask=[left[0]["entity"]])
    commands.apply_run(here / "run", here / "second", {"style": "redact"})
    for out in ("first", "second"):
        path = next((here / out / "documents").glob("*.json"))
        whole = json.loads((DOCUMENTS / path.name).read_text())["content"]
        path.write_text(json.dumps({**json.loads(path.read_text()), "content": whole}))
        status, kinds = verify(here, out)
        assert (status, kinds["leftover"]) == (2, True), out


def test_forget_lists_what_links_the_person_to_others_and_one_command_takes_it_all(
    here: Path,
) -> None:
    links = json.loads((here / "run" / "risk.json").read_text())["links"]
    document = links[0]["documents"][0]
    answer = commands.explain_run(here / "run", document=document)
    names = [row["entity"] for row in answer.data["entities"] if row["type"] == "PATIENT_ID"]
    shared = [row["entity"] for row in answer.data["entities"] if row["type"] == "NAME"]
    subject = (names or shared)[0]
    done = CliRunner().invoke(cli.main, ["forget", str(here / "run"), "--subject", subject])
    assert done.exit_code == 0, done.stderr
    assert "Not forgotten:" in done.stdout and " other document" in done.stdout
    command = done.stdout.strip().splitlines()[-1].split()
    assert command[:2] == ["linkmask", "forget"]
    again = CliRunner().invoke(cli.main, command[1:])
    assert again.exit_code == 0, again.stderr
    for named in command[4::2]:
        with pytest.raises(UsageError, match="no value and no id"):
            commands.forget_subject(here / "run", [named])


def test_explain_says_after_forget_what_was_forgotten_without_a_value(here: Path) -> None:
    from linkmask.runs import Run

    with Run.open(here / "run") as run:
        mention = next(m for m in run.mentions() if m.type == "NAME")
    commands.forget_subject(here / "run", [mention.original])
    with pytest.raises(UsageError, match=r"Forgotten since .*\n  1 NAME, \d+ mentions? in") as said:
        commands.explain_run(here / "run", entity=mention.original)
    assert mention.original not in str(said.value)
    assert mention.original not in (here / "run" / "run.json").read_text()


def test_what_is_loaded_is_said_before_it_is_loaded() -> None:
    """The first line stands on stderr before anything that takes long is imported."""
    program = (
        "import os, sys\n"
        "from linkmask import cli\n"
        "from linkmask.cli import inspection, output, restoration\n"
        "def say(text, colour=None):\n"
        "    heavy = {'numba', 'pyarrow', 'scipy', 'numpy', 'rich', 'linkmask.detect'}\n"
        "    heavy &= set(sys.modules)\n"
        "    print(text, sorted(heavy), flush=True)\n"
        "    os._exit(0)\n"  # what is loaded then takes long
        "inspection.say = restoration.say = output.say = say\n"
        "cli.main(sys.argv[1:], standalone_mode=False)\n"
    )
    for command in (["mask", "no", "-o", "x"], ["scan", "no", "-o", "x"], ["plan", "no"],
                    ["apply", "no", "-o", "x"], ["verify", "no"], ["preview", "no"],
                    ["explain", "no", "--entity", "x"],
                    ["update", "no", "no", "-o", "x"],
                    ["unmask", "no", "-o", "x"], ["forget", "no", "--subject", "x"]):  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", program, *command], capture_output=True, text=True
        )
        first = done.stdout.splitlines()[0]
        assert first.startswith("Loading "), command
        assert first.endswith("[]"), command


def test_nothing_is_said_of_loading_where_a_command_is_quiet() -> None:
    for option in ("--quiet", "--json"):
        done = CliRunner().invoke(cli.main, ["plan", "no", option])
        assert "Loading" not in done.stderr


def test_a_bar_whose_end_is_not_known_shows_no_question_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    console = Console(width=80, force_terminal=True, record=True)
    monkeypatch.setattr("rich.console.Console", lambda **given: console)
    with terminal.progress(silent=False) as show:
        show("detect", 1000, None)
        show("verify", 3, 7)
    text = console.export_text()
    assert "1,000" in text
    assert "3/7" in text
    assert "?" not in text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--config", "a.toml", "--config", "b.toml"], "--config takes one value"),
        (["--preset", "general", "--preset", "strict"], "--preset takes one value"),
        (["-o", "a", "--out", "b"], "-o takes one value"),
        (["--set", "theta_doc=0.8", "--set", "theta-doc=0.9"], "--set takes one value"),
        (["--set", "theta_doc=0.8", "--theta-doc", "0.9"], "theta_doc is given twice"),
        (["--style-for", "NAME=redact", "--style-for", "NAME=value"], "--style-for takes one"),
        (["--text-field", "note", "--text-field", "note"], "'note' is twice"),
    ],
)
def test_an_option_that_would_do_nothing_as_it_is_given_again_is_refused(
    tmp_path: Path, given: list[str], said: str
) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "1", "content": "x", "note": "y"}\n')
    out = [] if "-o" in given else ["-o", str(tmp_path / "out")]
    done = CliRunner().invoke(cli.main, ["mask", str(tmp_path / "a.jsonl"), *out, *given])
    assert done.exit_code == 1 and said in done.output, done.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl"]


def test_an_option_that_repeats_may_be_given_again(tmp_path: Path) -> None:
    row = '{"id": "1", "content": "Ms. Ann Field called.", "note": "For Ann Field."}\n'
    (tmp_path / "a.jsonl").write_text(row)
    fields = ["--text-field", "content", "--text-field", "note", "--quiet", "--quiet"]
    given = ["mask", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "out"), *fields]
    assert CliRunner().invoke(cli.main, given).exit_code == 0
    assert "Field" not in (tmp_path / "out" / "documents" / "a.jsonl").read_text()


@pytest.mark.parametrize("style", ["pseudonym", "value"])
def test_a_key_that_cannot_be_used_is_refused_before_the_corpus_is_read(
    tmp_path: Path, style: str
) -> None:
    """No run is begun with it, so the next command needs no other folder."""
    (tmp_path / "short").write_text("abc")
    absent = "No such file or directory; --key-file names another file"
    for file, said in (("absent", absent), ("short", "shorter than 16 bytes")):
        key = ["--style", style, "--key-file", str(tmp_path / file)]
        out = str(tmp_path / "out")
        done = CliRunner().invoke(cli.main, ["mask", str(DOCUMENTS), "-o", out, *key])
        assert done.exit_code == 1
        assert said in done.stderr
        assert not (tmp_path / "out.run").exists()


def test_an_example_of_help_names_a_value_of_the_example_corpus(made: Path) -> None:
    """The person of `linkmask explain --help` is found in examples/insurance."""
    epilog = cli.main.commands["explain"].epilog or ""
    words = epilog.split("masked.run ")[1].split()
    done = CliRunner().invoke(cli.main, ["explain", str(made / "run"), *words])
    assert done.exit_code == 0, done.stderr


def test_a_release_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    """The message that its run is missing would send the reader to look for that."""
    for command in (["verify"], ["unmask", "-o", str(tmp_path / "back")]):
        done = CliRunner().invoke(cli.main, [*command, str(tmp_path / "nope")])
        assert done.exit_code == 1 and "there is no folder" in done.output
