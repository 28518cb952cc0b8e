"""The run folder: private, written whole or not at all, resumed after a kill."""

from __future__ import annotations

import json
import signal
import stat
import subprocess
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from incidences import random_incidence
from linkmask import runs, schema
from linkmask.config import Settings
from linkmask.errors import InputError, RunError
from linkmask.records import CONTENT, Links, Mention, Why
from linkmask.runs import Run, columns, mention_table, read_mentions
from linkmask.runs.folder import DETECTION
from linkmask.runs.names import SCORED

SETTINGS = Settings()
TYPE_OF = schema.load("insurance").type_of


def made(path: Path, **changes: Any) -> Run:
    given = {"source": path.parent, "digest": "d1", **changes}
    return Run.create(path, SETTINGS, **given)


def mention(document: str, value: str = "Jane Doe", start: int = 0) -> Mention:
    why = Why("patterns", "title", 0.9)
    return Mention(
        document, CONTENT, start, start + len(value), "NAME", value, value.lower(), 0.5, why
    )


# ── the folder ──────────────────────────────────────────────────────────────────────────────────


def test_everything_in_it_is_for_its_owner_only(tmp_path: Path) -> None:
    with made(tmp_path / "run") as run:
        run.write_json("risk.json", {})
        with run.log() as log:
            log.add("a", [mention("a")])
    assert stat.S_IMODE(run.path.stat().st_mode) == 0o700
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in run.path.iterdir()}
    assert set(modes.values()) == {0o600}
    assert "README.txt" in modes
    assert "identifying values" in (run.path / "README.txt").read_text()


def test_it_says_what_it_was_made_from(tmp_path: Path) -> None:
    settings = Settings(theta_doc=0.9)
    given = {"theta_doc": 0.9}
    Run.create(tmp_path / "r", settings, source=tmp_path, digest="d", given=given).close()
    with Run.open(tmp_path / "r") as run:
        assert (run.source, run.digest, run.settings) == (tmp_path.resolve(), "d", settings)
        assert run.about["settings"]["given"] == given
        assert {"linkmask", "python", "times"} <= set(run.about)
        assert run.vault_path.parent == run.key_path.parent == run.path


