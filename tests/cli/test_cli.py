"""The commands as a user runs them: real files, exit statuses, processes where they matter."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commandline import DOCUMENTS, EXAMPLES, digests, linkmask, process, run_of
from linkmask.testbench.datasets import read_clusters

FLOOR = {"NAME", "PATIENT_ID", "ADDRESS", "PHONE_NUMBER", "EMAIL", "NATIONAL_ID", "IBAN"}


# ── mask ────────────────────────────────────────────────────────────────────────────────────────


def test_mask_writes_every_document_a_report_and_a_summary(masked: Path) -> None:
    assert sorted(digests(masked / "documents")) == sorted(digests(DOCUMENTS))
    assert (masked / "report.html").stat().st_size > 1000
    assert (masked / "set-aside.jsonl").read_text() == ""
    summary = json.loads((masked / "summary.json").read_text())
    assert summary["counts"]["released"] == 40
    assert summary["verify"]["checked"]
    assert summary["verify"]["blocking"] == 0
    assert "leftover" not in summary["verify"]["findings"]


def test_no_direct_identifier_of_a_person_can_be_read_in_what_was_written(masked: Path) -> None:
    text = "\n".join(p.read_text() for p in sorted((masked / "documents").iterdir()))
    direct = [
        value
        for cluster in read_clusters(EXAMPLES)
        for value, entity_type in cluster.person.entities
        if entity_type in FLOOR
    ]
    assert len(direct) > 20
    left = [v for v in direct if re.search(rf"(?<!\w){re.escape(v)}(?!\w)", text, re.IGNORECASE)]
    assert left == []


def test_report_and_summary_hold_no_masked_value(masked: Path) -> None:
    """Rare words are left out: "collapse" is one, and a word of style sheets."""
    kept = json.loads((run_of(masked) / "plan.json").read_text())
    gone = {row["entity"] for row in kept["masked"]}
    from linkmask.runs import read_mentions
    from linkmask.schema import RARE_TERM

    values = {
        m.original
        for m in read_mentions(run_of(masked) / "mentions.jsonl")
        if m.entity in gone and m.type != RARE_TERM and len(m.original) > 5
    }
    shown = (masked / "report.html").read_text() + (masked / "summary.json").read_text()
    assert len(values) > 50
    assert [value for value in values if value in shown] == []


def test_the_run_folder_is_private(masked: Path) -> None:
    assert run_of(masked).stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o077 == 0 for path in run_of(masked).iterdir())
    assert "identifying values" in (run_of(masked) / "README.txt").read_text()


def test_the_input_is_not_changed_and_the_output_does_not_depend_on_workers(
    masked: Path, tmp_path: Path
) -> None:
    before = digests(DOCUMENTS)
    assert process("mask", DOCUMENTS, "-o", tmp_path / "o", "--workers", 2).returncode == 0
    assert digests(DOCUMENTS) == before
    assert digests(tmp_path / "o" / "documents") == digests(masked / "documents")


def test_an_output_that_is_there_is_not_overwritten_unasked(masked: Path) -> None:
    before = digests(masked)
    done = linkmask("mask", DOCUMENTS, "-o", masked)
    assert done.returncode == 1
    assert "--overwrite" in done.stderr
    assert "Traceback" not in done.stderr
    assert digests(masked) == before


def test_a_broken_file_is_set_aside_with_its_reason_and_the_rest_goes_on(tmp_path: Path) -> None:
    source = Path(shutil.copytree(DOCUMENTS, tmp_path / "in"))
    (source / "99_broken.json").write_text('{"id": "x", "content": "John Smith')
    done = linkmask("mask", source, "-o", tmp_path / "o")
    assert done.returncode == 2
    (line,) = (tmp_path / "o" / "set-aside.jsonl").read_text().splitlines()
    assert json.loads(line)["step"] == "read"
    assert "Smith" not in line + done.stderr + done.stdout
    assert len(list((tmp_path / "o" / "documents").iterdir())) == 40


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["mask", "no-such-folder", "-o", "OUT"], "no-such-folder"),
        (["mask", str(DOCUMENTS), "-o", "OUT", "--preset", "nope"], "insurance"),
        (["mask", str(DOCUMENTS), "-o", "OUT", "--set", "theta=1"], "theta"),
        (["mask", str(DOCUMENTS), "-o", "OUT", "--detector", "nope"], "embedded"),
        (["mask", str(DOCUMENTS), "-o", "OUT", "--style", "nope"], "pseudonym"),
        (["plan", "no-run"], "no run"),
        (["scan", "-o", "OUT"], "--mentions"),
        (["explain", "no-run"], "--entity"),
    ],
)
def test_a_users_mistake_is_one_line_that_says_what_to_do(
    args: list[str], said: str, tmp_path: Path
) -> None:
    done = linkmask(*[str(tmp_path / "o") if arg == "OUT" else arg for arg in args])
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_json_summary_is_the_audit(tmp_path: Path) -> None:
    done = linkmask("mask", DOCUMENTS, "-o", tmp_path / "o", "--json", "--no-run")
    assert json.loads(done.stdout) == json.loads((tmp_path / "o" / "summary.json").read_text())
    assert not (tmp_path / "o.run").exists()


# ── robustness ──────────────────────────────────────────────────────────────────────────────────


def test_a_killed_run_releases_nothing_and_the_next_one_goes_on_from_there(
    masked: Path, tmp_path: Path
) -> None:
    """Killed at several moments; the end result is the same, byte for byte."""
    out = tmp_path / "o"
    command = [sys.executable, "-m", "linkmask", "mask", str(DOCUMENTS), "-o", str(out)]
    for seconds in (0.4, 1.0, 1.6):
        begun = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        if begun.poll() is None:
            begun.send_signal(signal.SIGKILL)
            begun.wait()
            written = out / "documents"
            assert not written.exists() or digests(written) == digests(masked / "documents")
        if (out / "documents").exists():
            break
    if not (out / "documents").exists():
        done = process("mask", DOCUMENTS, "-o", out)
        assert done.returncode == 0, done.stderr
    assert digests(out / "documents") == digests(masked / "documents")


def test_a_run_asks_the_network_for_nothing(tmp_path: Path) -> None:
    """Every way to open a connection or to look up a name fails loudly in this run."""
    (tmp_path / "sitecustomize.py").write_text(
        "import socket\n"
        "def refuse(*args, **kwargs):\n"
        "    raise SystemExit('the network was asked for something')\n"
        "socket.socket.connect = socket.socket.connect_ex = socket.socket.sendto = refuse\n"
        "socket.getaddrinfo = socket.gethostbyname = socket.create_connection = refuse\n"
    )
    done = process("mask", DOCUMENTS, "-o", tmp_path / "o", PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    check = subprocess.run(
        [sys.executable, "-c", "import socket; socket.create_connection(('127.0.0.1', 9))"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "network was asked" in check.stderr, "the guard itself does not work"


def test_help_and_import_load_nothing_heavy() -> None:
    code = (
        "import sys, linkmask, linkmask.cli\n"
        "try: linkmask.cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'numba', 'scipy', 'pyarrow', 'rich', 'jinja2', 'phonenumbers'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_planning_again_loads_nothing_that_reads_or_detects(tmp_path: Path) -> None:
    """It is a matter of a second, of which loading readers and models would take a third.

    Nor does a scan of mentions that were given.
    """
    given, run = tmp_path / "given.jsonl", str(tmp_path / "run")
    row = {"document": "a", "original_value": "Jane Roe", "entity_type": "NAME", "relevance": 1}
    given.write_text(json.dumps({**row, "normalized_value": "jane roe"}) + "\n")
    code = (
        "import sys, linkmask.cli\n"
        f"scan = ['scan', '--mentions', {str(given)!r}, '-o', {run!r}]\n"
        f"for words in (scan, ['plan', {run!r}]):\n"
        "    try: linkmask.cli.main([*words, '--json'])\n"
        "    except SystemExit as ended: assert not ended.code\n"
        "heavy = {'linkmask.corpus', 'linkmask.detect', 'linkmask.policy', 'linkmask.llm'}\n"
        "heavy |= {'linkmask.redact.redactor', 'pyarrow'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)), 'linkmask.plan' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "heavy: [] True", done.stderr


# ── a language model ────────────────────────────────────────────────────────────────────────────


def test_dry_run_counts_and_writes_nothing(tmp_path: Path) -> None:
    """--dry-run says what a model would be asked by stage, without a server and without output."""
    model = ("--detector", "llm", "--llm-model", "none")
    done = process(
        "mask", DOCUMENTS, "-o", tmp_path / "out", *model, "--dry-run", "--json",
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    cost = json.loads(done.stdout)
    assert cost["stage1"]["requests"] == len(list(DOCUMENTS.iterdir()))
    assert cost["stage2"]["tokens_in"] > cost["stage1"]["tokens_in"] > 0
    assert not list(tmp_path.iterdir())


def test_dry_run_is_about_a_model(tmp_path: Path) -> None:
    """Without a model there is nothing to count, and a budget that is none is refused."""
    done = linkmask("scan", DOCUMENTS, "-o", tmp_path / "run", "--dry-run")
    assert done.returncode == 1 and "--detector llm" in done.stderr
    done = linkmask("scan", DOCUMENTS, "-o", tmp_path / "run", "--llm-budget", "lots")
    assert done.returncode == 1 and "200ktok" in done.stderr
