"""Loads the solvers: each is the function `solve` of the module that has its name.

A solver that need not be given all chains says so: `NEEDS_ALL_CHAINS = False` in its module.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from linkmask import choices
from linkmask.config import Settings
from linkmask.plan.chains import ChainStage, Choice

_MODULES = {name: import_module(f"{__package__}.{name}") for name in choices.SOLVERS}
SOLVERS: dict[str, Callable[[ChainStage, Settings], Choice]] = {
    name: module.solve for name, module in _MODULES.items()
}
"""Name → the function that chooses what the chain stage masks (formulas.md §9)."""
FOR_ANY_NUMBER = [
    name for name, module in _MODULES.items() if not getattr(module, "NEEDS_ALL_CHAINS", True)
]
"""Solvers for corpora with more chains than are listed (`chain_budget`)."""
