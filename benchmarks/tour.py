"""What a stranger would do first, in one go, with the time of each step: `make tour`.

    python benchmarks/tour.py [OUT] [--documents 200]

It generates a corpus with known persons, previews it, masks it, reads the report, asks about a
document, attacks the corpus behind several defences, and asks the service as Presidio's README
asks Presidio. OUT (default: tour-out) is replaced if it is of an earlier tour. No network is used.
It ends with status 1 if a step failed, or if all took more than LIMIT.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

LIMIT = 600
"""Seconds."""
DEFENCES = ("std", "mask-direct", "mask-all", "clam")
MEANING = """\
std: nothing is masked; mask-direct: direct identifiers, document by document, as Presidio and its
like do; mask-all: everything that was found; clam: linkmask. exposure: share of what identifies
the persons that can still be read; ROUGE-1: how near answers over the masked corpus come to the
right ones."""
QUESTION = {"text": "John Smith drivers license is AC432223", "language": "en"}
"""The request of Presidio's README and samples."""


def linkmask(*words: object, shown: bool = True) -> str:
    """Run a command, print what it printed, and return it; its status must be 0 or 2."""
    print(f"$ linkmask {' '.join(map(str, words))}")
    command = [sys.executable, "-m", "linkmask", *map(str, words)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 2):
        raise SystemExit(f"the step failed with status {done.returncode}:\n{done.stderr}")
    if shown:
        print(done.stdout)
    return done.stdout


def generate(out: Path, documents: int) -> None:
    linkmask("generate", "-o", out / "corpus", "--documents", documents, "--quiet")


def preview(out: Path) -> None:
    """Look at the first document that speaks of a person."""
    with (out / "corpus" / "mentions.jsonl").open(encoding="utf-8") as mentions:
        document = json.loads(next(mentions))["document"]
    linkmask("preview", next((out / "corpus" / "documents").glob(f"*_{document}.json")))


def mask(out: Path) -> None:
    linkmask("mask", out / "corpus" / "documents", "-o", out / "masked")


def report(out: Path) -> None:
    summary = json.loads((out / "masked" / "summary.json").read_text("utf-8"))
    counts, risk = summary["counts"], summary["risk"]
    over = [risk[when]["documents_over"] for when in ("before", "after")]
    links = [risk[when]["links"] for when in ("before", "after")]
    print(
        f"{counts['masked_entities']} of {counts['entities']} values are masked; documents over "
        f"the limit: {over[0]} → {over[1]}; links: {links[0]} → {links[1]}; set aside: "
        f"{counts['set_aside']}. Open {out / 'masked' / 'report.html'}"
    )


def explain(out: Path) -> None:
    """Ask about the document that gave most away."""
    scored = json.loads((out / "masked.run" / "risk.json").read_text("utf-8"))["documents"]
    riskiest = max(scored, key=lambda row: row["risk"])["document"]
    linkmask("explain", out / "masked.run", "--document", riskiest)


def bench(out: Path) -> None:
    chosen = [word for name in DEFENCES for word in ("--defence", name)]
    attacks = [word for name in ("audit", "questions") for word in ("--attack", name)]
    chosen += [*attacks, "--retriever", "bm25"]
    linkmask("bench", out / "corpus", "-o", out / "bench.run", *chosen)
    print(MEANING)


def serve(out: Path) -> None:
    with serving() as address:
        request = f"-H 'Content-Type: application/json' -d '{json.dumps(QUESTION)}'"
        print(f"$ curl -s {address}/analyze {request}")
        with httpx.Client(trust_env=False) as client:
            answer = client.post(f"{address}/analyze", json=QUESTION, timeout=60)
        answer.raise_for_status()
        print(answer.text)
        names = {one["entity_type"] for one in answer.json()}
        if "PERSON" not in names:
            raise SystemExit("the service did not find the name")


@contextmanager
def serving() -> Iterator[str]:
    """Give the address of a service that answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "linkmask", "serve", "--port", str(port), "--workers", "1"]
    print("$ linkmask serve --workers 1 &")
    with subprocess.Popen([*command, "--quiet"], stderr=subprocess.PIPE) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            wait_for(address, process)
            yield address
        finally:
            process.terminate()


def wait_for(address: str, process: subprocess.Popen[Any]) -> None:
    with httpx.Client(trust_env=False) as client:
        while process.poll() is None:
            try:
                if client.get(f"{address}/readyz").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.1)
    assert process.stderr is not None
    raise SystemExit(f"the service did not start: {process.stderr.read().decode()}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", nargs="?", type=Path, default=Path("tour-out"))
    parser.add_argument("--documents", type=int, default=200)
    given = parser.parse_args()
    out: Path = given.out
    if out.exists():
        if not (out / "tour").exists():
            raise SystemExit(f"{out} is there and no tour made it: name another folder")
        shutil.rmtree(out)
    out.mkdir(parents=True)
    (out / "tour").write_text("made by benchmarks/tour.py\n")
    for name in [name for name in os.environ if name.startswith("LINKMASK_")]:
        del os.environ[name]
    steps: dict[str, Callable[[], None]] = {
        "generate": lambda: generate(out, given.documents),
        "preview": lambda: preview(out),
        "mask": lambda: mask(out),
        "report": lambda: report(out),
        "explain": lambda: explain(out),
        "bench": lambda: bench(out),
        "serve": lambda: serve(out),
    }
    seconds: dict[str, float] = {}
    for number, (name, step) in enumerate(steps.items(), 1):
        print(f"\n── {number} of {len(steps)}: {name} {'─' * 40}", flush=True)
        begin = time.perf_counter()
        step()
        seconds[name] = time.perf_counter() - begin
        print(f"({name}: {seconds[name]:.1f} s)", flush=True)
    total = sum(seconds.values())
    print("\n" + "\n".join(f"{name:10}{spent:7.1f} s" for name, spent in seconds.items()))
    print(f"{'all':10}{total:7.1f} s of at most {LIMIT}")
    return int(total > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
