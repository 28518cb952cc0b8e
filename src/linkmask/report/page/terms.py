"""Defines each number of a report: a sentence and, where there is one, its formula."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from linkmask.formulas import noisyor
from linkmask.formulas.risks import HOP_IN_WORDS
from linkmask.report.page.cells import PageData

TERMS = {
    "entity": "Mention, entity",
    "contribution": "Contribution c",
    "documents over": "Document risk R",
    "its riskiest document": "Document risk R",
    "its riskiest chain": "Chain, chain risk",
    "riskiest chain": "Chain, chain risk",
    "risk before masking": "Document risk R",
    "risk after masking": "Document risk R",
    "risk now": "Document risk R",
    "strength before": "Link, strength",
    "strength": "Link, strength",
    "chain": "Chain, chain risk",
    "target": "Target of a chain",
    "stage": "Stage",
    "floor": "Stage",
    "gain": "Gain, served",
    "served": "Gain, served",
}
"""Heading of a column → the term that explains it."""


def anchor(term: str) -> str:
    """Return the place of a term on the page."""
    return "term-" + "-".join(re.findall("[a-z]+", term.lower()))


def column_heading(text: str) -> Markup:
    """Set the heading of a column; one that is a term leads to its explanation."""
    if text not in TERMS:
        return escape(text)
    return Markup('<a class="term" href="#{}">{}</a>').format(anchor(TERMS[text]), text)


def terms(data: PageData) -> list[tuple[str, str, str]]:
    """Return (term, sentence, formula) for a corpus with its limits."""
    n, limits = data.incidence.n_documents, data.audit.risk["limits"]
    theta, rho = limits["theta_chain"], limits["rho"]
    return [
        ("Mention, entity",
         "A mention is a place in a document that says something about somebody. An entity is "
         "all mentions of one thing (same type, same value, whatever the spelling). An "
         "entity–document pair is an entity in a document, however often it is mentioned there.",
         ""),
        ("Relevance",
         "How much a value, in its document, helps to identify the person the document is "
         "about: from 0 (nothing) to 1. Detection says it.", ""),
        ("Weight",
         "How bad a leak of this type is, from 0 to 1: a table in the settings (schema).", ""),
        ("Uniqueness u",
         "How rare an entity is among all documents: 1 when it stands in one document, near 0 "
         "when it stands in all. It is computed once and does not change with masking.",
         f"u = log((N + 1) / documents with it) / log(N + 1), with N = {n:,}"),
        ("Contribution c",
         "What one entity adds to the risk of one document. Where a list shows one contribution "
         "per entity, it is the largest in any document.",
         "c = relevance × u × weight"),
        ("Document risk R",
         "How much a document's unmasked entities, taken together, point at a person. One strong "
         "entity is enough; many weak ones add up. 0 when nothing is left.",
         f"R = {noisyor.IN_WORDS.format('c')} over unmasked entities; "
         f"limit: R < {limits['theta_doc']:g}"),
        ("Link, strength",
         "Two documents are linked when they share entities. The strength says how surely the "
         "shared ones connect them; s takes the larger of the two relevances.",
         f"strength = {noisyor.IN_WORDS.format('s')}, s = relevance × u × weight; "
         f"a link counts from {data.audit.settings['edge_threshold']:g}"),
        ("Chain, chain risk",
         "A path of linked documents that somebody could follow from one to the next. Each hop "
         "weighs by its link and by the risks R₁ and R₂ of the two documents it joins. Masking "
         "takes no chain off the list: one that is harmless by now stays there, with its risk.",
         f"chain risk = {noisyor.IN_WORDS.format('hop')}, hop = "
         + HOP_IN_WORDS.format(strength="strength", left="R₁", right="R₂")),
        ("HIGH, MEDIUM, LOW",
         f"The level of a chain's risk: HIGH from {limits['high']:g}, MEDIUM from "
         f"{limits['medium']:g}, LOW below.", ""),
        ("Target of a chain",
         "What a chain may keep: never more than the limit, and no more than a share of the risk "
         "it had when the chain stage began.",
         f"HIGH: min({theta:g}, {rho['HIGH']:g} × risk); MEDIUM: min({theta:g}, "
         f"{rho['MEDIUM']:g} × risk); LOW: {theta:g}"),
        ("Stage",
         "Why an entity was masked. Floor: its type is always masked. Document: a document was at "
         "or over its limit. Chain: a chain was over its "
         "target. Decided: a person decided so, or an earlier edition masked it.", ""),
        ("Gain, served",
         "Gain is the drop in risk an entity brought when it was chosen, summed over the documents "
         "or chains it was chosen for; served says how many these were. For the floor: its largest "
         "contribution, and the documents it stands in.", ""),
        ("Lower bound",
         "No set of entities that meets every chain's target, given the earlier stages, is smaller "
         "than this.", ""),
    ]  # fmt: skip
