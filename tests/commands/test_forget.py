"""What OUT tells of values to who has no run, and what a run still knows of a person forgotten."""

from __future__ import annotations

import json
import shutil
from hashlib import md5
from pathlib import Path

import pytest
from click.testing import CliRunner

import linkmask
from linkmask import cli, commands
from linkmask.commands.deletion_certificate import forms_of, found_in
from linkmask.commands.update import update_files
from linkmask.config import Settings
from linkmask.errors import LinkmaskError
from linkmask.llm.cache import Cache, StoredAnswer
from linkmask.records import Mention, Why, entity_id
from linkmask.report.shortcomings import shortcomings
from linkmask.runs import Run, exchange

LETTERS = {
    "a": "Patient: Odalys Brandvold, member ID 4471-0093-2. She was seen on 3 March 2024.",
    "b": "Ms Odalys Brandvold called from 202-555-0143 about asthma and her claim.",
    "c": "Mr Teemu Kallio, teemu@example.org, was seen on 3 March 2024 for asthma.",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    source = tmp_path / "in"
    source.mkdir()
    for name, text in LETTERS.items():
        (source / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))
    return source


def entities(run: Path) -> dict[str, str]:
    """Return the ids of a run's entities with a spelling of each."""
    with Run.open(run) as opened:
        return {entity_id(m.value, m.type): m.original for m in opened.mentions()}


def holding(folder: Path, texts: set[str]) -> set[str]:
    """Return which of the texts stand in a file of a folder, as they are or as bytes of hex."""
    data = b"\0".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    return {text for text in texts if text.encode() in data}


@pytest.mark.parametrize("settings", [
    Settings(workers=1),
    Settings(workers=1, style="pseudonym"),
    Settings(workers=1, policy=("gdpr",)),
])  # fmt: skip
def test_what_is_released_holds_no_hash_that_a_guess_could_confirm(
    corpus: Path, tmp_path: Path, settings: Settings
) -> None:
    out = tmp_path / "out"
    commands.mask_files(corpus, out, settings)
    found = entities(tmp_path / "out.run")
    assert len(found) > 5
    assert holding(out, {name[:8] for name in found}) == set()
    assert holding(out, {md5(v.encode()).hexdigest()[:8] for v in found.values()}) == set()


def test_explain_takes_the_labels_that_the_summary_shows(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    commands.mask_files(corpus, out, Settings(workers=1, policy=("gdpr",)))
    rows = [json.loads(line) for line in (out / "decisions.jsonl").read_text().splitlines()]
    left = json.loads((out / "summary.json").read_text())["left"]["top"]
    assert rows and left
    for row in [*rows, *left]:
        answer = commands.explain_run(tmp_path / "out.run", entity=row["entity"])
        assert answer.text.startswith(f"{row['type']} {row['entity']}")


@pytest.mark.parametrize("settings", [
    Settings(workers=1),
    Settings(workers=1, style="pseudonym"),
    Settings(workers=1, policy=("gdpr",)),
])  # fmt: skip
def test_no_file_of_a_run_holds_a_hash_of_what_was_forgotten(
    corpus: Path, tmp_path: Path, settings: Settings
) -> None:
    run = tmp_path / "out.run"
    commands.mask_files(corpus, tmp_path / "out", settings)
    before = entities(run)
    assert holding(run, set(before)) == set(before)
    commands.forget_subject(run, ["Odalys Brandvold"])
    after = entities(run)
    gone = before.keys() - after.keys()
    assert {"Odalys Brandvold", "202-555-0143"} <= {before[name] for name in gone}
    assert "Teemu Kallio" in after.values()
    assert holding(run, set(gone)) == set()
    assert holding(run, {before[name] for name in gone}) == set()
    findings = commands.verify_files(tmp_path / "out")
    assert {(one.document, one.kind, one.blocking) for one in findings} == {
        ("a", "forgotten", False),
        ("b", "forgotten", False),
    }
    changed = tmp_path / "out" / "documents" / "a.json"
    changed.write_text(changed.read_text().replace("seen", "met"))
    found = commands.verify_files(tmp_path / "out")
    assert {one.document for one in found if one.blocking} == {"a"}


@pytest.mark.parametrize("again", ["update", "mask"])
def test_what_was_forgotten_and_is_still_in_input_is_said_without_a_value(
    again: str, corpus: Path, tmp_path: Path
) -> None:
    out, run = tmp_path / "out", tmp_path / "out.run"
    commands.mask_files(corpus, out, Settings(workers=1))
    assert json.loads((out / "summary.json").read_text())["counts"]["forgotten_documents"] == 0
    commands.forget_subject(run, ["Odalys Brandvold"])
    (corpus / "c.json").write_text(json.dumps({"id": "c", "content": "Mr Teemu Kallio called."}))
    if again == "update":
        audit = update_files(run, corpus, out, {})
    else:
        audit = commands.mask_files(corpus, out, Settings(workers=1), overwrite=True)
    assert audit.counts["forgotten_documents"] == 2
    lines = [one.line for one in shortcomings(audit) if "still in INPUT" in one.line]
    assert len(lines) == 1
    assert "2 documents" in lines[0]
    again_unchanged = update_files(run, corpus, out, {})
    assert again_unchanged.counts["forgotten_documents"] == 2
    for name in ("a", "b"):
        (corpus / f"{name}.json").unlink()
    assert update_files(run, corpus, out, {}).counts["forgotten_documents"] == 0


def test_a_document_that_names_the_person_in_an_address_alone_is_forgotten(tmp_path: Path) -> None:
    (source := tmp_path / "in").mkdir()
    texts = {**LETTERS, "d": "Write to odalys.brandvold@example.org.", "e": "User: obrandvold"}
    for name, text in texts.items():
        (source / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))
    commands.mask_files(source, tmp_path / "out", Settings(workers=1))
    run = tmp_path / "out.run"
    done = commands.forget_subject(run, ["Odalys Brandvold"])
    assert done.documents == 4
    with Run.open(run) as opened:
        assert {one.document for one in opened.mentions()} == {"c"}
    assert holding(run, {"brandvold", entity_id("odalys brandvold", "NAME")}) == set()


