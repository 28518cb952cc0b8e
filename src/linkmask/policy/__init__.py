"""Applies regulations: which rule applies to a value, what it demands, and why.

Policies set floors and techniques that the optimizer may not go under. `policy_tables` are what a
lawyer reads, `decide` tells which of them applies to what, and `justify` why, in a sentence.
"""

from linkmask.policy.decide import (
    PolicyDecision,
    Routed,
    decide,
    known_type,
    route,
    stronger_technique,
)
from linkmask.policy.demands import Demands, demands
from linkmask.policy.justify import Justification, Write, justify
from linkmask.policy.policy_tables import Policy, TypeRule, load
from linkmask.policy.prompted import example_ranker, reason_writer, remaining_values, type_asker
from linkmask.policy.reasons import (
    MaskPlacement,
    Reasons,
    account,
    decisions,
    rare_word_decisions,
    reasons,
)

__all__ = [
    "Demands",
    "Justification",
    "MaskPlacement",
    "Policy",
    "PolicyDecision",
    "Reasons",
    "Routed",
    "TypeRule",
    "Write",
    "account",
    "decide",
    "decisions",
    "demands",
    "example_ranker",
    "justify",
    "known_type",
    "load",
    "rare_word_decisions",
    "reason_writer",
    "reasons",
    "remaining_values",
    "route",
    "stronger_technique",
    "type_asker",
]
