"""Defines the rules that show whose a value is: the person's, another's or nobody's.

`whose:` names the last word before the value that means the document's person, a relative,
somebody who treats or handles, a closing, or a company; `kin:` how a word for a relative relates to
the value; `firm:near` a word for a company nearby ("our office at").

The other rules say whom a sentence speaks of after it named another: "her husband Jo has MS".

`other:said` means that a word for a relative, a neighbour or a witness stands before the value, and
none since that may mean the document's person; `other:mine` that it is the writer's own relative,
who often is the document's person. What others did with or reported about the person counts as the
person's: "lives with her mother", "stated by a neighbour". `ill:` replaces `other:` for an illness,
a treatment or an age: these concern the other alone, while a wife's occupation or a son's
achievement also identifies the person.
"""

from __future__ import annotations

from collections.abc import Sequence

from linkmask.detect.relevance.discourse import trigger_words, words_for
from linkmask.schema import types_of

HEALTH = types_of("age", "clinical")
FACTS = HEALTH | types_of("fact")
"""Types for which it is listened."""
SOMEBODY_ELSE = frozenset({"man", "woman", "anyone", "theirs"})
"""Triggers of words for others; those of "theirs" with a possessive only: "her baby", "my boss"."""
POSSESSIVE = frozenset({"my", "his"})
BEFORE = 3
"""Words before such a word in which its possessive stands: "her late husband"."""
BACK = frozenset({"person", "he", "she"})
"""Triggers of words that may mean the document's person."""
NEAR = 3
"""Words from one for family to the value that is theirs: "sister Ada, 41"."""
FIRM = frozenset({"firm", "office"})
"""Words for a firm that speaks of itself ("our"), and for its parts."""
CONTACT = types_of("phone", "email", "address", "url")
"""Types by which one reaches a firm, too."""


def owner_rules(words: Sequence[bytes], kind: str, language: str) -> list[str]:
    """Return the rules of the words before a value of a type, in its sentence."""
    triggers = list(map(trigger_words(language, "whose").get, words))
    persons = list(filter(None, triggers))
    if not persons:
        return []
    holding = [f"whose:{persons[-1]}"]
    if persons[-1] == "kin":
        far = triggers[::-1].index("kin")
        if far < NEAR:
            holding.append("kin:near")
        if len(words) - far <= NEAR:
            holding.append("kin:first")
    elif persons[-1] in FIRM and kind in CONTACT and "firm" in triggers[-NEAR - 1 :]:
        holding.append("firm:near")
    return holding


def subject_rule(words: Sequence[bytes], kind: str, language: str) -> str:
    """Return the rule for a fact behind some words of its sentence that name another, else "".

    A word since that may mean the document's person again ends it.
    """
    if words_for(SOMEBODY_ELSE, language, "others").isdisjoint(words):
        return ""
    triggers = list(map(trigger_words(language, "others").get, words))
    for k in reversed(range(len(triggers))):
        if triggers[k] in BACK:
            return ""
        if triggers[k] in SOMEBODY_ELSE and (how := _other(triggers, k)):
            return f"{'ill' if kind in HEALTH else 'other'}:{how}"
    return ""


def _other(triggers: Sequence[str | None], k: int) -> str:
    """Return how what follows a word for somebody else is theirs, "" if it is not."""
    then = triggers[k + 1] if k + 1 < len(triggers) else None
    if then == "says" or (then == "of" and triggers[k] != "anyone"):
        return ""  # "her neighbours say", "father of five"
    near = range(k - 1, max(k - BEFORE, 0) - 1, -1)
    own = next((n for n in near if triggers[n]), k)
    possessive = triggers[own] if own < k and triggers[own] in POSSESSIVE else None
    if not possessive and (triggers[k] == "theirs" or "a" in triggers[max(k - 2, 0) : k]):
        return ""  # "a young mother"
    first = own if possessive else k
    if first and triggers[first - 1] == "with":
        return ""
    return "mine" if possessive == "my" else "said"
