"""Generators over many items, run by processes ahead of who takes what they yield."""

import faulthandler
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkmask.errors import WorkerLost
from linkmask.workers import Failure
from linkmask.workers.streams import streams


def countdown(number: int) -> Iterator[int]:
    for left in range(number, 0, -1):
        if left == 7:
            raise ValueError("a value that must not be told")
        yield left


def test_results_are_those_of_one_process_in_order() -> None:
    """Whatever the number of processes; one that raises loses nothing it yielded, and no other."""
    for workers in (1, 2, 3):
        done = [list(results) for results in streams(countdown, range(9), workers)]
        assert done[:7] == [list(range(n, 0, -1)) for n in range(7)]
        assert done[7:] == [[Failure(7, "ValueError")], [8, Failure(8, "ValueError")]]


def test_what_is_not_taken_of_an_item_is_passed_over() -> None:
    assert [next(results) for results in streams(countdown, [3, 5, 4], 2)] == [3, 5, 4]


def ends_itself(number: int) -> Iterator[int]:
    faulthandler.disable()  # pytest's, which would tell where it crashed
    yield number
    if number in (signal.SIGSEGV, signal.SIGKILL):
        os.kill(os.getpid(), number)
    yield -number


def test_a_crash_is_the_failure_of_its_item_alone() -> None:
    items = [1, int(signal.SIGSEGV), 3, 4, 5]
    done = [list(results) for results in streams(ends_itself, items, 2)]
    crashed = [11, Failure(11, "SIGSEGV")]
    assert done == [[1, -1], crashed, [3, -3], [4, -4], [5, -5]]


def test_a_process_that_is_killed_ends_the_work() -> None:
    """Its memory may be what was wanted: the same would happen to the next one."""
    with pytest.raises(WorkerLost, match="fewer --workers"):
        for results in streams(ends_itself, [1, int(signal.SIGKILL), 3], 2):
            list(results)


def large(item: tuple[Path, int]) -> Iterator[bytes]:
    folder, number = item
    (folder / str(number)).touch()
    yield bytes(1 << 20)


def test_no_process_runs_further_ahead_than_one_large_result(tmp_path: Path) -> None:
    """So memory is bounded by the largest documents, as many as there are processes."""
    items = [(tmp_path, number) for number in range(40)]
    for number, results in enumerate(streams(large, items, 2)):
        assert sum(len(result) for result in results if isinstance(result, bytes)) == 1 << 20
        assert len(list(tmp_path.iterdir())) <= number + 5


def process_ids(item: int) -> Iterator[int]:
    yield os.getpid()


def test_no_process_is_left_where_the_taking_ends_early() -> None:
    taken = streams(process_ids, range(100), 2)
    processes = [next(next(taken)) for _ in range(2)]
    assert len(set(processes)) == 2
    assert os.getpid() not in processes
    taken.close()
    for process in processes:
        assert isinstance(process, int)
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
