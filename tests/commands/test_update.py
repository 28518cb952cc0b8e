"""A run that lives: the corpus of another day is released as the next edition."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

import linkmask
from full_disk import full
from linkmask import cli, commands, config, detect
from linkmask.commands.update import update_files
from linkmask.config import Settings
from linkmask.corpus import prefetch
from linkmask.corpus.files import File
from linkmask.errors import OutputError, RunError
from linkmask.pipeline.detection.detector import Detector, corpus_detector
from linkmask.pipeline.editions.edition_state import state_by
from linkmask.pipeline.planning.generalization import remainders
from linkmask.pipeline.values.run_values import spelled, values_of
from linkmask.records import Document, SetAside, entity_id
from linkmask.redact.tokens import read_tokens
from linkmask.runs import Run, editions
from three_letters import LETTERS, NEW, masked, update, write


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return masked(tmp_path)


def test_only_what_is_new_or_changed_is_detected_and_the_rest_stays_as_it_was(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    first_passes = Detector.first_passes

    def counting(self: Detector, pairs: list) -> list:
        seen.extend(document.id for document, _ in pairs)
        return first_passes(self, pairs)

    monkeypatch.setattr(Detector, "first_passes", counting)
    before = {p.name: p.read_bytes() for p in (place / "out" / "documents").iterdir()}
    write(place, "d", NEW)
    write(place, "b", LETTERS["b"] + " She moved to Quarry Bend.")
    (place / "in" / "c.json").unlink()
    audit = update(place)
    after = {p.name: p.read_bytes() for p in (place / "out" / "documents").iterdir()}
    assert set(seen) == {"b", "d"}
    assert after.keys() == {"a.json", "b.json", "d.json"}
    assert after["a.json"] == before["a.json"]
    assert b"Ashgrove" not in after["d.json"] and b"8821" not in after["d.json"]
    last = audit.editions[-1]
    assert (last["number"], last["added"], last["changed"], last["deleted"]) == (2, 1, 1, 1)
    assert not any(one.blocking for one in commands.verify_files(place / "out"))


def test_the_language_of_a_document_that_did_not_change_is_not_looked_for_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    language_of = detect.language_of

    def counting(document: Document, settings: Settings) -> str:
        seen.append(document.id)
        return language_of(document, settings)

    monkeypatch.setattr(detect, "language_of", counting)
    for number in range(2):
        write(place, f"d-{number}", NEW)
        update(place)
    assert set(seen) == {"d-0", "d-1"}


def test_documents_in_languages_that_are_not_covered_are_told_in_each_edition(place: Path) -> None:
    """In the summary by language, and by `explain` for each document."""
    write(place, "d", "Dzień dobry, to jest list do niej i do niego, a nie do nas, bo tak jest.")
    assert update(place).counts["uncovered_languages"] == {"pl": 1}
    write(place, "e", NEW)
    assert update(place).counts["uncovered_languages"] == {"pl": 1}
    answer = linkmask.open(place / "out.run").explain(document="d")
    assert answer["uncovered_language"] == "pl"
    (place / "in" / "d.json").unlink()
    assert update(place).counts["uncovered_languages"] == {}


def test_no_value_of_a_deleted_document_stays_in_run_or_out(place: Path) -> None:
    (place / "in" / "c.json").unlink()
    update(place)
    data = b"".join(
        path.read_bytes()
        for folder in ("out", "out.run")
        for path in (place / folder).rglob("*")
        if path.is_file()
    )
    assert b"Kallio" not in data and b"teemu" not in data


def test_what_an_earlier_edition_masked_stays_masked_without_its_reason(place: Path) -> None:
    commands.plan_run(place / "out.run", {}, mask=["asthma"])
    commands.apply_run(place / "out.run", place / "out", {}, overwrite=True)
    plan = json.loads((place / "out.run" / "plan.json").read_text())
    plan["settings"]["always_mask"] = []  # nobody asks for it any more
    (place / "out.run" / "plan.json").write_text(json.dumps(plan))
    write(place, "d", NEW + " She has asthma.")
    update(place)
    text = "".join(p.read_text() for p in (place / "out" / "documents").iterdir())
    assert "asthma" not in text


def test_a_date_that_an_edition_hid_whole_is_not_written_as_its_month_later(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    settings = config.load(overrides={**STRICT, "workers": 1}, environment={})
    person = "Ms. Holt, 47, a beekeeper with sarcoidosis, was given {} on July {}, 2024."
    given = {3: "rituximab", 9: "prednisone", 17: "methotrexate", 24: "infliximab"}
    for day, drug in given.items():
        write(tmp_path, f"seen-{day}", person.format(drug, day))
    for number in range(8):
        write(tmp_path, f"plan-{number}", f"Coverage of plan {number} is limited to {number} days.")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    before = released(tmp_path)
    assert b"on [EVENT_DATE]." in before["seen-3.json"]
    for number in range(2):
        write(tmp_path, f"d-{number}", NEW)
        update(tmp_path)
        after = released(tmp_path)
        assert {name: after[name] for name in before} == before, f"edition {number + 2}"


def test_a_date_that_an_edition_wrote_as_its_month_stays_its_month(place: Path) -> None:
    before = released(place)
    assert b"on March 2024." in before["a.json"]
    for number in range(2):
        write(place, f"d-{number}", NEW)
        update(place)
        after = released(place)
        assert {name: after[name] for name in before} == before, f"edition {number + 2}"


def released(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (place / "out" / "documents").iterdir()}


STRICT = {"theta_doc": 0.5, "theta_chain": 0.2, "edge_threshold": 0.1}


def test_an_update_of_nothing_is_no_edition(place: Path) -> None:
    audit = update(place)
    assert [one["number"] for one in audit.editions] == [1]


def test_the_command_sums_up_the_edition_and_explain_and_the_page_list_it(place: Path) -> None:
    write(place, "d", NEW)
    names = [str(place / name) for name in ("out.run", "in", "out")]
    done = CliRunner().invoke(cli.main, ["update", *names[:2], "-o", names[2]])
    assert done.exit_code == 0, done.output
    line = "4 documents (1 added, 0 changed, 0 deleted, 3 unchanged, 0 of them masked otherwise)"
    assert line in " ".join(done.output.split())
    assert line in (place / "out" / "report.html").read_text()
    summary = json.loads((place / "out" / "summary.json").read_text())
    assert [one["number"] for one in summary["editions"]] == [1, 2]
    answer = commands.explain_run(place / "out.run", document="d")
    assert line in answer.text


def inodes(place: Path) -> dict[str, int]:
    return {p.name: p.stat().st_ino for p in (place / "out" / "documents").iterdir()}


def test_a_file_that_nothing_concerns_is_taken_over_and_not_written_again(place: Path) -> None:
    before = inodes(place)
    write(place, "d", NEW)
    update(place)
    after = inodes(place)
    assert {name: after[name] for name in before} == before


def test_a_namesake_concerns_only_files_that_hold_what_it_takes_from_a_name(place: Path) -> None:
    """Where two persons bear a surname, "Dr. Brandvold" is a spelling of neither any more."""
    write(place, "short", "Dr. Brandvold wrote on Monday.")
    update(place)
    before = inodes(place)
    write(place, "d", "Patient: Runa Brandvold, member ID 8821-7750-4.")
    update(place)
    after = inodes(place)
    assert {name for name in before if before[name] != after[name]} == {"short.json"}
    assert b"Brandvold" not in b"".join(released(place).values())


def test_a_file_that_was_changed_in_out_is_written_again(place: Path) -> None:
    masked = place / "out" / "documents" / "a.json"
    before = masked.read_bytes()
    masked.write_bytes(before.replace(b"seen", b"met"))
    write(place, "d", NEW)
    update(place)
    assert masked.read_bytes() == before


def test_nothing_but_the_next_edition_stands_among_the_documents_in_out(tmp_path: Path) -> None:
    """Files stay where they are, so what somebody else put beside them has to be removed."""
    for name in ("2023/old", "2024/kept", "2024/gone", "left/gone"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path, name, LETTERS["a"])
    settings = Settings(workers=1, detector="patterns")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    documents, elsewhere = tmp_path / "out" / "documents", tmp_path / "elsewhere"
    kept = (documents / "2024" / "kept.json").stat().st_ino
    (documents / "2024" / "stray.json").write_text("Dana Whitlock")
    (documents / "strays").mkdir()
    (documents / "strays" / "one.json").write_text("Dana Whitlock")
    (documents / "2023").rename(elsewhere)
    (documents / "2023").symlink_to(elsewhere)
    for name in ("2024/gone", "left/gone"):
        (tmp_path / "in" / f"{name}.json").unlink()
    (tmp_path / "in" / "new").mkdir()
    write(tmp_path, "new/d", NEW)
    update(tmp_path)
    entries = [p for p in documents.rglob("*") if p.is_symlink() or not p.is_dir()]
    names = sorted(p.relative_to(documents).as_posix() for p in entries)
    assert names == ["2023/old.json", "2024/kept.json", "new/d.json"]
    assert sorted(p.name for p in documents.iterdir()) == ["2023", "2024", "new"]
    assert not any(p.is_symlink() for p in documents.rglob("*"))
    assert (documents / "2024" / "kept.json").stat().st_ino == kept
    assert (elsewhere / "old.json").exists()


def test_a_value_that_a_new_document_tells_is_masked_in_the_old_ones(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write(tmp_path, "a", "The keys are on shelf 882177504 by the door.")
    write(tmp_path, "b", "The roof is not covered before the first of the month.")
    commands.mask_files(tmp_path / "in", tmp_path / "out", Settings(workers=1))
    masked = tmp_path / "out" / "documents" / "a.json"
    assert "882177504" in masked.read_text()
    before = inodes(tmp_path)
    write(tmp_path, "d", NEW)
    update(tmp_path)
    assert "882177504" not in masked.read_text()
    assert inodes(tmp_path)["b.json"] == before["b.json"]


def test_only_what_is_new_and_what_may_hold_its_values_is_read(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the second update on: the first one reads all texts for the words in them.

    With rare words, also what may share one with a new document is read.
    """
    settings = Settings(workers=1, rare_terms=0)
    commands.mask_files(place / "in", place / "out", settings, overwrite=True)
    write(place, "shelf", "The keys are on shelf 551203378 by the door.")
    update(place)
    read: list[str] = []
    found_in = prefetch.found_in

    def reading(file: File, settings: Settings) -> Iterator[Document | SetAside]:
        read.append(file.name)
        return found_in(file, settings)

    monkeypatch.setattr(prefetch, "found_in", reading)
    write(place, "d", NEW)
    update(place)
    assert set(read) == {"d.json"}
    read.clear()
    write(place, "e", "Patient: Runa Falk, member ID 5512-0337-8.")
    update(place)
    assert set(read) == {"e.json", "shelf.json"}
    assert b"551203378" not in released(place)["shelf.json"]


