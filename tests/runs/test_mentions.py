"""Mentions files: rows in JSON lines and Parquet become one table, and come back as they were."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus_items import lines
from linkmask import runs
from linkmask.errors import InputError
from linkmask.records import Mention, Why
from linkmask.runs import columns, mention_table, read_mentions
from linkmask.runs.spellings import spellings
from runs_made import TYPE_OF, made

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


def test_the_person_whom_an_address_names_is_a_row_of_its_own(tmp_path: Path) -> None:
    """So the document holds that entity, too, whichever kind of file the mentions are in."""
    why = Why("patterns", "email", 1.0)
    address = Mention("b", "content", 0, 14, "EMAIL", "a.roth@x.org", "a.roth@x.org", 0.5, why)
    named = msgspec.structs.replace(address, person=("NAME", "anna roth"))
    path = tmp_path / "m.jsonl"
    path.write_bytes(b"".join(map(runs.mentions.encode, (address, named))))
    runs.to_parquet(path, tmp_path / "m.parquet")
    for name in ("m.jsonl", "m.parquet"):
        table, dropped = mention_table(tmp_path / name, TYPE_OF)
        rows = [("b", "EMAIL", "a.roth@x.org", 0.5)] * 2 + [("b", "NAME", "anna roth", 0.5)]
        assert (sorted(readable(table)), dropped) == (rows, {})


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=10)
MENTIONS = st.lists(
    st.builds(
        Mention, TEXT, TEXT, st.integers(0, 9), st.integers(9, 20), TEXT,
        TEXT.filter(str.strip), TEXT, st.floats(0, 1), st.builds(Why, TEXT, TEXT, st.floats(0, 1)),
        st.none() | st.tuples(TEXT, TEXT),
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


@pytest.mark.parametrize("coded", [False, True])
@pytest.mark.parametrize("text", [pa.string(), pa.large_string()], ids=str)
def test_spellings_of_some_types_are_those_of_all_mentions_of_these_types(
    tmp_path: Path, coded: bool, text: pa.DataType
) -> None:
    """Whether the columns of a Parquet file are dictionaries or plain texts, also with gaps."""
    path = lines(tmp_path / "m.jsonl", *ROWS, ROWS[1], {**ROWS[2], "normalized_value": None})
    gaps = [{**ROWS[0], "entity_type": None}, {**ROWS[1], "normalized_value": None}]
    rows = [{**row, "document": str(row["document"])} for row in [*ROWS, *gaps, *ROWS]]
    table = pa.Table.from_pylist(rows)
    for name in ("entity_type", "original_value", "normalized_value"):
        column = table[name].combine_chunks().cast(text)
        column = column.dictionary_encode() if coded else column
        table = table.set_column(table.schema.get_field_index(name), name, column)
    pq.write_table(table, tmp_path / "m.parquet")
    for file in (path, tmp_path / "m.parquet"):
        every = list(spellings(file))
        some = list(spellings(file, {"NAME", "LOCATION"}))
        wanted = [one for one in every if one[0][1] in ("NAME", "LOCATION")]
        assert dict.fromkeys(some) == dict.fromkeys(wanted)
        assert 0 < len(wanted) < len(every)


def test_spellings_are_read_without_loading_the_functions_of_arrow(tmp_path: Path) -> None:
    """They take longer to load than a small run takes to plan.

    pandas, where it is installed, loads them; so it is hidden here.
    """
    pq.write_table(pa.Table.from_pylist([ROWS[1]]), tmp_path / "m.parquet")
    program = (
        "import sys, pathlib; sys.modules['pandas'] = None;"
        "from linkmask.runs.spellings import spellings;"
        "print(list(spellings(pathlib.Path(sys.argv[1]), {'NAME'})),"
        "'pyarrow.compute' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "m.parquet")], capture_output=True, text=True
    )
    assert done.stdout.strip() == "[(('jane doe', 'NAME'), 'x')] False", done.stderr
