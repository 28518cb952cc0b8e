"""Defines a masked entity, what styles may use, and the placeholders that they fall back to."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from linkmask.config import Settings
from linkmask.errors import SettingsError


class Target(NamedTuple):
    """A masked entity: its type, how it was written, and other ways it could be written.

    `surfaces` are original values as found in the corpus, `forms` further spellings that are
    looked for in a sweep. `language` (ISO 639-1) matters to styles that vary; "" is unknown.
    `value`, the normalized value, saves hashing each mention's when it is known of all targets.
    `style` is how this one is written whatever its type's style, where a policy wants it so.
    `shown` is the type that style `value` writes in place of its own, where there is one.
    """

    type: str
    surfaces: Sequence[str]
    forms: Sequence[str] = ()
    language: str = ""
    value: str = ""
    style: str = ""
    shown: str = ""


@dataclass(frozen=True, slots=True)
class StyleContext:
    """What styles may use beside the entities: the key, the seed, and what must not be written.

    `given`: the key is the user's, and not one that the run made for itself. `forbidden(texts)`
    tells of each text whether it holds any value of the corpus. `tokens`: the code of each entity,
    in styles that have codes. `days`: those by which the dates of an entity's person are moved.
    `attempts`: the try at which each entity's text was found, where that is known. `facts`:
    whether a surrogate of a fact is its `class` or `invented`. `linkable`: whether an entity is
    written alike in all documents. `everyone`: all masked entities, of whatever style.
    """

    key: bytes = b""
    given: bool = True
    unkeyed: bool = False
    seed: int = 0
    languages: Sequence[str] = ("en",)
    facts: str = "class"
    linkable: bool = True
    forbidden: Callable[[Sequence[str]], list[bool]] | None = None
    tokens: Mapping[str, str] = field(default_factory=dict)
    days: Mapping[str, int] = field(default_factory=dict)
    attempts: Mapping[str, int] | None = None
    everyone: Mapping[str, Target] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        settings: Settings,
        key: bytes,
        given: bool,
        forbidden: Callable[[Sequence[str]], list[bool]],
        tokens: Mapping[str, str],
        days: Mapping[str, int],
        attempts: Mapping[str, int] | None,
    ) -> StyleContext:
        """Return the context of styles (key, seed, languages) under the given settings."""
        return cls(
            key,
            given,
            settings.unkeyed,
            settings.seed,
            settings.languages,
            settings.surrogate_facts,
            settings.linkable,
            forbidden,
            tokens,
            days,
            attempts,
        )


Writer = Callable[[str, str, str], str]
"""Entity id, the value as it stands in the text, and the document whose own code or surrogate is to
be written ("" for that of no document, or of all) → what to write there."""

Style = Callable[[Mapping[str, Target], StyleContext], Writer]


def redact(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """`[REDACTED]`, whatever it was."""
    return lambda entity, original, document: "[REDACTED]"


def value(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """`[TYPE]`: readers and models still see what kind of thing stood there."""
    return lambda entity, original, document: f"[{targets[entity].shown or targets[entity].type}]"


def rewrite(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """`[TYPE]`, until a model has written the document anew without it (`redact.rewrite`)."""
    return value(targets, context)


def in_document(entity: str, document: str) -> bytes:
    """Return the name under which an entity's code is made for a document; "" is none."""
    return f"{entity}/{document}".encode("utf-8", "surrogatepass") if document else entity.encode()


def pseudonym(targets: Mapping[str, Target], context: StyleContext) -> Writer:
    """`[TYPE_<8 hex>]`, one for an entity and a document: HMAC-SHA256 of both under the key.

    Without a key (`unkeyed`, for reproduction) it is SHA-256 alone, and anyone who guesses a value
    can test the guess.

    Raises:
        SettingsError: there is neither a key nor the wish to do without.
    """
    if not context.key and not context.unkeyed:
        raise SettingsError("style pseudonym needs a key: set key_file or LINKMASK_KEY")

    key = b"" if context.unkeyed else context.key
    return partial(_pseudonym, targets, key)


def _pseudonym(
    targets: Mapping[str, Target], key: bytes, entity: str, original: str, document: str
) -> str:
    # A function of the module: a worker gets it pickled.
    named = in_document(entity, document)
    digest = hmac.digest(key, named, "sha256").hex() if key else sha256(named).hexdigest()
    return f"[{targets[entity].type}_{digest[:8]}]"
