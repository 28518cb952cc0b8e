"""The ids of detection rules, read where the code gives a candidate its rule.

A string counts only where it can become `Candidate.rule`: as the argument of a parameter `rule`, as
what is assigned to a name that becomes one, or before the score of a returned (…, rule, score).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

Function = ast.FunctionDef | None
CANDIDATE = {"Candidate": 4}
"""Position of the rule among the arguments."""


def spelled_rules(files: Iterable[Path]) -> set[str]:
    """Return the ids that some modules spell in the position of a rule."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    positions = CANDIDATE | {
        name: place for tree in trees for name, place in _with_rule(ast.walk(tree))
    }
    return {rule for tree in trees for rule in _rules(tree, None, tree, positions)}


def _with_rule(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Yield each function with a parameter `rule`, and its position in a call."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            names = [arg.arg for arg in node.args.args]
            if "rule" in names:
                yield node.name, names.index("rule") - (names[0] == "self")


def _rules(
    node: ast.AST, function: Function, tree: ast.Module, positions: dict[str, int]
) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef):
        function = node
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else _name(node.func)
        place = positions.get(called, len(node.args))
        given = [
            *node.args[place : place + 1],
            *(k.value for k in node.keywords if k.arg == "rule"),
        ]
        for one in given:
            yield from _strings(one, function, tree)
    if isinstance(node, ast.Return | ast.Yield):
        for pair in ast.walk(node):
            if isinstance(pair, ast.Tuple) and len(pair.elts) > 2:
                yield from _constant(pair.elts[-2])
    for child in ast.iter_child_nodes(node):
        yield from _rules(child, function, tree, positions)


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _constant(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def _strings(node: ast.expr, function: Function, tree: ast.Module) -> Iterator[str]:
    """Yield the strings that an expression can be, through names of its function and module."""
    if isinstance(node, ast.IfExp):
        yield from _strings(node.body, function, tree)
        yield from _strings(node.orelse, function, tree)
    elif isinstance(node, ast.Name):
        for target, value, whole in _assigned(function, tree):
            if node.id == _name(target) and whole:
                yield from _strings(value, function, tree)
            elif any(node.id == _name(one) for one in ast.walk(target)):  # a row of a table
                yield from _all(value, tree)
    else:
        yield from _constant(node)


def _assigned(function: Function, tree: ast.Module) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    """Yield target and value of assignments and loops; and whether the target is all of it."""
    for node in (*tree.body, *(ast.walk(function) if function else ())):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value, True) for target in node.targets)
        elif isinstance(node, ast.For | ast.comprehension):
            yield node.target, node.iter, False


def _all(value: ast.expr, tree: ast.Module) -> Iterator[str]:
    """Yield the strings in a table: of the expression itself, or that a name in it stands for."""
    names = {_name(node) for node in ast.walk(value)}
    tables = [one for target, one, _ in _assigned(None, tree) if _name(target) in names - {""}]
    for table in (value, *tables):
        for node in ast.walk(table):
            yield from _constant(node)
