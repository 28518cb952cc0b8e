"""Chooses greedily on one chain after another (formulas.md §9.4–9.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from linkmask.config import Settings
from linkmask.formulas import order_key
from linkmask.plan.chains import ChainStage, Choice, treat_chains

Risk = Callable[[Set[int]], float]
"""Risk in [0, 1] when a set of candidates is masked; must not rise as the set grows."""
Picks = list[tuple[int, float]]
"""Chosen candidates in order, each with its gain: the drop in risk when it was added."""


def solve(stage: ChainStage, settings: Settings) -> Choice:
    """Bring one chain after another to its target by `greedy`."""
    return treat_chains(stage, settings, greedy)


def impacts(candidates: Sequence[int], risk: Risk, held: Set[int], now: float) -> dict[int, float]:
    """Return each candidate's impact, `now − risk(held + candidate)`, where it is positive."""
    found = ((e, now - risk({*held, e})) for e in candidates if e not in held)
    return {e: impact for e, impact in found if impact > 0}


def greedy(candidates: Sequence[int], risk: Risk, target: float) -> Picks:
    """Mask the candidate of largest impact, again and again, until the risk is at most `target`.

    Args:
        candidates: without repeats; a tie goes to the one that comes first.
        risk: risk in [0, 1] for a set of masked candidates, falling as the set grows.
        target: the risk to reach, in [0, 1].

    Returns:
        The chosen candidates in order of choice with their gains. The risk of the set is at most
        `target` unless no further candidate lowers it: the caller asks `risk` once more. No bound
        on the size: impacts are not submodular, since what one entity hides another may uncover.

    Notes:
        At most n·k calls of `risk` for n candidates and k chosen ones.

    References:
        formulas.md §9.5. As cover by steepest descent: V. Chvátal, "A greedy heuristic for the
        set-covering problem", Mathematics of Operations Research 4 (1979).
    """
    chosen: Picks = []
    held: set[int] = set()
    now = risk(held)
    while now > target:
        gain = impacts(candidates, risk, held, now)
        if not gain:
            break
        best = max(gain, key=lambda e: order_key(gain[e]))  # the first of equals
        held.add(best)
        chosen.append((best, gain[best]))
        now = risk(held)
    return chosen
