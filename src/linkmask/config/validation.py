"""Checks what types and ranges can't: that names exist, and that values can be combined.

Settings from files, environment, options and Python all pass it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from linkmask import schema
from linkmask.choices import (
    ANOTHER,
    APART,
    COUNTRIES,
    DETECTORS,
    HERE,
    LANGUAGES,
    NOBODY,
    SOLVERS,
    STYLES,
    TECHNIQUES,
    policy_names,
    preset_names,
)
from linkmask.config.settings import Settings
from linkmask.errors import SettingsError, unknown_name

ENTITY_ID = re.compile("[0-9a-f]{32}")
"""The id of an entity, as `records.entity_id` writes it."""
CORRECTED = re.compile("[0-9a-f]{32}((?P<part>[/@])[0-9a-f]{32})?")
PARTS = {None: "a whole entity", "/": "a spelling", "@": "an entity in one document"}
"""Parts of an entity that a correction may be about, by what follows its id."""
PART_OF_CORRECTION = {HERE: None, APART: "/", "another-2": "@"}
"""Corrections that only one part of an entity can have, and which."""


@cache
def choices(settings: type[Settings]) -> dict[str, Collection[str]]:
    """Return the names that a setting takes, by setting, where they are a closed set."""
    from msgspec import inspect

    found: dict[str, Collection[str]] = {
        "detector": DETECTORS,
        "languages": LANGUAGES,
        "countries": COUNTRIES,
        "solver": SOLVERS,
        "style": STYLES,
        "styles": STYLES,
        "generalize": (*TECHNIQUES, "value"),
        "policy": policy_names(),
        "preset": preset_names(),
    }
    literal = {
        field.name: field.type.values
        for field in inspect.type_info(settings).fields  # type: ignore[attr-defined]
        if isinstance(field.type, inspect.LiteralType)
    }
    return found | {
        name: [str(value) for value in values]
        for name, values in literal.items()
        if all(isinstance(value, str) for value in values)
    }


def as_spelled_here(name: Any, known: Iterable[str]) -> Any:
    """Return a name as linkmask spells it, whatever its letter case: "GDPR" is "gdpr"."""
    if not isinstance(name, str):
        return name
    return {one.casefold(): one for one in known}.get(name.casefold(), name)


def map_members(value: Any, change: Callable[[Any], Any]) -> Any:
    """Apply a function to a setting's value, to each member of a list, or to each in a mapping."""
    if isinstance(value, Mapping):
        return {key: change(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [change(one) for one in value]
    return change(value)


def check(settings: Settings, where: Callable[[str], str]) -> None:
    """Refuse settings with unknown names, or that can't be combined.

    `where(name)` says where a setting was given: the command line, a file.

    Raises:
        SettingsError: says which setting, where it was given, and what there is.
    """
    for name, message in _faults(settings):
        raise SettingsError(f"{name} in {where(name)}: {message}")


def _faults(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield each fault as the setting's name and what is wrong with it."""
    if settings.medium > settings.high:
        yield "medium", f"{settings.medium} exceeds high ({settings.high})"
    for name, allowed in choices(type(settings)).items():
        for given in _texts(getattr(settings, name)):
            if given not in allowed and not (name == "policy" and given.endswith(".toml")):
                one = {"countries": "country"}.get(name, name.removesuffix("s"))
                yield name, unknown_name(one, given, allowed)
    for name in ("languages", "countries"):
        if not getattr(settings, name):
            yield name, f"must be some of {', '.join(choices(type(settings))[name])}"
    types = schema.load(settings.schema).with_types(settings.own_types.values()).types
    for name in ("floor", "generalize", "styles", "weights"):
        for given in getattr(settings, name):
            if name == "styles" and given == schema.RARE_TERM:
                if settings.styles[given] != "value":
                    yield name, f"{given} may have style value only: others link documents"
            elif given not in types:
                yield name, unknown_name("type", given, types, f" in schema {settings.schema}")
    if settings.encoding and not _is_codec(settings.encoding):
        yield "encoding", f"no encoding {settings.encoding!r}: give one as utf-16-le or cp1252"
    if settings.chunk_overlap > settings.chunk_size // 2:
        size = settings.chunk_size
        yield "chunk_overlap", f"{settings.chunk_overlap} exceeds half of chunk_size ({size})"
    yield from _rewriting(settings)
    yield from _decided(settings)
    yield from _corrected(settings, types)


def _is_codec(name: str) -> bool:
    """Tell whether Python knows a name as that of an encoding of text."""
    try:
        return isinstance("".encode(name), bytes)
    except (LookupError, ValueError):
        return False


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        return [value]
    return value.values() if isinstance(value, Mapping) else value


def _rewriting(settings: Settings) -> Iterator[tuple[str, str]]:
    """Style `rewrite` is for whole documents, and needs a model."""
    alone = not settings.styles and not settings.policy
    if "rewrite" in settings.styles.values() or (settings.style == "rewrite" and not alone):
        why = "style rewrite rewrites whole documents, so it allows no other style and no policy"
        yield ("style" if settings.style == "rewrite" else "styles"), why
    elif settings.style == "rewrite" and not (settings.llm_url and settings.llm_model):
        yield "style", "rewrite needs a language model: give --llm-url and --llm-model"


def _corrected(settings: Settings, types: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield faults of corrections: entities are named by id, and the value is one of a few."""
    for number, (key, correction) in enumerate(settings.corrections.items(), 1):
        named = CORRECTED.fullmatch(key)
        of = "another-2" if ANOTHER.fullmatch(correction) else correction
        if named is None:
            yield "corrections", f"number {number} names no entity by its id"
        elif PART_OF_CORRECTION.get(of, named["part"]) != named["part"]:
            yield (
                "corrections",
                f"number {number}: `{of}` can only correct {PARTS[PART_OF_CORRECTION[of]]}",
            )
        elif of not in (NOBODY, *PART_OF_CORRECTION, *types) and not ENTITY_ID.fullmatch(of):
            yield "corrections", f"number {number} says no type, no id, and none of: nobody, here"


def _decided(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield faults of decisions: entities are named by id, since plans and summary hold them."""
    for name, option in (("always_mask", "--mask"), ("never_mask", "--keep")):
        for number, given in enumerate(getattr(settings, name), 1):
            if not ENTITY_ID.fullmatch(given):
                yield (
                    name,
                    f"number {number} is no id of an entity (32 hexadecimal digits). For a value: "
                    f"linkmask plan RUN {option} VALUE, which keeps its id; linkmask explain RUN "
                    "--entity VALUE --json prints it",
                )
    if set(settings.always_mask) & set(settings.never_mask):
        yield "never_mask", "names an entity that always_mask names, too: choose one"
