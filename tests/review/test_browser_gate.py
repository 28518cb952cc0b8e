"""Only the browser that was given the address is let in, and only from this page."""

from __future__ import annotations

import hashlib
from pathlib import Path

import httpx
import pytest

from linkmask.review.app import FILES

STATIC = Path(__file__).parents[2] / "src" / "linkmask" / "review" / "static"
NOTICE = Path(__file__).parents[2] / "NOTICE"


def test_the_token_serves_once_and_becomes_a_strict_cookie(served):
    with (
        httpx.Client(trust_env=False, timeout=300) as first,
        httpx.Client(trust_env=False, timeout=300) as second,
    ):
        entered = first.get(served.gate.address)
        cookie = entered.headers["set-cookie"].lower()
        assert entered.status_code == 200 and "url=/" in entered.text
        assert "httponly" in cookie and "samesite=strict" in cookie
        assert first.get(f"{served.base}/").status_code == 200
        assert second.get(served.gate.address).status_code == 403
        assert second.get(f"{served.base}/").status_code == 403
        assert first.get(served.gate.address).status_code == 200  # a reload by who is known


@pytest.mark.parametrize("token", ["", "wrong", "é"])
def test_a_wrong_token_is_refused_and_leaves_the_right_one_good(served, token):
    with httpx.Client(trust_env=False, timeout=300) as client:
        assert client.get(f"{served.base}/enter", params={"token": token}).status_code == 403
        assert client.get(served.gate.address).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost:80", "127.0.0.1", ""])
def test_another_host_is_refused_even_with_the_cookie(served, host):
    with served.client() as client:
        answer = client.get("/", headers={"host": host})
        assert answer.status_code in (400, 403)
        assert "Brandvold" not in answer.text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", None])
def test_a_form_from_elsewhere_changes_nothing(served, origin):
    headers = {"origin": origin} if origin else {}
    with served.client() as client:
        del client.headers["origin"]
        form = {"version": "0", "entity": served.review.opened.labels[0], "choice": "mask"}
        assert client.post("/decide", data=form, headers=headers).status_code == 403
    assert served.review.decisions.kept.version == 0


def test_what_another_site_asks_for_is_refused_though_the_browser_sends_the_cookie(served):
    with served.client() as client:
        assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_every_answer_forbids_storing_framing_and_loading_from_elsewhere(served):
    with served.client() as client:
        for path in ("/", "/nothing", "/static/review.js", "/enter"):
            headers = client.get(path).headers
            policy = headers["content-security-policy"]
            assert headers["cache-control"] == "no-store"
            assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy and "http" not in policy


def test_a_large_body_is_refused_before_it_is_read(served):
    with served.client() as client:
        answer = client.post("/decide", content=b"x" * (3 << 20))
        assert answer.status_code == 413
        chunked = client.post("/decide", content=iter([b"x"]))
        assert chunked.status_code == 413


def test_pages_hold_no_inline_script_or_style_and_name_no_other_host(served):
    with served.client() as client:
        for path in ("/", "/decisions"):
            html = client.get(path).text
            assert "<style" not in html and " style=" not in html and "<script>" not in html
            assert "onclick" not in html and "http://" not in html and "https://" not in html


def test_values_of_documents_are_inert(served):
    with served.client() as client:
        html = client.get("/", params={"q": "script"}).text
    assert "&lt;script&gt;document.title" in html


@pytest.mark.parametrize("name", ["htmx.min.js", "idiomorph-ext.min.js"])
def test_vendored_files_are_those_that_the_notice_names(name):
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()
    assert f"{name}, SHA-256 {digest}" in NOTICE.read_text("utf-8").replace("\n  ", " ")


def test_only_known_files_are_served(served):
    with served.client() as client:
        assert all(client.get(f"/static/{name}").status_code == 200 for name in FILES)
        for path in ("/static/..%2fapp.py", "/static/app.py", "/static/"):
            assert client.get(path).status_code == 404
