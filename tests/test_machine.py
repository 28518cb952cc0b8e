"""Cores are counted on Linux and elsewhere."""

import os

import pytest

from linkmask.formulas import compiling
from linkmask.machine import usable_cores


def test_all_cores_count_where_a_system_binds_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert usable_cores() == 3


def test_large_loops_run_in_threads_where_a_system_binds_no_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    parts = compiling.in_parts(lambda a, b: b - a, 800, compiling.COMPILE_FROM)
    assert len(parts) == compiling.PARTS and sum(parts) == 800