def test_an_update_masks_as_a_whole_run_does(place: Path, tmp_path: Path) -> None:
    """With counts counted anew, where no value was masked whose reason is gone; but rare words."""
    settings = Settings(workers=1, rare_terms=0)
    commands.mask_files(place / "in", place / "out", settings, overwrite=True)
    write(place, "d", NEW)
    write(place, "b", LETTERS["b"] + " She moved to Quarry Bend.")
    update_files(place / "out.run", place / "in", place / "out", {}, recount=True)
    commands.mask_files(place / "in", tmp_path / "whole", settings)
    texts = [
        {p.name: p.read_bytes() for p in (out / "documents").iterdir()}
        for out in (place / "out", tmp_path / "whole")
    ]
    assert texts[0] == texts[1]


def test_what_an_edition_keeps_for_the_next_is_what_its_mentions_make(place: Path) -> None:
    """However many editions brought it on: documents came, changed and went."""
    write(place, "d", NEW)
    update(place)
    write(place, "b", LETTERS["b"] + " She moved to Quarry Bend.")
    update(place)
    (place / "in" / "c.json").unlink()
    write(place, "e", "Mr Runa Brandvold saw Wenda Ashgrove on 3 March 2024.")
    update(place)
    with Run.open(place / "out.run") as run:
        kept, once = state_by(run), corpus_detector(run, run.settings).vocabulary
        assert kept is not None and once is not None
        assert kept.vocabulary.entries == once.entries
        fresh = values_of(run, run.settings.id_separator)
        assert {entity: one.surfaces for entity, one in kept.values.items()} == {
            entity: one.surfaces for entity, one in fresh.items()
        }
        masked = kept.masks.keys()
        assert masked
        left = remainders(kept.values, run.settings)
        assert left and left == remainders(fresh, run.settings)
        for one in kept.values.values():
            one.written = None  # what comes of it is compared in test_same_as_whole
        assert dict(spelled(dict(kept.values), masked, run.settings)) == dict(
            spelled(fresh, masked, run.settings)
        )


