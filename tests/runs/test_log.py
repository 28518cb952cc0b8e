"""The log of mentions: document by document, resumed after a kill."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from linkmask.errors import RunError
from linkmask.runs import Run
from linkmask.runs.file_names import DETECTED
from linkmask.runs.mentions import encode, mentions_in
from runs_made import made, mention


def test_documents_without_mentions_are_done_too(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run:
        with run.log("stage1") as log:
            log.add("a", [mention("a"), mention("a", "Bo", 9)])
            log.add("b", [])
            assert not log.complete
            log.finish()
        assert run.documents("stage1") == ["a", "b"]
        assert list(run.mentions("stage1")) == [mention("a"), mention("a", "Bo", 9)]
        assert run.log("stage1").complete
        assert list(run.by_document("stage1"))[1] == ("b", [])


def test_lines_are_the_same_of_a_log_that_does_not_say_how_long_they_are(tmp_path: Path) -> None:
    """Logs of earlier versions do not; a log may also begin in one of these and go on today."""
    with made(tmp_path / "r") as run:
        with run.log() as log:
            log.add("a", [mention("a"), mention("a", "Bo", 9)])
            log.add("b", [])
        with run.log() as log:
            log.add("c", [mention("c")])
            log.finish()
        lines = dict(run.lines())
        assert {name: mentions_in(found) for name, found in lines.items()} == dict(
            run.by_document()
        )
        marks = run.path / "mentions.done.jsonl"
        first, *rest = marks.read_bytes().splitlines(keepends=True)
        marks.write_bytes(re.sub(rb',"sizes":[^]]*]', b"", first) + b"".join(rest))
        assert b"sizes" not in marks.read_bytes().splitlines()[0]
        assert dict(run.lines()) == dict(run.lines_by_document()) == lines
        assert run.log().complete


def test_a_log_is_merged_of_another_and_of_what_is_new(tmp_path: Path) -> None:
    """The lines of every document stand there, in the order given, those of a new one as given."""
    with made(tmp_path / "r") as before, made(tmp_path / "s") as run:
        before.replace_log(
            "mentions", ((name, [mention(name)] * n) for n, name in enumerate("abcdef"))
        )
        then = before.lines_by_document()
        anew = {"c": b"", **{one: encode(mention(one)) for one in "xy"}}
        run.merge("mentions", "xabcdyfez", then, anew)
        held = {**then, **anew}
        assert list(run.lines()) == [(name, held[name]) for name in "xabcdyfe"]
        assert run.documents() == list("xabcdyfe")


def test_mentions_join_those_of_their_document_at_their_place(tmp_path: Path) -> None:
    """Also in the log of what was detected, before a person corrected it; all else stays."""
    with made(tmp_path / "run") as run:
        first = {"a": [mention("a", "Ann Roy", 30)], "b": [mention("b", "Bo Lind", 8)]}
        run.replace_log("mentions", first.items())
        run.replace_log(DETECTED, first.items())
        before = dict(run.lines())
        run.add_mentions({"a": [mention("a", "Cy Holt", 4), mention("a", "Di Wenz", 50)]})
        after = dict(run.by_document())
        assert [one.original for one in after["a"]] == ["Cy Holt", "Ann Roy", "Di Wenz"]
        assert dict(run.lines())["b"] == before["b"]
        assert dict(run.by_document(run.uncorrected)) == after


def test_a_document_is_logged_once(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run:
        with run.log() as log:
            log.add("a", [])
        with run.log() as log, pytest.raises(RunError, match="twice"):
            log.add("a", [mention("a")])


def test_what_broke_off_keeps_whole_documents(tmp_path: Path) -> None:
    def half() -> Any:
        yield mention("b")
        raise KeyError("in the detector")

    with made(tmp_path / "r") as run:
        with pytest.raises(KeyError), run.log() as log:
            log.add("a", [mention("a")])
            log.add("b", half())
        assert run.documents() == ["a"]
        assert [m.document for m in run.mentions()] == ["a"]


@pytest.mark.parametrize(
    "torn", [b'{"document": "b", "orig', b"\xff\xfe", b'{"document":"b"}\n' * 3]
)
def test_what_is_torn_is_cut_off(tmp_path: Path, torn: bytes) -> None:
    with made(tmp_path / "r") as run:
        with run.log() as log:
            log.add("a", [mention("a")])
        for name in ("mentions.jsonl", "mentions.done.jsonl"):
            with (run.path / name).open("ab") as handle:
                handle.write(torn)
        with run.log() as log:
            assert list(log.done) == ["a"]
            log.add("b", [mention("b")])
            log.finish()
        assert run.documents() == ["a", "b"]
        assert [m.document for m in run.mentions()] == ["a", "b"]


def test_a_log_shorter_than_it_was_is_damaged(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run:
        with run.log() as log:
            log.add("a", [mention("a")])
        (run.path / "mentions.jsonl").write_bytes(b"")
        with pytest.raises(RunError, match="damaged"):
            run.log()


KILLED = """
import os, signal, sys
from pathlib import Path
from linkmask.config import Settings
from linkmask.records import Mention, Why
from linkmask.runs import Run, log
log.BATCH = 7
run = Run.resume(Path(sys.argv[1]), Settings(), source=Path("/"), digest="d1")
writing = run.log()
for number in range(1000):
    name = f"doc{number}"
    if name in writing.done:
        continue
    found = [Mention(name, "content", n, n + 1, "NAME", "x", "x", 0.5, Why("d")) for n in range(3)]
    writing.add(name, found)
    if len(writing.done) == int(sys.argv[2]):
        print("now", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
writing.finish()
"""


def test_killed_again_and_again_it_ends_as_if_never_killed(tmp_path: Path) -> None:
    path = tmp_path / "r"
    for stop in (10, 11, 300, 999):
        ended = subprocess.run([sys.executable, "-c", KILLED, str(path), str(stop)], check=False)
        assert ended.returncode == -signal.SIGKILL
    subprocess.run([sys.executable, "-c", KILLED, str(path), "-1"], check=True)
    with Run.open(path) as run:
        assert run.documents() == [f"doc{number}" for number in range(1000)]
        found = Counter(m.document for m in run.mentions())
        assert list(found.items()) == [(f"doc{number}", 3) for number in range(1000)]


def test_kept_lines_are_those_of_the_log_as_it_is_now(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run:
        run.keeps_lines = True
        run.replace_log("mentions", [("a", [mention("a")]), ("b", [])])
        first = run.lines_by_document()
        assert run.lines_by_document() is first
        run.replace_log("mentions", [("a", [mention("a", "Bo", 9)]), ("b", []), ("c", [])])
        now = run.lines_by_document()
        assert list(now) == ["a", "b", "c"]
        assert sorted(now.differing(first)) == sorted(now.differing(first)) == ["a", "c"]
