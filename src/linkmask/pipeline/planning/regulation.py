"""Computes what policies demand for the entities of a corpus, and in which style it is written.

Techniques that a failed check made stricter are kept in the run (`policy.json`), so that every
command on it decides alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from linkmask import llm, policy
from linkmask.choices import POLICY_TECHNIQUES
from linkmask.config import Settings
from linkmask.errors import SettingsError
from linkmask.pipeline.planning.generalization import is_unchanged
from linkmask.policy import Demands, Policy, stronger_technique
from linkmask.records import Incidence, Ints, entity_id
from linkmask.redact.techniques import TECHNIQUES
from linkmask.runs import Run

KEPT = "policy.json"


def style_of(technique: str) -> str:
    """Return the style that carries a technique out."""
    return POLICY_TECHNIQUES[technique].style or technique


def policies(settings: Settings) -> list[Policy]:
    """Return the policies in use.

    Raises:
        SettingsError: one can't be read, or is wrong, or two are called the same.
    """
    every = [policy.load(name) for name in dict.fromkeys(settings.policy)]
    names = [each.name for each in every]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise SettingsError(
            f"two policies in use are named {twice[0]!r}: give the one of your own another name"
        )
    return every


def limited(settings: Settings) -> Settings:
    """Return the settings with the stricter of their limits and those the policies ask for."""
    asked = [each.limits for each in policies(settings)]
    stricter = {
        name: min([getattr(settings, name), *(one[name] for one in asked if name in one)])
        for name in ("theta_doc", "theta_chain")
    }
    return msgspec.structs.replace(settings, **stricter)


def styles(settings: Settings) -> set[str]:
    """Return the names of all styles that may be written in."""
    techniques = {rule.technique for each in policies(settings) for rule in each.rules.values()}
    if techniques:
        techniques |= {stronger_technique(technique) for technique in techniques}
    demanded = {style_of(technique) for technique in techniques - {"keep"}}
    by_rule = settings.generalized.values()
    return {settings.style, *settings.styles.values(), *by_rule, *demanded}


def regulate(run: Run, incidence: Incidence, settings: Settings) -> Demands | None:
    """Return what the policies in use demand; None where none is in use.

    With `policy_model`, a model is asked about types that no policy has, once per run.

    A value that already has the form that its technique writes (an age of 47 if ages under 90 may
    stay, a year alone) meets the demand; then the limits decide whether it is masked.
    """
    if not settings.policy:
        return None
    kept, stricter = _kept(run), {}
    if kept["stricter"]:
        numbers = {name: number for number, name in enumerate(incidence.entities)}
        stricter = {numbers[name]: one for name, one in kept["stricter"].items() if name in numbers}
    asked: dict[str, str] = {}

    def ask(entity_type: str, known: Sequence[Policy]) -> str | None:
        if entity_type not in kept["types"] and settings.policy_model:
            with llm.connect(settings) as model:
                asked[entity_type] = policy.type_asker(model)(entity_type, known) or ""
            kept["types"][entity_type] = asked[entity_type]
        return kept["types"].get(entity_type) or None

    found = policy.demands(incidence, policies(settings), ask, stricter)
    if asked:
        run.write_json(KEPT, kept)
    return found.without(_as_demanded(run, incidence, found, settings))


def strengthen(run: Run, incidence: Incidence, found: Demands, entities: Iterable[int]) -> None:
    """Make the techniques of some entities stricter from now on."""
    kept = _kept(run)
    for entity in entities:
        if decision := found.of(entity):
            kept["stricter"][incidence.entities[entity]] = stronger_technique(decision.technique)
    run.write_json(KEPT, kept)


def forget(run: Run, incidence: Incidence) -> None:
    """Write the decisions again, without the entities that the corpus no longer holds."""
    kept = _kept(run)
    known = kept["stricter"].keys() & set(incidence.entities)
    if known != kept["stricter"].keys():
        kept["stricter"] = {name: kept["stricter"][name] for name in sorted(known)}
        run.write_json(KEPT, kept)


def _kept(run: Run) -> dict[str, dict[str, str]]:
    """Return what was decided on this run: techniques by entity, names of types."""
    kept: dict[str, dict[str, str]] = {"stricter": {}, "types": {}}
    return kept | (run.read_json(KEPT) if run.find(KEPT).exists() else {})


def _as_demanded(run: Run, incidence: Incidence, found: Demands, settings: Settings) -> Ints:
    """Return the entities of which every spelling stays as it is under its technique."""
    changed: dict[int, bool] = {}
    techniques: dict[str, tuple[int, str]] = {}
    for entity in found.demanded.tolist():
        decision = found.of(entity)
        if decision and decision.technique in TECHNIQUES:
            techniques[incidence.entities[entity]] = entity, decision.technique
    seen = {(m.value, m.type, m.original) for m in run.mentions()} if techniques else set()
    for value, entity_type, original in sorted(seen):
        technique = techniques.get(entity_id(value, entity_type, settings.id_separator))
        if technique:
            written = TECHNIQUES[technique[1]](original, value, settings.languages[0])
            same = is_unchanged(entity_type, value, original, written)
            changed[technique[0]] = changed.get(technique[0], False) or not same
    alike = [entity for entity, differs in changed.items() if not differs]
    return np.array(sorted(alike), dtype=np.int32)


def styled(found: Demands | None, incidence: Incidence, masked: Iterable[int]) -> Mapping[str, str]:
    """Return the style of each masked entity that a policy demands in a style of its own."""
    if found is None:
        return {}
    decisions = ((entity, found.of(entity)) for entity in masked)
    return {
        incidence.entities[entity]: style_of(decision.technique)
        for entity, decision in decisions
        if decision and decision.technique != "keep"
    }
