"""Explains why an entity is masked or kept, what links documents, what is left of a person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from linkmask.config import Settings
from linkmask.errors import UsageError
from linkmask.records import Incidence, Mention, Plan, Risk
from linkmask.report.explain.answer import ExplainAnswer
from linkmask.report.explain.corrections import explain_nobodys
from linkmask.report.explain.document import explain_document, explain_pair
from linkmask.report.explain.entity import explain_entity
from linkmask.report.explain.lookup import CorrectionsById, RunLookup
from linkmask.report.explain.person import explain_person

__all__ = [
    "ExplainAnswer",
    "explain",
    "explain_document",
    "explain_entity",
    "explain_nobodys",
    "explain_pair",
    "explain_person",
]


def explain(
    question: Mapping[str, Any],
    incidence: Incidence,
    before: Risk,
    plan: Plan | None,
    mentions: Callable[[], Iterable[Mention]],
    settings: Settings,
    *,
    show_values: bool = False,
    rule: Callable[[int], str] = lambda entity: "",
    corrections: Callable[[], CorrectionsById] = dict,
) -> ExplainAnswer:
    """Answer one question about a run.

    Args:
        question: one of `{"entity": id or value}`, `{"document": id}`, `{"pair": (id, id)}`,
            `{"person": a value that names the person}`.
        mentions: gives the run's mentions, each time anew (`run.mentions`).
        show_values: name entities by id and value in the data; else by label alone.
        rule: what the policies in use demand of an entity and where they say so, by its number.
        corrections: gives the corrections of entities by reviewers, by id (`corrected_line`).

    Raises:
        UsageError: what was asked for is unknown, or not the only one.
    """
    asked = {name: value for name, value in question.items() if value}
    if len(asked) != 1 or not set(asked) <= set(QUESTIONS):
        raise UsageError("ask about one thing: an entity, a document, a pair or a person")
    ((name, value),) = asked.items()
    lookup = RunLookup(incidence, before, plan, mentions, settings, show_values, rule, corrections)
    return QUESTIONS[name](lookup, value)


QUESTIONS: dict[str, Callable[[RunLookup, Any], ExplainAnswer]] = {
    "entity": explain_entity,
    "document": explain_document,
    "pair": explain_pair,
    "person": explain_person,
}
"""Question by name: who answers it."""
