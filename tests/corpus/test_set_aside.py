"""What can't be read is set aside with its reason, and the rest goes on."""

from __future__ import annotations

import gzip
import json
import os
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from corpus_items import SECRET, folder_with_one, ids, items, lines, reason
from linkmask.cli import main
from linkmask.commands import mask_files
from linkmask.config import Settings, load
from linkmask.corpus import read, write
from linkmask.corpus.file_kinds import KINDS
from linkmask.errors import InputError, SettingsError
from linkmask.records import Document, Masked, SetAside
from trap_masking import released

TEXTS_OF_SCRIPTS = [
    "Dr. Müller kommt … vielleicht am 3. März ……",
    "患者は昨日、東京の病院に入院しました。すぐに手術を受けたとのことです。",
    "ありがとうございました。またきてくださいね。",
    "患者王小明昨天在北京医院住院,医生说他很快就会好起来。",
    "さとうはなこ",
    "Пациент поступил вчера",
    "김민수 환자는 어제 입원했습니다",
]

# ── what is set aside ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty file"),
        (f'{{"content": "{SECRET}"', "ends too early"),
        (f'{{\n "content":\n   {SECRET}}}', "line 3, column 4"),
        (f'"{SECRET}"', "not a JSON object"),
        (f'["{SECRET}"]', "a list that holds no JSON object"),
        ("[]", "a list that holds no JSON object"),
        (f'[{{"content": "{SECRET}"}},]', "broken JSON"),
        ('{"content": null}', "is null, not text"),
        ('{"content": 12}', "is a number, not text"),
        ('{"content": ["a"]}', "is a list, not text"),
        ('{"content": "x", "id": 1.5}', "'id' is neither text nor a whole number"),
        ('{"content": "x", "id": true}', "'id' is neither text nor a whole number"),
        ('{"content": "x", "id": {}}', "'id' is neither text nor a whole number"),
        ('{"content": "x", "score": NaN}', "at column 27: NaN is no JSON, write null"),
        ('{"content": "x", "score": -Infinity}', "Infinity is no JSON, write null"),
        ('{"content": "x", "metadata": {"n": 1e999}}', "out of range"),
        ('{"content": "\\ud800"}', "a character is incomplete"),
        ('{"content": "x", "z": ' + "[" * 100_000 + "]" * 100_000 + "}", "too deep"),
        ('{"content": "x", "metadata": {"z": ' + '{"a":' * 10_000 + "1" + "}" * 10_002, "too deep"),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_no_document_is_set_aside_with_its_reason(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "a.json").write_text(text)
    assert said in reason(tmp_path)


def test_the_rest_of_a_file_goes_on(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(
        b'{"id": "a", "content": "x"}\n{"id": "b", "content":\n'
        b'{"id": "c", "content": "\xe9"}\r\n   \n{"id": "d", "content": "y"}'
    )
    found = items(tmp_path)
    assert [type(item).__name__ for item in found] == [
        "Document", "SetAside", "SetAside", "Document",
    ]  # fmt: skip
    assert [item.origin.row for item in found] == [0, 1, 2, 4]
    assert isinstance(found[2], SetAside)
    assert "iconv" in found[2].reason
    assert found[2].document == "a.jsonl:3"


def test_the_rest_of_a_list_goes_on(tmp_path: Path) -> None:
    """What is no object, and an object with a key twice, is set aside alone."""
    (tmp_path / "a.json").write_text(
        '[{"id": "a", "content": "x"}, "y", {"content": "z"}, {"content": "1", "content": "2"}]'
    )
    found = items(tmp_path)
    assert [type(item).__name__ for item in found] == [
        "Document", "SetAside", "Document", "SetAside",
    ]  # fmt: skip
    assert [item.origin.row for item in found] == [1, 2, 3, 4]
    assert isinstance(found[2], Document) and found[2].id == "a.json:3"
    assert isinstance(found[3], SetAside) and "a key twice" in found[3].reason


def test_latin1_is_set_aside_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("café Müller".encode("latin-1"))
    assert "not UTF-8 at byte 3" in reason(tmp_path)
    assert "iconv -f WINDOWS-1252" in reason(tmp_path)


@pytest.mark.parametrize("field", ["content", "other"])
def test_bytes_that_are_not_utf8_are_seen_in_every_field(tmp_path: Path, field: str) -> None:
    record = {"id": "1", "content": "x", "metadata": {}, "other": "y", field: "caf\xe9"}
    (tmp_path / "a.jsonl").write_bytes(json.dumps(record, ensure_ascii=False).encode("latin-1"))
    assert "not UTF-8" in reason(tmp_path)


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "txt"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path: Path, codec: str, ending: str) -> None:
    text = "Müller, \U0001f600 und Söhne"
    written = {
        "json": json.dumps({"id": "1", "content": text}, ensure_ascii=False),
        "jsonl": json.dumps({"id": "1", "content": text}, ensure_ascii=False) + "\n",
        "csv": f'id,content\n1,"{text}"\n',
        "txt": text,
    }[ending]
    (tmp_path / f"a.{ending}").write_bytes(written.encode(codec))
    (document,) = items(tmp_path)
    assert isinstance(document, Document)
    assert document.content == text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "txt"])
