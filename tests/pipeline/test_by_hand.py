"""What a person decides about a plan: what is named changes, the rest stays, changes are said."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask import cli, commands
from linkmask.config import load
from linkmask.records import Audit, entity_label
from linkmask.report.changes import LISTED
from linkmask.runs import Run

DOCUMENTS = Path(__file__).parents[2] / "examples" / "insurance" / "documents"


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the example corpus with a plan."""
    run = tmp_path_factory.mktemp("by-hand") / "run"
    commands.scan_files(DOCUMENTS, run, load(overrides={"workers": 1}, environment={}))
    commands.plan_run(run, {})
    return run


@pytest.fixture
def run(planned: Path, tmp_path: Path) -> Path:
    """A copy of the run that a test may change."""
    return Path(shutil.copytree(planned, tmp_path / "run"))


def masked(run: Path) -> dict[str, str]:
    """Stage by id of what a run's plan masks."""
    rows = json.loads((run / "plan.json").read_text())["masked"]
    return {row["entity"]: row["stage"] for row in rows}


def readable(run: Path) -> list[str]:
    """Ids of what a run's plan leaves readable."""
    rows = json.loads((run / "risk.json").read_text())["entities"]
    return [row["entity"] for row in rows if row["entity"] not in masked(run)]


def changed(audit: Audit) -> tuple[set[str], set[str]]:
    """Labels of what an audit says is readable now, and masked now."""
    rows = audit.changed["readable"], audit.changed["masked"]
    return {row["entity"] for row in rows[0]}, {row["entity"] for row in rows[1]}


def labels(run: Path, entities: Iterable[str]) -> set[str]:
    """How reports of a run name entities."""
    with Run.open(run) as opened:
        return {entity_label(entity, opened.salt) for entity in entities}


def test_plan_mask_adds_what_it_names_to_the_plan_and_changes_nothing_else(run: Path) -> None:
    before = masked(run)
    some = readable(run)[::7]
    assert len(some) > 1
    for entity in some:
        audit = commands.plan_run(run, {}, mask=[entity])
        assert set(masked(run)) == {*before, entity}
        assert changed(audit) == (set(), labels(run, [entity]))
        before = masked(run)


def test_a_value_that_a_person_masks_is_said_to_be_masked_by_decision(run: Path) -> None:
    entity = readable(run)[0]
    done = CliRunner().invoke(cli.main, ["plan", str(run), "--mask", entity])
    assert masked(run)[entity] == "decided"
    head = next(line for line in done.stdout.splitlines() if "entities masked" in line)
    assert head.split()[2:] == ["floor", "document", "chain", "decided", "kept"]


def test_plan_mask_goes_on_from_the_last_plan_with_its_limits(run: Path) -> None:
    commands.plan_run(run, {"theta_chain": 0.3})
    before = masked(run)
    entity = readable(run)[0]
    commands.plan_run(run, {}, mask=[entity])
    assert set(masked(run)) == {*before, entity}
    assert json.loads((run / "plan.json").read_text())["settings"]["theta_chain"] == 0.3


def test_plan_mask_with_another_limit_adds_to_the_plan_of_that_limit(run: Path) -> None:
    commands.plan_run(run, {"theta_chain": 0.3})
    alone = masked(run)
    entity = readable(run)[0]
    commands.plan_run(run, {"theta_chain": 0.3}, mask=[entity])
    assert set(masked(run)) == {*alone, entity}


def test_plan_keep_makes_only_what_it_names_readable_and_says_what_it_adds(run: Path) -> None:
    before = masked(run)
    of_chains = [e for e, stage in before.items() if stage == "chain"]
    assert len(of_chains) > 1
    for entity in of_chains:
        audit = commands.plan_run(run, {}, keep=[entity])
        now = masked(run)
        assert set(before) - set(now) == {entity}
        assert changed(audit) == (labels(run, [entity]), labels(run, set(now) - set(before)))
        before = now


def test_what_was_kept_is_masked_again_when_it_is_named_and_nothing_else_is_lost(run: Path) -> None:
    entity = next(e for e, stage in masked(run).items() if stage == "chain")
    commands.plan_run(run, {}, keep=[entity])
    before = masked(run)
    commands.plan_run(run, {}, mask=[entity])
    assert set(masked(run)) == {*before, entity}
    settings = json.loads((run / "plan.json").read_text())["settings"]
    assert (settings["always_mask"], settings["never_mask"]) == ([entity], [])


def test_other_limits_say_value_by_value_what_became_readable(run: Path) -> None:
    commands.plan_run(run, {"theta_chain": 0.2})
    before = masked(run)
    done = CliRunner().invoke(cli.main, ["plan", str(run)])
    gone = set(before) - set(masked(run))
    assert gone
    assert f"readable now, masked in the last plan ({len(gone)}):" in done.stdout
    assert sum(one in done.stdout for one in labels(run, gone)) == min(len(gone), LISTED)


def test_an_entity_is_asked_for_in_the_form_in_which_it_was_listed(run: Path) -> None:
    """`explain` and `plan` take back "TYPE id" as the summary prints it."""
    entity = readable(run)[0]
    answer = commands.explain_run(run, entity=entity)
    label = answer.data["entity"]
    for listed in (f"{answer.data['type']} {entity[:10]}", f"{answer.data['type']} {label}"):
        assert commands.explain_run(run, entity=listed).data["entity"] == label != entity
    commands.plan_run(run, {}, mask=[listed])
    assert entity in masked(run)


def test_an_id_that_no_entity_has_is_said(run: Path) -> None:
    setting = f"always_mask={'0' * 32},{readable(run)[0]}"
    done = CliRunner().invoke(cli.main, ["plan", str(run), "--set", setting])
    assert done.exit_code == 0
    assert "Named by always_mask or never_mask, but in no document: 1 id" in done.stderr
