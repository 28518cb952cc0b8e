"""The review page in a real browser: by keyboard, without an error, without a request elsewhere."""

from __future__ import annotations

import base64
import json
import stat
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import axe
import chromium
from chromium import press
from linkmask import commands
from linkmask.review import serving
from linkmask.review.sampling import draw

pytestmark = chromium.needed
PAGES = (
    "/", "/documents", "/document/1", "/links", "/what-if", "/sample", "/decisions", "/since",
    "/protocol", "/value", "/riskiest",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium.started(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def opened(browser, served):
    for kind in ("browser", "performance"):
        browser.get_log(kind)
    chromium.load(browser, served.gate.address)
    until(browser, "document.getElementById('rows')")
    return browser


def address(served, path: str) -> str:
    """The address of a page; `/value` is that of a name in two documents."""
    if path == "/value":
        review = served.review
        if "Zofia Wren" not in review.opened.values:
            review.mark(review.decisions.kept.version, "Zofia Wren", "NAME")
        path += f"/{review.opened.labels[review.opened.values.index('Zofia Wren')]}"
    return served.base + path


def until(browser, script: str) -> None:
    """Wait until a script says yes."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 60).until(lambda b: b.execute_script(f"return Boolean({script})"))


def text(browser, name: str) -> str:
    return browser.execute_script(f"return document.getElementById('{name}').textContent.trim()")


def focus(browser) -> str:
    return browser.execute_script("return document.activeElement.id")


def box(browser, served, value: str):
    opened = served.review.opened
    return browser.find_element("id", f"c-{opened.labels[opened.values.index(value)]}")


def test_keeping_by_keyboard_alone_raises_the_exposure_shown_and_changes_the_plan(
    opened, served, run
):
    """A row, k, a reason, Enter; then the plan is made. Focus and scripts survive each swap."""
    from selenium.webdriver.common.keys import Keys

    before = (run / "plan.json").read_text()
    name = served.review.opened.labels[served.review.opened.values.index("Ottoline Brandvold")]
    opened.execute_script(f"document.getElementById('c-{name}').focus()")
    press(opened, "k")
    assert focus(opened) == "reason"  # a reason is missing
    press(opened, "public")
    opened.execute_script("document.getElementById('do-keep').focus()")
    press(opened, Keys.ENTER)
    until(opened, "document.getElementById('pending').textContent.startsWith('1 ')")
    was, becomes = text(opened, "exposure").replace(" %", "").split("→")
    assert float(becomes) > float(was)
    assert (run / "plan.json").read_text() == before
    opened.execute_script("document.getElementById('apply').focus()")
    press(opened, Keys.ENTER)
    until(opened, "document.getElementById('said').textContent.includes('linkmask apply')")
    settings = json.loads((run / "plan.json").read_text())["settings"]
    number = served.review.opened.numbers[name]
    assert settings["never_mask"] == [served.review.opened.incidence.entities[number]]
    assert opened.get_log("browser") == []


def test_the_file_that_the_browser_is_sent_to_leads_to_the_page(browser, served, monkeypatch):
    """The token stands in a private file, not on a command line; the file is gone at the end."""
    seen = []
    monkeypatch.setattr("webbrowser.open", lambda address: seen.append(address))
    with serving._door(served.gate.address):
        (address,) = seen
        path = Path(urlsplit(address).path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert "token" not in address
        chromium.load(browser, address)
        until(browser, "document.getElementById('rows')")
        assert browser.current_url == f"{served.base}/"
    assert not path.exists()


def test_arrows_go_from_row_to_row_and_m_masks_the_row(opened, served):
    from selenium.webdriver.common.keys import Keys

    first, second = (
        one.get_attribute("id")
        for one in opened.find_elements("css selector", "#rows tbody input")[:2]
    )
    opened.execute_script(f"document.getElementById('{first}').focus()")
    press(opened, Keys.ARROW_DOWN)
    assert focus(opened) == second
    press(opened, Keys.ARROW_UP)
    assert focus(opened) == first
    press(opened, "m")
    until(opened, "document.querySelector('tr.pending')")
    assert opened.find_element("css selector", "tr.pending input").get_attribute("id") == first
    assert focus(opened) == first


@pytest.mark.parametrize("path", ["/", "/value"])
def test_enter_after_the_words_of_a_reason_keeps_the_value(opened, served, path):
    """The form's first button is pressed; it must not be the one that masks."""
    from selenium.webdriver.common.keys import Keys

    chromium.load(opened, address(served, path))
    value = "Zofia Wren" if path == "/value" else "Hancock"
    if path == "/":
        box(opened, served, value).click()
    opened.execute_script("document.getElementById('reason').value = 'other'")
    opened.find_element("id", "words").send_keys("she signs rules", Keys.ENTER)
    until(opened, "document.body.textContent.includes('other: she signs rules')")
    review = served.review
    decided = review.decisions.of(review.opened.values.index(value))
    assert decided.choice == "keep"


def test_many_are_chosen_at_once_and_the_step_is_undone(opened, served):
    opened.find_element("id", "all").click()
    opened.find_element("id", "do-mask").click()
    until(opened, "document.querySelectorAll('tr.pending').length > 5")
    opened.find_element("id", "undo").click()
    until(opened, "!document.querySelector('tr.pending')")
    assert served.review.decisions.pending.mask == frozenset()


def test_a_name_is_parted_by_keyboard_alone(opened, served):
    """A document is chosen with Space, "another person" by its letters; what if, then so it is."""
    from selenium.webdriver.common.keys import Keys

    review = served.review
    review.mark(0, "Zofia Wren", "NAME")
    number = review.opened.values.index("Zofia Wren")
    (_, second) = review.opened.holders(number)
    chromium.load(opened, f"{served.base}/value/{review.opened.labels[number]}")
    for name, keys in ((f"in-{second + 1}", " "), ("said-type", "another"), ("do-try", Keys.ENTER)):
        opened.execute_script(f"document.getElementById('{name}').focus()")
        press(opened, keys)
    until(opened, "document.getElementById('tried')")
    assert "another person of this name (2)" in opened.find_element("id", "tried").text
    assert opened.find_element("id", f"in-{second + 1}").is_selected()
    assert opened.find_element("id", "said-type").get_attribute("value") == "another"
    opened.execute_script("document.getElementById('do-correct').focus()")
    press(opened, Keys.ENTER)
    until(opened, "document.getElementById('pending').textContent.startsWith('2 ')")
    assert list(review.decisions.pending.correct.values()) == ["another-2"]
    assert opened.get_log("browser") == []


def test_a_second_tab_is_told_that_it_is_stale(opened, served):
    served.review.decisions.decide(0, [0], "mask")
    opened.find_element("css selector", "#rows tbody input").click()
    opened.find_element("id", "do-mask").click()
    until(opened, "document.getElementById('why')")
    assert "another tab" in text(opened, "why")


def test_a_slider_shows_another_plan_at_once_and_keeps_the_focus(opened, served):
    from selenium.webdriver.common.keys import Keys

    opened.find_element("link text", "What if").click()
    until(opened, "document.getElementById('theta_doc')")
    before = text(opened, "then-masked")
    opened.execute_script("document.getElementById('theta_doc').focus()")
    for _ in range(8):
        press(opened, Keys.PAGE_DOWN)
    until(opened, f"document.getElementById('then-masked').textContent.trim() !== '{before}'")
    assert focus(opened) == "theta_doc"
    assert float(text(opened, "theta_doc-now")) < 0.5
    assert served.review.decisions.kept.version == 0


@pytest.mark.parametrize("path", PAGES)
def test_every_control_is_reached_by_tab_in_reading_order_and_has_a_name(opened, served, path):
    from selenium.webdriver.common.keys import Keys

    chromium.load(opened, address(served, path))
    wanted = opened.execute_script(
        "return [...document.querySelectorAll('a[href], button:enabled, select, summary, "
        'input:not([type=hidden]), [tabindex="0"]\')]'
        ".filter(e => e.checkVisibility() || e.className === 'skip')"
        ".map(e => (e.dataset.n = Math.random(), e.dataset.n))"
    )
    opened.find_element("tag name", "body").send_keys(Keys.TAB)
    seen, nameless = [], []
    for _ in wanted:
        active = opened.switch_to.active_element
        seen.append(active.get_attribute("data-n"))
        if not active.accessible_name:
            nameless.append(active.get_attribute("outerHTML"))
        active.send_keys(Keys.TAB)
    assert seen == wanted
    assert nameless == []


@pytest.mark.parametrize("path", PAGES)
def test_no_width_scrolls_sideways_no_error_no_request_elsewhere(opened, served, path):
    opened.get_log("performance")
    for width in (320, 400, 768, 1280):
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
        opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        chromium.load(opened, address(served, path))
        wide = opened.execute_script("return document.documentElement.scrollWidth")
        beyond = opened.execute_script(
            "return [...document.querySelectorAll('button, select, input, main a')]"
            ".filter(e => e.checkVisibility() && !e.closest('.scroll, thead'))"
            f".filter(e => e.getBoundingClientRect().right > {width}).map(e => e.outerHTML)"
        )
        opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        assert wide <= width
        assert beyond == []  # no control is cut off
    events = [json.loads(entry["message"])["message"] for entry in opened.get_log("performance")]
    asked = {
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
        and event["params"]["documentURL"].startswith(served.base)
    }
    assert {url for url in asked if not url.startswith(served.base)} <= {"data:,"}
    assert opened.get_log("browser") == []


def test_a_value_marked_with_the_mouse_is_masked_in_every_document(opened, served, run, tmp_path):
    from selenium.webdriver import ActionChains

    chromium.load(opened, f"{served.base}/document/5")
    place = opened.execute_script(
        "const walker = document.createTreeWalker(document.querySelector('.before'), 4);"
        "let node; while ((node = walker.nextNode()) && !node.data.includes('Zofia Wren'));"
        "const at = node.data.indexOf('Zofia Wren'), range = document.createRange();"
        "range.setStart(node, at); range.setEnd(node, at + 10);"
        "const box = range.getBoundingClientRect();"
        "return [box.left, box.right, box.top + box.height / 2].map(Math.round)"
    )
    mouse = ActionChains(opened)
    mouse.w3c_actions.pointer_action.move_to_location(place[0], place[2])
    mouse.w3c_actions.pointer_action.pointer_down()
    mouse.w3c_actions.pointer_action.move_to_location(place[1], place[2])
    mouse.w3c_actions.pointer_action.pointer_up()
    mouse.perform()
    assert opened.find_element("id", "missed").get_attribute("value") == "Zofia Wren"
    opened.find_element("id", "mark").click()
    until(opened, "document.getElementById('said').textContent.includes('2 places')")
    opened.find_element("id", "apply").click()
    until(opened, "document.getElementById('said').textContent.includes('linkmask apply')")
    commands.apply_run(run, tmp_path / "out", {})
    assert "Zofia" not in (tmp_path / "out" / "documents" / "in.jsonl").read_text()


def test_hostile_values_are_text(opened):
    assert "owned" not in opened.title
    assert "<script>document.title" in opened.find_element("id", "rows").text


def test_the_browser_keeps_no_value_not_even_what_was_searched_for(opened, served):
    """Of the page nothing is stored but the path of the tab, and a search is in no address."""
    from selenium.webdriver.common.keys import Keys

    opened.find_element("id", "q").send_keys("brandvold" + Keys.ENTER)
    until(opened, "document.querySelectorAll('#rows tbody tr').length === 1")
    opened.find_element("id", "sort-value").click()
    until(opened, "document.querySelector('th[aria-sort] #sort-value')")
    opened.find_element("id", "all").click()
    opened.find_element("id", "do-mask").click()
    until(opened, "document.querySelector('tr.pending')")
    assert len(opened.find_elements("css selector", "#rows tbody tr")) == 1
    assert opened.current_url == f"{served.base}/"
    kept = opened.execute_script(
        "return JSON.stringify([{...localStorage}, {...sessionStorage}, history.state])"
    )
    assert "randvold" not in kept and "<" not in kept


@pytest.mark.parametrize("path", (*PAGES, "/links?cluster=1"))
def test_axe_finds_nothing_serious_in_light_and_in_dark(opened, served, path):
    chromium.load(opened, address(served, path))
    assert {scheme: axe.grave(opened, scheme) for scheme in axe.SCHEMES} == {
        scheme: [] for scheme in axe.SCHEMES
    }


def test_enter_after_a_value_that_was_missed_marks_the_passage_as_missed(opened, served):
    from selenium.webdriver.common.keys import Keys

    review = served.review
    drawn = draw(((review.texts.number[one.id], one) for one in review.texts.every()), 1, 1)
    review.reading.begin_sample(review.decisions.kept.version, drawn)
    chromium.load(opened, f"{served.base}/sample")
    opened.find_element("id", "missed").send_keys("Zofia Wren", Keys.ENTER)
    until(opened, "document.getElementById('progress')?.textContent.startsWith('1 of 1')")
    assert text(opened, "progress") == "1 of 1 read, 1 with a miss"


def test_the_protocol_as_pdf_says_what_was_decided_and_holds_no_value(opened, served):
    """Decision, reason, reviewer, bound and log stand on paper; buttons and values do not."""
    import pypdfium2

    review = served.review
    number = review.opened.values.index("Ottoline Brandvold")
    review.decisions.decide(0, [number], "keep", "other", "needed by the clinic’s own staff")
    review.apply(1)
    drawn = draw(((review.texts.number[one.id], one) for one in review.texts.every()), 5, 1)
    review.reading.begin_sample(review.decisions.kept.version, drawn)
    review.reading.mark_read(review.decisions.kept.version, 0, [])
    chromium.load(opened, f"{served.base}/protocol")
    printed = opened.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    pdf = pypdfium2.PdfDocument(base64.b64decode(printed["data"]))
    paper = " ".join(" ".join(page.get_textpage().get_text_range() for page in pdf).split())
    pdf.close()
    for wanted in (
        "Protocol of a review", "needed by the clinic’s own staff", "R. Viewer", "keep",
        review.opened.labels[number], review.opened.digest, review.decisions.log.head.hash,
        "With 95 % confidence at most 95.0 % of all passages", "Place, date, signature",
        "it is no proof of who sat there",
    ):  # fmt: skip
        assert wanted in paper, wanted
    for unwanted in (*review.opened.values, "Make this the plan", "What if", "print it"):
        assert unwanted not in paper
