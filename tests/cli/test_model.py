"""The commands with a language model, as a user runs them, and a server over HTTP."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.llm.token_estimate import estimated_tokens
from linkmask.testbench.datasets import read_clusters
from serving import Fault, Scripted, reply

EXAMPLES = Path(__file__).parents[2] / "examples" / "insurance"
VALUES = {v: kind for c in read_clusters(EXAMPLES) for v, kind in c.person.entities}


def golden(request):
    """Answer with the values of the hidden persons that stand in the document."""
    system, user = (message["content"] for message in request["messages"][:2])
    if system.startswith("You rewrite"):
        mark = user.split("\n")[1]
        text = user.split(f"{mark}\n", 1)[1].rsplit(f"\n{mark}", 1)[0]
        said = {"text": re.sub(r"\[[A-Z_]+\]", "what was there", text)}
    else:
        text = user.split("Document:", 1)[1]
        rows = [[v, v, kind, 0.9] for v, kind in VALUES.items() if v in text]
        said = {"entities": rows}
    return reply(
        said,
        tokens=(
            estimated_tokens(system) + estimated_tokens(user),
            estimated_tokens(json.dumps(said)),
        ),
    )


@pytest.fixture
def server() -> Iterator[Scripted]:
    with Scripted(golden) as running:
        yield running


@pytest.fixture(scope="module")
def documents(tmp_path_factory) -> Path:
    """The documents of three clusters of the examples, one of them about nobody."""
    folder = tmp_path_factory.mktemp("documents")
    for path in sorted((EXAMPLES / "documents").iterdir()):
        if path.name[:2] in ("00", "01", "07"):
            shutil.copy(path, folder)
    return folder


@pytest.fixture
def run(tmp_path, server, documents):
    """Run `linkmask mask` on the documents with the server; the cache is the test's own."""

    def work(*args, out="out", url=server.url, name="golden", source=documents):
        model = ["--llm-url", url, "--llm-model", name, "--workers", "1"]
        cache = {"LINKMASK_LLM_CACHE": str(tmp_path / "llm.sqlite")}
        target = ["mask", str(source), "-o", str(tmp_path / out)]
        return CliRunner().invoke(main, [*target, *model, *args], env=cache)

    return work


def summary(folder: Path, out="out"):
    return json.loads((folder / out / "summary.json").read_text())


def told(done) -> list[str]:
    """What a command said; the server in the same process may have said more."""
    return [line for line in done.stderr.splitlines() if re.match("Error: |Stopped: ", line)]


def released(folder, out="out"):
    return {
        record["id"]: record["content"]
        for path in sorted((folder / out / "documents").iterdir())
        for record in [json.loads(path.read_text())]
    }


def test_a_model_beside_the_embedded_detector_masks_under_policy(run, tmp_path):
    done = run("--detector", "embedded+llm")
    assert done.exit_code == 0, done.stderr
    assert "model: 30 requests" in done.stdout
    assert "rows of its answers not used:" in done.stdout
    model = summary(tmp_path)["model"]
    assert (model["documents"], model["requests"], model["cached"]) == (15, 30, 0)
    assert model["tokens_in"] > 30_000
    page = (tmp_path / "out" / "report.html").read_text()
    assert "What the language model did" in page
    assert "not in the text" in page
    again = run("--detector", "embedded+llm", out="again")
    assert again.exit_code == 0
    assert summary(tmp_path, "again")["model"]["cached"] == 30
    masked = [summary(tmp_path, out)["masked"] | {"plan": ""} for out in ("again", "out")]
    assert masked[0] == masked[1]  # a plan's digest is keyed by the run


def test_a_name_that_only_stage_1_of_the_model_saw_keeps_its_document_back(run, tmp_path):
    """Preset thesis takes stage 2 alone: what is not scored is not under any limit."""
    asked: list[str] = []

    def forgetful(request):
        user = request["messages"][1]["content"]
        asked.append(user)
        text = user.split("Document:", 1)[1]
        first = len(asked) <= 15
        rows = [[v, v, kind, 0.9] for v, kind in VALUES.items() if first or kind != "NAME"]
        said = {"entities": [row for row in rows if row[0].lower() in text]}
        return reply(
            said, tokens=(estimated_tokens(user) + 2000, estimated_tokens(json.dumps(said)))
        )

    with Scripted(forgetful) as server:
        done = run("--preset", "thesis", "--detector", "llm", url=server.url)
    assert done.exit_code == 2, done.stderr
    lost = json.loads((tmp_path / "out" / "summary.json").read_text())["verify"]["findings"]["lost"]
    rows = (tmp_path / "out" / "set-aside.jsonl").read_text().splitlines()
    aside = [json.loads(row) for row in rows]
    assert lost == len(aside) > 0
    assert all("lost" in row["reason"] for row in aside)
    names = {value for value, kind in VALUES.items() if kind == "NAME"}
    assert not any(name in text for name in names for text in released(tmp_path).values())