@pytest.mark.parametrize("stale", ["version", "mentions"])
def test_what_was_kept_of_other_mentions_or_by_another_version_is_not_used(
    place: Path, stale: str
) -> None:
    """Values that no document holds stand in it here: they must not reach the next edition."""
    update(place)
    path = place / "out.run" / "known.msgpack"
    with Run.open(place / "out.run") as run:
        kept = state_by(run)
    assert kept is not None
    for one in kept.values.values():
        one.surfaces["Nowhere Written"] = 1
    setattr(kept, stale, "another")
    path.write_bytes(msgspec.msgpack.encode(kept))
    write(place, "d", NEW)
    update(place)
    with Run.open(place / "out.run") as run:
        made = state_by(run)
        assert made is not None and made.values
        assert not any("Nowhere Written" in one.surfaces for one in made.values.values())
    assert b"Ashgrove" not in released(place)["d.json"]


def test_the_vault_holds_what_stayed_and_what_is_new_and_nothing_of_the_deleted(
    tmp_path: Path,
) -> None:
    (tmp_path / "in").mkdir()
    for name, text in LETTERS.items():
        write(tmp_path, name, text)
    settings = Settings(workers=1, style="pseudonym")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    before = inodes(tmp_path)
    (tmp_path / "in" / "c.json").unlink()
    write(tmp_path, "d", NEW)
    update(tmp_path)
    assert inodes(tmp_path)["a.json"] == before["a.json"]
    held = (tmp_path / "out.run" / "vault").read_text().splitlines()
    assert {json.loads(line)["document"] for line in held} == {"a", "b", "d"}
    commands.unmask_files(tmp_path / "out", tmp_path / "back")
    for name in ("a", "b", "d"):
        back = tmp_path / "back" / "documents" / f"{name}.json"
        assert back.read_bytes() == (tmp_path / "in" / f"{name}.json").read_bytes()


