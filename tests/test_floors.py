"""Imports point down: a file imports only from floors below its own (docs/architecture.md)."""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from syntax_trees import tree_of

SOURCE = Path(__file__).parents[1] / "src" / "linkmask"
STEPS = {"corpus", "detect", "graph", "policy", "plan", "redact", "verify", "report"}
FLOORS = {
    "choices": 0, "records": 0, "errors": 0, "version": 0, "machine": 0, "lazy_import": 0,
    "schema": 1, "text": 1, "formulas": 1, "workers": 1,
    "config": 2,
    "runs": 3, "llm": 3,
    **dict.fromkeys(STEPS, 4),
    "pipeline": 5,
    "masker": 6,
    "api": 7, "commands": 7, "testbench": 7,
    "adapters": 8, "serve": 8, "review": 8,
    "cli": 9,
}  # fmt: skip


def imported_rooms(path: Path) -> set[str]:
    """Rooms of linkmask that a file imports, also inside functions."""
    rooms: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            parts = node.module.split(".")
            if parts[0] == "linkmask":
                rooms.update([parts[1]] if len(parts) > 1 else [a.name for a in node.names])
        elif isinstance(node, ast.Import):
            rooms.update(a.name.split(".")[1] for a in node.names if a.name.startswith("linkmask."))
    return rooms


FILES = sorted(SOURCE.rglob("*.py"))
ROOMS = [path.parent for path in SOURCE.glob("*/__init__.py")]


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


def imports(path: Path, modules: set[str]) -> set[str]:
    """Modules of linkmask that a file imports, also inside functions and for type checkers."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules else node.module)
    return found & modules


def test_no_module_imports_itself_through_others() -> None:
    """An import cycle would make the order of loading matter, and no file readable alone."""
    files = {
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        ): path
        for path in FILES
    }
    graph = {name: imports(path, set(files)) - {name} for name, path in files.items()}
    assert len(graph) > 300
    list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the cycle


def parts_of(room: Path) -> dict[str, set[str]]:
    """The folders and modules of a room, and which others of them each imports."""
    found: dict[str, set[str]] = {}
    for path in room.rglob("*.py"):
        part = path.relative_to(room).parts[0].removesuffix(".py")
        for node in ast.walk(tree_of(path)):
            if part != "__init__" and isinstance(node, ast.ImportFrom) and node.module:
                _, inside, rest = f"{node.module}.".partition(f"linkmask.{room.name}.")
                others = [rest.partition(".")[0]] if rest else [a.name for a in node.names]
                found.setdefault(part, set()).update(set(others if inside else ()) - {part})
    return found


@pytest.mark.parametrize("room", sorted(ROOMS), ids=lambda room: room.name)
def test_no_folder_of_a_room_imports_itself_through_others(room: Path) -> None:
    """A step that called an earlier one would have to be read with it."""
    list(TopologicalSorter(parts_of(room)).static_order())  # raises CycleError, which names it


def test_the_rooms_of_detection_import_in_the_order_that_its_docstring_states() -> None:
    text = ast.get_docstring(ast.parse((SOURCE / "detect" / "__init__.py").read_text("utf-8")))
    order = re.findall(
        r"`(\w+)`", (text or "").partition("Each imports only what stands before")[2]
    )
    parts = parts_of(SOURCE / "detect")
    assert sorted(order) == sorted(parts)
    for at, part in enumerate(order):
        assert parts[part] <= set(order[:at]), part


def test_the_page_on_architecture_names_each_room_and_its_floor() -> None:
    page = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| `(\w+)` \| \w", page, re.MULTILINE)
    assert {name: int(floor) for floor, name in rows} == FLOORS
    rooms = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in FILES}
    assert rooms - {"__init__", "__main__"} == set(FLOORS)
    assert [int(floor) for floor, _ in rows] == sorted(FLOORS.values())


def test_tests_lie_where_the_code_lies() -> None:
    """A folder of tests has the name of the room that it tests, or is one of four others."""
    tests = Path(__file__).parent
    folders = {path.parent.relative_to(tests).parts[0] for path in tests.rglob("*/test_*.py")}
    rooms = {path.relative_to(SOURCE).parts[0] for path in FILES if path.parent != SOURCE}
    assert folders - rooms == {"benchmarks", "distribution", "training", "traps"}
    assert rooms <= folders


def test_what_stands_in_a_namespace_of_others_imports_adapters_alone() -> None:
    found = list((SOURCE.parent / "haystack_integrations").rglob("*.py"))
    assert len(found) >= 2
    for path in found:
        assert imported_rooms(path) <= {"adapters", "errors"}, path


def test_a_framework_is_imported_by_its_own_adapter_alone() -> None:
    """So that none is needed but the one that is used; the testbench measures LangChain's."""
    homes = {
        "langchain": {"langchain", "documents", "messages", "middleware"},
        "langchain_core": {"documents", "messages", "middleware"},
        "langgraph": {"workflow"},
        "llama_index": {"llamaindex"},
        "haystack": set[str](),
    }
    for path in FILES:
        if path.relative_to(SOURCE).parts[0] == "testbench":
            continue
        for node in ast.walk(tree_of(path)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            for name in {name.partition(".")[0] for name in names} & set(homes):
                inside = path.stem in homes[name] and "adapters" in path.parts
                assert inside, f"{path} imports {name}"


def test_a_class_name_stands_in_one_file() -> None:
    """Who searches for a public class finds one."""
    found: dict[str, list[str]] = {}
    for path in FILES:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert len(found) > 400
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


def test_no_relative_imports() -> None:
    """Relative imports would escape the check above."""
    for path in FILES:
        tree = tree_of(path)
        assert not [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level], path
