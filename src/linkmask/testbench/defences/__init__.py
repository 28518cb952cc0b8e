"""Registers the defences of a corpus against those who ask about it, by name.

A defence declares the stage it acts at and gives, for a corpus, the texts to index and perhaps a
`Guard`. Those that mask choose a set of entities and nothing else: all of them write with the same
redactor, so that they differ in the choice alone.
"""

from __future__ import annotations

import re

from linkmask import config
from linkmask.errors import SettingsError
from linkmask.testbench.defences.base import Defence, Defended
from linkmask.testbench.defences.builder import DefenceBuilder
from linkmask.testbench.defences.eraser import eraser
from linkmask.testbench.defences.guards import (
    COSINE,
    OVERLAP,
    mirabel,
    mirabel_calibrated,
    output_filter,
    prompt,
    query_filter,
    threshold,
)
from linkmask.testbench.defences.masks import (
    RANKS,
    as_it_is,
    clam,
    every,
    ldp,
    like,
    nothing,
    source_of,
)
from linkmask.testbench.defences.sage import sage
from linkmask.testbench.defences.sage_lite import sage_lite
from linkmask.testbench.defences.voting import VOTERS, voting
from linkmask.testbench.ldp import EPSILON
from linkmask.testbench.missing import Hole

__all__ = ["DEFENCES", "Defence", "DefenceBuilder", "Defended", "Hole", "defence"]


PLAIN: dict[str, Defence] = {
    "std": Defence("none", "the corpus as it is", as_it_is),
    "no-rag": Defence("none", "no context at all", nothing),
    "clam": Defence("corpus", "linkmask as installed: preset insurance", clam("embedded")),
    "clam-greedy": Defence(
        "corpus", "as clam, chains one by one, greedy", clam("embedded", solver="greedy")
    ),
    "clam-knapsack": Defence(
        "corpus", "as clam, chains one by one, knapsack", clam("embedded", solver="knapsack")
    ),
    "clam-exact": Defence(
        "corpus", "as clam, smallest set, exact", clam("embedded", solver="exact")
    ),
    "clam-strict": Defence("corpus", "preset strict", clam("embedded", "strict")),
    "clam-values": Defence(
        "corpus", "preset insurance without rare words", clam("embedded", rare_terms="0")
    ),
    "clam-thesis": Defence(
        "corpus", "preset thesis: no floor, knapsack", clam("embedded", "thesis")
    ),
    "clam-general": Defence("corpus", "preset general", clam("embedded", "general")),
    "mask-direct": Defence(
        "corpus", "all direct identifiers that were detected", every("embedded", True)
    ),
    "mask-all": Defence("corpus", "everything that was detected", every("embedded", False)),
    "clam-golden": Defence("corpus", "preset insurance on the persons' own values", clam("golden")),
    "mask-direct-golden": Defence(
        "corpus", "the persons' direct identifiers", every("golden", True)
    ),
    "mask-all-golden": Defence("corpus", "all of the persons' values", every("golden", False)),
    "threshold": Defence("retrieval", f"only documents with cosine {COSINE} or more", threshold),
    "query-filter": Defence("query", "no query that asks for the text itself", query_filter),
    "output-filter": Defence(
        "output", f"no answer with ROUGE-L {OVERLAP} or more with a document", output_filter
    ),
    "mirabel": Defence("retrieval", "the best document hidden where it stands out", mirabel),
    "mirabel-calibrated": Defence(
        "retrieval", "the same, with the limit of honest questions", mirabel_calibrated
    ),
    "prompt": Defence("prompt", "a system prompt that forbids", prompt),
    "sage": Defence("corpus", "SAGE: synthetic documents by a model", sage(replaced=False)),
    "sage-replaced": Defence(
        "corpus", "the same, put in the place of what was found among the originals", sage(True)
    ),
    "sage-lite": Defence("corpus", "synthetic documents by rules", sage_lite(replaced=False)),
    "sage-lite-replaced": Defence(
        "corpus", "the same, in the place of what was found among the originals", sage_lite(True)
    ),
    "eraser-lite": Defence("corpus", "a quarter of the triples, and what leads to them", eraser),
    "entity-ldp": Defence(
        "corpus", f"detected values drawn from public lists, ε = {EPSILON:g} a document", ldp
    ),
    "dpvote-lite": Defence(
        "output", f"words on which {VOTERS} voters agree who read one document each", voting
    ),
    "presidio": Defence(
        "corpus", "all that Presidio's rules find, without its model", every("presidio", False)
    ),
    "clam-llm": Defence("corpus", "preset insurance on what a model finds", clam("llm")),
    "clam-thesis-llm": Defence(
        "corpus", "preset thesis on what a model finds: the thesis itself", clam("llm", "thesis")
    ),
}
"""Defences by name, without those that are named after them."""

CONTROLS = {
    "clam": (
        "type@clam", "idf@clam", "score@clam", "random@clam", "random@clam#2", "random@clam#3",
        "floor+random@clam",
    ),
    "clam-golden": ("type@clam-golden", "idf@clam-golden", "random@clam-golden"),
}  # fmt: skip
"""Controls of a usual run, by what they are controls of."""

CONTROL = re.compile(r"(type|idf|score|random|floor\+random)@([^@#]+)(?:#(\d{1,6}))?")
VARIANT = re.compile(r"(clam|clam-golden|clam-llm)\[([\w=.,]+)\]")
PLANNING = frozenset(
    "edge_threshold link_contained chain_length high medium floor theta_doc theta_chain rho_high "
    "rho_medium solver cost doc_order chain_candidates style unkeyed scope rare_terms "
    "rare_pairs rare_nearest".split()
)
"""Settings a variant may change: those that ask for no other detection of values."""


def defence(name: str) -> Defence:
    """Return a defence by name.

    `clam[theta_doc=0.9,solver=greedy]` is `clam` with other settings, `clam-golden[preset=strict]`
    with another preset.

    `idf@presidio` or `random@clam#2` mask as many entities as the other, chosen otherwise; `#2` is
    another draw.

    Raises:
        SettingsError: there is none of this name, or a setting is not one of `PLANNING`.
    """
    if name in PLAIN:
        return PLAIN[name]
    if found := _control(name):
        return found
    match = VARIANT.fullmatch(name)
    if match is None:
        raise SettingsError(f"no defence {name!r}; there are: {', '.join(PLAIN)}")
    overrides = dict(pair.split("=", 1) for pair in match[2].split(",") if "=" in pair)
    preset = overrides.pop("preset", "insurance")
    if unknown := sorted(set(overrides) - PLANNING):
        raise SettingsError(f"{name}: {unknown[0]} can't be set here")
    config.load(preset=preset, overrides=overrides, environment={})
    made = clam(source_of(match[1]), preset, **overrides)
    return Defence("corpus", f"{match[1]} with {match[2]}", made)


def _control(name: str) -> Defence | None:
    match = CONTROL.fullmatch(name)
    if match is None:
        return None
    rank, kind = RANKS[match[1]]
    base = defence(match[2])
    made = like(match[2], base, rank, match[3] or "0")
    return Defence(base.stage, f"as many entities as {match[2]}, {kind}", made)


DEFENCES = {name: defence(name) for plain in PLAIN for name in (plain, *CONTROLS.get(plain, ()))}
"""Every defence of a usual run by name, controls behind what they are controls of."""
