"""What benchmarks and training scripts import from the package exists: no rename breaks them."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from linkmask.errors import MissingExtra

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((*ROOT.glob("benchmarks/*.py"), *ROOT.glob("training/*.py")))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_a_script_imports_exists(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
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
