"""Names in backticks of docstrings exist: a rename takes what is written of the name with it."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

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


TREES = {path: ast.parse(path.read_text("utf-8")) for path in FILES}
ROOMS: dict[str, set[str]] = {}
CLASSES: dict[str, set[str]] = {}
for _path in sorted(SOURCE.rglob("*")):
    _inside = _path.relative_to(SOURCE).with_suffix("")
    _names = ROOMS.setdefault(_inside.parts[0], set())
    _names.update(_inside.parts)
    if _path in TREES:
        _names |= names_of(TREES[_path])
        CLASSES.setdefault(_inside.parts[0], set()).update(
            name for name in names_of(TREES[_path]) if name[0].isupper() and not name.isupper()
        )
    elif _path.suffix in {".toml", ".jinja", ".js"}:
        _names.update(_WORD.findall(_path.read_text("utf-8")))
COMMON = {*dir(builtins), *ROOMS, *FOREIGN, *(one for room in EVERYWHERE for one in ROOMS[room])}
COMMON |= {path.stem for path in SOURCE.rglob("*.toml")}


def missing_names(text: str, room: str) -> Iterator[str]:
    """Yield the names in a docstring that neither its room nor the room they name holds."""
    for line in text.split("\n"):
        if "→" in line:
            continue  # an example of a value, and what becomes of it
        for reference in _QUOTED.findall(line):
            first, *rest = reference.split(".")
            known = COMMON | ROOMS[first if rest and first in ROOMS else room]
            yield from (reference for name in (first, *rest) if name not in known)
    raised = text.partition("Raises:\n")[2].partition("\n\n")[0]
    known = CLASSES[room] | CLASSES["errors"] | set(dir(builtins))
    yield from (
        one for row in _RAISED.findall(raised) for one in row.split(", ") if one not in known
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_names_in_docstrings_exist(path: Path) -> None:
    """Backticks are for names of code, settings and keys; values stand in quotation marks."""
    room = path.relative_to(SOURCE).with_suffix("").parts[0]
    texts = [node.value for node in docstrings_of(TREES[path])]
    assert not [name for text in texts for name in missing_names(str(text), room)]


def test_a_name_that_is_gone_is_noticed() -> None:
    assert [*missing_names("See `Docment` and `Document`.\n\nRaises:\n    Lost: x", "corpus")] == [
        "Docment",
        "Lost",
    ]
