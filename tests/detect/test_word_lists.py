"""Knowledge is data: a module of detection holds no list of more than a dozen words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from linkmask import detect

FOLDER = Path(detect.__file__).parent
MOST = 12
"""Words that a list in Python may have."""
LONGER = {
    "lexicon/clinical.py": 13,
    "lexicon/events.py": 14,
    "lexicon/indirect_identifiers.py": 83,
    "lexicon/names.py": 41,
    "lexicon/occupations.py": 15,
    "lexicon/places.py": 45,
    "lexicon/providers.py": 34,
    "lexicon/tokens.py": 15,
    "lexicon/unique_facts.py": 31,
    "ner/features.py": 40,
    "ner/form_labels.py": 26,
    "patterns/banks.py": 49,
    "patterns/date_triggers.py": 66,
    "patterns/labelled_numbers.py": 27,
    "patterns/phones.py": 54,
    "patterns/rural_addresses.py": 27,
    "patterns/streetless_addresses.py": 27,
    "prompted/__init__.py": 15,
    "prompted/existing.py": 15,
    "tables.py": 27,
}
"""Words in longer lists that are still in Python, by module: each number may only become less."""


def word_lists(tree: ast.AST) -> Iterator[list[str]]:
    """Yield the words of each list in a module: of literals, and of texts that are split."""
    for node in ast.walk(tree):
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


def test_no_module_holds_more_words_than_it_is_known_to() -> None:
    """A new list belongs into a data file; one that is moved there leaves the table above."""
    assert longer_lists() == LONGER


def test_a_long_list_is_seen_in_each_form() -> None:
    words = [f"w{n}" for n in range(MOST + 1)]
    for text in (repr(words), repr(tuple(words)), f"{' '.join(words)!r}.split()", repr(set(words))):
        assert [len(one) for one in word_lists(ast.parse(text))] == [MOST + 1]
