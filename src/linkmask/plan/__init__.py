"""Risk → Plan: the set of entities to mask, stage by stage, and what is proven about it.

    choosing        runs the stages one after the other; overrules a plan, or restores a stored one
    floor           stage 1: what is masked whatever the risk
    document_stage  stage 2: documents over their limit
    chains          stage 3: chains over their targets, as a solver is given them
    solvers         the solvers by name; each is a module of its own
    long_chains     what chains of three and four documents need, where they are not listed
    by_hand         what a person added or kept, and what is masked in its place

Solvers use `violations`, `hops` and `cost`; `exact` solves a `setcover`, and `cover` ends with
`reverse_delete`.
"""

from linkmask.plan.choosing import choose, overrule, restore
from linkmask.plan.solvers import SOLVERS

__all__ = ["SOLVERS", "choose", "overrule", "restore"]
