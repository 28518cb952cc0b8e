"""Writes the parts of a page of figures: tables and pictures, no script, no request, no value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from linkmask.report import page as report
from linkmask.version import __version__

HERE = Path(__file__).parent


@dataclass(frozen=True)
class ShownFigure:
    """A figure as it is written, its interval below it, and a colour."""

    text: str
    more: str = ""
    tone: str = ""


@dataclass(frozen=True)
class PageLine:
    """A line of a table; `own` is one of ours."""

    name: str
    cells: Sequence[ShownFigure]
    own: bool = False


@dataclass(frozen=True)
class PageTable:
    """A table of the page."""

    title: str
    says: str
    heads: Sequence[str]
    rows: Sequence[PageLine]


@dataclass(frozen=True)
class Figure:
    """A picture of the page, as SVG of our own."""

    title: str
    says: str
    svg: str


@dataclass(frozen=True)
class UnavailableCells:
    """Cells that could not be computed, for one reason."""

    name: str
    count: int
    reason: str


@dataclass(frozen=True)
class Sheet:
    """What a page holds, in its order; `later`: figures that stand below the tables."""

    name: str
    title: str
    facts: str
    figures: Sequence[Figure]
    tables: Sequence[PageTable]
    later: Sequence[Figure] = ()
    holes: Sequence[UnavailableCells] | None = None
    notes: Sequence[str] = ()


def sheet_as_html(sheet: Sheet) -> str:
    """Return a sheet as HTML."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    pages = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    style = (Path(str(report.__file__)).parent / "page.css").read_text(encoding="utf-8")
    template = pages.get_template("sheet.html.jinja")
    html: str = template.render(sheet=sheet, version=__version__, style=style)
    return html
