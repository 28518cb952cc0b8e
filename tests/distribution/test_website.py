"""The site of the documentation: whole, without anything from outside, and searched offline."""

import importlib.util
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import chromium

ROOT = Path(__file__).parents[2]
LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = importlib.util.spec_from_file_location("website", ROOT / "docs" / "website.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["website"] = module
    spec.loader.exec_module(module)
    out = tmp_path_factory.mktemp("site") / "made"
    module.Site(out).make()
    return Path(out)


class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append(given["href"])
        if tag in LOADED and LOADED[tag] in given:
            self.loads.append(given[LOADED[tag]])
        if "id" in given:
            self.anchors.add(given["id"])


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {file: Page(file.read_text("utf-8")) for file in site.rglob("*.html")}


def test_every_page_of_the_documentation_is_on_the_site(site: Path, pages: dict) -> None:
    sources = [path for path in (ROOT / "docs").rglob("*.md") if path.name != "README.md"]
    made = {file.relative_to(site).with_suffix("") for file in pages}
    assert {path.relative_to(ROOT / "docs").with_suffix("") for path in sources} <= made
    assert {Path("index"), Path("about"), Path("SECURITY"), Path("CHANGELOG")} <= made


def test_the_list_of_pages_has_the_order_of_the_overview(pages: dict, site: Path) -> None:
    """A reader meets the steps in the order in which a document passes through them."""
    shown = [link.partition("#")[0] for link in pages[site / "index.html"].links]
    steps = ["limits", "corpus", "detect", "graph", "plan", "redact", "verify", "report"]
    places = [shown.index(f"{step}.html") for step in steps]
    assert places == sorted(places)


def test_every_link_leads_to_a_file_of_the_site_and_to_an_anchor_in_it(pages: dict) -> None:
    broken = []
    for file, page in pages.items():
        for link in page.links:
            if re.match(r"https?:|mailto:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (file.parent / unquote(path)).resolve() if path else file
            if not target.is_file() or (
                anchor and target in pages and anchor not in pages[target].anchors
            ):
                broken.append((file.name, link))
    assert broken == []


def test_no_page_loads_anything_from_outside(site: Path, pages: dict) -> None:
    for file, page in pages.items():
        for given in page.loads:
            assert given == "data:," or (file.parent / given).resolve().is_file(), given
    for name in ("style.css", "search.js"):
        assert not re.search(r"https?:|//[a-z]|@import|url\(", (site / name).read_text("utf-8"))


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Any]:
    with chromium.started(tmp_path / "profile") as driver:
        yield driver


@chromium.needed
def test_the_search_finds_sections_from_a_disk_without_a_server(site: Path, browser: Any) -> None:
    """A word of a heading leads to that section, a word that stands nowhere to nothing."""
    driver = browser
    chromium.load(driver, (site / "results" / "index.html").as_uri())
    box = driver.find_element("id", "search")
    box.send_keys("erasure pers")
    first = driver.find_element("css selector", "#found a")
    assert first.get_attribute("href") == f"{(site / 'recipes.html').as_uri()}#erasure-of-a-person"
    first.click()
    assert "Erasure of a person" in driver.find_element("id", "erasure-of-a-person").text
    driver.find_element("id", "search").send_keys("xyzzyx")
    assert driver.find_element("id", "found").text == "Nothing found."
    assert [one for one in driver.get_log("browser") if one["level"] == "SEVERE"] == []
