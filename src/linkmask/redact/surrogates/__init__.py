"""Makes surrogates that read like real values: one identity per entity, in every spelling of it.

Each maker takes what is known of an entity and a `Draw`, and returns how any spelling of the entity
is rewritten. Surrogates that could reach or mean somebody come from ranges reserved for fiction:
555-01xx and its like for phones, example.org for mail and web, documentation addresses, numbers
whose checksum or area was never issued.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from linkmask import schema
from linkmask.choices import LANGUAGES
from linkmask.redact.placeholders import (
    StyleContext,
    Target,
    Writer,
    in_document,
    pseudonym,
    value,
)
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
EntityIn = tuple[str, str]
"""An entity and a document's id; "" is no document."""
NONE = -1
"""In place of a try: there is none that does."""
ATTEMPTS = 24
"""Tries per entity before a shared surrogate, or a pseudonym, has to do."""


class Surrogates:
    """Gives each entity an identity of its own, or one in each document, and rewrites by it."""

    def __init__(self, targets: Mapping[str, Target], context: StyleContext) -> None:
        self._targets, self._forbidden = targets, context.forbidden
        key = context.key if context.given and not context.unkeyed else b""
        self._context = replace(context, key=key, forbidden=None)
        self._renders: dict[EntityIn, Render] = {}
        self._fallback: Writer | None = None
        self._drawn: dict[EntityIn, int] = {}
        self.attempts: Mapping[str, int] = context.attempts or {}
        """The try at which each entity's surrogate was drawn that is of no document."""
        if context.attempts is None:
            tried = self._tried([(entity, "") for entity in sorted(targets)])
            self.attempts = {entity: attempt for (entity, _), attempt in tried.items()}

    def draw(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Draw the surrogates of entities in documents; at once this is faster than one by one.

        Two entities of one document share one only where the lists have no other.
        """
        if new := sorted(set(pairs) - self._drawn.keys()):
            if len(self._drawn) > REMEMBERED:
                self._drawn.clear()
            self._drawn |= dict.fromkeys(new, NONE) | self._tried(new)

    def _tried(self, pairs: Sequence[EntityIn]) -> dict[EntityIn, int]:
        """Return at which try each entity in a document gets a surrogate, if it does."""
        attempts: dict[EntityIn, int] = {}
        taken: set[tuple[str, str]] = set()
        for attempt in range(ATTEMPTS):
            untried = [pair for pair in pairs if pair not in attempts]
            spelled = {pair: self._spelled(pair, attempt) for pair in untried}
            texts = sorted({text for each in spelled.values() for text in each})
            answers = self._forbidden(texts) if self._forbidden else [False] * len(texts)
            refused = {text for text, bad in zip(texts, answers, strict=True) if bad or not text}
            for (entity, document), each in spelled.items():
                own = {surface.casefold() for surface in self._targets[entity].surfaces}
                if refused.intersection(each) or any(text.casefold() in own for text in each):
                    continue
                shared = self._by_class(self._targets[entity]) or attempt == ATTEMPTS - 1
                if shared or (document, each[0]) not in taken:
                    attempts[entity, document] = attempt
                    taken.update((document, text) for text in each)
        return attempts

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_renders": {}, "_drawn": {}, "_fallback": None}

    def __call__(self, entity: str, original: str, document: str) -> str:
        """Return what is written for a spelling of an entity in a document."""
        pair = entity, document
        if document:
            self.draw([pair])
        attempt = self._drawn.get(pair, NONE) if document else self.attempts.get(entity, NONE)
        if attempt == NONE:
            if self._fallback is None:
                make = pseudonym if self._context.key or self._context.unkeyed else value
                self._fallback = make(self._targets, self._context)
            return self._fallback(entity, original, document)
        render = self._renders.get(pair)
        if render is None:
            if len(self._renders) > REMEMBERED:
                self._renders.clear()
            render = self._renders[pair] = self._render(pair, attempt)
        return render(original)

    def _spelled(self, pair: EntityIn, attempt: int) -> list[str]:
        render = self._render(pair, attempt)
        return [render(surface) for surface in self._targets[pair[0]].surfaces or [""]]

    def _render(self, pair: EntityIn, attempt: int) -> Render:
        target, context = self._targets[pair[0]], self._context
        wanted = [target.language, *context.languages, "en"]
        language = next(one for one in wanted if one in LANGUAGES)
        draw = Draw(context.key, context.seed, in_document(*pair), attempt)
        make = (
            fact
            if self._by_class(target)
            else MAKERS.get(schema.forms().get(target.type, ""), phrase)
        )
        return make(target, draw, language)

    def _by_class(self, target: Target) -> bool:
        """Tell whether an entity is written as its class."""
        return target.type in FACTS and self._context.facts == "class"
