"""Makes surrogates that read like real values: one identity per entity, in every spelling of it.

Each maker takes what is known of an entity and a `Draw`, and returns how any spelling of the entity
is rewritten. Surrogates that could reach or mean somebody come from ranges reserved for fiction:
555-01xx and its like for phones, example.org for mail and web, documentation addresses, numbers
whose checksum or area was never issued.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from linkmask import schema
from linkmask.choices import LANGUAGES
from linkmask.redact.placeholders import StyleContext, Target, Writer, pseudonym, value
from linkmask.redact.surrogates.contact import email, network, phone, url
from linkmask.redact.surrogates.dates import date
from linkmask.redact.surrogates.draw import Draw, Render
from linkmask.redact.surrogates.names import address, institution, person, place, provider
from linkmask.redact.surrogates.numbers import age, fact, number, phrase

MAKERS: dict[str, Callable[[Target, Draw, str], Render]] = {
    "person": person,
    "provider": provider,
    "organization": institution,
    "place": place,
    "address": address,
    "email": email,
    "phone": phone,
    "url": url,
    "network": network,
    "date": date,
    "age": age,
    "id": number,
}
"""Maker by the form of a type; other types take a phrase of their list."""

FACTS = schema.types_of("clinical", "fact")
"""Types of which an invented value would be believed: they take their class, which many share."""

REMEMBERED = 1 << 20
"""Entities whose identity is kept ready."""
ATTEMPTS = 24
"""Tries per entity before a shared surrogate, or a pseudonym, has to do."""


class Surrogates:
    """Gives each entity an identity of its own; called, it rewrites a spelling of an entity."""

    def __init__(self, targets: Mapping[str, Target], means: StyleContext) -> None:
        self._targets = targets
        key = means.key if means.given and not means.unkeyed else b""
        self._means = replace(means, key=key, forbidden=None)
        self._attempts: Mapping[str, int] = {}
        self._renders: dict[str, Render] = {}
        self._fallback: Writer | None = None
        self._attempts = self._drawn(means) if means.attempts is None else means.attempts

    @property
    def attempts(self) -> Mapping[str, int]:
        """The try at which each entity's surrogate was drawn; none where it gets a pseudonym."""
        return self._attempts

    def _drawn(self, means: StyleContext) -> dict[str, int]:
        targets, attempts = self._targets, dict[str, int]()
        taken: set[str] = set()
        for attempt in range(ATTEMPTS):
            left = [entity for entity in sorted(targets) if entity not in attempts]
            spelled = {entity: self._spelled(entity, attempt) for entity in left}
            texts = sorted({text for each in spelled.values() for text in each})
            answers = means.forbidden(texts) if means.forbidden else [False] * len(texts)
            refused = {text for text, bad in zip(texts, answers, strict=True) if bad or not text}
            for entity, each in spelled.items():
                own = {surface.casefold() for surface in targets[entity].surfaces}
                if refused.intersection(each) or any(text.casefold() in own for text in each):
                    continue
                shared = self._by_class(targets[entity])
                if each[0] not in taken or shared or attempt == ATTEMPTS - 1:
                    attempts[entity] = attempt
                    taken.update(each)
        return attempts

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_renders": {}, "_fallback": None}

    def __call__(self, entity: str, original: str) -> str:
        """Return what is written for a spelling of an entity."""
        if entity not in self._attempts:
            if self._fallback is None:
                make = pseudonym if self._means.key or self._means.unkeyed else value
                self._fallback = make(self._targets, self._means)
            return self._fallback(entity, original)
        render = self._renders.get(entity)
        if render is None:
            if len(self._renders) > REMEMBERED:
                self._renders.clear()
            render = self._renders[entity] = self._render(entity, self._attempts[entity])
        return render(original)

    def _spelled(self, entity: str, attempt: int) -> list[str]:
        render = self._render(entity, attempt)
        return [render(surface) for surface in self._targets[entity].surfaces or [""]]

    def _render(self, entity: str, attempt: int) -> Render:
        target, means = self._targets[entity], self._means
        wanted = [target.language, *means.languages, "en"]
        language = next(one for one in wanted if one in LANGUAGES)
        draw = Draw(means.key, means.seed, entity, attempt)
        make = (
            fact
            if self._by_class(target)
            else MAKERS.get(schema.forms().get(target.type, ""), phrase)
        )
        return make(target, draw, language)

    def _by_class(self, target: Target) -> bool:
        """Tell whether an entity is written as its class."""
        return target.type in FACTS and self._means.facts == "class"
