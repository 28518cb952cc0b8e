"""Computes links, votes and rounds as SQL, for corpora beyond one machine's memory.

The statements stand in the `.sql` files of this folder and run on DuckDB and on Spark as they are;
`Tables` is all they need of an engine. They give the links, risks and chains of `graph`, and a
mask near that of solver `cover` (docs/cluster.md). Two things are done here, in arrays: the masks
of single documents, document after document with a flag for each entity, and the giving back of
masks that others have made needless.

A risk is 1 − exp(−Σz) with z = −ln(1 − share). z is kept in whole units, so that a sum is the same
in whatever order an engine adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log1p
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.errors import SettingsError
from linkmask.formulas import SLACK
from linkmask.pipeline.sql.local import documents_masked, without_needless
from linkmask.pipeline.sql.statements import UNIT, statement
from linkmask.pipeline.sql.tables import Tables
from linkmask.records import Incidence, Longs

BOUND_SLACK = 1e-9
"""Bounds decide which pairs are looked at: they get this much more room than the formula."""


@dataclass(frozen=True, slots=True)
class SqlPlan:
    """The masked entities by stage, by number, and what is left unmet.

    `rounds`: elections held. `chains`: those above policy when the chain stage began. `blocked`:
    pairs of documents that were not compared, because their group was over the budget.
    """

    given: Longs
    documents: Longs
    chain: Longs
    chains: int
    rounds: int
    unmet_chains: int
    blocked: int

    @property
    def masked(self) -> Longs:
        """Return all masked entities, in the order of the stages."""
        return np.concatenate([self.given, self.documents, self.chain])


def tables_of(tables: Tables, incidence: Incidence) -> None:
    """Put the two tables that `load` reads, of a corpus held as arrays."""
    import pyarrow as pa

    document = incidence.document
    mention = {
        "document": document.astype(np.int64),
        "entity": incidence.entity.astype(np.int64),
        "relevance": incidence.relevance,
    }
    tables.put("mention", pa.table(mention))
    number = np.arange(incidence.n_entities, dtype=np.int64)
    tables.put("entity", pa.table({"entity": number, "weight": incidence.weight}))


def load(tables: Tables, n_documents: int) -> None:
    """Make frequencies, shares and risks of the corpus (formulas.md §4 and §5).

    Reads `mention` (document, entity: whole numbers from 0 below 2³¹; relevance in [0, 1]) and
    `entity` (entity, weight in [0, 1]). `n_documents` counts those without a mention, too. Makes
    `value`, `piece`, and `risk` (document, risk in [0, 1]).
    """
    tables.keep("held", statement("held"))
    tables.keep("value", statement("value", whole=float(n_documents + 1)))
    tables.keep("piece", statement("piece"))
    tables.drop("held")
    tables.keep("risk", statement("risk", pieces="piece"))


def find_links(
    tables: Tables, settings: Settings, slices: int = 1, *, pieces: str = "piece",
    name: str = "link", threshold: float | None = None,
) -> int:  # fmt: skip
    """Make `link` (low, up, z): every pair of documents at or above the edge threshold.

    Of `piece` a document that holds no value beyond those of the other one is linked to it only if
    `settings.link_contained` says so (formulas.md §6.4).
    The strength of a link is 1 − exp(−z / `UNIT`). Pairs are compared slice by slice of what they
    share first, so that more slices need less memory.

    Returns:
        Pairs that were not compared: those of signatures over `settings.group_budget`.

    References:
        formulas.md §6.3, the prefix filter, to the depth of two entities.
    """
    tau = settings.edge_threshold if threshold is None else threshold
    tables.keep("tail", statement("tail", pieces=pieces))
    tables.keep("cell", statement("cell"))
    tables.keep("signature", statement("signature", bound=_units(tau, BOUND_SLACK)))
    tables.keep("blocked", statement("blocked", budget=settings.group_budget))
    parts = [f"{name}_{number}" for number in range(slices)]
    for number, part in enumerate(parts):
        tables.keep("pair", statement("pair", slices=slices, slice=number))
        tables.keep(part, statement("link", need=_units(tau)))
    every = name if settings.link_contained else f"{name}_all"
    tables.keep(every, " union all ".join(f"select * from {part}" for part in parts))  # noqa: S608
    if not settings.link_contained:
        tables.keep("contained", statement("contained", links=every))
        tables.keep(name, statement("beyond", links=every))
        tables.drop("contained", every)
    found = tables.read("select cast(coalesce(sum(pairs), 0) as bigint) as pairs from blocked")
    tables.drop(*parts, "pair", "signature")
    return int(found["pairs"][0].as_py())


def choose(
    tables: Tables, settings: Settings, n_documents: int, given: Any = (), slices: int = 1
) -> SqlPlan:
    """Choose what to mask, so that every document and every chain lies under its limit.

    `load` made the tables; `given`: entities that are masked whatever the risk. Chains are links:
    two documents.

    Raises:
        SettingsError: the settings ask for longer chains, another solver, cost or order.
    """
    checked(settings)
    first = np.unique(np.asarray(given, dtype=np.int64))
    second = documents_masked(tables, settings, n_documents, first)
    _mask(tables, first, second)
    tables.keep("readable", statement("readable"))
    tables.keep("risk", statement("risk", pieces="readable"))
    links, blocked = _links_above(tables, settings, slices)
    chains = tables.keep("chain", statement("chain", links=links, **_limits(settings)))
    tables.keep("via", statement("via"))
    tables.keep("stage", statement("stage"))
    tables.drop(links, "tail", "cell", "readable")
    third, rounds = _rounds(tables)
    third = without_needless(tables, settings, third)
    _mask(tables, first, second, third)
    unmet = _find_unmet(tables, "via")
    return SqlPlan(first, second, third, chains, rounds, unmet, blocked)


def checked(settings: Settings) -> None:
    """Refuse what is not done in SQL.

    Raises:
        SettingsError: a setting asks for it; the message names the setting.
    """
    for name, done in DONE.items():
        if getattr(settings, name) != done:
            raise SettingsError(f"planning in SQL needs {name} = {done!r}; plan in memory instead")


DONE = {"chain_length": 2, "solver": "cover", "cost": "count", "doc_order": "ingest"}
"""The settings that planning in SQL knows, each with its one value."""


def _links_above(tables: Tables, settings: Settings, slices: int) -> tuple[str, int]:
    """Make the links that may be above policy once documents are masked; return their table.

    A chain's risk is at most the strength of its link, so that what is readable is joined by the
    limits. Where a limit lies under the edge threshold, a pair must be a link of the whole, too.
    """
    least = min(settings.medium, settings.theta_chain)
    blocked = 0
    if least < settings.edge_threshold:
        blocked = find_links(tables, settings, slices)
    blocked += find_links(
        tables, settings, slices, pieces="readable", name="readable_link", threshold=least
    )
    if least >= settings.edge_threshold:
        return "readable_link", blocked
    tables.keep("joint", statement("joint"))
    return "joint", blocked


def _limits(settings: Settings) -> dict[str, float]:
    rho_high, rho_medium, *_ = settings.rho
    return {
        "theta": settings.theta_chain,
        "rho_high": rho_high,
        "rho_medium": rho_medium,
        "high_from": settings.high - SLACK,
        "medium_from": settings.medium - SLACK,
    }


def _rounds(tables: Tables) -> tuple[Longs, int]:
    """Hold elections until no chain is unmet; return whom they masked, and how many were held."""
    masked, rounds, source = [np.zeros(0, dtype=np.int64)], 0, "via"
    while _find_unmet(tables, source):
        tables.keep("help", statement("help"))
        tables.keep("score", statement("score"))
        tables.keep("winner", statement("winner"))
        masked.append(np.sort(tables.read("select entity from winner")["entity"].to_numpy()))
        if not len(masked[-1]):
            break
        tables.keep("masked", "select entity from masked union all select entity from winner")
        source, rounds = "help", rounds + 1
    return np.concatenate(masked), rounds


def _find_unmet(tables: Tables, via: str) -> int:
    """Make `unmet`, the chains above their target under `masked`; return how many there are."""
    tables.keep("open_via", statement("open_via", via=via))
    tables.keep("remaining", statement("remaining"))
    tables.keep("risk", statement("risk", pieces="remaining"))
    return tables.keep("unmet", statement("unmet"))


def _mask(tables: Tables, *stages: Longs) -> None:
    import pyarrow as pa

    tables.put("masked", pa.table({"entity": np.concatenate(stages).astype(np.int64)}))


def _units(risk: float, room: float = 0.0) -> int:
    """Return the least Σz, in units, that reaches a risk in [0, 1], `room` more allowed."""
    return ceil((-log1p(-min(risk - SLACK, 1 - SLACK)) - room) * UNIT)
