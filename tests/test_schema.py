"""Entity types: each one is defined, and the default detector finds its examples."""

import pytest

from linkmask import config, detect, schema
from linkmask.graph.entities import canonical
from linkmask.records import Document

EXAMPLES = schema.words("examples")
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
