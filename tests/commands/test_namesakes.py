"""What a run does with a value that names one person here and another one there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from linkmask import commands
from linkmask.config import Settings
from linkmask.errors import UsageError
from linkmask.records import entity_id
from linkmask.runs import Run

LETTERS = {
    "a": "Patient: Marta Kowalczyk\nMarta was tired.",
    "b": "Patient: Marta Zielinska\nLater Marta came again.",
    "c": "Patient: Ben Vargas\nMarta Zielinska called. Mother said no.",
}
KOWALCZYK, ZIELINSKA = (entity_id(f"marta {one}", "NAME") for one in ("kowalczyk", "zielinska"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the folder that holds `in`, `out` and `out.run`, in a style that can be undone."""
    (tmp_path / "in").mkdir()
    for name, text in LETTERS.items():
        (tmp_path / "in" / f"{name}.txt").write_text(text)
    settings = Settings(workers=1, style="pseudonym")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    return tmp_path


def persons(run: Path) -> set[str]:
    with Run.open(run) as opened:
        return {mention.value for mention in opened.mentions() if mention.type == "NAME"}


def test_keep_does_not_take_a_given_name_for_all_who_bear_it(place: Path) -> None:
    run = place / "out.run"
    before = (run / "plan.json").read_bytes()
    with pytest.raises(UsageError, match="short form"):
        commands.plan_run(run, {}, keep=["Marta"])
    assert (run / "plan.json").read_bytes() == before
    commands.plan_run(run, {}, keep=["Marta Zielinska"])
    masked = {row["entity"] for row in json.loads((run / "plan.json").read_bytes())["masked"]}
    assert KOWALCZYK in masked and ZIELINSKA not in masked


def test_keep_leaves_a_full_name_masked_that_a_short_form_alone_means(place: Path) -> None:
    commands.forget_subject(place / "out.run", [KOWALCZYK])
    with pytest.raises(UsageError, match="short form"):
        commands.plan_run(place / "out.run", {}, keep=["Marta"])
    commands.plan_run(place / "out.run", {}, mask=["Marta"])


@pytest.mark.parametrize("option", ["mask", "subject"])
def test_a_value_of_two_persons_is_refused_with_ids_that_name_each(
    option: str, place: Path
) -> None:
    run = place / "out.run"
    with pytest.raises(UsageError, match="more than one entity is written so") as refused:
        if option == "mask":
            commands.plan_run(run, {}, mask=["Marta"])
        else:
            commands.forget_subject(run, ["Marta"])
    assert "Marta" not in str(refused.value) and "marta" not in str(refused.value)
    assert persons(run) == {"marta kowalczyk", "marta zielinska", "ben vargas"}
    shown = str(refused.value).partition("(")[2].rstrip(")").split(", ")
    assert len(shown) == 2
    commands.forget_subject(run, shown[:1])
    assert len(persons(run) & {"marta kowalczyk", "marta zielinska"}) == 1


def test_forgetting_a_person_leaves_the_vault_of_who_bears_the_same_given_name(place: Path) -> None:
    done = commands.forget_subject(place / "out.run", ["Marta Kowalczyk"])
    commands.unmask_files(place / "out", place / "back")
    texts = {path.stem: path.read_text() for path in (place / "back" / "documents").iterdir()}
    assert texts["b"] == LETTERS["b"] and texts["c"] == LETTERS["c"]
    assert "Kowalczyk" not in texts["a"] and "Marta" not in texts["a"]
    assert done.left_in == []
    assert done.certificate is not None
    assert json.loads(done.certificate.read_text())["search"]["found_in"] == {}


def test_a_short_form_that_means_nobody_known_is_forgotten_with_the_person(place: Path) -> None:
    """It may be the person's."""
    settings = Settings(workers=1, style="pseudonym")
    (place / "in" / "b.txt").write_text("Patient: Ben Vargas. Later Ms. Marta came again.")
    (place / "in" / "c.txt").write_text("Nothing.")
    commands.mask_files(place / "in", place / "out", settings, overwrite=True)
    with Run.open(place / "out.run") as run:
        assert {m.value for m in run.mentions() if m.original.endswith("Marta")} == {
            "marta",
            "marta kowalczyk",
        }
    commands.forget_subject(place / "out.run", ["Marta Kowalczyk"])
    commands.unmask_files(place / "out", place / "back")
    assert "Marta" not in (place / "back" / "documents" / "b.txt").read_text()
