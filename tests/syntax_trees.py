"""Syntax trees of source files, each parsed once."""

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the tree of a file; nobody changes it."""
    return ast.parse(path.read_text(encoding="utf-8"))