def test_notes_are_added_and_kept(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run:
        run.note(counts={"a": 1})
        run.note(counts={"b": 2})
        run.finished("plan")
    with Run.open(tmp_path / "r") as run:
        assert run.about["counts"] == {"a": 1, "b": 2}
        assert set(run.about["times"]) == {"started", "plan"}


def test_what_was_scored_comes_back_bit_for_bit_or_not_at_all(tmp_path: Path) -> None:
    held = random_incidence(1)
    links = Links(np.array([0], np.int32), np.array([2], np.int32), np.array([0.1 + 0.2]), 7)
    with made(tmp_path / "r") as run:
        assert run.scored() is None
        run.keep_scored(held, links)
        again = run.scored()
        assert again is not None
        for old, new in zip((held, links), again, strict=True):
            for name in (one.name for one in fields(old)):
                one, other = getattr(old, name), getattr(new, name)
                if isinstance(one, np.ndarray):
                    assert (one.dtype, one.tolist()) == (other.dtype, other.tolist())
                else:
                    assert (name, one) == (name, other)
        path = run.path / SCORED
        whole = path.read_bytes()
        for damaged in (b"", whole[:5], whole[:100], whole[:-64], whole + b"x", b"\xff" * 200):
            path.write_bytes(damaged)
            with pytest.raises(RunError, match="damaged"):
                run.scored()


def test_a_folder_with_something_else_in_it_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for overwrite in (False, True):
        with pytest.raises(RunError, match="is not empty"):
            made(tmp_path, overwrite=overwrite)
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_overwriting_a_run_removes_its_files_and_no_others(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run:
        run.write_json("plan.json", {})
    (tmp_path / "r" / "mine.txt").write_text("mine")
    with pytest.raises(RunError, match="holds a run already"):
        made(tmp_path / "r")
    made(tmp_path / "r", overwrite=True).close()
    assert not (tmp_path / "r" / "plan.json").exists()
    assert (tmp_path / "r" / "mine.txt").read_text() == "mine"


def test_a_link_is_no_run_folder(tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    (tmp_path / "r").symlink_to(tmp_path / "else")
    with pytest.raises(RunError, match="symbolic link"):
        made(tmp_path / "r")


def test_two_at_once_on_one_folder_is_an_error(tmp_path: Path) -> None:
    with made(tmp_path / "r"):
        with pytest.raises(RunError, match="another run is using"):
            Run.open(tmp_path / "r", write=True)
        Run.open(tmp_path / "r").close()
    Run.open(tmp_path / "r", write=True).close()


def test_what_is_no_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run"):
        Run.open(tmp_path)
    made(tmp_path / "r").close()
    for text in ("{", "{}", "[]", '{"input": {"path": "a", "digest": "b"}, "settings": {}}'):
        (tmp_path / "r" / "run.json").write_text(text)
        with pytest.raises(RunError, match="damaged"):
            Run.open(tmp_path / "r", write=True)


def test_a_run_of_a_version_with_other_settings_is_not_called_damaged(tmp_path: Path) -> None:
    made(tmp_path / "r").close()
    held = json.loads((tmp_path / "r" / "run.json").read_text())
    held["settings"]["resolved"]["a_setting_of_another_day"] = 1
    (tmp_path / "r" / "run.json").write_text(json.dumps({**held, "linkmask": "0.0.9"}))
    with pytest.raises(RunError, match=r"another version of linkmask \(0\.0\.9\).*another folder"):
        Run.open(tmp_path / "r", write=True)


def test_missing_and_damaged_files_are_said(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run:
        with pytest.raises(RunError, match=r"holds no plan\.json"):
            run.read_json("plan.json")
        (run.path / "plan.json").write_text("{")
        with pytest.raises(RunError, match=r"plan\.json is damaged"):
            run.read_json("plan.json")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def failing() -> Any:
        yield b"half"
        raise OSError(28, "No space left on device")

    with made(tmp_path / "r") as run:
        run.write_json("risk.json", {"a": 1})
        before = sorted(run.path.iterdir())
        with pytest.raises(RunError, match="No space left"):
            run.write("risk.json", failing())
        assert run.read_json("risk.json") == {"a": 1}
        assert sorted(run.path.iterdir()) == before


# ── going on ────────────────────────────────────────────────────────────────────────────────────


def resumed(path: Path, settings: Settings = SETTINGS, digest: str = "d1") -> Run:
    return Run.resume(path, settings, source=path.parent, digest=digest)


def test_resuming_goes_on_where_it_was_or_starts_anew(tmp_path: Path) -> None:
    with resumed(tmp_path / "r") as run, run.log() as log:
        log.add("a", [])
    with resumed(tmp_path / "r", Settings(theta_doc=0.5, solver="greedy")) as run:
        assert run.documents() == ["a"]
        assert run.settings.theta_doc == 0.5


def test_a_run_of_another_input_version_or_detection_is_refused(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run, run.log() as log:
        log.add("a", [])
    with pytest.raises(RunError, match="another input"):
        resumed(tmp_path / "r", digest="d2")
    with pytest.raises(RunError, match=r"other settings \(countries, top_k\)"):
        resumed(tmp_path / "r", Settings(countries=("fr",), top_k=3))
    with made(tmp_path / "r", overwrite=True) as run, run.log() as log:
        log.add("a", [])
        run.note(linkmask="0.0.1")
    with pytest.raises(RunError, match=r"linkmask 0\.0\.1"):
        resumed(tmp_path / "r")
    resumed(tmp_path / "other").close()


def test_a_run_that_found_nothing_yet_is_begun_anew(tmp_path: Path) -> None:
    """A server that was down leaves a run without a document: its settings bind nobody."""
    made(tmp_path / "r").close()
    with resumed(tmp_path / "r", Settings(countries=("fr",)), digest="d2") as run:
        assert run.digest == "d2" and run.settings.countries == ("fr",)


def test_the_settings_that_decide_detection_are_settings() -> None:
    assert set(DETECTION) <= set(Settings.__struct_fields__)


# ── the log ─────────────────────────────────────────────────────────────────────────────────────


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


# ── mentions files ──────────────────────────────────────────────────────────────────────────────

ROWS = [
    {"document": "b", "original_value": "Jane  Doe", "normalized_value": " Jane  DOE",
     "entity_type": "PERSON", "relevance": 0.9},
    {"document": "a", "original_value": "x", "normalized_value": "jane doe",
     "entity_type": "NAME", "relevance": 2},
    {"document": 7, "original_value": "Rome", "normalized_value": "rome",
     "entity_type": "LOCATION", "relevance": -1.0, "start": 3, "end": 7, "detector": "mine"},
]  # fmt: skip
BAD = [
    ("unknown type", {**ROWS[0], "entity_type": "SPELL"}),
    ("relevance is not a number", {**ROWS[0], "relevance": "high"}),
    ("relevance is not a number", {**ROWS[0], "relevance": None}),
    ("missing or wrong fields", {"document": "a"}),
    ("missing or wrong fields", [1]),
    ("empty value", {**ROWS[0], "normalized_value": "  ", "original_value": " "}),
]


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def readable(table: Any) -> list[tuple[str, str, str, float]]:
    return [
        (table.documents[d], table.types[t], table.values[v], r)
        for d, t, v, r in zip(table.document, table.type, table.value, table.relevance, strict=True)
    ]


EXPECTED = [
    ("b", "NAME", "jane doe", 0.9), ("a", "NAME", "jane doe", 1.0), ("7", "LOCATION", "rome", 0.0),
]  # fmt: skip


def test_a_table_has_types_by_alias_one_form_and_clamped_relevance(
    tmp_path: Path,
) -> None:
    table, dropped = mention_table(lines(tmp_path / "m.jsonl", *ROWS), TYPE_OF)
    assert readable(table) == EXPECTED
    assert table.documents == ["b", "a", "7"]
    assert dropped == {}
    assert (table.document.dtype, table.relevance.dtype) == (np.int32, np.float64)


def test_parquet_and_jsonl_give_the_same_table(tmp_path: Path) -> None:
    columns = ["document", "normalized_value", "entity_type", "relevance"]
    rows = [{c: r[c] for c in columns} | {"document": str(r["document"])} for r in ROWS]
    plain = pa.Table.from_pylist(rows)
    coded = plain.set_column(0, "document", plain["document"].dictionary_encode())
    for written in (plain, coded):
        pq.write_table(written, tmp_path / "m.parquet", row_group_size=1)
        table, dropped = mention_table(tmp_path / "m.parquet", TYPE_OF)
        assert readable(table) == EXPECTED
        assert dropped == {}


def test_bad_rows_are_counted_by_reason_and_the_rest_stays(tmp_path: Path) -> None:
    path = lines(tmp_path / "m.jsonl", *ROWS, *(row for _, row in BAD))
    with path.open("ab") as handle:
        handle.write(b"{not json\n\n\xff\n")
    expected = Counter(reason for reason, _ in BAD) + Counter({"not JSON": 2})
    table, dropped = mention_table(path, TYPE_OF)
    assert readable(table) == EXPECTED
    assert dropped == expected
    counted: Counter[str] = Counter()
    assert len(list(read_mentions(path, TYPE_OF, dropped=counted))) == 3
    assert counted == expected


def test_bad_parquet_rows_are_counted_by_reason(tmp_path: Path) -> None:
    rows = pa.table(
        {
            "document": ["a", "b", None, "d", "e"],
            "original_value": ["x"] * 5,
            "normalized_value": ["x", "x", "x", " ", "x"],
            "entity_type": ["NAME", "SPELL", "NAME", "NAME", "NAME"],
            "relevance": [0.5, 0.5, 0.5, 0.5, None],
        }
    )
    pq.write_table(rows, tmp_path / "m.parquet")
    table, dropped = mention_table(tmp_path / "m.parquet", TYPE_OF)
    assert readable(table) == [("a", "NAME", "x", 0.5)]
    assert dropped == {
        "empty value": 1,
        "missing or wrong fields": 1,
        "relevance is not a number": 1,
        "unknown type": 1,
    }
    assert len(list(read_mentions(tmp_path / "m.parquet", TYPE_OF))) == 2


def test_documents_come_in_order_of_their_rows_whatever_the_dictionary_says(
    tmp_path: Path,
) -> None:
    names = pa.array(["never", "last", "first", "second"])
    coded = pa.DictionaryArray.from_arrays(pa.array([2, 3, 2, 1], pa.int8()), names)
    rows = {
        "document": coded,
        "original_value": ["x", "y", "x", "z"],
        "entity_type": ["NAME"] * 4,
        "relevance": [1] * 4,
    }
    pq.write_table(pa.table(rows), tmp_path / "m.parquet")
    table, _ = mention_table(tmp_path / "m.parquet", TYPE_OF)
    assert table.documents == ["first", "second", "last"]
    assert [table.documents[d] for d in table.document] == ["first", "second", "first", "last"]


def test_documents_given_are_all_there_in_their_order(tmp_path: Path) -> None:
    path = lines(tmp_path / "m.jsonl", *ROWS)
    table, dropped = mention_table(path, TYPE_OF, documents=["a", "none", "b"])
    assert list(table.documents) == ["a", "none", "b"]
    assert readable(table) == EXPECTED[:2]
    assert dropped == {"unknown document": 1}


def test_the_one_form_may_depend_on_the_type_and_unite_values(tmp_path: Path) -> None:
    rows = [
        {**ROWS[0], "normalized_value": v, "entity_type": t}
        for v, t in (("12", "AGE"), ("12.", "AGE"), ("12", "NAME"))
    ]
    path = lines(tmp_path / "m.jsonl", *rows)
    table, _ = mention_table(path, TYPE_OF, lambda kind, value: f"{kind}:{value.strip('.')}")
    assert [row[2] for row in readable(table)] == ["AGE:12", "AGE:12", "NAME:12"]
    assert len(set(table.values)) == len(table.values) == 2


def test_an_empty_file_is_an_empty_table(tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_text("")
    pq.write_table(pa.Table.from_pylist([ROWS[0]]).slice(1), tmp_path / "m.parquet")
    for name in ("m.jsonl", "m.parquet"):
        table, dropped = mention_table(tmp_path / name, TYPE_OF)
        assert (len(table), table.documents, dropped) == (0, [], {})


def test_mentions_without_a_place_have_none(tmp_path: Path) -> None:
    found = list(
        read_mentions(lines(tmp_path / "m.jsonl", *ROWS), TYPE_OF, runs.lower_and_collapse)
    )
    assert [(m.document, m.start, m.end, m.why.detector) for m in found] == [
        ("b", -1, -1, "file"), ("a", -1, -1, "file"), ("7", 3, 7, "mine"),
    ]  # fmt: skip
    assert [m.value for m in found] == ["jane doe", "jane doe", "rome"]


@pytest.mark.parametrize("name", ["absent.jsonl", "absent.parquet", "bad.parquet", "few.parquet"])
def test_files_that_are_no_mentions_are_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "bad.parquet").write_text("no")
    pq.write_table(pa.table({"document": ["a"]}), tmp_path / "few.parquet")
    with pytest.raises(InputError, match="can't read"):
        mention_table(tmp_path / name, TYPE_OF)


SPACES = st.text(st.sampled_from("a B\t\n\u00a0é\u2028\x1cİ"), max_size=4)


@settings(max_examples=60)
@given(st.lists(SPACES, max_size=3, unique=True))
def test_values_are_left_alone_only_where_all_are_in_plain_form(values: list[str]) -> None:
    plain = all(value and runs.lower_and_collapse("", value) == value for value in values)
    assert columns.TIDY[runs.lower_and_collapse](values) == plain


def test_a_run_takes_a_mentions_file_as_its_own(tmp_path: Path) -> None:
    path = lines(tmp_path / "m.jsonl", *ROWS)
    runs.to_parquet(path, tmp_path / "m.parquet")
    for name in ("m.jsonl", "m.parquet"):
        with made(tmp_path / f"run-{name}") as run:
            run.adopt(tmp_path / name)
            table, _ = run.mention_table(TYPE_OF)
            assert readable(table) == EXPECTED
            assert len(list(run.mentions())) == 3


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=10)
MENTIONS = st.lists(
    st.builds(
        Mention, TEXT, TEXT, st.integers(0, 9), st.integers(9, 20), TEXT,
        TEXT.filter(str.strip), TEXT, st.floats(0, 1), st.builds(Why, TEXT, TEXT, st.floats(0, 1)),
    ),
    max_size=4,
)  # fmt: skip


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(MENTIONS)
def test_mentions_come_back_as_they_were(tmp_path: Path, mentions: list[Mention]) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(b"".join(map(runs.mentions.encode, mentions)))
    assert list(read_mentions(path)) == mentions
    runs.to_parquet(path, tmp_path / "m.parquet")
    assert list(read_mentions(tmp_path / "m.parquet")) == mentions
