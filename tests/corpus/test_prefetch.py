"""Files that take long to read are read by several processes; what is read stays the same."""

import faulthandler
import multiprocessing
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.config import Settings
from linkmask.corpus import Corpus, as_markdown, prefetch
from linkmask.corpus.files import File
from linkmask.pipeline.detection.corpus_detection import detect_corpus
from linkmask.records import Document, SetAside
from linkmask.runs import Run
from trap_documents import TRAPS, made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a document of every kind, tables between them, and broken files."""
    folder = tmp_path / "in"
    folder.mkdir()
    for kind in TRAPS:
        trap = made(kind)
        (folder / trap.name).write_bytes(trap.data)
        (folder / f"broken-{trap.name}").write_bytes(trap.data[: len(trap.data) // 2])
    rows = [f"{n},Claim by Ottoline Brandvold" for n in range(40)]
    (folder / "m.csv").write_text("\n".join(["id,content", *rows]))
    (folder / "n.png").write_bytes(b"\x89PNG")
    return folder


def test_what_several_processes_read_is_what_one_reads(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Document by document, in the order of the input, with the same files set aside."""
    monkeypatch.setattr(prefetch, "WORTH", 1)
    alone = list(Corpus(folder, Settings(workers=1))())
    assert len(alone) > 60
    for workers in (2, 3):
        assert list(Corpus(folder, Settings(workers=workers))()) == alone


def test_what_is_masked_of_it_is_the_same_bytes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {}
    monkeypatch.setattr(prefetch, "WORTH", 1)
    for path in folder.iterdir():
        if path.suffix not in (".html", ".pdf", ".docx", ".mbox", ".csv", ".png"):
            path.unlink()
    for workers in ("1", "2"):
        out = tmp_path / workers
        command = ["mask", str(folder), "-o", str(out), "--workers", workers, "--quiet"]
        done = CliRunner().invoke(main, [*command, "--no-run", "--allow-unmet"])
        assert done.exit_code == 2, done.output
        files = [path for path in (out / "documents").rglob("*") if path.is_file()]
        found[workers] = {str(path.relative_to(out)): path.read_bytes() for path in files}
        found[workers]["set aside"] = (out / "set-aside.jsonl").read_bytes()
    assert found["1"] == found["2"]
    assert len(found["1"]) > 5


@pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="others load modules anew")
def test_a_file_that_crashes_its_reader_is_set_aside_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a PDF file may that is made to crash pdfium; all other files are read."""
    whole = as_markdown.documents

    def crashes(file: File, settings: Settings) -> object:
        if file.name.startswith("broken"):
            faulthandler.disable()  # pytest's, which would tell where it crashed
            os.abort()
        return whole(file, settings)

    monkeypatch.setattr(prefetch, "WORTH", 1)
    before = [one for one in Corpus(folder, Settings(workers=2))() if isinstance(one, Document)]
    monkeypatch.setattr(as_markdown, "documents", crashes)
    items = list(Corpus(folder, Settings(workers=2))())
    (crashed,) = [
        one for one in items if isinstance(one, SetAside) and one.origin.file.endswith(".pdf.md")
    ]
    assert crashed.reason == "broken: its reader crashed (SIGABRT)"
    assert [one for one in items if isinstance(one, Document)] == [
        one for one in before if one.origin.file != crashed.origin.file
    ]


def test_the_bar_of_detection_knows_how_many_documents_there_are(
    folder: Path, tmp_path: Path
) -> None:
    """So that it can say how much time is left; those that can't be read are among them."""
    shown = list[tuple[str, int, int | None]]()
    for path in folder.iterdir():
        if path.suffix not in (".html", ".csv"):
            path.unlink()
    corpus = Corpus(folder, Settings(workers=1))
    with Run.create(tmp_path / "run", corpus.settings, source=folder, digest="") as run:
        detect_corpus(corpus, run, corpus.settings, lambda *told: shown.append(told))
    assert [(done, total) for step, done, total in shown if step == "detect"] == [
        (done, 42) for done in range(1, 43)
    ]
