"""A corpus read several times: the same each time, whatever happens to its files meanwhile."""

from __future__ import annotations

import io
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkmask.config import Settings
from linkmask.corpus import Corpus, Unwritable, csv_tables, write
from linkmask.errors import LossError
from linkmask.records import Document, Masked, Origin, SetAside

SETTINGS = Settings()


def folder(tmp_path: Path, **texts: str) -> Path:
    source = tmp_path / "in"
    source.mkdir()
    for name, text in texts.items():
        (source / f"{name}.txt").write_text(text)
    return source


def masked(items: Iterator[Document | SetAside]) -> Iterator[Masked | SetAside]:
    for item in items:
        yield item if isinstance(item, SetAside) else Masked(item, item, [])


def reasons(items: Iterator[Document | SetAside]) -> dict[str, str]:
    return {item.origin.file: item.reason for item in items if isinstance(item, SetAside)}


def unlinked(path: Path) -> None:
    path.unlink()


def rewritten(path: Path) -> None:
    path.write_text("other")


def replaced(path: Path) -> None:
    """Another file of the same size and time in its place."""
    about = path.stat()
    path.with_name("new").write_text("B")
    path.with_name("new").replace(path)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


@pytest.mark.parametrize("change", [unlinked, rewritten, replaced])
def test_a_file_that_changes_between_two_readings_is_set_aside_by_the_second(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    source = folder(tmp_path, a="A", b="B", c="C")
    corpus = Corpus(source, SETTINGS)
    assert not reasons(corpus())
    change(source / "b.txt")
    again = list(corpus())
    assert [item.origin.file for item in again] == ["a.txt", "b.txt", "c.txt"]
    assert list(reasons(iter(again))) == ["b.txt"]


def test_what_is_kept_is_not_read_again_and_is_set_aside_when_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kept are whole files, as long as there is room; other parts of the corpus have them, too."""
    monkeypatch.setattr(import_module("linkmask.corpus.read"), "KEPT", 1)
    source = folder(tmp_path, a="one", b="two")
    corpus = Corpus(source, SETTINGS)
    corpus.keep()
    monkeypatch.undo()
    assert not reasons(corpus())
    (source / "a.txt").write_text("three")
    (source / "b.txt").write_text("four")
    assert list(reasons(corpus())) == ["b.txt"]
    part = corpus.part({"a.txt"})
    (kept,) = part()
    assert isinstance(kept, Document) and kept.content == "one"
    with pytest.raises(Unwritable):
        write(source, tmp_path / "out", masked(part()), SETTINGS, corpus=part)


def test_a_file_that_comes_while_the_corpus_is_read_is_not_in_it(tmp_path: Path) -> None:
    source = folder(tmp_path, a="A")
    corpus = Corpus(source, SETTINGS)
    list(corpus())
    (source / "b.txt").write_text("B")
    assert [item.origin.file for item in corpus()] == ["a.txt"]


def test_a_file_that_changes_while_it_is_written_is_not_released(tmp_path: Path) -> None:
    source = folder(tmp_path, a="A", b="B")
    corpus = Corpus(source, SETTINGS)
    list(corpus())

    def stream() -> Iterator[Masked | SetAside]:
        yield from masked(corpus())
        (source / "b.txt").write_text("changed")

    with pytest.raises(Unwritable) as broken:
        write(source, tmp_path / "out", stream(), SETTINGS, corpus=corpus)
    assert list(broken.value.files) == ["b.txt"]
    assert not (tmp_path / "out" / "documents").exists()


@pytest.mark.parametrize("missing", ["released", "set aside"])
def test_a_document_that_does_not_come_out_fails_the_run_and_names_its_file(
    tmp_path: Path, missing: str
) -> None:
    source = folder(tmp_path, a="A", b="B")
    (source / "c.json").write_text("{")
    corpus = Corpus(source, SETTINGS)
    items = list(masked(corpus()))
    del items[1 if missing == "released" else 2]
    with pytest.raises(LossError, match="b.txt" if missing == "released" else "c.json"):
        write(source, tmp_path / "out", iter(items), SETTINGS, corpus=corpus)
    assert not (tmp_path / "out" / "documents").exists()


def test_an_error_in_the_stream_is_not_taken_for_a_broken_file(tmp_path: Path) -> None:
    source = folder(tmp_path, a="A", b="B")

    def stream() -> Iterator[Masked | SetAside]:
        yield next(masked(Corpus(source, SETTINGS)()))
        raise ValueError("ours")

    with pytest.raises(ValueError, match="ours"):
        write(source, tmp_path / "out", stream(), SETTINGS)


def test_any_error_of_a_reader_sets_aside_the_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = folder(tmp_path, a="A", b="B")
    (source / "c.csv").write_text("content\nC\n")

    def broken(file: object, settings: Settings) -> Iterator[Document]:
        yield Document("c", "C", {}, Origin("c.csv"))
        raise RuntimeError("Zebulon Quist")

    monkeypatch.setattr(csv_tables, "documents", broken)
    monkeypatch.setattr(csv_tables, "ids", lambda file, settings: iter(["c", 1 / 0]))
    items = list(Corpus(source, SETTINGS)())
    assert [item.id for item in items if isinstance(item, Document)] == ["a", "b", "c"]
    assert reasons(iter(items)) == {"c.csv": "broken: it can't be read on (RuntimeError)"}


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A folder with a file in it 1,500 folders down; Python, and so pytest, can't remove it."""
    source = folder(tmp_path, z="Z")
    here = os.open(source, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("a.txt", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    yield source
    subprocess.run(["rm", "-r", source], check=True)


def test_folders_nested_deeper_than_python_calls_are_read(deep: Path) -> None:
    names = [item.origin.file for item in Corpus(deep, SETTINGS)()]
    assert names == ["d/" * 1500 + "a.txt", "z.txt"]


# ── tables ──────────────────────────────────────────────────────────────────────────────────────


def table(rows: int, **columns: object) -> pa.Table:
    texts = [f"text {n}" for n in range(rows)]
    return pa.table({"content": texts, "rank": [f"{n:08}" for n in range(rows)], **columns})


def damaged(data: bytes, at: bytes) -> bytes:
    """Damage the page that holds some bytes."""
    found = data.index(at)
    return data[: found - 4] + b"\xff" * 4 + data[found:]


def test_a_row_group_with_damage_in_any_column_is_set_aside_and_those_before_it_are_not(
    tmp_path: Path,
) -> None:
    out = io.BytesIO()
    how = {"compression": "none", "use_dictionary": False, "row_group_size": 2}
    pq.write_table(table(6), out, **how)
    path = tmp_path / "a.parquet"
    path.write_bytes(damaged(out.getvalue(), b"00000002"))  # in the column nobody names
    corpus = Corpus(path, SETTINGS)
    items = list(corpus())
    assert [item.content for item in items if isinstance(item, Document)] == ["text 0", "text 1"]
    assert "damaged" in reasons(iter(items))["a.parquet"]
    write(path, tmp_path / "out", masked(corpus()), SETTINGS, corpus=corpus)
    written = pq.read_table(tmp_path / "out" / "documents" / "a.parquet")
    assert written.column("rank").to_pylist() == ["00000000", "00000001"]


@pytest.mark.parametrize("header", ["content,x\udce9", "x\udce9,content"])
def test_a_header_that_is_not_utf8_sets_the_table_aside(tmp_path: Path, header: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(f"{header}\na,b\n".encode(errors="surrogateescape"))
    assert "not UTF-8" in reasons(Corpus(path, SETTINGS)())["a.csv"]


# ── encodings ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0"])
@pytest.mark.parametrize("ending", ["txt", "json", "jsonl", "csv"])
def test_a_mark_of_wide_characters_before_text_of_single_bytes_is_not_believed(
    tmp_path: Path, mark: bytes, ending: str
) -> None:
    """Read by the mark it would be released as it is: no name is found in what it seems to say."""
    text = json.dumps({"content": "Patient name: Ottoline Brandvold, of Brandvold Street 7"})
    (tmp_path / f"a.{ending}").write_bytes(mark + text.encode())
    assert len(reasons(Corpus(tmp_path, SETTINGS)())) == 1


def test_wide_characters_out_of_step_are_set_aside(tmp_path: Path) -> None:
    data = "\ufeffNothing here. Patient name: Ottoline Brandvold".encode("utf-16-le")
    (tmp_path / "a.txt").write_bytes(data[:20] + b"x" + data[20:] + b"x")
    assert "shifted by a byte" in reasons(Corpus(tmp_path, SETTINGS)())["a.txt"]


@pytest.mark.parametrize(
    "text", ["患者姓名：张伟，一九八〇年生。", "Patient: Jörg Å. 5 €", "────────"]
)
def test_wide_characters_in_step_are_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_bytes(f"\ufeff{text}".encode("utf-16-le"))
    (item,) = Corpus(tmp_path, SETTINGS)()
    assert isinstance(item, Document) and item.content == text
