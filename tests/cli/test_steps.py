"""Each step as a command of its own: scan, plan, apply, verify, explain, unmask, preview."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import DOCUMENTS, EXAMPLES, copy_of, digests, linkmask, run_of
from linkmask.testbench.datasets import read_clusters


def test_a_command_looks_for_garbage_seldom_and_not_at_its_end() -> None:
    """Modules are what there is to look through, and they stay: it was a quarter of a command."""
    code = (
        "import atexit, gc; from linkmask import cli;"
        "cli.main(['policy', 'list'], standalone_mode=False);"
        "print(gc.get_threshold()[0]); atexit._run_exitfuncs(); print(gc.get_count()[0])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    seldom, left = map(int, said.splitlines()[-2:])
    assert seldom >= 50_000  # each look at objects that stay takes a part of a command
    assert left < 100, "objects are still looked through when the process ends"


def test_a_command_computes_with_matrices_on_one_thread() -> None:
    """Ours are small, so further threads would only wait for each other, and count meanwhile."""
    code = (
        "from linkmask import cli; cli.main(['policy', 'list'], standalone_mode=False);"
        "import os, numpy.linalg, scipy.linalg; print(len(os.listdir('/proc/self/task')))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert said.split()[-1] == "1"


def test_scan_then_plan_then_apply_is_mask(masked: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert linkmask("scan", DOCUMENTS, "-o", run).returncode == 0
    assert linkmask("plan", run).returncode == 0
    assert linkmask("apply", run, "-o", tmp_path / "o").returncode == 0
    assert digests(tmp_path / "o" / "documents") == digests(masked / "documents")


def test_apply_asks_for_the_new_place_of_an_input_that_was_moved(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Ottoline Brandvold called.")
    linkmask("scan", tmp_path / "in", "-o", tmp_path / "run")
    linkmask("plan", tmp_path / "run")
    (tmp_path / "in").rename(tmp_path / "moved")
    refused = linkmask("apply", tmp_path / "run", "-o", tmp_path / "out")
    assert refused.returncode == 1 and "--input" in refused.stderr
    given = ("--input", tmp_path / "moved")
    assert linkmask("apply", tmp_path / "run", "-o", tmp_path / "out", *given).returncode == 0


def test_lower_limits_mask_more_without_detecting_again(masked: Path, tmp_path: Path) -> None:
    copy = copy_of(masked, tmp_path)
    before = json.loads((run_of(copy) / "plan.json").read_text())
    mentions = (run_of(copy) / "mentions.jsonl").read_bytes()
    assert linkmask("plan", run_of(copy), "--theta-chain", 0.2).returncode == 0
    after = json.loads((run_of(copy) / "plan.json").read_text())
    assert len(after["masked"]) > len(before["masked"])
    assert all(chain["after"] <= 0.2 + 1e-6 for chain in after["chains"] if chain["met"])
    assert (run_of(copy) / "mentions.jsonl").read_bytes() == mentions


def test_a_plan_that_a_person_overruled_is_applied_as_it_stands(
    masked: Path, tmp_path: Path
) -> None:
    """Taken out of plan.json, an entity stays readable; the exit status says what it means."""
    copy = copy_of(masked, tmp_path)
    path = run_of(copy) / "plan.json"
    plan = json.loads(path.read_text())
    freed = next(row for row in plan["masked"] if row["type"] == "MEDICAL_CONDITION")
    plan["masked"].remove(freed)
    path.write_text(json.dumps(plan))
    linkmask("apply", run_of(copy), "-o", tmp_path / "o", "--allow-unmet")
    summary = json.loads((tmp_path / "o" / "summary.json").read_text())
    left = summary["counts"]["masked_entities"]
    assert left == len(plan["masked"])


def test_a_person_overrules_the_plan_by_value_and_it_is_remembered_by_id(
    masked: Path, tmp_path: Path
) -> None:
    """--keep leaves a value readable, --mask masks one; a later plan keeps to both."""
    run = run_of(copy_of(masked, tmp_path))
    before = {row["entity"] for row in json.loads((run / "plan.json").read_text())["masked"]}
    from linkmask.runs import read_mentions

    mentions = list(read_mentions(run / "mentions.jsonl"))
    keep = next(m for m in mentions if m.entity in before and m.type == "NAME")
    mask = next(m for m in mentions if m.entity not in before)
    done = linkmask("plan", run, "--keep", keep.original, "--mask", mask.original, "--allow-unmet")
    assert done.returncode == 0, done.stderr
    linkmask("plan", run, "--theta-chain", 0.45)
    text = (run / "plan.json").read_text()
    after = {row["entity"] for row in json.loads(text)["masked"]}
    assert mask.entity in after
    assert keep.entity not in after
    assert keep.original not in text


def test_a_folder_without_its_run_says_how_to_name_it(masked: Path, tmp_path: Path) -> None:
    shutil.copytree(masked / "documents", tmp_path / "o" / "documents")
    done = linkmask("verify", tmp_path / "o")
    assert done.returncode == 1
    assert "--run" in done.stderr
    assert linkmask("verify", tmp_path / "o", "--run", run_of(masked)).returncode == 0


def test_a_run_beside_what_it_wrote_stands_for_it_and_one_elsewhere_asks_for_it(
    masked: Path, tmp_path: Path
) -> None:
    assert linkmask("verify", run_of(masked)).stdout == linkmask("verify", masked).stdout
    run = Path(shutil.copytree(run_of(masked), tmp_path / "run"))
    done = linkmask("verify", run)
    assert done.returncode == 1
    assert f"{run} is a run: give the folder it wrote to, and --run {run}" in done.stderr
    assert linkmask("verify", masked, "--run", run).returncode == 0


def test_what_is_released_holds_nothing_private_and_a_run_that_lies_in_it_is_still_found(
    masked: Path, tmp_path: Path
) -> None:
    """A folder that was written before is served as it is, and mended when it is masked again."""
    released = {"documents", "report.html", "summary.json", "set-aside.jsonl"}
    assert {path.name for path in masked.iterdir()} == released
    copy = copy_of(masked, tmp_path)
    run_of(copy).rename(copy / ".run")
    for command in (("verify", copy), ("verify", copy / ".run"), ("explain", copy, "--document")):
        more = ("cluster_0_doc1",) if command[0] == "explain" else ()
        assert linkmask(*command, *more).returncode == 0, command
    assert linkmask("mask", DOCUMENTS, "-o", copy, "--overwrite").returncode == 0
    assert {path.name for path in copy.iterdir()} == released
    assert linkmask("verify", copy).returncode == 0


def errors_of(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the lines on stderr, but for the one that says what is loaded."""
    lines = done.stderr.strip().splitlines()
    return [line for line in lines if line and not line.startswith("Loading ")]


