"""Makes the rows of the tables of docs/results/linkage.md (benchmarks/linkage_page.py)."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean

import attackers
import biographies
import frontier
import like
import risk
import styles
from linkmask.config import Settings
from linkmask.testbench import generate
from linkmask.testbench.cells import read_grid
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.grid import bench
from linkmask.testbench.result_tables import Results
from plans import STEPS

ROOT = Path(__file__).parents[1]
BOTH = ("dev25", "old10")
RARE = ("no rare words", "default", "by values")
"""Plans of the table of rare words."""
Rows = Mapping[str, Sequence[str]]
"""The cells of each row behind the first, by the first."""


def folder(name: str) -> Path:
    """Return the folder of a corpus by its name on the page."""
    return frontier.DATA / name if (frontier.DATA / name).is_dir() else ROOT / name


@cache
def measured(name: str, ages: bool = False) -> frontier.Measured:
    """Return a corpus and the means to measure plans of it."""
    return frontier.Measured(folder(name), ages, ages=ages)


@cache
def every_plan(name: str) -> Mapping[str, frontier.Row]:
    """Return the rows of all plans of a corpus, and of their controls."""
    return dict(measured(name).rows())


@cache
def some_plans(name: str, plans: tuple[str, ...], ages: bool = False) -> Mapping[str, frontier.Row]:
    """Return the rows of some plans of a corpus."""
    return dict(measured(name, ages).plans(plans))


def plans_of(corpus: str) -> Rows:
    """Make the table of all plans of a corpus."""
    found = every_plan(corpus).items()
    return {
        name: [*map(_three, (row.by_linker, row.pairs, row.general, row.specific))]
        for name, row in found
    }


def techniques(types: Sequence[str]) -> Rows:
    """Make the table of how well each technique hinders the linker, a row for each type.

    Rank-1, then general answers kept: left readable, written coarser, masked whole.
    """
    found = [some_plans(name, tuple(STEPS)) for name in BOTH]
    coarser = {**Settings().generalize, "TREATMENT": "generalization:class"}
    return {
        kind: [
            ", ".join(_three(getattr(one[f"{kind}, {step}"], column)) for one in found)
            for column in ("by_linker", "general")
            for step in ("left", coarser[kind], "value")
        ]
        for kind in types
    }


def side_by_side(names: Iterable[str], plans: Sequence[str]) -> Rows:
    """Make a table of plans, a row for each corpus."""
    return {
        name: [_linked(some_plans(name, tuple(plans))[plan]) for plan in plans] for name in names
    }


def by_plan(plans: Sequence[str]) -> Rows:
    """Make a table of the five sets, a row for each plan; last the readable values of each set."""
    found = [some_plans(name, tuple(plans)) for name in risk.SETS]
    return {
        plan: [
            *(_linked(one[plan]) for one in found),
            ", ".join(f"{one[plan].readable:.2f}" for one in found),
        ]
        for plan in plans
    }


def controls(names: Iterable[str]) -> Rows:
    """Make the table of preset release and its controls, to two decimals."""
    rows = {}
    for name in names:
        found = some_plans(name, ("default", "release"))
        drawn = [one for plan, one in found.items() if plan.startswith("words@release")]
        single = ("default", "release", "type@release", "idf@release", "random@release")
        pairs = [(found[plan].by_linker, found[plan].general) for plan in single]
        pairs.append((fmean(one.by_linker for one in drawn), fmean(one.general for one in drawn)))
        rows[name] = [f"{a:.2f}, {b:.2f}" for a, b in pairs]
    return rows


def oracle_by_set(plans: Sequence[str]) -> Rows:
    """Make the table of `oracle-person` on the five sets, a row for each plan."""
    found = [some_plans(name, tuple(plans), ages=True) for name in risk.SETS]
    return {plan: [_three(one[plan].oracle or 0.0) for one in found] for plan in plans}


@cache
def benched(name: str, defences: tuple[str, ...], attacks: tuple[str, ...]) -> Results:
    """Return the results of a corpus, some defences and attacks."""
    with tempfile.TemporaryDirectory() as run:
        asked = {"defences": defences, "attacks": attacks}
        bench(folder(name), Path(run) / "run", read_grid(None, asked))
        return Results(Path(run) / "run")


def figure(results: Results, where: tuple[str, str, str], digits: int, interval: bool) -> str:
    """Return a figure by its defence, attack and measure, with its interval."""
    defence, attack, measure = where
    row = results.figure(defence, "-", "-", attack, measure)
    if row is None or row.value is None:
        return "–"
    low, high = row.low or 0.0, row.high or 0.0
    ends = f" ({low:.{digits}f}–{high:.{digits}f})" if interval else ""
    return f"{row.value:.{digits}f}{ends}"


def oracles(names: Iterable[str]) -> Rows:
    """Make the table of `oracle-person` for the defaults: over all types, then by type."""
    attack = "oracle-person"
    runs = [benched(one, ("clam",), (attack,)) for one in BOTH]
    return {
        name: [
            figure(run, ("clam", attack, "auc"), 3, True)
            if name == "all types"
            else figure(run, ("clam", attack, f"auc {name}"), 2, False)
            for run in runs
        ]
        for name in names
    }


def by_style() -> Rows:
    """Make the table of styles, both corpora side by side."""
    rows = dict[str, list[str]]()
    for name in BOTH:
        for first, *cells in map(cells_of, styles.rows(read_corpus(folder(name)), ["insurance"])):
            rows.setdefault(first.split(", ", 2)[2], []).extend((cells[0], cells[2]))
    return rows


@cache
def risks() -> Mapping[str, Sequence[str]]:
    """Return the rows of benchmarks/risk.py, with a generated corpus."""
    rows = dict[str, Sequence[str]]()
    with tempfile.TemporaryDirectory() as made:
        for name, place in with_generated(Path(made)).items():
            found = list(risk.measure(read_corpus(place), None))
            rows |= {first: rest for first, *rest in map(cells_of, risk.lines(name, found))}
    return rows


def risks_of_pairs() -> Rows:
    """Make the table of what tells pairs about one person."""
    rows = {}
    for name, cells in risks().items():
        strength, linker, owner = (re.split(r", | \(|\)", cell) for cell in cells[2:5])
        rows[name] = [strength[0], linker[0], *owner[:2]]
    return rows


def risks_of_documents() -> Rows:
    """Make the table of what tells whose nearest document is of the same person."""
    rows = {}
    for name, cells in risks().items():
        said = [re.split(r", | \(|\)", cell) for cell in cells[5:9]]
        rows[name] = [*(one[0] for one in said), said[3][2]]
    return rows


def certificates() -> Rows:
    """Make the table of certificates."""
    rows = dict[str, Sequence[str]]()
    with tempfile.TemporaryDirectory() as made:
        for place in with_generated(Path(made)).values():
            whole = risk.certified(read_corpus(place), None)
            for row, _ in (*whole, *risk.certified_sparser(place)):
                first, *cells = cells_of(row)
                rows[first] = cells[:3]
    return rows


def by_attacker() -> Rows:
    """Make the table of what each attacker finds and expects."""
    rows = dict[str, Sequence[str]]()
    with tempfile.TemporaryDirectory() as made:
        for name, place in with_generated(Path(made)).items():
            found = dict(attackers.measured(read_corpus(place)))
            rows |= {first: rest for first, *rest in map(cells_of, attackers.lines(name, found))}
    return rows


def with_generated(made: Path) -> Mapping[str, Path]:
    """Return the folders of the sets, and of a corpus that is generated into a folder."""
    name = "generated, 2 decoys"
    generate.write(made / name, generate.WritingPlan(documents=240, decoys=2, seed=7))
    return {one: folder(one) for one in risk.SETS} | {name: made / name}


def by_writer() -> Rows:
    """Make the table of an attacker who knows the writer."""
    found = {name: list(like.read(read_corpus(folder(name)))) for name in like.SETS}
    rows = map(cells_of, like.rows(found))
    return {first: [cell.split(", ")[0] for cell in cells] for first, *cells in rows}


def of_biographies() -> Rows:
    """Make the table of biographies."""
    return {first: cells for first, *cells in map(cells_of, biographies.table(biographies.FILES))}


MAKERS: Mapping[str, Callable[[Sequence[str]], Rows]] = {
    "dev25": lambda names: plans_of("dev25"),
    "old10": lambda names: plans_of("old10"),
    "techniques": techniques,
    "settings": by_plan,
    "oracle-sets": oracle_by_set,
    "rare-words": lambda names: side_by_side(names, RARE),
    "release": controls,
    "oracles": oracles,
    "styles": lambda names: by_style(),
    "risks-of-pairs": lambda names: risks_of_pairs(),
    "risks-of-documents": lambda names: risks_of_documents(),
    "certificates": lambda names: certificates(),
    "attackers": lambda names: by_attacker(),
    "writer": lambda names: by_writer(),
    "biographies": lambda names: of_biographies(),
}


def cells_of(row: str) -> list[str]:
    """Return the cells of a row in Markdown."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _three(number: float) -> str:
    return f"{number:.3f}"


def _linked(row: frontier.Row) -> str:
    return f"{row.by_linker:.3f}, {row.general:.3f}"
