"""linkmask's own routes over real HTTP: what is masked, who is let in, and what a failure says."""

from __future__ import annotations

import base64
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest

from linkmask.errors import SettingsError, UsageError
from linkmask.serve.access import read_tokens
from linkmask.serve.running import Options, serve, service_of
from linkmask.serve.service import RequestLimits
from linkmask.serve.work import PlainWorker, RunWorker
from serve.conftest import PATIENCE, TOKEN, serving

TEXT = "😀 Ms. Jane Okonkwo-Reyes, tel. 906-555-0177, called about her asthma."


def mask(client: httpx.Client, *texts: str) -> Any:
    answer = client.post("/v1/mask", json={"texts": list(texts)})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_without_a_run_the_types_of_the_floor_are_masked(detector: httpx.Client) -> None:
    made = mask(detector, TEXT, "nothing here", "")
    first = made["texts"][0]
    assert "Okonkwo" not in first and "0177" not in first
    assert "asthma" in first
    assert made["texts"][1:] == ["nothing here", ""]
    for span in made["spans"][0]:
        assert TEXT[: span["start"]].startswith("😀")
        assert first[span["masked_start"] : span["masked_end"]].startswith(f"[{span['type']}_")
        assert not span["known"]


def test_one_person_has_one_pseudonym_in_all_requests_of_a_service(detector: httpx.Client) -> None:
    spans = [mask(detector, text)["spans"][0][0] for text in (TEXT, "Ms. Jane Okonkwo-Reyes left.")]
    assert spans[0]["entity"] == spans[1]["entity"]


def test_with_a_run_values_get_the_masks_of_its_corpus(masker: httpx.Client, masked: Path) -> None:
    released = (masked / "documents" / "in.jsonl").read_text()
    made = mask(masker, "Is Ms. Brandvold covered?")
    (span,) = made["spans"][0]
    pseudonym = made["texts"][0][span["masked_start"] : span["masked_end"]]
    assert span["known"] and pseudonym in released and "Brandvold" not in made["texts"][0]


def test_what_was_masked_by_a_run_can_be_put_back(masker: httpx.Client) -> None:
    made = mask(masker, "Is Ottoline Brandvold covered?")
    answer = masker.post("/v1/unmask", json={"texts": made["texts"]})
    assert answer.json() == {"texts": ["Is Ottoline Brandvold covered?"]}


def test_a_label_that_a_span_names_can_be_explained(masker: httpx.Client) -> None:
    label = mask(masker, "Is Ms. Brandvold covered?")["spans"][0][0]["entity"]
    answer = masker.post("/v1/explain", json={"entity": label})
    assert answer.status_code == 200 and answer.json()["type"] == "NAME"
    assert "randvold" not in answer.text


def test_originals_come_back_only_where_the_service_was_started_so(masked: Path) -> None:
    with serving(run=masked) as client:
        made = mask(client, "Is Ottoline Brandvold covered?")
        for path, body in (
            ("/v1/unmask", {"texts": made["texts"]}),
            ("/v1/explain", {"person": "Brandvold", "show_values": True}),
        ):
            answer = client.post(path, json=body)
            assert answer.status_code == 403 and "randvold" not in answer.text


def test_without_a_run_nothing_can_be_unmasked_or_explained(detector: httpx.Client) -> None:
    assert detector.post("/v1/unmask", json={"texts": ["[NAME]"]}).status_code == 409
    assert detector.post("/v1/explain", json={"entity": "x"}).status_code == 409


# ── who is let in ───────────────────────────────────────────────────────────────────────────────


def basic(text: str) -> str:
    return "Basic " + base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"x-api-key": TOKEN}, 200),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
        ({"Authorization": basic(f"x:{TOKEN}")}, 200),
        ({"Authorization": basic(f"{TOKEN}:")}, 200),
        ({"x-api-key": TOKEN[:-1]}, 401),
        ({"Authorization": "Bearer"}, 401),
        ({"Authorization": "Basic ÿ"}, 401),
        ({"Authorization": basic(":")}, 401),
        ({"x-api-key": ""}, 401),
    ],
)
def test_a_token_is_asked_for_in_three_forms(
    masker: httpx.Client, headers: dict[str, str], status: int
) -> None:
    raw = {name: value.encode("latin-1") for name, value in headers.items()}
    answer = httpx.post(
        f"{masker.base_url}/v1/mask", json={"texts": ["a"]}, headers=raw, trust_env=False
    )
    assert answer.status_code == status


def test_health_is_told_without_a_token(masker: httpx.Client) -> None:
    for path in ("/healthz", "/readyz"):
        assert httpx.get(f"{masker.base_url}{path}", trust_env=False).status_code == 200
    assert httpx.get(f"{masker.base_url}/v1/metrics", trust_env=False).status_code == 401


