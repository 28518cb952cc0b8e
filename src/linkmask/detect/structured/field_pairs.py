"""Finds what a field holds by the field beside it: {"name": "ssn", "value": "…"}."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from linkmask.detect.structured.label_types import HUMP
from linkmask.schema import words

LONGEST = 80
"""Characters of a label at most."""
_SAYS = re.compile(r"[^\W\d_]")
TABLE = words("field_pairs")
_WITHIN = [f"{name}/{path}" for name in TABLE["names"] for path in TABLE["within"]]


def labels_beside(
    fields: Iterable[tuple[str, str]], type_of: Callable[[str], str]
) -> Mapping[str, str]:
    """Return the label of each field whose key says only that it is a value, by the field's name.

    Of `record/answers/0/value` it is what `record/answers/0/name` holds, of `record/rows/4/1` what
    `record/columns/1` does, else the key above: of `record/ssn/value` it is `ssn`. In linear time.

    Args:
        type_of: returns the type that a label names, "" if none: of several such labels, the first.
    """
    valued = list[str]()
    texts = dict(fields)
    for field in texts:
        above, _, key = field.rpartition("/")
        if _list_of_rows(above) if key.isdecimal() else is_value(key):
            valued.append(field)
    if not valued:
        return {}
    keys: dict[str, dict[str, str]] = {}
    for field in texts:
        above, _, key = field.rpartition("/")
        if naming(key) is not None:
            keys.setdefault(above, {})[key] = field
    labels = ((field, list(_labels(field, texts, keys))) for field in valued)
    return {
        field: next((one for one in label if type_of(one)), label[0])
        for field, label in labels
        if label
    }


def _labels(
    field: str, texts: Mapping[str, str], keys: Mapping[str, Mapping[str, str]]
) -> Iterator[str]:
    """Yield the labels that the fields beside a field give it, the likeliest first."""
    above, _, key = field.rpartition("/")
    if key.isdecimal() and (lists := _list_of_rows(above)):
        heads = (f"{lists}/{name}/{key}" for name in TABLE["columns"])
        yield from filter(None, (label_in(texts[name]) for name in heads if name in texts))
        return
    for place in _objects(above):
        beside = keys.get(place, {})
        named = sorted(beside, key=lambda one: naming(one) or 0)
        values = [texts[beside[one]] for one in named]
        values += (texts[name] for path in _WITHIN if (name := f"{place}/{path}") in texts)
        if labels := [label for one in values if (label := label_in(one))]:
            yield from labels
            return
    keys_above = [one for one in above.split("/")[1:] if not one.isdecimal() and not is_value(one)]
    if keys_above:
        yield _words(keys_above[-1])


def _objects(above: str) -> Iterator[str]:
    """Yield the object that holds a value, and the one that holds a list of such objects."""
    yield above
    parts = above.split("/")
    while len(parts) > 1 and parts[-1].isdecimal():
        parts.pop()
    if len(parts) > 2 and is_value(parts[-1]):
        yield "/".join(parts[:-1])


def _list_of_rows(above: str) -> str:
    """Return the object above a list of rows, where `above` is one of its rows, else ""."""
    rows, _, number = above.rpartition("/")
    place, _, name = rows.rpartition("/")
    return place if number.isdecimal() and _words(name) in TABLE["rows"] else ""


@lru_cache(maxsize=1 << 12)
def is_value(key: str) -> bool:
    """Tell whether a key says only that its field holds a value."""
    parts = _words(key)
    return parts in TABLE["values"] or parts.startswith("value ")


@lru_cache(maxsize=1 << 12)
def naming(key: str) -> int | None:
    """Return the rank of a key whose content labels another field ("name"), None for other keys."""
    parts = _words(key)
    return TABLE["names"].index(parts) if parts in TABLE["names"] else None


def _words(key: str) -> str:
    return " ".join(re.split(r"[\W_]+", HUMP.sub(" ", key))).strip().lower()


def label_in(text: str) -> str:
    """Return a label that a field holds as words, of an address its last part; "" if it is none."""
    label = text.strip()
    if system := TABLE["systems"].get(label.removeprefix("urn:oid:")):
        return str(system)
    if "://" in label or label.startswith("urn:"):
        label = re.split(r"[/:#]", label.rstrip("/"))[-1]
    if len(label) > LONGEST or "\n" in label or not _SAYS.search(label):
        return ""
    return label.lower() if " " in label else _words(label)
