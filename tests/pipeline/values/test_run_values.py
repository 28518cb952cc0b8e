"""The values of a run, brought on from one edition to the next."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from linkmask.config import Settings
from linkmask.graph.entities import canonical
from linkmask.pipeline.planning.generalization import remainders
from linkmask.pipeline.values.run_value import RunValues
from linkmask.pipeline.values.run_values import spelled, values_grown, values_of, with_doubts
from linkmask.records import CONTENT, Mention, Why
from runs_made import made

SETTINGS = Settings()
TEXTS = (
    ("NAME", "Odalys Brandvold"),
    ("NAME", "O. Brandvold"),
    ("NAME", "Runa Brandvold"),
    ("NAME", "Runa Falk"),
    ("PROVIDER", "Dr. Falk"),
    ("ORGANIZATION", "Falk Hospital"),
    ("ORGANIZATION", "Quarry Bend Medical Center"),
    ("LOCATION", "Quarry Bend"),
    ("EVENT_DATE", "3 March 2024"),
    ("EVENT_DATE", "2024-03-03"),
    ("PATIENT_ID", "4471-0093-2"),
)


def mentions(random: Random, document: str) -> list[Mention]:
    found = random.choices(TEXTS, k=random.randrange(4))
    return [
        Mention(document, CONTENT, 0, len(text), kind, text, canonical(kind, text), 1.0, Why("t"))
        for kind, text in found
    ]


def shown(values: RunValues) -> dict[str, list[object]]:
    """Return the masked values with their spellings, in the order of their ids."""
    half = sorted(values)[::2]
    return {
        entity: [one.value, one.type, sorted(one.surfaces.items()), one.forms, one.words]
        for entity, one in spelled(values, half, SETTINGS)
    }


@pytest.mark.parametrize("seed", range(12))
def test_values_brought_on_are_those_of_the_mentions_of_today(seed: int, tmp_path: Path) -> None:
    """Whatever documents came, went or changed; and so are their forms, of any masked ones."""
    random = Random(seed)
    then = {f"{n}": mentions(random, f"{n}") for n in range(random.randrange(1, 9))}
    now = {name: found for name, found in then.items() if random.random() < 0.7}
    again = {name: mentions(random, name) for name in now if random.random() < 0.3}
    more = {f"a{n}": mentions(random, f"a{n}") for n in range(random.randrange(3))}
    with made(tmp_path / "then") as before, made(tmp_path / "now") as run:
        before.replace_log("mentions", then.items())
        run.replace_log("mentions", sorted({**now, **again, **more}.items()))
        last = values_of(before, "::")
        shown(last), remainders(last, SETTINGS)  # works out what is kept of them
        kept = {entity: dict(one.surfaces) for entity, one in last.items()}
        grown, once = values_of(run, "::", last, before), values_of(run, "::")
        grown = with_doubts(grown, last, sorted(last)[::2])
        assert grown.keys() == once.keys()
        assert shown(grown) == shown(once)
        assert remainders(grown, SETTINGS) == remainders(once, SETTINGS)
        assert {entity: one.surfaces for entity, one in last.items()} == kept


@pytest.mark.parametrize("seed", range(12))
def test_values_grown_round_by_round_are_those_of_all_mentions(seed: int, tmp_path: Path) -> None:
    """So are their forms, although only values that the new ones may affect are spelled anew."""
    random = Random(seed)
    rounds = [{f"{n}": mentions(random, f"{n}") for n in range(4)} for _ in range(4)]
    held: dict[str, list[Mention]] = {}
    values: RunValues = {}
    for found in rounds:
        held = {name: [*held.get(name, ()), *more] for name, more in found.items()}
        values = values_grown(values, found.values(), "::")
        with made(tmp_path / f"{len(held['0'])}-{random.random()}") as run:
            run.replace_log("mentions", held.items())
            once = values_of(run, "::")
        assert values.keys() == once.keys()
        assert shown(values) == shown(once)
        assert remainders(values, SETTINGS) == remainders(once, SETTINGS)
