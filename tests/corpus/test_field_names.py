"""A name of a field that no record has is refused, and the message shows names, not data."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import linkmask
from linkmask.cli import main
from linkmask.config import Settings, load
from linkmask.corpus import Corpus, check_fields
from linkmask.errors import InputError


def message(folder: Path, table: str, **settings: str | tuple[str, ...]) -> str:
    (folder / "a.csv").write_text(table)
    with pytest.raises(InputError) as refused:
        check_fields(Corpus(folder, Settings(**settings)))
    return str(refused.value)


def test_an_unknown_field_is_refused_with_those_there_are(tmp_path: Path) -> None:
    said = message(tmp_path, "id,content\n1,Seen today.\n", text_field="contend")
    assert "'contend' (--text-field); did you mean 'content'?" in said
    assert said.endswith("The fields are: id, content")


DOORS = {
    "csv": "id,note\n1,Seen today.\n",
    "jsonl": '{"id": "1", "note": "Seen today."}\n',
    "parquet": "",
}


@pytest.mark.parametrize("kind", DOORS)
def test_the_usual_text_field_is_refused_too_where_it_is_named(kind: str, tmp_path: Path) -> None:
    """Named in a file of settings, in Python or on the command line; unnamed, all is read."""
    (tmp_path / "in").mkdir()
    file = tmp_path / "in" / f"a.{kind}"
    if kind == "parquet":
        pq.write_table(pa.table({"id": ["1"], "note": ["Seen today."]}), file)
    else:
        file.write_text(DOORS[kind])
    check_fields(Corpus(tmp_path / "in", load()))
    (tmp_path / "own.toml").write_text('[corpus]\ntext_field = "content"\n')
    doors = [
        load(tmp_path / "own.toml"),
        load(overrides={"text_field": ("content",)}),
        load(environment={"LINKMASK_TEXT_FIELD": "content"}),
        Settings(text_field="content"),
    ]
    for settings in doors:
        with pytest.raises(InputError, match=r"'content' .--text-field.* The fields are: id, note"):
            check_fields(Corpus(tmp_path / "in", settings))
    with pytest.raises(InputError, match=r"'content' .--text-field.* The fields are: id, note"):
        linkmask.mask([{"id": "1", "note": "Seen today."}], {"text_field": "content"})
    argv = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--text-field", "content"]
    refused = CliRunner().invoke(main, argv)
    assert refused.exit_code == 1 and "The fields are: id, note" in refused.output
    assert not (tmp_path / "out").exists()


def test_a_first_row_that_is_data_is_not_shown(tmp_path: Path) -> None:
    said = message(tmp_path, "1973-04-02,Marta Lindqvist called\n2,b\n", id_field="number")
    assert "is the first row a header?" in said
    assert "Lindqvist" not in said and "1973" not in said


def test_a_long_list_of_fields_is_cut(tmp_path: Path) -> None:
    names = [f"field {number:02}" for number in range(40)]
    said = message(tmp_path, f"{','.join(names)}\n" + ",".join("x" * 40), exclude_fields=("gone",))
    assert "field 29, …" in said and "field 30" not in said


def test_the_field_of_the_text_cannot_be_left_out(tmp_path: Path) -> None:
    said = message(tmp_path, "id,content\n1,a\n", exclude_fields=("content",))
    assert "'content' is read as text" in said


@pytest.mark.parametrize("name", ["content", "note"])
def test_a_field_that_some_record_has_is_let_in(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"content": "a"}\n{"content": "b", "note": "c"}\n')
    check_fields(Corpus(tmp_path, Settings(text_field=name)))