def test_no_id_stays_of_a_value_that_was_masked_where_detection_missed_it(tmp_path: Path) -> None:
    """The release notes in which documents it was; the document in which it was found is gone."""
    (source := tmp_path / "in").mkdir()
    texts = {"a": "Odalys Brandvold has plan Harbor 109.", "b": "We audit plan Harbor 109."}
    for name, text in texts.items():
        (source / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))
    rows = [("NAME", "Odalys Brandvold"), ("NON_PERSONAL_ID", "Harbor 109")]
    given = tmp_path / "mentions.jsonl"
    mention = {"document": "a", "relevance": 1}
    lines = [{**mention, "entity_type": kind, "original_value": value} for kind, value in rows]
    given.write_text("".join(json.dumps(line) + "\n" for line in lines))
    chosen = Settings(workers=1, style="pseudonym", floor=("NAME", "NON_PERSONAL_ID"))
    commands.mask_files(source, tmp_path / "out", chosen, mentions=given)
    run = tmp_path / "out.run"
    (plan,) = [entity for entity, value in entities(run).items() if value == "Harbor 109"]
    assert json.loads((run / "released.json").read_text())["swept"] == {"b": [plan]}
    commands.forget_subject(run, ["Odalys Brandvold"])
    assert holding(run, {plan}) == set()


def test_a_run_of_a_given_table_forgets_too(corpus: Path, tmp_path: Path) -> None:
    scanned, adopted = tmp_path / "scanned", tmp_path / "adopted"
    commands.scan_files(corpus, scanned, Settings(workers=1))
    commands.scan_files(None, adopted, Settings(), mentions=scanned / "mentions.jsonl")
    commands.forget_subject(adopted, ["Odalys Brandvold"])
    assert "Teemu Kallio" in entities(adopted).values()
    assert holding(adopted, {"Odalys", "202-555-0143", "Brandvold"}) == set()


def test_each_release_of_a_run_is_restored_from_its_own_vault(corpus: Path, tmp_path: Path) -> None:
    run, back = tmp_path / "out.run", tmp_path / "back"
    commands.mask_files(corpus, tmp_path / "out", Settings(workers=1, style="pseudonym"))
    commands.plan_run(run, {}, mask=["asthma"])
    commands.apply_run(run, tmp_path / "second", {})
    texts = [(tmp_path / out / "documents" / "c.json").read_text() for out in ("out", "second")]
    assert texts[0] != texts[1]
    originals = {path.name: path.read_bytes() for path in corpus.iterdir()}
    for number, out in enumerate(("out", "second")):
        commands.unmask_files(tmp_path / out, back / str(number), run)
        assert {
            p.name: p.read_bytes() for p in (back / str(number) / "documents").iterdir()
        } == originals
    commands.forget_subject(run, ["Odalys Brandvold"])
    for number, out in enumerate(("out", "second"), 2):
        commands.unmask_files(tmp_path / out, back / str(number), run)
        restored = b"".join(
            path.read_bytes() for path in (back / str(number) / "documents").iterdir()
        )
        assert b"Kallio" in restored and b"Brandvold" not in restored


