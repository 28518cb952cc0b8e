"""Reads entity types, with weights in [0, 1] and groups, from TOML tables."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkmask.errors import SettingsError, unknown_name

if TYPE_CHECKING:
    from linkmask.schema.recognizer_rows import OwnType

FOLDER = Path(__file__).parent
GROUPS = ("direct", "sensitive", "quasi", "added")
RARE_TERM = "RARE_TERM"
"""Type of a rare word that links documents (setting `rare_terms`), in any schema."""
OMISSION = "..."
"""What stands in brackets for a rare word: the type would say nothing to a reader of the text."""
MASK_CODE = "_(?:[0-9a-f]{8}){1,2}"
"""Expression of what follows the type in a mask that tells persons apart: 8 hex digits of a
pseudonym, 16 of a token."""
MASK = re.compile(rf"\[([A-Z][A-Z_]{{1,40}}?)(?:{MASK_CODE})?\]")
"""The form of a mask of any type: `[REDACTED]`, `[NAME]`, `[NAME_1a2b3c4d]`."""
_PART = re.compile(r"\{([a-z][\w.]*)\}")


@dataclass(frozen=True, slots=True)
class Schema:
    """Entity types in table order, weight and group by type, other names by alias."""

    name: str
    weights: Mapping[str, float]
    groups: Mapping[str, str]
    aliases: Mapping[str, str] = field(default_factory=dict)
    definitions: Mapping[str, str] = field(default_factory=dict)
    """What each type means, in a sentence; a type of a user's own schema may have none."""

    @property
    def types(self) -> tuple[str, ...]:
        """All types, in the table's order."""
        return tuple(self.weights)

    def type_of(self, name: str) -> str | None:
        """Return the type that `name` means, through aliases, or None if it is unknown."""
        name = self.aliases.get(name, name)
        return name if name in self.weights else None

    def with_weights(self, weights: Mapping[str, float]) -> Schema:
        """Return the schema with some weights replaced.

        Raises:
            SettingsError: a weight is given for a type that the schema doesn't have.
        """
        unknown = sorted(set(weights) - set(self.weights))
        if unknown:
            raise SettingsError(f"weights for unknown types {', '.join(unknown)}")
        return replace(self, weights={**self.weights, **weights})

    def with_types(self, own: Iterable[OwnType]) -> Schema:
        """Return the schema with more types, each after those of the table."""
        own = list(own)
        if not own:
            return self
        return replace(
            self,
            weights={**self.weights, **{one.name: one.weight for one in own}},
            groups={**self.groups, **{one.name: one.group for one in own}},
            definitions={
                **self.definitions, **{one.name: one.definition for one in own if one.definition}
            },
        )  # fmt: skip


@cache
def load(name: str) -> Schema:
    """Load a schema by its name in this folder, or by the path of a TOML file.

    A schema may extend another by naming it under `extends`.

    Raises:
        SettingsError: there is no such schema, or a weight is not a number in [0, 1].
    """
    path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        if not name.endswith(".toml"):
            names = sorted(p.stem for p in FOLDER.glob("*.toml"))
            raise SettingsError(unknown_name("schema", name, names)) from None
        raise SettingsError(f"can't read schema {name!r}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from None
    base = load(tree["extends"]) if "extends" in tree else Schema(name, {}, {})
    weights, groups = dict(base.weights), dict(base.groups)
    for group in GROUPS:
        for entity_type, weight in tree.get(group, {}).items():
            if not isinstance(weight, int | float) or not 0 <= weight <= 1:
                raise SettingsError(f"{path}: weight of {entity_type} must be in [0, 1]")
            weights[entity_type] = float(weight)
            groups[entity_type] = group
    aliases = {**base.aliases, **tree.get("aliases", {})}
    described = {**words("definitions"), **base.definitions, **tree.get("definitions", {})}
    definitions = {name: str(described[name]) for name in weights if name in described}
    return Schema(name, weights, groups, aliases, definitions)


@cache
def words(name: str) -> Mapping[str, Any]:
    """Return a table of `words/`: how months, numbers, titles, … are written, by language.

    Shared by all callers: nobody changes it.
    """
    return tomllib.loads((FOLDER / "words" / f"{name}.toml").read_text(encoding="utf-8"))


def expression(name: str) -> str:
    """Return an expression of `words/expressions.toml` by name, whole (`expanded`)."""
    return expanded("".join(words("expressions")[name]))


def expanded(text: str) -> str:
    """Return an expression with its parts in it.

    `{name}` stands for another expression of `words/expressions.toml`, `{file.list}` for any of the
    words of a list of `words/`.
    """
    return _PART.sub(lambda part: f"(?:{_part(part[1])})", text)


def _part(name: str) -> str:
    file, *keys = name.split(".")
    if not keys:
        return expression(name)
    listed: Any = words(file)
    for key in keys:
        listed = listed[key]
    return "|".join(listed.split() if isinstance(listed, str) else listed)


@cache
def compiled(name: str) -> re.Pattern[str]:
    """Return an expression of `words/expressions.toml`, compiled."""
    return re.compile(expression(name))


@cache
def types_of(*names: str) -> frozenset[str]:
    """Return the types whose values have one of these forms or traits (`words/forms.toml`).

    Raises:
        LookupError: there is no such form or trait.
    """
    tables = words("forms")
    return frozenset(
        kind for name in names for kind in {**tables["forms"], **tables["traits"]}[name]
    )


@cache
def forms() -> Mapping[str, str]:
    """Return type → the form of its values; a type of a user's own schema has none."""
    return {kind: form for form, kinds in words("forms")["forms"].items() for kind in kinds}


def placeholders(types: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for what masking writes for these types: `[REDACTED]`, `[NAME]`, `[NAME_…]`,
    `[...]`.

    After the type, a pseudonym has 8 hex digits and a token 16. What it matches is no value:
    detection passes over it, redaction never masks it again.
    """
    escaped = map(re.escape, {*types, RARE_TERM})
    names = "|".join(sorted(escaped, key=lambda name: (-len(name), name)))
    return re.compile(rf"\[(?:REDACTED|{re.escape(OMISSION)}|(?:{names})(?:{MASK_CODE})?)\]")
