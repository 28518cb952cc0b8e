"""A run that is released anew is served without a dropped request; lost workers are replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

import linkmask
from linkmask import commands
from linkmask.errors import LinkmaskError, UsageError
from linkmask.serve.pool import Busy, Pool, TookTooLong, WorkerFailed
from linkmask.serve.watch import state_of, watch
from linkmask.serve.work import WorkerSource
from serve.conftest import PATIENCE, serving

QUESTION = {"texts": ["Is Ottoline Brandvold covered in Hancock?"]}


def release(folder: Path, *words: str) -> Path:
    """Mask a corpus of one document with some words, anew."""
    (folder / "in.txt").write_text(f"Ms. Ottoline Brandvold called. {' '.join(words)}")
    settings = linkmask.load(overrides={"style": "value", "workers": 1}, environment={})
    commands.mask_files(folder / "in.txt", folder / "out", settings, overwrite=True)
    return folder / "out"


def until(true: Any, seconds: float = 60.0) -> None:
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end, "it did not happen in time"
        sleep(0.02)


def test_a_run_is_swapped_without_a_dropped_request(tmp_path: Path) -> None:
    """While one client asks without a pause, the plan changes, and so do the answers."""
    out = release(tmp_path)
    answers: list[tuple[int, str]] = []
    with serving(run=out, watch=0.05) as client:
        done = threading.Event()

        def ask() -> None:
            with httpx.Client(base_url=client.base_url, timeout=PATIENCE) as mine:
                while not done.is_set():
                    said = mine.post("/v1/mask", json=QUESTION)
                    answers.append((said.status_code, said.text))

        thread = threading.Thread(target=ask)
        thread.start()
        try:
            until(lambda: answers)
            commands.plan_run(tmp_path / "out.run", {}, keep=["ottoline brandvold"])
            commands.apply_run(tmp_path / "out.run", out, {}, overwrite=True)
            until(lambda: "Brandvold" in answers[-1][1])
        finally:
            done.set()
            thread.join(PATIENCE)
    assert {status for status, _ in answers} == {200}
    assert "Brandvold" not in answers[0][1]


def test_a_run_that_can_not_be_opened_any_more_is_served_as_it_was(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    out = release(tmp_path)
    with serving(run=out, watch=0.05) as client:
        (tmp_path / "out.run" / "released.json").write_text("{")
        until(lambda: "can't be opened" in caplog.text)
        said = client.post("/v1/mask", json=QUESTION)
        assert said.status_code == 200 and "Brandvold" not in said.text


def test_a_hangup_reloads_the_run(tmp_path: Path) -> None:
    loaded: list[int] = []

    async def reload() -> None:
        loaded.append(1)

    async def main() -> None:
        task = asyncio.create_task(watch(tmp_path, state_of(tmp_path), reload, 60.0))
        await asyncio.sleep(0)
        os.kill(os.getpid(), signal.SIGHUP)
        while not loaded:
            await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(asyncio.wait_for(main(), 30))
    assert loaded == [1]


# ── the pool ────────────────────────────────────────────────────────────────────────────────────


class Worker:
    """Stands in for a worker, so that its process starts at once."""

    facts = "facts"

    def echo(self, given: Any) -> Any:
        return given

    def end(self) -> None:
        os._exit(1)

    def fail(self, text: str) -> None:
        raise KeyError(text)

    def refuse(self) -> None:
        raise UsageError("not here")

    def process(self) -> int:
        return os.getpid()

    def stubborn(self, seconds: float) -> None:
        end = monotonic() + seconds
        while monotonic() < end:
            with suppress(BaseException):
                sleep(0.01)

    def wait(self, seconds: float) -> float:
        sleep(seconds)
        return seconds


class Plain(WorkerSource, frozen=True):
    """Makes such workers."""

    def worker(self) -> Any:
        return Worker()


def plain() -> Plain:
    return Plain(linkmask.load(environment={}))


def test_a_lost_process_is_replaced_and_its_work_answered_with_busy() -> None:
    async def main() -> None:
        pool = Pool(plain(), 1, 4, 30.0)
        await pool.start()
        assert await pool.do("echo", "a") == "a"
        with pytest.raises(Busy):
            await pool.do("end")
        for _ in range(1000):
            try:
                assert await pool.do("echo", "b") == "b"
                break
            except Busy:
                await asyncio.sleep(0.02)
        else:
            raise AssertionError("it was not replaced")
        await pool.stop()

    asyncio.run(main())


def test_what_takes_too_long_is_busy_and_holds_its_place_until_it_is_done() -> None:
    async def main() -> None:
        pool = Pool(plain(), 0, 1, 0.05)
        await pool.start()
        with pytest.raises(Busy):
            await pool.do("wait", 0.4)
        assert pool.under_way == 1
        with pytest.raises(Busy):
            await pool.do("echo", 1)
        while pool.under_way:
            await asyncio.sleep(0.01)
        assert await pool.do("echo", 1) == 1
        await pool.stop()

    asyncio.run(main())


def test_a_process_that_takes_too_long_ends_and_another_works_on() -> None:
    """Else a few long texts would keep all processes from working after their 503."""

    async def main() -> None:
        pool = Pool(plain(), 1, 2, 2.0)
        await pool.start()
        process = await pool.do("process")
        with pytest.raises(TookTooLong):
            await pool.do("stubborn", 600.0)
        while pool.under_way:
            await asyncio.sleep(0.01)
        assert await pool.do("process") != process
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
        await pool.stop()

    asyncio.run(main())


def test_work_that_nobody_waits_for_any_more_is_not_begun() -> None:
    """Else the requests that came too late would keep the next one waiting."""
    begun: list[int] = []

    class Noting(Worker):
        def note(self, number: int) -> int:
            begun.append(number)
            return number

    class Source(WorkerSource, frozen=True):
        def worker(self) -> Any:
            return Noting()

    async def main() -> None:
        pool = Pool(Source(linkmask.load(environment={})), 0, 9, 0.05)
        await pool.start()
        late = [pool.do("wait", 0.4), *(pool.do("note", number) for number in range(3))]
        answers = await asyncio.gather(*late, return_exceptions=True)
        assert all(isinstance(one, TookTooLong) for one in answers)
        while pool.under_way:
            await asyncio.sleep(0.01)
        assert begun == []
        assert await pool.do("note", 7) == 7
        await pool.stop()

    asyncio.run(main())


def test_errors_of_a_worker_bring_no_value() -> None:
    async def main() -> None:
        pool = Pool(plain(), 0, 4, 30.0)
        await pool.start()
        with pytest.raises(WorkerFailed) as told:
            await pool.do("fail", "Ottoline Brandvold")
        assert told.value.kind == "KeyError" and "Brandvold" not in str(told.value)
        with pytest.raises(UsageError, match="not here"):
            await pool.do("refuse")
        await pool.stop()

    asyncio.run(main())


def test_workers_that_can_not_be_loaded_are_told_as_the_service_starts() -> None:
    class Broken(WorkerSource, frozen=True):
        def worker(self) -> Any:
            raise KeyError("Ottoline Brandvold")

    async def main() -> None:
        with pytest.raises(LinkmaskError, match="KeyError") as told:
            await Pool(Broken(linkmask.load(environment={})), 0, 4, 30.0).start()
        assert "Brandvold" not in str(told.value)

    asyncio.run(main())
