"""Requests that `linkmask serve` answers: how many in a second, and in what time each.

    python benchmarks/serve.py [--presidio PYTHON [--model NAME]] [--requests 200] [--clients 4]
    python benchmarks/serve.py --soak SECONDS [--share 0.9] [--presidio PYTHON …] [--clients 4]

Sends paragraphs of the example corpus to `/analyze`, `/v1/mask` and `/anonymize` of a service with
one working process, from one client (times) and from several (requests per second). In turns with
it, `/analyze` of Presidio's analyzer in one process, by an interpreter that has presidio-analyzer,
starlette and uvicorn (benchmarks/presidio_server.py), with its rules alone and with a spaCy model.
Each figure is the median of ROUNDS rounds of the same run.

`--soak` measures the capacity of each `/analyze` (answers per second to clients that ask again at
once, median of ROUNDS rounds in turns). Then it offers a share of the capacity at random moments,
in an open loop: to Presidio's for a part of PARTS of the time, to linkmask's for all of it, without
a pause. Because a machine may do other work, the capacity is measured anew every TURN seconds, for
TRIAL seconds. Texts are 20,000 made-up ones (benchmarks/endtoend.py), about 80 words each. It
prints the memory of all processes of linkmask's service after each part, pages that they share
counted once (PSS).
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import NamedTuple

import httpx

import endtoend
import load

EXAMPLES = Path(__file__).parents[1] / "examples" / "insurance" / "documents"
ROUNDS = 5
TRIAL = 3.0  # seconds
TURN = 15.0  # seconds
PARTS = 12
HERE = Path(__file__).parent


class Round(NamedTuple):
    """Requests per second from several clients; median and 99th percentile of one, in ms."""

    rate: float
    p50: float
    p99: float


def paragraphs() -> list[str]:
    """Paragraphs of the example corpus, as long as a prompt."""
    documents = [json.loads(file.read_text("utf-8")) for file in sorted(EXAMPLES.glob("*.json"))]
    return [
        part.strip()
        for document in documents
        for part in re.split(r"\n\s*\n", document["content"])
        if 200 <= len(part) <= 2_000
    ]


@contextmanager
def linkmask() -> Iterator[tuple[str, int]]:
    """The address of a service with one working process, and the id of its first process."""
    line = [sys.executable, "-m", "linkmask", "serve", "--port", "0", "--workers", "1"]
    options = ["--max-waiting", "64"]
    process = subprocess.Popen([*line, *options], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        for said in process.stderr:
            if found := re.search(r"http://\S+?(?=;)", said):
                drain = ThreadPoolExecutor(1).submit(process.stderr.read)
                yield found[0], process.pid
                break
        else:
            raise SystemExit("linkmask serve did not start")
    finally:
        process.terminate()
        process.wait()
    drain.result()


@contextmanager
def presidio(python: str, model: str) -> Iterator[str]:
    """The address of Presidio's analyzer."""
    line = [python, str(HERE / "presidio_server.py"), *([model] if model else [])]
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            if not (address := process.stdout.readline().strip()):
                raise SystemExit(f"{python} can't run benchmarks/presidio_server.py {model}")
            yield address
        finally:
            process.stdin.close()


Body = Callable[[str], dict[str, object]]
Row = tuple[str, str, Body]
"""The address of a service, a route of it, and what makes a request of a text."""


def asked(text: str) -> dict[str, object]:
    return {"text": text, "language": "en"}


def masked(text: str) -> dict[str, object]:
    return {"texts": [text]}


def anonymized(text: str) -> dict[str, object]:
    span = {"start": 0, "end": 9, "score": 1.0, "entity_type": "PERSON"}
    return {"text": text, "analyzer_results": [span]}


def timed(client: httpx.Client, path: str, body: dict[str, object]) -> float:
    begun = perf_counter()
    client.post(path, json=body).raise_for_status()
    return (perf_counter() - begun) * 1000


def measure(address: str, path: str, body: Body, texts: list[str], clients: int) -> Round:
    """One round: each text once from one client, then once more from several."""
    with httpx.Client(base_url=address, trust_env=False, timeout=120) as client:
        timed(client, path, body(texts[0]))
        times = [timed(client, path, body(text)) for text in texts]
        with ThreadPoolExecutor(clients) as pool:
            begun = perf_counter()
            list(pool.map(lambda text: timed(client, path, body(text)), texts))
            seconds = perf_counter() - begun
    return Round(len(texts) / seconds, median(times), quantiles(times, n=100)[98])


