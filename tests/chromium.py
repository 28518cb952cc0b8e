"""A real browser without a window, for tests of pages; nothing but this machine can be reached."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needed = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"
)
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--window-size=1280,900",
)


@contextmanager
def started(profile: Path) -> Iterator[Any]:
    """Give a browser with an empty profile, which logs its errors and requests."""
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def load(browser: Any, address: str) -> None:
    """Open a page and wait for its styles and scripts: on a busy machine `get` returns earlier."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(address)
    state = "return document.readyState"
    WebDriverWait(browser, 60).until(lambda b: b.execute_script(state) == "complete")


def press(browser: Any, key: str) -> None:
    """Press a key where the focus is."""
    browser.switch_to.active_element.send_keys(key)
