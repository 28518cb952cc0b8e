"""Regulations: which rule applies to a value, what it demands, and why.

Policies set floors and techniques that the optimizer may not go under. `tables` are what a lawyer
reads, `decide` which of them applies to what, `justify` why, in a sentence.
"""

from linkmask.policy.decide import Decision, Routed, decide, named, route, strengthened, stricter
from linkmask.policy.demands import UNDECIDED, Demands, demands
from linkmask.policy.justify import Justification, justify
from linkmask.policy.tables import STRICTNESS, Policy, Rule, load, names

__all__ = [
    "STRICTNESS",
    "UNDECIDED",
    "Decision",
    "Demands",
    "Justification",
    "Policy",
    "Routed",
    "Rule",
    "decide",
    "demands",
    "justify",
    "load",
    "named",
    "names",
    "route",
    "strengthened",
    "stricter",
]
