"""The report page in a real browser: no error, no request, by keyboard, at any width, on paper."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

import axe
import chromium
from chromium import press
from linkmask.report.page import render

pytestmark = chromium.needed


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium.started(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def opened(browser, small, tmp_path: Path):
    path = tmp_path / "report.html"
    html = render(
        small.audit(), small.incidence, small.before, plan=small.plan, after=small.after,
        values=small.values,
    )  # fmt: skip
    path.write_text(html, encoding="utf-8")
    browser.get_log("performance")
    chromium.load(browser, path.as_uri())
    return browser


def focus(browser) -> str:
    return browser.execute_script(
        "const e = document.activeElement; return e.id || e.className || e.tagName"
    )


def test_opens_without_an_error_and_asks_for_nothing(opened):
    events = [json.loads(entry["message"])["message"] for entry in opened.get_log("performance")]
    asked = {
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
        and event["params"]["documentURL"] == opened.current_url  # not the browser's own pages
    }
    assert asked - {"data:,"} == {opened.current_url}
    assert opened.get_log("browser") == []
    assert opened.title.startswith("Under the limits")


def test_style_and_pictures_are_in_force_under_the_policy(opened):
    script = "return getComputedStyle(document.querySelector('.verdict')).borderLeftWidth"
    assert opened.execute_script(script) == "6px"
    box = opened.execute_script("return document.querySelector('.picture').clientHeight")
    assert box > 100


def test_skip_link_comes_first_and_leads_to_the_report(opened):
    from selenium.webdriver.common.keys import Keys

    opened.find_element("tag name", "body").send_keys(Keys.TAB)
    assert focus(opened) == "skip"
    press(opened, Keys.ENTER)
    assert focus(opened) == "main"


def test_tab_goes_down_the_page_and_reaches_every_list(opened):
    from selenium.webdriver.common.keys import Keys

    opened.find_element("tag name", "body").send_keys(Keys.TAB)
    seen = []
    for _ in range(60):
        active = opened.switch_to.active_element
        if active.tag_name == "body":
            break
        seen.append((active.location["y"], active.tag_name))
        active.send_keys(Keys.TAB)
    summaries = opened.find_elements("tag name", "summary")
    assert [name for _, name in seen].count("summary") == len(summaries)
    in_page = [y for y, _ in seen[1:]]  # the skip link stands outside the flow
    assert in_page == sorted(in_page)


def test_lists_open_by_keyboard(opened):
    from selenium.webdriver.common.keys import Keys

    closed = opened.find_element("css selector", "details:not([open]) summary")
    closed.send_keys(Keys.ENTER)
    assert closed.find_element("xpath", "..").get_attribute("open")


@pytest.mark.parametrize("width", [320, 400, 768, 1280])
def test_no_width_makes_the_page_scroll_sideways(opened, width):
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        wide = opened.execute_script("return document.documentElement.scrollWidth")
    finally:
        opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert wide <= width


def test_paper_shows_what_is_folded_on_the_screen(opened):
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        tall = opened.execute_script(
            "return [...document.querySelectorAll('details table')].map(t => t.clientHeight)"
        )
        nav = opened.execute_script("return document.querySelector('nav').clientHeight")
    finally:
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert min(tall) > 0
    assert nav == 0
    assert base64.b64decode(opened.print_page()).startswith(b"%PDF")


@pytest.mark.parametrize("width", [390, 1280])
def test_ids_of_ordinary_length_are_not_broken(opened, width):
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    lines = opened.execute_script(
        "return [...document.querySelectorAll('code.id, code.key')]"
        ".map(e => e.getClientRects().length)"
    )
    opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert len(lines) > 4 and set(lines) <= {0, 1}  # none in what is folded


def test_axe_finds_nothing_serious_in_light_and_in_dark(opened):
    assert {scheme: axe.grave(opened, scheme) for scheme in axe.SCHEMES} == {
        scheme: [] for scheme in axe.SCHEMES
    }


def test_axe_does_find_a_button_without_a_name(browser):
    browser.get("data:text/html,<html lang=en><title>t</title><main><h1>h</h1><p>p</p><button>")
    assert any("button-name" in one for one in axe.grave(browser, "light"))
