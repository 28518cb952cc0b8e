"""SAGE with a model, over real HTTP to a scripted server: every branch, errors included."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linkmask.config import Settings
from linkmask.errors import BudgetSpent
from linkmask.testbench.cells import read_grid
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.defences.builder import DefenceBuilder
from linkmask.testbench.defences.sage import ROUNDS, synthetic
from linkmask.testbench.grid import bench
from linkmask.testbench.models import LanguageModels
from linkmask.testbench.run_folder import load_cells
from model_dialogue import ONE, REFUSED, Said, asked_of, figures, last
from serving import Scripted


class Sage:
    """A model that plays SAGE's roles; `over` gives other answers by role."""

    def __init__(self, **over: Callable[[Said], Any]) -> None:
        self.over, self.roles = over, list[str]()

    def __call__(self, request: Said) -> Any:
        asked = asked_of(request)
        role = next(name for begin, name in ROLES.items() if begin in asked)
        self.roles.append(role)
        return self.over.get(role, USUAL[role])(request)


ROLES = {
    "Identify the five": "attributes", "Extract the key information": "facts",
    "You write a synthetic": "write", "You protect the privacy": "assess",
    "You improve a synthetic": "rewrite",
}  # fmt: skip
USUAL: dict[str, Callable[[Said], Any]] = {
    "attributes": lambda request: {"attributes": ["topic", "decision"]},
    "facts": lambda request: {"values": ["a claim", "approved"]},
    "write": lambda request: {"synthetic_content": "A claim was approved."},
    "assess": lambda request: {"safe": True, "suggestions": []},
    "rewrite": lambda request: {"rewritten_content": "A claim was approved on review."},
}


def shop_of(folder: Path, settings: Settings) -> DefenceBuilder:
    return DefenceBuilder(read_corpus(folder), 0, LanguageModels(settings))


def test_sage_writes_each_document_from_key_information_alone(
    few: Path, told: Callable[..., Settings]
) -> None:
    sage = Sage()
    with Scripted(sage) as server:
        builder = shop_of(few, told(server.url))
        drafts, notes = synthetic(builder)
    assert {draft.text for draft in drafts} == {"A claim was approved."}
    assert all(draft.safe for draft in drafts)
    assert notes == {"unsafe": 0.0, "rounds": 1.0}
    formats = {document.metadata["format"] for document in builder.corpus.documents}
    assert sage.roles.count("attributes") == len(formats)
    for request in server.seen:
        if "You write a synthetic" in asked_of(request):
            assert "topic: a claim\ndecision: approved" in last(request)
            assert not any(text in last(request) for text in builder.corpus.texts)


def test_sage_rewrites_by_suggestions_until_it_is_called_safe(
    few: Path, told: Callable[..., Settings]
) -> None:
    def assess(request: Said) -> Any:
        fine = "on review" in last(request)
        return {"safe": fine, "suggestions": [] if fine else ["Say how it was decided."]}

    with Scripted(Sage(assess=assess)) as server:
        drafts, notes = synthetic(shop_of(few, told(server.url)))
    assert {draft.text for draft in drafts} == {"A claim was approved on review."}
    assert notes == {"unsafe": 0.0, "rounds": 2.0}
    wanted = [last(r) for r in server.seen if "You improve" in asked_of(r)]
    assert wanted
    assert all("Say how it was decided." in text for text in wanted)


def test_sage_takes_is_safe_for_safe(few: Path, told: Callable[..., Settings]) -> None:
    """Some models answer with that name, whatever was asked for."""
    insists = Sage(assess=lambda request: {"is_safe": True, "suggestions": []})
    with Scripted(insists, formats=("text",)) as server:
        drafts, notes = synthetic(shop_of(few, told(server.url)))
    assert all(draft.safe for draft in drafts)
    assert notes["unsafe"] == 0


def test_sage_uses_a_version_never_called_safe_and_counts_it(
    few: Path, told: Callable[..., Settings]
) -> None:
    turns = iter(range(10**6))
    sage = Sage(
        assess=lambda request: {"safe": False, "suggestions": [""]},
        rewrite=lambda request: {"rewritten_content": f"Version {next(turns)}."},
    )
    with Scripted(sage) as server:
        drafts, notes = synthetic(shop_of(few, told(server.url)))
    assert notes["unsafe"] == len(drafts)
    assert notes["rounds"] == ROUNDS
    assert all(draft.text.startswith("Version ") for draft in drafts)


def test_a_document_that_sage_can_not_write_is_not_released(
    few: Path, tmp_path: Path, told: Callable[..., Settings]
) -> None:
    first = read_corpus(few).texts[0]
    sage = Sage(
        facts=lambda request: REFUSED if first in last(request) else USUAL["facts"](request)
    )
    asked = ONE | {"generators": ("parrot",), "attacks": ("untargeted", "audit")}
    grid = read_grid(None, asked | {"defences": ("sage", "sage-replaced")})
    with Scripted(sage) as server:
        bench(few, tmp_path / "run", grid, told(server.url))
    kept = list(load_cells(tmp_path / "run"))
    assert {cell["status"] for cell in kept} == {"done"}
    assert {cell["cost"]["aside"] for cell in kept} == {1}
    assert {cell["cost"]["failed_facts"] for cell in kept} == {1}
    assert kept[0]["cost"]["model"]["requests"] > 0
    assert figures(tmp_path / "run")["audit", "exposure"] == 0


def test_sage_without_a_verdict_or_a_rewriting_keeps_what_it_has(
    few: Path, told: Callable[..., Settings]
) -> None:
    with Scripted(Sage(assess=lambda request: "I can't say.")) as server:
        drafts, notes = synthetic(shop_of(few, told(server.url)))
    assert {draft.text for draft in drafts} == {"A claim was approved."}
    assert notes["unsafe"] == notes["failed_assess"] == len(drafts)
    sage = Sage(
        assess=lambda request: {"safe": False, "suggestions": ["Change it."]},
        rewrite=lambda request: REFUSED,
    )
    with Scripted(sage) as server:
        drafts, notes = synthetic(shop_of(few, told(server.url, llm_seed=1)))
    assert {draft.text for draft in drafts} == {"A claim was approved."}
    assert notes["failed_rewrite"] == len(drafts) * (ROUNDS - 1)


def test_sage_without_attributes_releases_nothing(few: Path, told: Callable[..., Settings]) -> None:
    with Scripted(Sage(attributes=lambda request: "none")) as server:
        drafts, _ = synthetic(shop_of(few, told(server.url)))
    assert not any(draft.text for draft in drafts)


def test_sage_stops_at_a_spent_budget_and_goes_on_later(
    few: Path, told: Callable[..., Settings]
) -> None:
    with Scripted(Sage()) as server:
        with pytest.raises(BudgetSpent):
            synthetic(shop_of(few, told(server.url, llm_budget_requests=12)))
        before = len(server.seen)
        drafts, _ = synthetic(shop_of(few, told(server.url)))
    assert all(draft.safe for draft in drafts)
    assert 0 < before <= 12
    seen = [json.dumps(request["messages"]) for request in server.seen]
    assert len(set(seen)) == len(seen), "what was answered before is not asked again"
