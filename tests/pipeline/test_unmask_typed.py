"""Unmasking a table with typed columns, which hold null where a mask can't stand."""

import datetime
import decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from click.testing import CliRunner

from linkmask.cli import main


def test_dates_and_decimals_of_a_parquet_file_come_back(tmp_path: Path) -> None:
    table = pa.table(
        {
            "id": ["1", "2"],
            "content": ["Ms Kornelia Zawadzki called on 12 March 2024.", "Nothing."],
            "born": [datetime.date(1961, 3, 4), datetime.date(1970, 1, 2)],
            "seen": [datetime.datetime(2024, 3, 12, 10, 30), None],
            "ssn": [decimal.Decimal("123456789"), None],
            "member_id": [88213441, 88213442],
        }
    )
    source, out, back = (tmp_path / name for name in ("in", "out", "back"))
    source.mkdir()
    pq.write_table(table, source / "a.parquet")
    mask = ["mask", str(source), "-o", str(out), "--style", "pseudonym"]
    assert CliRunner().invoke(main, mask).exit_code == 0
    masked = pq.read_table(out / "documents" / "a.parquet")
    assert masked["born"].to_pylist() == [None, None] and masked.schema == table.schema
    assert CliRunner().invoke(main, ["unmask", str(out), "-o", str(back)]).exit_code == 0
    assert pq.read_table(back / "documents" / "a.parquet").equals(table)
