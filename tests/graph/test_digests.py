"""Ids of many entities at once against one by one."""

import numpy as np
import pytest

from linkmask.formulas import compiling
from linkmask.graph.digests import hashed
from linkmask.records import entity_digest

LENGTHS = range(200)
"""Over blocks of 64 bytes, of which the last needs nine for itself."""


@pytest.mark.parametrize("compile_from", [0, 10**9])
@pytest.mark.parametrize("letter", ["x", "é", "\ud800", "🜚"])
def test_digests_of_many_are_those_of_each(
    letter: str, compile_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "COMPILE_FROM", compile_from)
    values = [letter * length for length in LENGTHS]
    value, types = np.arange(len(values))[::-1], ("NAME", "AGE")
    kind = (value % 2).astype(np.int32)
    got = hashed(values, types, value, kind, "::")
    want = [entity_digest(values[v], types[v % 2]) for v in value.tolist()]
    assert [row.tobytes() for row in got] == want