def test_no_form_of_the_values_is_left_in_any_file_of_a_run_with_editions(
    corpus: Path, tmp_path: Path
) -> None:
    """Nor in the ledger, the pinned counts and what an update compares with."""
    run, out = tmp_path / "out.run", tmp_path / "out"
    commands.mask_files(corpus, out, Settings(workers=1, style="pseudonym"))
    told = "Ms Brandvold (4471-0093-2) wrote to Teemu Kallio on 4 March."
    (corpus / "d.json").write_text(json.dumps({"id": "d", "content": told}))
    commands.update_files(run, corpus, out, {})
    linkmask.open(run).close()
    before = entities(run)
    compared = run / "known.msgpack", run / "file-stamps"
    assert (run / "ledger.json").exists() and all(path.exists() for path in compared)
    done = commands.forget_subject(run, ["Odalys Brandvold"])
    assert not any(path.exists() for path in compared)
    gone = {name: value for name, value in before.items() if name not in entities(run)}
    assert "4471-0093-2" in gone.values()
    forms = {form for v in gone.values() for form in (v, v.lower(), v.upper()) if len(v) > 3}
    assert holding(run, {*gone, *forms, "Odalys", "odalys", "Brandvold", "brandvold"}) == set()
    assert done.certificate is not None
    said = json.loads(done.certificate.read_text())
    assert said["search"]["found_in"] == {} and said["search"]["forms"] > len(gone)
    assert said["forgotten"] == {
        "entities": done.entities,
        "documents": done.documents,
        "mentions": done.mentions,
    }


def test_the_edition_after_an_erasure_holds_nothing_of_the_person(
    corpus: Path, tmp_path: Path
) -> None:
    """Once the person is deleted from the input; what was erased stays certified."""
    run, out = tmp_path / "out.run", tmp_path / "out"
    commands.mask_files(corpus, out, Settings(workers=1, style="pseudonym"))
    for name, person in (("d", "Mr Teemu Kallio"), ("e", "Ms Odalys Brandvold")):
        text = f"{person} wrote on 4 March."
        (corpus / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))
    commands.update_files(run, corpus, out, {})
    first = commands.forget_subject(run, ["Odalys Brandvold"]).certificate
    for path in sorted(corpus.iterdir()):
        if "Brandvold" in path.read_text():
            path.unlink()
    commands.update_files(run, corpus, out, {})
    said = {"Odalys", "Brandvold", "brandvold", "4471-0093-2", "202-555-0143"}
    assert holding(run, said) == set() and holding(out, said) == set()
    assert {p.name for p in (out / "documents").iterdir()} == {p.name for p in corpus.iterdir()}
    second = commands.forget_subject(run, ["Teemu Kallio"]).certificate
    assert first is not None and first.exists() and second not in (None, first)


def test_a_certificate_names_the_files_in_which_a_form_is_left(tmp_path: Path) -> None:
    (tmp_path / "left.txt").write_text("of ODALYS BRANDVOLD")
    (tmp_path / "clean.txt").write_text("of nobody")
    mention = Mention(
        "a", "content", 0, 16, "NAME", "Odalys Brandvold", "odalys brandvold", 1, Why("x")
    )
    forms, _ = forms_of([mention], "::")
    paths = {path.name: path for path in tmp_path.iterdir()}
    assert found_in(paths, forms) == {"left.txt": 1}


