"""Lists entities in a table with search, filters, order and pages; a row is one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np

from linkmask.records import Ints, Plan
from linkmask.review.correction_wording import Correction, correction_of, corrections
from linkmask.review.decisions import Decisions
from linkmask.review.opened_run import STATES, OpenedRun, fold
from linkmask.review.stored_review import Decision

SORTS = ("share", "value", "type", "state", "documents", "mentions")
FALLING = frozenset({"share", "documents", "mentions"})
"""Columns whose largest numbers come first."""
DECIDED = ("pending", "mask", "keep", "undecided")
SIZES = (25, 50, 200)
SHORTEST_LABEL = 6


@dataclass(frozen=True, slots=True)
class Query:
    """What of the table is asked for; unknown names and numbers fall back to the defaults."""

    q: str = ""
    type: str = ""
    state: str = ""
    decided: str = ""
    sort: str = "share"
    turned: bool = False
    page: int = 1
    size: int = SIZES[0]

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Query:
        """Read a query from the parameters of an address."""
        size = _number(given.get("size", ""), SIZES[0])
        return cls(
            q=given.get("q", "").strip()[:200],
            type=given.get("type", ""),
            state=_one_of(given.get("state", ""), STATES, ""),
            decided=_one_of(given.get("decided", ""), DECIDED, ""),
            sort=_one_of(given.get("sort", ""), SORTS, "share"),
            turned=given.get("turned") == "1",
            page=max(_number(given.get("page", ""), 1), 1),
            size=size if size in SIZES else SIZES[0],
        )

    def address(self, **changes: Any) -> str:
        """Return the address of the table as asked for, except some changes."""
        usual = Query()
        names = ("q", "type", "state", "decided", "sort", "turned", "page", "size")
        now = {name: changes.get(name, getattr(self, name)) for name in names}
        given = {n: int(v) if v is True else v for n, v in now.items() if v != getattr(usual, n)}
        return f"/?{urlencode(given)}" if given else "/"

    def sorted_by(self, column: str) -> str:
        """Return the address that sorts by a column, or turns the order it has."""
        turned = self.sort == column and not self.turned
        return self.address(sort=column, turned=turned, page=1)


class Row(NamedTuple):
    """An entity as the table shows it."""

    label: str
    type: str
    value: str
    state: str
    now: str
    documents: int
    mentions: int
    share: float
    decision: Decision
    pending: bool
    correction: str


class EntityPage(NamedTuple):
    """A page of the table, and how much there is."""

    rows: list[Row]
    found: int
    pages: int
    page: int


def table(decisions: Decisions, planned: Plan, query: Query) -> EntityPage:
    """Return the rows that a query asks for.

    Args:
        planned: the plan as it would be with what is pending.
    """
    opened = decisions.opened
    state, after = opened.state(opened.plan), opened.state(planned)
    found = _filtered(decisions, query, state)
    found = found[_order(opened, query, state, found)]
    pages = max(-(-len(found) // query.size), 1)
    page = min(query.page, pages)
    shown = found[(page - 1) * query.size : page * query.size].tolist()
    corrections_by_entity = corrections(decisions)
    rows = [row(decisions, n, state, after, corrections_by_entity) for n in shown]
    return EntityPage(rows, len(found), pages, page)


def row(
    decisions: Decisions, n: int, state: Ints, after: Ints, corrections_of: list[Correction]
) -> Row:
    """Return one entity's row: where the plan masks it, and where it would with what is pending.

    `corrections_of`: what persons said of values.
    """
    opened = decisions.opened
    return Row(
        opened.labels[n], opened.type(n), opened.display_value(n),
        STATES[state[n]], STATES[after[n]],
        int(opened.incidence.frequency[n]), int(opened.mentions[n]), float(opened.share[n]),
        decisions.of(n), decisions.is_pending(n), correction_of(corrections_of, opened, n),
    )  # fmt: skip


class Listed(NamedTuple):
    """A page of the documents, riskiest first: number, id, risk before and after masking."""

    rows: list[tuple[int, str, float, float]]
    page: int
    pages: int


def riskiest_first(planned: Plan) -> Any:
    """Return the documents by number, those first that keep the most risk."""
    return np.lexsort((-planned.before, -planned.after))


def by_risk(opened: OpenedRun, planned: Plan, page: str) -> Listed:
    """Return a page of the documents, those that keep the most risk first."""
    order = riskiest_first(planned)
    pages = max(-(-len(order) // SIZES[1]), 1)
    at = min(max(_number(page, 1), 1), pages)
    names = opened.incidence.documents
    rows = [
        (n, names[n], float(planned.before[n]), float(planned.after[n]))
        for n in order[(at - 1) * SIZES[1] : at * SIZES[1]].tolist()
    ]
    return Listed(rows, at, pages)


def _filtered(decisions: Decisions, query: Query, state: Ints) -> Ints:
    opened = decisions.opened
    stays = np.ones(opened.incidence.n_entities, dtype=np.bool_)
    if query.type:
        wanted = [one == query.type for one in opened.incidence.types]
        stays &= np.array(wanted, dtype=np.bool_)[opened.incidence.type]
    if query.state:
        stays &= state == STATES.index(query.state)
    found = np.flatnonzero(stays).astype(np.int32)
    if query.q:
        sought, label = fold(query.q), query.q.lower()
        by_label = len(label) >= SHORTEST_LABEL
        hits = [
            n
            for n in found.tolist()
            if sought in opened.folded[n] or (by_label and opened.labels[n].startswith(label))
        ]
        found = np.array(hits, dtype=np.int32)
    if query.decided == "pending":
        return np.array([n for n in found.tolist() if decisions.is_pending(n)], dtype=np.int32)
    if query.decided:
        choice = "" if query.decided == "undecided" else query.decided
        hits = [n for n in found.tolist() if decisions.of(n).choice == choice]
        found = np.array(hits, dtype=np.int32)
    return found


def _order(opened: OpenedRun, query: Query, state: Ints, found: Ints) -> Any:
    """Return the order of some entities; ties stand by falling share, then by id."""
    columns: dict[str, Any] = {
        "share": opened.share,
        "documents": opened.incidence.frequency,
        "mentions": opened.mentions,
        "state": state,
    }
    if query.sort == "value":
        keys = np.array([opened.folded[n] for n in found.tolist()], dtype=object)
    elif query.sort == "type":
        keys = np.array([opened.type(n) for n in found.tolist()], dtype=object)
    else:
        keys = columns[query.sort][found]
    _, rank = np.unique(keys, return_inverse=True) if len(keys) else (None, np.zeros(0, np.int64))
    falling = (query.sort in FALLING) != query.turned
    return np.lexsort((found, -opened.share[found], -rank if falling else rank))


def _one_of(given: str, known: tuple[str, ...], usual: str) -> str:
    return given if given in known else usual


def _number(text: str, usual: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else usual
