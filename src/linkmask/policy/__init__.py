"""Applies regulations: which rule applies to a value, what it demands, and why.

Policies set floors and techniques that the optimizer may not go under. `tables` are what a lawyer
reads, `decide` which of them applies to what, `justify` why, in a sentence.
"""

from linkmask.policy.decide import (
    PolicyDecision,
    Routed,
    decide,
    known_type,
    route,
    strengthened,
    stricter,
)
from linkmask.policy.demands import UNDECIDED, Demands, demands
from linkmask.policy.justify import Justification, Write, justify
from linkmask.policy.prompted import asking, ranking, remaining_values, writing
from linkmask.policy.reasons import Placed, Reasons, account, decisions, reasons
from linkmask.policy.tables import STRICTNESS, Policy, TypeRule, load

__all__ = [
    "STRICTNESS",
    "UNDECIDED",
    "Demands",
    "Justification",
    "Placed",
    "Policy",
    "PolicyDecision",
    "Reasons",
    "Routed",
    "TypeRule",
    "Write",
    "account",
    "asking",
    "decide",
    "decisions",
    "demands",
    "justify",
    "known_type",
    "load",
    "ranking",
    "reasons",
    "remaining_values",
    "route",
    "strengthened",
    "stricter",
    "writing",
]
