"""Photographs the report and the review page, where Chromium and its driver are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")


@contextmanager
def chromium() -> Iterator[Any]:
    """Start headless Chromium."""
    from selenium import webdriver

    browser, driver_path = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver_path:
        sys.exit("no picture: it needs chromium and chromedriver")
    os.environ["SE_OFFLINE"] = "true"  # selenium would look for newer ones on the network
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, "--window-size=1240,1400"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path))
    try:
        yield driver
    finally:
        driver.quit()


def picture(driver: Any, report: Path, target: Path) -> None:
    """Photograph the report's graph before and after."""
    driver.get(report.as_uri())
    driver.find_element("css selector", "section[aria-labelledby=graph] .pair").screenshot(
        str(target)
    )


REPORTED = {
    "phone": (390, 1500, "light", "screen"),
    "dark": (1100, 900, "dark", "screen"),
    "paper": (794, 1000, "light", "print"),
}
"""Picture of the report → width, height, colours, medium."""


def report_pictures(driver: Any, report: Path) -> None:
    """Photograph the head of the report as a phone, a dark screen and paper show it."""
    for name, (width, height, colours, medium) in REPORTED.items():
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        scheme = {"name": "prefers-color-scheme", "value": colours}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        media = {"media": medium, "features": [scheme]}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        driver.get(report.as_uri())
        driver.save_screenshot(str(DOCS / f"report-{name}.png"))
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


PHOTOGRAPHED = {
    "values": ("/", 1280, 820, "light", "screen"),
    "namesakes": ("/value/{name}", 1280, 1220, "light", "screen"),
    "why": ("/document/2#why", 1280, 860, "dark", "screen"),
    "sample": ("/sample", 400, 1000, "light", "screen"),
    "protocol": ("/protocol", 794, 1000, "light", "print"),
}
"""Picture of the review page → address, width, height, colours, medium."""


def review_pictures(driver: Any, run: Path) -> None:
    """Photograph the review page, with a value kept, a name parted and a sample begun."""
    from linkmask.review.correction_wording import keys_in
    from linkmask.review.sampling import draw
    from linkmask.review.session import ReviewSession

    review = ReviewSession(run, "A. Officer")
    made, opened = review.decisions, review.opened
    heaviest = int(max(opened.plan.masked.tolist(), key=lambda n: float(opened.share[n])))
    made.decide(0, [heaviest], "keep", "not about a person")
    names = [n for n in range(opened.incidence.n_entities) if opened.type(n) == "NAME"]
    name = max(names, key=lambda n: int(opened.incidence.frequency[n]))
    made.correct(1, keys_in(opened, name, opened.holders(name)[-1:]), "another-2")
    number = review.texts.number
    drawn = draw(((number[one.id], one) for one in review.texts.every()), 60, 1)
    review.reading.begin_sample(made.kept.version, drawn)
    for passage in range(24):
        missed = ["LOCATION"] if passage == 9 else []
        review.reading.mark_read(made.kept.version, passage, missed)
    review.close()
    command = [sys.executable, "-m", "linkmask", "review", run, "--no-browser"]
    command += ["--reviewer", "A. Officer"]
    served = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
    try:
        assert served.stdout is not None
        address = served.stdout.readline().strip()
        driver.get(address)
        for picture, (path, width, height, colours, medium) in PHOTOGRAPHED.items():
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
            scheme = {"name": "prefers-color-scheme", "value": colours}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            media = {"media": medium, "features": [scheme]}
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            driver.get(address.partition("/enter")[0] + path.format(name=opened.labels[name]))
            driver.save_screenshot(str(DOCS / f"review-{picture}.png"))
    finally:
        served.terminate()
        served.wait()