def test_the_run_stands_beside_the_folder_meant_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slash at the end, a dot, a way up, a link: the run is where `verify` looks for it."""
    source = tmp_path / "notes.jsonl"
    source.write_text(json.dumps({"id": "a", "content": "Mail jane.doe@example.org."}) + "\n")
    (tmp_path / "to" / "in").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "to")
    for name, where in (("o/", "."), (".", "to"), ("..", "to/in"), ("link", ".")):
        monkeypatch.chdir(tmp_path / where)
        done = linkmask("mask", source, "-o", name, "--detector", "patterns", "--overwrite")
        assert done.returncode == 0, (name, done.stderr)
        assert linkmask("verify", name).returncode == 0, name
    assert sorted(path.name for path in tmp_path.glob("*.run")) == ["o.run", "to.run"]
    assert len(errors_of(linkmask("mask", source, "-o", "/"))) == 1


def test_what_stands_where_the_run_would_is_left_alone_and_said(tmp_path: Path) -> None:
    source = tmp_path / "notes.jsonl"
    source.write_text(json.dumps({"id": "a", "content": "Mail jane.doe@example.org."}) + "\n")
    (tmp_path / "a.run").write_text("mine")
    (tmp_path / "b.run").mkdir()
    (tmp_path / "b.run" / "mine.txt").write_text("mine")
    (tmp_path / "c.run").symlink_to(tmp_path / "b.run")
    for name, said in (("a", "not a folder"), ("b", "no run"), ("c", "a symbolic link")):
        for more in ((), ("--overwrite",)):
            done = linkmask("mask", source, "-o", tmp_path / name, *more)
            assert (done.returncode, len(errors_of(done))) == (1, 1), done.stderr
            assert said in done.stderr and "--run" in done.stderr, done.stderr
    assert (tmp_path / "a.run").read_text() == "mine"
    assert [path.name for path in (tmp_path / "b.run").iterdir()] == ["mine.txt"]


def test_a_name_that_the_run_does_not_hold_is_told_by_its_option_and_place(masked: Path) -> None:
    done = linkmask("plan", run_of(masked), "--mask", "Zebulon Quist")
    assert done.returncode == 1
    assert "what --mask names is no value" in done.stderr
    assert "explain --person" in done.stderr
    assert "Quist" not in done.stderr
    id_ = json.loads((run_of(masked) / "plan.json").read_text())["masked"][0]["entity"]
    done = linkmask("plan", run_of(masked), "--keep", id_, "--keep", "Zebulon Quist")
    assert "--keep number 2 is no value" in done.stderr


def test_a_document_whose_name_and_id_are_the_same_value_is_counted_once(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for name, content in (("tarnowski", "Ms. Winifred Tarnowski called."), ("b", "Nothing.")):
        (source / f"{name}.json").write_text(json.dumps({"id": name, "content": content}))
    done = linkmask("mask", source, "-o", tmp_path / "o")
    assert "stands in the file name or the id of 1 document, and" in done.stderr
    assert done.returncode == 2
    counts = json.loads((tmp_path / "o" / "summary.json").read_text())["counts"]
    assert counts["leaking_documents"] == counts["leaking_names"] == counts["leaking_ids"] == 1


def test_verify_reads_codes_of_masks_as_the_check_before_release_did(tmp_path: Path) -> None:
    """A number beside a mask is read as somebody's where the mask ends in a code of its own."""
    source = tmp_path / "in.jsonl"
    content = "SSN 482-19-3341; 4821 93341; 482-19-3341"
    source.write_text(json.dumps({"id": "a", "content": content}) + "\n")
    for style in ("token", "pseudonym"):
        out = tmp_path / style
        done = linkmask("mask", source, "-o", out, "--style", style, "--linkable")
        assert done.returncode == 0, done.stderr
        assert linkmask("verify", out).returncode == 0, style


