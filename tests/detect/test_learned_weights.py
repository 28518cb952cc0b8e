"""Every learned weight belongs to a rule that can still hold: a weight of a lost rule counts 0."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from linkmask import schema
from linkmask.detect import DETECTORS, modules, ner
from linkmask.detect.patterns import TABLES
from linkmask.detect.recognizers.shipped import stage
from linkmask.detect.relevance import FILE, WEIGHTS, attribution
from linkmask.detect.relevance.discourse import trigger_words
from linkmask.detect.relevance.rules import DIRECT, TELLING
from rule_ids import spelled_rules

DETECT = FILE.parents[1]
LANGUAGES = ("en", "fr", "de")
TYPES = {name for preset in ("insurance", "general") for name in schema.load(preset).types}


def constants(*paths: Path) -> set[str]:
    """Return the strings that some modules spell."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def cues(table: str = "") -> set[str]:
    """Return the cues that a table of words knows, in any language."""
    return {cue for language in LANGUAGES for cue in trigger_words(language, table).values()}


def named(where: str, whats: Iterable[str]) -> set[str]:
    return {f"{where}:{what}" for what in whats}


@cache
def rule_ids() -> frozenset[str]:
    """Return the parts of `Candidate.rule`: of the tables' rows and of what the code spells."""
    patterns = {rule.name for table in (stage("regulated"), *TABLES) for rule in table}
    rooms = (DETECT, DETECT / "lexicon", DETECT / "ner", DETECT / "patterns")
    spelled = spelled_rules(path for room in rooms for path in room.glob("*.py"))
    labels = {name.lower() for name in (*TYPES, *ner.TYPES)}  # the rule of a label is its type
    clinical = {"condition", "treatment"}
    everyday = {f"everyday {name}" for name in clinical}
    whole = patterns | spelled | labels | clinical | everyday
    return frozenset(part for name in whole for part in name.replace(", ", "+").split("+"))


def producible() -> set[str]:
    """Return every name of a rule that the code can put together."""
    spelled = constants(*(DETECT / "relevance").glob("*.py"))
    whose, words = cues("whose"), cues()
    return {
        *(name for name in spelled if ":" in name and " " not in name),
        *("always", "kin:near", "kin:far", "kin:first", "kin:before"),
        *(name for where in ("other", "ill") for name in named(where, ("said", "mine", "he"))),
        *(name for where in ("sentence", "subject", "nearest") for name in named(where, words)),
        *named("nearest", ("nothing",)),
        *named("before", cues("before")),
        *(name for where in ("whose", "last", "then", "lead") for name in named(where, whose)),
        *named("kind", trigger_words("kinds").values()),
        *(f"text:{what}-{n}" for what in ("person", "general", "deed") for n in range(4)),
        *named("document", DIRECT | {"AGE"}),
        *named("beside", TELLING),
        *named("found", (name for detector in DETECTORS for name in modules(detector))),
        *named("type", TYPES),
        *named("by", rule_ids()),
    }  # fmt: skip


def lost(keys: Iterable[str]) -> list[str]:
    """Return the keys that no rule can have."""
    return sorted(set(keys) - producible())


@pytest.mark.parametrize("file", [FILE, attribution.FILE], ids=lambda file: file.name)
def test_every_learned_weight_is_of_a_rule_that_can_hold(file: Path) -> None:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    keys = {rule for table in tables.values() for rule in table}
    assert len(keys) > 100
    assert lost(keys) == []


def test_every_table_of_weights_is_of_a_type() -> None:
    for file in (FILE, attribution.FILE):
        assert set(tomllib.loads(file.read_text(encoding="utf-8"))) <= {"all", *TYPES}


def test_every_weight_by_hand_is_of_a_rule_that_can_hold() -> None:
    assert lost(WEIGHTS) == []


def test_a_weight_of_a_lost_rule_is_told() -> None:
    gone = [
        "by:no recognizer",
        "by:en",
        "by:ner",
        "by:lexicon",
        "by:content",
        "whose:nobody's word",
        "sentence:lost",
        "value:lost",
        "kin:lost",
    ]
    assert lost([*gone, "always"]) == sorted(gone)


def test_only_a_string_that_becomes_a_rule_counts_as_one(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(
        """
ROWS = (("row", 1),)
NOISE = "noise"
def take(i, rule, score):
    return Candidate(i, i, "TYPE", "detector", rule, score)
def find(text):
    word = "text"
    rule = "sure" if text else "unsure"
    yield take(0, rule, 0.5)
    yield take(1, "plain", 0.5)
    for name, score in ROWS:
        yield take(2, name, score)
def decide(word):
    return "TYPE", "decided", 0.5
""",
        encoding="utf-8",
    )
    found = spelled_rules([tmp_path / "code.py"])
    assert found == {"sure", "unsure", "plain", "row", "decided"}
