"""The model client: what it adds to the server's own time, and how fast kept answers are.

    python benchmarks/llm.py [documents] [kept]        default: 2000 100000

Command: `linkmask scan --detector llm` as a user runs it, from its start to its end, against the
server of the next figure: reading, looking for what patterns see, two stages, scoring.
Cold: a scripted server in a process of its own answers each request in 200 ms; two requests per
document, with the real prompts, over 16 connections. The server's own time is requests × 0.2 s /
16. CPU is this process's user and system time (asking, validating, keeping) over the wall time, in
% of a core. Warm: answers of about 12 entities are read from the cache, validated, checked and
turned into mentions with their places in the text, by one process. Cost: what `--dry-run` says.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from endtoend import corpus
from linkmask import llm
from linkmask.config import Settings
from linkmask.detect import prompted
from linkmask.llm.cache import StoredAnswer
from linkmask.llm.memory import AnswerMemory
from linkmask.llm.token_estimate import estimated_tokens
from linkmask.pipeline.detection import extraction, extraction_cost
from linkmask.pipeline.detection.detector import Detector
from linkmask.records import Document

SERVER = Path(__file__).parents[1] / "tests" / "serving.py"
SECONDS, CONNECTIONS = 0.2, 16
TYPES = "NAME PATIENT_ID ADDRESS EMAIL LOCATION EVENT_DATE MEDICAL_CONDITION TREATMENT".split()
KNOWN = [("sarcoidosis", "MEDICAL_CONDITION"), ("lyon", "LOCATION")] * 5


def settings(folder: str, url: str) -> Settings:
    return Settings(
        detector="llm",
        llm_url=url,
        llm_model="scripted",
        llm_cache=str(Path(folder) / "llm.sqlite"),
        llm_connections=CONNECTIONS,
    )


def documents(number: int) -> Iterator[Document]:
    """Yield made-up documents of about 80 words, each another."""
    some = [str(record["content"]) for record in corpus(min(number, 2000))]
    for n in range(number):
        yield Document(str(n), f"{some[n % len(some)]} Reference {n}.")


@contextmanager
def serving() -> Iterator[str]:
    """Give the URL of a server, in a process of its own, that takes its time."""
    command = [sys.executable, str(SERVER), str(SECONDS)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.communicate("")


def command(number: int) -> None:
    """Run the whole command."""
    with tempfile.TemporaryDirectory() as folder, serving() as url:
        corpus = Path(folder) / "corpus.jsonl"
        corpus.write_bytes(
            b"\n".join(
                msgspec.json.encode({"id": d.id, "content": d.content}) for d in documents(number)
            )
        )
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = time.perf_counter()
        arguments = [
            *("scan", corpus, "-o", Path(folder) / "run", "--detector", "llm", "--llm-url", url),
            *("--llm-model", "scripted", "--set", f"llm_connections={CONNECTIONS}"),
            *("--set", "llm_doubted=release", "--set", f"llm_cache={folder}/llm.sqlite", "--quiet"),
        ]
        run = [sys.executable, "-m", "linkmask", *map(str, arguments)]
        subprocess.run(run, check=True, capture_output=True)
        wall = time.perf_counter() - wall
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    own = 2 * number * SECONDS / CONNECTIONS
    print(
        f"command: {number:,} documents: {wall:.1f} s, {wall / own:.2f} × the server's own "
        f"{own:.1f} s; CPU of all its processes {cpu:.1f} s"
    )


def cold(number: int) -> None:
    """Ask a server that takes its time."""
    with tempfile.TemporaryDirectory() as folder, serving() as url:
        given = settings(folder, url)
        stages = [
            [
                request
                for document in documents(number)
                for request in prompted.requests_of(
                    prompted.question(document, stage, given, KNOWN), given
                )
            ]
            for stage in ("stage1", "stage2")
        ]
        with llm.connect(given) as model:
            model.ask(replace(stages[0][0], name="warm-up/1"))
            wall, cpu = time.perf_counter(), time.process_time()
            for requests in stages:
                outcomes = list(model.ask_all(requests))
                assert all(isinstance(one, llm.ModelAnswer) for one in outcomes), model.usage
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    asked = sum(map(len, stages))
    own = asked * SECONDS / CONNECTIONS
    print(
        f"cold: {number:,} documents, {asked:,} requests: {wall:.1f} s, {wall / own:.2f} × the "
        f"server's own {own:.1f} s; CPU {100 * cpu / wall:.1f} % of a core "
        f"({1000 * cpu / asked:.2f} ms per request)"
    )


def warm(number: int) -> None:
    """Turn kept answers into mentions."""
    with tempfile.TemporaryDirectory() as folder:
        given = settings(folder, "http://127.0.0.1:9/v1")
        memory = AnswerMemory(given)
        memory.cache.put(_rows(memory, number))
        memory.cache.close()
        wall, cpu = time.perf_counter(), time.process_time()
        found = 0
        dropped: Counter[str] = Counter()
        with llm.connect(given) as model:
            asked = (prompted.question(one, "stage1", given) for one in documents(number))
            for heard in prompted.ask(model, asked, given):
                assert heard.error is None and heard.cached == heard.requests
                document = heard.question.document
                found += len(
                    prompted.mentions(
                        document,
                        heard.question.readings,
                        heard.entries,
                        given,
                        extraction.value_of(document, given),
                        "stage1/1",
                        dropped,
                    )
                )
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        size = (Path(folder) / "llm.sqlite").stat().st_size
    print(
        f"warm: {number:,} documents' answers, {found:,} mentions: {wall:.1f} s wall, "
        f"{cpu:.1f} s CPU; cache {size / 1e6:.0f} MB"
    )


def _rows(memory: AnswerMemory, number: int) -> Iterator[tuple[bytes, StoredAnswer]]:
    for document in documents(number):
        value = msgspec.json.encode(answer_for(document.content))
        asked = prompted.question(document, "stage1", memory.settings)
        for request in prompted.requests_of(asked, memory.settings):
            yield memory.key(request), StoredAnswer(value, 1000, 200, 0.2)


def answer_for(text: str) -> dict[str, Any]:
    """Return an answer that names twelve words of a text."""
    words = sorted({word for word in text.split() if word.isalpha()}, key=len)[-12:]
    return {
        "entities": [[word, word.lower(), TYPES[n % 8], n / 12] for n, word in enumerate(words)]
    }


def cost(number: int) -> None:
    """Say what documents would cost, and how long answers are that name what `embedded` finds."""
    with tempfile.TemporaryDirectory() as folder:
        given = settings(folder, "http://127.0.0.1:9/v1")
        stages = extraction_cost.estimate(partial(documents, number), given)
    detector = Detector(msgspec.structs.replace(given, detector="embedded"))
    some = list(documents(200))
    rows = [[m.original, m.value, m.type, 0.9] for one in some for m in detector(one)]
    answer = estimated_tokens(msgspec.json.encode(rows).decode()) / len(some)
    words = sum(len(one.content.split()) for one in some) / len(some)
    asked = "; ".join(
        f"{stage}: {said.requests:,} requests, about {said.tokens_in / 1e6:.2f} M tokens to read"
        for stage, said in stages.items()
    )
    print(
        f"cost: {number:,} documents of {words:.0f} words: {asked}; "
        f"an answer takes about {answer:.0f} tokens"
    )


def main(number: int = 2000, kept: int = 100_000) -> None:
    """Print all figures."""
    cost(1000)
    command(number)
    cold(number)
    warm(kept)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
