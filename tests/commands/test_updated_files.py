"""What an update does to files: those that nothing concerns stay, the others are written."""

from __future__ import annotations

import gc
import json
import os
import weakref
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from full_disk import full
from linkmask import commands
from linkmask.config import Settings
from linkmask.corpus import files, staging
from linkmask.errors import OutputError, RunError
from linkmask.pipeline.redaction.corpus_redaction import Redaction
from linkmask.runs import MaskedFile
from three_letters import LETTERS, NEW, inodes, released, update, write


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


def test_a_new_value_within_one_that_is_masked_concerns_no_document(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The longer one covers it; where it stands by itself, too, the document is masked again."""
    town, clinic = "Quarry Bend", "Quarry Bend Medical Center"
    write(place, "within", f"Patient Runa Falk was seen at {clinic}.")
    write(place, "both", f"The shop near {clinic} sells each {town.lower()} by the pound.")
    update(place)
    masked = list[str]()
    redact = Redaction.redact

    def redacting(*given: Any) -> MaskedFile:
        made = redact(*given)
        masked.extend(made.documents)
        return made

    monkeypatch.setattr(Redaction, "redact", redacting)
    write(place, "d", f"Patient: Wenda Ashgrove, member ID 8821-7750-4. Town: {town}.")
    update(place)
    assert sorted(masked) == ["both", "d"]
    assert town.encode() not in b"".join(released(place).values())


def test_a_document_above_the_readable_share_is_counted_until_it_changes(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a", "b"):
        write(tmp_path, name, "To Elise Varga: as it is, we go on to do so.")
    settings = Settings(workers=1, rare_terms=0, readable_share=0.5)
    first = commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    before = inodes(tmp_path)
    write(tmp_path, "d", NEW)
    second = update(tmp_path)
    assert inodes(tmp_path).items() >= before.items()
    assert first.left["above_readable_share"] == second.left["above_readable_share"]
    assert [audit.counts["above_readable_share"] for audit in (first, second)] == [2, 2]
    write(tmp_path, "a", "Elise Varga wrote.")
    assert update(tmp_path).counts["above_readable_share"] == 1
    (tmp_path / "in" / "b.json").unlink()
    assert update(tmp_path).counts["above_readable_share"] == 0


def test_a_release_that_does_not_say_what_is_above_the_readable_share_is_written_again(
    tmp_path: Path,
) -> None:
    (tmp_path / "in").mkdir()
    write(tmp_path, "a", "To Elise Varga: as it is, we go on to do so.")
    settings = Settings(workers=1, rare_terms=0, readable_share=0.5)
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    released = tmp_path / "out.run" / "released.json"
    table = json.loads(released.read_text())
    table.pop("above_share", None)
    released.write_text(json.dumps(table))
    write(tmp_path, "d", NEW)
    assert update(tmp_path).counts["above_readable_share"] == 1


def test_a_file_that_was_changed_in_out_is_written_again(place: Path) -> None:
    masked = place / "out" / "documents" / "a.json"
    before = masked.read_bytes()
    masked.write_bytes(before.replace(b"seen", b"met"))
    write(place, "d", NEW)
    update(place)
    assert masked.read_bytes() == before


def test_a_second_update_reads_no_file_that_stayed_before(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one notes in which state each file had its digest.

    The file that it writes itself is too young to be noted: this one is read once more.
    """
    monkeypatch.setattr(files, "SETTLED", -1_000_000_000_000)
    read = list[str]()
    digest, bytes_of = files.File.digest, staging._digest_and_status
    monkeypatch.setattr(files.File, "digest", lambda one: read.append(one.name) or digest(one))
    monkeypatch.setattr(
        staging, "_digest_and_status", lambda path: read.append(Path(path).name) or bytes_of(path)
    )
    write(place, "d", NEW)
    update(place)
    read.clear()
    write(place, "e", NEW.replace("Wenda", "Runa"))
    update(place)
    assert set(read) == {"d.json", "e.json"}
    update(place, rehash=True)
    assert {"a.json", "b.json", "c.json"} <= set(read)


def test_a_first_update_reads_no_input_that_stayed_as_it_was_masked(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was written just before it was masked is read, as its time may stay the same."""
    monkeypatch.setattr(files, "SETTLED", -1_000_000_000_000)
    commands.mask_files(place / "in", place / "out", Settings(workers=1), overwrite=True)
    read = list[str]()
    digest = files.File.digest
    monkeypatch.setattr(files.File, "digest", lambda one: read.append(one.name) or digest(one))
    write(place, "d", NEW)
    write(place, "a", LETTERS["a"] + " She called.")
    update(place)
    assert set(read) == {"a.json", "d.json"}


@pytest.mark.parametrize("changes", [{}, {"style": "redact"}])
def test_python_looks_for_garbage_among_new_objects_whatever_an_update_reads(
    changes: dict[str, str], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a setting changes, no document is new, and all are masked anew."""
    gone = list[bool]()
    module = import_module("linkmask.commands.update")
    mask = module.mask

    def looking(*given: object) -> object:
        gone.append(dies_when_many_are_made())
        return mask(*given)

    monkeypatch.setattr(module, "mask", looking)
    before = gc.get_threshold()
    write(place, "d", NEW)
    update(place, changes)
    assert gone == [True]
    assert gc.get_threshold() == before


def dies_when_many_are_made() -> bool:
    """Return whether an object that holds itself is gone once many others were made."""
    held = Held()
    held.itself = held
    alive = weakref.ref(held)
    del held
    many = [list[int]() for _ in range(2 * gc.get_threshold()[0])]
    return bool(many) and alive() is None


class Held:
    """An object that may hold itself."""

    itself: object = None


def test_nothing_but_the_next_edition_stands_among_the_documents_in_out(tmp_path: Path) -> None:
    """Files stay where they are, so what somebody else put beside them has to be moved away."""
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
    with pytest.raises(OutputError, match=r"documents/2023, documents/2024/stray.*/strays/one"):
        update(tmp_path)
    assert (documents / "2023").is_symlink() and (documents / "strays" / "one.json").exists()
    for stray in (documents / "2023", documents / "2024" / "stray.json"):
        stray.unlink()
    (documents / "strays" / "one.json").rename(tmp_path / "one.json")
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
    write(
        tmp_path,
        "a",
        "The pump on shelf 882177504 is new: oil the valve, fit the hose and close the box.",
    )
    write(tmp_path, "b", "The roof is not covered before the first of the month.")
    commands.mask_files(tmp_path / "in", tmp_path / "out", Settings(workers=1))
    masked = tmp_path / "out" / "documents" / "a.json"
    assert "882177504" in masked.read_text()
    before = inodes(tmp_path)
    write(tmp_path, "d", NEW)
    update(tmp_path)
    assert "882177504" not in masked.read_text()
    assert inodes(tmp_path)["b.json"] == before["b.json"]


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
