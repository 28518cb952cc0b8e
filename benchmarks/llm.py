"""The model client: what it adds to the server's own time, and how fast kept answers are.

    python benchmarks/llm.py [documents] [kept]        default: 2000 100000

Cold: a scripted server in a process of its own answers each request in 200 ms; two requests per
document (stage 1, then stage 2) over 16 connections. The server's own time is requests × 0.2 s
/ 16. CPU is this process's user and system time over the wall time, in % of a core: reading the
prompt, asking, validating, keeping. Warm: answers of 12 entities each are read from the cache,
validated against their schema and turned into mentions with their places in the text, by one
process; wall and CPU seconds.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from endtoend import corpus
from linkmask.config import Settings
from linkmask.llm.cache import Row
from linkmask.llm.client import Client
from linkmask.llm.memory import Memory
from linkmask.llm.request import Answer, Request
from linkmask.records import CONTENT, Mention, Why

SERVER = Path(__file__).parents[1] / "tests" / "serving.py"
SECONDS, CONNECTIONS = 0.2, 16
TYPES = "NAME PATIENT_ID ADDRESS EMAIL LOCATION EVENT_DATE MEDICAL_CONDITION TREATMENT".split()
ENTITY = {
    "type": "array",
    "prefixItems": [
        {"type": "string", "minLength": 1, "maxLength": 400},
        {"type": "string", "minLength": 1, "maxLength": 400},
        {"type": "string", "enum": TYPES},
        {"type": "number", "minimum": 0, "maximum": 1},
    ],
    "items": False,
    "minItems": 4,
}
SCHEMA = {
    "type": "object",
    "properties": {"entities": {"type": "array", "items": ENTITY}},
    "required": ["entities"],
    "additionalProperties": False,
}
RULES = "Find what helps to identify the person that the document is about. " * 60
"""As long as a prompt with definitions, rules and examples."""


def question(stage: str, text: str) -> Request:
    """Return the request of one stage for one document."""
    return Request((("system", RULES), ("user", text)), SCHEMA, f"{stage}/1", 2048)


def answer_for(text: str) -> dict[str, Any]:
    """Return an answer that names twelve words of a text."""
    words = sorted({word for word in text.split() if word.isalpha()}, key=len)[-12:]
    return {
        "entities": [[word, word.lower(), TYPES[n % 8], n / 12] for n, word in enumerate(words)]
    }


def mentions(document: str, text: str, answer: Answer) -> list[Mention]:
    """Turn an answer into mentions: each place where a value stands."""
    found = []
    for original, value, kind, relevance in answer.value["entities"]:
        start = text.find(original)
        while start >= 0:
            end = start + len(original)
            why = Why("llm", "stage1", relevance)
            found.append(
                Mention(document, CONTENT, start, end, kind, original, value, relevance, why)
            )
            start = text.find(original, end)
    return found


def settings(folder: str, url: str) -> Settings:
    return Settings(
        llm_url=url,
        llm_model="scripted",
        llm_cache=str(Path(folder) / "llm.sqlite"),
        llm_connections=CONNECTIONS,
    )


def cold(documents: int) -> None:
    """Ask a server that takes its time."""
    texts = [str(record["content"]) for record in corpus(documents)]
    command = [sys.executable, str(SERVER), str(SECONDS)]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as server,
    ):
        assert server.stdout is not None
        with Client(settings(folder, server.stdout.readline().strip())) as model:
            model.ask(question("warm-up", "finds out what the server can do"))
            wall, cpu = time.perf_counter(), time.process_time()
            for stage in ("stage1", "stage2"):
                outcomes = list(model.ask_all(question(stage, text) for text in texts))
                assert all(isinstance(outcome, Answer) for outcome in outcomes), model.usage
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        server.communicate("")
    own = 2 * documents * SECONDS / CONNECTIONS
    print(
        f"cold: {documents:,} documents, two stages: {wall:.1f} s, {wall / own:.2f} × the server's "
        f"own {own:.1f} s; CPU {100 * cpu / wall:.1f} % of a core "
        f"({1000 * cpu / (2 * documents):.2f} ms per request)"
    )


def warm(documents: int) -> None:
    """Read kept answers."""
    some = [str(record["content"]) for record in corpus(min(documents, 2000))]
    texts = [f"{some[n % len(some)]} Reference {n}." for n in range(documents)]
    with tempfile.TemporaryDirectory() as folder:
        kept = settings(folder, "http://127.0.0.1:9/v1")
        memory = Memory(kept)
        memory.cache.put(_rows(memory, texts))
        memory.cache.close()
        wall, cpu = time.perf_counter(), time.process_time()
        found = 0
        with Client(kept) as model:
            answers = model.ask_all(question("stage1", text) for text in texts)
            for n, (text, answer) in enumerate(zip(texts, answers, strict=True)):
                assert isinstance(answer, Answer) and answer.cached
                found += len(mentions(str(n), text, answer))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        size = (Path(folder) / "llm.sqlite").stat().st_size
    print(
        f"warm: {documents:,} documents' answers, {found:,} mentions: {wall:.1f} s wall, "
        f"{cpu:.1f} s CPU; cache {size / 1e6:.0f} MB"
    )


def _rows(memory: Memory, texts: list[str]) -> Iterator[tuple[bytes, Row]]:
    import msgspec

    for text in texts:
        value = msgspec.json.encode(answer_for(text))
        yield memory.key(question("stage1", text)), Row(value, 1000, 200, 0.2)


def main(documents: int = 2000, kept: int = 100_000) -> None:
    """Print both figures."""
    cold(documents)
    warm(kept)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
