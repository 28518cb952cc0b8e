"""Defines how a masked value is written: one function per style, looked up by name.

What the other modules have to know of a style stands in `TRAITS`; none of them spells its name.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping, Set
from datetime import date, timedelta
from functools import cached_property, partial
from typing import NamedTuple

from linkmask import choices
from linkmask.choices import bound
from linkmask.errors import SettingsError, unknown_name
from linkmask.redact.placeholders import (
    Style,
    StyleContext,
    Target,
    Writer,
    in_document,
    pseudonym,
    redact,
    rewrite,
    value,
)
from linkmask.redact.techniques import TECHNIQUES, Technique
from linkmask.redact.tokens import new_token
from linkmask.schema import types
from linkmask.text.fold import folded_value

NAMED = 5
"""Letters of a name's word that names its person within a longer word, as in a domain."""
_WORD = re.compile(rf"[^\W\d_]{{{NAMED},}}")


def surrogate(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """A made-up value of the same type and language, one for an entity and a document.

    Drawn under the seed, and the key if the user gave one, so the same input and settings give
    the same surrogates. No two entities share one as far as the lists allow, and none equals a
    value of the corpus; where none can be found that does not, the entity gets a pseudonym, or
    without a key of the user's its type.
    """
    from linkmask.redact.surrogates import Surrogates

    return Surrogates(targets, context)


def token(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """`[TYPE_<16 hex>]`, one for an entity and a document, made of a random token of the entity.

    It says nothing of the value. Only the run's sealed tokens tell whose it is, so it can be
    undone, or forgotten.

    Raises:
        SettingsError: no tokens were drawn for these entities.
    """
    if missing := targets.keys() - context.tokens.keys():
        raise SettingsError(f"style token: {len(missing)} entities have no token in this run")
    return partial(_token, targets, context.tokens)


def _token(
    targets: Mapping[str, Target],
    tokens: Mapping[str, str],
    entity: str,
    original: str,
    document: str,
) -> str:
    code = tokens[entity]
    if document:
        code = hmac.digest(code.encode(), in_document(entity, document), "sha256").hex()[:16]
    return f"[{targets[entity].type}_{code}]"


def shift(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """A date moved by the days of the person it belongs to, so that intervals survive.

    A date that is no whole day, that several persons share, or that would become a value of the
    corpus (`days_to_move`), is written `[TYPE]`.
    """

    def write(entity: str, original: str, document: str) -> str:
        days, written = context.days.get(entity), None
        if days is not None:
            written = _moved(targets[entity], original, days, context)
        return f"[{targets[entity].type}]" if written is None else written

    return write


def _moved(target: Target, original: str, days: int, context: StyleContext) -> str | None:
    from linkmask.redact.surrogates.dates import on_day

    if not re.fullmatch(r"[12]\d{3}-\d\d-\d\d", target.value):
        return None
    day = date.fromisoformat(target.value) + timedelta(days)
    return on_day(original, target.value, day, target.language or context.languages[0])


def days_to_move(targets: Mapping[str, Target], context: StyleContext) -> dict[str, int]:
    """Return by how many days each date is moved that becomes no value of the corpus.

    A moved date that holds a masked value would be a leftover: 5 April, where that was masked.
    """
    texts: dict[str, set[str]] = {}
    for entity, days in context.days.items():
        if target := targets.get(entity):
            for surface in target.surfaces:
                if text := _moved(target, surface, days, context):
                    texts.setdefault(text, set()).add(entity)
    answers = context.forbidden(list(texts)) if context.forbidden and texts else []
    bad = [texts[text] for text, one in zip(texts, answers, strict=False) if one]
    refused = set[str]().union(*bad)
    return {entity: days for entity, days in context.days.items() if entity not in refused}


def _technique(
    technique: Technique, targets: Mapping[str, Target], context: StyleContext
) -> Writer:
    """Return a stated part of a value; if it has none, its type."""
    return partial(_remainder, technique, targets, context.languages[0])


class _Mailbox:
    """Writes a part of a mailbox, or its type if the part holds a word of a masked name.

    `t***@hardingjoinery.example` would name Tom Harding.
    """

    def __init__(self, targets: Mapping[str, Target], context: StyleContext) -> None:
        self._write = _technique(TECHNIQUES["masking"], targets, context)
        self._targets, self._everyone = targets, context.everyone

    def __call__(self, entity: str, original: str, document: str) -> str:
        written = self._write(entity, original, document)
        domain = folded_value(written.rpartition("@")[2])
        ends = range(NAMED, len(domain) + 1)
        parts = (domain[start:end] for end in ends for start in range(end - NAMED + 1))
        named = "@" in written and not self._names.isdisjoint(parts)
        return f"[{self._targets[entity].type}]" if named else written

    @cached_property
    def _names(self) -> frozenset[str]:
        named = (one.surfaces for one in self._everyone.values() if one.type == types.NAME)
        words = (_WORD.findall(folded_value(text)) for texts in named for text in texts)
        return frozenset(word for found in words for word in found)


def _remainder(
    technique: Technique,
    targets: Mapping[str, Target],
    language: str,
    entity: str,
    original: str,
    document: str,
) -> str:
    # A function of the module: a worker gets it pickled.
    target = targets[entity]
    written = technique(original, target.value, target.language or language)
    return f"[{target.type}]" if written is None else written


STYLES: dict[str, Style] = {
    **bound(choices.WHOLE_STYLES, (redact, value, pseudonym, surrogate, rewrite, token, shift)),
    **{name: partial(_technique, technique) for name, technique in TECHNIQUES.items()},
    "masking": _Mailbox,
}


class StyleTraits(NamedTuple):
    """What a style depends on and keeps, beside its function.

    reversible: its originals go into the vault, so the run has a key.
    varies: its text depends on how the value stood in the text.
    drawn: its text depends on other values of the corpus, too.
    tells_apart: its text depends on the entity, and on the document where it must not link any.
    tries: it tries texts until one is no value of the corpus. Its writer has `attempts` and `draw`,
        as `Surrogates` has.
    code: makes the code of an entity, given those that are taken. The run keeps it, sealed, and
        the style finds it in `StyleContext.tokens`. Such a style is reversible.
    by_person: it finds in `StyleContext.days` the days of the person an entity belongs to.
    unknown: the style of entities that the run does not know, if it is another one.
    """

    reversible: bool = False
    varies: bool = False
    drawn: bool = False
    tells_apart: bool = False
    tries: bool = False
    code: Callable[[Set[str]], str] | None = None
    by_person: bool = False
    unknown: str = ""


TRAITS: dict[str, StyleTraits] = {
    **{name: StyleTraits(varies=True) for name in TECHNIQUES},
    "masking": StyleTraits(varies=True, drawn=True),
    "pseudonym": StyleTraits(reversible=True, tells_apart=True),
    "surrogate": StyleTraits(
        reversible=True, varies=True, drawn=True, tells_apart=True, tries=True
    ),
    "rewrite": StyleTraits(unknown="value"),
    "token": StyleTraits(reversible=True, tells_apart=True, code=new_token, unknown="value"),
    "shift": StyleTraits(reversible=True, varies=True, drawn=True, by_person=True, unknown="value"),
}
"""Name of a style → its traits; the others have none."""


def _styles_with(trait: str) -> frozenset[str]:
    return frozenset(name for name, traits in TRAITS.items() if getattr(traits, trait))


REVERSIBLE, VARIES, DRAWN = map(_styles_with, ("reversible", "varies", "drawn"))
TELLS_APART, TRIES, BY_PERSON = map(_styles_with, ("tells_apart", "tries", "by_person"))
"""Styles by trait."""
CODES = {name: traits.code for name, traits in TRAITS.items() if traits.code}
"""Style → what makes the code of an entity."""


def style_of(name: str) -> Style:
    """Return a style by its name.

    Raises:
        SettingsError: there is no such style.
    """
    if name not in STYLES:
        raise SettingsError(unknown_name("style", name, STYLES))
    return STYLES[name]
