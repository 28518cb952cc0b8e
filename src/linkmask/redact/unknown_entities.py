"""Writes over entities that a run does not know, in the styles and under the key of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from linkmask.config import Settings
from linkmask.records import entity_id
from linkmask.redact.placeholders import StyleContext, Target
from linkmask.redact.styles import STYLES, TRAITS


class UnknownEntities:
    """Writes over any entity by its type and value; the same entity is written alike each time.

    Args:
        settings: style, styles, id_separator.
        context: those of the run's redactor.
        hold_masked: tells of each text whether it holds a masked value of the run.
    """

    def __init__(
        self,
        settings: Settings,
        context: StyleContext,
        hold_masked: Callable[[Sequence[str]], Sequence[bool]] = lambda texts: [False] * len(texts),
    ) -> None:
        self._settings = settings
        self._context = context
        self._hold_masked = hold_masked

    def entity(self, entity_type: str, value: str) -> str:
        """Return the id of an entity."""
        return entity_id(value, entity_type, self._settings.id_separator)

    def style(self, entity_type: str) -> str:
        """Return the name of the style in which entities of a type are written."""
        by_rule = {} if entity_type in self._settings.floor else self._settings.generalized
        name = self._settings.styles.get(entity_type, self._settings.style)
        own = TRAITS[name].unknown if name in TRAITS else ""
        return by_rule.get(entity_type, own or name)

    def __call__(
        self, entity_type: str, value: str, original: str, language: str = "", document: str = ""
    ) -> str:
        """Return what is written over a spelling of an entity; its type where it is coarse.

        So is it where its coarser form would hold a masked value: "2021-03" where 2021 is masked.
        """
        entity = self.entity(entity_type, value)
        target = Target(entity_type, [original], (), language, value)
        write = STYLES[self.style(entity_type)]({entity: target}, self._context)
        written = write(entity, original, "" if self._context.linkable else document)
        if entity_type not in self._settings.generalized:
            return written
        shown = written == original or self._hold_masked([written])[0]
        return f"[{entity_type}]" if shown else written
