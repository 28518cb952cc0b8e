"""A small corpus, masked once in each style that the tests open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

import pytest

import linkmask
from linkmask import commands

DOCUMENTS: list[dict[str, Any]] = [
    {
        "id": "claim",
        "content": "Claim by Ottoline Brandvold, born 30 June 1977, tel. (906) 555-0143.",
        "metadata": {"member": "SFH-2207-419"},
    },
    {"id": "memo", "content": "Ms. Brandvold called from 906-555-0143 about SFH-2207-419."},
    {"id": "visit", "content": "Maëlle Kervoazou saw Dr. Tobias Akinwande-Frith in Hancock."},
    {"id": "policy", "content": "A policy pays after thirty days. Glasses are not covered."},
]


class Made(Protocol):
    """Returns the OUT of the corpus in a style."""

    def __call__(self, style: str, *, linkable: bool = False) -> Path: ...


@pytest.fixture(scope="session")
def masked_in(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return the OUT of the corpus in a style; its run lies beside it."""
    made: dict[tuple[str, bool], Path] = {}

    def out(style: str, *, linkable: bool = False) -> Path:
        if (style, linkable) not in made:
            folder = tmp_path_factory.mktemp(style)
            (folder / "in.jsonl").write_text("".join(json.dumps(d) + "\n" for d in DOCUMENTS))
            chosen = {"style": style, "linkable": linkable, "generalize": {}, "workers": 1}
            settings = linkmask.load(overrides=chosen, environment={})
            commands.mask_files(folder / "in.jsonl", folder / "out", settings)
            made[style, linkable] = folder / "out"
        return made[style, linkable]

    return out