def test_a_page_whose_name_points_here_is_not_answered(detector: httpx.Client) -> None:
    """DNS rebinding: without a token, the Host header must name this machine."""
    for host, status in (("evil.example", 401), ("localhost:5002", 200), ("[::1]:80", 200)):
        answer = detector.post("/v1/mask", json={"texts": ["a"]}, headers={"Host": host})
        assert answer.status_code == status, host
        assert ("Host names another machine" in answer.text) == (status == 401)


def test_other_machines_are_served_only_with_a_token() -> None:
    import linkmask

    settings = linkmask.load(environment={})
    with pytest.raises(UsageError, match="token"):
        service_of(Options(settings=settings, host="0.0.0.0"))
    assert service_of(Options(settings=settings, host="0.0.0.0", tokens=(TOKEN,)))


def test_tokens_are_read_a_line_each_and_short_ones_refused(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"# for the gateway\n{TOKEN}\n\nanother-{TOKEN}\n")
    assert read_tokens(file, "") == [TOKEN, f"another-{TOKEN}"]
    assert read_tokens(None, TOKEN) == [TOKEN]
    file.write_text("short")
    with pytest.raises(UsageError, match="16") as told:
        read_tokens(file, "")
    assert "short" not in str(told.value)
    with pytest.raises(UsageError, match="no token"):
        file.write_text("\n")
        read_tokens(file, "")


def test_a_wrong_body_is_answered_with_what_would_be_right(detector: httpx.Client) -> None:
    kind = {"Content-Type": "application/json"}
    broken = detector.post("/v1/mask", content=b'{"texts": ["Jane"', headers=kind)
    assert (broken.status_code, broken.json()["error"]) == (400, "The body is no valid JSON")
    unknown = detector.post("/v1/mask", json={"Jane": "Roe"})
    assert unknown.status_code == 400
    assert unknown.json()["error"] == "Unknown field; there are: texts"


# ── limits ──────────────────────────────────────────────────────────────────────────────────────


def test_a_body_that_is_too_large_is_refused_whether_its_length_is_told_or_not() -> None:
    with serving(limits=RequestLimits(body=1000, texts=3, seconds=PATIENCE)) as client:
        large = {"texts": ["Jane Roe " * 200]}
        assert client.post("/v1/mask", json=large).status_code == 413
        chunks = iter([b'{"texts": ["', b"x" * 2000, b'"]}'])
        kind = {"Content-Type": "application/json"}
        assert client.post("/v1/mask", content=chunks, headers=kind).status_code == 413
        assert client.post("/v1/mask", json={"texts": ["a"] * 4}).status_code == 413
        assert client.post("/v1/mask", json={"texts": ["a"] * 3}).status_code == 200


