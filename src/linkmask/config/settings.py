"""Defines the settings: one flat object with every default, and what follows from them.

Each section of a file has a module in `sections`. `validation` checks what types and ranges can't.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from linkmask.choices import DETECTORS, DetectorParts
from linkmask.config import sections
from linkmask.config.sections.run import RunSettings
from linkmask.schema import RARE_TERM, Schema, words
from linkmask.schema import load as load_schema
from linkmask.schema.recognizer_rows import OwnType

RARE = OwnType(
    name=RARE_TERM,
    weight=0.0,
    definition="a word that links a document to another of its person, or to a public text",
)
"""The type of words that lead to other texts; it says nothing of a person by itself."""

DAYS = 365.25
"""Days of a year."""


class Settings(RunSettings, frozen=True, kw_only=True):
    """All settings in one flat object. Risks, weights and thresholds are in [0, 1]."""

    @property
    def entity_types(self) -> Schema:
        """The table of entity types: that of the schema, types of the user's own, and weights."""
        words = self.rare_terms or self.background or self.readable_share < 1
        own = (*self.own_types.values(), *((RARE,) if words else ()))
        return _table(self.schema, own, tuple(self.weights.items()))

    @property
    def detection(self) -> DetectorParts:
        """What the detector consists of."""
        return DETECTORS[self.detector]

    @property
    def asks_linker(self) -> bool:
        """Whether the linker says which documents belong together, at least of many documents."""
        return self.rare_pairs != "values"

    @property
    def generalized(self) -> dict[str, str]:
        """Technique by type as it is used: in style `value`, for types without their own style."""
        own = self.styles if self.style == "value" else self.generalize
        return {name: how for name, how in self.generalize.items() if name not in own}

    @property
    def direct_types(self) -> frozenset[str]:
        """Types that identify a person alone: those of the schema, and the types of the floor."""
        groups = self.entity_types.groups.items()
        return frozenset(name for name, group in groups if group == "direct").union(self.floor)

    @property
    def masked_by_rule(self) -> frozenset[str]:
        """Types whose values are masked or generalized whatever else the corpus holds."""
        return frozenset(self.floor).union(self.generalize)

    @property
    def masked_if_unknown(self) -> frozenset[str]:
        """Types that are masked where no plan knows the entity.

        They are those of the floor; where it has none, all direct identifiers of the schema.
        """
        groups = load_schema(self.schema).groups.items()
        return frozenset(self.floor or (name for name, group in groups if group == "direct"))

    @property
    def known_shares(self) -> dict[str, float]:
        """Share of people of whom a value is true, by type, if it does not depend on the corpus."""
        table = words("population")
        years = float(table["life"])
        part = {"year": 1 / years, "day": 1 / (years * DAYS)}
        by_arithmetic = {name: part[unit] for name, unit in table["share"].items()}
        return dict.fromkeys(self.direct_types, 0.0) | by_arithmetic

    @property
    def linking_limit(self) -> float:
        """Return the limit for an attacker's probability, by the stricter of two settings."""
        return min(self.link_limit, 1 / self.link_candidates)

    @property
    def rho(self) -> tuple[float, float, float]:
        """Share of its risk a chain may keep, by level HIGH, MEDIUM, LOW (formulas.md §9.2)."""
        return self.rho_high, self.rho_medium, 1.0


@cache
def _table(name: str, own: tuple[OwnType, ...], weights: tuple[tuple[str, float], ...]) -> Schema:
    return load_schema(name).with_types(own).with_weights(dict(weights))


BY_SECTION: Mapping[str, type[msgspec.Struct]] = {
    one.__module__.removeprefix(f"{sections.__name__}."): one
    for one in reversed(Settings.__mro__)
    if one.__module__.startswith(f"{sections.__name__}.")
}
"""The class of each section, in order; `general` has the settings above the tables of a file."""
SECTIONS = ("verify", *(name for name in BY_SECTION if name != "general"))
"""Tables of a file. `verify` has no settings of its own."""
KEYS = frozenset({*SECTIONS, *Settings.__struct_fields__})
"""What a file may hold at its top."""
LISTS = frozenset(
    field.name for field in msgspec.structs.fields(Settings) if isinstance(field.default, tuple)
)
"""Settings that hold several words, which commas separate when they are given as text."""

TABLES = frozenset(
    name for name, value in msgspec.to_builtins(Settings()).items() if isinstance(value, dict)
)
"""Settings that hold a value by name, such as one for each type."""
