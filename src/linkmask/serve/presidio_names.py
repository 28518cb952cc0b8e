"""Maps entity types to Presidio's names (`presidio.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from linkmask.schema import types_of
from linkmask.serve.work import FoundSpan


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "presidio.toml").read_text(encoding="utf-8"))


def supported(types: Sequence[str]) -> list[str]:
    """Return all names that a request may ask for, of the types that workers find, sorted."""
    tables = _tables()
    names = {
        table[one] for table in (tables["types"], tables["asked"]) for one in types if one in table
    }
    return sorted({*types, *names, *tables["rules"].values()})


def name_of(found: FoundSpan, asked: Collection[str] | None, every: bool = False) -> str | None:
    """Return the name under which a span is reported, None where it is not.

    Without `asked` it is Presidio's; what Presidio has no name for is reported under linkmask's
    name with `every`, and else not. With `asked` it is the first of its names that is asked for:
    that of its country, Presidio's, linkmask's own.
    """
    names = _names(found)
    if asked is None:
        return next(names, found.type if every else None)
    asked_also = (*names, *_more(found))
    return next((name for name in asked_also if name in asked), None)


def _names(found: FoundSpan) -> Iterator[str]:
    tables = _tables()
    for rule, name in tables["rules"].items():
        if found.type in types_of("national") and found.rule.startswith(rule):
            yield name
    if found.type in tables["types"]:
        yield tables["types"][found.type]


def _more(found: FoundSpan) -> Iterator[str]:
    if found.type in _tables()["asked"]:
        yield _tables()["asked"][found.type]
    yield found.type
