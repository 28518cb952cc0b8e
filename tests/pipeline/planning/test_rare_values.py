"""Rare values that some documents show are as rare to the limits as the release has them."""

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

import linkmask
from linkmask import commands, config
from linkmask.pipeline.planning import rare_values
from linkmask.pipeline.planning.scoring import incidence_of
from linkmask.records import Document, entity_id
from linkmask.runs import Run

DRUGS = ("rituximab", "prednisone", "methotrexate", "infliximab")
TEXTS = [
    *(f"Ms. Holt, 47, a beekeeper with sarcoidosis, was given {drug}." for drug in DRUGS),
    *(f"Coverage of plan {n} is limited to {n} sessions a year." for n in range(8)),
]


def test_a_value_is_as_frequent_and_as_unique_as_the_documents_that_show_it(
    tmp_path: Path,
) -> None:
    """Four documents say the age; rare terms leave it in one. Other values stay as they were."""
    rows = [{"id": f"d{n}", "content": text} for n, text in enumerate(TEXTS)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    settings = config.load(overrides={"workers": 1}, environment={})
    commands.mask_files(tmp_path / "in.jsonl", tmp_path / "out", settings)
    (file,) = (tmp_path / "out" / "documents").iterdir()
    shown = [json.loads(line)["content"] for line in file.read_text().splitlines()]
    with Run.open(tmp_path / "out.run") as run:
        incidence = incidence_of(run, settings)
        released = rare_values.as_released(run, incidence, settings)
    assert released is not None
    age = list(incidence.entities).index(entity_id("47", "AGE", settings.id_separator))
    assert incidence.frequency[age] == sum("47" in text for text in TEXTS) == 4
    assert released.frequency[age] == sum("47" in text for text in shown) == 1
    assert released.uniqueness[age] == pytest.approx(1.0)
    assert incidence.uniqueness[age] == pytest.approx(np.log(13 / 4) / np.log(13))
    same = released.frequency == incidence.frequency
    assert (released.uniqueness == incidence.uniqueness)[same].all()
    for document in range(len(TEXTS)):
        row = slice(released.start[document], released.start[document + 1])
        assert (age in released.entity[row]) == ("47" in shown[document])


@pytest.mark.parametrize("theta_doc", [0.3, 0.45, 0.6, 0.9])
@pytest.mark.parametrize("theta_chain", [0.1, 0.5])
def test_whoever_counts_in_a_release_finds_nothing_over_a_limit(
    theta_doc: float, theta_chain: float
) -> None:
    limits = {"theta_doc": theta_doc, "theta_chain": theta_chain, "edge_threshold": 0.1}
    chosen = config.load(overrides={"workers": 1, **limits}, environment={})
    result = linkmask.mask([Document(f"d{n}", text) for n, text in enumerate(TEXTS)], chosen)
    released = [Document(one.id, one.content) for one in result.documents]
    again = linkmask.scan(released, chosen)
    assert result.plan.met
    assert (again.risk.documents < theta_doc).all()
    assert (again.risk.chains.risk <= theta_chain + 1e-9).all()


def test_a_value_that_a_person_keeps_makes_no_other_value_readable() -> None:
    """The kept name leaves its letter over the limit, and the others are measured all the same."""
    limits = {"theta_doc": 0.5, "theta_chain": 0.2, "edge_threshold": 0.1}
    chosen = config.load(overrides={"workers": 1, **limits}, environment={})
    name = entity_id("quillfeather", "NAME", chosen.id_separator)
    texts = [*TEXTS, "Mr. Quillfeather called."]
    documents = [Document(f"d{n}", text) for n, text in enumerate(texts)]
    keeping = msgspec.structs.replace(chosen, never_mask=(name,))
    free, kept = (linkmask.mask(documents, one).plan for one in (chosen, keeping))
    assert free.met and not kept.met
    assert len(set(free.masked.tolist()) - set(kept.masked.tolist())) == 1
