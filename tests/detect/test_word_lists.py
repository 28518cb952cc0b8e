"""Knowledge is data: a module of detection holds no list of more than a dozen words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from linkmask import detect

FOLDER = Path(detect.__file__).parent
MOST = 12
"""Words that a list in Python may have."""


OF_CODE = {"__all__", "__slots__"}
"""Lists of names in the code, which are no words of a language."""


def word_lists(tree: ast.AST) -> Iterator[list[str]]:
    """Yield the words of each list in a module: of literals, and of texts that are split."""
    of_code = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and {ast.unparse(one) for one in node.targets} <= OF_CODE
    }
    for node in ast.walk(tree):
        if id(node) in of_code:
            continue
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            values = [one.value for one in node.elts if isinstance(one, ast.Constant)]
            yield [value for value in values if isinstance(value, str)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            text = node.func.value
            if node.func.attr == "split" and isinstance(text, ast.Constant):
                yield str(text.value).split(
                    *(a.value for a in node.args if isinstance(a, ast.Constant))
                )


def longer_lists() -> dict[str, int]:
    """Return how many words stand in lists of more than a dozen, by module."""
    found: dict[str, int] = {}
    for path in sorted(FOLDER.rglob("*.py")):
        sizes = map(len, word_lists(ast.parse(path.read_text("utf-8"))))
        if count := sum(size for size in sizes if size > MOST):
            found[path.relative_to(FOLDER).as_posix()] = count
    return found


def test_no_module_holds_a_list_of_more_than_a_dozen_words() -> None:
    """A list belongs into a data file that names its source."""
    assert longer_lists() == {}


def test_names_of_code_are_no_words() -> None:
    names = [f"name_{n}" for n in range(MOST + 1)]
    for target in OF_CODE:
        assert list(word_lists(ast.parse(f"{target} = {names!r}"))) == []
    assert [len(one) for one in word_lists(ast.parse(f"WORDS = {names!r}"))] == [MOST + 1]


def test_a_long_list_is_seen_in_each_form() -> None:
    words = [f"w{n}" for n in range(MOST + 1)]
    for text in (repr(words), repr(tuple(words)), f"{' '.join(words)!r}.split()", repr(set(words))):
        assert [len(one) for one in word_lists(ast.parse(text))] == [MOST + 1]
