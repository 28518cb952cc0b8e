"""Which spellings may be looked for everywhere, and which only where detection saw them.

In a sweep over the corpus "52" would hit every dosage and "will" every sentence. Such spellings
are masked where a mention stands; their spellings with a cue ("52-year-old", "Will Hart") are
safe to look for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from linkmask import schema
from linkmask.config import Settings
from linkmask.redact.styles import Target

_AGE_CUE = re.compile(r"(?i)year|\byrs?\b|\by/?o\b|\baged?\b|\bans?\b|âg[ée]|jahr|jähr|\balt\b")


@cache
def common_words() -> frozenset[str]:
    """Everyday words, casefolded: too frequent to stand for one thing wherever they occur."""
    tables = schema.words("common").values()
    return frozenset(word for words in tables for word in words.casefold().split())


def sweepable(entity_type: str, surface: str) -> bool:
    """Return whether a spelling is distinctive enough to be masked wherever it stands.

    Not so: ages without a cue, fewer than four digits and no letter, a single everyday word, one
    or two letters, nothing but punctuation.
    """
    letters = sum(map(str.isalpha, surface))
    digits = sum(map(str.isdigit, surface))
    if entity_type == "AGE":
        return _AGE_CUE.search(surface) is not None and letters + digits > 3
    if not letters:
        return digits >= 4
    words = surface.casefold().split()
    if len(words) == 1 and not digits:
        return letters >= 3 and words[0].strip(".,;:!?'’\"()") not in common_words()
    return letters + digits >= 3 and not all(word in common_words() for word in words)


def sought(targets: Mapping[str, Target], settings: Settings) -> dict[str, list[str]]:
    """Return, for each masked entity, the spellings that redaction looks for.

    Scope `corpus`: all that are distinctive, wherever they stand. Scope `documents`: those seen in
    the corpus, whatever they are, in the documents where the entity was found (SPEC §9.2).
    """
    if settings.scope == "documents":
        return {entity: list(dict.fromkeys(target[1])) for entity, target in targets.items()}
    return {
        entity: [
            form for form in dict.fromkeys((*target[1], *target[2])) if sweepable(target[0], form)
        ]
        for entity, target in targets.items()
    }