def soak(rows: dict[str, Row], pid: int, seconds: float, share: float, clients: int) -> None:
    """Offer a share of its capacity to each service, to the first for so long."""
    contents = [str(one["content"]) for one in endtoend.corpus(20_000)]
    targets = {
        name: load.Target(address, path, load.bodies(contents, body))
        for name, (address, path, body) in rows.items()
    }
    rounds: dict[str, list[float]] = {name: [] for name in targets}
    for _ in range(ROUNDS):
        for name, target in targets.items():
            rounds[name].append(load.capacity(target, TRIAL, clients))
    _, *others = targets
    print(f"{'':42}{'capacity/s':>11}{'answers':>9}{'refused':>9}{'p50 ms':>9}{'p99 ms':>9}")
    for name in others:
        _, done = _part(targets[name], seconds / PARTS, share, clients)
        _print(name, median(rounds[name]), done)
    whole = load.Load(Counter(), [])
    first, memory = next(iter(targets)), [endtoend.resident(pid)]
    for part in range(PARTS):
        capacity, done = _part(targets[first], seconds / PARTS, share, clients)
        whole.add(done)
        memory.append(endtoend.resident(pid))
        _print(f"  minute {seconds * (part + 1) / PARTS / 60:.1f}", capacity, done)
    _print(first, median(rounds[first]), whole)
    print(f"MB at the start and after each part: {' '.join(f'{one:.0f}' for one in memory)}")


def _print(name: str, rate: float, done: load.Load) -> None:
    p50, p99 = done.percentile(50), done.percentile(99)
    answers = f"{done.statuses[200]:9}{done.refused:9}{p50:9.1f}{p99:9.1f}"
    print(f"{name:42}{rate:11.1f}{answers}", flush=True)


def _part(
    target: load.Target, seconds: float, share: float, clients: int
) -> tuple[float, load.Load]:
    """Offer a share of the capacity, measured anew every TURN; return its median, too."""
    rates: list[float] = []
    done, begun = load.Load(Counter(), []), perf_counter()
    while perf_counter() - begun < seconds:
        rates.append(load.capacity(target, TRIAL, clients))
        done.add(load.offer(target, rates[-1] * share, TURN - TRIAL, seed=len(rates)))
    return median(rates), done


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--presidio", metavar="PYTHON", help="interpreter that has Presidio")
    parser.add_argument("--model", metavar="NAME", help="spaCy model that it has")
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--soak", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--share", type=float, default=0.9, help="of the capacity, for --soak")
    given = parser.parse_args()
    every = paragraphs()
    texts = [every[n % len(every)] for n in range(given.requests)]
    with ExitStack() as stack:
        ours, pid = stack.enter_context(linkmask())
        rows: dict[str, Row] = {
            "linkmask /analyze": (ours, "/analyze", asked),
            "linkmask /v1/mask": (ours, "/v1/mask", masked),
            "linkmask /anonymize": (ours, "/anonymize", anonymized),
        }
        if given.presidio:
            for model in dict.fromkeys(("", given.model or "")):
                name = f"Presidio /analyze, {model or 'rules alone'}"
                address = stack.enter_context(presidio(given.presidio, model))
                rows[name] = (address, "/analyze", asked)
        if given.soak:
            rows = {name: row for name, row in rows.items() if row[1] == "/analyze"}
            return soak(rows, pid, given.soak, given.share, given.clients)
        rounds: dict[str, list[Round]] = {name: [] for name in rows}
        for _ in range(ROUNDS):
            for name, (address, path, body) in rows.items():
                rounds[name].append(measure(address, path, body, texts, given.clients))
    size = median(map(len, texts))
    print(f"{len(texts)} requests a round, {size:.0f} characters each; {given.clients} clients")
    print(f"{'':42}{'requests/s':>12}{'p50 ms':>9}{'p99 ms':>9}")
    for name, done in rounds.items():
        rate, p50, p99 = (median(one[n] for one in done) for n in range(3))
        print(f"{name:42}{rate:12.0f}{p50:9.1f}{p99:9.1f}")
    if not given.presidio:
        print("Presidio was not measured: give --presidio PYTHON")


if __name__ == "__main__":
    main()
