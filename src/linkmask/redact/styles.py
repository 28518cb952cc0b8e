"""How a masked value is written: one function per style, looked up by name."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from linkmask.errors import SettingsError, unknown
from linkmask.redact.techniques import TECHNIQUES, Technique


class Target(NamedTuple):
    """A masked entity: its type, how it was written, and other ways it could be written.

    `surfaces` are original values as found in the corpus, `forms` further spellings that are
    looked for in a sweep. `language` (ISO 639-1) matters to surrogates only; "" is unknown.
    `value`, the normalized value, saves hashing each mention's when it is known of all targets.
    `style` is how this one is written whatever its type's style, where a policy wants it so.
    """

    type: str
    surfaces: Sequence[str]
    forms: Sequence[str] = ()
    language: str = ""
    value: str = ""
    style: str = ""


@dataclass(frozen=True, slots=True)
class Means:
    """What styles may use beside the entities: the key, the seed, and what must not be written.

    `given`: the key is the user's, and not one that the run made for itself. `forbidden(texts)`
    tells of each text whether it holds any value of the corpus. `tokens`: the random code, 16 hex
    digits, of each entity that is written as one. `days`: by how many days each date is moved.
    `facts`: whether a surrogate of a fact is its `class` or `invented`.
    """

    key: bytes = b""
    given: bool = True
    unkeyed: bool = False
    seed: int = 0
    languages: Sequence[str] = ("en",)
    facts: str = "class"
    forbidden: Callable[[Sequence[str]], list[bool]] | None = None
    tokens: Mapping[str, str] = field(default_factory=dict)
    days: Mapping[str, int] = field(default_factory=dict)


Writer = Callable[[str, str], str]
"""Entity id and the value as it stands in the text → what to write there."""

Style = Callable[[Mapping[str, Target], Means], Writer]


def redact(targets: Mapping[str, Target], means: Means) -> Writer:
    """`[REDACTED]`, whatever it was."""
    return lambda entity, original: "[REDACTED]"


def value(targets: Mapping[str, Target], means: Means) -> Writer:
    """`[TYPE]`: readers and models still see what kind of thing stood there."""
    return lambda entity, original: f"[{targets[entity].type}]"


def rewrite(targets: Mapping[str, Target], means: Means) -> Writer:
    """`[TYPE]`, until a model has written the document anew without it (`redact.rewrite`)."""
    return value(targets, means)


def pseudonym(targets: Mapping[str, Target], means: Means) -> Writer:
    """`[TYPE_<8 hex>]`, the same for an entity everywhere: HMAC-SHA256 of its id under the key.

    Without a key (`unkeyed`, for reproduction) it is SHA-256 of the id alone, and anyone who
    guesses a value can test the guess.

    Raises:
        SettingsError: there is neither a key nor the wish to do without.
    """
    if not means.key and not means.unkeyed:
        raise SettingsError("style pseudonym needs a key: set key_file or LINKMASK_KEY")

    def write(entity: str, original: str) -> str:
        if means.unkeyed:
            digest = sha256(entity.encode()).hexdigest()
        else:
            digest = hmac.digest(means.key, entity.encode(), "sha256").hex()
        return f"[{targets[entity].type}_{digest[:8]}]"

    return write


def surrogate(targets: Mapping[str, Target], means: Means) -> Writer:
    """A made-up value of the same type and language, the same for an entity everywhere.

    Drawn under the seed, and the key if the user gave one, so the same input and settings give
    the same surrogates. No two entities share one as far as the lists allow, and none equals a
    value of the corpus; where none can be found that does not, the entity gets a pseudonym, or
    without a key of the user's its type.
    """
    from linkmask.redact.surrogates import Surrogates

    return Surrogates(targets, means)


def token(targets: Mapping[str, Target], means: Means) -> Writer:
    """`[TYPE_<16 hex>]`, the same for an entity everywhere, and random.

    It says nothing of the value. Only the run's sealed tokens tell whose it is, so it can be
    undone, or forgotten.

    Raises:
        SettingsError: no tokens were drawn for these entities.
    """
    if missing := targets.keys() - means.tokens.keys():
        raise SettingsError(f"style token: {len(missing)} entities have no token in this run")
    return lambda entity, original: f"[{targets[entity].type}_{means.tokens[entity]}]"


def shift(targets: Mapping[str, Target], means: Means) -> Writer:
    """A date moved by the days of the person it belongs to, so that intervals survive.

    A date that is no whole day, or that several persons share, is written `[TYPE]`.
    """
    from linkmask.redact.surrogates.dates import on_day

    def write(entity: str, original: str) -> str:
        target = targets[entity]
        days, written = means.days.get(entity), None
        if days is not None and re.fullmatch(r"[12]\d{3}-\d\d-\d\d", target.value):
            day = date.fromisoformat(target.value) + timedelta(days)
            language = target.language or means.languages[0]
            written = on_day(original, target.value, day, language)
        return f"[{target.type}]" if written is None else written

    return write


def _technique(technique: Technique, targets: Mapping[str, Target], means: Means) -> Writer:
    """Leave a stated part of a value; where that can't be told, its type."""

    def write(entity: str, original: str) -> str:
        target = targets[entity]
        written = technique(original, target.value, target.language or means.languages[0])
        return f"[{target.type}]" if written is None else written

    return write


STYLES: dict[str, Style] = {
    "redact": redact,
    "value": value,
    "pseudonym": pseudonym,
    "surrogate": surrogate,
    "rewrite": rewrite,
    "token": token,
    "shift": shift,
    **{name: partial(_technique, technique) for name, technique in TECHNIQUES.items()},
}

REVERSIBLE = frozenset({"pseudonym", "surrogate", "token", "shift"})
"""Styles whose originals go into the vault."""

VARIES = frozenset({"surrogate", "shift", *TECHNIQUES})
"""Styles whose text depends on how the value stood in the text."""


def style_of(name: str) -> Style:
    """Return a style by its name.

    Raises:
        SettingsError: there is no such style.
    """
    if name not in STYLES:
        raise SettingsError(unknown("style", name, STYLES))
    return STYLES[name]
