"""An update releases what a whole run does under the same counts and the same ledger."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from linkmask import commands, config
from linkmask.commands.mask import open_release
from linkmask.commands.update import update_files
from linkmask.pipeline import mask
from linkmask.report import stored_plan, stored_release
from linkmask.runs import Run, editions

GIVEN = ("Odalys", "Teemu", "Wenda", "Runa", "Petra", "Jorin")
FAMILY = ("Brandvold", "Kallio", "Ashgrove", "Maddox", "Lindqvist", "Falk")
RARE = ("Tarnowitz", "Okonkwa")
SEEN_BY = ("Dr. {given} {family} saw her.", "Signed: {family}", "{given} {family} called her.")
TRADES = ("a beekeeper", "a glazier", "a tower-crane operator", "a nurse", "a school principal")
ILLS = ("asthma", "sarcoidosis", "a torn meniscus", "lupus", "gout")
TOWNS = ("Quarry Bend", "Hancock", "Pleasant Valley", "Denver, CO", "Mill Creek")
BODIES = ("Quarry Bend Medical Center", "Falk Hospital", "Alpine Pain Clinic")


def letter(random: Random) -> str:
    """Return a text that shares some of its values with others."""
    person = Random(random.randrange(12))
    given, family = person.choice(GIVEN), person.choice(FAMILY)
    name = f"{given} {family}"
    facts = [
        f"{name}, member ID 44{person.randrange(100):02}-0093-2, was seen on "
        f"{random.randrange(1, 29)} March 2024.",
        f"Ms. {name.split()[1]} is {person.choice(TRADES)} of {person.randrange(20, 70)} years.",
        f"She was treated for {random.choice(ILLS)} at {random.choice(BODIES)}.",
        f"Her home is in {person.choice(TOWNS)}.",
        f"Write to {random.choice((given, given[0]))}.{family}@example.org.",
        f"{given} {family[0]}. waits.\nUser: {given[0]}{family}".lower(),
        f"Mail: {family}.{given}@example.com",
        random.choice(SEEN_BY).format(given=given, family=random.choice(RARE)),
    ]
    return " ".join(random.sample(facts, random.randrange(1, 5)))


def put(folder: Path, name: str, text: str) -> None:
    (folder / f"{name}.json").write_text(json.dumps({"id": name, "content": text}))


def texts_in(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (out / "documents").iterdir()}


def stated_in(path: Path) -> set[tuple[str, int, tuple[tuple[str, str], ...]]]:
    """Return document and start of each mention of a run, and the values that it states."""
    with Run.open(path) as run:
        return {
            (one.document, one.start, tuple(value for value, _ in one.entity_spellings()))
            for one in run.mentions()
        }


@pytest.mark.parametrize("limits", [{}, {"theta_doc": 0.6, "theta_chain": 0.3}], ids=["", "low"])
@pytest.mark.parametrize("seed", range(3))
def test_an_update_releases_the_bytes_of_a_whole_run_by_the_same_counts(
    seed: int, limits: dict[str, float], tmp_path: Path
) -> None:
    """Where documents came twice, and the whole run holds what was masked before the last time.

    Rare words are left out: an update masks them in new documents alone.
    """
    random = Random(seed)
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    settings = config.load(overrides={"workers": 1, "rare_terms": 0, **limits}, environment={})
    for number in range(24):
        put(source, f"d{number:02}", letter(random))
    commands.mask_files(source, out, settings)
    for edition in range(2):
        for number in range(3):
            put(source, f"e{edition}-{number}", letter(random))
        with Run.open(tmp_path / "out.run") as before:
            pins = editions.pinned_by(before)
            released = before.read_json("released.json")
            masked = stored_plan.masked_ids(released), stored_release.coarse_ids(released)
            ledger = editions.ledger_of(before).with_release(*masked)
        update_files(tmp_path / "out.run", source, out, {})
    assert pins is not None
    with open_release(source, tmp_path / "whole", settings) as job:
        editions.keep_pins(job.run, pins)
        editions.keep_ledger(job.run, ledger)
        job.held = ledger.masked
        mask(job, source, tmp_path / "whole")
    assert texts_in(out) == texts_in(tmp_path / "whole")
    assert stated_in(tmp_path / "out.run") == stated_in(tmp_path / "whole.run")
