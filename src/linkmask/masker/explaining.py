"""Answers questions about a run: an entity, a document, a pair or a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from linkmask.errors import UsageError
from linkmask.masker.corrections import corrections_by_entity, entity_of_nobody
from linkmask.masker.pair_terms import terms_of_pair
from linkmask.pipeline.jobs.planner import Planner
from linkmask.records import entity_label
from linkmask.report import stored_plan
from linkmask.report.editions import edition_lines
from linkmask.report.explain import ExplainAnswer, explain, explain_nobodys
from linkmask.report.linker_wording import (
    nearest_line,
    one_person_line,
    others_lines,
    pair_line,
    pair_terms_lines,
)
from linkmask.report.wording import FOUND_ANYWAY, count
from linkmask.runs import Run, editions
from linkmask.runs.file_names import LINKAGE, PLAN
from linkmask.runs.languages import uncovered
from linkmask.runs.run_paths import run_at


def explain_run(run_folder: Path, *, show_values: bool = False, **question: Any) -> ExplainAnswer:
    """Answer a question about a run: an entity, a document, a pair or a person.

    Raises:
        UsageError: what was asked for is not in the run.
    """
    with Run.open(run_at(run_folder)) as run:
        answer = _answer(run, question, show_values)
        read_again = run.source, run.digest, run.settings
    if not question.get("pair"):
        return answer
    terms = terms_of_pair(run_folder, *read_again, answer.data["documents"])
    line = pair_terms_lines(terms, show_values)
    if isinstance(terms, str):
        return ExplainAnswer(f"{answer.text}\n\n{line}", answer.data)
    hidden = () if show_values else ("term",)
    rows = [{key: value for key, value in row.items() if key not in hidden} for row in terms]
    return ExplainAnswer(f"{answer.text}\n\n{line}", {**answer.data, "shared_terms": rows})


def _answer(run: Run, question: Mapping[str, Any], show_values: bool) -> ExplainAnswer:
    """Answer from what the run holds.

    Raises:
        UsageError: what was asked for is not in the run.
    """
    kept = stored_plan.plan_of(run) if (run.path / PLAN).exists() else None
    settings = run.settings if kept is None else stored_plan.settings_of(run, kept)
    job = Planner(run, settings)
    job.reopen()
    if kept is not None:
        job.restore(kept)
        job.count_as_released()
    arguments = job.analysis.incidence, job.analysis.risk, job.chosen, run.mentions, settings
    gone = _forgotten(run)
    history = msgspec.to_builtins(editions.ledger_of(run).editions)
    corrections = partial(corrections_by_entity, run, settings)
    try:
        answer = explain(
            question,
            *arguments,
            show_values=show_values,
            rule=job.rule,
            corrections=corrections,
        )
    except UsageError as error:
        entity = entity_of_nobody(run, settings, str(question.get("entity") or ""))
        if not entity:
            raise UsageError("\n".join(filter(None, (str(error), gone)))) from None
        answer = explain_nobodys(entity_label(entity, run.salt), corrections()[entity])
    text, data = answer.text, dict(answer.data)
    asked = [data["document"]] if question.get("document") else []
    if spoken := uncovered(run).get(asked[0]) if asked else None:
        note = f"Its language ({spoken}) is not covered by detection: {FOUND_ANYWAY}"
        text, data["uncovered_language"] = f"{text}\n\n{note}", spoken
    if run.find(LINKAGE).exists():
        asked = data["documents"] if question.get("pair") else asked
        said_by_linker, found = _linked(run.read_json(LINKAGE), asked, settings.linking_limit)
        text, data = "\n\n".join([text, *said_by_linker]), data | found
    if gone:
        text, data["forgotten"] = f"{text}\n\n{gone}", run.about["forgotten"]
    if len(history) > 1:
        lines = "\n".join(edition_lines(history))
        text, data["editions"] = f"{text}\n\n{lines}", history
    return ExplainAnswer(text, data)


def _linked(
    kept: Mapping[str, Any], asked: Sequence[str], limit: float
) -> tuple[list[str], dict[str, Any]]:
    """Tell which document the linker finds in the release from a document, or from either of two.

    Args:
        kept: by document, as `ReleaseJob` keeps it.
        asked: one document or two, by id; or none.

    Returns:
        Lines, and `linkage` of the answer; nothing for another question, or what was not measured.
    """
    found = [kept[name] for name in asked if name in kept]
    if not asked or len(found) < len(asked):
        return [], {}
    if len(found) == 1:
        lines = [nearest_line(found[0]["probability"], found[0]["nearest"], limit)]
        return lines + others_lines(found[0].get("others", {})), {
            "linkage": found[0] | {"limit": limit}
        }
    to_other = [
        one["probability"] if one["nearest"] == other else None
        for one, other in zip(found, reversed(asked), strict=True)
    ]
    both = max(
        one.get("others", {}).get(name, 0.0) for one, name in zip(found, asked[::-1], strict=True)
    )
    sentences = [one_person_line(both or None), pair_line(asked, to_other)]
    numbers = {"one_person": both or None, "found_with": to_other, "limit": limit}
    return sentences, {"linkage": numbers}


def _forgotten(run: Run) -> str:
    """Return what a run has forgotten, by number and type; "" for nothing."""
    lines = []
    for row in run.about.get("forgotten", []):
        types = ", ".join(f"{n:,} {name}" for name, n in row["types"].items())
        where = count(row["documents"], "document")
        lines.append(f"  {types}, {count(row['mentions'], 'mention')} in {where}")
    head = "Forgotten since (linkmask forget); what it was is not kept:"
    return "\n".join([head, *lines]) if lines else ""
