"""A folder of things that are no documents, and names that nobody expects: each is said."""

from __future__ import annotations

import os
import socket
from hashlib import md5
from pathlib import Path

import pytest

from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.records import Document, SetAside

SETTINGS = Settings()


def names(source: Path) -> tuple[list[str], list[str]]:
    """Names of the files that hold documents, and of those that were set aside."""
    items = list(Corpus(source, SETTINGS)())
    read = [item.origin.file for item in items if isinstance(item, Document)]
    return read, [item.origin.file for item in items if isinstance(item, SetAside)]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "good.txt").write_text("x")
    return tmp_path


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "parquet", "txt"])
def test_pipes_sockets_and_links_are_set_aside_and_waited_for_by_nobody(
    source: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(source)  # a socket's path may have but a hundred characters
    os.mkfifo(source / f"a.{ending}")
    socket.socket(socket.AF_UNIX).bind(f"b.{ending}")
    (source / f"c.{ending}").symlink_to("good.txt")
    (source / f"d.{ending}").symlink_to(f"d.{ending}")
    (source / f"e.{ending}").symlink_to("/dev/zero")
    read, aside = names(source)
    assert read == ["good.txt"]
    assert aside == [f"{name}.{ending}" for name in "abcde"]


def test_a_folder_named_like_a_file_is_a_folder(source: Path) -> None:
    (source / "a.json").mkdir()
    (source / "a.json" / "b.parquet").mkdir()
    (source / "a.json" / "b.parquet" / "c.txt").write_text("x")
    assert names(source) == (["a.json/b.parquet/c.txt", "good.txt"], [])


@pytest.mark.parametrize("name", ["a\nb", "a\u2028b", " ", "a\tb", "ä" * 100, "'\"", "\\", "$(x)"])
def test_odd_names_are_names(source: Path, name: str) -> None:
    (source / f"{name}.txt").write_text("x")
    assert sorted(names(source)[0]) == sorted(["good.txt", f"{name}.txt"])


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "tsv", "parquet"])
@pytest.mark.parametrize(
    "data", [b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"\n\n", b"[]", b"null"]
)
def test_nothing_and_next_to_nothing_is_set_aside(source: Path, ending: str, data: bytes) -> None:
    (source / f"a.{ending}").write_bytes(data)
    assert names(source) == (["good.txt"], [f"a.{ending}"])


def test_an_id_that_is_made_like_a_hashed_one_is_no_other_document(tmp_path: Path) -> None:
    """Two documents share an id, a third is called what one of them will be."""
    digest = md5(b"x", usedforsecurity=False).hexdigest()
    ids = ["a", f"a{digest}", "a", f"a#2{md5(b'x', usedforsecurity=False).hexdigest()}", "a"]
    lines = [f'{{"id": "{given}", "content": "x"}}\n' for given in ids]
    (tmp_path / "a.jsonl").write_text("".join(lines))
    found = [item.id for item in Corpus(tmp_path, SETTINGS)() if isinstance(item, Document)]
    assert len(set(found)) == 5
    assert (found[1], found[3]) == (ids[1], ids[3])
