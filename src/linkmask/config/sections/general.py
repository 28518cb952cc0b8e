"""Settings above the tables of a file: preset, schema and weights."""

from __future__ import annotations

import msgspec

from linkmask.config.sections.ranges import Unit


class GeneralSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings that stand above the tables of a file."""

    preset: str = "insurance"
    """[Preset](#presets), which gives the other settings their values."""
    schema: str = "insurance"
    """Table of entity types, with their weights and [groups](types.md): `insurance`, `general`,
    `regulated`, `thesis`, or a path."""
    weights: dict[str, Unit] = {}
    """Weights by type, in place of those of the schema."""