def test_a_value_that_is_part_of_a_word_of_another_is_not_left(
    corpus: Path, tmp_path: Path
) -> None:
    """ "Odalys Brand" is not kept because a document names an Odalys Brandvold; as words it is."""
    forms, _ = forms_of(
        [Mention("a", "content", 0, 4, "NAME", "J\u00f6rg", "j\u00f6rg", 1, Why("x"))], "::"
    )
    left = {
        "part.json": json.dumps({"a": ["J\u00f6rgen", "Bj\u00f6rg"]}),
        "word.jsonl": json.dumps({"a": "Annex"}) + "\n" + json.dumps({"b": "of\nJ\u00f6rg, x"}),
        "plain.json": '{"j\u00f6rg": 1}',
        "broken.jsonl": '{"a": "J\u00f6rgen',
        "not.json.txt": "J\u00f6rgen",
    }
    for name, text in left.items():
        (tmp_path / name).write_text(text)
    paths = {name: tmp_path / name for name in left}
    assert found_in(paths, forms).keys() == left.keys() - {"part.json"}
    for name, person in (("d", "Odalys Brand"), ("e", "Dr. Odalys Brandvold")):
        text = f"Patient: {person} was here."
        (corpus / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))
    commands.mask_files(corpus, tmp_path / "out", Settings(workers=1))
    done = commands.forget_subject(tmp_path / "out.run", ["Odalys Brand"])
    assert done.left_in == []


def test_linked_forgets_what_links_to_other_documents_after_a_question(
    corpus: Path, tmp_path: Path
) -> None:
    (corpus / "d.json").write_text(json.dumps({"id": "d", "content": LINKED}))
    (corpus / "b.json").write_text(json.dumps({"id": "b", "content": f"{LETTERS['b']} {LINKED}"}))
    run = tmp_path / "out.run"
    commands.mask_files(corpus, tmp_path / "out", Settings(workers=1))
    typed = ["forget", str(run), "--subject", "Odalys Brandvold", "--linked"]
    asked = CliRunner().invoke(cli.main, typed, input="n\n")
    assert asked.exit_code == 1 and "nothing was forgotten" in asked.output
    assert "Odalys Brandvold" in entities(run).values()
    done = CliRunner().invoke(cli.main, [*typed, "--yes"])
    assert done.exit_code == 0 and "Certificate" in done.output
    assert holding(run, {"Brandvold", "7730-2218", "wetlands"}) == set()
    assert "Teemu Kallio" in entities(run).values()


def test_a_number_of_the_person_is_listed_where_it_makes_no_link(tmp_path: Path) -> None:
    """Among three documents a shared number is too frequent for a link, and is the person's."""
    source = tmp_path / "in.jsonl"
    texts = [f"Patient: {PERSON}, member ID QX-448812.", "Member ID QX-448812 called.", "No calls."]
    records = [{"id": str(n), "content": text} for n, text in enumerate(texts)]
    source.write_text("\n".join(map(json.dumps, records)))
    commands.mask_files(source, tmp_path / "out", Settings(workers=1))
    gone = commands.forget_subject(tmp_path / "out.run", [PERSON])
    assert [(one.type, one.documents) for one in gone.related] == [("PATIENT_ID", 1)]


@pytest.mark.parametrize("address", ["brandvold@example.org", "o.brandvold9@example.org"])
def test_an_address_with_the_name_is_listed_and_taken_with_linked(
    tmp_path: Path, address: str
) -> None:
    """It stands in a document that has nothing else of the person."""
    source = tmp_path / "in.jsonl"
    texts = [f"Patient: {PERSON}, seen. Ms Brandvold called.", f"Write to {address}.", "No calls."]
    source.write_text("\n".join(json.dumps({"content": text}) for text in texts))
    commands.mask_files(source, tmp_path / "out", Settings(workers=1))
    typed = ["forget", str(tmp_path / "out.run"), "--subject", PERSON]
    shutil.copytree(tmp_path / "out.run", tmp_path / "copy.run")
    done = CliRunner().invoke(cli.main, typed)
    assert done.exit_code == 2 and "EMAIL" in done.stdout
    assert "kept nowhere in the run" not in done.stdout
    assert "still part of others that are left in mentions.jsonl" in done.stderr
    typed[1] = str(tmp_path / "copy.run")
    done = CliRunner().invoke(cli.main, [*typed, "--linked", "--yes"])
    assert done.exit_code == 0 and "kept nowhere in the run" in done.stdout
    assert holding(tmp_path / "copy.run", {"Brandvold", "brandvold"}) == set()


PERSON = "Odalys Brandvold"
LINKED = "Claim 7730-2218 of the beekeeper of the Harrow wetlands is due on 9 May 2023."


