"""Imports point down: a file imports only from floors below its own (docs/contributing.md)."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "linkmask"
STEPS = {"corpus", "detect", "graph", "policy", "plan", "redact", "verify", "report"}
FLOORS = {
    "records": 0, "errors": 0, "ids": 0,
    "schema": 0.3,  # below the settings, whose floor and weights name its types
    "config": 0.5,  # half a floor below: a run keeps the settings it was made with
    "runs": 1, "llm": 1, "formulas": 1, "workers": 1, "tally": 1,
    **dict.fromkeys(STEPS, 2),
    "scanning": 3.0, "regulating": 3.0, "prompting": 3.05, "rewriting": 3.05,
    "earlier": 3.05, "looking": 3.05, "scoring": 3.05, "planning": 3.1,
    "masking": 3.1, "releasing": 3.15, "residue": 3.15, "pipeline": 3.2,
    "api": 4, "commands": 4, "testbench": 4, "adapters": 4.5, "serve": 4,
    "cli_options": 4.8, "cli_print": 4.8, "cli_policy": 4.9, "cli_bench": 4.9,
    "cli_generate": 4.9,
    "cli": 5,
}  # fmt: skip


def imported_rooms(path: Path) -> set[str]:
    """Rooms of linkmask that a file imports, also inside functions."""
    rooms: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            parts = node.module.split(".")
            if parts[0] == "linkmask":
                rooms.update([parts[1]] if len(parts) > 1 else [a.name for a in node.names])
        elif isinstance(node, ast.Import):
            rooms.update(a.name.split(".")[1] for a in node.names if a.name.startswith("linkmask."))
    return rooms


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_down(path: Path) -> None:
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if room in ("__init__", "__main__"):
        return
    assert room in FLOORS, f"{room} stands on no floor: add it to FLOORS"
    for other in imported_rooms(path) - {room}:
        assert other in FLOORS or other == "__version__", (
            f"{path.name} imports unknown room {other}"
        )
        assert FLOORS.get(other, 0) < FLOORS[room], f"{path.name} imports {other}: not below {room}"


def test_no_relative_imports() -> None:
    """Relative imports would escape the check above."""
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level], path
