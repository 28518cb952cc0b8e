"""What a module imports from the package exists, also where only a type checker reads it."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from linkmask.errors import MissingExtra
from syntax_trees import tree_of

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "benchmarks", "docs", "examples", "training")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_imported_name_exists(path: Path) -> None:
    """Some modules load names on request: a type checker has to believe that they are there."""
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.ImportFrom) or (node.module or "").split(".")[0] != "linkmask":
            continue
        assert node.module
        try:
            module = import_module(node.module)
        except MissingExtra:
            continue
        for one in node.names:
            name = f"{node.module}.{one.name}"
            assert hasattr(module, one.name) or find_spec(name), name


def test_the_files_are_found() -> None:
    assert len(FILES) > 500
