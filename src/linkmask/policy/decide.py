"""Decides which policies apply to a document, what they demand of a value, which demand wins.

formulas.md §14.1, steps classify and route. Nothing is guessed: if no applying policy knows a type,
a language model is asked where there is one; otherwise a person is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from linkmask.choices import POLICY_TECHNIQUES, STRICTNESS
from linkmask.policy.policy_tables import Policy, TypeRule
from linkmask.schema import RARE_TERM

RANK = {technique: rank for rank, technique in enumerate(STRICTNESS)}
"""0 is the strictest."""

Ask = Callable[[str, Sequence[Policy]], str | None]
"""Asks a model which type that a policy knows an unknown type is; None if it is none of them."""


@dataclass(frozen=True, slots=True)
class Routed:
    """Which policies apply to a document, and which of its types no policy knows.

    `types`: those of its values that a policy knows.
    """

    primary: str = ""
    secondary: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    @property
    def applying(self) -> tuple[str, ...]:
        """The policies whose demands are carried out."""
        return (self.primary, *self.secondary) if self.primary else ()

    @property
    def question(self) -> str:
        """What a person has to answer before the document can be released; "" where nothing."""
        if not self.unknown:
            return ""
        types = ", ".join(self.unknown)
        return (
            f"which rule applies to values of type {types}? No policy in use says: add a block "
            f"[types.{self.unknown[0]}] to a policy file, or name the type otherwise"
        )


class PolicyDecision(NamedTuple):
    """What is done with a value, and which rule of which policy demands it."""

    type: str
    technique: str
    policy: str
    rule: TypeRule

    @property
    def done(self) -> str:
        """What the technique does, in words."""
        return POLICY_TECHNIQUES[self.technique].done


def route(
    types: Collection[str],
    policies: Sequence[Policy],
    ask: Ask | None = None,
) -> Routed:
    """Tell which policies apply to a document that holds values of these types.

    The applying policy of the smallest priority leads, the others stay as secondary: each is
    carried out, and where two differ the stricter technique wins. A type that a model names
    otherwise counts as that type. A rare word is no value, so no policy has to know it.
    """
    assigned: set[str] = set()
    unknown: list[str] = []
    for entity_type in sorted(set(types) - {RARE_TERM}):
        name = known_type(entity_type, policies, ask)
        if name is None:
            unknown.append(entity_type)
        else:
            assigned.add(name)
    ordered = sorted(policies, key=lambda one: (one.priority, one.name))
    personal = {each for each in assigned if any(policy.covers(each) for policy in policies)}
    alone = all(policy.when for policy in policies)  # nobody else asks for every personal value
    applying = [
        policy
        for policy in ordered
        if assigned & (policy.when or personal)
        or (policy.otherwise and alone and any(map(policy.covers, assigned)))
    ]
    primary, *secondary = [policy.name for policy in applying] or [""]
    return Routed(primary, tuple(secondary), tuple(unknown), tuple(sorted(assigned)))


def known_type(entity_type: str, policies: Sequence[Policy], ask: Ask | None) -> str | None:
    """Return the type under which the policies know a value, or None where nobody can tell."""
    if any(policy.knows(entity_type) for policy in policies):
        return entity_type
    answer = ask(entity_type, policies) if ask else None
    return answer if answer and any(policy.knows(answer) for policy in policies) else None


def decide(entity_type: str, applying: Iterable[Policy]) -> PolicyDecision | None:
    """Return the strictest demand of the applying policies for a type; None if none covers it.

    Of two policies that demand the same, the one with the smaller priority is cited.
    """
    demands = [
        PolicyDecision(
            entity_type, policy.rules[entity_type].technique, policy.name, policy.rules[entity_type]
        )
        for policy in sorted(applying, key=lambda one: (one.priority, one.name))
        if policy.covers(entity_type)
    ]
    return min(demands, key=lambda one: RANK[one.technique], default=None)


def stronger_technique(technique: str) -> str:
    """Return the technique that replaces one that was too weak: first a code, then removal."""
    return "tokenization" if RANK[technique] > RANK["tokenization"] else "removal"
