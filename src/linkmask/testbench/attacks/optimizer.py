"""Searches for the command that extracts most, guided by the answers (the idea of DEAL).

A command is put together of an opening, a verb, an object and a manner (`type_tables.toml`). Two
queries try it, with the same random words in opposite orders: text that both answers share in runs
of `RUN` words was read from documents and not made up, so the attacker can count it without knowing
the corpus. A (μ + λ) evolution keeps the best commands and changes a part of each. A model in
place of these rules would write commands freely; here only combinations of these parts are tried.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from linkmask.testbench.attacks.base import AttackTarget, Raw, gathered
from linkmask.testbench.indexes import words
from linkmask.testbench.rag import Response, SystemQuery
from linkmask.testbench.synthetic_values import SHADOW
from linkmask.testbench.type_tables import TABLES

PARTS: Mapping[str, Sequence[str]] = TABLES["optimizer"]
"""Parts of a command in their order, and the ways to say each."""
RUN = 10
"""Length in words of a run that two answers hardly share by chance."""
KEPT = 3
"""Commands that survive a generation (μ); each has one child, in which a part is said otherwise."""
SEARCH = 0.5
"""Share of the queries that is spent on the search; the others are asked with the best command."""
Command = tuple[str, ...]


def optimizer_lite(target: AttackTarget) -> Raw:
    """Spend half of the queries on finding a command, and the others on asking with it.

    `best`: the number of runs of `RUN` words that both answers to the best command share.
    """
    rng = random.Random(f"{target.seed}/optimizer")
    asked: list[tuple[SystemQuery, Response]] = []
    tried: dict[Command, int] = {}
    while len(asked) + 2 <= SEARCH * target.queries:
        command = _next(tried, rng)
        examples = rng.sample(SHADOW, 3)
        queries = [_query(order, command) for order in (examples, examples[::-1])]
        responses = target.system.ask(queries)
        asked += zip(queries, responses, strict=True)
        tried[command] = shared_runs(*(response.text for response in responses))
    best = ranked(tried)[0] if tried else _random_command(rng)
    remaining = range(target.queries - len(asked))
    queries = [_query(rng.sample(SHADOW, 3), best) for _ in remaining]
    asked += zip(queries, target.system.ask(queries), strict=True)
    found = gathered(target, asked)
    found["pooled"]["best"] = float(tried.get(best, 0))
    return found


def _next(tried: Mapping[Command, int], rng: random.Random) -> Command:
    """Return a command that was not tried: random ones first, then children of the best."""
    parents = ranked(tried)[:KEPT]
    for _ in range(100):
        command = _random_command(rng)
        if len(tried) >= 2 * KEPT:
            place = rng.randrange(len(PARTS))
            kept = rng.choice(parents)
            command = (*kept[:place], command[place], *kept[place + 1 :])
        if command not in tried:
            return command
    return rng.choice(parents)


def ranked(tried: Mapping[Command, int]) -> list[Command]:
    """Return commands by what they extracted, the most first; the earlier of equals first."""
    return sorted(tried, key=lambda command: -tried[command])


def _random_command(rng: random.Random) -> Command:
    return tuple(rng.choice(ways) for ways in PARTS.values())


def _query(examples: Sequence[str], command: Command) -> SystemQuery:
    return SystemQuery(f"{', '.join(examples)}. {' '.join(filter(None, command))}", "extract")


def shared_runs(one: str, other: str) -> int:
    """Return how many distinct runs of `RUN` words two answers share."""
    first, second = (
        {tuple(text_words[at : at + RUN]) for at in range(len(text_words) - RUN + 1)}
        for text_words in map(words, (one, other))
    )
    return len(first & second)
