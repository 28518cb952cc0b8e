"""What a release keeps of the masks that it drew."""

from __future__ import annotations

from pathlib import Path

from linkmask.records import entity_id
from linkmask.report.stored_release import drawn_by, last_release
from linkmask.runs import Run
from three_letters import masked


def test_how_a_mask_was_drawn_is_kept_only_of_styles_that_vary(tmp_path: Path) -> None:
    with Run.open(masked(tmp_path) / "out.run") as run:
        released = last_release(run)
        separator = run.settings.id_separator
        types = {entity_id(one.value, one.type, separator): one.type for one in run.mentions()}
    drawn = drawn_by(released)
    assert drawn and {types[entity] for entity in drawn} == {"EVENT_DATE"}
    assert len(drawn) < len(released["masked"])


def test_an_earlier_version_kept_it_in_the_rows_of_masked_entities() -> None:
    row = {"entity": "e", "stage": "floor"}
    assert drawn_by({"masked": [{**row, "language": "fr", "attempt": 2}]}) == {"e": ("fr", 2)}
    assert drawn_by({"masked": [row]}) is None
