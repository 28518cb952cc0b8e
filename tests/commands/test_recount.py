"""Counts of values are pinned, and counted anew on request: `update --recount`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask import cli
from linkmask.commands.update import update_files
from linkmask.errors import UsageError
from linkmask.pipeline.editions import updating
from linkmask.runs import Run, editions
from three_letters import LETTERS, NEW, masked, update, write


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return masked(tmp_path)


def test_counts_are_pinned_until_they_are_counted_anew(place: Path) -> None:
    write(place, "d", NEW)
    update(place)
    with Run.open(place / "out.run") as run:
        pins = editions.counts_of(run)
    assert pins is not None and pins.documents == 3
    update_files(place / "out.run", place / "in", place / "out", {}, recount=True)
    with Run.open(place / "out.run") as run:
        assert editions.counts_of(run) is None
        assert run.scored()[0].n_documents == 4


def test_counting_anew_is_shown_before_it_is_done_and_refused_it_changes_nothing(
    place: Path,
) -> None:
    """Two documents more hold the date and the disease: the pinned counts say two of three do."""
    write(place, "d", LETTERS["c"].replace("Teemu Kallio", "Wenda Ashgrove"))
    write(place, "e", "She was seen on 3 March 2024 for asthma.")
    update(place)
    before = files(place)
    effects: list = []

    def refuse(effect: dict) -> bool:
        effects.append(effect)
        assert files(place) == before  # nothing is released by then
        return False

    with pytest.raises(UsageError, match="no count was changed"):
        names = place / "out.run", place / "in", place / "out"
        update_files(*names, {}, recount=True, confirm=refuse)
    assert files(place) == before
    (effect,) = effects
    assert effect["documents"] == [3, 5]
    with Run.open(place / "out.run") as run:
        pins, now = editions.counts_of(run), run.scored()[0]
    moved = [e for e, n in zip(now.entities, now.frequency, strict=True) if pins.entities[e] != n]
    assert effect["values"] == [now.n_entities, len(moved)] and moved
    audit = update_files(*names, {}, recount=True)
    assert audit.changed["recount"]["documents"] == [3, 5]
    plan = json.loads((place / "out.run" / "plan.json").read_text())
    assert len(plan["masked"]) == effect["limits"][1]["masked"]


def files(place: Path) -> dict[str, bytes]:
    """What is released, and what the run of the last edition knows of its counts."""
    paths = [*(place / "out" / "documents").iterdir(), place / "out.run" / "counts.json"]
    return {path.name: path.read_bytes() for path in paths}


def test_the_command_asks_before_it_counts_anew(place: Path) -> None:
    write(place, "d", NEW)
    names = [str(place / name) for name in ("out.run", "in", "out")]
    asked = ["update", *names[:2], "-o", names[2], "--recount"]
    done = CliRunner().invoke(cli.main, asked, input="n\n")
    assert (
        done.exit_code == 1 and "documents that counts refer to: 3 pinned, 4 today" in done.output
    )
    assert not (place / "out" / "documents" / "d.json").exists()
    done = CliRunner().invoke(cli.main, [*asked, "--yes"])
    assert done.exit_code == 0, done.output
    assert (place / "out" / "documents" / "d.json").exists()


def test_counts_that_a_stopped_update_pinned_are_not_taken_for_counted_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(place, "d", NEW)

    def stop(self: updating.Update) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(updating.Update, "plan", stop)
        update(place)
    update_files(place / "out.run", place / "in", place / "out", {}, recount=True)
    with Run.open(place / "out.run") as run:
        assert editions.counts_of(run) is None