def test_documents_without_a_mask_need_no_line_in_the_vault(tmp_path: Path) -> None:
    """A corpus with a document in which nothing is masked is updated in a style that is undone."""
    (tmp_path / "in").mkdir()
    write(tmp_path, "a", LETTERS["a"])
    write(tmp_path, "hours", "The office is open on Fridays.")
    settings = Settings(workers=1, style="pseudonym")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    write(tmp_path, "hours", "The office is open on Mondays.")
    update(tmp_path)
    assert commands.unmask_files(tmp_path / "out", tmp_path / "back") == 2
    back = tmp_path / "back" / "documents" / "hours.json"
    assert back.read_bytes() == (tmp_path / "in" / "hours.json").read_bytes()


def test_released_documents_that_new_ones_link_to_are_listed_as_riskier(tmp_path: Path) -> None:
    """And what was done about it: the limit holds again, in the new edition or by the new masks."""
    (tmp_path / "in").mkdir()
    for name, text in {**LETTERS, "e": LINKED + " She has asthma."}.items():
        write(tmp_path, name, text)
    settings = Settings(workers=1, generalize={})
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    before = (tmp_path / "out" / "documents" / "e.json").read_bytes()
    write(tmp_path, "f", LINKED + " She has lupus.")
    audit = update(tmp_path)
    after = (tmp_path / "out" / "documents" / "e.json").read_bytes()
    assert audit.changed["riskier"] == [{"document": "e", "rewritten": before != after}]
    assert audit.editions[-1]["riskier"] == 1
    assert audit.risk["unmet_chains"] == 0