def test_text_without_a_mark_is_read_as_utf16_or_as_it_is_said(
    tmp_path: Path, codec: str, ending: str
) -> None:
    """What is read in an encoding is written in it."""
    text = {
        "json": json.dumps({"id": "1", "content": "Müller and Söhne"}, ensure_ascii=False),
        "jsonl": json.dumps({"id": "1", "content": "Müller and Söhne"}, ensure_ascii=False) + "\n",
        "csv": "id,content\n1,Müller and Söhne\n",
        "txt": "Müller and Söhne",
    }[ending]
    source = tmp_path / f"a.{ending}"
    source.write_bytes(text.encode(codec))
    settings = Settings(encoding="" if codec.startswith("utf") else codec)
    (document,) = items(source, settings)
    assert isinstance(document, Document)
    assert document.content == "Müller and Söhne"
    out = tmp_path / "out"
    write(source, out, [Masked(document, document, ())], settings)
    written = (out / "documents" / f"a.{ending}").read_bytes()
    assert written == text.encode(codec)


@pytest.mark.parametrize(
    "text", ["Mr Ottoline Brandvold\0" * 99, "Ada\0Bob\0Eve\0" * 9, "José X\0" * 9]
)
def test_ascii_text_with_zeros_between_its_words_is_not_read_as_utf16(
    tmp_path: Path, text: str
) -> None:
    """Its pairs of letters would be East Asian characters, in which no name is found."""
    (tmp_path / "a.txt").write_bytes(text.encode())
    assert "holds NUL bytes" in reason(tmp_path)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-32", "cp037"])
def test_ascii_text_is_not_decoded_by_a_codec_that_ascii_is_no_part_of(
    tmp_path: Path, codec: str
) -> None:
    text = "Patient: Ottoline Brandvold, seen twice."
    (tmp_path / "a.txt").write_text(text)
    assert "as it is said to be" in reason(tmp_path, Settings(encoding=codec))
    (tmp_path / "a.txt").unlink()
    (tmp_path / "a.html").write_text(f'<meta charset="{codec}"><p>{text}')
    assert "as it is said to be" in reason(tmp_path)


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", TEXTS_OF_SCRIPTS)
def test_utf16_is_read_in_every_script(tmp_path: Path, text: str, codec: str) -> None:
    (tmp_path / "a.txt").write_bytes(text.encode(codec))
    (document,) = items(tmp_path, Settings(encoding=codec))
    assert isinstance(document, Document)
    assert document.content == text


def test_an_encoding_that_there_is_not_is_refused() -> None:
    with pytest.raises(SettingsError, match="no encoding 'utf-17'"):
        load(overrides={"encoding": "utf-17"})


@pytest.mark.parametrize(("name", "text"), [("a.csv", "id,content\n"), ("a.jsonl", "\n\n")])
def test_a_file_without_a_row_is_set_aside(tmp_path: Path, name: str, text: str) -> None:
    """It is not written, so it must not vanish without a word."""
    (tmp_path / name).write_text(text)
    (tmp_path / "b.txt").write_text("text")
    first, second = read(tmp_path, Settings())
    assert isinstance(first, SetAside) and first.document == name and "no row" in first.reason
    assert isinstance(second, Document)
    assert [item.id for item in read(tmp_path, Settings(), only=["b"])] == ["b"]