def test_documents_to_be_reviewed_are_named_in_summary_and_report(run, tmp_path):
    """The model says nothing of a document that is not of the examples."""
    source = tmp_path / "in"
    source.mkdir()
    text = (
        "Patient: Odalys Quill, born 3 March 1971, member ID 4471-0093-2, SSN 536-22-8741, "
        "odalys@example.org, 202-555-0143, 12 Kroll Street, Dover, DE 19901."
    )
    (source / "a.json").write_text(json.dumps({"id": "a", "content": text}))
    done = run("--detector", "llm", "--set", "llm_doubted=release", source=source)
    names = summary(tmp_path)["model"]["review"]
    assert names == ["a"]
    assert f"Review: the model found far less than patterns see in {len(names)}" in done.stderr
    page = (tmp_path / "out" / "report.html").read_text()
    assert "To be reviewed" in page
    assert all(name in page for name in names)


def test_rewriting_releases_documents_without_placeholders_and_says_which_it_left(run, tmp_path):
    done = run("--style", "rewrite", "--set", "theta_doc=1", "--set", "theta_chain=1")
    assert done.exit_code == 0, done.stderr
    model = summary(tmp_path)["model"]
    assert model["rewritten"] > 1
    texts = released(tmp_path)
    assert {name for name, text in texts.items() if "[NAME]" in text} <= set(model["left_in_value"])
    assert "what was there" in "".join(texts.values())
    assert "Ottoline" not in "".join(texts.values())
    again = CliRunner().invoke(main, ["verify", str(tmp_path / "out")])
    assert again.exit_code == 0


def test_a_spent_budget_ends_with_status_3_and_the_same_command_goes_on(run, tmp_path, server):
    done = run("--detector", "llm", "--llm-budget", "10")
    assert done.exit_code == 3
    assert "run again to go on from here" in done.stderr
    assert "Nothing was released" in done.stderr
    assert len(told(done)) == 1
    assert not (tmp_path / "out" / "documents").exists()
    assert len(server.seen) in (9, 10)  # a request asks what the server can do
    assert run("--detector", "llm").exit_code in (0, 2)
    assert len(server.seen) <= 30
    assert summary(tmp_path)["counts"]["released"] > 10


def test_an_interrupted_run_costs_nothing_that_was_answered(run, tmp_path, server, documents):
    answer = server.answer
    stopped = threading.Event()

    def slow(request):
        """Let nobody finish before the interrupt, however late it comes."""
        if len(server.seen) > 18:
            stopped.wait(60)
        return answer(request)

    server.answer = slow
    target = ["mask", documents, "-o", tmp_path / "out", "--detector", "embedded+llm", "--quiet"]
    model = ["--llm-url", server.url, "--llm-model", "golden"]
    command = [sys.executable, "-m", "linkmask", *map(str, target), *model]
    cache = os.environ | {"LINKMASK_LLM_CACHE": str(tmp_path / "llm.sqlite")}
    # a job in the background ignores interrupts, and so would what it starts
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=cache) as process:
        while len(server.seen) < 18:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130
    assert said.count("\n") == 1
    stopped.set()
    server.answer = answer
    assert run("--detector", "embedded+llm").exit_code == 0
    assert len(server.seen) <= 30 + 8  # what was under way when it was stopped


def test_where_no_document_has_an_answer_it_is_said_that_nothing_was_released(
    run, tmp_path, server
):
    server.answer = lambda request: reply("I'd rather not.", tokens=(9000, 5))
    done = run("--detector", "llm", "--set", "llm_retries=0")
    assert done.exit_code == 2
    assert "Nothing released: 15 documents set aside" in done.output
    assert "Nothing released" in (tmp_path / "out" / "report.html").read_text()
    assert released(tmp_path) == {}


@pytest.mark.parametrize("args", [("--detector", "llm"), ("--detector", "embedded+llm")])
def test_a_server_that_is_down_is_one_line_and_nothing_is_written(run, tmp_path, args):
    done = run(*args, "--set", "llm_retries=0", url="http://127.0.0.1:9/v1")
    assert done.exit_code == 1
    assert "can't be reached" in done.stderr
    assert len(told(done)) == 1
    assert not (tmp_path / "out" / "documents").exists()


@pytest.mark.parametrize(
    ("status", "word"), [(404, "model"), (401, "key")], ids=["wrong model", "no key"]
)
def test_a_wrong_model_or_key_is_one_line_and_the_right_one_goes_on(
    run, tmp_path, server, status, word
):
    server.answer = lambda request: Fault(status, {"error": {"message": "no"}})
    done = run("--detector", "llm", "--quiet", name="other")
    assert done.exit_code == 1
    assert word in done.stderr
    assert len(told(done)) == 1
    server.answer = golden
    assert run("--detector", "embedded+llm").exit_code == 0


def test_a_dry_run_asks_nobody_and_counts_requests_and_tokens(run, server, tmp_path):
    done = run("--detector", "llm", "--dry-run", "--json")
    stages = json.loads(done.stdout)
    assert (done.exit_code, server.seen) == (0, [])
    assert stages["stage1"]["requests"] == 15
    assert stages["stage2"]["requests"] == 15
    assert not (tmp_path / "out").exists()
    assert "--detector llm" in run("--dry-run").stderr


def test_no_value_reaches_what_is_printed_or_the_ledger(run, tmp_path):
    done = run("--detector", "embedded+llm")
    ledger = (tmp_path / "out.run" / "llm.jsonl").read_text()
    said = done.output + ledger + (tmp_path / "out" / "summary.json").read_text()
    assert [value for value in VALUES if len(value) > 6 and value in said] == []
