"""Holds every formula of the method (formulas.md §4-9), once.

    risks         uniqueness; the risks of documents, links (hops) and chains; targets
    noisyor       1 − Π (1 − chance), which all of these risks are
    comparing     risks with limits: what is equal on paper is equal here
    rows          the corpus as the formulas read it
    link_batches  the strength of many links at once, under a mask
    singling_out  how many people fit what is readable of a document
    csr           sorting and transposing of rows
    compiling     runs these loops as they are, or compiled

They are plain loops over arrays, marked `@kernel`: called directly they run as Python, and
`fast(f, work)` compiles the same functions for large corpora. They also take lists in place of
arrays, so a solver may hand in the few rows of one chain.
"""

from linkmask.formulas import compiling
from linkmask.formulas.comparing import (
    SLACK,
    order_key,
    order_keys,
    reaches,
    riskiest_first,
    within,
)
from linkmask.formulas.compiling import (
    compiled,
    fast,
    in_column,
    in_parts,
    joined_parts,
    kernel,
    thread_count,
)
from linkmask.formulas.csr import counts_of, sort_rows, transpose
from linkmask.formulas.noisyor import kept_in_rows, kept_with, noisy_or
from linkmask.formulas.risks import (
    LEVELS,
    chain_risk,
    chain_risks,
    contributions,
    document_risk,
    document_risks,
    document_risks_of,
    edge_strength,
    hop_risk,
    level,
    target,
    uniqueness,
)
from linkmask.formulas.rows import (
    Rows,
    loop_work,
    make_rows,
    none_masked,
    open_rows,
    renumbered,
    rows_of,
)

__all__ = [
    "LEVELS",
    "SLACK",
    "Rows",
    "chain_risk",
    "chain_risks",
    "compiled",
    "compiling",
    "contributions",
    "counts_of",
    "document_risk",
    "document_risks",
    "document_risks_of",
    "edge_strength",
    "fast",
    "hop_risk",
    "in_column",
    "in_parts",
    "joined_parts",
    "kept_in_rows",
    "kept_with",
    "kernel",
    "level",
    "loop_work",
    "make_rows",
    "noisy_or",
    "none_masked",
    "open_rows",
    "order_key",
    "order_keys",
    "reaches",
    "renumbered",
    "riskiest_first",
    "rows_of",
    "sort_rows",
    "target",
    "thread_count",
    "transpose",
    "uniqueness",
    "within",
]
