"""The docstrings of the pipeline list its files, so that a reader finds one without a search."""

import ast
import re
from pathlib import Path

import pytest

import linkmask.pipeline

PIPELINE = Path(linkmask.pipeline.__file__).parent
ROOMS = sorted(path.parent for path in PIPELINE.glob("*/__init__.py"))
ENTRY = re.compile(r"(?:^|; `)(\w+)(?: {2,}|`: )(?=\S)", re.MULTILINE)
"""An entry of a list: a name at the start of a line and its description, or one behind it."""


def lists(folder: Path) -> list[set[str]]:
    """Return the names in each list of a folder's docstring: its paragraphs that are lists."""
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    paragraphs = re.split(r"\n\s*\n", ast.get_docstring(tree) or "")
    found = (set(ENTRY.findall(re.sub(r"^ +", "", text, flags=re.M))) for text in paragraphs)
    return [names for names in found if names]


def modules(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.py")} - {"__init__"}


def test_the_method_lists_every_folder_and_module_of_the_pipeline() -> None:
    rooms, _ = lists(PIPELINE)
    assert rooms == {path.name for path in ROOMS} | modules(PIPELINE)


def test_the_steps_that_the_method_names_are_folders_beside_it() -> None:
    _, steps = lists(PIPELINE)
    assert len(steps) > 3
    assert all((PIPELINE.parent / name / "__init__.py").exists() for name in steps)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_folder_of_the_pipeline_lists_its_files_and_no_others(room: Path) -> None:
    assert lists(room) == [modules(room)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("scoring   computes risks", {"scoring"}),
        ("one   does this; `other`: does that", {"one", "other"}),
        ("It computes a scoring of planner and targets.", set()),
        ("planner", set()),
    ],
)
def test_only_an_entry_with_its_description_counts(text: str, names: set[str]) -> None:
    assert set(ENTRY.findall(text)) == names