def test_verify_passes_on_what_was_written_and_fails_on_what_was_put_back(
    masked: Path, tmp_path: Path
) -> None:
    copy = copy_of(masked, tmp_path)
    assert linkmask("verify", copy).returncode == 0
    person = next(c.person for c in read_clusters(EXAMPLES) if c.risk == "HIGH")
    name = next(value for value, entity_type in person.entities if entity_type == "NAME")
    path = sorted((copy / "documents").iterdir())[0]
    record = json.loads(path.read_text())
    record["content"] += f" {name}"
    path.write_text(json.dumps(record))
    done = linkmask("verify", copy)
    assert done.returncode == 2
    assert "leftover" in done.stdout
    assert name not in done.stdout + done.stderr


def test_verify_sees_any_change_of_a_text_since_it_was_released(tmp_path: Path) -> None:
    """Also where nothing is put back, where a mask is cut, and where a surrogate is cut off."""
    source, out = tmp_path / "in.jsonl", tmp_path / "o"
    row = {"id": "a", "content": "Letter. Patient: Ms. Winifred Tarnowski", "metadata": {}}
    source.write_text(json.dumps(row) + "\n")
    linkmask("mask", source, "-o", out, "--style-for", "NAME=surrogate")
    assert linkmask("verify", out).returncode == 0
    path = out / "documents" / "in.jsonl"
    for content in ("Lettre" + json.loads(path.read_text())["content"][6:], "Letter. Patient: Ms."):
        path.write_text(json.dumps({**row, "content": content}) + "\n")
        done = linkmask("verify", out)
        assert done.returncode == 2 and "unreadable" in done.stdout


