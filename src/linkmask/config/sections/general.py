"""Settings above the tables of a file: preset, schema and weights."""

from __future__ import annotations

import msgspec

from linkmask.config.sections.ranges import Unit


class GeneralSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings that stand above the tables of a file."""

    preset: str = "insurance"
    """Name of a preset, which gives the other settings their values."""
    schema: str = "insurance"
    """Name or path of the table of entity types, with their weights and groups. It is a file in
    `schema/` or a TOML file of your own."""
    weights: dict[str, Unit] = {}
    """Weights by type, which replace those of the schema."""