def test_empty_texts_are_documents(tmp_path: Path) -> None:
    lines(tmp_path / "a.jsonl", {"id": "x", "content": ""}, {"id": "y", "content": " "})
    (tmp_path / "b.txt").write_text("")
    assert ids(tmp_path) == ["x", "y", "b"]


def test_a_3_mb_text_is_read_whole_and_one_beyond_the_limit_is_not(tmp_path: Path) -> None:
    long = "word " * 600_000
    lines(tmp_path / "a.jsonl", {"id": "x", "content": long}, {"id": "y", "content": "z"})
    (tmp_path / "b.csv").write_text(f"id,content\nc,{long}\n")
    (tmp_path / "c.txt").write_text(long)
    found = items(tmp_path)
    assert [len(d.content) for d in found if isinstance(d, Document)] == [
        3_000_000,
        1,
        *[3_000_000] * 2,
    ]
    tight = items(tmp_path, Settings(max_characters=2_999_999))
    assert [type(item).__name__ for item in tight] == [
        "SetAside", "Document", "SetAside", "SetAside",
    ]  # fmt: skip


def test_a_line_beyond_all_limits_is_dropped_without_being_held(tmp_path: Path) -> None:
    settings = Settings(max_characters=10)
    (tmp_path / "a.jsonl").write_bytes(
        b'{"content": "a"}\n' + b"x" * 3_000_000 + b'\n{"content": "b"}\n'
    )
    found = items(tmp_path, settings)
    assert [item.origin.row for item in found] == [0, 1, 2]
    assert isinstance(found[1], SetAside)
    assert "too large" in found[1].reason


@pytest.mark.parametrize(
    "twice",
    [
        f'"content": "{SECRET}", "content": "b"',
        f'"content": "b", "metadata": {{"k": "{SECRET}", "k": 1}}',
        f'"content": "b", "list": [{{"a": {{"k" :\t"{SECRET}", "k"\t: 1}}}}]',
        f'"content": "b", "k": "{SECRET}", "\\u006b": "x", "c\\\\": 1',
        f'"content": "b", "n": {"9" * 300}.5, "k": "{SECRET}", "k": ""',
    ],
)
@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_a_record_with_a_key_twice_is_set_aside_since_its_first_value_is_not_read(
    tmp_path: Path, twice: str, ending: str
) -> None:
    """In JSON lines the records beside it are read."""
    lines = [f"{{{twice}}}"]
    if ending == "jsonl":
        lines = ['{"content": "a"}', *lines, '{"content": ":) \\"c\\": ", "t": "12:30"}']
    (tmp_path / f"a.{ending}").write_text("\n".join(lines))
    found = items(tmp_path)
    (broken,) = [item for item in found if isinstance(item, SetAside)]
    assert len(found) == len(lines) and found.index(broken) == len(lines) // 2
    assert "a key twice" in broken.reason and SECRET not in str(broken)


def test_metadata_of_a_table_with_a_key_twice_is_read_whole_as_a_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f'content,metadata\na,"{{""k"":""{SECRET}"",""k"":""b""}}"\n')
    (document,) = items(tmp_path)
    assert isinstance(document, Document)
    assert any(SECRET in str(value) for _, value in document.leaves())


