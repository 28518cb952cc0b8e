"""Every learned weight belongs to a rule that can still hold: a weight of a lost rule counts 0."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable
from pathlib import Path

from linkmask import schema
from linkmask.detect import DETECTORS, modules
from linkmask.detect.relevance import FILE, WEIGHTS
from linkmask.detect.relevance.discourse import trigger_words
from linkmask.detect.relevance.rules import DIRECT, TELLING, VALUES

DETECT = FILE.parents[1]
LANGUAGES = ("en", "fr", "de")
TYPES = {name for preset in ("insurance", "general") for name in schema.load(preset).types}


def constants(*paths: Path) -> set[str]:
    """Return the strings that some modules spell."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def triggers(table: str = "") -> set[str]:
    """Return the triggers that a table of words knows, in any language."""
    return {
        trigger for language in LANGUAGES for trigger in trigger_words(language, table).values()
    }


def named(where: str, whats: Iterable[str]) -> set[str]:
    return {f"{where}:{what}" for what in whats}


def producible() -> set[str]:
    """Return every name of a rule that the code can put together."""
    spelled = constants(*(DETECT / "relevance").glob("*.py"))
    rows = tomllib.loads(VALUES.read_text(encoding="utf-8"))["rule"]
    whose, words = triggers("whose"), triggers()
    return {
        *(name for name in spelled if ":" in name and " " not in name),
        *("always", "kin:near", "kin:first"),
        *(name for where in ("other", "ill") for name in named(where, ("said", "mine", "he"))),
        *(name for where in ("sentence", "subject", "nearest") for name in named(where, words)),
        *named("nearest", ("nothing",)),
        *named("before", triggers("before")),
        *named("whose", whose),
        *named("value", (row["id"] for row in rows)),
        *named("kind", trigger_words("kinds").values()),
        *named("document", DIRECT | {"AGE"}),
        *named("beside", TELLING),
        *named("found", (name for detector in DETECTORS for name in modules(detector))),
        *named("type", TYPES),
    }  # fmt: skip


def lost(keys: Iterable[str]) -> list[str]:
    """Return the keys that no rule can have."""
    return sorted(set(keys) - producible())


def test_every_learned_weight_is_of_a_rule_that_can_hold() -> None:
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    keys = {rule for table in tables.values() for rule in table}
    assert len(keys) > 90
    assert lost(keys) == []


def test_every_table_of_weights_is_of_a_type() -> None:
    assert set(tomllib.loads(FILE.read_text(encoding="utf-8"))) <= {"all", *TYPES}


def test_every_weight_by_hand_is_of_a_rule_that_can_hold() -> None:
    assert lost(WEIGHTS) == []


def test_a_weight_of_a_lost_rule_is_told() -> None:
    gone = [
        "whose:nobody's word",
        "sentence:lost",
        "value:lost",
        "kin:lost",
        "document:GONE",
        "gone",
    ]
    assert lost([*gone, "always"]) == sorted(gone)
