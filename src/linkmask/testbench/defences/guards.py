"""Defences that leave the corpus as it is: they act at the query, the retrieval or the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from linkmask.testbench.defences.base import Defended
from linkmask.testbench.defences.workshop import Workshop
from linkmask.testbench.indexes import words
from linkmask.testbench.rag import Guard

OVERLAP = 0.5
"""ROUGE-L with one document of the context from which on an answer is held back (IKEA's filter)."""
COSINE = 0.5
"""Cosine below which a document does not enter the context."""
FORBIDDEN = re.compile(
    r"\b(?:repeat|copy|print|output|verbatim|list all|every detail|entire|whole (?:text|context)|"
    r"word for word|répéter|répète|copie[rz]?|intégral\w*)\b",
    re.IGNORECASE,
)
"""Words of queries that want the context itself."""


def output_filter(shop: Workshop) -> Defended:
    """Hold back answers that follow a document of their context closely."""

    def allowed(answer: str, context: Sequence[str]) -> bool:
        return all(rouge_l(answer, text) < OVERLAP for text in context)

    return Defended(shop.corpus.texts, Guard(output=allowed))


def query_filter(shop: Workshop) -> Defended:
    """Refuse queries that ask for the text itself."""
    return Defended(shop.corpus.texts, Guard(query=lambda text: not FORBIDDEN.search(text)))


def threshold(shop: Workshop) -> Defended:
    """Leave out of the context what is not alike enough."""
    return Defended(shop.corpus.texts, Guard(least=COSINE))


def rouge_l(answer: str, text: str) -> float:
    """Return the F1 of the longest common subsequence of words, in [0, 1]."""
    a, b = words(answer), words(text)
    if not a or not b:
        return 0.0
    places: dict[str, int] = {}
    for i, word in enumerate(b):
        places[word] = places.get(word, 0) | (1 << i)
    # Bit-parallel (Hyyrö 2004): unset bits of the row are the length of the common subsequence.
    whole = (1 << len(b)) - 1
    row = whole
    for word in a:
        match = row & places.get(word, 0)
        row = ((row + match) | (row - match)) & whole
    return 2 * (len(b) - row.bit_count()) / (len(a) + len(b))
