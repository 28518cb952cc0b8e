"""Names in backticks of docstrings exist, and what a public function raises is said."""

from __future__ import annotations

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from syntax_trees import tree_of

SOURCE = Path(__file__).parents[1] / "src" / "linkmask"
FILES = sorted(SOURCE.rglob("*.py"))
EVERYWHERE = ("records", "errors", "choices", "config", "runs", "pipeline", "commands")
"""Rooms of which the names are known in all docstrings; others are known in their own room."""
FOREIGN = {
    "SSL_CERT_FILE", "mapInArrow", "phonenumbers", "preserve_insertion_order", "pyarrow", "compute",
}  # fmt: skip
"""Names that other software gives."""

_WORD = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"`([^\W\d]\w*(?:\.[^\W\d]\w*)*)(?:\([^`]*\))?`")
_RAISED = re.compile(r"^\s+((?:[A-Z]\w+)(?:, [A-Z]\w+)*):", re.M)


def docstrings_of(tree: ast.Module) -> list[ast.Constant]:
    """Strings that stand alone: of modules, classes, functions and constants."""
    rows = [body for node in ast.walk(tree) if isinstance(body := getattr(node, "body", 0), list)]
    values = [one.value for row in rows for one in row if isinstance(one, ast.Expr)]
    return [v for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)]


def names_of(tree: ast.Module) -> set[str]:
    """Names that the code binds or uses, and words of its strings, as keys of files are."""
    docstrings, names = set(docstrings_of(tree)), set()
    for node in ast.walk(tree):
        found = [getattr(node, kind, None) for kind in ("id", "attr", "arg", "name", "module")]
        if isinstance(node, ast.Constant) and node not in docstrings:
            found.append(node.value)
        names.update(word for one in found if isinstance(one, str) for word in _WORD.findall(one))
    return names


class KnownNames(NamedTuple):
    """The names and words of each room, those of its classes, and what is known everywhere."""

    rooms: dict[str, set[str]]
    classes: dict[str, set[str]]
    common: set[str]


@cache
def known_names() -> KnownNames:
    """Read the whole package."""
    rooms, classes = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for path in sorted(SOURCE.rglob("*")):
        inside = path.relative_to(SOURCE).with_suffix("")
        room = inside.parts[0]
        rooms[room].update(inside.parts)
        if path.suffix == ".py":
            names = names_of(tree_of(path))
            rooms[room] |= names
            classes[room].update(one for one in names if one[0].isupper() and not one.isupper())
        elif path.suffix in {".toml", ".jinja", ".js"}:
            rooms[room].update(_WORD.findall(path.read_text("utf-8")))
    common = {
        *dir(builtins),
        *rooms,
        *FOREIGN,
        *(one for room in EVERYWHERE for one in rooms[room]),
    }
    common |= {path.stem for path in SOURCE.rglob("*.toml")}
    return KnownNames(rooms, classes, common)


def missing_names(text: str, room: str) -> Iterator[str]:
    """Yield the names in a docstring that neither its room nor the room they name holds."""
    rooms, classes, common = known_names()
    for line in text.split("\n"):
        if "→" in line:
            continue  # an example of a value, and what becomes of it
        for reference in _QUOTED.findall(line):
            first, *rest = reference.split(".")
            known = common | rooms[first if rest and first in rooms else room]
            yield from (reference for name in (first, *rest) if name not in known)
    raised = text.partition("Raises:\n")[2].partition("\n\n")[0]
    known = classes[room] | classes["errors"] | set(dir(builtins))
    yield from (
        one for row in _RAISED.findall(raised) for one in row.split(", ") if one not in known
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_names_in_docstrings_exist(path: Path) -> None:
    """Backticks are for names of code, settings and keys; values stand in quotation marks."""
    room = path.relative_to(SOURCE).with_suffix("").parts[0]
    texts = [node.value for node in docstrings_of(tree_of(path))]
    assert not [name for text in texts for name in missing_names(str(text), room)]


def test_a_name_that_is_gone_is_noticed() -> None:
    assert [*missing_names("See `Docment` and `Document`.\n\nRaises:\n    Lost: x", "corpus")] == [
        "Docment",
        "Lost",
    ]


def public_functions(node: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """Yield the public functions of a module, and the public methods of its public classes."""
    for one in node.body:
        if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
            yield from public_functions(one)
        elif isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            yield one


def raised(node: ast.AST) -> Iterator[str]:
    """Yield the names of the errors that code raises itself and does not catch there."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            continue
        found = set(raised(child))
        if isinstance(node, ast.Try) and child in node.body:
            found -= {
                name.id
                for handler in node.handlers
                for name in ast.walk(handler.type or ast.Pass())
                if isinstance(name, ast.Name)
            }
        yield from found
    if isinstance(node, ast.Raise) and node.exc is not None:
        name = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if isinstance(name, ast.Name) and name.id[0].isupper():
            yield name.id


def test_a_public_function_says_which_errors_it_raises() -> None:
    """Commands of the command line say it to whom they serve: their errors end in a status."""
    unsaid, checked = list[str](), 0
    for path in FILES:
        if path.relative_to(SOURCE).parts[0] == "cli":
            continue
        for function in public_functions(tree_of(path)):
            said = (ast.get_docstring(function) or "").partition("Raises:\n")[2]
            errors = set(raised(function)) - {"NotImplementedError"}
            checked += bool(errors)
            unsaid += [
                f"{path}:{function.lineno} {function.name} raises {one}"
                for one in errors - set(re.findall(r"\w+", said))
            ]
    assert checked > 100
    assert unsaid == []


def test_only_errors_that_leave_a_function_count() -> None:
    """A handler catches what its own `try` raises, not what another handler does."""
    code = """
def f():
    try:
        raise Lost("a")
    except Lost:
        raise Found("b") from None
    def g():
        raise Inner("c")
"""
    assert set(raised(ast.parse(code).body[0])) == {"Found"}
