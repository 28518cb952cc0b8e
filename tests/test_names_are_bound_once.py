"""A name stands for one thing: what is assigned twice in a module or a class lost its first value.

The second value wins without a word, so nothing but a look at the source can tell.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = [
    path
    for folder in ("src", "tests", "benchmarks", "training", "examples", "docs", "experiments")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


def assigned(body: list[ast.stmt]) -> Iterator[str]:
    """Yield each name that statements of one scope bind, as often as they do.

    Branches of `if` and `try` are ways to bind a name once. What is decorated may be bound again
    (`overload`, `setter`), and what is made anew from itself (`TRIGGERS |= …`) keeps what it held.
    """
    for node in body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from (
                    part.id
                    for part in ast.walk(target)
                    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
                )
        elif isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list:
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


def scopes(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Yield the statements of the module and of each class in it."""
    yield tree.body
    yield from (node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def keys(tree: ast.Module) -> Iterator[list[str]]:
    """Yield the constant keys of each dict that is written out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield [ast.dump(key) for key in node.keys if isinstance(key, ast.Constant)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_name_and_no_key_is_assigned_twice(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bound = [Counter(assigned(body)) for body in scopes(tree)] + [Counter(k) for k in keys(tree)]
    assert [name for names in bound for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize(
    ("source", "twice"),
    [
        ("A = 1\nA = 2", ["A"]),
        ("A: int = 1\ndef A(): ...", ["A"]),
        ("class C:\n    a = 1\n    a = 2", ["a"]),
        ("A, B = 1, 2\n[B] = [3]", ["B"]),
        ("A: int\nA = 1\nA |= 2\nif A:\n    B = 1\nelse:\n    B = 2", []),
    ],
)
def test_the_look_at_a_source_sees_a_second_assignment(source: str, twice: list[str]) -> None:
    tree = ast.parse(source)
    seen = [Counter(assigned(body)) for body in scopes(tree)]
    assert [name for names in seen for name, times in names.items() if times > 1] == twice
