"""A record that is nested too deeply to be walked is set aside when it is read, and says so."""

import json

import pytest

import linkmask
from linkmask.commands import mask_files
from linkmask.config import Settings
from linkmask.corpus.fields import DEEPEST, TOO_DEEP, nested_too_deeply
from linkmask.errors import InputError
from linkmask.records import Document


def nested(levels):
    """Return a name below so many levels, lists and objects in turn."""
    value = "Ottoline Brandvold"
    for level in range(levels):
        value = {"k": value} if level % 2 else [value]
    return value


@pytest.mark.parametrize("levels", [DEEPEST, 500, 900])
@pytest.mark.parametrize("ending", ["json", "jsonl", "csv"])
def test_what_is_nested_too_deeply_is_set_aside_with_that_reason(tmp_path, levels, ending):
    """At 500 levels the check used to end with a RecursionError, and said only that."""
    folder = tmp_path / "in"
    folder.mkdir()
    metadata = {"a": nested(levels)}
    if ending == "csv":
        cell = json.dumps(metadata).replace('"', '""')
        text = f'id,content,metadata\n1,Ms. Anna Ford called.,"{cell}"\n'
    else:
        text = json.dumps({"id": "1", "content": "Ms. Anna Ford called.", "metadata": metadata})
    (folder / f"deep.{ending}").write_text(text)
    (folder / "flat.json").write_text(json.dumps({"id": "2", "content": "Ms. Ford called."}))
    audit = mask_files(folder, tmp_path / "out", Settings(workers=1))
    assert audit.counts["released"] == 1
    assert [one["reason"] for one in audit.set_aside] == [TOO_DEEP]


def test_what_is_just_within_the_bound_is_masked(tmp_path):
    record = {"id": "1", "content": "Hello.", "metadata": nested(DEEPEST - 2)}
    record["metadata"] = {"a": record["metadata"]}
    (result,) = linkmask.mask([record], Settings(workers=1)).documents
    assert "Brandvold" not in json.dumps(result.metadata)


def test_in_python_the_error_names_the_document():
    document = Document("1", "Hello.", {"a": nested(600)})
    with pytest.raises(InputError, match="document 0: nested too deeply"):
        linkmask.mask([document], Settings(workers=1))


def test_levels_are_counted_and_not_values():
    assert not nested_too_deeply({str(n): [n, {"a": n}] for n in range(1000)})
    assert not nested_too_deeply(nested(DEEPEST))
    assert nested_too_deeply(nested(DEEPEST + 1))
