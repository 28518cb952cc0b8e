"""The folder of mixed files that is measured holds what it is said to hold."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import documents
from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.records import Document, SetAside


def test_each_made_file_is_read_whole_but_for_pictures(tmp_path: Path) -> None:
    documents.make(tmp_path, 2 * len(documents.MADE))
    found = list(read(tmp_path, Settings()))
    aside = {one.origin.file for one in found if isinstance(one, SetAside)}
    assert len(aside) == 2 and all(name.endswith(".png") for name in aside)
    texts = {one.origin.file: one.text for one in found if isinstance(one, Document)}
    endings = Counter(name.partition(".")[2] for name in texts)
    assert endings == {("pdf.md" if e == "pdf" else e): 2 for e in documents.MADE if e != "png"}
    assert min(map(len, texts.values())) > 200


def test_every_second_file_of_a_folder_is_copied_and_no_link(tmp_path: Path) -> None:
    (tmp_path / "in" / "b").mkdir(parents=True)
    for name in ("a.txt", "b/c.txt", "d.txt", "e.txt"):
        (tmp_path / "in" / name).write_text(name)
    (tmp_path / "in" / "link.txt").symlink_to("a.txt")
    documents.copied(tmp_path / "in", tmp_path / "out", every=2)
    found = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.txt")}
    assert found == {"a.txt", "d.txt"}
