"""Serves the page on a free port of this machine, and opens the browser there."""

from __future__ import annotations

import getpass
import socket
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from linkmask.errors import MissingExtra
from linkmask.review.session import ReviewSession
from linkmask.runs.decision_log import LogHead, verified_head
from linkmask.runs.run_paths import run_at


def verify_log(folder: Path) -> LogHead:
    """Check the log of a run's decisions, and return how many lines it has and the last hash.

    Raises:
        RunError: it was cut or changed.
    """
    return verified_head(run_at(folder))


@contextmanager
def _door(address: str) -> Iterator[None]:
    """Open an address in the browser by a private file that leads there.

    On the browser's command line, which others on the machine can see, stands the file's name only.
    """
    with NamedTemporaryFile("w", prefix="linkmask-review-", suffix=".html") as door:
        door.write(f'<!doctype html><meta http-equiv="refresh" content="0;url={address}">')
        door.flush()
        webbrowser.open(Path(door.name).as_uri())
        yield


def serve(
    folder: Path,
    reviewer: str | None = None,
    *,
    browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the review of a run until it is interrupted.

    Args:
        reviewer: the name under which decisions are logged; by default the user's on this machine.
        browser: whether to open the page in the user's browser.
        say: told the address, once it answers there.

    Raises:
        MissingExtra: the packages of extra `serve` are not installed.
        RunError: there is no run with a plan, another review of it is open, or its log is broken.
    """
    try:
        import uvicorn

        from linkmask.review.app import make_app
        from linkmask.review.browser_gate import LOOPBACK, BrowserGate
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"linkmask review needs {error.name}: pip install 'linkmask[serve]'"
        ) from None
    review = ReviewSession(folder, reviewer or getpass.getuser())
    try:
        with socket.create_server((LOOPBACK, 0)) as listening:
            gate = BrowserGate(make_app(review), listening.getsockname()[1])
            config = uvicorn.Config(
                gate, log_level="critical", access_log=False, lifespan="off", ws="none",
                server_header=False, proxy_headers=False,
            )  # fmt: skip
            say(gate.address)
            opened = _door(gate.address) if browser else nullcontext()
            with opened, suppress(KeyboardInterrupt):  # uvicorn repeats the signal it stopped at
                uvicorn.Server(config).run(sockets=[listening])
    finally:
        review.close()
