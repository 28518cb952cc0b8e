"""Knowledge is data: a module of detection holds no list of more than a dozen words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from linkmask import detect

FOLDER = Path(detect.__file__).parent
MOST = 12
"""Words that a list in Python may have."""


A_WORD = re.compile(r"[^\W\d_]{2}")
WORDS_ALONE = re.compile(r"\s*[^\W\d_]+(?:\s+[^\W\d_]+)*\s*")
"""A text that is a list of words and no sentence: it has no mark and no number."""

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


def alternations(expression: str) -> Iterator[list[str]]:
    """Yield the alternatives with a word of each group of an expression, the innermost first."""
    plain = re.sub(r"\\.|\[[^\]]*\]", ".", expression)
    while group := re.search(r"\(([^()]*)\)", plain):
        yield [one for one in group[1].split("|") if A_WORD.search(one)]
        plain = plain[: group.start()] + "." + plain[group.end() :]
    yield [one for one in plain.split("|") if A_WORD.search(one)]


def texts_of(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of a module but its docstrings; of one with braces what stands between."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                part.value if isinstance(part, ast.Constant) else "." for part in node.values
            )
        elif isinstance(node, ast.Constant) and id(node) not in docstrings | parts:
            yield node.value if isinstance(node.value, str) else ""


def longer_lists() -> dict[str, int]:
    """Return how many words stand in lists of more than a dozen, by module."""
    found: dict[str, int] = {}
    for path in sorted(FOLDER.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        groups = (group for text in texts_of(tree) if "|" in text for group in alternations(text))
        plain = (text.split() for text in texts_of(tree) if WORDS_ALONE.fullmatch(text))
        sizes = map(len, chain(word_lists(tree), groups, plain))
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


def test_a_text_of_words_alone_is_a_list() -> None:
    """Also where it is split elsewhere."""
    assert WORDS_ALONE.fullmatch("le la les et est une du dans")
    assert not WORDS_ALONE.fullmatch("it is encrypted: remove its password")


def test_a_long_alternation_is_seen() -> None:
    """Words in a group of an expression are a list, too; so are those around a placeholder."""
    listed = "|".join(f"word{letter}" for letter in "abcdefghijklm")
    sizes = [len(group) for group in alternations(rf"(?i)\b(?:a|{listed})[|x|y]\|(?:an|of)$")]
    assert sorted(filter(None, sizes)) == [2, 13]
    (text,) = texts_of(ast.parse(f'NAMES = rf"{{HEAD}}(?:{listed})"'))
    assert max(len(group) for group in alternations(text)) == 13
    assert list(texts_of(ast.parse('def f():\n    """a|b"""'))) == []
