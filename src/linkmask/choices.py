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


_PATTERNS = ("patterns", "fields", "tables", "statements")
_RULES = (*_PATTERNS, "lexicon")
DETECTORS = {
    "embedded": DetectorParts((*_RULES, "ner")),
    "rules": DetectorParts(_RULES),
    "patterns": DetectorParts(_PATTERNS),
    "llm": DetectorParts(_RULES, prompted=True, alone=True),
    "embedded+llm": DetectorParts((*_RULES, "ner"), prompted=True),
}


class LocalModel(NamedTuple):
    """A kind of model in a local folder: a file that such a folder holds, the package that is
    imported to read it, and what pip installs, where that has another name."""

    file: str
    package: str
    install: str = ""


LOCAL_MODELS = {
    "spacy": LocalModel("config.cfg", "spacy"),
    "gliner": LocalModel("gliner_config.json", "gliner"),
}
"""Name of a kind, as in `spacy:/path` → what is known of it."""
UNPROMPTED = "embedded"
"""The detector that takes the place of one with a model, where none is asked."""
NOBODY, APART, HERE = "nobody", "apart", "here"
"""What a correction says of an entity, where it is no type and no other entity."""
ANOTHER = re.compile(r"another-([1-9]\d{0,3})")
"""What it says of an entity in some documents: there it is another person, the second, third …"""
LANGUAGES = ("en", "fr", "de")
"""Languages of the rules and word lists, and of the tagger (ISO 639-1)."""
LOCALES = ("es", "it", "nl", "pt")
"""Languages that have recognizers, triggers and lists of names, but no word lists beside them."""
COVERED = (*LANGUAGES, *LOCALES)
"""Languages that detection covers, and that a user's recognizer may name."""
COUNTRIES = ("us", "gb", "fr", "de", "ch")
"""ISO 3166-1 alpha-2, in small letters."""
SOLVERS = ("cover", "greedy", "knapsack", "exact")


class PolicyTechnique(NamedTuple):
    """What a policy may demand for a value: what it does, in words, and by which style.

    style: "" for a style of the technique's own name that leaves a part of the value; "keep" has
        none.
    reads: whether it has to read the value. Where it can't, the type is written.
    """

    done: str
    style: str = ""
    reads: bool = True


WHOLE_STYLES = ("redact", "value", "pseudonym", "surrogate", "rewrite", "token", "shift")
"""Ways to write a value that leave nothing of it."""
POLICY_TECHNIQUES = {
    "removal": PolicyTechnique("removed", "redact", reads=False),
    "tokenization": PolicyTechnique(
        "replaced by a random code that only the vault turns back", "token", reads=False
    ),
    "pseudonymization": PolicyTechnique(
        "replaced by a code that only the key turns back", "pseudonym", reads=False
    ),
    "truncation:zip3": PolicyTechnique("cut to its first three digits"),
    "truncation:last4": PolicyTechnique("cut to its last four characters"),
    "masking": PolicyTechnique("cut to its first letter and its domain"),
    "generalization:kind": PolicyTechnique("replaced by its kind, or by its state"),
    "generalization:specialty": PolicyTechnique(
        "replaced by its kind and specialty, or by its state"
    ),
    "generalization:class": PolicyTechnique("replaced by its class of conditions or treatments"),
    "generalization:common": PolicyTechnique("removed where few people have it"),
    "generalization:region": PolicyTechnique("replaced by its state or region"),
    "generalization:area": PolicyTechnique(
        "replaced by its state, or by three digits of the ZIP code"
    ),
    "generalization:town": PolicyTechnique("replaced by its town"),
    "generalization:year": PolicyTechnique("replaced by its year"),
    "generalization:quarter": PolicyTechnique("replaced by its quarter"),
    "generalization:month": PolicyTechnique("replaced by its month"),
    "generalization:band": PolicyTechnique("replaced by a band of ten years, 90+ at most"),
    "generalization:range": PolicyTechnique("replaced by a range"),
    "shift": PolicyTechnique("moved by the days of its person", "shift"),
    "generalization:under90": PolicyTechnique("replaced by 90+ where it is 90 or more"),
    "keep": PolicyTechnique("left as it is; the limits may mask it", "keep", reads=False),
}
"""Every technique (formulas.md §14.2), the strictest first; what follows a colon says how much of
the value is left."""
STRICTNESS = tuple(POLICY_TECHNIQUES)
TECHNIQUES = tuple(name for name, one in POLICY_TECHNIQUES.items() if not one.style)
"""Ways to write a value that leave a part of it."""
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