@pytest.mark.parametrize("name", ["a.log.gz", "a.gz", "a.jsonl.gz", "a.csv.gz"])
def test_an_empty_or_truncated_file_of_gzip_is_set_aside(tmp_path: Path, name: str) -> None:
    whole = gzip.compress(b'{"content": "a"}\n' * 50)
    for data in (b"", whole[:5], whole[:-5]):
        (tmp_path / name).write_bytes(data)
        aside = [item for item in items(tmp_path) if isinstance(item, SetAside)]
        assert [item.reason for item in aside] == ["not a gzip file, or a damaged one"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,content,id\n1,x,2\n", "names a column twice"),
        ("", "no column"),
        ("id,content\n1,x,y\n", "3 cells, the header 2"),
        (f'id,content\n1,"{SECRET}', "broken quoting"),
        (f'id,content\n1,"a "{SECRET}" b"\n', "broken quoting"),
    ],
)
def test_csv_rows_that_are_none_are_set_aside(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    assert said in reason(tmp_path)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("1,Odalys Brandvold,1980-02-03", "no column has a name that is known"),
        ("date,Odalys Brandvold,Teemu Kallio", "no column has a name that is known"),
        ("name,Odalys Brandvold,note", "column 2 may be called by somebody's name"),
    ],
)
def test_a_table_that_may_be_headed_by_persons_is_set_aside(
    tmp_path: Path, header: str, said: str
) -> None:
    """Names of columns are not masked: without a named text they must be known as such."""
    (tmp_path / "a.csv").write_text(f"{header}\n1,x,y\n")
    assert said in reason(tmp_path) and "Brandvold" not in reason(tmp_path)


@pytest.mark.parametrize(
    "header",
    [
        "id,full_name,dob",
        "Customer No,Full Name,Note",
        "Kunden Nr,Name Vorname,Bemerkung",
        "KVNR,Name,Ort",
    ],
)
def test_usual_names_of_columns_need_no_option(tmp_path: Path, header: str) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\n1,x,y\n")
    assert [type(one) for one in items(tmp_path)] == [Document]


def test_csv_rows_after_a_broken_one_go_on(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'id,content\n1,a\n2,"b" b\n3,\xe9\n4\n5,c\n')
    found = items(tmp_path)
    assert [(item.origin.row, type(item) is Document) for item in found] == [
        (0, True), (1, False), (2, False), (3, False), (4, True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"content": [1]}, "holds int64, not text"),
        ({"content": pa.array([None], pa.string())}, "is null, not text"),
        ({"content": ["x"], "id": [1.5]}, "'id' holds double"),
        ({"content": ["x"], "scan": [b"x"]}, "'scan' holds binary, which can't be read"),
        ({"content": ["x"], "metadata": pa.array([[("a", "b"), ("a", "c")]],
                                                 pa.map_(pa.string(), pa.string()))}, "twice"),
    ],
)  # fmt: skip
def test_parquet_that_is_no_corpus_is_set_aside(
    tmp_path: Path, columns: dict[str, object], said: str
) -> None:
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    assert said in reason(tmp_path)


def test_a_file_that_only_says_it_is_parquet_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text(SECRET)
    assert "not a Parquet file" in reason(tmp_path)


# ── files that are none ─────────────────────────────────────────────────────────────────────────


def test_links_are_named_and_not_followed(tmp_path: Path) -> None:
    source = folder_with_one(tmp_path)
    (tmp_path / "secret.txt").write_text(SECRET)
    (source / "a.txt").symlink_to(tmp_path / "secret.txt")
    (source / "b").symlink_to(source)
    (source / "c.txt").symlink_to(tmp_path / "nowhere")
    found = items(source)
    assert [
        (i.document, "symbolic link" in i.reason) for i in found if isinstance(i, SetAside)
    ] == [
        ("a.txt", True),
        ("b", True),
        ("c.txt", True),
    ]
    assert [i.content for i in found if isinstance(i, Document)] == ["fine"]


