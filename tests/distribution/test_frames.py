"""`linkmask.mask` on the real pandas and polars."""

from typing import Any

import pandas
import polars
import pyarrow

import linkmask

TICKETS = {
    "id": ["t1", "t2", "t3"],
    "subject": ["Claim of Ottoline Brandvold", "Change of address", "Opening hours"],
    "content": ["Ms. Brandvold called from 906-555-0143.", "O. Brandvold moved.", "At ten."],
    "paid": [12, 30, None],
}


def masked(frame: Any) -> list[dict[str, Any]]:
    """The rows of a data frame, masked."""
    settings = linkmask.load(
        overrides={"text_field": ("subject", "content"), "workers": 1}, environment={}
    )
    return list(linkmask.mask(frame, settings).records)


def check(rows: list[dict[str, Any]]) -> None:
    assert [row["id"] for row in rows] == ["t1", "t2", "t3"]
    assert rows[0]["subject"] == "Claim of [NAME]"
    assert rows[0]["content"] == "[NAME] called from [PHONE_NUMBER]."
    assert rows[2]["content"] == "At ten."
    assert [list(row) for row in rows] == [list(TICKETS)] * 3


def test_a_data_frame_of_pandas_is_masked_row_by_row() -> None:
    frame = pandas.DataFrame(TICKETS)
    before = frame.copy(deep=True)
    check(masked(frame))
    pandas.testing.assert_frame_equal(frame, before)


def test_a_data_frame_of_polars_is_masked_row_by_row() -> None:
    frame = polars.DataFrame(TICKETS)
    check(masked(frame))
    assert frame.equals(polars.DataFrame(TICKETS))


def test_a_table_of_arrow_is_masked_row_by_row() -> None:
    check(masked(pyarrow.table(TICKETS)))
