"""Work on many items: order, equality over worker counts, failures kept apart."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkmask.workers import ALONE, Batched, Failure, batches, ordered
from linkmask.workers.processes import uninterrupted


def double_unless_seven(number: int) -> int:
    if number == 7:
        raise ValueError("a value that must not be told")
    return 2 * number


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals can't be blocked here")
def test_ctrl_c_waits_while_processes_start() -> None:
    def blocked() -> bool:
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())

    assert not blocked()
    with uninterrupted():
        assert blocked()
    assert not blocked()


def test_results_are_the_same_whatever_the_number_of_workers() -> None:
    items = range(ALONE + 50)
    alone = list(ordered(double_unless_seven, items, workers=1))
    spread = list(ordered(double_unless_seven, items, workers=2))
    assert alone == spread
    assert [done for done in alone if not isinstance(done, Failure)] == [
        2 * n for n in items if n != 7
    ]


def test_a_failure_names_the_kind_of_error_and_nothing_of_its_message() -> None:
    (failure,) = ordered(double_unless_seven, [7], workers=1)
    assert failure == Failure(7, "ValueError")


def double_all(numbers: list[int]) -> list[int]:
    return [double_unless_seven(number) for number in numbers]


def test_a_batch_that_fails_on_one_item_loses_no_other() -> None:
    """Done together or one by one, on one process or two, the results are the same."""
    items = range(ALONE + 50)
    alone = list(ordered(double_unless_seven, items, workers=1))
    together = Batched(double_unless_seven, double_all)
    assert list(ordered(together, items, workers=1)) == alone
    assert list(ordered(together, items, workers=2)) == alone


def test_a_batch_ends_where_its_items_are_enough() -> None:
    """Three small items or one large one come together; what is left comes last."""
    assert list(batches([1, 1, 1, 5, 2], 3, lambda size: size)) == [[1, 1, 1], [5], [2]]
    assert list(batches("abcd", 3)) == [["a", "b", "c"], ["d"]]


def test_items_are_taken_as_they_are_needed() -> None:
    """A generator is not read to its end before the first result."""
    taken = []

    def items():
        for number in range(100_000):
            taken.append(number)
            yield number

    results = ordered(double_unless_seven, items(), workers=2)
    assert next(results) == 0
    assert len(taken) < 2_000
    results.close()


WORKING = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored, where a script started us
from pathlib import Path
from linkmask import workers
workers.ALONE, workers.BATCH = 1, 1
folder = Path(sys.argv[1])
def work(number):
    if number:
        (folder / str(os.getpid())).touch()
        time.sleep(600)
try:
    list(workers.ordered(work, range(100), workers=3))
except KeyboardInterrupt:
    sys.exit(5)
"""


def alive(process: int) -> bool:
    """Tell whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are told by /proc")
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_the_process_that_started_them(sent: signal.Signals, tmp_path: Path):
    """Killed, ended or interrupted in the middle of their work, and none of them says a word."""
    command = [sys.executable, "-c", WORKING, str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as process:
        while len(list(tmp_path.iterdir())) < 3:
            assert process.poll() is None
            time.sleep(0.01)
        if sent == signal.SIGINT:  # from the terminal: to all of them
            os.killpg(process.pid, sent)
        else:
            process.send_signal(sent)
        assert process.wait() == (5 if sent == signal.SIGINT else -sent)
        workers = [int(path.name) for path in tmp_path.iterdir()]
        while any(map(alive, workers)):
            time.sleep(0.01)
        assert process.stderr is not None
        assert process.stderr.read() == b""


STOPPED = """
import itertools
from linkmask.workers import ordered

def work(number):
    return "x" * 700_000  # more than a pipe holds

done = ordered(work, itertools.count(), workers=2)
for _, one in zip(range(100), done):
    pass
try:
    done.throw(KeyboardInterrupt)
except KeyboardInterrupt:
    print("stopped")
"""


def test_a_stop_does_not_wait_for_a_result_that_was_half_written() -> None:
    """A process that stops while others write results ends; it would wait for ever."""
    done = subprocess.run(
        [sys.executable, "-c", STOPPED], capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "stopped\n", done.stderr
