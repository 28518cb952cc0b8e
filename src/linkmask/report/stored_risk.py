"""Writes the risks of a run into its folder.

They are `risk.json`, or Parquet files of the same columns if they are large (docs/files.md).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import LEVELS, level, reaches, riskiest_first
from linkmask.records import Incidence, Risk
from linkmask.report.audit import contributions
from linkmask.report.run_tables import (
    coded_column,
    fits_json,
    is_parquet,
    names_column,
    path_columns,
    rounded,
    write_tables,
)
from linkmask.runs import Run


def store_risk(run: Run, incidence: Incidence, risk: Risk, settings: Settings) -> None:
    """Write the risks into the run: risk.json, or Parquet files of the same columns if large."""
    chains = risk.chains
    parquet = is_parquet(run, "risk-entities")
    if fits_json(incidence, max(len(risk.links), len(chains))) and not parquet:
        run.write_json("risk.json", risk_table(incidence, risk, settings))
        return
    ids = names_column(incidence.documents)
    left, right = (coded_column(column, ids) for column in (risk.links.left, risk.links.right))
    strength = risk.links.strength.astype(np.float32)  # half the file; levels are decided before
    paths = {}
    if settings.chain_length > 2:  # of two documents they are the links
        risks: Any = chains.risk
        levels: Any = 2 - sum(reaches(risks, bound) for bound in (settings.high, settings.medium))
        paths["risk-chains"] = {
            **path_columns(chains.documents, ids),
            "risk": chains.risk,
            "category": coded_column(levels.astype(np.int32), LEVELS),
        }
    write_tables(
        run,
        {
            **paths,
            "risk-links": {"left": left, "right": right, "strength": strength},
            "risk-documents": {"document": ids, "risk": risk.documents},
            "risk-entities": {
                "entity": names_column(incidence.entities),
                "type": coded_column(incidence.type, incidence.types),
                "uniqueness": incidence.uniqueness,
                "contribution": contributions(incidence),
                "documents": incidence.frequency,
            },
        },
    )


def risk_table(incidence: Incidence, risk: Risk, settings: Settings) -> dict[str, Any]:
    """Return the content of risk.json."""
    ids, names = incidence.documents, list(incidence.entities)
    contribution = contributions(incidence)
    links, chains = risk.links, risk.chains
    order = riskiest_first(chains.risk)
    held = [incidence.entity[a:b].tolist() for a, b in pairwise(incidence.start.tolist())]
    sets = list(map(frozenset, held))
    return {
        "documents": [
            {"document": ids[d], "risk": rounded(value)}
            for d, value in enumerate(risk.documents.tolist())
        ],
        "links": [
            {
                "documents": [ids[a], ids[b]],
                "strength": rounded(strength),
                "via": [names[e] for e in held[a] if e in sets[b]],
            }
            for a, b, strength in zip(
                links.left.tolist(), links.right.tolist(), links.strength.tolist(), strict=True
            )
        ],
        "chains": [
            {
                "documents": [ids[d] for d in path if d >= 0],
                "risk": rounded(value),
                "category": LEVELS[level(value, settings.high, settings.medium)],
            }
            for path, value in zip(
                chains.documents[order].tolist(), chains.risk[order].tolist(), strict=True
            )
        ],
        "entities": [
            {
                "entity": names[e],
                "type": incidence.types[incidence.type[e]],
                "uniqueness": rounded(incidence.uniqueness[e]),
                "contribution": rounded(contribution[e]),
                "documents": int(incidence.frequency[e]),
            }
            for e in range(incidence.n_entities)
        ],
    }
