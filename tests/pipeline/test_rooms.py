"""The docstrings of the pipeline list its files, so that a reader finds one without a search."""

import ast
from pathlib import Path

import pytest

import linkmask.pipeline

PIPELINE = Path(linkmask.pipeline.__file__).parent
ROOMS = sorted(path.parent for path in PIPELINE.glob("*/__init__.py"))


def documented(folder: Path) -> str:
    """Return the docstring of a folder."""
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    return ast.get_docstring(tree) or ""


def test_the_method_names_every_folder_and_module_of_the_pipeline() -> None:
    said = documented(PIPELINE).split()
    names = {path.name for path in ROOMS} | {path.stem for path in PIPELINE.glob("*.py")}
    assert len(names) > 12
    assert names - {"__init__"} - set(said) == set()


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_folder_of_the_pipeline_lists_its_files(room: Path) -> None:
    said = documented(room)
    for path in room.glob("*.py"):
        assert path.stem == "__init__" or path.stem in said, path.stem
