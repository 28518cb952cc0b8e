"""What tests of the testbench say to a model, and what they look at."""

from pathlib import Path
from typing import Any

from linkmask.testbench.result_tables import Results
from linkmask.testbench.run_folder import load_cells
from serving import reply

Said = dict[str, Any]
REFUSED = reply(None, finish="content_filter")
ONE = {"defences": ("std",), "retrievers": ("bm25",), "generators": ("llm",), "queries": 3}
"""A grid of one system that speaks."""


def asked_of(request: Said) -> str:
    """Return the instructions of a request."""
    return str(request["messages"][0]["content"])


def last(request: Said) -> str:
    """Return what was said last in a request."""
    return str(request["messages"][-1]["content"])


def cells(run: Path) -> dict[str, Said]:
    """Return a run's cells by attack."""
    return {kept["cell"]["attack"]: kept for kept in load_cells(run)}


def figures(run: Path) -> dict[tuple[str, str], float | None]:
    """Return a run's figures by attack and measure."""
    return {(row.attack, row.measure): row.value for row in Results(run).rows}