def test_pipes_hidden_and_other_files_are_named(tmp_path: Path) -> None:
    source = folder_with_one(tmp_path)
    os.mkfifo(source / "a.txt")
    for name in (".b.txt", ".DS_Store", "c.xls", "d.pdf"):
        (source / name).write_text(SECRET)
    (source / ".git").mkdir()
    (source / ".git" / "e.txt").write_text(SECRET)
    said = {i.document: i.reason for i in items(source) if isinstance(i, SetAside)}
    assert sorted(said) == [".b.txt", "a.txt", "c.xls", "d.pdf"]
    assert "not a regular file" in said["a.txt"]
    assert "hidden" in said[".b.txt"]
    assert "not a PDF file" in said["d.pdf"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_is_set_aside(tmp_path: Path) -> None:
    source = folder_with_one(tmp_path)
    (source / "a.txt").write_text("x")
    (source / "a.txt").chmod(0)
    assert "can't be read" in reason(source)


def test_a_file_that_vanishes_is_set_aside(tmp_path: Path) -> None:
    source = folder_with_one(tmp_path)
    (source / "z.txt").write_text("x")
    reading = read(source, Settings())
    next(reading)
    (source / "z.txt").unlink()
    (gone,) = reading
    assert isinstance(gone, SetAside)
    assert "disappeared" in gone.reason


def test_a_link_put_in_a_files_place_while_reading_is_not_followed(tmp_path: Path) -> None:
    source = folder_with_one(tmp_path)
    (source / "z.txt").write_text("x")
    reading = read(source, Settings())
    next(reading)
    (source / "z.txt").unlink()
    (source / "z.txt").symlink_to("/etc/hostname")
    (refused,) = reading
    assert isinstance(refused, SetAside) and "symbolic links" in refused.reason


def test_names_that_are_no_utf8_are_set_aside(tmp_path: Path) -> None:
    source = folder_with_one(tmp_path)
    (source / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    assert "name is not UTF-8" in reason(source)


def test_nothing_to_read_is_an_error_that_says_what_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.xls").write_text("x")
    for source in (tmp_path, tmp_path / "a.xls"):
        with pytest.raises(InputError, match="a folder of files") as told:
            read(source, Settings())
        assert all(kind in str(told.value) for kind in KINDS)
    with pytest.raises(InputError) as absent:
        read(tmp_path / "absent", Settings())
    assert str(absent.value) == f"can't read {tmp_path / 'absent'}: No such file or directory"


def test_the_list_names_the_place_in_the_input(tmp_path: Path) -> None:
    """The text of a PDF file is written under another name, and a whole file has no row."""
    source, out = tmp_path / "in", tmp_path / "out"
    (source / "sub").mkdir(parents=True)
    for name in ("b.pdf", "sub/c.rtf", "k.docx", "p.parquet", "e.csv"):
        (source / name).write_text("")
    (source / "e.pdf.gz").write_bytes(gzip.compress(b"no PDF"))
    (source / "read.pdf.md").write_text("Ms. Anna Brandvold called.")
    (source / "t.csv").write_text('id,content\n1,a\n2,b,c\n3,"open\n')
    (source / "l.json").write_text('[{"content": "a"}, {"content": 5}]')
    (source / "j.jsonl").write_text('{"content": "a"}\n{broken\n')
    with zipfile.ZipFile(source / "z.zip", "w") as archive:
        archive.writestr("a.txt", "a")
        archive.writestr("b.pdf", "no PDF")
    mask_files(source, out, Settings(workers=1, detector="rules"))
    listed = [json.loads(line) for line in (out / "set-aside.jsonl").read_text().splitlines()]
    assert sorted((one["file"], one.get("row", 0)) for one in listed) == [
        ("b.pdf", 0), ("e.csv", 0), ("e.pdf.gz", 0), ("j.jsonl", 2), ("k.docx", 0),
        ("l.json", 2), ("p.parquet", 0), ("sub/c.rtf", 0), ("t.csv", 2), ("t.csv", 3),
        ("z.zip", 2),
    ]  # fmt: skip
    said = CliRunner().invoke(main, ["check", str(source)]).output
    assert "b.pdf: set aside at read: " in said and "t.csv, row 3: set aside at read: " in said


def test_columns_of_one_name_are_read_and_written_as_they_are(tmp_path: Path) -> None:
    """Exports of ticket systems have a column for each comment, all of one name."""
    table = "id,Comment,Comment 2,Comment,Comment\n1,Roth,x,Otto,Roth\n"
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.csv").write_text(table)
    (document,) = read(tmp_path / "in", Settings())
    assert isinstance(document, Document)
    assert [*document.others] == ["Comment", "Comment 2", "Comment 3", "Comment 4"]
    written = released(tmp_path / "in", tmp_path / "out", ["Roth"])["a.csv"]
    assert written.decode() == table.replace("Roth", "[NAME]")
