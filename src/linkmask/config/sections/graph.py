"""Settings of `[graph]`: entities, links, chains and their levels."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from linkmask.config.sections.detect import DetectSettings
from linkmask.config.sections.ranges import Count, Positive, Unit

EntityId = str
"""32 hexadecimal digits; of one spelling alone `id/id of the spelling`."""


class GraphSettings(DetectSettings, frozen=True, kw_only=True):
    """All settings up to those of `[graph]`."""

    corrections: dict[EntityId, str] = {}
    """A user's corrections of entities ([form](review.md#the-setting-corrections))."""
    id_separator: str = "::"
    """Separates value and type in the text whose hash is the id of an entity."""
    edge_threshold: Unit = 0.5
    """Smallest strength at which two documents are linked."""
    link_contained: bool = False
    """Also link two documents if one holds all values of the other (formulas.md §6.4)."""
    chain_length: Annotated[int, Meta(ge=2, le=4)] = 2
    """Largest number of documents in a chain."""
    high: Unit = 0.75
    """Smallest risk of a HIGH chain."""
    medium: Unit = 0.5
    """Smallest risk of a MEDIUM chain. Chains with less are LOW."""
    population: Positive = 1_000_000
    """Number of people among whom an attacker looks for a person. Only reports use it (formulas.md
    §5.2)."""
    group_budget: Count = 50_000_000
    """Largest number of pairs in a group of documents that share the same values. A larger group
    [is not compared](graph.md#guarantees-and-limits)."""
