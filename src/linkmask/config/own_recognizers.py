"""Adds the digest and the entity types of recognizer files to settings."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from linkmask import schema
from linkmask.choices import COUNTRIES, COVERED
from linkmask.config.settings import KEYS, Settings
from linkmask.errors import SettingsError, unknown_name
from linkmask.schema import recognizers
from linkmask.schema.recognizer_rows import OwnType, RecognizerRow


def with_recognizers(settings: Settings) -> Settings:
    """Return settings that know the types and the digest of their recognizers.

    Types with `floor` are added to the floor, and a type's style holds where none is set for it.

    Raises:
        SettingsError: a file can't be read, or a row or type is wrong.
    """
    if not settings.recognizers:
        return replace(settings, recognizers_digest="", own_types={})
    known = schema.load(settings.schema)
    held = recognizers.load(settings.recognizers, known, KEYS)
    own: dict[str, OwnType] = {}
    for one in held.types:
        if own.setdefault(one.name, one) != one:
            raise SettingsError(f"type {one.name} stands in two files of recognizers: keep one")
        if known.type_of(one.name):
            raise SettingsError(
                f"type {one.name} of your recognizers is one of schema {settings.schema}, too: "
                "choose another name, or set its weight under [weights]"
            )
    settings = replace(
        settings,
        recognizers_digest=held.digest,
        own_types=own,
        floor=tuple(dict.fromkeys([*settings.floor, *(t.name for t in own.values() if t.floor)])),
        styles={t.name: t.style for t in own.values() if t.style} | settings.styles,
    )
    types = known.with_types(own.values())
    for row in held.rows:
        _check(row, types, settings)
    return settings


def _check(row: RecognizerRow, types: schema.Schema, settings: Settings) -> None:
    """Refuse a row that names a type, a language or a country that there is not."""
    named: list[tuple[str, str, tuple[str, ...], Collection[str]]] = [
        ("languages", "language", row.languages, COVERED),
        ("countries", "country", row.countries, COUNTRIES),
    ]
    if row.type and not types.type_of(row.type):
        names = [*types.types, *types.aliases]
        message = unknown_name("type", row.type, names, f" in schema {settings.schema}")
        message += ", or describe it in a block [[type]]"
        raise recognizers.wrong(settings.recognizers, row.id, "type", message)
    for key, what, given, known in named:
        for one in given:
            if one not in known:
                message = f"{unknown_name(what, one, known)}. Without one, all texts are searched"
                raise recognizers.wrong(settings.recognizers, row.id, key, message)
