"""Loads the solvers: each is the function `solve` of the module that has its name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from linkmask import choices
from linkmask.config import Settings
from linkmask.plan.chains import ChainStage, Choice

SOLVERS: dict[str, Callable[[ChainStage, Settings], Choice]] = {
    name: import_module(f"{__package__}.{name}").solve for name in choices.SOLVERS
}
"""Name → the function that chooses what the chain stage masks (formulas.md §9)."""
