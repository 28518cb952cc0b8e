"""What a person decides leads to one plan, at whichever door the decision comes in."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from linkmask import commands, config
from linkmask.commands.decide import PendingDecisions
from linkmask.pipeline.jobs.planner import Planner
from linkmask.report import stored_plan
from linkmask.review.estimates import estimate
from linkmask.review.opened_run import OpenedRun
from linkmask.runs import Run

LIMITS = {"theta_doc": 0.6, "theta_chain": 0.2, "edge_threshold": 0.2}
COLUMNS = "document", "original_value", "normalized_value", "entity_type", "relevance"
DRUGS = ("rituximab", "prednisone", "methotrexate", "infliximab")
TEXTS = [
    *(f"Ms. Holt, 47, a beekeeper with sarcoidosis, was given {drug}." for drug in DRUGS),
    *(f"Mr. Ode was seen on March {n}, 2024 in Tolland for a fracture." for n in (3, 9, 21)),
    *(f"Coverage of plan {n} is limited to {n} sessions a year." for n in range(5)),
]


def of_mentions(folder: Path, seed: int) -> Path:
    """A run of random mentions: names, conditions, and dates that are written as their month."""
    draw = np.random.default_rng(seed)
    kinds = ("NAME", "MEDICAL_CONDITION", "TREATMENT", "AGE", "EVENT_DATE")
    values = [(kinds[draw.integers(len(kinds))], n) for n in range(16)]
    rows = []
    for _ in range(40):
        kind, n = values[min(int(draw.exponential(4)), 15)]
        value = f"2024-0{1 + n % 3}-{10 + n}" if kind == "EVENT_DATE" else f"v{n}"
        document, relevance = f"d{draw.integers(12)}", round(float(draw.beta(4, 3)), 1)
        rows.append(dict(zip(COLUMNS, (document, value, value, kind, relevance), strict=True)))
    (folder / "mentions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    chosen = config.load(overrides={"workers": 1, **LIMITS}, environment={})
    commands.scan_files(None, folder / "run", chosen, mentions=folder / "mentions.jsonl")
    return folder / "run"


def of_texts(folder: Path) -> Path:
    """A run of texts with rare words and values."""
    rows = [{"id": f"d{n}", "content": text} for n, text in enumerate(TEXTS)]
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    chosen = config.load(overrides={"workers": 1, **LIMITS}, environment={})
    commands.scan_files(folder / "in.jsonl", folder / "run", chosen)
    return folder / "run"


def masked(run: Path) -> list[str]:
    return sorted(row["entity"] for row in json.loads((run / "plan.json").read_text())["masked"])


def unmet(run: Path) -> tuple[list[str], list[list[str]]]:
    plan = json.loads((run / "plan.json").read_text())
    limit = plan["settings"]["theta_doc"]
    over = [one["document"] for one in plan["documents"] if one["after"] >= limit]
    return over, sorted(one["documents"] for one in plan["chains"] if not one["met"])


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5, 6, None])
def test_decisions_lead_to_one_plan_at_every_door(seed: int | None, tmp_path: Path) -> None:
    """By `plan --mask --keep`; by the review's estimate; by another run of the same input that is
    planned with the settings that the review exports; by planning again; and by the plan file."""
    run = of_texts(tmp_path) if seed is None else of_mentions(tmp_path, seed)
    another = Path(shutil.copytree(run, tmp_path / "another"))
    commands.plan_run(run, {})
    before = masked(run)
    rows = json.loads((run / "risk.json").read_text())["entities"]
    mask = sorted({row["entity"] for row in rows} - set(before))[::3]
    keep = before[::3]
    assert mask and keep
    foreseen = estimate(OpenedRun(run), PendingDecisions(frozenset(mask), frozenset(keep))).plan
    commands.plan_run(run, {}, mask=mask, keep=keep)
    now, over = masked(run), unmet(run)
    assert set(mask) <= set(now)
    assert not set(keep) & set(now)
    assert set(before) - set(keep) <= set(now)
    commands.plan_run(another, {"always_mask": tuple(mask), "never_mask": tuple(keep)})
    assert (masked(another), unmet(another)) == (now, over)
    with Run.open(run) as opened:
        job = Planner(opened, stored_plan.settings_of(opened, stored_plan.plan_of(opened)))
        job.reopen()
        job.restore(stored_plan.plan_of(opened))
        job.count_as_released()
    names, plan = job.analysis.incidence.entities, job.chosen
    assert plan is not None
    assert sorted(names[e] for e in foreseen.masked.tolist()) == now
    assert sorted(names[e] for e in plan.masked.tolist()) == now
    assert (len(plan.unmet_documents), int((~plan.chains.met).sum())) == tuple(map(len, over))
    commands.plan_run(run, {})
    assert (masked(run), unmet(run)) == (now, over)
