"""Records of our own are learned from field by field, as the detector reads them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from training import records

RECORD = '{"role": "assistant", "tags": ["a", "Ann Ross"], "meta": {"payGrade": "B", "size": 4}}'
TABLE = "id;name;grade\n7;Ann Ross;B\nTotal;;\nno row\n;;C"


def read(text: str, value: str) -> list[tuple[str, list[str]]]:
    at = text.index(value)
    spans = [(at, at + len(value), "NAME")]
    return [
        (field, [field[a:z] for a, z, _ in inside]) for field, inside in records.fields(text, spans)
    ]


def test_each_text_of_a_record_is_read_behind_its_key() -> None:
    assert read(RECORD, "Ann Ross") == [
        ("role: assistant", []),
        ("tags: a", []),
        ("tags: Ann Ross", ["Ann Ross"]),
        ("pay grade: B", []),
    ]


def test_each_cell_of_a_table_is_read_behind_its_head() -> None:
    assert read(TABLE, "Ann Ross") == [
        ("id: 7", []),
        ("name: Ann Ross", ["Ann Ross"]),
        ("grade: B", []),
        ("id: Total", []),
        ("grade: C", []),
    ]


def test_a_text_in_sentences_has_no_fields() -> None:
    assert not list(records.fields("Ann Ross called, was seen, and left.\nShe paid.", []))
