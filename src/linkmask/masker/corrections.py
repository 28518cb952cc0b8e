"""Lists the corrections that reviewers made to a run's entities, for `explain`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linkmask.config import Settings
from linkmask.pipeline.correcting import Applied, applied, is_entity, subject
from linkmask.records import Mention, entity_id, entity_label
from linkmask.report.wording import entity_id_in
from linkmask.runs import Run, lower_and_collapse
from linkmask.runs.decision_log import DecisionLog

PARTS = {"/": "spelling", "@": "documents"}


def corrections_by_entity(run: Run, settings: Settings) -> Mapping[str, Sequence[dict[str, Any]]]:
    """Return, by entity id, the corrections of mentions that belong or belonged to the entity.

    Rows are as `report.explain.corrections.corrected_line` takes them.
    """
    if not settings.corrections:
        return {}
    groups: dict[tuple[str, str, str], tuple[Applied, set[str], set[str]]] = {}
    for steps in applied(run, settings):
        passed = {
            entity_id(one.value, one.type, settings.id_separator)
            for step in steps
            for one in (step.before, step.after)
            if one is not None
        }
        for step in steps:
            part = step.key[len(subject(step.key)) :][:1]
            key = step.key if part == "/" else subject(step.key) + part
            group = groups.setdefault((key, step.correction, part), (step, set(), set()))
            group[1].update(passed)
            group[2].add(step.before.document)
    found: dict[str, list[dict[str, Any]]] = {}
    last_reviewer = _LastReviewer(run)
    for (_, correction, part), (step, entities, documents) in sorted(groups.items()):
        row = {
            "said": _labelled(correction, run.salt),
            "part": PARTS.get(part, ""),
            "was": _name(step.before, settings, run.salt),
            "is": "" if step.after is None else _name(step.after, settings, run.salt),
            "types": [step.before.type, "" if step.after is None else step.after.type],
            "documents": len(documents),
            **last_reviewer(subject(step.key), correction),
        }
        for entity in sorted(entities):
            found.setdefault(entity, []).append(row)
    return found


def entity_of_nobody(run: Run, settings: Settings, text: str) -> str:
    """Return the id of an entity, named by spelling or id, that a reviewer corrected to `nobody`.

    It is "" where there is none.
    """
    given, name = entity_id_in(text).lower(), lower_and_collapse("", text)
    for steps in applied(run, settings):
        last = steps[-1]
        if last.after is None:
            one, spelled = last.before, lower_and_collapse("", last.before.original)
            entity = entity_id(one.value, one.type, settings.id_separator)
            ids = entity, entity_label(entity, run.salt)
            if name == spelled or (len(given) >= 4 and any(i.startswith(given) for i in ids)):
                return entity
    return ""


class _LastReviewer:
    """Finds in the log who said something last of an entity."""

    def __init__(self, run: Run) -> None:
        lines = DecisionLog(run.path).entries()
        self._lines = [one for one in lines if one.get("action") == "correct"]
        self._salt = run.salt

    def __call__(self, entity: str, correction: str) -> dict[str, str]:
        """Return reviewer, time and reason; empty where the log tells none."""
        label, to = entity_label(entity, self._salt), _labelled(correction, self._salt)
        for line in reversed(self._lines):
            named = {one.get("entity") for one in line.get("entities", ())}
            if label in named and line.get("to") == to:
                reason = ": ".join(filter(None, (line.get("reason"), line.get("words"))))
                return {"by": str(line["reviewer"]), "time": str(line["time"]), "reason": reason}
        return {"by": "", "time": "", "reason": ""}


def _labelled(correction: str, salt: bytes) -> str:
    return entity_label(correction, salt) if is_entity(correction) else correction


def _name(mention: Mention, settings: Settings, salt: bytes) -> str:
    entity = entity_id(mention.value, mention.type, settings.id_separator)
    return f"{mention.type} {entity_label(entity, salt)}"
