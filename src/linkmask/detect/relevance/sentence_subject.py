"""Defines the rules that show whose a value is: the person's, another's or nobody's.

`whose:` names the last word before the value that means the document's person, a relative,
somebody who treats or handles, a closing, or a company; `kin:` how a word for a relative relates to
the value; `firm:near` a word for a company nearby ("our office at").

The other rules say whom a sentence speaks of after it named another: "her husband Jo has MS".

`other:said` means that a word for a relative, a neighbour or a witness stands before the value and
that the sentence has not returned to the document's person since; `other:mine` that it is the
writer's own relative, who often is the document's person; `other:he` that a "he" or "she" followed,
which may mean either. What others did with or reported about the person counts as the person's:
"lives with her mother", "stated by a neighbour". `ill:` replaces `other:` for an illness, a
treatment or an age: these concern the other alone, while a wife's occupation or a son's achievement
also identifies the person.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache

from linkmask.detect.candidates import Candidate
from linkmask.detect.relevance.discourse import Names, Sentences, trigger_words
from linkmask.schema import types_of

HEALTH = types_of("age", "clinical")
FACTS = HEALTH | types_of("fact")
"""Types for which it is listened."""
SOMEBODY_ELSE = frozenset({"man", "woman", "anyone", "theirs"})
"""Triggers of words for others; those of "theirs" with a possessive only: "her baby", "my boss"."""
POSSESSIVE = frozenset({"my", "his"})
BEFORE = 3
"""Words before such a word in which its possessive stands: "her late husband"."""
BEHIND = 40
"""Characters after a value in which it is said whose it was: "melanoma in her late father"."""


NEAR = 3
"""Words from one for family to the value that is theirs: "sister Ada, 41"."""
FIRM = frozenset({"firm", "office"})
"""Words for a firm that speaks of itself ("our"), and for its parts."""
CONTACT = types_of("phone", "email", "address", "url")
"""Types by which one reaches a firm, too."""


def owner_rules(words: Sequence[bytes], kind: str, language: str) -> list[str]:
    """Return the rules of the words before a value of a type, in its sentence."""
    trigger_of, none = _owners(language)
    if none(words):
        return []
    triggers = list(map(trigger_of.get, words))
    persons = list(filter(None, triggers))
    holding = [WHOSE[persons[-1]]]
    if persons[-1] == "kin":
        far = triggers[::-1].index("kin")
        if far < NEAR:
            holding.append(KIN["near"])
        if len(words) - far <= NEAR:
            holding.append(KIN["first"])
    elif persons[-1] in FIRM and kind in CONTACT and "firm" in triggers[-NEAR - 1 :]:
        holding.append("firm:near")
    return holding


class SubjectTracker:
    """Tracks whom the sentences of one text speak of, from value to value."""

    __slots__ = ("_at", "_how", "_in", "_none", "_said", "_trigger_of", "_until", "_who")

    def __init__(self, sentences: Sentences, language: str) -> None:
        self._trigger_of, self._none, self._in = _trigger_tables(language)
        self._said = sentences.words
        self._at, self._until, self._how = -1, 0, ""
        self._who: str | None = None

    def rule(self, one: Candidate, at: int, before: Sequence[bytes]) -> str:
        """Return the rule for a fact in a sentence behind some words, "" if there is none."""
        start, end, kind = one[:3]
        if not self._none(before) and (how := self._of_person_before(before, at)):
            self._until = start
        elif at == self._at:
            how = self._still(self._said[self._until : start].split())
            self._until = start
        elif self._said[end : end + 4] in self._in:
            how = self._behind(end)
        else:
            return ""
        return (ILL if kind in HEALTH else OTHER)[how] if how else ""

    def _of_person_before(self, before: Sequence[bytes], at: int) -> str:
        """Return how a value is another's who is named before it, "" if nobody is."""
        triggers = [*map(self._trigger_of.get, before)]
        for k in reversed(range(len(triggers))):
            if triggers[k] in SOMEBODY_ELSE and (how := _other(triggers, k)):
                self._at, self._who, self._how = at, triggers[k], how
                return self._still(before[k + 1 :])
        return ""

    def _still(self, words: Sequence[bytes]) -> str:
        """Return how it is the other's, "" if one of the words since goes back to the person."""
        since = {*map(self._trigger_of.get, words)}
        he, she = "he" in since, "she" in since
        if "person" in since or (he and self._who == "woman") or (she and self._who == "man"):
            self._at = -1
            return ""
        if he or she:
            self._how = "he"
        return self._how

    def _behind(self, end: int) -> str:
        """Return how what follows a value makes it another's: "in her father", "meiner Frau"."""
        lead, *words = self._said[end : end + BEHIND].split()[:4]
        possessive = self._trigger_of.get(lead)  # of "bei", which elsewhere is "with", nothing
        triggers = [
            possessive if possessive in POSSESSIVE else None,
            *map(self._trigger_of.get, words),
        ]
        others = (k for k in range(1, len(triggers)) if triggers[k] in SOMEBODY_ELSE)
        return next((how for k in others if (how := _other(triggers, k))), "")


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


@cache
def _trigger_tables(
    language: str,
) -> tuple[Mapping[bytes, str], Callable[[Iterable[bytes]], bool], Collection[bytes]]:
    """Return word → trigger, a test that no word means another, how what leads to one begins."""
    trigger_of = trigger_words(language, "others")
    others = frozenset(word for word, trigger in trigger_of.items() if trigger in SOMEBODY_ELSE)
    return (
        trigger_of,
        others.isdisjoint,
        {(b" %b " % w)[:4] for w in trigger_words(language, "behind")},
    )


@cache
def _owners(language: str) -> tuple[Mapping[bytes, str], Callable[[Iterable[bytes]], bool]]:
    """Return word → whom it means, and what tells that none of some words means anybody."""
    trigger_of = trigger_words(language, "whose")
    return trigger_of, frozenset(trigger_of).isdisjoint


WHOSE, KIN, OTHER, ILL = map(Names, ("whose", "kin", "other", "ill"))
