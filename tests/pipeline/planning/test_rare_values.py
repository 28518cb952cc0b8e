"""Rare values that some documents show are as rare to the limits as the release has them."""

import json
import shutil
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


@pytest.fixture(scope="module", params=[(0.6, 0.5), (0.9, 0.1)])
def planned(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The input and a run of it that is planned with these limits."""
    folder = tmp_path_factory.mktemp("rare-values")
    rows = [{"id": f"d{n}", "content": text} for n, text in enumerate(TEXTS)]
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    limits = {"theta_doc": request.param[0], "theta_chain": request.param[1]}
    chosen = config.load(overrides={"workers": 1, "edge_threshold": 0.1, **limits}, environment={})
    commands.scan_files(folder / "in.jsonl", folder / "run", chosen)
    commands.plan_run(folder / "run", {})
    return folder


def masked(run: Path) -> set[str]:
    return {row["entity"] for row in json.loads((run / "plan.json").read_text())["masked"]}


def unmet(run: Path) -> set[str]:
    """The documents over a limit, and those of chains over one, as a run's plan says it."""
    plan = json.loads((run / "plan.json").read_text())
    limit = plan["settings"]["theta_doc"]
    chains = [one["documents"] for one in plan["chains"] if not one["met"]]
    return {one["document"] for one in plan["documents"] if one["after"] >= limit}.union(*chains)


def over_a_limit(run: Path, out: Path) -> tuple[bool, set[str]]:
    """Whether applying says that a limit is unmet; what whoever counts in the release finds so."""
    audit = commands.apply_run(run, out, {}, overwrite=True)
    (file,) = (out / "documents").iterdir()
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    with Run.open(run) as opened:
        chosen = opened.settings
    found = linkmask.scan([Document(row["id"], row["content"]) for row in rows], chosen).risk
    chains = found.chains.documents[found.chains.risk > chosen.theta_chain + 1e-9]
    over = {*np.flatnonzero(found.documents >= chosen.theta_doc).tolist(), *chains.ravel().tolist()}
    said = audit.risk["unmet_documents"] or audit.risk["unmet_chains"]
    return bool(said), {rows[n]["id"] for n in over - {-1}}


def test_what_a_kept_value_puts_over_a_limit_in_the_release_is_masked_otherwise_or_said(
    planned: Path, tmp_path: Path
) -> None:
    """One value after the other is kept. A document is said to be over a limit only if it is so
    whatever else is masked."""
    seen = 0
    for entity in sorted(masked(planned / "run")):
        run = Path(shutil.copytree(planned / "run", tmp_path / entity))
        commands.plan_run(run, {}, keep=[entity])
        assert entity not in masked(run)
        told, over = over_a_limit(run, tmp_path / "out")
        said = unmet(run)
        assert over <= said
        assert told == bool(said)
        if said:
            seen += 1
            with Run.open(run) as opened:
                every = set(incidence_of(opened, opened.settings).entities)
            commands.plan_run(run, {}, mask=sorted(every - {entity} - masked(run)))
            assert unmet(run) == said
    assert seen


def test_a_value_removed_from_the_plan_file_is_said_as_the_release_shows_it(
    planned: Path, tmp_path: Path
) -> None:
    """`apply` uses the file as it is: it masks nothing more, and says what is over a limit."""
    seen = 0
    for entity in sorted(masked(planned / "run")):
        run = Path(shutil.copytree(planned / "run", tmp_path / entity))
        plan = json.loads((run / "plan.json").read_text())
        plan["masked"] = [row for row in plan["masked"] if row["entity"] != entity]
        (run / "plan.json").write_text(json.dumps(plan))
        told, over = over_a_limit(run, tmp_path / "out")
        assert told >= bool(over)
        seen += bool(over)
    assert seen
