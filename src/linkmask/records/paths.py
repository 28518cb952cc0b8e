"""Names the fields of a record by paths, and walks trees of mappings and lists by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

CONTENT = "content"
"""The field name of a document's text, where it has one text."""
METADATA = "metadata"
"""Where the field names of metadata begin: `metadata/patient/name`, a path of keys."""
RECORD = "record"
"""Where the names of a record's other fields begin: `record/reporter`, a path of keys."""


def child_path(path: str, key: object) -> str:
    """Return the path of a key or position below a path, as a JSON pointer (RFC 6901).

    A slash in a key is escaped, so that each leaf has a name of its own.
    """
    name = str(key)
    if "~" in name or "/" in name:
        name = name.replace("~", "~0").replace("/", "~1")
    return f"{path}/{name}"


def path_keys(path: str) -> list[str]:
    """Return the keys and positions of a path, its first part left out."""
    return [key.replace("~1", "/").replace("~0", "~") for key in path.split("/")[1:]]


LEAF = frozenset({str, int, float, bool, type(None)})
"""Classes of most leaves: to look a class up takes a fifth of the time of `isinstance`."""


LISTS = (list, tuple)
TREES = (dict, *LISTS, Mapping)
"""Classes that are no leaves. `isinstance` is faster with a tuple than with a union."""


def leaves(path: str, value: Any) -> list[tuple[str, Any]]:
    """Return path and value of each leaf of a tree of mappings and lists, in order."""
    found: list[tuple[str, Any]] = []
    waiting = [(path, value)]
    while waiting:
        leaf = path, value = waiting.pop()
        if type(value) in LEAF:
            found.append(leaf)
        elif isinstance(value, TREES):
            pairs = enumerate(value) if isinstance(value, LISTS) else value.items()
            inner = [(child_path(path, key), held) for key, held in pairs]
            if LEAF.issuperset([type(held) for _, held in inner]) and not waiting:
                found += inner
            else:
                waiting += inner[::-1]
        else:
            found.append(leaf)
    return found


def keys(path: str, tree: Any) -> Iterator[tuple[str, str]]:
    """Yield path and text of each key of a tree of mappings and lists."""
    waiting = [(path, tree)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Mapping):
            inner = [(child_path(path, key), key, held) for key, held in value.items()]
            yield from ((place, str(key)) for place, key, _ in inner)
            waiting += [(place, held) for place, _, held in inner]
        elif isinstance(value, list | tuple):
            waiting += [(child_path(path, index), held) for index, held in enumerate(value)]


def with_leaves_replaced(path: str, value: Any, values: Mapping[str, Any]) -> Any:
    """Return a tree with the leaves that are named by path replaced, all else the same."""
    if isinstance(value, Mapping):
        return {
            key: with_leaves_replaced(child_path(path, key), inner, values)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [
            with_leaves_replaced(child_path(path, index), inner, values)
            for index, inner in enumerate(value)
        ]
    return values.get(path, value)