def test_mentions_of_another_detector_replace_detection(tmp_path: Path) -> None:
    """With and without offsets; a value that is nowhere is told: it may stand there unmasked."""
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.json").write_text(json.dumps({"id": "a", "content": "Ada met Bo. ADA left."}))
    mentions = tmp_path / "m.jsonl"
    row = {"document": "a", "entity_type": "NAME", "relevance": 1.0}
    rows = [
        row | {"original_value": "Ada", "normalized_value": "ada"},
        row | {"original_value": "Bo", "normalized_value": "bo", "start": 8, "end": 10},
        row | {"original_value": "Cy", "normalized_value": "cy"},
    ]
    mentions.write_text("".join(json.dumps(r) + "\n" for r in rows))
    done = linkmask("mask", source, "-o", tmp_path / "o", "--mentions", mentions, "--json")
    assert done.returncode == 2
    assert "1 × value not in the text" in done.stderr
    text = json.loads((tmp_path / "o" / "documents" / "a.json").read_text())["content"]
    assert text == "[NAME] met [NAME]. [NAME] left."
    assert json.loads(done.stdout)["counts"]["dropped"] == {"value not in the text": 1}


def test_an_id_that_holds_a_masked_value_is_a_number_in_what_is_shown(tmp_path: Path) -> None:
    """The id itself stays in the documents; the exit message says so."""
    source = tmp_path / "in.jsonl"
    text = "Patient WTK-44913-Q, Ms. Winifred Tarnowski."
    rows = [("WTK-44913-Q", text), ("tarnowski_scan", "x"), ("Tarnowski, Winifred", None)]
    records = [json.dumps({"id": name, "content": content}) + "\n" for name, content in rows]
    source.write_text("".join(records))
    done = linkmask("mask", source, "-o", tmp_path / "o")
    assert "in the file name or the id of 2 documents" in done.stderr
    shown = [(tmp_path / "o" / name).read_text() for name in ("report.html", "summary.json")]
    told = "".join([*shown, done.stdout, done.stderr])
    assert "44913" not in told and "tarnowski" not in told.casefold()


@pytest.mark.parametrize("content", ["", "not json\n", '{"document": "a"}\n'])
def test_a_mentions_file_without_a_usable_row_releases_nothing(
    content: str, tmp_path: Path
) -> None:
    (tmp_path / "m.jsonl").write_text(content)
    done = linkmask("mask", DOCUMENTS, "-o", tmp_path / "o", "--mentions", tmp_path / "m.jsonl")
    assert done.returncode == 1
    assert "no row" in done.stderr
    assert not (tmp_path / "o" / "documents").exists()


def test_a_run_folder_that_would_mix_with_input_or_output_is_refused(tmp_path: Path) -> None:
    source = Path(shutil.copytree(DOCUMENTS, tmp_path / "in"))
    out = tmp_path / "o"
    for folder in (source / "run", out, out / "documents", tmp_path):
        done = linkmask("mask", source, "-o", out, "--run", folder)
        assert done.returncode == 1, folder
    assert linkmask("mask", source, "-o", out, "--run", tmp_path / "r", "--no-run").returncode == 1
    assert digests(source) == digests(DOCUMENTS)
    assert not out.exists()


def test_an_overwrite_that_fails_leaves_the_old_release_and_its_run(
    masked: Path, tmp_path: Path
) -> None:
    copy = copy_of(masked, tmp_path)
    before = digests(copy)
    done = linkmask("mask", DOCUMENTS, "-o", copy, "--overwrite", "--text-field", "nope")
    assert done.returncode in (1, 2)
    if done.returncode == 1:
        assert digests(copy) == before
    (tmp_path / "empty").mkdir()
    assert linkmask("mask", tmp_path / "empty", "-o", copy, "--overwrite").returncode == 1
    assert linkmask("verify", copy).returncode in (0, 1)


