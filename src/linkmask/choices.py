"""The names that settings take, each spelled here alone.

Options, checks and docs read them here. The steps bind each to what it does (`bound`), so that a
name without a function, or a function without a name, fails when the step is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., object])


class DetectorParts(NamedTuple):
    """The modules of `detect/` whose candidates a detector unites, and whether it asks a model.

    If it is `alone`, the modules add no mentions: they only estimate how many values the model
    should have found.
    """

    modules: tuple[str, ...]
    prompted: bool = False
    alone: bool = False


_PATTERNS = ("patterns", "fields", "tables", "statements", "user_names")
_RULES = (*_PATTERNS, "lexicon")
DETECTORS = {
    "embedded": DetectorParts((*_RULES, "ner")),
    "rules": DetectorParts(_RULES),
    "patterns": DetectorParts(_PATTERNS),
    "llm": DetectorParts(_RULES, prompted=True, alone=True),
    "embedded+llm": DetectorParts((*_RULES, "ner"), prompted=True),
}
UNPROMPTED = "embedded"
"""The detector that takes the place of one with a model, where none is asked."""
NOBODY, APART, HERE = "nobody", "apart", "here"
"""What a correction says of an entity, where it is no type and no other entity."""
ANOTHER = re.compile(r"another-([1-9]\d{0,3})")
"""What it says of an entity in some documents: there it is another person, the second, third …"""
LANGUAGES = ("en", "fr", "de")
"""ISO 639-1."""
COUNTRIES = ("us", "gb", "fr", "de", "ch")
"""ISO 3166-1 alpha-2, in small letters."""
SOLVERS = ("cover", "greedy", "knapsack", "exact")
TECHNIQUES = (
    "truncation:last4",
    "truncation:zip3",
    "masking",
    "generalization:month",
    "generalization:quarter",
    "generalization:year",
    "generalization:band",
    "generalization:under90",
    "generalization:town",
    "generalization:region",
    "generalization:area",
    "generalization:kind",
    "generalization:specialty",
    "generalization:class",
    "generalization:range",
)
"""Ways to write a value that leave a part of it; what follows the colon says how much is left."""
WHOLE_STYLES = ("redact", "value", "pseudonym", "surrogate", "rewrite", "token", "shift")
"""Ways to write a value that leave nothing of it."""
STYLES = (*WHOLE_STYLES, *TECHNIQUES)


PRESET_FOLDER = Path(__file__).parent / "config" / "presets"
POLICY_FOLDER = Path(__file__).parent / "policy"


def preset_names() -> list[str]:
    """Return the names of the presets that ship with linkmask: a TOML file each."""
    return sorted(path.stem for path in PRESET_FOLDER.glob("*.toml"))


def policy_names() -> list[str]:
    """Return the names of the policies that ship with linkmask: a TOML file each."""
    return sorted(path.stem for path in POLICY_FOLDER.glob("*.toml") if path.stem != "examples")


def bound(names: Iterable[str], functions: Iterable[F]) -> dict[str, F]:
    """Return name → the function that is named as the name's part behind the colon.

    Underscores around a function's name do not count: "_greedy" is of "greedy".

    Raises:
        LookupError: a name has no function, or a function no name.
    """
    by_name = {function.__name__.strip("_"): function for function in functions}
    found = {name: by_name.pop(name.rpartition(":")[2]) for name in names}
    if by_name:
        raise LookupError(f"no name for {sorted(by_name)}")
    return found
