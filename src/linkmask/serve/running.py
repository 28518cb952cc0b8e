"""Runs the service: starts the workers, listens, and stops when all requests are answered."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import uvicorn

from linkmask.config import Settings
from linkmask.errors import UsageError
from linkmask.machine import usable_cores
from linkmask.masker import Masker
from linkmask.redact.run_key import load_key
from linkmask.serve.access import TokenGate, is_loopback
from linkmask.serve.app import application
from linkmask.serve.pool import Pool
from linkmask.serve.service import RequestLimits, Service
from linkmask.serve.watch import state_of, watch
from linkmask.serve.work import WorkerSource

IDLE = 150
"""Seconds for which a connection is kept without a request. It is longer than LiteLLM's (120),
because a client that sends a request while the server closes the connection takes the service for
unreachable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to serve. `processes` 0 means a thread of this process; `waiting`: pieces of work per
    process that may be under way or wait; `watch`: seconds between looks at the run's files."""

    run: Path | None = None
    settings: Settings
    host: str = "127.0.0.1"
    port: int = 5002
    tokens: tuple[str, ...] = ()
    originals: bool = False
    all_types: bool = False
    images: bool = False
    processes: int | None = None
    waiting: int = 8
    watch: float = 1.0
    limits: RequestLimits = field(default_factory=RequestLimits)


def source_of(options: Options) -> WorkerSource:
    """Return what workers are made of, after a look whether they can be.

    Without a run and a key, masks are made under a key of this start alone.

    Raises:
        RunError: the run can't be opened.
        SettingsError: there is no key where the run needs one.
    """
    settings = options.settings
    if options.run is not None:
        key = settings.key_file or None
        with Masker(options.run, key=key):
            return WorkerSource(settings, options.run.absolute(), key)
    if settings.key_file or os.environ.get("LINKMASK_KEY"):
        return WorkerSource(settings, key=load_key(settings, None, os.environ))
    return WorkerSource(settings, key=secrets.token_bytes(32))


def service_of(options: Options) -> Service:
    """Return the service that these options describe; its workers are not started.

    Raises:
        UsageError: it would listen to other machines without a token.
        LinkmaskError: see `source_of`.
    """
    if not is_loopback(options.host) and not options.tokens:
        raise UsageError(
            f"{options.host} can be reached by others: give --token-file FILE (one token a line), "
            "or LINKMASK_SERVE_TOKEN in the environment"
        )
    processes = usable_cores() if options.processes is None else options.processes
    most = max(processes, 1) * options.waiting
    pool = Pool(source_of(options), processes, most, options.limits.seconds)
    return Service(
        pool,
        options.limits,
        originals=options.originals,
        has_run=options.run is not None,
        all_types=options.all_types,
        images=options.images,
    )


class Listening(NamedTuple):
    """A service that can be asked: its address, and what stops it."""

    address: str
    stop: Callable[[], None]


Started = Callable[[Listening], None]


def serve(options: Options, started: Started) -> None:
    """Serve until the process is told to stop; requests under way are answered first.

    Args:
        options: what to serve, and where.
        started: called once the service can be asked.

    Raises:
        UsageError: the address is taken, or would need a token.
        LinkmaskError: the run can't be opened, or the workers can't be loaded.
    """
    service = service_of(options)
    with closing(_bound(options.host, options.port)) as listening, suppress(KeyboardInterrupt):
        # uvicorn repeats the signal that it stopped at
        asyncio.run(_serve(service, options, listening, started))


async def _serve(
    service: Service, options: Options, listening: socket.socket, started: Started
) -> None:
    app = application(service, TokenGate(options.tokens))
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        lifespan="off",
        server_header=False,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=int(options.limits.seconds) + 1,
    )
    server = _Server(config)
    name = f"[{options.host}]" if ":" in options.host else options.host
    address = f"http://{name}:{listening.getsockname()[1]}"
    server.when_ready = lambda: started(Listening(address, server.stop))
    loaded = state_of(options.run) if options.run else []
    watching: asyncio.Task[None] | None = None
    try:
        await service.pool.start()
        if options.run:
            reload = service.pool.swap
            watching = asyncio.create_task(watch(options.run, loaded, reload, options.watch))
        await server.serve([listening])
    finally:
        if watching:
            watching.cancel()
        await service.pool.stop()


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # TCP by name: else the loop does not switch off Nagle's delay for connections, some 40 ms
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise UsageError(
            f"can't listen at {host} port {port}: {error.strerror}; give another --host or --port"
        ) from None
    return listening


class _Server(uvicorn.Server):
    """A server that tells when it can be asked, and can be stopped by others."""

    when_ready: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and tell."""
        await super().startup(sockets)
        if self.started:
            self.when_ready()

    def stop(self) -> None:
        """Take no more requests, and end when those under way are answered."""
        self.should_exit = True
