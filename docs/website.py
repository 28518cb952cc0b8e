"""Make the site of the documentation: plain pages that also work from a disk, with a search.

    python docs/website.py [OUT]        OUT: dist/site

Pages are the Markdown files of docs/, the README, the changelog and SECURITY.md, rendered by
markdown-it-py (which rich needs anyway). No page loads anything from outside, and the search needs
no server: its index is a script beside the pages.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from linkmask.version import __version__

DOCS = Path(__file__).parent
ROOT = DOCS.parent
ASSETS = DOCS / "website"
FIRST = ("docs/README.md", "README.md", "docs/limits.md")
TITLES = {"docs/README.md": "Documentation", "README.md": "linkmask", "CHANGELOG.md": "Changelog"}


class Section(NamedTuple):
    """A part of a page below one heading, as the search knows it."""

    page: str
    heading: str
    address: str
    text: str


def sources() -> dict[Path, str]:
    """Return each Markdown file with its address on the site, in the order of the overview."""
    files = [*sorted(DOCS.rglob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md"]
    files.append(ROOT / "SECURITY.md")
    names = {file: str(file.relative_to(ROOT)) for file in files}
    steps = (DOCS / "README.md").read_text("utf-8").partition("\n## All pages")[2]
    linked = {file: steps.find(f"]({names[file].removeprefix('docs/')})") for file in files}

    def place(file: Path) -> tuple[bool, bool, int, str]:
        return names[file] not in FIRST, linked[file] < 0, linked[file], names[file]

    return {file: address(names[file]) for file in sorted(files, key=place)}


def address(name: str) -> str:
    """Return where a page lies on the site: the overview of docs/ is the first page."""
    if name == "docs/README.md":
        return "index.html"
    name = name.removeprefix("docs/").removesuffix(".md")
    return ("about" if name == "README" else name.replace("README", "index")) + ".html"


def anchor(heading: str) -> str:
    """Return a heading's anchor, as a forge makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def text_of(token: Token) -> str:
    """Return what a reader sees of an inline token."""
    return "".join(
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in token.children or ()
        if child.type in ("text", "code_inline", "softbreak", "hardbreak")
    )


class Site:
    """The site while it is made: which file lies where, what is copied, what can be found."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.pages = sources()
        self.copied: set[Path] = set()
        self.sections: list[Section] = []
        self.markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        loader = FileSystemLoader(ASSETS)
        self.template = Environment(loader=loader, autoescape=True).get_template("page.html.jinja")

    def make(self) -> None:
        """Write all pages, what they show, and the index of the search."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        parsed = {file: self.parse(file) for file in self.pages}
        titles = [(self.pages[file], title) for file, (title, _) in parsed.items()]
        for file, (title, tokens) in parsed.items():
            here = self.pages[file]
            root = "../" * here.count("/")
            body = self.markdown.renderer.render(tokens, self.markdown.options, {})
            known: dict[str, Any] = {"pages": titles, "here": here, "version": __version__}
            shown = Markup(body)  # noqa: S704 - the renderer escaped what is HTML in a page
            page = self.template.render(title=title, root=root, body=shown, **known)
            target = self.out / here
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(page, encoding="utf-8")
        for name in ("style.css", "search.js"):
            shutil.copy(ASSETS / name, self.out)
        index = json.dumps([one._asdict() for one in self.sections], ensure_ascii=False)
        (self.out / "search-index.js").write_text(f"const sectionsOfSite = {index};\n", "utf-8")

    def parse(self, file: Path) -> tuple[str, list[Token]]:
        """Return a page's title and tokens, with anchors, and links to where things lie here."""
        text = re.sub(r"<!--.*?-->\n?", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        text = text.replace("<br>", "; ")
        tokens = self.markdown.parse(text)
        title = TITLES.get(str(file.relative_to(ROOT)), "")
        for opening, inline in pairwise(tokens):
            if opening.type == "heading_open":
                opening.attrSet("id", anchor(text_of(inline)))
                title = title or text_of(inline)
        for token in tokens:
            for child in token.children or ():
                self.lead(child, file)
        self.sections += self.searchable(file, title, tokens)
        return title, tokens

    def lead(self, token: Token, file: Path) -> None:
        """Change a link or a picture to where its target lies on the site."""
        name = {"link_open": "href", "image": "src"}.get(token.type)
        given = str(token.attrGet(name) or "") if name else ""
        if not name or not given or re.match(r"\w+:|#", given):
            return
        path, mark, at = given.partition("#")
        target = (file.parent / path).resolve()
        up = "../" * self.pages[file].count("/")
        token.attrSet(name, f"{up}{self.place(target, file)}{mark}{at}")

    def place(self, target: Path, file: Path) -> str:
        """Return where a file lies on the site; what is no page is copied, a folder is listed."""
        if target in self.pages:
            return self.pages[target]
        if not target.is_relative_to(ROOT) or not target.exists():
            raise SystemExit(f"{file.relative_to(ROOT)} links to {target}, which is not there")
        name = str(target.relative_to(ROOT)).removeprefix("docs/")
        if target.is_dir():
            listed = "\n".join(sorted(path.name for path in target.iterdir()))
            self.write(f"{name}/index.txt", f"{name}\n\n{listed}\n".encode())
            return f"{name}/index.txt"
        self.write(name, target.read_bytes())
        return name

    def write(self, name: str, data: bytes) -> None:
        """Write a file of the site."""
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def searchable(self, file: Path, title: str, tokens: list[Token]) -> Iterator[Section]:
        """Yield the sections of a page with the text of each."""
        heading, at, words = title, "", list[str]()
        for number, token in enumerate(tokens):
            if token.type == "heading_open":
                yield Section(title, heading, self.pages[file] + at, " ".join(words))
                heading, words = text_of(tokens[number + 1]), []
                at = f"#{token.attrGet('id')}"
            elif token.type == "inline":
                words.append(text_of(token))
            elif token.type in ("fence", "code_block"):
                words.append(" ".join(token.content.split()))
        yield Section(title, heading, self.pages[file] + at, " ".join(words))


if __name__ == "__main__":
    made = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist" / "site"
    Site(made).make()
    print(f"Written to {made / 'index.html'}")