def test_random_codes_of_what_the_corpus_no_longer_holds_are_dropped(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, text in LETTERS.items():
        write(tmp_path, name, text)
    commands.mask_files(tmp_path / "in", tmp_path / "out", Settings(workers=1, style="token"))
    (tmp_path / "in" / "c.json").unlink()
    update(tmp_path)
    run = tmp_path / "out.run"
    key = (run / "key").read_bytes().strip()
    with Run.open(run) as opened:
        held = {entity_id(m.value, m.type) for m in opened.mentions()}
    assert held and read_tokens(run / "tokens", key).keys() <= held


def test_a_run_that_forgot_somebody_or_is_of_an_earlier_version_is_updated(place: Path) -> None:
    """All files are written again then: nothing says which of them may stay."""
    commands.forget_subject(place / "out.run", ["Teemu Kallio"])
    released = place / "out.run" / "released.json"
    table = json.loads(released.read_text())
    for name in ("inputs", "outputs", "amounts"):
        del table[name]
    released.write_text(json.dumps(table))
    (place / "in" / "c.json").unlink()
    write(place, "d", NEW)
    update(place)
    names = {p.name for p in (place / "out" / "documents").iterdir()}
    assert names == {"a.json", "b.json", "d.json"}
    assert not any(one.blocking for one in commands.verify_files(place / "out"))


LINKED = "Claim 7730-2218 of the beekeeper of the Harrow wetlands is due on 9 May 2023."


def test_a_new_document_hides_what_would_link_it_to_a_deleted_one_that_readers_hold(
    tmp_path: Path,
) -> None:
    """Edition 1 shows whose claim is due and when; a copy of it in edition 2 can't show it, too."""
    (tmp_path / "in").mkdir()
    for name, text in {**LETTERS, "e": LINKED}.items():
        write(tmp_path, name, text)
    commands.mask_files(tmp_path / "in", tmp_path / "out", Settings(workers=1, generalize={}))
    assert "beekeeper" in (tmp_path / "out" / "documents" / "e.json").read_text()
    (tmp_path / "in" / "e.json").unlink()
    write(tmp_path, "f", LINKED)
    audit = update(tmp_path)
    assert "beekeeper" not in (tmp_path / "out" / "documents" / "f.json").read_text()
    assert audit.changed["readers"] == {"masked": 2, "documents": 0, "chains": 0}
    with Run.open(tmp_path / "out.run") as run:
        assert editions.shown_of(run).documents == ["e"]
    (tmp_path / "in" / "f.json").unlink()
    write(tmp_path, "g", LINKED)  # the second edition showed less of it, the first one is still out
    update(tmp_path)
    assert "beekeeper" not in (tmp_path / "out" / "documents" / "g.json").read_text()
    commands.forget_subject(tmp_path / "out.run", ["Harrow wetlands"])
    with Run.open(tmp_path / "out.run") as run:
        assert editions.shown_of(run).documents == []


def test_what_all_editions_show_together_over_a_limit_sets_the_exit_status(tmp_path: Path) -> None:
    """Who wants the values of a deleted document readable in a new one is told what it means."""
    (tmp_path / "in").mkdir()
    for name, text in {**LETTERS, "e": LINKED}.items():
        write(tmp_path, name, text)
    commands.mask_files(tmp_path / "in", tmp_path / "out", Settings(workers=1, generalize={}))
    with Run.open(tmp_path / "out.run") as run:
        held = {entity_id(m.value, m.type) for m in run.mentions() if m.document == "e"}
        shown = held.difference(row["entity"] for row in run.read_json("plan.json")["masked"])
    commands.plan_run(tmp_path / "out.run", {}, keep=sorted(shown))
    commands.apply_run(tmp_path / "out.run", tmp_path / "out", {}, overwrite=True)
    (tmp_path / "in" / "e.json").unlink()
    write(tmp_path, "f", LINKED)
    names = [str(tmp_path / name) for name in ("out.run", "in", "out")]
    asked = ["update", *names[:2], "-o", names[2]]
    done = CliRunner().invoke(cli.main, asked)
    assert done.exit_code == 2, done.output
    assert "with earlier editions: 1 document or chain; withdraw" in " ".join(done.output.split())
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["changed"]["readers"]["chains"] == 1
    assert summary["risk"]["unmet_documents"] == summary["risk"]["unmet_chains"] == 0
    assert CliRunner().invoke(cli.main, [*asked, "--allow-unmet"]).exit_code == 0


@pytest.mark.parametrize("room", range(0, 40, 4))
def test_a_full_disk_leaves_the_last_edition_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """Flushing fails after so many files: what is released is the last edition, or the next."""
    (tmp_path / "in").mkdir()
    for name, text in LETTERS.items():
        write(tmp_path, name, text)
    settings = Settings(workers=1, detector="patterns")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    before = released(tmp_path)
    write(tmp_path, "d", NEW)
    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full(room))
        with suppress(OutputError, RunError):
            update(tmp_path)
    findings = commands.verify_files(tmp_path / "out")  # it completes what was decided
    assert not any(one.blocking for one in findings)
    after = released(tmp_path)
    assert after == before or after.keys() == before.keys() | {"d.json"}
    audit = update(tmp_path)
    assert released(tmp_path).keys() == before.keys() | {"d.json"}
    assert [one["number"] for one in audit.editions] == [1, 2]
    assert not (tmp_path / "out.run" / "next").exists()
