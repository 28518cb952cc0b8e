"""Load on a service: requests that are due at moments of their own, whether it keeps up or not.

A request's time runs from the moment at which it was due (an open loop), so that waiting behind
others counts, too. `capacity` is the closed loop beside it: clients that ask again at once.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, cycle, takewhile
from statistics import quantiles
from time import perf_counter, sleep
from typing import NamedTuple
from urllib.parse import urlsplit


class Target(NamedTuple):
    """Where requests go: the address of a service, a route, and bodies that are sent in turn."""

    address: str
    path: str
    bodies: tuple[bytes, ...]


class Load(NamedTuple):
    """What came of requests: how many got which HTTP status; ms of each that was answered (200)."""

    statuses: Counter[int]
    times: list[float]

    def percentile(self, share: int) -> float:
        """The milliseconds within which `share` of 100 answers came."""
        return quantiles(self.times, n=100)[share - 1]

    def add(self, other: Load) -> None:
        """Count what came of other requests, too."""
        self.statuses.update(other.statuses)
        self.times.extend(other.times)

    @property
    def refused(self) -> int:
        """Requests that got another status than 200."""
        return self.statuses.total() - self.statuses[200]


def bodies(texts: Iterable[str], body: Callable[[str], object]) -> tuple[bytes, ...]:
    """Requests as bytes, made before the clock runs."""
    return tuple(json.dumps(body(text)).encode() for text in texts)


def capacity(target: Target, seconds: float, clients: int) -> float:
    """Answers per second to clients that ask again at once."""
    begun = perf_counter()
    now = takewhile(lambda moment: moment < begun + seconds, (perf_counter() for _ in count()))
    done = _ask(target, now, clients)
    return done.statuses[200] / (perf_counter() - begun)


def offer(target: Target, rate: float, seconds: float, seed: int = 1, clients: int = 64) -> Load:
    """Ask at random moments (Poisson), `rate` a second on average, over `clients` connections."""
    begun = perf_counter()
    return _ask(target, (begun + one for one in arrivals(rate, seconds, seed)), clients)


def arrivals(rate: float, seconds: float, seed: int) -> Iterator[float]:
    """Moments between 0 and `seconds`, independent of one another, `rate` a second on average."""
    rng = random.Random(seed)
    moment = rng.expovariate(rate)
    while moment < seconds:
        yield moment
        moment += rng.expovariate(rate)


def _ask(target: Target, due: Iterator[float], clients: int) -> Load:
    """Send a request at each moment that is due; where all clients wait, it is late and counts."""
    work = zip(due, cycle(target.bodies), strict=False)
    load, lock = Load(Counter(), []), threading.Lock()

    def client() -> None:
        connection = http.client.HTTPConnection(urlsplit(target.address).netloc, timeout=120)
        while True:
            with lock:
                following = next(work, None)
            if following is None:
                return connection.close()
            moment, body = following
            sleep(max(0.0, moment - perf_counter()))
            status = _status(connection, target.path, body)
            with lock:
                load.statuses[status] += 1
                if status == 200:
                    load.times.append((perf_counter() - moment) * 1000)

    with ThreadPoolExecutor(clients) as pool:
        for one in [pool.submit(client) for _ in range(clients)]:
            one.result()
    return load


def _status(connection: http.client.HTTPConnection, path: str, body: bytes) -> int:
    """Ask; where the server has closed an idle connection meanwhile, ask again over a new one."""
    for again in (True, False):
        try:
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            break
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            connection.close()
            if not again:
                raise
    answer.read()
    return answer.status