def test_a_mentions_table_alone_is_scored_and_planned_but_not_applied(tmp_path: Path) -> None:
    mentions = tmp_path / "m.jsonl"
    row = {"original_value": "x", "normalized_value": "x", "entity_type": "NAME", "relevance": 1}
    mentions.write_text("".join(json.dumps(row | {"document": d}) + "\n" for d in ("a", "b")))
    assert linkmask("scan", "-o", tmp_path / "run", "--mentions", mentions).returncode == 0
    assert linkmask("plan", tmp_path / "run").returncode == 0
    plan = json.loads((tmp_path / "run" / "plan.json").read_text())
    assert [(m["type"], m["stage"]) for m in plan["masked"]] == [("NAME", "floor")]
    refused = linkmask("apply", tmp_path / "run", "-o", tmp_path / "out")
    assert (refused.returncode, "mentions alone" in refused.stderr) == (1, True)


@pytest.mark.parametrize("style", ["pseudonym", "surrogate"])
def test_unmask_restores_what_was_written_over_byte_for_byte(style: str, tmp_path: Path) -> None:
    out, back = tmp_path / "o", tmp_path / "back"
    assert linkmask("mask", DOCUMENTS, "-o", out, "--style", style).returncode == 0
    assert linkmask("unmask", out, "-o", back).returncode == 0
    assert digests(out / "documents") != digests(DOCUMENTS)
    assert digests(back / "documents") == digests(DOCUMENTS)
    assert linkmask("unmask", run_of(out), "-o", tmp_path / "again").returncode == 0
    assert digests(tmp_path / "again") == digests(back)


def test_explain_answers_for_an_entity_a_document_a_pair_and_a_person(masked: Path) -> None:
    run = run_of(masked)
    plan = json.loads((run / "plan.json").read_text())
    entity = next(row["entity"] for row in plan["masked"] if row["stage"] == "chain")
    pair = json.loads((run / "risk.json").read_text())["links"][0]["documents"]
    person = next(c.person for c in read_clusters(EXAMPLES) if c.risk == "HIGH")
    number = next(value for value, kind in person.entities if kind == "PATIENT_ID")
    for args, said in [
        (["--entity", entity], "uniqueness"),
        (["--document", pair[0]], "risk"),
        (["--pair", *pair], "strength"),
        (["--person", number], "document"),
    ]:
        done = linkmask("explain", run, *args)
        assert done.returncode == 0, done.stderr
        assert said in done.stdout


def test_preview_shows_documents_and_writes_nothing(tmp_path: Path) -> None:
    before = digests(DOCUMENTS)
    done = linkmask("preview", DOCUMENTS, "-n", 20)
    assert done.returncode == 0, done.stderr
    assert "[NAME]" in done.stdout
    assert digests(DOCUMENTS) == before


def test_preview_takes_documents_from_the_whole_corpus(tmp_path: Path) -> None:
    """Those of a first folder may all be of one kind."""
    rows = [{"id": f"row-{number}", "content": f"Call {number}."} for number in range(9)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = linkmask("preview", tmp_path / "a.jsonl")
    assert [f"row-{at}" in done.stdout for at in range(9)] == [at in (1, 4, 7) for at in range(9)]


def test_a_run_says_how_many_ids_several_documents_bring(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for number, given in enumerate(["a7", "a7", "a8"]):
        text = f"Ms Quennell, {40 + number}, called about the ramp."
        (source / f"{number}.json").write_text(json.dumps({"id": given, "content": text}))
    out = tmp_path / "out"
    done = linkmask("mask", source, "-o", out)
    assert done.returncode == 0
    assert "Brought by more than one document: 1 id." in done.stderr
    assert json.loads((out / "summary.json").read_text())["counts"]["repeated_ids"] == 1
