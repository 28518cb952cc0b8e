"""Entity types: each one is defined, and the default detector finds its examples."""

import ast
import re
from pathlib import Path

import pytest

from linkmask import config, detect, schema
from linkmask.graph.entities import canonical
from linkmask.records import Document
from linkmask.schema import types as names
from linkmask.testbench.type_tables import TABLES
from syntax_trees import tree_of

SOURCE = Path(schema.__file__).parents[1]
EXAMPLES = schema.words("examples")
LEVELS = {"HIGH", "MEDIUM", "LOW"}
SETTINGS = config.load(overrides={"policy": "gdpr,hipaa,pci"}, environment={})


def test_every_type_has_a_definition_and_three_examples() -> None:
    types = schema.load("regulated")
    assert types.definitions.keys() == set(types.types) == EXAMPLES.keys()
    assert {len(examples) for examples in EXAMPLES.values()} == {3}


@pytest.mark.parametrize(
    ("kind", "example"), [(kind, one) for kind, several in EXAMPLES.items() for one in several]
)
def test_the_default_detector_finds_the_value_of_an_example(kind: str, example: str) -> None:
    before, _, rest = example.partition("{")
    value, _, after = rest.partition("}")
    document = Document("d", before + value + after)
    [found] = detect.first_passes([document], SETTINGS, canonical)
    assert (kind, value, len(before)) in [(m.type, m.original, m.start) for m in found]


def test_an_entity_type_is_spelled_in_the_schema_and_in_data_alone() -> None:
    """Code names a type by a constant of `schema/types.py`, or asks for a form or trait."""
    types = set(schema.load("regulated").types)
    in_messages = types - {"URL", "NAME"}  # "no valid URL", "NAME=VALUE"
    for path in SOURCE.rglob("*.py"):
        if path == Path(names.__file__):
            continue
        tree = tree_of(path)
        prose = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}  # docstrings
        for n in ast.walk(tree):
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in prose:
                spelled = {n.value} & types | {*re.findall(r"\w+", n.value)} & in_messages
                assert not spelled, f"{path}:{n.lineno} spells {spelled}: use schema/types.py"


def test_each_constant_is_a_type_of_the_tables_and_is_used() -> None:
    constants = {name: value for name, value in vars(names).items() if name.isupper()}
    assert constants == {name: name for name in constants}
    assert set(constants) <= set(schema.load("regulated").types)
    code = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    assert [name for name in constants if not re.search(rf"\btypes\.{name}\b", code)] == []


def test_every_type_of_a_form_or_trait_exists_and_has_one_form() -> None:
    table = schema.words("forms")
    lists = [group for name, group in table.items() if name != "generalize"]
    named = [kind for group in lists for kinds in group.values() for kind in kinds]
    assert {*named, *table["same"], *table["generalize"]} <= set(schema.load("regulated").types)
    formed = [kind for kinds in table["forms"].values() for kind in kinds]
    assert len(formed) == len(set(formed)) == len(schema.forms())


def test_an_unknown_form_is_an_error() -> None:
    with pytest.raises(LookupError):
        schema.types_of("person", "no such form")


def test_the_testbench_knows_every_type_that_its_table_names() -> None:
    types = set(schema.load("regulated").types)

    def named(table: object) -> set[str]:
        if isinstance(table, dict):
            inner = {name for value in table.values() for name in named(value)}
            return inner | {key for key in table if key.isupper() and key not in LEVELS}
        if isinstance(table, list):
            return {name for value in table for name in named(value)}
        return {table} if isinstance(table, str) and table.isupper() else set()

    assert named(TABLES) <= types
