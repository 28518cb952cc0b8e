"""A detector of others behind a real local HTTP server: both forms, and all of a text."""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import linkmask
from linkmask.config import Settings
from linkmask.detect.other_detectors import type_of
from linkmask.detect.other_detectors.servers import connect_detector
from linkmask.detect.other_detectors.spans import OVERLAP, WINDOW
from linkmask.errors import BadAnswer, ModelUnavailable, NoAnswer, SettingsError

VALUE = re.compile("zorblax [0-9]+")


class Server(BaseHTTPRequestHandler):
    """Finds "zorblax 7" in both forms; `/broken` fails, `/outside` names a span past the text."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        spans = [(m.start(), m.end(), m[0]) for m in VALUE.finditer(asked["text"])]
        answer: Any = [
            {"start": s, "end": e, "entity_type": "MISSION", "score": 0.8} for s, e, _ in spans
        ]
        if self.path == "/v1/extract":
            keys = ("start_position", "end_position", "value")
            answer = {
                "entities": [
                    {**dict(zip(keys, one, strict=True)), "suggested_label": "person", "score": 0.8}
                    for one in spans
                ]
            }
        if self.path == "/outside":
            answer = [{"start": 0, "end": 10**6, "entity_type": "PERSON", "score": 1}]
        self.send_response(500 if self.path == "/broken" else 200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    httpd.server_close()


@pytest.mark.parametrize(("path", "label"), [("/analyze", "MISSION"), ("/v1/extract", "person")])
def test_both_forms_give_spans_of_the_whole_text(server: str, path: str, label: str) -> None:
    """A value across the end of a part is found whole, and one at the very end is not cut off."""
    text = "é" * (WINDOW - 4) + "zorblax 1" + " x" * WINDOW + " zorblax 22"
    found = connect_detector(server + path)(text, "en")
    assert {text[one.start : one.end] for one in found} >= {"zorblax 1", "zorblax 22"}
    assert {one.label for one in found} == {label}
    assert len("zorblax 1") < OVERLAP


def test_what_another_detector_finds_is_added_and_masked(server: str) -> None:
    """Under a label that nobody knows, too; what linkmask finds by itself stays."""
    settings = Settings(other_detectors=(f"{server}/analyze",), style="redact",
                        floor=("NAME", "EMAIL", "INDIRECT_IDENTIFIER"))  # fmt: skip
    record = {"id": "a", "content": "He flew zorblax 9; mail anna.roth@example.org."}
    (masked,) = linkmask.mask([record], settings).documents
    assert "zorblax" not in masked.content and "@" not in masked.content


def test_a_detector_that_fails_releases_nothing(server: str) -> None:
    for path, error in (("/broken", NoAnswer), ("/outside", BadAnswer)):
        with pytest.raises(error):
            connect_detector(server + path)("text", "en")
        done = linkmask.mask(["Anna Roth called."], Settings(other_detectors=(server + path,)))
        assert list(done.documents) == []
    with pytest.raises(ModelUnavailable):
        connect_detector("http://127.0.0.1:9/analyze")("text", "en")
    with pytest.raises(SettingsError, match="other_detectors"):
        linkmask.mask(["Anna"], Settings(other_detectors=("file:///etc",)))


def test_labels_become_entity_types() -> None:
    types = Settings().entity_types
    named = {"PERSON": "NAME", "phone number": "PHONE_NUMBER", "GPE": "LOCATION", "zork": "INDIRECT_IDENTIFIER"}  # fmt: skip  # noqa: E501
    assert {label: type_of(label, types) for label in named} == named