def test_what_can_not_be_worked_on_now_is_told_to_come_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One piece of work waits and one is done: a third gets 503 and when to ask again."""
    import threading

    begun, go = threading.Event(), threading.Event()
    plain = PlainWorker.mask

    def slow(self: PlainWorker, texts: Any) -> Any:
        if texts[0] == "slow":
            begun.set()
            assert go.wait(30)
        return plain(self, texts)

    monkeypatch.setattr(PlainWorker, "mask", slow)
    with serving(waiting=1) as client:
        answers: list[httpx.Response] = []
        body = {"texts": ["slow"]}
        thread = threading.Thread(
            target=lambda: answers.append(httpx.post(f"{client.base_url}/v1/mask", json=body))
        )
        thread.start()
        assert begun.wait(30)
        refused = client.post("/v1/mask", json={"texts": ["Jane Roe"]})
        assert client.get("/healthz").status_code == 200
        go.set()
        thread.join(30)
        assert answers[0].status_code == 200
        assert refused.status_code == 503 and refused.headers["retry-after"] == "1"
        assert "Jane" not in refused.text
        assert client.post("/v1/mask", json={"texts": ["Jane"]}).status_code == 200


def test_a_body_that_does_not_arrive_is_not_waited_for() -> None:
    """One that stalls gets 408; one that breaks off leaves the service as it was."""
    import socket

    head = b"POST /v1/mask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with serving(limits=RequestLimits(seconds=0.3)) as client:
        where = (client.base_url.host, client.base_url.port)
        with socket.create_connection(where, timeout=30) as stalled:
            stalled.sendall(head + b'Content-Length: 100\r\n\r\n{"texts": [')
            said = stalled.recv(4096)
        assert said.startswith(b"HTTP/1.1 408") and b"texts" not in said
        with socket.create_connection(where, timeout=30) as broken:
            broken.sendall(head + b'Content-Length: 100\r\n\r\n{"texts": [')
        assert client.get("/readyz").status_code == 200


def test_a_stop_lets_requests_under_way_finish(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    begun, go = threading.Event(), threading.Event()
    plain = PlainWorker.mask

    def slow(self: PlainWorker, texts: Any) -> Any:
        if texts[0].startswith("slow"):
            begun.set()
            assert go.wait(30)
        return plain(self, texts)

    monkeypatch.setattr(PlainWorker, "mask", slow)
    answers: list[httpx.Response] = []
    with serving() as client:
        body = {"texts": ["slow Ms. Jane Okonkwo"]}
        thread = threading.Thread(
            target=lambda: answers.append(httpx.post(f"{client.base_url}/v1/mask", json=body))
        )
        thread.start()
        assert begun.wait(30)
        threading.Timer(0.3, go.set).start()
    thread.join(30)
    assert answers[0].status_code == 200 and "Okonkwo" not in answers[0].text


# ── failures ────────────────────────────────────────────────────────────────────────────────────


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """What the service logs, and not the client that asks it."""
    rows = [one for one in caplog.records if not one.name.startswith("http")]
    return "\n".join(f"{one.getMessage()} {one.exc_text or ''}" for one in rows)


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"", "application/json", 400),
        (b"{", "application/json", 400),
        (b'{"texts": "Jane Roe"}', "application/json", 400),
        (b'{"texts": ["Jane Roe"], "Jane Roe": 1}', "application/json", 400),
        (b'{"texts": ["\\ud800 Jane Roe"]}', "application/json", 400),
        (b'{"texts": ["Jane Roe \xff"]}', "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"texts": ["Jane Roe"]}', "text/plain", 415),
        (b"texts=Jane+Roe", "application/x-www-form-urlencoded", 415),
    ],
)
def test_a_wrong_request_is_refused_without_its_text(
    detector: httpx.Client, content: bytes, kind: str, status: int
) -> None:
    answer = detector.post("/v1/mask", content=content, headers={"Content-Type": kind})
    assert answer.status_code == status
    assert list(answer.json()) == ["error"] and "Jane" not in answer.text


def test_no_route_and_no_method_are_told_in_json(detector: httpx.Client) -> None:
    answer = detector.get("/nowhere")
    assert answer.status_code == 404 and "not found on the server" in answer.json()["error"]
    answer = detector.get("/v1/mask")
    told = "The method is not allowed for the requested URL."
    assert answer.status_code == 405 and answer.json() == {"error": told}


def test_a_failure_of_detection_is_an_error_and_shows_no_value(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(self: Any, texts: Any) -> Any:
        raise KeyError(texts[0])

    broken = type("Broken", (), {"mask": fails, "facts": None})
    monkeypatch.setattr("linkmask.serve.work.WorkerSource.worker", lambda self: broken())
    with caplog.at_level(logging.DEBUG, "linkmask.serve"), serving() as client:
        answer = client.post("/v1/mask", json={"texts": [TEXT]})
        assert answer.status_code == 500 and answer.json() == {"error": "Internal server error"}
        assert "Okonkwo" not in client.get("/v1/metrics").text
    assert "KeyError" in logged(caplog) and "Okonkwo" not in logged(caplog)


def test_logs_and_metrics_hold_counts_and_no_value(
    masked: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.DEBUG, "linkmask.serve"),
        serving(run=masked, originals=True) as client,
    ):
        made = mask(client, TEXT, "Is Ottoline Brandvold covered?")
        client.post("/v1/unmask", json={"texts": made["texts"]})
        client.post("/v1/explain", json={"person": "Ottoline Brandvold"})
        client.post("/v1/explain", json={"person": "Okonkwo"})
        client.get("/Okonkwo", params={"q": "Brandvold"})
        page = client.get("/v1/metrics").text
    assert 'linkmask_requests_total{route="/v1/mask",status="200"} 1' in page
    assert 'linkmask_spans_total{type="NAME"} 2' in page
    assert "POST /v1/mask 200" in logged(caplog)
    for value in ("Okonkwo", "Brandvold", "555-0177", "asthma"):
        assert value not in page and value not in logged(caplog)


def test_masks_that_can_not_be_undone_are_told_without_a_path(
    tmp_path: Path, detector: httpx.Client
) -> None:
    import linkmask
    from linkmask import commands

    (tmp_path / "in.txt").write_text("Ms. Ottoline Brandvold called.")
    settings = linkmask.load(overrides={"workers": 1}, environment={})
    commands.mask_files(tmp_path / "in.txt", tmp_path / "out", settings)
    with serving(run=tmp_path / "out", originals=True) as client:
        answer = client.post("/v1/unmask", json={"texts": ["[NAME]"]})
        assert answer.status_code == 409 and str(tmp_path) not in answer.text


def test_a_service_that_asks_a_language_model_is_refused() -> None:
    import linkmask

    with pytest.raises(SettingsError, match="embedded"):
        PlainWorker(linkmask.load(overrides={"detector": "llm"}, environment={}), b"k" * 32)


def test_a_run_that_is_not_there_is_told_before_anything_listens(tmp_path: Path) -> None:
    import linkmask

    with pytest.raises(linkmask.LinkmaskError):
        serve(
            Options(run=tmp_path / "no.run", settings=linkmask.load(environment={}), port=0),
            lambda service: pytest.fail("it listens"),
        )


def test_a_masker_changes_no_input(masked: Path) -> None:
    texts = [TEXT]
    RunWorker(masked).mask(texts)
    assert texts == [TEXT]
