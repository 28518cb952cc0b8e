"""A scripted OpenAI-compatible server over real HTTP on 127.0.0.1.

Its answers are computed by a function of the request; `faults` come first, one per chat request:
wrong status, slow, cut, not JSON. As `python tests/serving.py SECONDS` it runs by itself and
answers each chat request in that time, for benchmarks.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FORMATS = ("json_schema", "json_object", "text")


@dataclass
class Fault:
    """What happens in place of an answer, or before it (`seconds`)."""

    status: int = 0
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    cut: int | None = None
    """So many bytes of the reply are sent, then the connection is closed."""
    drip: float = 0.0
    """Seconds between single bytes of the body."""


SLOW = Fault(seconds=0.5)
BUSY = Fault(429, {"error": {"message": "slow down"}}, {"Retry-After": "2"})
BROKEN = Fault(500, {"error": {"message": "oops"}})
NOT_JSON = Fault(200, b"<html>gateway</html>")
CLOSED = Fault(cut=0)
CUT = Fault(cut=150)


def reply(
    content: Any, *, finish: str = "stop", tokens: tuple[int, int] | None = (1000, 20)
) -> Any:
    """Return a chat completion that says `content` (a str, or anything as JSON)."""
    text = content if isinstance(content, str) or content is None else json.dumps(content)
    said = {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": finish,
            }
        ],
    }
    if tokens:
        said["usage"] = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return said


class Scripted:
    """A server to be used with `with`: `url` to point at, `seen` chat requests to look at.

    `answer`: (request) → content, a whole reply (`reply(…)`) or a `Fault`. `formats`: forms of
    structured output it keeps; others are rejected, or `ignored` silently. `rejects`: parameters
    it answers 400 to. `pages`: what it says of itself at other paths.
    """

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], Any] = lambda request: {},
        *,
        faults: Iterable[Fault] = (),
        formats: tuple[str, ...] = FORMATS,
        ignored: bool = False,
        rejects: tuple[str, ...] = (),
        seconds: float = 0.0,
    ) -> None:
        self.answer, self.faults = answer, deque(faults)
        self.formats, self.ignored, self.rejects = formats, ignored, rejects
        self.seconds = seconds
        self.pages: dict[str, Any] = {"/v1/models": {"data": [{"id": "scripted"}]}}
        self.seen: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.probes = 0
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Scripted:
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                script.respond(self, request)

            def do_GET(self) -> None:
                said = script.pages.get(self.path)
                send(self, Fault(404 if said is None else 200, said))

            def log_message(self, *words: Any) -> None:
                pass

        return Handler

    def respond(self, handler: BaseHTTPRequestHandler, request: dict[str, Any]) -> None:
        """Answer one POST."""
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            if handler.path.endswith("/embeddings"):
                said = self._vectors(request)
            elif handler.path.endswith("/chat/completions"):
                said = self._chat(request, dict(handler.headers))
            else:
                said = Fault(404, {"error": {"message": "no such path"}})
        finally:
            with self._lock:
                self._now -= 1
        send(handler, said)

    def _vectors(self, request: dict[str, Any]) -> Fault:
        with self._lock:
            self.seen.append(request)
        data = [
            {"index": index, "embedding": [byte / 255 for byte in sha256(text.encode()).digest()]}
            for index, text in enumerate(request["input"])
        ]
        return Fault(200, {"data": data[::-1], "usage": {"prompt_tokens": 7, "total_tokens": 7}})

    def _chat(self, request: dict[str, Any], headers: dict[str, str]) -> Fault:
        if complaint := self._complaint(request):
            return Fault(400, {"error": {"message": complaint}})
        if "Wish me a good morning." in request["messages"][-1]["content"]:
            self.probes += 1
            wanted = request.get("response_format", {}).get("type", "text")
            kept = wanted in self.formats
            return Fault(200, reply({"word": "linkmask"} if kept else "Good morning!"))
        with self._lock:
            self.seen.append(request)
            self.headers.append(headers)
            fault = self.faults.popleft() if self.faults else Fault()
        time.sleep(fault.seconds or self.seconds)
        if fault.status:
            return fault
        said = self.answer(request)
        if isinstance(said, Fault):
            return said
        whole = said
        if not (isinstance(said, dict) and "choices" in said):
            letters = sum(len(message["content"]) for message in request["messages"])
            whole = reply(said, tokens=(letters // 4 + 10, len(str(said)) // 4 + 1))
        return Fault(200, whole, cut=fault.cut, drip=fault.drip)

    def _complaint(self, request: dict[str, Any]) -> str:
        for name in self.rejects:
            if name in request:
                other = ", use max_completion_tokens" if name == "max_tokens" else ""
                return f"Unsupported parameter: {name}{other}"
        wanted = request.get("response_format", {}).get("type", "text")
        if wanted not in self.formats and not self.ignored:
            return f"response_format {wanted} is not supported"
        return ""


def send(handler: BaseHTTPRequestHandler, said: Fault) -> None:
    """Write a reply, whole or not."""
    body = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
    lines = {"Content-Type": "application/json", "Content-Length": str(len(body)), **said.headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    data = f"HTTP/1.1 {said.status} x\r\n{head}\r\n".encode() + body
    try:
        if said.drip:
            handler.connection.sendall(data[: -len(body)])
            for at in range(len(data) - len(body), len(data)):
                handler.connection.sendall(data[at : at + 1])
                time.sleep(said.drip)
        else:
            handler.connection.sendall(data if said.cut is None else data[: said.cut])
    except OSError:
        pass
    if said.cut is not None:
        handler.close_connection = True


def main(seconds: float) -> None:
    """Serve until the standard input is closed; the URL is the first line printed."""
    entities = {
        "entities": [["Mr. Smith", "smith", "NAME", 0.9], ["London", "london", "LOCATION", 0.4]]
    }
    with Scripted(lambda request: entities, seconds=seconds) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(float(sys.argv[1]))
