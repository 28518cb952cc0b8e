"""Parses the names of a document's fields as settings spell them: `messages[].content`."""

from __future__ import annotations

from functools import lru_cache

from linkmask.records import METADATA, path_keys


def leads_to(one: str, name: str) -> bool:
    """Tell whether a name leads to a field, both as settings spell them.

    It does wherever its keys follow one another in the field's path.
    """
    return f".{one.replace('[]', '')}." in f".{name.replace('[]', '')}."


@lru_cache(maxsize=1 << 14)
def field_in_settings(name: str, metadata: str) -> str:
    """Return a document's field name as settings spell it; positions in lists are `[]`.

    `record/messages/0/content` → `messages[].content`; `metadata/patient` → `metadata.patient`,
    where `metadata` is the name of the record's own field.
    """
    first, *rest = path_keys(name) or [""]
    path = f"{metadata}.{first}" if name.startswith(f"{METADATA}/") else first
    return path + "".join("[]" if key.isdecimal() else f".{key}" for key in rest)
