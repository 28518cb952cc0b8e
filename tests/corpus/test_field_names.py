"""A name of a field that no record has is refused, and the message shows no name there is."""

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


def test_an_unknown_field_is_refused_without_those_there_are(tmp_path: Path) -> None:
    """Keys of the input may be names of persons."""
    said = message(tmp_path, "id,Marta Lindqvist\n1,Seen today.\n", text_field="Marta Lindquist")
    assert said == (
        "no record has the field 'Marta Lindquist' (--text-field): check how it is spelled"
    )


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
        with pytest.raises(InputError, match=r"'content' .--text-field"):
            check_fields(Corpus(tmp_path / "in", settings))
    with pytest.raises(InputError, match=r"'content' .--text-field"):
        linkmask.mask([{"id": "1", "note": "Seen today."}], {"text_field": "content"})
    argv = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--text-field", "content"]
    refused = CliRunner().invoke(main, argv)
    assert refused.exit_code == 1 and "'content' (--text-field)" in refused.output
    assert not (tmp_path / "out").exists()


def test_a_first_row_that_is_data_is_not_shown(tmp_path: Path) -> None:
    said = message(tmp_path, "1973-04-02,Marta Lindqvist called\n2,b\n", id_field="number")
    assert "is the first row a header?" in said
    assert "Lindqvist" not in said and "1973" not in said


def test_the_field_of_the_text_cannot_be_left_out(tmp_path: Path) -> None:
    said = message(tmp_path, "id,content\n1,a\n", exclude_fields=("content",))
    assert "'content' is read as text" in said


PAGE = (
    "<html><head><title>Ms. Ada Brandvold</title></head>"
    "<body><!-- Ask Ms. Ada Brandvold. --><p onclick=\"a('Brandvold')\">Seen today.</p>"
    "<script>a = 'Brandvold'</script></body></html>"
)
MAIL = "From: ada@roth.example\nSubject: Roth\n\nSeen today.\n"


@pytest.mark.parametrize(
    ("file", "name"),
    [("a.html", "title"), ("a.html", "comments"), ("a.html", "content"), ("a.eml", "headers")],
)
def test_a_text_of_a_page_or_a_mail_cannot_be_left_out(
    file: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / file).write_text(PAGE if file == "a.html" else MAIL)
    argv = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--exclude-field", name]
    refused = CliRunner().invoke(main, argv)
    assert refused.exit_code == 1
    assert f"{name!r} is read as text, so --exclude-field {name} can't leave it out" in " ".join(
        refused.output.split()
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("files", [["a.html"], ["a.eml"], ["a.html", "a.txt"]])
def test_a_field_that_no_page_or_mail_can_have_is_refused(files: list[str], tmp_path: Path) -> None:
    """It is mistyped: nothing would be left out, and nothing said of it."""
    for file in files:
        (tmp_path / file).write_text(MAIL if file == "a.eml" else PAGE)
    with pytest.raises(InputError, match="no document has the field 'scirpts'"):
        check_fields(Corpus(tmp_path, Settings(exclude_fields=("attributes", "scirpts"))))
    check_fields(Corpus(tmp_path, Settings(exclude_fields=("attributes", "scripts"))))


def test_a_field_of_pages_may_be_left_out_beside_records_without_it(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"content": "a", "note": "b"}\n')
    (tmp_path / "a.html").write_text(PAGE)
    check_fields(Corpus(tmp_path, Settings(exclude_fields=("scripts", "note"))))


def test_scripts_and_attributes_of_a_page_can_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    settings = Settings(exclude_fields=("scripts", "attributes"))
    (document,) = Corpus(tmp_path, settings)()
    assert document.excluded == {"record/scripts", "record/attributes"}


@pytest.mark.parametrize("name", ["content", "note"])
def test_a_field_that_some_record_has_is_let_in(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"content": "a"}\n{"content": "b", "note": "c"}\n')
    check_fields(Corpus(tmp_path, Settings(text_field=name)))
