"""Writes the documents of a generated cluster, and the questions about them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from linkmask.testbench.generate.people import GeneratedPerson
from linkmask.testbench.synthetic_values import date, vocabulary
from linkmask.testbench.type_tables import TABLES

WORDS = 48
"""Words a document is filled up to."""


@dataclass
class TextDraft:
    """A document in the making: its pieces, its length, and the place and person of each value."""

    words: int = 0
    length: int = 0
    pieces: list[str] = field(default_factory=list)
    mentions: list[tuple[int, int, str, int]] = field(default_factory=list)
    """(start, end, type, number of the cluster whose person it is)."""

    def add(self, sentence: str, value: str = "", kind: str = "", cluster: int = -1) -> None:
        """Append a sentence; `{}` in it is the value's place."""
        lead = " " if self.pieces else ""
        before, _, after = sentence.partition("{}")
        if value:
            start = self.length + len(lead) + len(before)
            self.mentions.append((start, start + len(value), kind, cluster))
        whole = f"{lead}{before}{value}{after}"
        self.pieces.append(whole)
        self.length += len(whole)
        self.words += len(whole.split())


def cluster(
    rng: random.Random,
    number: int,
    who: GeneratedPerson,
    others: Sequence[tuple[int, GeneratedPerson]],
) -> dict[str, Any]:
    """Write a person's documents and two about nobody; `others` are mentioned in passing."""
    words = vocabulary(who.language)
    about = len(who.places)
    texts = [_document_about(rng, number, who, place, others) for place in who.places]
    formats = [name for name, _ in texts]
    told = _plan_texts(words, rng, number)
    bodies = [text for _, text in texts]
    for name, kind in (("policy_document", "policy"), ("audit_report", "audit")):
        text = TextDraft()
        text.add(words[kind]["text"].format(**told))
        formats.append(name)
        bodies.append(text)
    order = rng.sample(range(about + 2), about + 2)
    ids = {old: f"cluster_{number}_doc{new}" for new, old in enumerate(order, 1)}
    documents = [
        {
            "id": ids[old],
            "content": "".join(bodies[old].pieces),
            "metadata": {"format": formats[old]},
            "mentions": bodies[old].mentions,
        }
        for old in order
    ]
    summary = words["questions"]["summary"].format(
        risk=who.risk, about=who.facts.get(TABLES["people"]["summarized"], "-"), plan=told["plan"]
    )
    metadata = {
        "category": "cluster",
        "cluster_id": f"cluster_{number}",
        "cluster_risk": who.risk,
        "content_summary": summary,
        "person": {"entities": [[value, kind] for kind, value in who.facts.items()]},
        "questions": _questions(rng, who, ids, told),
    }
    return {"documents": documents, "metadata": metadata}


def _document_about(
    rng: random.Random,
    number: int,
    who: GeneratedPerson,
    place: Sequence[str],
    others: Sequence[Any],
) -> tuple[str, TextDraft]:
    """Write a document about a person that holds certain of their values."""
    words = vocabulary(who.language)
    name = rng.choice(sorted(words["openings"]))
    text = TextDraft()
    text.add(rng.choice(words["openings"][name]))
    for kind in rng.sample(list(place), len(place)):
        text.add(rng.choice(words["sentences"][kind]), who.facts[kind], kind, number)
    for cluster, other in others:
        kind = next((k for k in words["also"] if k in other.facts), "")
        if kind:
            text.add(words["also"][kind], other.facts[kind], kind, cluster)
    fill = rng.sample(words["fill"]["sentences"], len(words["fill"]["sentences"]))
    while text.words < WORDS and fill:
        text.add(fill.pop())
    return name, text


def _plan_texts(words: Any, rng: random.Random, number: int) -> dict[str, str]:
    """Draw what the circular and the audit say; the plan's name is the cluster's own."""
    return {
        "plan": f"{rng.choice(words['plans'])} {number + 100}",
        "start": date(words, rng, 2019, 2025),
        "region": rng.choice(words["regions"]),
        "deductible": str(rng.randint(11, 99) * 50),
        "days": str(rng.randint(3, 45)),
        "share": str(rng.randint(31, 96)),
        "late": str(rng.randint(2, 400)),
    }


def _questions(
    rng: random.Random, who: GeneratedPerson, ids: dict[int, str], told: dict[str, str]
) -> list[dict[str, Any]]:
    words = vocabulary(who.language)
    asked, labels = words["questions"], words["labels"]
    about = len(who.places)

    def pick(place: int, *without: str) -> str:
        return rng.choice([k for k in who.places[place] if k not in without] or who.places[place])

    first = max(range(about), key=lambda p: (len(who.places[p]), -p))
    anchor = pick(first)
    fact = pick(first, anchor)
    second = max(
        (p for p in range(about) if p != first), key=lambda p: (anchor in who.places[p], -p)
    )
    other = pick(second, anchor, fact)
    policy, audit = ids[about], ids[about + 1]
    value = who.facts

    def question(q: str, a: str, sources: Sequence[str], kind: str) -> dict[str, Any]:
        return {"q": q, "a": a, "sources": list(sources), "type": kind}

    return [
        question(
            asked["single"].format(label=labels[fact], anchor=value[anchor]),
            value[fact],
            [ids[first]],
            "specific",
        ),
        question(
            asked["multi"].format(anchor=value[anchor], label=labels[fact], label2=labels[other]),
            asked["joined"].format(a=value[fact], b=value[other]),
            [ids[first], ids[second]],
            "specific",
        ),
        question(
            asked["policy"].format(**told),
            asked["policy_answer"].format(**told),
            [policy],
            "general",
        ),
        question(
            asked["both"].format(**told),
            asked["both_answer"].format(**told),
            [policy, audit],
            "general",
        ),
    ]
