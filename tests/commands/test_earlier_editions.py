"""What readers of earlier editions hold: what was masked stays so, and what became riskier."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from linkmask import cli, commands, config
from linkmask.config import Settings
from linkmask.records import entity_id
from linkmask.runs import Run, editions
from three_letters import LETTERS, NEW, released, update, write


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
    settings = config.load(overrides={**STRICT, "theta_chain": 0.1, "workers": 1}, environment={})
    person = "Ms. Holt, 47, a beekeeper with sarcoidosis, was given {} on July {}, 2024."
    given = {3: "rituximab", 9: "prednisone", 17: "methotrexate", 24: "infliximab"}
    for day, drug in given.items():
        write(tmp_path, f"seen-{day}", person.format(drug, day))
    for number in range(8):
        write(tmp_path, f"plan-{number}", f"Coverage of plan {number} is limited to {number} days.")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    before = released(tmp_path)
    assert b"on [EVENT_DATE]." in before["seen-3.json"]
    looser = {"theta_doc": 1.0, "theta_chain": 1.0}  # under these a month would be enough
    for number in range(2):
        write(tmp_path, f"d-{number}", NEW)
        update(tmp_path, looser)
        after = released(tmp_path)
        assert {name: after[name] for name in before} == before, f"edition {number + 2}"


def test_a_date_that_an_edition_wrote_as_its_month_stays_its_month(place: Path) -> None:
    before = released(place)
    assert b"in March 2024." in before["a.json"]
    for number in range(2):
        write(place, f"d-{number}", NEW)
        update(place)
        after = released(place)
        assert {name: after[name] for name in before} == before, f"edition {number + 2}"


STRICT = {"theta_doc": 0.5, "theta_chain": 0.2, "edge_threshold": 0.1}


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


LINKED = "Claim 7730-2218 of the beekeeper of the Harrow wetlands is due on 9 May 2023."


def tells_whose_and_when(place: Path, name: str) -> bool:
    """Does a released document show whose claim is due, and when?"""
    text = (place / "out" / "documents" / f"{name}.json").read_text()
    return "beekeeper" in text and "9 May 2023" in text


def test_a_new_document_hides_what_would_link_it_to_a_deleted_one_that_readers_hold(
    tmp_path: Path,
) -> None:
    """Edition 1 shows whose claim is due and when; a copy of it in edition 2 can't show it, too."""
    (tmp_path / "in").mkdir()
    for name, text in {**LETTERS, "e": LINKED}.items():
        write(tmp_path, name, text)
    commands.mask_files(tmp_path / "in", tmp_path / "out", Settings(workers=1, generalize={}))
    assert tells_whose_and_when(tmp_path, "e")
    (tmp_path / "in" / "e.json").unlink()
    write(tmp_path, "f", LINKED)
    audit = update(tmp_path)
    assert not tells_whose_and_when(tmp_path, "f")
    assert audit.changed["readers"] == {"masked": 1, "documents": 0, "chains": 0}
    with Run.open(tmp_path / "out.run") as run:
        assert editions.shown_of(run).documents == ["e"]
    (tmp_path / "in" / "f.json").unlink()
    write(tmp_path, "g", LINKED)  # the second edition showed less of it, the first one is still out
    update(tmp_path)
    assert not tells_whose_and_when(tmp_path, "g")
    commands.forget_subject(tmp_path / "out.run", ["7730-2218"])
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
