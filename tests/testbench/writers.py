"""A scripted writer of clusters: answers the prompts of both stages as a good model would.

Its texts are random words with values between them; what it has to write it reads from the prompt.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

KINDS = {
    "HIGH": ("NAME", "PATIENT_ID", "MEDICAL_CONDITION", "EVENT_DATE", "TREATMENT", "LOCATION",
             "PROVIDER", "AGE"),
    "MEDIUM": ("TREATMENT", "EVENT_DATE", "LOCATION", "MEDICAL_CONDITION"),
    "LOW": ("TREATMENT", "EVENT_DATE", "LOCATION", "DEMOGRAPHIC"),
}  # fmt: skip
SHARED = {"HIGH": 6, "MEDIUM": 2, "LOW": 1}
"""How many of the values stand in two documents."""


def stage(request: dict[str, Any]) -> str:
    """Return which prompt a chat request is."""
    first = request["messages"][0]["content"]
    if first.startswith("You write small clusters"):
        return "draft"
    return "entities" if first.startswith("You correct the list") else "questions"


def told(request: dict[str, Any], field: str) -> str:
    """Return a line of the brief."""
    found = re.search(rf"^{field}: (.*)$", request["messages"][-1]["content"], re.MULTILINE)
    assert found, field
    return found[1]


def good(request: dict[str, Any]) -> dict[str, Any]:
    """Answer any of the three prompts."""
    if stage(request) == "draft":
        return draft(request)
    content = request["messages"][-1]["content"]
    mark = re.search(r"==[0-9a-f]{24}==", content)
    assert mark
    shown = json.loads(content.split(mark[0])[2])
    return {name: shown[name] for name in ("entities", "questions") if name in shown}


def draft(request: dict[str, Any]) -> dict[str, Any]:
    """Write a cluster that passes every check."""
    cluster, risk = told(request, "Cluster"), told(request, "Risk")
    formats = told(request, "Formats, one each").split(", ")
    rng = random.Random(request["messages"][-1]["content"])

    def word() -> str:
        return "".join(rng.choice("bdfgklmnprstv") + rng.choice("aeiou") for _ in range(3))

    values = [(f"{word().title()} {word()}", kind) for kind in KINDS[risk]]
    texts = [[word() for _ in range(60)] for _ in formats]
    for n, (value, _) in enumerate(values):
        places = [n % 2, 2] if n < SHARED[risk] else [n % 2]
        for place in places:
            texts[place].insert(rng.randrange(50), value)
    ids = [f"{cluster}_doc{n}" for n in range(1, len(formats) + 1)]
    asked = [("specific", ids[:1]), ("specific", ids[:2]), ("general", ids[3:4]),
             ("general", ids[2:4])]  # fmt: skip
    return {
        "documents": [
            {"id": name, "format": form, "content": " ".join(text)}
            for name, form, text in zip(ids, formats, texts, strict=True)
        ],
        "summary": f"About {word()}.",
        "entities": [list(value) for value in values],
        "questions": [
            {"q": f"What of {word()} {word()}?", "a": word(), "sources": sources, "type": kind}
            for kind, sources in asked
        ],
    }
