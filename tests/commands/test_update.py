"""A run that lives: the corpus of another day is released as the next edition."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import linkmask
from linkmask import cli, commands, detect, workers
from linkmask.commands.update import update_files
from linkmask.config import Settings
from linkmask.corpus import prefetch
from linkmask.corpus.files import File
from linkmask.errors import RunError
from linkmask.pipeline.detection.detector import Detector
from linkmask.pipeline.editions.changed_corpus import LITTLE
from linkmask.records import Document, SetAside
from three_letters import LETTERS, NEW, released, update, write


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


def test_a_name_that_is_new_is_masked_where_its_letters_are_set_apart(place: Path) -> None:
    """Also in a document that did not change."""
    write(place, "d", "The note said a s h g r o v e on its back.")
    update(place)
    write(place, "e", "Ms. Wenda Ashgrove was seen today.")
    update(place)
    written = json.loads((place / "out" / "documents" / "d.json").read_text())
    assert written["content"] == "The note said [NAME] on its back."


@pytest.mark.parametrize(("text", "processes"), [(NEW, False), (f"{NEW} {'.' * LITTLE}", True)])
def test_other_processes_detect_only_where_much_is_new(
    place: Path, monkeypatch: pytest.MonkeyPatch, text: str, processes: bool
) -> None:
    spread: list[int] = []

    def here(work: Callable[[Any], Any], items: Iterator[Any], asked: int) -> Iterator[Any]:
        spread.append(asked)
        return map(work, items)

    monkeypatch.setattr(workers, "ALONE", 0)
    monkeypatch.setattr(workers, "_spread", here)
    write(place, "d", text)
    assert update(place, {"workers": 2}).counts["released"] == 4
    assert spread == [2] * processes


def test_the_language_of_a_document_that_did_not_change_is_not_looked_for_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    language_of = detect.written_language_of

    def counting(document: Document, settings: Settings) -> str:
        seen.append(document.id)
        return language_of(document, settings)

    monkeypatch.setattr(detect, "written_language_of", counting)
    for number in range(2):
        write(place, f"d-{number}", NEW)
        update(place)
    assert set(seen) == {"d-0", "d-1"}


def test_documents_in_languages_that_are_not_covered_are_told_in_each_edition(place: Path) -> None:
    """In the summary by language, and by `explain` for each document."""
    write(place, "d", "Piszę w sprawie wniosku mojej mamy, która leży w szpitalu i czeka na list.")
    assert update(place).counts["uncovered_languages"] == {"pl": 1}
    write(place, "e", NEW)
    assert update(place).counts["uncovered_languages"] == {"pl": 1}
    answer = linkmask.open(place / "out.run").explain(document="d")
    assert answer["uncovered_language"] == "pl"
    (place / "in" / "d.json").unlink()
    assert update(place).counts["uncovered_languages"] == {}


def test_an_edition_without_documents_is_released_only_if_it_is_asked_for(place: Path) -> None:
    """An INPUT that is empty by mistake would else take all documents out of OUT."""
    for name in LETTERS:
        (place / "in" / f"{name}.json").unlink()
    before = released(place)
    arguments = ["update", str(place / "out.run"), str(place / "in"), "-o", str(place / "out")]
    refused = CliRunner().invoke(cli.main, arguments)
    assert refused.exit_code == 1 and "--allow-empty" in refused.output
    assert released(place) == before
    assert CliRunner().invoke(cli.main, [*arguments, "--allow-empty"]).exit_code == 0
    assert released(place) == {}
    held = [path.read_bytes() for path in place.rglob("*") if path.is_file()]
    assert not any(b"randvold" in one or b"Kallio" in one for one in held)
    assert commands.verify_files(place / "out") == []
    again = ["apply", str(place / "out.run"), "-o", str(place / "again")]
    assert CliRunner().invoke(cli.main, again).exit_code == 0
    assert linkmask.open(place / "out.run").mask_text("Odalys Brandvold") != "Odalys Brandvold"


def test_an_edition_without_documents_can_be_followed_by_one_with_documents(place: Path) -> None:
    for name in LETTERS:
        (place / "in" / f"{name}.json").unlink()
    update_files(place / "out.run", place / "in", place / "out", {}, allow_empty=True)
    write(place, "a", LETTERS["a"])
    audit = update(place)
    assert [row["documents"] for row in audit.editions] == [3, 0, 1]
    assert b"Brandvold" not in released(place)["a.json"]


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


@pytest.mark.parametrize(
    ("name", "data"), [("ledger.json", None), ("ledger.json", b"{}"), ("shown.json", None)]
)
def test_an_updated_run_that_lost_what_earlier_editions_hid_is_refused(
    place: Path, name: str, data: bytes | None
) -> None:
    write(place, "d", NEW)
    update(place)
    file = place / "out.run" / name
    whole = file.read_bytes()
    if data is None:
        file.unlink()
    else:
        file.write_bytes(data)
    write(place, "e", "Wenda Ashgrove called.")
    with pytest.raises(RunError, match=rf"{name} is damaged: start a new run"):
        update(place)
    file.write_bytes(whole)
    assert update(place).editions[-1]["number"] == 3


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


def test_only_what_is_new_and_what_may_hold_its_values_is_read(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by the first update: the run keeps which words stand where.

    With rare words, also what may share one with a new document is read.
    """
    settings = Settings(workers=1, rare_terms=0)
    write(place, "shelf", "The keys are on shelf 551203378 by the door.")
    commands.mask_files(place / "in", place / "out", settings, overwrite=True)
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