def test_what_is_looked_up_in_goes_with_the_erasure_also_when_that_is_killed(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lookup that another process built meanwhile does not outlive the erasure."""

    def killed(one: exchange.Share) -> None:
        (tmp_path / "out.run" / "lookup.arrays").write_text("Odalys Brandvold")
        raise KeyboardInterrupt

    run = tmp_path / "out.run"
    commands.mask_files(corpus, tmp_path / "out", Settings(workers=1))
    with monkeypatch.context() as patched:
        patched.setattr(exchange, "_exchange", killed)
        with pytest.raises(KeyboardInterrupt):
            commands.forget_subject(run, ["Odalys Brandvold"])
    assert holding(run, {"Odalys Brandvold"})
    with Run.open(run):  # whatever comes next on the run completes the erasure
        assert holding(run, {"Odalys Brandvold"}) == set()


def test_the_model_s_cache_keeps_no_answer_with_a_value_of_the_person(
    corpus: Path, tmp_path: Path
) -> None:
    """Answers that hold none stay, and so does one in which it is a part of a word."""
    stored = tmp_path / "llm.sqlite"
    answers = {b"a": ["odalys brandvold"], b"b": ["asthma"], b"c": ["Odalys Brandvoldsen"]}
    cache = Cache(stored)
    cache.put((k, StoredAnswer(json.dumps(v).encode(), 1, 1, 0.5)) for k, v in answers.items())
    cache.close()
    run = tmp_path / "out.run"
    settings = Settings(workers=1, llm_model="m", llm_cache=str(stored))
    commands.mask_files(corpus, tmp_path / "out", settings)
    done = commands.forget_subject(run, ["Odalys Brandvold"])
    cache = Cache(stored)
    assert cache.get(list(answers)).keys() == {b"b", b"c"}
    cache.close()
    assert done.certificate is not None
    assert json.loads(done.certificate.read_text())["cached_answers"] == 1


def test_a_dry_run_says_what_would_be_forgotten_and_deletes_nothing(
    corpus: Path, tmp_path: Path
) -> None:
    run = tmp_path / "out.run"
    commands.mask_files(corpus, tmp_path / "out", Settings(workers=1))
    typed = ["forget", str(run), "--subject", "Odalys Brandvold"]
    before = entities(run)
    said = CliRunner().invoke(cli.main, [*typed, "--dry-run"]).stdout
    assert entities(run) == before and not list(run.glob("certificate-*"))
    done = CliRunner().invoke(cli.main, typed).stdout
    assert said.startswith("To be forgotten: ") and "Nothing was deleted" in said
    assert said.split(".")[0].split(": ")[1] == done.split(", kept")[0].split(": ")[1]


def test_a_wrong_key_leaves_the_cache_as_it_is(corpus: Path, tmp_path: Path) -> None:
    stored, other = tmp_path / "llm.sqlite", tmp_path / "key"
    cache = Cache(stored)
    cache.put([(b"a", StoredAnswer(b'["Odalys Brandvold"]', 1, 1, 0.5))])
    cache.close()
    settings = Settings(workers=1, style="pseudonym", llm_model="m", llm_cache=str(stored))
    commands.mask_files(corpus, tmp_path / "out", settings)
    other.write_text("another key of more than thirty-two characters")
    with pytest.raises(LinkmaskError):
        commands.forget_subject(tmp_path / "out.run", ["Odalys Brandvold"], key_file=str(other))
    cache = Cache(stored)
    assert cache.get([b"a"])
    cache.close()


def test_answers_go_that_hold_what_only_the_person_s_documents_say(
    corpus: Path, tmp_path: Path
) -> None:
    """The member's number stands in a document with the name; another's address stays."""
    stored = tmp_path / "llm.sqlite"
    answers = {b"a": ["4471-0093-2"], b"b": ["teemu@example.org"]}
    cache = Cache(stored)
    cache.put((k, StoredAnswer(json.dumps(v).encode(), 1, 1, 0.5)) for k, v in answers.items())
    cache.close()
    settings = Settings(workers=1, llm_model="m", llm_cache=str(stored))
    commands.mask_files(corpus, tmp_path / "out", settings)
    commands.forget_subject(tmp_path / "out.run", ["Odalys Brandvold"])
    cache = Cache(stored)
    assert cache.get(list(answers)).keys() == {b"b"}
    cache.close()
