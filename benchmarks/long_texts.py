"""Makes the documents of `endtoend.py` shorter or longer, by sentences with facts and without.

The documents of the insurance sets have 42 words on average and hold 16 mentions in 100 words, as
linkmask finds them (`linkmask scan`); those of `endtoend.py` have 74 words, and 12 mentions in 100
words. What is added here is about persons, places and bodies of which some are new in each
document: with 42 words, documents hold 12 mentions in 100 words, and with 200 words 15. Notes of
doctors and abstracts have about 200 words, e-mails and case reports about 400.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import endtoend

PROSE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
USUAL, SHORT = 5, 3
"""Sentences of a document in `endtoend.py`, which have 74 words, and of a shorter one."""
HALF = 7
"""Words of half a sentence."""
FACTS = 0.72
"""Share of the added sentences that hold facts."""
NEW = 0.2
"""Share of the sentences with facts that bring doctors, clinics and a town of their own."""


def corpus(documents: int, words: int, seed: int = 1) -> list[dict[str, object]]:
    """Make documents of about so many words, 40 or more; with 0, those of `endtoend.py`."""
    records = endtoend.corpus(documents, seed, SHORT if 0 < words < 74 else USUAL)
    return [
        {**one, "content": _longer(str(one["content"]), words, f"{seed}-{one['id']}")}
        for one in records
    ]


def _longer(text: str, words: int, seed: str) -> str:
    """Add sentences to a text until it has about so many words."""
    rng = random.Random(seed)
    facts = _second(rng) | endtoend.made_up(rng)
    sentences = [text]
    missing = words - len(text.split())
    while missing > HALF:
        if rng.random() < NEW:
            facts |= _second(rng)
        sentence = _sentence(facts, rng)
        sentences.append(sentence)
        missing -= len(sentence.split())
    return " ".join(sentences)


def _sentence(facts: Mapping[str, object], rng: random.Random) -> str:
    """Make one sentence; it begins with a capital letter."""
    kind = "facts" if rng.random() < FACTS else "general"
    drawn: dict[str, Any] = {name: rng.choice(some) for name, some in PROSE["words"].items()}
    for name in ("condition", "treatment"):
        drawn[name], drawn[f"{name}2"] = rng.sample(PROSE["words"][name], 2)
    sentence = rng.choice(PROSE[kind]).format(**{**facts, **drawn, "date": endtoend.date(rng)})
    return str(sentence[0].upper() + sentence[1:])


def _second(rng: random.Random) -> dict[str, object]:
    """Make up further doctors, clinics and a town."""
    one, other = endtoend.made_up(rng), endtoend.made_up(rng)
    return {
        "doctor": one["doctor"],
        "clinic": one["clinic"],
        "doctor2": other["doctor"],
        "clinic2": other["clinic"],
        "town2": other["town"],
        "claim": one["claim"],
    }
